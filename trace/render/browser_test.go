//go:build browser

package render_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/internal/test/browsertest"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/exporttest"
	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// pageFile writes a page to a file and returns its address.
func pageFile(t testing.TB, l *trace.Layout) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(name, page(t, l), 0o666))
	return browsertest.File(name)
}

// current returns the step that a page shows, by all that says so.
func current(t testing.TB, b *browsertest.Browser) int {
	t.Helper()
	rows := browsertest.Eval[[]string](b, `[
		[...document.querySelectorAll("article")].filter(a => getComputedStyle(a).display !== "none").map(a => a.dataset.row).join(),
		[...document.querySelectorAll("rect.selected")].filter(r => r.getClientRects().length > 0).map(r => r.dataset.row).join(),
		document.getElementById("where").textContent.replace("start", "step 0").match(/step (\d+)/)[1],
	]`)
	assert.Equal(t, rows[0], rows[1])
	assert.Equal(t, rows[0], rows[2])
	row := 0
	_, err := fmt.Sscan(rows[0], &row)
	require.NoError(t, err)
	return row
}

// The keyboard, the buttons, the diagram and the address all lead to a step.
func TestPageSteps(t *testing.T) {
	l := sample(t, "agreement")
	last := len(l.Rows) - 1
	address := pageFile(t, l)
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1300, Height: 800})
	b.Do(chromedp.Navigate(address))
	assert.Equal(t, 0, current(t, b))
	fragment := func() string { return browsertest.Eval[string](b, "location.hash") }
	for _, c := range []struct {
		what string
		do   chromedp.Action[chromedp.Void]
		want int
	}{
		{"right", chromedp.KeyEvent(kb.ArrowRight), 1},
		{"j", chromedp.KeyEvent("j"), 2},
		{"left", chromedp.KeyEvent(kb.ArrowLeft), 1},
		{"k", chromedp.KeyEvent("k"), 0},
		{"k at the start", chromedp.KeyEvent("k"), 0},
		{"End", chromedp.KeyEvent(kb.End), last},
		{"j at the end", chromedp.KeyEvent("j"), last},
		{"Home", chromedp.KeyEvent(kb.Home), 0},
		{"v", chromedp.KeyEvent("v"), l.Breaks},
		{"Ctrl+k is the browser's", chromedp.KeyEvent("k", chromedp.KeyModifiers(chromedp.ModifierCtrl)), l.Breaks},
		{"button Start", chromedp.Click(chromedp.CSS("#first")), 0},
		{"button Forward", chromedp.Click(chromedp.CSS("#forward")), 1},
		{"button Back", chromedp.Click(chromedp.CSS("#back")), 0},
		{"button Jump", chromedp.Click(chromedp.CSS("#jump")), l.Breaks},
		{"a row of the diagram", chromedp.Click(chromedp.CSS(`a.hit rect[data-row="3"]`)), 3},
		{"button End", chromedp.Click(chromedp.CSS("#last")), last},
	} {
		b.Do(c.do)
		assert.Equal(t, c.want, current(t, b), c.what)
		if c.want > 0 {
			assert.Equal(t, fmt.Sprintf("#step-%d", c.want), fragment(), c.what)
		}
	}
	for fragment, want := range map[string]int{"#step-4": 4, "#step-999999": last, "#step-x": 0, "#step-1e3": 0, "": 0, "#<b>": 0} {
		tab := b.Tab(t)
		tab.Do(chromedp.Navigate(address + fragment))
		assert.Equal(t, want, current(t, tab), fragment)
		tab.Quiet(address)
	}
	b.Eval("location.hash = '#step-2'")
	assert.Equal(t, 2, current(t, b), "an address that is changed")
	b.Quiet(address)
}

