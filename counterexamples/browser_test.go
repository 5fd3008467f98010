//go:build browser

package counterexamples_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/browsertest"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/exporttest"
	"bullyproof/trace/render"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// some returns one in eight of the recorded runs, or all of them in the deep test:
// what others read them with takes its time.
func some(t *testing.T, suffix string) (names []string) {
	t.Helper()
	for _, name := range onDisk(t, suffix) {
		if casecount.Takes(t, *deep, 8, name) {
			names = append(names, name)
		}
	}
	return names
}

// In no drawing does a text overlap another, lie on a line or end early; and
// none asks for anything but itself.
func TestDrawingsInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	dir := t.TempDir()
	for _, name := range some(t, ".json") {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(dir, name+".svg")
			require.NoError(t, os.WriteFile(file, drawings(t, name)[".svg"], 0o666))
			b := b.For(t)
			b.Do(chromedp.Navigate(browsertest.File(file)))
			b.Drawings("svg")
			b.Quiet("file:")
			b.Keep("counterexample-" + name)
		})
	}
}

// The tools read each counterexample: Mermaid draws it and shows its texts as
// they are, and Quint finds a state for each step. The log for ShiViz keeps that
// one's rules.
func TestToolsReadExports(t *testing.T) {
	m := exporttest.StartMermaid(t)
	dir := t.TempDir()
	want := map[string]int{}
	for _, name := range some(t, ".json") {
		t.Run(name, func(t *testing.T) {
			l := layout(t, name)
			m.Draw(t, export(t, l, render.Mermaid))
			file := name + ".itf.json"
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(export(t, l, render.ITF)), 0o666))
			want[file] = len(l.Rows)
			itf, err := exporttest.ReadITF([]byte(export(t, l, render.ITF)))
			require.NoError(t, err)
			assert.Len(t, itf.States, len(l.Rows))
			events, err := exporttest.ReadShiViz(export(t, l, render.ShiViz))
			require.NoError(t, err)
			assert.NotEmpty(t, events)
		})
	}
	m.Browser.Quiet(m.Address)
	assert.Equal(t, want, exporttest.QuintReads(t, dir))
}
