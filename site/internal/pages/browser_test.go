//go:build browser

// Package pages_test opens in a browser what the command makes: the site with its explorer.
package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/cmd/catalogue"
	"bullyproof/counterexamples"
	"bullyproof/internal/test/browsertest"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

func TestMain(m *testing.M) {
	status := browsertest.Main(m)
	if pages.dir != "" {
		_ = os.RemoveAll(pages.dir)
	}
	os.Exit(status)
}

var ours = catalogue.Tool()

// pages is the site that the command makes of the whole catalogue, once.
var pages struct {
	sync.Once
	dir string
	err error
}

// made returns the directory of the site.
func made(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BULLYPROOF_SITE"); dir != "" {
		return dir
	}
	pages.Do(func() {
		if pages.dir, pages.err = os.MkdirTemp("", "site-"); pages.err != nil {
			return
		}
		var out []byte
		if out, pages.err = exec.Command("go", "run", "bullyproof/site/cmd/bullyproof", "site", "--quiet", filepath.Join(pages.dir, "pages")).CombinedOutput(); pages.err != nil {
			pages.err = fmt.Errorf("%w: %s", pages.err, out)
		}
	})
	require.NoError(t, pages.err)
	return filepath.Join(pages.dir, "pages")
}

// served serves a directory as a static server does, and counts the bytes of the body
// of what it sends.
func served(t *testing.T, dir string) (root string, sent *atomic.Int64) {
	t.Helper()
	sent = new(atomic.Int64)
	files := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		files.ServeHTTP(&counter{w, sent}, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, sent
}

type counter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c *counter) Write(data []byte) (int, error) {
	c.sent.Add(int64(len(data)))
	return c.ResponseWriter.Write(data)
}