// In a window of any size, a chosen step is visible, in the drawing and in words: by the
// keys and by the address.
func TestPageShowsEachStep(t *testing.T) {
	l := repeated(sample(t, "agreement"), 5)
	l.Story = strings.Repeat("A story that takes room before the run begins. ", 12)
	address := pageFile(t, l)
	b := browsertest.Start(t)
	for _, v := range []browsertest.View{{Width: 1280, Height: 720}, {Width: 1440, Height: 900}, {Width: 390, Height: 844}} {
		t.Run(fmt.Sprintf("%dx%d", v.Width, v.Height), func(t *testing.T) {
			b := b.Tab(t)
			v.Still = true
			b.Show(v)
			b.Do(chromedp.Navigate(address))
			for i := 1; i < len(l.Rows); i++ {
				b.Do(chromedp.KeyEvent("j"))
				assert.Equal(t, i, current(t, b))
				assert.Empty(t, browsertest.Eval[string](b, outOfSight), "step %d", i)
			}
			other := b.Tab(t)
			other.Show(v)
			other.Do(chromedp.Navigate(address + "#step-30"))
			assert.Equal(t, 30, current(t, other))
			assert.Empty(t, browsertest.Eval[string](other, outOfSight), "from the address")
		})
	}
}

// outOfSight names what is not in the window of the step that is shown: its row in the
// drawing, and its words. The buttons hide what is behind them.
const outOfSight = `(() => {
	const bar = document.getElementById("bar").getBoundingClientRect(), frame = document.getElementById("picture").getBoundingClientRect()
	const top = bar.top <= 0 ? bar.bottom : 0
	const out = (part, from, to) => {
		const box = [...document.querySelectorAll(part)].find(e => e.getClientRects().length > 0).getBoundingClientRect()
		return box.top < from - 1 || box.bottom > to + 1 ? part + " " : ""
	}
	return out("rect.selected", Math.max(top, frame.top), Math.min(innerHeight, frame.bottom)) + out("article.current .tell", top, innerHeight)
})()`

// A step shows the run there.
func TestPageTells(t *testing.T) {
	l := sample(t, "agreement")
	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(pageFile(t, l)))
	for i := range l.Rows {
		text := browsertest.Eval[string](b, "document.querySelector('article.current').innerText")
		assert.Contains(t, text, l.Tell(i))
		for _, r := range l.Rules {
			for _, name := range l.Rows[i].Rules {
				if name == r.Name {
					assert.Contains(t, text, "rule "+r.Tag+" "+r.Text)
				}
			}
		}
		for k := range l.Columns {
			card := browsertest.Eval[string](b, fmt.Sprintf("document.querySelectorAll('article.current .process')[%d].innerText", k))
			for _, f := range l.Rows[i].State.Processes[k].Fields {
				if !f.Zero || l.Rows[i].Cells[k].Status == model.Up {
					assert.Regexp(t, f.Name+`\s+`+regexp.QuoteMeta(f.Value), card)
				}
			}
		}
		assert.Equal(t, len(l.Rows[i].State.InFlight), browsertest.Eval[int](b, "document.querySelectorAll('article.current .flying li').length"))
		assert.GreaterOrEqual(t, len(l.Rows[i].Changes), browsertest.Eval[int](b, "document.querySelectorAll('article.current dl .changed').length"))
		b.Do(chromedp.KeyEvent("j"))
	}
	assert.Contains(t, browsertest.Eval[string](b, "document.querySelector('article.current').innerText"), l.Verdict)
}

// A page fits every window, in the light and in the dark, and can be read.
func TestPageLooks(t *testing.T) {
	b := browsertest.Start(t)
	narrow, wide := browsertest.View{Width: 360, Height: 740, Dark: true}, browsertest.View{Width: 1400, Height: 900}
	quick := map[string]browsertest.View{"agreement": narrow, "lasso": wide, "seven": narrow, "hostile": wide}
	views := []browsertest.View{
		narrow, wide, {Width: 360, Height: 740}, {Width: 800, Height: 900, Dark: true}, {Width: 2200, Height: 1200, Dark: true},
	}
	for _, name := range slices.Sorted(maps.Keys(quick)) {
		address, tab := pageFile(t, sample(t, name)), b.Tab(t)
		for _, v := range views {
			if v != quick[name] && !*deep {
				continue
			}
			t.Run(fmt.Sprintf("%s-%d-%t", name, v.Width, v.Dark), func(t *testing.T) {
				b := tab.For(t)
				b.Show(v)
				b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(address+"#step-6"))
				assert.Equal(t, 6, current(t, b))
				b.Fits("h1, h2, h4, p, li, dl div, button, .process")
				b.Contrast("body *")
				b.Audit()
				b.Drawings(".picture > svg")
				b.Whole(".picture > svg", 0)
				b.Quiet(address)
				b.Keep("page-" + strings.ReplaceAll(t.Name(), "/", "-"))
				// The chosen row is in sight within the diagram.
				assert.True(t, browsertest.Eval[bool](b, chosenInSight))
			})
		}
	}
}

