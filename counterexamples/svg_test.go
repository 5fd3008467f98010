package counterexamples_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/thorough"
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

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// layout lays out the recorded counterexample of a name, as in the folder.
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

// drawings returns the drawings of a recorded counterexample, by the suffix of their files.
func drawings(t *testing.T, name string) map[string][]byte {
	t.Helper()
	l := layout(t, name)
	var svg, text bytes.Buffer
	require.NoError(t, render.SVG(&svg, l, render.SVGOptions{}))
	require.NoError(t, render.Text(&text, l, render.TextOptions{}))
	return map[string][]byte{".svg": svg.Bytes(), ".txt": text.Bytes()}
}

// drawn are the runs whose drawings are kept, so that a change of the renderer shows:
// lassos, a ring, roles, epochs, clocks, a cut, a pause, losses, reports, many processes.
var drawn = []string{
	"bully-asked-again", "bully-duplicate-coordinator", "changroberts-left-behind", "chubby-pause", "effatparvar-follow-each-other",
	"genleader-own-follower", "k8slease-rates", "redlock-pause-in-flight", "sentinel-both-stay", "vault-clock-ahead",
}

// The drawings that are kept are what the renderer draws today.
func TestDrawings(t *testing.T) {
	for _, name := range drawn {
		t.Run(name, func(t *testing.T) {
			for suffix, got := range drawings(t, name) {
				file := filepath.Join("testdata", name+suffix)
				if *redraw || *update {
					require.NoError(t, os.WriteFile(file, got, 0o666))
				}
				want, err := os.ReadFile(file)
				require.NoError(t, err, "run the test with -redraw")
				assert.True(t, bytes.Equal(want, got), "%s is out of date: run the test with -redraw", file)
			}
		})
	}
	film := "bully-duplicate-coordinator.svg" // which the README shows
	var b bytes.Buffer
	require.NoError(t, render.Animated(&b, layout(t, "bully-duplicate-coordinator")))
	if *redraw || *update {
		require.NoError(t, os.WriteFile(film, b.Bytes(), 0o666))
	}
	want, err := os.ReadFile(film)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(want, b.Bytes()), "%s is out of date: run the test with -redraw", film)
	assert.Equal(t, []string{"bully-duplicate-coordinator"}, onDisk(t, ".svg"), "a drawing that no page shows")
	kept, err := filepath.Glob(filepath.Join("testdata", "*.svg"))
	require.NoError(t, err)
	assert.Len(t, kept, len(drawn), "a drawing of nothing that is asked for")
}

// No diagram of a recorded run is wider than what a window of 1280 pixels has beside the
// steps, whatever its messages are called.
func TestDrawingsAreNarrow(t *testing.T) {
	thorough.Only(t)
	incidents, err := filepath.Glob("incidents/*.json")
	require.NoError(t, err)
	for _, name := range append(onDisk(t, ".json"), incidents...) {
		name = strings.TrimSuffix(name, ".json")
		var b strings.Builder
		require.NoError(t, render.SVG(&b, layout(t, name), render.SVGOptions{Bare: true, Unstyled: true}))
		width := 0
		_, err := fmt.Sscanf(b.String(), `<svg xmlns="http://www.w3.org/2000/svg" class="bullyproof" width="%d"`, &width)
		require.NoError(t, err)
		assert.LessOrEqual(t, width, 880, name)
	}
}
