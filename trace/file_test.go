package trace_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/trace"
)

func TestLoadNamesTheFile(t *testing.T) {
	_, err := trace.Load(filepath.Join(t.TempDir(), "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
	name := filepath.Join(t.TempDir(), "bad.json")
	require.NoError(t, os.WriteFile(name, []byte(`{"schema": 1}`), 0o666))
	_, err = trace.Load(name)
	require.EqualError(t, err, name+`: trace: line 1: the trace lacks the field "algorithm"`)
}

func TestLoadRefusesWhatIsNoRegularFile(t *testing.T) {
	dir := t.TempDir()
	_, err := trace.Load(dir)
	require.EqualError(t, err, "read "+dir+": it is a directory: want a regular file")
	_, err = trace.Load(os.DevNull)
	require.EqualError(t, err, "read "+os.DevNull+": it is a device: want a regular file")
}

// A name that would do something to a terminal is quoted, and a long one is cut.
func TestLoadTellsNamesTamely(t *testing.T) {
	dir := t.TempDir()
	red := filepath.Join(dir, "\x1b[31mred.json")
	_, err := trace.Load(red)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Contains(t, err.Error(), `\x1b[31mred.json`)
	require.NotContains(t, err.Error(), "\x1b")
	require.NoError(t, os.WriteFile(red, []byte("{"), 0o666))
	_, err = trace.Load(red)
	require.ErrorContains(t, err, "cut off")
	require.NotContains(t, err.Error(), "\x1b")
	_, err = trace.Load(filepath.Join(dir, strings.Repeat("x/", 2500)))
	require.Error(t, err)
	require.Less(t, len(err.Error()), 400)
}

func TestWriteFileReplaces(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "t.json")
	tr, err := trace.Decode([]byte(good))
	require.NoError(t, err)
	for _, title := range []string{"one", "two"} {
		tr.Title = title
		require.NoError(t, tr.WriteFile(name))
		back, err := trace.Load(name)
		require.NoError(t, err)
		assert.Equal(t, tr, back)
	}
	tr.Kind = 9
	require.Error(t, tr.WriteFile(name))
	_, err = trace.Load(name)
	require.NoError(t, err, "what was there is there still")
	assert.Equal(t, []string{"t.json"}, list(t, dir))
	require.Error(t, tr.WriteFile(filepath.Join(dir, "no", "t.json")))
}

func TestSaveLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "by", "save")
	const writers, findings = 8, 5
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for i := range findings {
				tr, err := trace.Decode([]byte(good))
				if assert.NoError(t, err) {
					tr.Title = fmt.Sprint("finding ", i)
					name, err := tr.Save(dir)
					assert.NoError(t, err)
					back, err := trace.Load(name)
					assert.NoError(t, err)
					assert.Equal(t, tr, back)
				}
			}
		})
	}
	wg.Wait()
	assert.Equal(t, []string{
		"herald-uniqueness-2.json", "herald-uniqueness-3.json", "herald-uniqueness-4.json",
		"herald-uniqueness-5.json", "herald-uniqueness.json",
	}, list(t, dir))
}

func TestSaveRefuses(t *testing.T) {
	tr, err := trace.Decode([]byte(good))
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err = tr.Save(file)
	require.Error(t, err, "a directory that is a file")
	tr.Algorithm = ""
	dir := t.TempDir()
	_, err = tr.Save(dir)
	require.ErrorContains(t, err, "the algorithm is missing")
	assert.Empty(t, list(t, dir))
}

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