// From the front page one gets to Kabashi's first finding and plays it, and from there into
// the explorer in the page: one leaves the recorded run, has a crash more, has the setting
// checked, opens the run that breaks a property, and sees the map of its states. So it is
// from files as well as from a server that has nothing but files.
func TestExplorerInPage(t *testing.T) {
	dir := made(t)
	root, sent := served(t, dir)
	for name, root := range map[string]string{"file": browsertest.File(dir), "server": root} {
		t.Run(name, func(t *testing.T) {
			b := browsertest.Start(t)
			before := sent.Load()
			b.Do(chromedp.Navigate(root + "/index.html"))
			assert.LessOrEqual(t, sent.Load()-before, int64(300_000), "the first page")
			follow(b, ".contents a", "A disagreement that nothing ends")
			b.Do(wait("#play"), chromedp.Click(chromedp.CSS("#play")), wait("#stage .dot.there"))
			b.Do(chromedp.Navigate(root+"/runs/kabashi-figure-3.html"), wait("#play"))
			before = sent.Load()
			follow(b, "a", "Change this run in the explorer")
			b.Do(wait("#now"))
			if name == "server" {
				assert.LessOrEqual(t, sent.Load()-before, int64(6_500_000), "the explorer")
				t.Logf("the explorer took %d bytes", sent.Load()-before)
			}
			assert.False(t, b.Is("#ask"), "expressions take the command")
			b.Audit()
			b.Keep("explorer-" + name)
			b.Do(chromedp.KeyEvent("n"), wait(`#now[data-at="1"]`), chromedp.Click(chromedp.CSS(".actions li:not(.marked) button")), wait(`#now[data-at="2"]`))
			assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(".recording").textContent`), "You left the recorded run after step 1")
			b.Do(chromedp.Click(chromedp.CSS("#first")), wait(`#now[data-at="0"]`))
			b.Eval(`history.back()`)
			b.Do(wait(`#now[data-at="2"]`))

			b.Do(chromedp.Click(chromedp.CSS("#first")), wait(`#now[data-at="0"]`))
			b.Do(chromedp.Click(chromedp.CSS("#ahead")), wait(`button[name="way"]`), chromedp.Click(chromedp.CSS(`button[name="way"][value="agreement"]`)), wait("#now .broken"))
			assert.Contains(t, browsertest.Eval[string](b, `document.querySelector("#now .broken").textContent`), "agreement")
			follow(b, ".checking a", "See all its states")
			b.Do(wait("#map .state.bad"), wait("#map .now"))
			b.Audit()
			b.Keep("map-" + name)
			b.Eval(`document.querySelector("#map a:has(.bad)").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
			b.Do(wait("#now .broken"))

			b.Eval(`document.querySelector("details.world").open = true; document.getElementById("setting-text").value += " crashes=1"`)
			b.Do(chromedp.Click(chromedp.CSS(`form.setting button[formaction^="/check/"]`)), wait(".checked[data-of]"))
			assert.Contains(t, browsertest.Eval[string](b, "location.hash"), "crashes=1")
			assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(".verdict").textContent`), "VIOLATED")
			b.Audit()
			b.Keep("check-" + name)
			follow(b, ".checked .violated a", "Open the run")
			b.Do(wait("#now .broken"))

			b.Eval(fmt.Sprintf("location.hash = %q", "/map/bully/coulouris"))
			b.Do(wait("#map .box"))
			assert.Contains(t, browsertest.Eval[string](b, `document.querySelector("main").textContent`), "21,062 states")
			b.Audit()
			b.Keep("map-merged-" + name)
			b.Eval(`document.querySelector("#map a:has(> path.state.bad)").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
			b.Do(wait("#now .broken"))
			b.Quiet(root, "blob:")
		})
	}
}

// From a lecture one gets to a verdict on rules of one's own in the page: where its exercise begins
// the property breaks, and it holds when a rule, or a version, is switched.
func TestLectureInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 900})
	for _, tt := range []struct{ lecture, property, option string }{
		{"bully-waits-for-ever", "e2", "rule-answered-waits-more"},
		{"etcd-2020-disturbed", "undisturbed", "rule-version-prevote"},
	} {
		b.Do(chromedp.Navigate(root + "/lectures/" + tt.lecture + ".html"))
		follow(b, ".hunt a", "Switch rules and check")
		b.Do(wait("#found-" + tt.property + ".violated"))
		b.Do(chromedp.Click(chromedp.CSS("#"+tt.option)), chromedp.Click(chromedp.CSS(`.compose button[formaction^="/check/"]`)), wait("#found-"+tt.property+".holds"))
		b.Keep("hunt-" + tt.lecture)
	}
	b.Quiet(root, "blob:")
}

// A run of a rule is put beside the same steps under its repair, and the keys step
// through both.
func TestBesideInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 900})
	b.Do(chromedp.Navigate(root + "/runs/kabashi-lasting-disagreement.html"))
	follow(b, ".lede a", "The same steps beside the repair")
	b.Do(wait(".sides"))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(".round").textContent`), "They part")
	b.Do(chromedp.Click(chromedp.CSS("#first")))
	b.Eval(`new Promise((done) => { const look = () => /at=0/.test(location.hash) ? done() : requestAnimationFrame(look); look() })`)
	b.Do(chromedp.KeyEvent(kb.ArrowRight))
	b.Eval(`new Promise((done) => { const look = () => /at=1/.test(location.hash) ? done() : requestAnimationFrame(look); look() })`)
	b.Do(chromedp.Click(chromedp.CSS("#last")), wait(".round"), wait(".sides .broken"))
	assert.Equal(t, 2, browsertest.Eval[int](b, `document.querySelectorAll(".sides svg.bullyproof").length`))
	b.Contrast("body *")
	b.Keep("beside")
	b.Quiet(root, "blob:")
}

// With any text behind the # of its address the explorer's page answers, runs nothing of it, and goes on.
func TestHostileFragmentsInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(root+"/explorer.html#javascript:ran=1"), wait("#page h1"))
	for _, fragment := range []string{
		"//evil.example/", "/../../../etc/passwd", "/nowhere", "/%zz", "/%00", "/?%", "/?q=%ff", "/javascript:ran=1",
		`/"onload="ran=1`, "/<script>ran=1</script>", "/?algorithm=<img src=x onerror=ran=1>", "/%3Cimg%20src=x%20onerror=ran=1%3E",
		"/run/bully?setting=<svg onload=ran=1>", "/check/bully?setting=n%3D99", "/check/bully?setting=n%3D3+crashes%3D-1", "/run/bully?at=99999999999999999999",
		"/run/__proto__", "/run/constructor", strings.Repeat("/a", 20_000), "/run/bully?setting=" + strings.Repeat("n", 30_000),
	} {
		b.Eval(fmt.Sprintf(`new Promise((done) => { document.addEventListener("explorer-page", done, { once: true }); location.hash = %q })`, "#"+fragment))
		assert.True(t, browsertest.Eval[bool](b, `typeof ran === "undefined" && document.querySelector("#page").textContent.trim() !== "" && !document.querySelector("#page script, #page [onerror], #page [onload]")`), "%.60q", fragment)
	}
	b.Eval(`new Promise((done) => { document.addEventListener("explorer-page", done, { once: true }); location.hash = "#/" })`)
	follow(b, "#page a", "Bully")
	b.Do(wait("#page h1"))
}

