//go:build browser

package maker_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/internal/test/browsertest"
	"bullyproof/internal/test/casecount"
	"bullyproof/site/internal/maker"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// shown is the site that the browser shows.
func shown(t *testing.T) *maker.Site {
	t.Helper()
	if !*deep {
		return usual(t)
	}
	all.Do(func() {
		all.site = made(t, maker.Options{
			Algorithms: algorithms.All, Publications: algorithms.Publications, Source: elsewhere, Lessons: algorithms.Lessons, Lectures: algorithms.Lectures, Omitted: algorithms.Omitted, Recorded: counterexamples.All,
			Incidents: incidents.Catalogue,
		})
		check(t, all.site)
	})
	require.NotNil(t, all.site)
	return all.site
}

// all is the site of the whole catalogue, which is made once.
var all struct {
	sync.Once
	site *maker.Site
}

// opened writes the site and opens a page of it as a file, in a browser.
func opened(t *testing.T, page string) (b *browsertest.Browser, dir string) {
	t.Helper()
	return openedOf(t, shown(t), page)
}

// openedOf does so with a page of any site.
func openedOf(t *testing.T, of *maker.Site, page string) (b *browsertest.Browser, dir string) {
	t.Helper()
	b = browsertest.Start(t)
	dir = t.TempDir()
	require.NoError(t, of.Write(t.Context(), dir))
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
		"index.html", "algorithms.html", "algorithms/changroberts.html", "compare.html", "compare/ring.html", "compare/complete.html", "claims.html",
		"glossary.html", "judging.html", "runs/bully-duplicate-coordinator.html", "search.html", "lectures.html", "lectures/bully-waits-for-ever.html",
		"findings/bully-duplicate-coordinator.html", "findings/bully-equation-1.html",
	}
	for _, page := range pages {
		b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		for _, v := range views {
			whole := page == "index.html" || page == "algorithms/changroberts.html" || *deep
			if !whole && v.Dark != (v.Width == 400) { // narrow in the dark and wide in the light is enough elsewhere
				continue
			}
			t.Run(fmt.Sprintf("%s-%d-%t", strings.ReplaceAll(page, "/", "-"), v.Width, v.Dark), func(t *testing.T) {
				b := b.For(t)
				b.Show(v)
				assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width))
				b.Contrast("body *")
				b.Audit()
				b.Keep(fmt.Sprintf("site-%s-%d-%t", strings.TrimSuffix(filepath.Base(page), ".html"), v.Width, v.Dark))
				b.Quiet(root)
			})
		}
	}
}

