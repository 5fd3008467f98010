package gomod_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/gomod"
)

func TestRoot(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	below := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(below, 0o755))
	got, err := gomod.Root(below)
	require.NoError(t, err)
	assert.Empty(t, got, "there is none above")

	for _, at := range []string{root, filepath.Dir(below), below} {
		require.NoError(t, os.WriteFile(filepath.Join(at, "go.mod"), []byte("module m\n"), 0o600))
		got, err := gomod.Root(below)
		require.NoError(t, err)
		assert.Equal(t, at, got, "the nearest one")
	}
	t.Chdir(below)
	got, err = gomod.Root(".")
	require.NoError(t, err)
	assert.Equal(t, below, got)
}
