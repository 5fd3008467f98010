package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page carries no records and next to no source text: whatever pattern embeds them, the
// overlay leaves them out. Of claims it has the open questions.
func TestPagesCarryNoSource(t *testing.T) {
	const main = "bullyproof/cmd/bullyproof"
	overlay, err := withoutRecords(t.Context(), t.TempDir(), main)
	require.NoError(t, err)
	data, err := os.ReadFile(overlay)
	require.NoError(t, err)
	var of struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(data, &of))
	list, err := golang(t.Context(), inPages, "list", "-overlay="+overlay, "-deps", "-f", `{{range .EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`, main)
	require.NoError(t, err)
	names := strings.Fields(list)
	assert.Greater(t, len(names), 100)
	for _, name := range names {
		switch base := filepath.Base(name); {
		case base == "claims.go": // claims.* has it
		case base == "claims.txt":
			text, err := os.ReadFile(of.Replace[filepath.FromSlash(name)])
			require.NoError(t, err)
			assert.NotRegexp(t, `(?m)^(claim|story|scope|said|text) `, string(text), name)
			whole, err := os.ReadFile(filepath.FromSlash(name))
			require.NoError(t, err)
			assert.Equal(t, strings.Count("\n"+string(whole), "\nquestion "), strings.Count("\n"+string(text), "\nquestion "), name)
		case filepath.Ext(base) == ".go":
			assert.Fail(t, "a page carries source text", name)
		case filepath.Ext(base) == ".lock", filepath.Ext(base) == ".txt" && strings.Contains(name, "/algorithms/"):
			assert.Equal(t, "none.txt", filepath.Base(of.Replace[filepath.FromSlash(name)]), "a page carries %s", name)
		}
	}
}
