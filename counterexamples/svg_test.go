package counterexamples_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/browsertest"
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

// some returns one in eight of the recorded runs, or all of them in the deep test:
// what others read them with takes its time.
func some(t *testing.T, suffix string) (names []string) {
	t.Helper()
	for i, name := range onDisk(t, suffix) {
		if *deep || i%8 == 0 {
			names = append(names, name)
		}
	}
	return names
}

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

// In no drawing does a text overlap another, lie on a line or end early; and
// none asks for anything but itself.
func TestDrawingsInBrowser(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	b := browsertest.Start(t)
	for _, name := range some(t, ".svg") {
		t.Run(name, func(t *testing.T) {
			file, err := filepath.Abs(name + ".svg")
			require.NoError(t, err)
			b := b.For(t)
			b.Do(chromedp.Navigate(browsertest.File(file)))
			b.Drawings("svg")
			b.Quiet("file:")
			b.Keep("counterexample-" + name)
		})
	}
}
