//go:build browser

package simulate_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/internal/test/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// The picture of a walk's elections can be read in light and in dark; no text is
// cut off or overlaps another.
func TestPictureInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	for name, walks := range map[string]simulate.Options{
		"long":  {Walks: 200, MaxSteps: 300, Properties: []*checker.Property{checker.Validity}},
		"short": {Walks: 20, MaxSteps: 12, Properties: []*checker.Property{checker.Validity}},
	} {
		t.Run(name, func(t *testing.T) {
			sys := system(t, bully.Algorithm, "n=12 start=settled crashes=6 restarts=6 suspicions=2 mid-send=yes timing=sync:1")
			r, err := simulate.Run(t.Context(), sys, walks)
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "elections.svg")
			out, err := os.Create(file)
			require.NoError(t, err)
			require.NoError(t, r.WriteSVG(out))
			require.NoError(t, out.Close())
			b := b.For(t)
			for _, dark := range []bool{false, true} {
				b.Show(browsertest.View{Dark: dark})
				b.Do(chromedp.Navigate(browsertest.File(file)))
				b.Drawings("svg")
				b.Contrast("text")
				b.Quiet("file:")
				b.Keep(map[bool]string{false: "elections-light-", true: "elections-dark-"}[dark] + name)
			}
		})
	}
}
