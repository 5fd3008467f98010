package command

import (
	"bytes"
	"context"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A stranger's catalogue gets a site, which can be made again in its place.
func TestSiteOfStrangers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	status, out, errors := runTool(strangers(), "site", dir)
	require.Equal(t, statusFine, status, errors)
	assert.Regexp(t, `^Wrote .*index\.html: \d+ pages about 1 algorithm, with 0 recorded runs and 1 normal election, `, out)
	assert.Contains(t, out, "\nWithout the explorer: the program is a test\n")
	_, out, _ = runTool(strangers(), "site", "--no-explorer", dir)
	assert.Contains(t, out, "\nWithout the explorer: --no-explorer\n")
	front, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(front), "upstarts")
	assert.FileExists(t, filepath.Join(dir, "algorithms", "upstart.html"))
	assert.NotContains(t, string(front), `<a href="https://`)

	status, _, errors = runTool(strangers(), "site", "--source", "https://example.org/a", dir)
	require.Equal(t, statusFine, status, errors)
	front, err = os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(front), `<a href="https://example.org/a">source text</a>`)
	status, _, errors = runTool(strangers(), "site", "--source", "example.org", dir)
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors, `flag --source is "example.org": want the address of a web page, like https://example.org/source`)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "runs", "mine.txt"), []byte("mine"), 0o666))
	status, _, errors = runTool(strangers(), "site", dir)
	assert.Equal(t, statusUsage, status)
	assert.Contains(t, errors, "holds runs/mine.txt, which is no part of a site")
}

// An interrupt ends it, and leaves nothing behind.
func TestSiteInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "pages")
	var out, errors bytes.Buffer
	status := strangers().Run(ctx, []string{"site", dir}, strings.NewReader(""), &out, &errors)
	assert.Equal(t, statusIncomplete, status)
	assert.Contains(t, errors.String(), "interrupted: nothing was written")
	assert.NoDirExists(t, dir)
}

// A page gets the catalogue and the explorer, and nothing else of the command.
func TestPagesLeaveTheCommandOut(t *testing.T) {
	pages := build.Default
	pages.GOOS, pages.GOARCH = "js", "wasm"
	p, err := pages.ImportDir(".", 0)
	require.NoError(t, err)
	assert.Equal(t, []string{"main.go", "main_js.go"}, p.GoFiles, "begin other files with //go:build !js")
	p, err = pages.ImportDir(filepath.Join("internal", "web"), 0)
	require.NoError(t, err)
	assert.NotContains(t, p.Imports, "net/http", "it is an eighth of what a page would load")
}
