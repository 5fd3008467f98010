package site_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/internal/browsertest"
	"bullyproof/internal/site"
)

// deep makes the site of the whole catalogue, which takes half a minute.
var deep = flag.Bool("deep", false, "make the site of the whole catalogue")

// shown is the site that the browser shows.
func shown(t *testing.T) *site.Site {
	t.Helper()
	if !*deep {
		return usual(t)
	}
	s := made(t, site.Options{Title: "bullyproof", Algorithms: algorithms.All, Lessons: algorithms.Lessons, Recorded: counterexamples.All})
	check(t, s)
	return s
}

// views are how pages are shown.
var views = []browsertest.View{
	{Width: 400, Height: 800},
	{Width: 400, Height: 800, Dark: true},
	{Width: 1440, Height: 900},
	{Width: 1440, Height: 900, Dark: true},
}

// The pages fit every window, by day and by night, say nothing on the console and
// fetch nothing. They are opened as files.
func TestPagesInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	s := shown(t)
	dir := t.TempDir()
	require.NoError(t, s.Write(t.Context(), dir))
	root := browsertest.File(dir)
	pages := []string{
		"index.html", "algorithms.html", "algorithms/bully.html", "algorithms/changroberts.html", "compare.html", "compare/ring.html",
		"glossary.html", "judging.html", "runs/bully-duplicate-coordinator.html",
	}
	for _, page := range pages {
		b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		for _, v := range views {
			t.Run(fmt.Sprintf("%s-%d-%t", strings.ReplaceAll(page, "/", "-"), v.Width, v.Dark), func(t *testing.T) {
				b := b.For(t)
				b.Show(v)
				assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width))
				b.Contrast("body *")
				b.Keep(fmt.Sprintf("site-%s-%d-%t", strings.TrimSuffix(filepath.Base(page), ".html"), v.Width, v.Dark))
				b.Quiet(root)
			})
		}
	}
}
