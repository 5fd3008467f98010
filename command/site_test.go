package command

import (
	"go/build"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A page gets the catalogue and the explorer, and nothing else of the command.
func TestPagesLeaveTheCommandOut(t *testing.T) {
	pages := build.Default
	pages.GOOS, pages.GOARCH = "js", "wasm"
	p, err := pages.ImportDir(".", 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"main.go", "main_js.go"}, p.GoFiles, "begin other files with //go:build !js")
	p, err = pages.ImportDir(filepath.Join("..", "internal", "web"), 0)
	require.NoError(t, err)
	assert.NotContains(t, p.Imports, "net/http", "it is an eighth of what a page would load")
}
