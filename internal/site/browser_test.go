//go:build browser

package site_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/counterexamples"
	"bullyproof/internal/browsertest"
	"bullyproof/internal/site"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// deep makes the site of the whole catalogue, which takes half a minute.
var deep = flag.Bool("deep", false, "make the site of the whole catalogue")

// shown is the site that the browser shows.
func shown(t *testing.T) *site.Site {
	t.Helper()
	if !*deep {
		return usual(t)
	}
	all.Do(func() {
		all.site = made(t, site.Options{
			Title: "bullyproof", Algorithms: algorithms.All, Lessons: algorithms.Lessons, Omitted: algorithms.Omitted, Recorded: counterexamples.All,
		})
		check(t, all.site)
	})
	require.NotNil(t, all.site)
	return all.site
}

// all is the site of the whole catalogue, which is made once.
var all struct {
	sync.Once
	site *site.Site
}

// opened writes the site and opens a page of it as a file, in a browser.
func opened(t *testing.T, page string) (b *browsertest.Browser, dir string) {
	t.Helper()
	b = browsertest.Start(t)
	dir = t.TempDir()
	require.NoError(t, shown(t).Write(t.Context(), dir))
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
	return b, dir
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
	b, dir := opened(t, "index.html")
	root := browsertest.File(dir)
	pages := []string{
		"index.html", "algorithms.html", "algorithms/changroberts.html", "compare.html", "compare/ring.html", "compare/complete.html",
		"glossary.html", "judging.html", "runs/bully-duplicate-coordinator.html",
	}
	for _, page := range pages {
		b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		shown := views
		if page != "index.html" && page != "algorithms/changroberts.html" && !*deep { // one of each is enough elsewhere
			shown = views[1:3]
		}
		for _, v := range shown {
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

// The table of claims can be filtered by outcome, kind and text. A link to a row
// that is filtered away shows it.
func TestFilter(t *testing.T) {
	b, _ := opened(t, "algorithms/bully.html")
	rows := len(bully.Algorithm.Claims())
	visible := func() int {
		return browsertest.Eval[int](b, `[...document.querySelectorAll(".claims tbody tr")].filter(r => r.offsetHeight > 0).length`)
	}
	set := func(id, value string) {
		b.Eval(fmt.Sprintf(`document.getElementById(%q).value = %q; document.getElementById("filter").dispatchEvent(new Event("input"))`, id, value))
	}
	assert.Equal(t, rows, visible())
	set("outcome", "refuted within")
	some := visible()
	assert.Greater(t, some, 0)
	assert.Less(t, some, rows)
	assert.Equal(t, fmt.Sprintf("%d of %d", some, rows), browsertest.Eval[string](b, `document.getElementById("shown").textContent`))
	set("kind", "safety")
	assert.LessOrEqual(t, visible(), some)
	set("text", "no such words in any claim")
	assert.Zero(t, visible())
	b.Eval(`location.hash = "#claim-two-announce"`)
	b.Do(chromedp.WaitVisible(chromedp.CSS("#claim-two-announce")))
	assert.Equal(t, rows, visible())
	b.Quiet("file://")
}

// Without scripts the table is whole, and there is no filter.
func TestWithoutScripts(t *testing.T) {
	b, dir := opened(t, "index.html")
	b.Show(browsertest.View{NoScript: true})
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "algorithms", "bully.html"))))
	assert.False(t, b.Is("#filter"))
	assert.True(t, b.Is("#claim-two-announce"))
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "runs", "bully-duplicate-coordinator.html"))))
	assert.True(t, b.Is("#step-7"))
}

// From the front page one gets to the run with two coordinators, steps through it,
// and reads what became of the claim: all by what stands on the pages.
func TestDuplicateCoordinatorIsFound(t *testing.T) {
	b, _ := opened(t, "index.html")
	follow := func(within, words string) {
		t.Helper()
		// Later, so that the next page does not take the script's answer away.
		b.Eval(fmt.Sprintf(`{ const link = [...document.querySelectorAll(%q)].find(a => a.textContent.includes(%q)); setTimeout(() => link.click()) }`,
			within+" a", words))
	}
	follow("#finding-1", "Step through the run")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#where")))
	for range 7 {
		b.Do(chromedp.Click(chromedp.CSS("#forward")))
	}
	assert.Equal(t, "step 7 of 7", browsertest.Eval[string](b, `document.getElementById("where").textContent`))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector("article.current").textContent`), "both believe themselves coordinator")
	follow("header", "The claim that it is about")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#claim-two-announce:target")))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(":target").textContent`), "announce themselves as the coordinator concurrently")
	follow("main", "how claims are judged")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#the-outcomes")))
	b.Quiet("file://")
}

// Every page fits a narrow window and says nothing on the console.
func TestEveryPageFits(t *testing.T) {
	b, dir := opened(t, "index.html")
	b.Show(browsertest.View{Width: 400, Height: 800})
	for name := range shown(t).Files {
		if filepath.Ext(name) == ".html" {
			b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, name))))
			assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), 400.0, name)
		}
	}
	b.Quiet(browsertest.File(dir))
}
