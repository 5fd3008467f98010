//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package filelock_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/filelock"
)

// The second one is refused until the first one has closed the file, and the
// content of the file stays.
func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	require.NoError(t, os.WriteFile(name, []byte("kept"), 0o666))
	first, err := filelock.Make(name)
	require.NoError(t, err)
	_, err = filelock.Make(name)
	assert.ErrorIs(t, err, filelock.ErrLocked)
	assert.ErrorContains(t, err, name)
	require.NoError(t, first.Close())
	second, err := filelock.Make(name)
	require.NoError(t, err)
	require.NoError(t, second.Close())
	held, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, "kept", string(held))

	_, err = filelock.Make(filepath.Join(name, "below a file"))
	assert.Error(t, err)
	assert.NotErrorIs(t, err, filelock.ErrLocked)
}
