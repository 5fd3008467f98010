package checkpoint

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/runfile"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// whole returns a manifest with something in each part.
func whole() *Manifest {
	m := New("a search", 2, 7)
	m.Counts = Counts{Elapsed: time.Second, Serial: 3, Depth: 1, Begun: true, States: 2, Levels: []uint64{1, 2}, Deepest: 1, Counted: 3, Generated: 4}
	skip := Run{Entries: 1, Keys: File{"skip-00000003.keys", 8, 5}}
	m.Files = Files{
		Hits:    []Hit{{Depth: -1}, {Target: 1, Kind: 2, Depth: 1, State: []byte{1}, Code: 1 << 63}},
		Visited: []Run{{Entries: 1, Keys: File{"visited-00000001.keys", 8, 1}, Values: &File{"visited-00000001.values", 8, 2}}},
		Level:   []Part{{Logs: []Log{{File{"states-00000002.log", 9, 3}, 2, 16}}, Skip: &skip}},
	}
	return m
}

// A manifest is written as this program has always written it.
func TestManifestIsWritten(t *testing.T) {
	const golden = "testdata/checkpoint.json"
	got := whole().Encode()
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
	m, err := parse(want)
	require.NoError(t, err)
	want2 := whole()
	want2.Sum = m.Sum
	assert.Equal(t, want2, m)
	assert.Equal(t, []string{"visited-00000001.keys", "visited-00000001.values", "skip-00000003.keys", "states-00000002.log"}, m.Names())
}

func TestManifestIsRefused(t *testing.T) {
	text := whole().Encode()
	for _, test := range []struct{ old, to, want string }{
		{`"depth": 1,`, `"depth": 2,`, "is damaged: its checksum is "},
		{`"version": 1`, `"version": 2`, "of version 2; this program reads"},
		{`"serial"`, `"cereal"`, `unknown field "cereal"`},
		{`8000000000000000`, `800`, "is not a number of 16 hexadecimal digits"},
		{"}\n", "\n", "checkpoint.json is damaged: "},
	} {
		changed := bytes.Replace(text, []byte(test.old), []byte(test.to), 1)
		require.NotEqual(t, text, changed)
		_, err := parse(changed)
		assert.ErrorContains(t, err, test.want)
	}
	m := whole()
	m.Visited[0].Keys.Name = "../../visited-00000001.keys"
	_, err := parse(m.Encode())
	assert.ErrorContains(t, err, "which no search makes")
}

func TestSuits(t *testing.T) {
	m := whole()
	m.Found, m.Next = nil, nil
	assert.NoError(t, m.Suits("a search", 2, 7))
	assert.ErrorContains(t, m.Suits("another", 2, 7), `of "a search", and not of "another"`)
	assert.ErrorContains(t, m.Suits("a search", 3, 7), "with 2 targets, and not with 3")
	assert.ErrorContains(t, m.Suits("a search", 2, 8), "to depth 7, and not to 8")
	m.Found = make([]Run, 1) // without states
	assert.ErrorContains(t, m.Suits("a search", 2, 7), "makes no sense")
}

// Sweep removes what searches leave, and nothing else.
func TestSweep(t *testing.T) {
	files := new(runfile.Memory)
	for _, name := range []string{"states-00000001.log", "skip-00000002.keys", "notes.txt", Name} {
		require.NoError(t, files.Replace(name, []byte("x")))
	}
	require.NoError(t, Sweep(files, []string{"skip-00000002.keys"}))
	names, err := files.Names()
	require.NoError(t, err)
	assert.ElementsMatch(t, []string{"skip-00000002.keys", "notes.txt", Name}, names)
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	lock, err := Lock(dir)
	require.NoError(t, err)
	_, err = Lock(dir)
	require.ErrorContains(t, err, "another search is using it")
	require.NoError(t, lock.Close())
	assert.False(t, IsIn(dir))
	require.NoError(t, os.WriteFile(filepath.Join(dir, Name), nil, 0o600))
	assert.True(t, IsIn(dir))
}
