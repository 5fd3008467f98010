package command

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The command writes the overlay, and says how to test with it.
func TestOverlay(t *testing.T) {
	t.Chdir(t.TempDir())
	status, out, said := runTool(ours, "overlay", "turns")
	require.Equal(t, statusFine, status, said)
	m := regexp.MustCompile(`(?m)^go test -overlay=(\S+) -tags=controlled \./\.\.\.$`).FindStringSubmatch(out)
	require.NotNil(t, m, out)
	assert.FileExists(t, m[1])
	assert.Equal(t, "overlay.json", filepath.Base(m[1]))

	for _, args := range [][]string{{"overlay"}, {"overlay", ""}, {"overlay", "a", "b"}, {"overlay", filepath.Join("turns", "overlay.json")}} {
		status, out, said := runTool(ours, args...)
		assert.Equal(t, statusUsage, status, args)
		assert.Empty(t, out)
		assert.Contains(t, said, "DIR", args)
	}
}