// chosenInSight reports whether the chosen row comes in sight within the diagram.
const chosenInSight = `(async () => {
	const inSight = () => {
		const p = document.getElementById("picture").getBoundingClientRect()
		const r = [...document.querySelectorAll("rect.selected")].find(e => e.getClientRects().length > 0).getBoundingClientRect()
		return r.top >= p.top && r.top < p.bottom
	}
	for (let frame = 0; frame < 300 && !inSight(); frame++) // the diagram is scrolled smoothly
		await new Promise(requestAnimationFrame)
	return inSight()
})()`

// Text is text, whatever is in it.
func TestPageEscapes(t *testing.T) {
	b := browsertest.Start(t)
	address := pageFile(t, sample(t, "hostile"))
	b.Do(chromedp.Navigate(address + "#step-3"))
	assert.Equal(t, 2, browsertest.Eval[int](b, "document.scripts.length"))
	assert.Contains(t, browsertest.Eval[string](b, "document.querySelector('h1').textContent"), hostile)
	assert.Contains(t, browsertest.Eval[string](b, "document.querySelector('article.current').textContent"), hostile)
	b.Quiet(address)
}

// A reader without scripts reads all steps in order; a link of the diagram
// leads to its step.
func TestPageWithoutScript(t *testing.T) {
	l := sample(t, "agreement")
	b := browsertest.Start(t)
	b.Show(browsertest.View{NoScript: true})
	b.Do(chromedp.Navigate(pageFile(t, l)))
	for i := range l.Rows {
		assert.True(t, b.Is(fmt.Sprintf("#step-%d .tell", i)), "step %d", i)
	}
	assert.False(t, b.Is("#bar"))
	assert.False(t, b.Is("#step-1 .after[open]"), "states are folded")
	b.Do(chromedp.Click(chromedp.CSS("#step-1 summary")))
	assert.True(t, b.Is("#step-1 .after[open]"))
	b.Keep("page-noscript")
}

// On paper a run is its diagram beside its steps: one sheet for one of usual length.
func TestPagePrints(t *testing.T) {
	b := browsertest.Start(t)
	sheets := func(name string, l *trace.Layout) int {
		tab := b.Tab(t)
		tab.Do(chromedp.Navigate(pageFile(t, l) + "#step-5"))
		pdf := browsertest.Get(tab, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
		if dir := os.Getenv("BULLYPROOF_SCREENSHOTS"); dir != "" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name+".pdf"), pdf, 0o666))
		}
		return len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1))
	}
	assert.Equal(t, 1, sheets("page", sample(t, "agreement")))
	assert.LessOrEqual(t, sheets("page-long", repeated(sample(t, "agreement"), 6)), 4)

	l := sample(t, "lasso")
	b.Do(chromedp.Navigate(pageFile(t, l)))
	b.Show(browsertest.View{Width: 700, Height: 1000, Print: true, Dark: true})
	b.Eval("dispatchEvent(new Event('beforeprint'))")
	assert.Equal(t, len(l.Rows), browsertest.Eval[int](b, "[...document.querySelectorAll('article .tell')].filter(a => a.offsetHeight > 0).length"))
	assert.False(t, b.Is(".after"), "states of processes")
	assert.Greater(t, browsertest.Eval[int](b, "document.querySelectorAll('.slices svg').length"), 1)
	assert.Equal(t, "none", browsertest.Eval[string](b, "getComputedStyle(document.getElementById('bar')).display"))
	assert.Equal(t, "rgb(255, 255, 255)", browsertest.Eval[string](b, "getComputedStyle(document.body).backgroundColor"))
	if *deep { // there is much to see
		b.Contrast("article *, .lede *")
	}
	b.Keep("page-print")
	b.Eval("dispatchEvent(new Event('afterprint'))")
	assert.Zero(t, browsertest.Eval[int](b, "document.querySelectorAll('.slices svg').length"))
}