// wait waits until a selector finds something visible.
func wait(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.WaitVisible(chromedp.CSS(selector))
}

// follow clicks on the first link of a selector that has these words.
func follow(b *browsertest.Browser, selector, words string) {
	b.Eval(fmt.Sprintf(`{ const link = [...document.querySelectorAll(%q)].find(a => a.textContent.includes(%q)); setTimeout(() => link.click()) }`, selector, words))
}

// settings are ten in which the page has to find what the program finds.
var settings = []struct{ algorithm, variant, setting string }{
	{"bully", "coulouris", "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1"},
	{"bully", "coulouris", "n=4 start=coordinator-down channels=unordered timing=sync:1"},
	{"garciamolina", "", ""},
	{"kabashi", "", ""},
	{"changroberts", "", ""},
	{"franklin", "", ""},
	{"lelann", "", ""},
	{"peterson", "", ""},
	{"fceabr", "", ""},
	{"raft", "", ""},
}

// A check in the page says the same as the program, except for time and memory.
func TestSameVerdictsInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(root+"/explorer.html"), wait(".catalogue"))
	cost := regexp.MustCompile(`breadth first with .*? [KM]iB\.`)
	for _, c := range settings {
		a, err := ledger.Find(slices.Concat(ours.Algorithms, ours.Examples), c.algorithm)
		require.NoError(t, err)
		v := &a.Variants[0]
		if c.variant != "" {
			v, err = a.Variant(c.variant)
			require.NoError(t, err)
		}
		in := v.Setting
		if c.setting != "" {
			in, err = setting.Parse(c.setting)
			require.NoError(t, err)
		}
		begun := time.Now()
		b.Eval(fmt.Sprintf("location.hash = %q", web.Check(a.Name, v.Name, in)))
		b.Do(chromedp.WaitVisible(chromedp.CSS(fmt.Sprintf(`.checked[data-of="%s/%s %s"]`, a.Name, v.Name, in))))
		took := time.Since(begun).Round(time.Millisecond)
		inPage := browsertest.Eval[string](b, `document.querySelector(".report").textContent`)

		sys, err := v.In(in)
		require.NoError(t, err)
		report, err := checker.Check(t.Context(), sys, checker.Options{
			Algorithm: a.Name, Variant: v.Name, Properties: checker.InSetting(a.Questions(), in),
			Reduce: checker.ReduceAuto, ReduceBeyond: checker.DefaultReduceBeyond,
		})
		require.NoError(t, err)
		var text strings.Builder
		require.NoError(t, report.WriteText(&text, render.TextOptions{Width: 100}))
		plain := func(s string) string { return cost.ReplaceAllString(strings.Join(strings.Fields(s), " "), "") }
		assert.NotEqual(t, checker.Incomplete, report.Verdict(), "%s/%s", a.Name, v.Name)
		assert.Contains(t, plain(inPage), "distinct states")
		assert.Equal(t, plain(text.String()), plain(inPage))
		t.Logf("%s/%s %s: verdicts %s after the click; %s", a.Name, v.Name, in, took, browsertest.Eval[string](b, `document.querySelector("#counted").textContent`))
	}
	b.Quiet(root, "blob:")
}

