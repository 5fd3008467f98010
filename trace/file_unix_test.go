//go:build unix

package trace_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/trace"
)

// To open a pipe that nobody writes to would never end.
func TestLoadRefusesAPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe.json")
	require.NoError(t, syscall.Mkfifo(name, 0o666))
	_, err := trace.Load(name)
	require.EqualError(t, err, "read "+name+": it is a pipe: want a regular file")
}