// Controls have roles and names, the keyboard reaches them, and one sees where
// it is; who wants no motion gets none.
func TestPageIsAccessible(t *testing.T) {
	b := browsertest.Start(t)
	b.Show(browsertest.View{Still: true})
	b.Do(chromedp.Navigate(pageFile(t, sample(t, "agreement")) + "#step-1"))
	var names []string
	for _, node := range b.Accessible() {
		if node.Ignored || node.Role == nil {
			continue
		}
		switch role := text1(node.Role); role {
		case "button", "navigation", "region", "article", "heading", "group", "link":
			name := text1(node.Name)
			assert.NotEmpty(t, name, "a %s without a name", role)
			names = append(names, role+" "+name)
		}
	}
	for _, want := range []string{
		"navigation Steps", "button Start", "button Back", "button Forward", "button End", "button Jump to the violation",
		"region Space-time diagram", "region The steps", "article Step 1", "region P2", "link Skip the diagram",
	} {
		assert.Contains(t, names, want)
	}
	seen := map[string]bool{}
	for range 12 {
		b.Do(chromedp.KeyEvent(kb.Tab))
		at := browsertest.Eval[[]string](b, "[document.activeElement.id || document.activeElement.className, getComputedStyle(document.activeElement).outlineStyle]")
		seen[at[0]] = true
		assert.True(t, at[0] == "" || at[1] == "solid", "focus on %s is not seen", at[0])
	}
	for _, id := range []string{"skip", "first", "back", "forward", "last", "jump", "picture"} {
		assert.True(t, seen[id], "the keyboard does not reach %s", id)
	}
	assert.Equal(t, "auto", browsertest.Eval[string](b, "getComputedStyle(document.getElementById('picture')).scrollBehavior"))
	b.Show(browsertest.View{})
	assert.Equal(t, "smooth", browsertest.Eval[string](b, "getComputedStyle(document.getElementById('picture')).scrollBehavior"))
}

