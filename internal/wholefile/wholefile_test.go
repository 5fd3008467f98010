package wholefile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/wholefile"
)

func list(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.svg")
	for _, text := range []string{"one", "another", ""} {
		require.NoError(t, wholefile.Write(name, []byte(text)))
		assert.Equal(t, text, read(t, name))
		assert.True(t, wholefile.Holds(name, []byte(text)))
		assert.False(t, wholefile.Holds(name, []byte(text+"!")))
	}
	assert.Equal(t, []string{"a.svg"}, list(t, dir))
	assert.False(t, wholefile.Holds(filepath.Join(dir, "none"), nil))
}

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "a"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(name, []byte("old"), 0o666))
	require.NoError(t, os.Chmod(name, 0o640))
	if err := os.Symlink("a", link); err != nil {
		t.Skip("no links here:", err)
	}
	require.NoError(t, wholefile.Write(link, []byte("new")))
	assert.Equal(t, "new", read(t, name))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	info, err = os.Stat(name)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("old"), 0o666))
	require.NoError(t, os.Chmod(kept, 0o444))
	for want, name := range map[string]string{
		"is a directory":    dir,
		"permission denied": kept,
		"none":              filepath.Join(dir, "none", "a"),
		"not a directory":   filepath.Join(kept, "a"),
	} {
		assert.ErrorContains(t, wholefile.Write(name, []byte("new")), want)
	}
	assert.Equal(t, "old", read(t, kept))
	assert.Equal(t, []string{"kept"}, list(t, dir))
	assert.Error(t, wholefile.Writable(filepath.Join(dir, "none")))
	assert.NoError(t, wholefile.Writable(dir))
	assert.Equal(t, []string{"kept"}, list(t, dir))
}

// A device has nothing to lose, and is not to become a file.
func TestWriteToADevice(t *testing.T) {
	if _, err := os.Stat(os.DevNull); err != nil {
		t.Skip("no device here:", err)
	}
	require.NoError(t, wholefile.Write(os.DevNull, []byte("gone")))
	info, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	assert.False(t, info.Mode().IsRegular())
}

// /dev/full takes no byte: what a full disk does to a file that is written
// through. The file beside which there is no room is in the tests of command.
func TestWriteTellsThatTheDeviceIsFull(t *testing.T) {
	const full = "/dev/full"
	if _, err := os.Stat(full); err != nil {
		t.Skip("no full device here:", err)
	}
	require.ErrorContains(t, wholefile.Write(full, []byte("new")), "no space left")
}

func TestAddReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	const writers, texts = 8, 5
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for i := range texts {
				text := fmt.Sprint("text ", i)
				name, err := wholefile.Add(dir, "a.b.json", []byte(text))
				assert.NoError(t, err)
				data, err := os.ReadFile(name)
				assert.NoError(t, err)
				assert.Equal(t, text, string(data))
			}
		})
	}
	wg.Wait()
	assert.Equal(t, []string{"a.b-2.json", "a.b-3.json", "a.b-4.json", "a.b-5.json", "a.b.json"}, list(t, dir))
}

// Files of a killed process go; those that somebody may be writing stay, and
// so do files that only look like it.
func TestLeftoversAreSwept(t *testing.T) {
	old := time.Now().Add(-2 * time.Hour)
	for _, write := range []func(dir string) error{
		func(dir string) error { return wholefile.Write(filepath.Join(dir, "a"), nil) },
		func(dir string) error { _, err := wholefile.Add(dir, "a", nil); return err },
	} {
		dir := t.TempDir()
		left, fresh := ".bullyproof-0123456789abcdef", ".bullyproof-fedcba9876543210"
		for _, name := range []string{left, fresh, ".bullyproof-notes", ".bullyproof-0123456789ABCDEF", ".other-0123456789abcdef"} {
			name = filepath.Join(dir, name)
			require.NoError(t, os.WriteFile(name, nil, 0o666))
			if !strings.HasSuffix(name, fresh) {
				require.NoError(t, os.Chtimes(name, old, old))
			}
		}
		require.NoError(t, write(dir))
		assert.Equal(t, []string{".bullyproof-0123456789ABCDEF", ".bullyproof-fedcba9876543210", ".bullyproof-notes", ".other-0123456789abcdef", "a"}, list(t, dir))
	}
}