// The front page plays the first run: time flows until the property breaks, and the
// reader steps. A reader who prefers reduced motion, or has no scripts, has a link to
// the run.
func TestFrontPlays(t *testing.T) {
	b, dir := opened(t, "index.html")
	b.Show(browsertest.View{Width: 1280, Height: 900})
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("told").textContent`), "Start: ")
	b.Do(chromedp.Click(chromedp.CSS("#next")))
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("told").textContent`), "1: P3 crashes.")
	b.Do(chromedp.Click(chromedp.CSS("#play")))
	b.Eval(`new Promise((done) => { const look = () => document.querySelector("#stage .dot.there") ? done() : requestAnimationFrame(look); look() })`)
	b.Do(chromedp.Click(chromedp.CSS("#play")))
	assert.Equal(t, "Play", browsertest.Eval[string](b, `document.getElementById("play").textContent`))
	b.Eval(`{ const time = document.getElementById("time"); time.value = time.max; time.dispatchEvent(new Event("input")) }`)
	assert.True(t, b.Is("#stage.broken"))
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("matter").textContent`), "both believe themselves coordinator")
	b.Keep("front")
	b.Show(browsertest.View{Still: true})
	assert.False(t, b.Is("#stage"))
	assert.True(t, b.Is(".opening a"))
	b.Quiet(browsertest.File(dir))
	b.Show(browsertest.View{NoScript: true})
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "index.html"))))
	assert.False(t, b.Is("#stage"))
	assert.False(t, b.Is("#play"))
	assert.False(t, b.Is(".opening .told"))
}

// A lecture hides how its run goes on. A click on an answer tells what becomes of it, the right
// one opens what comes next, and in the end the whole run, which plays. On paper it is a handout of
// one page: the run up to the first question, answers to tick, and blanks.
func TestLecture(t *testing.T) {
	b, dir := opened(t, "lectures/bully-waits-for-ever.html")
	seen := func(selector string) bool { // also of what is folded
		return browsertest.Eval[bool](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].some((e) => e.checkVisibility())`, selector))
	}
	score := func() string { return browsertest.Eval[string](b, `document.getElementById("score").textContent`) }
	for _, width := range []int{390, 800, 1280} {
		b.Show(browsertest.View{Width: width, Height: 900})
		assert.LessOrEqual(t, browsertest.Eval[int](b, "document.documentElement.scrollWidth"), width)
		b.Keep(fmt.Sprintf("lecture-%d", width))
	}
	assert.False(t, seen(".choice p"))
	b.Do(chromedp.Click(chromedp.CSS("#fork-1 > .choices > .not > summary")))
	assert.True(t, seen("#fork-1 > .choices > .not[open] p"))
	assert.False(t, seen("#fork-2"))
	assert.Equal(t, "1 of 2 predicted, 0 right at once.", score())
	b.Do(chromedp.Click(chromedp.CSS("#fork-1 > .choices > .right > summary")))
	assert.True(t, seen("#fork-2"))
	assert.False(t, seen("#stage"))
	b.Do(chromedp.Click(chromedp.CSS("#fork-2 > .choices > .right > summary")))
	assert.Equal(t, "2 of 2 predicted, 1 right at once.", score())
	assert.True(t, seen("#ending[open] .steps"))
	b.Keep("lecture-told")
	assert.False(t, seen(".tasks details[open]"))
	b.Do(chromedp.Click(chromedp.CSS(".tasks summary")))
	assert.True(t, seen(".tasks details[open] p"))
	for range 5 {
		b.Do(chromedp.Click(chromedp.CSS("#next")))
	}
	assert.True(t, seen("#stage.broken"))
	for page := range shown(t).Files {
		if !strings.HasPrefix(page, "lectures/") || strings.HasSuffix(page, "-sheet.html") {
			continue
		}
		tab := b.Tab(t)
		tab.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		pdf := browsertest.Get(tab, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
		if to := os.Getenv("BULLYPROOF_SCREENSHOTS"); to != "" {
			require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(page)+".pdf"), pdf, 0o666))
		}
		assert.Len(t, regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1), 1, page)
	}
	b.Show(browsertest.View{Width: 700, Height: 1000, Print: true})
	assert.True(t, seen("#fork-1 > .pair-of .picture svg"))
	assert.True(t, seen("#fork-1 > .pair-of .steps li"))
	assert.True(t, seen("#fork-1 > .choices summary"))
	assert.True(t, seen(".paper .blank"))
	b.Keep("lecture-paper")
	for _, told := range []string{".choice p", "#fork-2", "#ending", ".wrong", ".idea", ".exercise", ".hunt"} {
		assert.False(t, seen(told), "%s gives the end away", told)
	}
	b.Quiet(browsertest.File(dir))
}