func text1(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

// shown are those of the samples that a browser is to show: all if the test is a
// deep one, and otherwise those that people would look at and a quarter of the
// random ones.
func shown(t testing.TB) map[string]*trace.Layout {
	t.Helper()
	list := samples(t)
	if *deep {
		return list
	}
	for k := range heraldtest.Settings {
		if name := fmt.Sprintf("random-%d-0", k); !casecount.Takes(t, false, 4, name) {
			delete(list, name)
		}
	}
	return list
}

// No text of a drawing overlaps another, lies on a line or is cut off.
func TestSVGInBrowser(t *testing.T) {
	pages := map[string][]byte{}
	for name, l := range shown(t) {
		pages["/"+name] = svg(t, l, render.SVGOptions{})
		if *deep || name == "lasso" || name == "hostile" {
			pages["/"+name+"/bare"] = svg(t, l, render.SVGOptions{Bare: true})
		}
	}
	server := serve(t, "image/svg+xml", pages)
	b := browsertest.Start(t)
	for name := range pages {
		t.Run(name[1:], func(t *testing.T) {
			b := b.For(t)
			b.Show(browsertest.View{Width: 1200, Height: 900, Dark: strings.HasPrefix(name, "/lasso")})
			b.Do(chromedp.Navigate(server + name))
			b.Drawings("svg")
			b.Quiet(server)
			if name == "/lasso" || name == "/seven" || name == "/hostile" {
				b.Keep("svg-" + name[1:])
			}
		})
	}
}

// In a window of a phone a page shows the drawing for phones of a run that has one, in which
// no text overlaps another, lies on a line or is cut off; in a wider one, the usual one.
func TestDrawingsInBrowser(t *testing.T) {
	const frame = `<!doctype html><link rel="icon" href="data:,"><style>%sbody { padding: 0 17px }</style>%s`
	pages := map[string][]byte{}
	add := func(name string, l *trace.Layout) {
		if list := drawings(t, l); len(list) == 2 {
			pages["/"+name] = fmt.Appendf(nil, frame, render.PageStyle(), strings.Join(list, ""))
		}
	}
	for name, l := range shown(t) {
		add(name, l)
	}
	for _, c := range []*trace.Collection{&counterexamples.All, &incidents.Runs} {
		for _, name := range c.Names() {
			if casecount.Takes(t, *deep, 4, name) {
				add(name, trace.Told(recorded(t, c, algorithms.All, name)))
			}
		}
	}
	server := serve(t, "text/html; charset=utf-8", pages)
	b := browsertest.Start(t)
	assert.NotEmpty(t, pages)
	for name := range pages {
		t.Run(name[1:], func(t *testing.T) {
			b := b.For(t)
			b.Show(browsertest.View{Width: 390, Height: 844})
			b.Do(chromedp.Navigate(server + name))
			assert.False(t, b.Is("svg.usual"))
			b.Drawings("svg.phone")
			b.Fits("svg.phone")
			if name != "/seven" && !strings.HasPrefix(name, "/random-5-") { // six processes and more, with thirty messages in flight
				b.Whole("svg.phone", 0.7)
			}
			b.Keep("phone-" + name[1:])
			b.Show(browsertest.View{Width: 800, Height: 900})
			assert.False(t, b.Is("svg.phone"))
			assert.True(t, b.Is("svg.usual"))
			b.Quiet(server)
		})
	}
}

// On a phone the step is marked in the drawing for phones, and a click on that leads to a step;
// in a wide window, on paper and for who listens there is one drawing as well.
func TestPageOnPhone(t *testing.T) {
	l := recorded(t, &counterexamples.All, algorithms.All, "redlock-nobody-wins")
	b := browsertest.Start(t)
	phone := browsertest.View{Width: 390, Height: 844, Still: true}
	b.Show(phone)
	address := pageFile(t, l)
	b.Do(chromedp.Navigate(address + "#step-9"))
	regions := func() (names int) {
		for _, node := range b.Accessible() {
			if !node.Ignored && strings.HasPrefix(text1(node.Name), "Space-time diagram of") {
				names++
			}
		}
		return names
	}
	assert.Equal(t, 9, current(t, b))
	assert.True(t, b.Is(".picture > svg.phone"))
	assert.False(t, b.Is(".picture > svg.usual"))
	assert.True(t, b.Is(".names svg.phone"))
	assert.False(t, b.Is(".names svg.usual"))
	assert.Equal(t, 1, regions())
	for i := 10; i < len(l.Rows); i += 7 {
		b.Eval(fmt.Sprintf("location.hash = '#step-%d'", i))
		assert.Equal(t, i, current(t, b))
		assert.Empty(t, browsertest.Eval[string](b, outOfSight), "step %d", i)
	}
	b.Do(chromedp.Click(chromedp.CSS(`svg.phone a.hit rect[data-row="30"]`)))
	assert.Equal(t, 30, current(t, b))
	b.Fits("h1, h2, h4, p, li, dl div, button, .process")
	b.Whole(".picture > svg", 0.7)
	b.Contrast("body *")
	b.Audit()
	b.Keep("page-phone")

	b.Eval(`document.getElementById("picture").scrollTop = 0`)
	b.Show(browsertest.View{Width: 1280, Height: 800, Still: true})
	assert.Equal(t, 30, current(t, b))
	assert.True(t, browsertest.Eval[bool](b, chosenInSight))
	assert.False(t, b.Is("svg.phone"))
	assert.Equal(t, 1, regions())

	b.Show(phone)
	b.Eval("dispatchEvent(new Event('beforeprint'))")
	b.Show(browsertest.View{Width: 390, Height: 844, Print: true})
	assert.Equal(t, "none block", browsertest.Eval[string](b, `["phone", "usual"].map(name => getComputedStyle(document.querySelector(".picture > svg." + name)).display).join(" ")`))
	assert.Equal(t, []string{"#diagram-body"}, browsertest.Eval[[]string](b, `[...new Set([...document.querySelectorAll(".slices use")].map(use => use.getAttribute("href")))]`))
	assert.True(t, b.Is(".slices svg"))
	b.Quiet(address)
}

// serve serves pages of one type from this machine, and returns the address.
func serve(t testing.TB, contentType string, pages map[string][]byte) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(page)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Mermaid itself draws each export, and shows its texts as they are.
func TestMermaidDraws(t *testing.T) {
	m := exporttest.StartMermaid(t)
	for name, l := range shown(t) {
		t.Run(name, func(t *testing.T) {
			m.Draw(t, mermaid(t, l))
			m.Browser.For(t).Keep("mermaid-" + name)
		})
	}
	m.Browser.Quiet(m.Address)
}

// Quint's own reader takes each export, and finds a state for each row.
func TestQuintReadsITF(t *testing.T) {
	dir := t.TempDir()
	want := map[string]int{}
	for name, l := range samples(t) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".itf.json"), itf(t, l), 0o666))
		want[name+".itf.json"] = len(l.Rows)
	}
	assert.Equal(t, want, exporttest.QuintReads(t, dir))
}

