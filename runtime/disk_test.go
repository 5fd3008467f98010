package runtime

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDiskKeeps(t *testing.T) {
	dir := t.TempDir()
	d, was, err := openDisk(dir, 2, "layout")
	require.NoError(t, err)
	assert.Nil(t, was)
	d.begin(5)
	require.NoError(t, d.write(nil, nil, 0))
	require.NoError(t, d.write([]byte{1, 2}, nil, 0))
	require.NoError(t, d.write([]byte{3, 4}, []byte("lines\n"), 7))

	again, was, err := openDisk(dir, 2, "layout")
	require.NoError(t, err)
	assert.Equal(t, uint64(5), was.Session)
	state, err := was.state()
	require.NoError(t, err)
	assert.Equal(t, []byte{3, 4}, state)
	assert.Equal(t, "lines\n", was.Unlogged)
	assert.Equal(t, int64(7), was.At)
	again.begin(6)
	require.NoError(t, again.write(state, nil, 0))
	_, was, err = openDisk(dir, 2, "layout")
	require.NoError(t, err)
	assert.Equal(t, uint64(6), was.Session)
}

// An unchanged state is not written: a disk is slow.
func TestDiskWritesWhatChanged(t *testing.T) {
	d, _, err := openDisk(t.TempDir(), 1, "layout")
	require.NoError(t, err)
	d.begin(1)
	require.NoError(t, d.write([]byte{1}, nil, 0))
	require.NoError(t, os.Remove(d.file))
	require.NoError(t, d.write([]byte{1}, nil, 0))
	assert.NoFileExists(t, d.file)
	require.NoError(t, d.write([]byte{2}, nil, 0))
	assert.FileExists(t, d.file)
}

func TestDiskRefuses(t *testing.T) {
	dir := t.TempDir()
	d, _, err := openDisk(dir, 1, "layout")
	require.NoError(t, err)
	d.begin(9)
	require.NoError(t, d.write([]byte{0xab, 0xcd}, nil, 0))
	good, err := os.ReadFile(d.file)
	require.NoError(t, err)

	_, _, err = openDisk(dir, 1, "another layout")
	assert.ErrorContains(t, err, d.file+": it is of another protocol")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "process-2.json"), good, 0o666))
	_, _, err = openDisk(dir, 2, "layout")
	assert.ErrorContains(t, err, "process-2.json: it is of process 1; this is 2")

	for says, data := range map[string][]byte{
		"torn, or no stable storage": good[:len(good)/2],
		"its checksum is not":        bytes.Replace(good, []byte("abcd"), []byte("abce"), 1),
		"its format is \"other\"":    bytes.Replace(good, []byte(diskFormat), []byte("other"), 1),
		"unknown field":              bytes.Replace(good, []byte("layout"), []byte("lay"), 1),
		"something follows":          append(bytes.Clone(good), good...),
		"more than 8388608 bytes":    make([]byte, maxStored+1),
		"no stable storage: EOF":     nil,
	} {
		require.NoError(t, os.WriteFile(d.file, data, 0o666))
		_, _, err := openDisk(dir, 1, "layout")
		assert.ErrorContains(t, err, says)
		assert.ErrorContains(t, err, d.file)
	}
}

func FuzzDisk(f *testing.F) {
	d := &disk{process: 1, layout: "l"}
	s := stored{Format: diskFormat, Process: 1, Layout: "l", Session: 3, State: "00"}
	f.Add([]byte(`{"format":"bullyproof stable storage 1","process":1,"layout":"l","session":3,"state":"00","sum":"` + s.sum() + `"}`))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"process":-1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := d.decode(data)
		if err != nil {
			return
		}
		assert.Equal(t, s.sum(), s.Sum)
		assert.Equal(t, d.process, s.Process)
	})
}