// The search finds findings, claims, runs and words by any part of their names and texts,
// the best name first. A search can be linked.
func TestSearch(t *testing.T) {
	b, dir := opened(t, "search.html")
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(browsertest.File(filepath.Join(dir, "search.html"))+"#duplicate%20zebra"))
	b.Show(browsertest.View{Width: 1280, Height: 900})
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("count").textContent`), "Nothing has all these words")
	look := func(words string) []string {
		b.Eval(fmt.Sprintf(`{ const box = document.getElementById("words"); box.value = %q; box.dispatchEvent(new Event("input", { bubbles: true })) }`, words))
		return browsertest.Eval[[]string](b, `[...document.querySelectorAll("#hits a")].map((a) => a.getAttribute("href"))`)
	}
	assert.Equal(t, "glossary.html#uniqueness", look("uniqueness")[0])
	assert.Contains(t, look("two coordinators"), "findings/bully-duplicate-coordinator.html")
	assert.Contains(t, look("wait without end"), "lectures/bully-waits-for-ever.html")
	assert.Contains(t, look("chang roberts"), "algorithms/changroberts.html")
	assert.Contains(t, look("bully two-announce"), "algorithms/bully.html#claim-two-announce")
	assert.Contains(t, browsertest.Eval[string](b, "location.hash"), "#bully%20two-announce")
	// The text behind the # is words, and no more.
	for _, fragment := range []string{
		"%", "%E0%A4%A", "%FF", "%00", "<img src=x onerror=ran=1>", "%3Cimg%20src=x%20onerror=ran=1%3E", "javascript:ran=1",
		"\"'><script>ran=1</script>", "__proto__", "constructor", strings.Repeat("a", 100_000), strings.Repeat("%20", 10_000),
	} {
		b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(browsertest.File(filepath.Join(dir, "search.html"))+"#"+fragment))
		assert.True(t, browsertest.Eval[bool](b, `typeof ran === "undefined" && document.activeElement.id === "words"`), "%.40q", fragment)
		assert.Equal(t, "glossary.html#uniqueness", look("uniqueness")[0], "%.40q", fragment)
	}
	b.Keep("search")
	b.Quiet(browsertest.File(dir))
}

// In a page of somebody else's a run is the run alone, with a way to the whole page.
func TestEmbedded(t *testing.T) {
	b, dir := opened(t, "runs/bully-duplicate-coordinator.html")
	assert.True(t, b.Is(".site"))
	assert.False(t, b.Is(".whole"))
	host := filepath.Join(dir, "host.html")
	require.NoError(t, os.WriteFile(host, []byte(`<!doctype html><title>A course</title><iframe src="runs/bully-duplicate-coordinator.html?embed" width="700" height="640"></iframe>`), 0o600))
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "runs", "bully-duplicate-coordinator.html")) + "?embed"))
	assert.False(t, b.Is(".site"))
	assert.False(t, b.Is(".sequence"))
	assert.True(t, b.Is("#forward"))
	assert.True(t, b.Is(".whole a"))
	b.Do(chromedp.Navigate(browsertest.File(host)))
	b.Keep("embedded")
	b.Quiet(browsertest.File(dir))
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
	assert.Equal(t, fmt.Sprintf("%d of %d claims", some, rows), browsertest.Eval[string](b, `document.getElementById("shown").textContent`))
	set("kind", "safety")
	assert.LessOrEqual(t, visible(), some)
	set("text", "no such words in any claim")
	assert.Zero(t, visible())
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("shown").textContent`), "nothing fits")
	asked := browsertest.Eval[string](b, "location.href")
	assert.Contains(t, asked, "?outcome=refuted+within&kind=safety&text=no+such+words")
	b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(asked))
	assert.Equal(t, "safety", browsertest.Eval[string](b, `document.getElementById("kind").value`), "the filter of a link")
	assert.Zero(t, visible())
	b.Eval(`location.hash = "#claim-two-announce"`)
	b.Do(chromedp.WaitVisible(chromedp.CSS("#claim-two-announce")))
	assert.Equal(t, rows, visible())
	b.Quiet("file://")
}

// From the front page one gets to an incident of the system that one runs with two clicks.
// Incidents, algorithms and claims have one bar: a choice is in the address, and goes along to
// the other lists.
func TestMySystem(t *testing.T) {
	b, dir := openedOf(t, reported(t), "index.html")
	b.Show(browsertest.View{Width: 1280, Height: 800})
	visible := func(want ...string) {
		t.Helper()
		assert.Equal(t, want, browsertest.Eval[[]string](b, `[...document.querySelectorAll(".entry")].filter((e) => e.offsetHeight > 0).map((e) => e.querySelector("a").getAttribute("href"))`))
	}
	click := func(words string) {
		b.Eval(fmt.Sprintf(`{ const link = [...document.querySelectorAll("main a")].find((a) => a.offsetHeight > 0 && a.textContent.startsWith(%q)); setTimeout(() => link.click()) }`, words))
	}
	click("Redpanda")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#filter")))
	visible("incidents/redpanda-11657.html")
	assert.Equal(t, "1 of 3 incidents", browsertest.Eval[string](b, `document.getElementById("shown").textContent`))
	click("an even number of servers")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#fix")))
	assert.Contains(t, browsertest.Eval[string](b, "location.href"), "incidents/redpanda-11657.html")

	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "incidents.html"))))
	b.Eval(`{ const choice = document.getElementById("broke"); choice.value = "a good leader lost"; choice.dispatchEvent(new Event("input", { bubbles: true })) }`)
	visible("incidents/etcd-2020-disturbed.html")
	click("Algorithms")
	b.Do(chromedp.WaitVisible(chromedp.CSS(".cards")))
	assert.Contains(t, browsertest.Eval[string](b, "location.search"), "broke=a+good+leader+lost")
	visible("algorithms/raft.html")
	b.Eval(`{ const text = document.getElementById("text"); text.value = "no such algorithm"; text.dispatchEvent(new Event("input", { bubbles: true })) }`)
	assert.Empty(t, browsertest.Eval[[]string](b, `[...document.querySelectorAll(".entry")].filter((e) => e.offsetHeight > 0).map((e) => e.textContent)`))
	assert.Equal(t, "0 of 1 algorithms: nothing fits. Choose less.", browsertest.Eval[string](b, `document.getElementById("shown").textContent`))
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "claims.html")) + "?outcome=confirmed+for+every+N&year=1066&__proto__=x"))
	found := browsertest.Eval[[]string](b, `[...document.querySelectorAll(".entry")].filter((e) => e.offsetHeight > 0).map((e) => e.querySelector(".outcome").textContent)`)
	assert.Equal(t, []string{"confirmed for every N"}, found)
	b.Quiet(browsertest.File(dir))
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
	follow(".lede", "Claim (confirmed)")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#claim-two-announce:target")))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(":target").textContent`), "announce themselves as the coordinator concurrently")
	follow("main", "how claims are judged")
	b.Do(chromedp.WaitVisible(chromedp.CSS("#the-outcomes")))
	b.Quiet("file://")
}

