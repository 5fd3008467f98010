package command

import (
	"bytes"
	"context"
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
	assert.Regexp(t, `^Wrote .*index\.html: \d+ pages about 1 algorithm and 1 run, `, out)
	front, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(front), "upstarts")
	assert.FileExists(t, filepath.Join(dir, "algorithms", "upstart.html"))

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
