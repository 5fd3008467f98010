package counterexamples_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// onDisk returns the names of the recorded counterexamples as the folder has
// them, which is ahead of what is embedded while they are made anew.
func onDisk(t *testing.T, suffix string) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*" + suffix)
	require.NoError(t, err)
	for _, file := range files {
		names = append(names, strings.TrimSuffix(file, suffix))
	}
	return names
}

var deep = flag.Bool("deep", false, "search again for all recorded runs, and have a browser and other tools read each")

// layout lays out the recorded counterexample of a name, as the folder has it.
func layout(t *testing.T, name string) *trace.Layout {
	t.Helper()
	tr, err := trace.Load(name + ".json")
	require.NoError(t, err)
	run, err := trace.Replay(tr, algorithms.Lookup)
	require.NoError(t, err)
	l, err := trace.Lay(tr, run)
	require.NoError(t, err)
	return l
}

func drawing(t *testing.T, name string) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.SVG(&b, layout(t, name), render.SVGOptions{}))
	return b.Bytes()
}

// Every recorded counterexample has its drawing, and there is no other.
func TestDrawings(t *testing.T) {
	names := onDisk(t, ".json")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(name + ".svg")
			require.NoError(t, err, "run the test with -redraw")
			assert.True(t, bytes.Equal(want, drawing(t, name)), "%s.svg is out of date: run the test with -redraw", name)
		})
	}
	assert.Equal(t, names, onDisk(t, ".svg"), "a drawing of nothing that is recorded")
}