// A check that takes long says how far it is, and can be stopped: what it found is
// told, and nothing is said to hold.
func TestStopInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(root+"/explorer.html"), wait(".catalogue"))
	in, err := setting.Parse("n=5 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1")
	require.NoError(t, err)
	b.Eval(fmt.Sprintf("location.hash = %q", web.Check("bully", "coulouris", in)))
	b.Do(wait("#verdicts .violated a"))
	b.Keep("explorer-checks")
	assert.Zero(t, browsertest.Eval[int](b, `document.querySelectorAll(".checked .holds").length`))
	b.Do(chromedp.Click(chromedp.CSS("#stop")), wait(".checked[data-of]"))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector("main").textContent`), "Not everything was seen")
	assert.Zero(t, browsertest.Eval[int](b, `document.querySelectorAll(".checked .holds").length`))
	b.Quiet(root, "blob:")
}

// A survey that takes long says how far it is, and is stopped by a click: then the map is drawn
// of what was found, whose states lead to runs. The survey after it begins anew, and ends.
func TestStopSurveyInPage(t *testing.T) {
	root, _ := served(t, made(t))
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 390, Height: 844})
	b.Do(chromedp.Navigate(root+"/explorer.html"), wait(".catalogue"))
	b.Eval(`location.hash = "/map/raft/figure-2?setting=n=5+crashes=2+restarts=2+timing=sync:2"`)
	said := func() string { return browsertest.Eval[string](b, `document.querySelector("main").textContent`) }
	b.Do(wait("#stop"))
	assert.Contains(t, said(), "so far.")
	assert.False(t, b.Is("#map svg"))
	b.Keep("explorer-surveys")
	b.Do(chromedp.Click(chromedp.CSS("#stop")), wait("#map svg"))
	assert.Contains(t, said(), "The search was stopped there: there are more")
	assert.False(t, b.Is("#stop"))
	assert.Contains(t, browsertest.Eval[string](b, "location.hash"), "/map/raft/figure-2")
	b.Keep("explorer-survey-stopped")
	b.Eval(`document.querySelector("#map a:has(.state)").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
	b.Do(wait("#now"))

	b.Eval(`location.hash = "/map/bully/coulouris"`)
	b.Do(wait("#map svg"))
	assert.NotContains(t, said(), "there are more")
	assert.False(t, b.Is("#stop"))
	b.Quiet(root, "blob:")
}

// A catalogue of one's own gets a site with an explorer as docs/class.md says, and checks in the page.
func TestOwnCatalogueInPage(t *testing.T) {
	library, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	dir := t.TempDir()
	t.Chdir(dir)
	require.Zero(t, ours.Run(t.Context(), []string{"new", "cheaper", "--library", library}, nil, io.Discard, t.Output()))
	t.Chdir("cheaper")
	main := filepath.Join("cmd", "cheaper", "main.go")
	text, err := os.ReadFile(main)
	require.NoError(t, err)
	text = bytes.Replace(text, []byte("command.Main(cheaper.Algorithm)"),
		[]byte("command.Tool{Algorithms: []*ledger.Algorithm{cheaper.Algorithm}, Site: site.Publisher{}}.Main()"), 1)
	text = bytes.Replace(text, []byte("import (\n"), []byte("import (\n\t\"bullyproof/ledger\"\n\t\"bullyproof/site\"\n"), 1)
	require.NoError(t, os.WriteFile(main, text, 0o666))
	var out []byte
	for _, args := range [][]string{
		{"mod", "edit", "-replace", "bullyproof/site=" + filepath.Join(library, "site")},
		{"mod", "tidy"},
		{"run", "./cmd/cheaper", "site", "--quiet", "pages"},
	} {
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOSUMDB=off", "GOTOOLCHAIN=local")
		out, err = cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	assert.NotContains(t, string(out), "Without the explorer")
	root := browsertest.File(filepath.Join(dir, "cheaper", "pages"))
	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(root+"/algorithms/cheaper.html"), chromedp.Click(chromedp.CSS(`main a.button[href*="explorer.html"]`)), wait("#now"))
	follow(b, ".checking a", "Check this setting")
	b.Do(wait(".checked[data-of]"))
	assert.Contains(t, browsertest.Eval[string](b, `document.querySelector(".verdict").textContent`), "HOLDS")
	b.Quiet(root, "blob:")
}

