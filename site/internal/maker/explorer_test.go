package maker_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/site/internal/maker"
)

// A site with an explorer has its module twice, for servers and for files, a page that
// may load that and nothing else, and links to it.
func TestExplorer(t *testing.T) {
	opt := some(t)
	opt.Explorer = &maker.Explorer{Module: []byte("a module"), Runtime: []byte("/* the runtime */")}
	s := made(t, opt)

	module := s.Files["explorer/module.wasm.gz"]
	r, err := gzip.NewReader(bytes.NewReader(module))
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, "a module", string(data))
	assert.Equal(t, `self.bullyproofModule="`+base64.StdEncoding.EncodeToString(module)+"\"\n", string(s.Files["explorer/module.js"]))

	page := string(s.Files["explorer.html"])
	assert.Contains(t, page, "/* the runtime */")
	d := parse(t, "explorer.html", s.Files["explorer.html"])
	wellMade(t, d, s.Files["explorer.html"])
	policy := attribute(d.nodes["meta"][1], "content")
	for _, part := range []string{"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval' 'sha256-", "worker-src blob:", "connect-src 'self'", "form-action 'none'"} {
		assert.Contains(t, policy, part)
	}
	assert.NotContains(t, policy, "unsafe-inline")

	for name, want := range map[string]string{
		"index.html":                            `href="explorer.html"`,
		"algorithms/bully.html":                 `href="../explorer.html#/explore/bully/coulouris?setting=`,
		"runs/bully-duplicate-coordinator.html": "trace=bully-duplicate-coordinator",
		"runs/bully-asked-again.html":           `href="../explorer.html#/beside/bully/`,
		"lectures/bully-waits-for-ever.html":    "All its states as a map",
		"runs/election-bully.html":              `href="../explorer.html#/explore/bully/coulouris?setting=`,
	} {
		assert.Contains(t, string(s.Files[name]), want, name)
	}
	for name, data := range usual(t).Files {
		assert.False(t, strings.Contains(string(data), "explorer.html"), "%s leads to an explorer that is not there", name)
	}
}
