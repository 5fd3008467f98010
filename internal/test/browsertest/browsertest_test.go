//go:build browser

package browsertest_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/browsertest"
)

// The faults of a page are seen: errors, exceptions, and requests to others.
func TestRecords(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/good" {
			_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><h1>good</h1>`))
			return
		}
		_, _ = w.Write([]byte(`<!doctype html><h1>bad</h1><img src="https://elsewhere.example/x.png">
			<script>console.error("an error", 7); setTimeout(() => { throw new Error("thrown") })</script>`))
	}))
	defer server.Close()

	b := browsertest.Start(t)
	b.Do(chromedp.Navigate(server.URL + "/good"))
	assert.Equal(t, "good", browsertest.Get(b, chromedp.Text(chromedp.CSS("h1"))))
	b.Quiet(server.URL)
	assert.Contains(t, b.Requests(), server.URL+"/good")

	bad := b.Tab(t)
	bad.Do(chromedp.Navigate(server.URL+"/bad"), chromedp.WaitVisible(chromedp.CSS("h1")))
	assert.Equal(t, 7, browsertest.Eval[int](bad, "new Promise(done => setTimeout(() => done(7), 100))"))
	assert.Contains(t, bad.Requests(), "https://elsewhere.example/x.png")
	console := bad.Console()
	assert.Contains(t, console, `error "an error" 7`)
	assert.Contains(t, strings.Join(console, "\n"), "Error: thrown")

	failed := &recorder{TB: t}
	bad.For(failed).Quiet(server.URL)
	assert.GreaterOrEqual(t, failed.errors, 3)
	b.Quiet(server.URL) // the tabs have records of their own
}

// A recorder counts errors that a test would fail with.
type recorder struct {
	testing.TB
	errors int
}

func (r *recorder) Error(...any) { r.errors++ }

func (r *recorder) Errorf(string, ...any) { r.errors++ }

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// The tests of a package share a browser, and nothing that they leave there.
func TestShares(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	for _, name := range []string{"one", "another"} {
		b := browsertest.Start(t)
		b.Do(chromedp.Navigate(server.URL))
		assert.Equal(t, "", browsertest.Eval[string](b, `localStorage.getItem("name") || ""`))
		b.Eval(`localStorage.setItem("name", "` + name + `")`)
		tab := b.Tab(t) // of the same test
		tab.Do(chromedp.Navigate(server.URL))
		assert.Equal(t, name, browsertest.Eval[string](tab, `localStorage.getItem("name")`))
	}
}

// A picture is kept where somebody asks for it.
func TestKeep(t *testing.T) {
	b := browsertest.Start(t)
	b.Keep("unasked")
	dir := t.TempDir()
	t.Setenv("BULLYPROOF_SCREENSHOTS", dir)
	b.Keep("asked")
	files, err := os.ReadDir(dir)
	assert.NoError(t, err)
	if assert.Len(t, files, 1) {
		assert.Equal(t, "asked.png", files[0].Name())
	}
}

func TestShow(t *testing.T) {
	b := browsertest.Start(t)
	for _, v := range []browsertest.View{
		{Width: 360, Height: 500},
		{Width: 360, Dark: true},
		{Width: 500, Still: true},
		{Width: 360, Print: true},
	} {
		b.Show(v)
		assert.Equal(t, v.Width, browsertest.Eval[int](b, "innerWidth"))
		for query, want := range map[string]bool{
			"(prefers-color-scheme: dark)": v.Dark, "(prefers-reduced-motion: reduce)": v.Still, "print": v.Print,
		} {
			assert.Equal(t, want, browsertest.Eval[bool](b, `matchMedia("`+query+`").matches`), "%s in %+v", query, v)
		}
	}
	assert.Equal(t, 360, b.Screenshot("blank").Bounds().Dx())
	b.Quiet()
	_, err := browsertest.Try(b, chromedp.Evaluate[int]("nothing.there"))
	assert.ErrorContains(t, err, "nothing is not defined")
}

// Overlaps, texts that run out of their drawing, and poor contrasts are found.
func TestChecks(t *testing.T) {
	b := browsertest.Start(t)
	show := func(body string) *recorder {
		b.Do(chromedp.Navigate("data:text/html," + url.PathEscape("<!doctype html><style>*{margin:0}</style>"+body)))
		failed := &recorder{TB: t}
		tab := b.For(failed)
		if strings.Contains(body, "<svg") {
			tab.Drawings("svg")
		}
		tab.Contrast("p, text")
		tab.Fits("p")
		return failed
	}
	const open = `<svg viewBox="0 0 100 100" width="100" height="100">`
	for body, want := range map[string]int{
		open + `<text x="0" y="20">good</text></svg><p>good</p>`:                                                   0,
		open + `<text x="0" y="20">one</text><text x="5" y="22">two</text></svg>`:                                  1,
		open + `<text x="90" y="20">beyond</text></svg>`:                                                           1,
		open + `<path class="wire" d="M0 15H90"/><text x="0" y="20">crossed</text></svg>`:                          1,
		open + `<circle class="sign" cx="9" cy="15" r="5"/><text y="20">on</text></svg>`:                           1,
		open + `<rect width="100" height="30"/><text y="20">black</text></svg>`:                                    1,
		open + `<rect class="band" fill="white" width="9" height="30"/><text class="label" y="20">on</text></svg>`: 1,
		`<p style="color:silver">pale</p>`:                                                                         1,
		`<p style="width:9999px">wide</p>`:                                                                         1,
		`<p style="width:20px">unbreakable</p>`:                                                                    1,
	} {
		assert.Equal(t, want, show(body).errors, body)
	}
}

func TestSkip(t *testing.T) {
	for value, want := range map[string]string{"": "skipped", "required": "failed"} {
		t.Setenv(browsertest.Variable, value)
		got := &ender{TB: t}
		browsertest.Skip(got, "no browser")
		assert.Equal(t, want, got.how)
	}
}

// An ender notes how a test would end.
type ender struct {
	testing.TB
	how string
}

func (e *ender) Fatal(...any) { e.how = "failed" }

func (e *ender) Skip(...any) {
	if e.how == "" {
		e.how = "skipped"
	}
}