// While the module loads, the run's own page can be stepped through, and the explorer begins
// at the step that its reader has reached. From there the head of the site leads to its pages
// and back, with the explorer as it was: the module is asked for once.
func TestExplorerStaysInPage(t *testing.T) {
	files := http.FileServer(http.Dir(made(t)))
	var asked atomic.Int64
	open := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/explorer/") {
			asked.Add(1)
			<-open
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1280, Height: 900})
	b.Do(chromedp.Navigate(server.URL + "/runs/bully-duplicate-coordinator.html"))
	follow(b, "a", "Change this run in the explorer")
	b.Do(wait("#still"))
	until := func(expression string) {
		t.Helper()
		b.Eval(fmt.Sprintf(`new Promise((done) => { const look = () => { try { if (%s) { done(); return } } catch {} setTimeout(look, 20) }; look() })`, expression))
	}
	until(`document.getElementById("still").contentDocument.getElementById("play").checkVisibility()`)
	assert.False(t, b.Is("#now"))
	b.Keep("explorer-waits")
	b.Eval(`(still => { still.location.hash = "#step-3" })(document.getElementById("still").contentWindow)`)
	close(open)
	b.Do(wait(`#now[data-at="3"]`))
	assert.False(t, b.Is("#still"))
	assert.Equal(t, "Explorer", browsertest.Eval[string](b, `document.querySelector(".site [aria-current]").textContent`))
	b.Keep("explorer-head")

	follow(b, ".site a", "Incidents")
	page := `document.getElementById("away").contentDocument`
	until(page + `.querySelector("h1").textContent.includes("ncident")`)
	assert.Equal(t, "#=incidents.html", browsertest.Eval[string](b, "location.hash"))
	assert.False(t, b.Is("#page"))
	b.Keep("explorer-away")
	b.Eval(page + `.querySelector('main a[href^="incidents/etcd-2020-blocked"]').click()`)
	until(page + `.querySelector('a[href*="explorer.html#/explore/"]')`)
	until(`location.hash === "#=incidents/etcd-2020-blocked.html"`)
	b.Eval(page + `.querySelector('a[href*="explorer.html#/explore/"]').click()`)
	b.Do(wait(`#now[data-at="0"]`))
	assert.Zero(t, browsertest.Eval[int](b, `document.querySelectorAll("#away").length`))
	assert.Contains(t, browsertest.Eval[string](b, "location.hash"), "trace=etcd-2020-blocked")
	assert.Contains(t, browsertest.Eval[string](b, "document.title"), "Step 0")

	b.Eval(`history.back()`)
	until(page + `.querySelector('a[href*="explorer.html#/explore/"]')`)
	b.Eval(page + `.querySelector('.site a[href*="explorer.html"]').click()`)
	b.Do(wait(`#now[data-at="0"]`))
	assert.EqualValues(t, 1, asked.Load(), "the module")
	assert.EqualValues(t, 1, browsertest.Eval[int](b, `performance.getEntriesByType("resource").filter((r) => r.name.includes("/explorer/")).length`))
	b.Do(chromedp.Navigate(server.URL + "/explorer.html#=glossary.html"))
	b.Do(chromedp.Reload())
	until(`location.pathname === "/glossary.html"`)
	b.Quiet(server.URL, "blob:")
}