// A page plays its run: time flows, messages travel, the step follows, and at the end
// the broken property is told. A key pauses it, the slider leads anywhere.
func TestPagePlays(t *testing.T) {
	l := sample(t, "agreement")
	last := len(l.Rows) - 1
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 720})
	b.Do(chromedp.Navigate(pageFile(t, l)))
	assert.True(t, b.Is("#stage"))
	b.Eval(`document.getElementById("speed").value = "4"`)
	b.Do(chromedp.KeyEvent("p"))
	until := func(what string) {
		t.Helper()
		b.Eval(fmt.Sprintf(`new Promise((done) => { const look = () => (%s) ? done() : requestAnimationFrame(look); look() })`, what))
	}
	until(`document.querySelector("#stage .dot.there")`)
	b.Do(chromedp.KeyEvent("p"))
	assert.Equal(t, "Play", browsertest.Eval[string](b, `document.getElementById("play").textContent`))
	place := `document.getElementById("time").value`
	assert.Equal(t, browsertest.Eval[string](b, place), browsertest.Eval[string](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(`+place+`))))`), "time stands still")
	b.Keep("page-plays")
	b.Do(chromedp.KeyEvent(" "))
	assert.Equal(t, "Pause", browsertest.Eval[string](b, `document.getElementById("play").textContent`))
	until(`document.getElementById("play").textContent === "Play"`)
	assert.Equal(t, last, current(t, b))
	assert.True(t, b.Is("#stage.broken"))
	assert.Contains(t, browsertest.Eval[string](b, `document.getElementById("matter").textContent`), "agreement breaks")
	b.Keep("page-played")
	b.Eval(`{ const time = document.getElementById("time"); time.value = 1.5; time.dispatchEvent(new Event("input")) }`)
	assert.Equal(t, 1, current(t, b))
	assert.False(t, b.Is("#stage.broken"))

	b.Show(browsertest.View{Width: 390, Height: 844})
	assert.Less(t, browsertest.Eval[float64](b, `document.getElementById("stage").getBoundingClientRect().bottom`),
		browsertest.Eval[float64](b, `document.getElementById("picture").getBoundingClientRect().top`), "on a phone the stage comes first")
	b.Do(chromedp.Click(chromedp.CSS("#play")))
	assert.True(t, b.Is("#stage"))
	assert.False(t, b.Is("#picture"))
	b.Do(chromedp.Click(chromedp.CSS("#play")))
	b.Show(browsertest.View{Still: true})
	assert.False(t, b.Is("#stage"))
	assert.False(t, b.Is("#play"))
	assert.True(t, b.Is("#picture"))
	b.Quiet("file://")
}

// No label of a message lies on another one on the stage of a page, in any step.
func TestLabelsInBrowser(t *testing.T) {
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 800})
	for _, name := range []string{"swim-not-eliminated", "swim-bully-race", "bully-retries-for-ever"} {
		l := recorded(t, &counterexamples.All, algorithms.All, name)
		b.Do(chromedp.Navigate(pageFile(t, l)))
		met := browsertest.Eval[[]string](b, `(async () => {
  const met = [];
  for (let row = 0; row <= Number(document.getElementById("time").max); row++) {
    document.getElementById("time").value = row;
    document.getElementById("time").dispatchEvent(new Event("input"));
    const texts = [...document.querySelectorAll("#stage .dot.there:not(.mute) text")], boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, k) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && high > 3) met.push(row + ": " + texts[i].textContent + " and " + texts[k].textContent + " by " + wide + " x " + high);
    }));
  }
  return met;
})()`)
		assert.Empty(t, met, name)
	}
	b.Keep("page-labels")
}

// A long run is told in parts on its page: chapters with a sentence each, of which one is the
// current one, steps that are told together and can be opened, a stage that shows cuts and
// timers, half a minute of play, and two sheets of paper. A link to any step leads to where
// it is told.
func TestPageToldInParts(t *testing.T) {
	tr, err := incidents.Runs.Open("mongodb-57262")
	require.NoError(t, err)
	run, err := trace.Replay(tr, algorithms.Lookup)
	require.NoError(t, err)
	l, err := trace.Lay(tr, run)
	require.NoError(t, err)
	address := pageFile(t, l)
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 800})
	b.Do(chromedp.Navigate(address + "#step-200"))
	assert.Regexp(t, `^steps \d+ to 293 of 293$`, browsertest.Eval[string](b, `document.getElementById("where").textContent`))
	chapters := browsertest.Eval[int](b, `document.querySelectorAll("#chapters li").length`)
	assert.GreaterOrEqual(t, chapters, 4)
	assert.LessOrEqual(t, chapters, 6)
	assert.Equal(t, chapters, browsertest.Eval[int](b, `document.querySelectorAll("#marks option").length`))
	assert.Equal(t, chapters-1, browsertest.Eval[int](b, `[...document.querySelectorAll("#chapters li")].findIndex(c => c.hasAttribute("aria-current"))`))
	assert.Greater(t, browsertest.Eval[int](b, `document.querySelectorAll("article.current .folded li").length`), 100)
	assert.False(t, b.Is("article.current .folded[open]"))
	b.Do(chromedp.Click(chromedp.CSS("article.current .folded summary")))
	assert.True(t, b.Is("article.current .folded[open] li"))
	assert.Less(t, browsertest.Eval[int](b, `document.querySelectorAll("*").length`), 10_000)
	end := browsertest.Eval[float64](b, `JSON.parse(document.getElementById("moves").textContent).begins.at(-1)`)
	assert.GreaterOrEqual(t, end, 20.0)
	assert.LessOrEqual(t, end, 30.0)
	assert.Zero(t, browsertest.Eval[int](b, `document.querySelectorAll("#stage .cut.there").length`))
	b.Eval(`location.hash = "#step-10"`)
	assert.Equal(t, 4, browsertest.Eval[int](b, `document.querySelectorAll("#stage .cut.there").length`), "P3 is cut off from both")
	assert.Positive(t, browsertest.Eval[int](b, `[...document.querySelectorAll("#stage .timer")].filter(ring => ring.getAttribute("d")).length`))
	b.Drawings(".picture > svg")
	b.Whole(".picture > svg", 0.7)
	b.Contrast("body *")
	b.Quiet(address)
	b.Keep("page-told")
	pdf := browsertest.Get(b, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFPrintBackground()))
	assert.LessOrEqual(t, len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)), 2)
	if dir := os.Getenv("BULLYPROOF_SCREENSHOTS"); dir != "" {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "page-told.pdf"), pdf, 0o666))
	}
}
