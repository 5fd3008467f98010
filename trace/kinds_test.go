package trace_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/trace"
)

// Every kind of action has a name of its own, a letter and a text, and is one of the
// kinds in the published schema of files.
func TestEveryKindIsShown(t *testing.T) {
	letters, texts, names := map[byte]bool{}, map[string]bool{}, []string{}
	for _, k := range model.ActionKinds() {
		a := model.Action{Kind: k}
		if k.Has(model.AtProcess) {
			a.Process = 1
		}
		if k.Has(model.OfMessage) {
			a.Port, a.Message = 2, "M"
		}
		text := trace.ActionText(a)
		assert.NotRegexp(t, regexp.MustCompile(`^P1 ?$`), text, k)
		assert.False(t, letters[k.Letter()] || texts[text], "%v: %c, %q", k, k.Letter(), text)
		letters[k.Letter()], texts[text], names = true, true, append(names, k.String())
		assert.NotContains(t, []byte{0, '~', '.', '-'}, k.Letter())
		if k.Parts() == model.AtProcess {
			assert.NotEmpty(t, k.Verb(), k)
		}
	}
	data, err := os.ReadFile(filepath.Join("..", "docs", "schema", "trace.schema.json"))
	require.NoError(t, err)
	want, err := json.Marshal(names)
	require.NoError(t, err)
	assert.Contains(t, regexp.MustCompile(`\s`).ReplaceAllString(string(data), ""), `"enum":`+string(want), "the published schema")
}