// Every page fits a phone, a tablet, a laptop and a wide screen, no part of a drawing is
// hidden, and the console says nothing. A drawing that is to be read has seven tenths of its
// size at least.
func TestEveryPageFits(t *testing.T) {
	b, dir := opened(t, "index.html")
	drawings := 0
	for _, name := range slices.Sorted(maps.Keys(shown(t).Files)) {
		if filepath.Ext(name) != ".html" {
			continue
		}
		opened := false
		for _, v := range []browsertest.View{{Width: 390, Height: 844}, {Width: 800, Height: 1000}, {Width: 1280, Height: 800}, {Width: 1920, Height: 1080}} {
			page := fmt.Sprintf("%s-%d", strings.ReplaceAll(name, "/", "-"), v.Width)
			if !casecount.Takes(t, *deep, 4, page) {
				continue
			}
			if !opened {
				opened = true
				b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, name))))
				drawings += browsertest.Eval[int](b, `document.querySelectorAll(".picture > svg").length`)
			}
			t.Run(page, func(t *testing.T) {
				b := b.For(t)
				b.Show(v)
				assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width))
				b.Whole(".picture > svg:not(.small *)", 0.7)
				b.Whole(".picture.small > svg", 0)
			})
		}
	}
	assert.Positive(t, drawings)
	b.Quiet(browsertest.File(dir))
}

// The pages of incidents fit every window, by day and by night, play their runs, and have on
// paper what happened and what fixes it.
func TestIncidentsInBrowser(t *testing.T) {
	b, dir := openedOf(t, reported(t), "incidents.html")
	pages := []string{"incidents.html", "incidents/etcd-10355.html", "incidents/redpanda-11657.html", "index.html", "algorithms/raft.html"}
	for _, page := range pages {
		b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		for _, v := range []browsertest.View{{Width: 390, Height: 844, Dark: true}, {Width: 1600, Height: 1000}} {
			b.Show(v)
			assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width), page)
			b.Contrast("body *")
			b.Audit()
			b.Keep(fmt.Sprintf("site-%s-%d", strings.ReplaceAll(strings.TrimSuffix(page, ".html"), "/", "-"), v.Width))
		}
	}
	b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, "incidents", "etcd-2020-disturbed.html"))))
	b.Eval(`{ const time = document.getElementById("time"); time.value = time.max; time.dispatchEvent(new Event("input")) }`)
	assert.True(t, b.Is("#stage.broken"))
	b.Show(browsertest.View{Width: 700, Height: 1000, Print: true})
	assert.True(t, b.Is(".sheet .picture svg"))
	assert.True(t, b.Is("#fix"))
	assert.False(t, b.Is("#stage"))
	b.Quiet(browsertest.File(dir))
}

// The pages of the guide fit every window, by day and by night.
func TestGuideInBrowser(t *testing.T) {
	b, dir := openedOf(t, guide(t), "choosing.html")
	b.Show(browsertest.View{Width: 1600, Height: 1000})
	assert.Equal(t, 1, browsertest.Eval[int](b, `document.querySelector("tbody code").getClientRects().length`), "a name is broken into lines")
	assert.Less(t, browsertest.Eval[float64](b, `document.querySelector("tbody tr").offsetHeight`), 100.0)
	for _, page := range []string{"choosing.html", "choosing/zen-majority.html", "clients.html"} {
		b.Do(chromedp.Navigate(browsertest.File(filepath.Join(dir, page))))
		for _, v := range []browsertest.View{{Width: 390, Height: 844, Dark: true}, {Width: 1600, Height: 1000}} {
			b.Show(v)
			assert.LessOrEqual(t, browsertest.Eval[float64](b, "document.documentElement.scrollWidth"), float64(v.Width), page)
			b.Contrast("body *")
			b.Audit()
			b.Keep(fmt.Sprintf("site-%s-%d", strings.ReplaceAll(strings.TrimSuffix(page, ".html"), "/", "-"), v.Width))
		}
	}
	b.Quiet(browsertest.File(dir))
}
