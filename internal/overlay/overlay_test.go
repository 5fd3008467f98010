package overlay

import (
	"encoding/json"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The Go of these tests has each place once, and what is written is Go.
func TestWrite(t *testing.T) {
	g, err := Installed(t.Context())
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "new", "overlay")
	file, err := Write(g, dir)
	if !assert.NoError(t, err, "add the release to Releases once the tests with the tag %s pass with it", Tag) {
		return
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var list struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(text, &list))
	assert.Greater(t, len(list.Replace), 12)
	for old, own := range list.Replace {
		assert.True(t, strings.HasPrefix(old, filepath.Join(g.Root, "src")), old)
		text, err := os.ReadFile(own)
		require.NoError(t, err)
		_, err = format.Source(text)
		assert.NoError(t, err, own)
	}

	// A second time nothing is written, so nothing is compiled again.
	before, err := os.Stat(file)
	require.NoError(t, err)
	again, err := Write(g, dir)
	require.NoError(t, err)
	after, err := os.Stat(again)
	require.NoError(t, err)
	assert.Equal(t, before.ModTime(), after.ModTime())
}

// The text that is added is written as all of ours are.
func TestTurnsAreFormatted(t *testing.T) {
	text, err := format.Source([]byte(turns))
	require.NoError(t, err)
	assert.Equal(t, string(text), turns)
}

// A release that was never tried, and a library without a place, are refused by name.
func TestRefused(t *testing.T) {
	_, err := Write(Go{Root: t.TempDir(), Version: "go1.99.1"}, t.TempDir())
	assert.ErrorIs(t, err, ErrRelease)
	assert.ErrorContains(t, err, "go1.99.1 is never tried with the overlay: want one of go1.26.8, ")

	cache := t.TempDir()
	_, err = Write(Go{Root: filepath.Join(cache, "go"), Version: "go1.26.8", Modules: cache}, t.TempDir())
	assert.ErrorContains(t, err, "is among the downloaded modules")

	_, err = Write(Go{Root: t.TempDir(), Version: "go1.26.8"}, t.TempDir())
	assert.ErrorContains(t, err, "go1.26.8: the standard library has no runtime/synctest.go")

	_, err = changed(fstest.MapFS{"runtime/synctest.go": {Data: []byte("package runtime\n")}})
	assert.ErrorContains(t, err, `runtime/synctest.go has 0 places like "\ttimers  timers`)
	twice := places[0].old + "\n" + places[0].old
	_, err = changed(fstest.MapFS{"runtime/synctest.go": {Data: []byte(twice)}})
	assert.ErrorContains(t, err, "runtime/synctest.go has 2 places like")
}