// Back leads out of the explorer, and Forward into it again, to the state that was left. One that
// starts again has the runs that were opened.
func TestBackInPage(t *testing.T) {
	dir := made(t)
	root, _ := served(t, dir)
	for name, root := range map[string]string{"file": browsertest.File(dir), "server": root} {
		t.Run(name, func(t *testing.T) {
			b := browsertest.Start(t)
			b.Do(chromedp.Navigate(root+"/runs/kabashi-figure-3.html"), wait("#play"))
			before := browsertest.Eval[int](b, "history.length")
			until := func(expression string) {
				t.Helper()
				assert.Eventually(t, func() bool { return browsertest.Eval[bool](b, "Boolean("+expression+")") }, time.Minute, 50*time.Millisecond, expression)
			}
			follow(b, "a", "Change this run in the explorer")
			b.Do(wait("#now"), chromedp.KeyEvent("n"), wait(`#now[data-at="1"]`))
			address := browsertest.Eval[string](b, "location.hash")
			assert.Equal(t, before+2, browsertest.Eval[int](b, "history.length"), "each page of the explorer is a step, and nothing else")
			b.Eval(`window.stays = true`)
			b.Eval(`history.back()`)
			until(`document.querySelector('#now[data-at="0"]')`)
			b.Return("/runs/kabashi-figure-3.html")
			b.Return(address)
			until(`document.querySelector('#now[data-at="1"]')`)
			assert.Equal(t, address, browsertest.Eval[string](b, "location.hash"))
			assert.Equal(t, before+2, browsertest.Eval[int](b, "history.length"))
			t.Logf("the browser kept the page: %t", browsertest.Eval[bool](b, "window.stays === true")) // if it has room

			b.Eval(`location.hash = "#/"`)
			until(`document.querySelector("form.opener")`)
			data, err := json.Marshal(string(own(t)))
			require.NoError(t, err)
			b.Eval(fmt.Sprintf(`(() => {
  const files = new DataTransfer();
  files.items.add(new File([%s], "mine.json"));
  document.querySelector("form.opener input[type=file]").files = files.files;
  document.querySelector("form.opener").requestSubmit();
})()`, data))
			until(`document.querySelector("#now") && location.hash.includes("trace=mine")`)
			b.Do(chromedp.Reload())
			until(`document.querySelector("#now") && document.querySelector(".recording")`)
			assert.Contains(t, browsertest.Eval[string](b, "location.hash"), "trace=mine")
			b.Quiet(root, "blob:")
		})
	}
}

// own returns a run in a file that the site does not have under its name.
func own(t *testing.T) []byte {
	t.Helper()
	tr, err := counterexamples.Open("kabashi-figure-3")
	require.NoError(t, err)
	data, err := tr.Encode()
	require.NoError(t, err)
	return data
}

// Where the module is missing the page says so, above the page of the run if the link is to one.
func TestExplorerWithoutItsModule(t *testing.T) {
	dir := t.TempDir()
	const run = "runs/bully-duplicate-coordinator.html"
	require.NoError(t, os.Mkdir(filepath.Join(dir, "runs"), 0o777))
	for _, name := range []string{"explorer.html", "index.html", run} {
		data, err := os.ReadFile(filepath.Join(made(t), name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	root, _ := served(t, dir)
	b := browsertest.Start(t)
	for root, want := range map[string]string{root: "explorer/module.wasm.gz: 404 Not Found.", browsertest.File(dir): "explorer/module.js is missing."} {
		b.Do(chromedp.Navigate(root+"/index.html"), chromedp.Navigate(root+"/explorer.html"), wait("#failed"))
		assert.Equal(t, "The explorer does not start: "+want, browsertest.Eval[string](b, `document.getElementById("failed").textContent`))
		assert.False(t, b.Is("#still"))
		b.Do(chromedp.Navigate(root+"/index.html"), chromedp.Navigate(root+"/explorer.html#/explore/bully/coulouris?trace=bully-duplicate-coordinator"), wait("#failed"), wait("#still"))
		assert.True(t, browsertest.Eval[bool](b, `document.getElementById("failed").getBoundingClientRect().bottom < document.getElementById("still").getBoundingClientRect().top`))
		b.Keep("explorer-failed")
	}
	b.Show(browsertest.View{NoScript: true})
	b.Do(chromedp.Navigate(root + "/explorer.html"))
	assert.True(t, b.Is("noscript p, p.error a"))
}
