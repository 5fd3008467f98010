package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/quantity"
)

// The figures of reduced searches in the page about commands are those of the command.
func TestShownFigures(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "commands.md"))
	require.NoError(t, err)
	const line = "check bully -n 4 --crashes 1 --restarts 1 --timing lockstep"
	states := func(reduce string) string {
		var errors watched
		_, out := runApp(t.Context(), &errors, append(strings.Fields(line), "--reduce", reduce, "--json", "--quiet")...)
		var report struct {
			Search struct{ Distinct uint64 }
		}
		require.NoError(t, json.Unmarshal([]byte(out), &report), errors.b.String())
		return quantity.Count(report.Search.Distinct)
	}
	reduced := "`" + line + " --reduce auto` decides all its properties on " + states("auto") + " states of "
	assert.Contains(t, string(page), reduced)
	if *deep {
		assert.Contains(t, string(page), reduced+states("none")+".")
	}
}
