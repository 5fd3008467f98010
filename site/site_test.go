package site_test

import (
	"bytes"
	"context"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/command"
	"bullyproof/examples/gossip"
	"bullyproof/internal/test/schematest"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/site"
)

// Exit statuses of the command.
const (
	fine       = 0
	usage      = 2
	incomplete = 3
)

// strangers returns the command of a catalogue that is not ours.
func strangers() command.Tool {
	return command.Tool{Name: "upstarts", Site: site.Publisher{}, Algorithms: []*ledger.Algorithm{{
		Name: "upstart", Title: "Upstart", Source: "nobody, nowhere", Doc: "Whoever notices leads.",
		Variants: []ledger.Variant{{
			Name: "polite", Doc: "Follows no lower id.", Assumes: "A complete graph.", Setting: upstart.Settled(3),
			New: ledger.SystemOf(&upstart.Protocol{Polite: true}),
		}},
	}}}
}

// run runs a command in this process.
func run(t *testing.T, args ...string) (status int, out, errors string) {
	t.Helper()
	var o, e bytes.Buffer
	status = strangers().Run(t.Context(), args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// A stranger's catalogue gets a site, which can be made again in its place.
func TestSiteOfStrangers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	status, out, errors := run(t, "site", dir)
	require.Equal(t, fine, status, errors)
	assert.Regexp(t, `^Wrote .*index\.html: \d+ pages about 1 algorithm, with 0 recorded runs and 1 normal election, `, out)
	assert.Contains(t, out, "\nWithout the explorer: the program is a test\n")
	_, out, _ = run(t, "site", "--no-explorer", dir)
	assert.Contains(t, out, "\nWithout the explorer: --no-explorer\n")
	front, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(front), "upstarts")
	assert.FileExists(t, filepath.Join(dir, "algorithms", "upstart.html"))
	assert.NotContains(t, string(front), `<a href="https://`)

	status, _, errors = run(t, "site", "--source", "https://example.org/a", dir)
	require.Equal(t, fine, status, errors)
	front, err = os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(front), `<a href="https://example.org/a">source text</a>`)
	status, _, errors = run(t, "site", "--source", "example.org", dir)
	assert.Equal(t, usage, status)
	assert.Contains(t, errors, `flag --source is "example.org": want the address of a web page, like https://example.org/source`)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "runs", "mine.txt"), []byte("mine"), 0o666))
	status, _, errors = run(t, "site", dir)
	assert.Equal(t, usage, status)
	assert.Contains(t, errors, "holds runs/mine.txt, which is no part of a site")
}

// An interrupt ends it, and leaves nothing behind.
func TestSiteInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "pages")
	var out, errors bytes.Buffer
	status := strangers().Run(ctx, []string{"site", dir}, strings.NewReader(""), &out, &errors)
	assert.Equal(t, incomplete, status)
	assert.Contains(t, errors.String(), "interrupted: nothing was written")
	assert.NoDirExists(t, dir)
}

// A directory of other things is refused, and nothing is written.
func TestSiteRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("other", 0o777))
	require.NoError(t, os.WriteFile(filepath.Join("other", "notes.txt"), []byte("mine"), 0o666))
	require.NoError(t, os.WriteFile("notes", []byte("mine"), 0o666))
	for dir, want := range map[string]string{
		"other":        "site: other holds notes.txt, which is no part of a site: want a directory that is new, empty",
		"notes":        "site: notes is not a directory",
		"/proc/nosuch": `site: DIR is "/proc/nosuch": `,
	} {
		status, out, errors := run(t, "site", dir)
		assert.Equal(t, usage, status, dir)
		assert.Empty(t, out, dir)
		assert.Contains(t, errors, want)
	}
	assert.NoFileExists(t, filepath.Join("other", "index.html"))
}

// The JSON about a site is as its schema says.
func TestSitesAreAsTheirSchemaHasIt(t *testing.T) {
	schemas := filepath.Join("..", "docs", "schema")
	tool := command.Tool{Name: "gossip", Site: site.Publisher{}, Algorithms: []*ledger.Algorithm{gossip.Algorithm}}
	var out, errors bytes.Buffer
	require.Zero(t, tool.Run(t.Context(), []string{"site", filepath.Join(t.TempDir(), "pages"), "--json"}, strings.NewReader(""), &out, &errors), &errors)
	value, err := jsonschema.UnmarshalJSON(&out)
	require.NoError(t, err)
	assert.NoError(t, schematest.Schemas(t, schemas, true)["site"].Validate(value))
	schematest.Lacking(t, schematest.Schemas(t, schemas, false)["site"], value.(map[string]any), "site")
}

// A page gets nothing of what makes sites.
func TestPagesLeaveTheSiteOut(t *testing.T) {
	pages := build.Default
	pages.GOOS, pages.GOARCH = "js", "wasm"
	p, err := pages.ImportDir(".", 0)
	require.NoError(t, err)
	assert.Empty(t, p.Imports, "begin files with //go:build !js")
}
