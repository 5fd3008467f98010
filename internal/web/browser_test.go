//go:build browser

package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/counterexamples"
	"bullyproof/internal/test/browsertest"
	"bullyproof/internal/test/casecount"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }

// A session is a browser at an explorer.
type session struct {
	*browsertest.Browser
	t       testing.TB
	address string
}

// newSession serves an explorer and starts a browser.
func newSession(t *testing.T, s *Server) *session {
	t.Helper()
	b := browsertest.Start(t)
	address, end := serve(t, s)
	t.Cleanup(func() { assert.NoError(t, end()) })
	return &session{b, t, address}
}

// part returns the session for a part of the test.
func (s *session) part(t testing.TB) *session { return &session{s.For(t), t, s.address} }

// act carries out what leads to another page, and waits for that.
func (s *session) act(do ...chromedp.Action[chromedp.Void]) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.Context, time.Minute)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, do...)
	require.NoError(s.t, err)
	require.EqualValues(s.t, http.StatusOK, answer.Status)
}

func (s *session) open(page string)      { s.t.Helper(); s.act(chromedp.Navigate(s.address + page)) }
func (s *session) press(key string)      { s.t.Helper(); s.act(chromedp.KeyEvent(key)) }
func (s *session) click(selector string) { s.t.Helper(); s.act(chromedp.Click(chromedp.CSS(selector))) }
func (s *session) text(selector string) string {
	s.t.Helper()
	return get1[string](s, selector, "innerText")
}
func (s *session) count(selector string) int {
	return browsertest.Eval[int](s.Browser, fmt.Sprintf("document.querySelectorAll(%q).length", selector))
}
func (s *session) query() string { return browsertest.Eval[string](s.Browser, "location.search") }
func (s *session) focus() string {
	return browsertest.Eval[string](s.Browser, "document.activeElement.innerText || document.activeElement.tagName")
}

func get1[T any](s *session, selector, field string) T {
	return browsertest.Eval[T](s.Browser, fmt.Sprintf("document.querySelector(%q).%s", selector, field))
}

// at fails the test unless the page is that of a path, by all that says so.
func (s *session) at(path string) {
	s.t.Helper()
	var want string
	if path != "" {
		want = "path=" + path
	}
	got := ""
	if _, p, ok := strings.Cut(s.query(), "path="); ok {
		got = "path=" + p
	}
	assert.Equal(s.t, want, got)
}

// Stepping, by buttons and by keys.
func TestBrowserSteps(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/")
	s.click(`.algorithm a[href="/explore/bully"]`)
	assert.Equal(t, "P3 believes itself coordinator, followed by P1 and P2.", s.text("#happened"))
	s.click(`button[value="c3"]`)
	s.at("c3")
	assert.Equal(t, "step\n1 P3 crashes.", s.text("#happened"))

	s.press("1") // the first action: P1 finds that P3 is down
	s.at("c3~f1.3")
	s.press("u")
	s.at("c3~f1.3&at=1")
	s.press("n") // no recording: forward
	s.at("c3~f1.3")
	s.press(kb.Backspace)
	s.press(kb.ArrowRight)
	s.at("c3~f1.3")
	s.press(kb.ArrowLeft)
	s.press(kb.ArrowLeft)
	s.at("c3~f1.3&at=0")
	s.press(kb.End)
	s.at("c3~f1.3")
	s.press(kb.Home)
	s.at("c3~f1.3&at=0")
	s.click("#last")

	// The arrows choose, and Enter takes.
	s.Do(chromedp.KeyEvent(kb.ArrowDown))
	first := s.focus()
	s.Do(chromedp.KeyEvent(kb.ArrowDown))
	second := s.focus()
	assert.NotEqual(t, first, second)
	s.Do(chromedp.KeyEvent(kb.ArrowUp))
	assert.Equal(t, first, s.focus())
	assert.Equal(t, "solid 3px", browsertest.Eval[string](s.Browser, `(s => s.outlineStyle + " " + s.outlineWidth)(getComputedStyle(document.activeElement))`), "the focus can be seen")
	code := browsertest.Eval[string](s.Browser, "document.activeElement.value")
	s.press(kb.Enter)
	s.at("c3~f1.3~" + code)
	assert.NotEqual(t, "BODY", s.focus(), "the keyboard stays where it was")

	// A row of the diagram and a step of the list lead to their moments.
	s.click(`#diagram a rect[data-row="1"]`)
	s.at("c3~f1.3~" + code + "&at=1")
	s.click(`.steps li:nth-child(3) button`)
	s.at("c3~f1.3~" + code + "&at=2")
	s.click(`.told li:nth-child(1) button`)
	s.at("c3~f1.3~" + code + "&at=0")
	s.Quiet(s.address)
}

// Keys that mean something to the browser, or to a text field, are left to
// them.
func TestBrowserKeys(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/explore/bully/coulouris?path=c3")
	s.Do(chromedp.KeyEvent("?"))
	assert.True(t, get1[bool](s, "#help", "open"))
	s.Do(chromedp.KeyEvent("u"))
	s.at("c3")
	s.Do(chromedp.KeyEvent(kb.Escape))
	assert.False(t, get1[bool](s, "#help", "open"))
	s.Do(chromedp.Click(chromedp.CSS("#help-open")), chromedp.Click(chromedp.CSS("#help button")))
	assert.False(t, get1[bool](s, "#help", "open"))
	s.Do(chromedp.KeyEvent("u", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent("x"))
	s.at("c3")
	s.Do(chromedp.Click(chromedp.CSS(".world > summary")), chromedp.Click(chromedp.CSS("#setting-text")), chromedp.KeyEvent("u1n"))
	assert.Contains(t, get1[string](s, "#setting-text", "value"), "u1n")
	s.at("c3")
	// Another setting begins another run.
	s.Eval(`document.querySelector("#setting-text").value = "n=4 start=settled crashes=1"`)
	s.click(".setting button")
	s.at("")
	assert.Equal(t, 4, s.count(".processes tbody"))
	s.Quiet(s.address)
}

// A reader who presses keys faster than pages come loses none. From the tenth action on,
// keys are letters.
func TestBrowserQuickKeys(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/explore/bully/coulouris?trace=" + duplicate)
	s.Eval(`for (let i = 0; i < 6; i++) document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }))`)
	s.Do(chromedp.WaitVisible(chromedp.CSS(`#now[data-at="6"]`)))
	s.press("n")
	assert.Equal(t, "7", s.text(".count strong"))

	s.open("/explore/bully/coulouris?setting=n=5+start=settled+crashes=2&path=c5~f1.5")
	tenth := browsertest.Eval[string](s.Browser, `document.querySelector('button[data-key="a"]').value`)
	s.press("a")
	s.at("c5~f1.5~" + tenth)
	s.Quiet(s.address)
}

// A recorded run is followed, left, and come back to.
func TestBrowserBranches(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/")
	s.click(`a[href*="trace=bully-duplicate-coordinator"]`)
	s.at("")
	s.press("n")
	s.press("n")
	s.at("c3~f2.3")
	assert.Contains(t, s.text(".recording"), "Step 2 of 7")
	assert.Equal(t, 1, s.count(".marked"))
	s.click(`button[value="r3"]`)
	s.at("c3~f2.3~r3")
	assert.Contains(t, s.text(".recording"), "You left the recorded run after step 2 of 7.")
	s.click("#return")
	s.at("c3~f2.3~r3&at=2")
	for range 5 {
		s.click("#next")
	}
	s.at("c3~f2.3~x3.2.election.1~k~k~r3~t2.T")
	assert.Contains(t, s.text(".broken"), "uniqueness breaks here: P2 and P3 both believe themselves coordinator")
	assert.Equal(t, 0, s.count("#next"))
	assert.Equal(t, "uniqueness breaks here", strings.Join(strings.Fields(s.text(".properties .breaks summary")), " "))
	s.Drawings("#diagram svg")
	s.Quiet(s.address)
}

// types has the key / lead to the field of expressions, and types one. The keys of chromedp
// also put the / there, as no keyboard does.
func (s *session) types(text string) {
	s.t.Helper()
	s.Do(chromedp.KeyEvent("/"))
	assert.Equal(s.t, "expression", browsertest.Eval[string](s.Browser, "document.activeElement.id"))
	s.Eval(`document.getElementById("expression").value = ""`)
	s.Do(chromedp.KeyEvent(text))
	assert.Equal(s.t, text, get1[string](s, "#expression", "value"))
}

// An expression is typed, gone to, watched and removed, by keys alone if one likes. An
// error in one is in sight, with the keyboard in its field.
func TestBrowserExpressions(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 1280, Height: 800})
	s.open("/explore/bully/coulouris?path=c3")
	s.types("leaders == 2")
	s.press(kb.Enter)
	assert.Equal(t, "7", s.text(".count strong"))
	assert.Equal(t, "true", s.text(".watches .watched mark"))
	s.Keep("until")
	s.press("u")
	assert.Contains(t, s.text(".watches .watched"), "false")
	s.click(`.watches button[name="expr"]`)
	assert.Equal(t, "7", s.text(".count strong"))
	s.types("map(processes, .follows)")
	s.click("#keep")
	assert.Equal(t, 2, s.count(".watches li"))
	s.Show(browsertest.View{Width: 360, Height: 740, Dark: true})
	s.Fits("h1, h2, h3, p, li, dd, dt, button, td, th, .card, summary, input")
	s.Contrast("body *")
	s.Audit()
	s.Keep("watches-narrow")
	s.Show(browsertest.View{Width: 1280, Height: 800})
	s.click(`.watches button[name="drop"]`)
	assert.Equal(t, "map(processes, .follows)", s.text(".watches code"))

	s.types("leaders == 2 && P4.up")
	ctx, cancel := context.WithTimeout(s.Context, time.Minute)
	defer cancel()
	answer, err := chromedp.RunResponse(ctx, chromedp.KeyEvent(kb.Enter))
	require.NoError(t, err)
	assert.EqualValues(t, http.StatusBadRequest, answer.Status)
	assert.Contains(t, s.text("#answered"), "unknown name P4")
	assert.Equal(t, "expression", browsertest.Eval[string](s.Browser, "document.activeElement.id"))
	assert.True(t, browsertest.Eval[bool](s.Browser, `(box => box.top >= 0 && box.bottom <= innerHeight)(document.getElementById("answered").getBoundingClientRect())`))
	assert.Equal(t, 1, s.count(".watches li"))
	s.Contrast("body *")
	s.Audit()
	s.Keep("until-wrong")
}

// A link restores the run in another tab, and after a reload.
func TestBrowserRestores(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/explore/bully/coulouris?path=c3~f2.3")
	s.press("u")
	s.press("2")
	link := browsertest.Eval[string](s.Browser, "location.href")
	page := browsertest.Eval[string](s.Browser, "document.querySelector('main').innerText")
	s.act(chromedp.Reload())
	assert.Equal(t, page, browsertest.Eval[string](s.Browser, "document.querySelector('main').innerText"))
	other := &session{s.Tab(t), t, s.address}
	other.act(chromedp.Navigate(link))
	assert.Equal(t, page, browsertest.Eval[string](other.Browser, "document.querySelector('main').innerText"))
	s.Eval("history.back()")
	assert.Eventually(t, func() bool { return strings.HasSuffix(s.query(), "path=c3~f2.3&at=1") }, time.Minute, 20*time.Millisecond)
	other.Quiet(s.address)
	s.Quiet(s.address)
}

// Without scripts everything is there but keys.
func TestBrowserWithoutScript(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{NoScript: true})
	s.open("/explore/bully/coulouris?trace=" + duplicate)
	for range 3 {
		s.click("#next")
	}
	s.click("#back")
	s.click(`button[value="r3"]`)
	assert.True(t, s.Is("#return"))
	assert.False(t, s.Is("#copy"))
	assert.False(t, s.Is("#help-open"))
	s.Keep("noscript")
	s.Quiet(s.address)
}

// Every page fits every window, and can be read in the light and in the dark.
func TestBrowserLooks(t *testing.T) {
	s := newSession(t, newServer(t))
	for name, page := range map[string]string{
		"home":    "/",
		"start":   "/explore/bully/coulouris",
		"end":     "/explore/bully/coulouris?trace=" + duplicate + "&path=c3~f2.3~x3.2.election.1~k~k~r3~t2.T",
		"ahead":   "/explore/bully/coulouris?trace=" + duplicate + "&path=c3~f2.3~r3~k&at=2",
		"starts":  "/explore/changroberts/coulouris?setting=n%3D5+topology%3Dring+initiators%3Dany",
		"choices": "/explore/itairodeh/itai-rodeh",
		"ring":    "/explore/changroberts/coulouris?setting=n%3D4+topology%3Dring+arrangement%3D1-3-2-4",
		"seven":   "/explore/bully/coulouris?setting=n%3D7+start%3Dsettled+crashes%3D1+cuts%3D1&path=c7~f5.7~v2.3",
		"endless": endless(t),
	} {
		t.Run(name, func(t *testing.T) {
			s := s.part(t)
			views := []browsertest.View{{Width: 360, Height: 740}}
			colours := []browsertest.View{{Width: 1280, Dark: true, Still: true}}
			if *deep {
				views = append(views, browsertest.View{Width: 1920, Height: 1080, Dark: true},
					browsertest.View{Width: 800, Height: 900, Dark: true}, browsertest.View{Width: 1280, Height: 800})
				colours = append(colours, browsertest.View{Width: 1280})
			}
			for _, v := range views {
				s.looks(name, page, v)
			}
			for _, v := range colours {
				s.colours(v)
			}
			s.Quiet(s.address)
		})
	}
}

// looks fails the test unless a page fits a window.
func (s *session) looks(name, page string, v browsertest.View) {
	s.t.Helper()
	s.Show(v)
	s.open(page)
	s.Fits("h1, h2, h3, p, li, dd, dt, button, td, th, .card, summary")
	if s.count("#diagram") > 0 {
		s.Drawings("#diagram svg")
		s.Whole("#diagram svg", 0)
	}
	s.Keep(fmt.Sprintf("%s-%d-%t", name, v.Width, v.Dark))
}

// colours fails the test unless what the page has can be told from its ground.
func (s *session) colours(v browsertest.View) {
	s.t.Helper()
	s.Show(v)
	s.Contrast("body *")
	s.Audit()
	want := map[bool]string{false: "rgb(246, 247, 249)", true: "rgb(11, 14, 18)"}[v.Dark]
	assert.Equal(s.t, want, browsertest.Eval[string](s.Browser, "getComputedStyle(document.body).backgroundColor"))
	moves := browsertest.Eval[bool](s.Browser, "getComputedStyle(document.querySelector('button, .card')).transitionDuration !== '0s'")
	assert.Equal(s.t, !v.Still, moves)
}

// A long run without end is shown with where it begins again.
func TestBrowserEndless(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 1920, Height: 1080})
	s.open(endless(t))
	assert.GreaterOrEqual(t, s.count(".steps li"), 41)
	assert.Contains(t, s.text(".round"), "This is the same state as after step")
	assert.Contains(t, s.text(".broken"), "this run breaks it: going round steps")
	assert.Positive(t, s.count("#diagram .lasso"))
	// The chosen row is in sight, on its own line and in the list.
	for _, c := range [][2]string{{"#diagram", "#diagram .row.selected"}, {"#telling", "#telling [aria-current]"}} {
		assert.True(t, browsertest.Eval[bool](s.Browser, fmt.Sprintf(`(() => {
			const box = document.querySelector(%q).getBoundingClientRect(), row = document.querySelector(%q).getBoundingClientRect()
			return row.top >= box.top - 1 && row.bottom <= box.bottom + 1
		})()`, c[0], c[1])), c[0])
	}
	s.Drawings("#diagram svg")
	s.Quiet(s.address)
}

// In a window of any size, each step of a long run is visible: what happened, its row
// of the diagram (on a phone the stage), and the first of what can happen next.
func TestBrowserShowsEachStep(t *testing.T) {
	server := newServer(t)
	s := newSession(t, server)
	tr, err := counterexamples.Open("fceabr-two-coordinators")
	require.NoError(t, err)
	to, err := server.linkTo(Recording{"fceabr-two-coordinators", tr})
	require.NoError(t, err)
	to.path = newFollow(to.trace, tr).actions
	for _, v := range []browsertest.View{{Width: 1280, Height: 720}, {Width: 1440, Height: 900}, {Width: 390, Height: 844}} {
		t.Run(fmt.Sprintf("%dx%d", v.Width, v.Height), func(t *testing.T) {
			s := s.part(t)
			s.Show(v)
			s.open(to.moved(0).url())
			for i := range len(to.path) {
				switch at := i + 1; {
				case i < 2:
					s.press(kb.ArrowRight)
				case at == len(to.path) || casecount.Takes(t, *deep, 4, fmt.Sprint(to.path[i])):
					s.open(to.moved(at).url())
				default:
					continue
				}
				assert.Empty(t, browsertest.Eval[string](s.Browser, outOfSight), "step %d", i+1)
			}
		})
	}
	s.Quiet(s.address)
}

// outOfSight names what is not in the window of the step that is shown. The head of the
// page hides what is behind it, and the diagram has a window of its own.
const outOfSight = `(() => {
	const box = (part) => document.querySelector(part).getBoundingClientRect(), head = box(".bar"), frame = box("#diagram")
	const top = Math.max(0, getComputedStyle(document.querySelector(".bar")).position === "sticky" ? head.bottom : 0)
	const out = (part, from, to) => !document.querySelector(part) || box(part).top >= from - 1 && box(part).bottom <= to + 1 ? "" : part + " "
	const picture = innerWidth < 992 ? out("#stage svg", top, innerHeight) :
		out("#diagram .row.selected", Math.max(top, frame.top), Math.min(innerHeight, frame.bottom))
	return out("#happened", top, innerHeight) + picture + out(".action .title", top, innerHeight)
})()`

// Each control has a role and a name of its own.
func TestBrowserNames(t *testing.T) {
	s := newSession(t, newServer(t))
	for _, page := range []string{"/", "/explore/bully/coulouris?trace=" + duplicate + "&path=c3", "/explore/changroberts/coulouris"} {
		s.open(page)
		names := make(map[string]bool)
		for _, n := range s.Accessible() {
			role := ""
			if n.Role != nil {
				role = string(n.Role.Value)
			}
			switch strings.Trim(role, `"`) {
			case "button", "link", "textbox", "region", "checkbox", "navigation", "main", "table", "dialog":
				name := ""
				if n.Name != nil {
					name = strings.Trim(string(n.Name.Value), `"`)
				}
				if strings.Trim(role, `"`) != "main" && strings.Trim(role, `"`) != "table" && !n.Ignored {
					assert.NotEmpty(t, name, "%s on %s", role, page)
				}
				names[name] = true
				assert.NotRegexp(t, `^\d+ ?[A-Za-z]`, name, "a key is no part of the name")
			}
		}
		if strings.Contains(page, "path=c3") {
			for name := range map[string]bool{"step 1: P3 crashes": true, "Diagram of the run": true, "Table of processes": true, "Recorded run": true} {
				assert.True(t, names[name], name)
			}
		}
		assert.Equal(t, 1, s.count("h1"))
		assert.Equal(t, 1, s.count("main"))
	}
	s.Quiet(s.address)
}

// Everything that the keyboard reaches shows that it has the focus: by an
// outline that can be told from what is around it.
func TestBrowserFocus(t *testing.T) {
	s := newSession(t, newServer(t))
	kinds := make(map[string]bool)
	for _, page := range []string{"/", "/explore/bully/coulouris?trace=" + duplicate + "&path=c3~f2.3", "/explore/changroberts/coulouris"} {
		for _, dark := range []bool{false, true} {
			if dark != (page == "/") && !*deep {
				continue // one of them is dark
			}
			s.Show(browsertest.View{Dark: dark})
			s.open(page)
			for range 60 {
				s.Do(chromedp.KeyEvent(kb.Tab))
				got := browsertest.Eval[struct {
					Kind, Outline string
					Ratio         float64
					At, Done      bool
				}](s.Browser, focused)
				if got.Done {
					break
				}
				kinds[got.Kind] = true
				assert.Equal(t, "solid 3px", got.Outline, "%s on %s", got.Kind, page)
				assert.GreaterOrEqual(t, got.Ratio, 3.0, "%s on %s", got.Kind, page)
				assert.True(t, got.At, "%s on %s is out of sight", got.Kind, page)
			}
		}
	}
	for _, kind := range []string{"A", "BUTTON", "SUMMARY", "INPUT", "DIV"} {
		assert.True(t, kinds[kind], kind)
	}
	s.Quiet(s.address)
}

// focused tells about what has the focus: its outline, how that can be told from
// the ground of the page, and whether it is in the window. It is done where
// nothing has the focus.
const focused = `(() => {
	const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect()
	if (e === document.body) return { Done: true }
	const light = (c) => {
		const [r, g, b] = c.match(/[\d.]+/g).map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4))
		return 0.2126 * r + 0.7152 * g + 0.0722 * b
	}
	const a = light(style.outlineColor), b = light(getComputedStyle(document.body).backgroundColor)
	return {
		Kind: e.tagName, Outline: style.outlineStyle + " " + style.outlineWidth,
		Ratio: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
		At: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
	}
})()`

// The texts of a hostile protocol also stay text in a browser.
func TestBrowserHostile(t *testing.T) {
	s := newSession(t, hostileServer(t))
	for _, page := range []string{"/", "/explore/hostile/plain?path=s1~k", page("hostile", markup) + "?path=s1"} {
		s.open(page)
		assert.Equal(t, 1, s.count("script"))
		assert.Equal(t, 0, s.count("img"))
	}
	s.open("/explore/hostile/plain?path=s1")
	assert.Contains(t, s.text(".actions"), markup)
	s.Fits("h1, h2, h3, p, li, dd, dt, button")
	s.Quiet(s.address)
}

// click1 clicks on the first part of the map that a selector finds.
func (s *session) click1(selector string) {
	s.t.Helper()
	s.act(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`document.querySelector(%q).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`, selector)))
}

// The map of all states is drawn, a layer below the other, in every window and by night. A dot leads to its
// state, and the map shows the run that one comes from.
func TestBrowserMap(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/map/bully/coulouris-noretry?setting=n=3+start=settled+timing=sync:1+crashes=2")
	s.mapLooks("map")
	all := s.count("#map .state")
	assert.Greater(t, all, 50)
	assert.Greater(t, s.count("#map .step.lit"), 0)
	assert.Greater(t, s.count("#map .state.settled"), 0)
	assert.Equal(t, all, s.count("#map a"))
	heights := `new Set([...document.querySelectorAll("#map circle.state")].map((dot) => Math.round(dot.cy.baseVal.value))).size`
	layers := `new Set([...document.querySelectorAll(".layers tbody td:first-child")].map((cell) => cell.textContent)).size`
	assert.Equal(t, browsertest.Eval[int](s.Browser, layers), browsertest.Eval[int](s.Browser, heights), "layers")
	s.click1("#map a:nth-of-type(40)")
	assert.Contains(t, s.query(), "path=")
	assert.NotEqual(t, "0", s.text(".count strong"))
	s.click(`a[href^="/map/"]`)
	assert.Greater(t, s.count("#map :is(.on, .now)"), 1)
	assert.Equal(t, 1, s.count("#map .now"))
	s.Keep("map-of-a-run")
	s.Quiet(s.address)
}

// mapLooks looks at a map in windows of three sizes and colours.
func (s *session) mapLooks(name string) {
	s.t.Helper()
	for _, v := range []browsertest.View{{Width: 390, Height: 844}, {Width: 1440, Height: 900, Dark: true}, {Width: 1440, Height: 900}} {
		s.Show(v)
		assert.LessOrEqual(s.t, browsertest.Eval[float64](s.Browser, "document.documentElement.scrollWidth"), float64(v.Width))
		s.Contrast("main *")
		s.Audit()
		s.Keep(fmt.Sprintf("%s-%d-%t", name, v.Width, v.Dark))
	}
}

// The 21,062 states of the Bully are some boxes. One leads to a state of its own, a mark to
// one that is broken, and the number to a list. The run walks on the map by keys.
func TestBrowserMapMerges(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/map/bully/coulouris")
	s.mapLooks("map-merged")
	assert.Contains(t, s.text("main"), "21,062 states")
	assert.Zero(t, s.count(".error"))
	boxes := s.count("#map .box")
	assert.Greater(t, boxes, 10)
	assert.Equal(t, boxes, s.count(".layers tbody tr"))
	circles := `[...document.querySelectorAll("#map a")].find(a => a.querySelector(".proc.leads.c2") && a.querySelector(".proc.follows.c2")).setAttribute("id", "chosen")`
	s.Eval(circles)
	s.click1("#chosen")
	assert.Contains(t, s.text(".processes"), "P2", "P2 leads, and somebody follows it")
	assert.Equal(t, 1, s.count(".processes .leads.id.c2"))
	assert.Positive(t, s.count(".processes .who.c2:not(.leads)"))

	s.open("/map/bully/coulouris")
	s.click1("#map a:has(> path.state.bad)")
	assert.Positive(t, s.count("#now .broken"))
	s.click(`a[href^="/map/"]`)
	assert.Positive(t, s.count("#map .step.run"))
	at := func() string {
		return browsertest.Eval[string](s.Browser, `document.querySelector("#map :has(> .now) title").textContent`)
	}
	end := at()
	assert.Equal(t, "7", s.text(".walk strong"))
	for range 6 {
		s.press(kb.ArrowLeft)
	}
	assert.Equal(t, "1", s.text(".walk strong"))
	assert.NotEqual(t, end, at())
	s.Keep("map-merged-walk")
	s.click1("#map a:has(> .many)")
	assert.Equal(t, 50, s.count(".layers tbody tr"))
	s.Contrast("main *")
	s.Audit()
	s.Keep("map-among")
	s.click("#more")
	s.click(".layers tbody tr:last-child a")
	assert.Positive(t, s.count("#now"))
	s.Quiet(s.address)
}

// At the start, where nothing is drawn yet, the state stands below the diagram, and the page
// says what to do.
func TestBrowserStart(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 1280, Height: 900})
	left := func(of string) float64 {
		return browsertest.Eval[float64](s.Browser, fmt.Sprintf(`document.querySelector(%q).getBoundingClientRect().left`, of))
	}
	s.open("/explore/bully/coulouris?trace=" + duplicate)
	assert.Equal(t, left(".diagram"), left(".side"))
	assert.Contains(t, s.text(".begin"), "Nothing has happened yet.")
	s.Keep("explore-start")
	s.click(`.steps button[value="7"]`)
	assert.Contains(t, s.text(".broken"), "uniqueness breaks here")
	assert.Equal(t, left(".next"), left(".side"))
	assert.Zero(t, s.count(".begin"))
	s.Quiet(s.address)
}

// touch has a part of the stage take what can happen to it, by a click on what is drawn.
func (s *session) touch(part string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const part = document.getElementById(%q), box = (part.querySelector(".reach, .actor, .dot circle:not(.halo), .face")).getBoundingClientRect()
		const x = box.left + box.width / 2, y = box.top + box.height / 2, hit = document.elementFromPoint(x, y)
		if (!hit || hit.closest(".hold") !== part) throw new Error("something lies on " + part.id + ": " + (hit && hit.outerHTML.slice(0, 80)))
		hit.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))
	})()`, part))
}

// chosen takes a choice of the part of the stage that is held.
func (s *session) chosen(words string) {
	s.t.Helper()
	s.Do(chromedp.WaitVisible(chromedp.CSS("#hand")))
	assert.Contains(s.t, s.text("#hand"), words)
	s.act(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll("#hand button")].find(b => b.innerText.includes(%q)).click()`, words)))
}

const touched = "/explore/bully/coulouris?setting=n=3+start=settled+timing=sync:1+crashes=1+restarts=1+pauses=1+losses=1+cuts=1+cut-by=link"

// The name of a part of the stage has what is read on it, and more: people who speak to a page say what
// they read.
func TestBrowserStageNames(t *testing.T) {
	s := newSession(t, newServer(t))
	for _, address := range []string{touched, recordedAt(t, "k8slease-rates") + "&go=20", recordedAt(t, duplicate) + "&go=3"} {
		s.open(address)
		assert.Positive(t, s.count("#stage a.hold"))
		assert.Empty(t, browsertest.Eval[[]string](s.Browser, `[...document.querySelectorAll("#stage a.hold")].map((hold) => {
  const seen = [...hold.querySelectorAll("text")].filter((text) => !text.closest("[aria-hidden]")).map((text) => text.textContent).join(" ");
  return hold.ariaLabel.toLowerCase().includes(seen.toLowerCase()) ? "" : hold.ariaLabel + " lacks " + seen;
}).filter(Boolean)`), address)
	}
}

// Each kind of thing on the stage takes what can happen to it: a process, a message, a link
// and time. A ghost shows what would come of it.
func TestBrowserStage(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 1280, Height: 900})
	s.open(touched)
	s.Do(s.touch("on-P3"))
	s.chosen("P3 crashes")
	s.at("c3")
	assert.Equal(t, "on-P3", browsertest.Eval[string](s.Browser, "document.activeElement.id"), "the keyboard stays at what was touched")
	s.Do(s.touch("on-P1"))
	s.Keep("stage-hand")
	s.chosen("P1 finds that P3 is down")
	s.at("c3~f1.3")
	s.Do(s.touch("on-message-1"))
	assert.Contains(t, s.text("#hand"), "a unit of time passes", "a message may be late")
	s.chosen("the network loses")
	assert.Contains(t, s.query(), "path=c3~f1.3~l")
	s.act(chromedp.KeyEvent("u"))
	s.act(s.touch("on-P1-P2")) // which it takes at once, there being no other choice
	assert.Contains(t, s.query(), "path=c3~f1.3~v-l1.2.b")
	assert.Equal(t, 2, s.count("#stage .cut"))
	s.act(s.touch("on-time"))
	assert.True(t, strings.HasSuffix(s.query(), "~k"), s.query())
	assert.Equal(t, "time 1", get1[string](s, "#on-time .belief", "textContent"))
	s.Keep("stage-cut")

	// A ghost, of a choice in the list and of a part that is touched.
	s.open("/explore/bully/coulouris?trace=" + duplicate + "&path=c3~f2.3~x3.2.election.1~k~k~r3")
	s.Do(chromedp.Focus(chromedp.CSS(`button[value="t2.T"]`)))
	assert.Equal(t, "coordinator", get1[string](s, "#on-P2 .ghost .belief", "textContent"))
	assert.Contains(t, s.text("#matter"), "It breaks uniqueness")
	s.Keep("stage-ghost")
	s.Do(chromedp.Focus(chromedp.CSS("#first")))
	assert.Zero(t, s.count(".ghost"))
	s.Do(chromedp.Focus(chromedp.CSS("#on-P2")))
	assert.Equal(t, 1, s.count("#on-P2 .ghost"))
	assert.Contains(t, get1[string](s, "#on-P2", "ariaLabel"), "breaks a property")
	s.press(kb.Enter)
	assert.Equal(t, 1, s.count("section.stage.broken"))
	s.Contrast("body *")
	s.Audit()

	// By the keyboard alone.
	s.open(touched)
	// The keys of chromedp press Enter twice: also what gets the focus by it.
	enter := chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }))`)
	s.Do(chromedp.Focus(chromedp.CSS("#on-P2")), enter, chromedp.WaitVisible(chromedp.CSS("#hand")))
	assert.Contains(t, s.focus(), "P2 crashes")
	s.Do(chromedp.KeyEvent(kb.Escape))
	assert.False(t, s.Is("#hand"))
	assert.Equal(t, "on-P2", browsertest.Eval[string](s.Browser, "document.activeElement.id"))
	s.Do(enter, chromedp.WaitVisible(chromedp.CSS("#hand")), chromedp.KeyEvent(kb.ArrowDown))
	assert.Contains(t, s.focus(), "P2 pauses")
	s.press(kb.Enter)
	s.at("p2")
	assert.Equal(t, 1, s.count("#on-P2 .paused"))
	s.Quiet(s.address)
}

// Without scripts a part of the stage leads to the first of its choices.
func TestBrowserStageWithoutScript(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{NoScript: true})
	s.open(touched)
	s.Do(chromedp.Click(chromedp.CSS("#on-P3 .actor")))
	assert.Equal(t, "#do-c3", browsertest.Eval[string](s.Browser, "location.hash"))
	s.Quiet(s.address)
}

// Time passes until something else can happen, and a run goes on by itself until it is
// touched.
func TestBrowserGoesOn(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/explore/raft/figure-2")
	assert.Equal(t, 1, s.count("#pass"))
	s.press("w")
	assert.Zero(t, s.count("#pass"))
	assert.NotEqual(t, "0", s.text(".count strong"))

	s.open("/explore/bully/coulouris?path=c3")
	s.Do(chromedp.KeyEvent("p"), chromedp.WaitVisible(chromedp.CSS(`#now[data-at="3"] #auto[aria-pressed="true"]`)))
	s.Do(chromedp.KeyEvent("p"), chromedp.WaitVisible(chromedp.CSS(`#auto[aria-pressed="false"]`)))
	s.open("/explore/bully/coulouris?path=c3")
	s.Do(chromedp.Click(chromedp.CSS("#auto")), chromedp.WaitVisible(chromedp.CSS(`#now:has(#auto[aria-pressed="false"]):not([data-at="1"])`)))
	assert.Contains(t, s.text("main"), "Everything has settled", "it ends where nothing is left to happen")
	s.Quiet(s.address)
}

// Columns stay where they are while a recorded run goes on.
func TestBrowserColumnsStay(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 1280, Height: 900})
	at := make(map[string]bool)
	for _, path := range []string{"", "&path=c3", "&path=c3~f2.3", "&path=c3~f2.3~x3.2.election.1~k~k", "&path=c3~f2.3~x3.2.election.1~k~k~r3~t2.T"} {
		s.open("/explore/bully/coulouris?trace=" + duplicate + path)
		at[browsertest.Eval[string](s.Browser, `[...document.querySelectorAll("#diagram-names .box")].map(box => Math.round(box.getBoundingClientRect().left)).join()`)] = true
	}
	assert.Len(t, at, 1)
}

// Runs that were left are a tree. Two of them stand side by side from where they part.
func TestBrowserTried(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/explore/bully/coulouris?path=c3~f1.3")
	s.press("u")
	s.click(`button[value="f2.3"]`)
	assert.Contains(t, s.query(), "tried=c3~f1.3")
	assert.Equal(t, 3, s.count(".branches li"))
	assert.Contains(t, s.text(".branches"), "P1 suspects P3")
	s.Keep("tried")
	s.click(`.branches a[href^="/beside/"]`)
	assert.Contains(t, s.text(".round"), "They part after step 1.")
	assert.Equal(t, "2", s.text(".count strong"))
	s.Keep("tried-beside")
	s.open("/explore/bully/coulouris?tried=c3~f1.3&path=c3~f2.3")
	s.Contrast("body *")
	s.Audit()
	s.click(`.branches a[href^="/explore/"]`)
	s.at("c3~f1.3")
	assert.Contains(t, s.query(), "tried=c3~f2.3")
	s.Quiet(s.address)
}

// A setting is changed by hand, and the line of its words with it. Without scripts the
// controls are sent as they are.
func TestBrowserSettingByHand(t *testing.T) {
	s := newSession(t, newServer(t))
	s.Show(browsertest.View{Width: 390, Height: 844, Dark: true})
	s.open("/explore/bully/coulouris")
	s.Do(chromedp.Click(chromedp.CSS(".world > summary")), chromedp.Click(chromedp.CSS(`.stepper:has(#hand-crashes) [data-by="1"]`)),
		chromedp.Click(chromedp.CSS(`.stepper:has(#hand-n) [data-by="1"]`)))
	s.Eval(`(select => { select.value = "owed"; select.dispatchEvent(new Event("change", { bubbles: true })) })(document.getElementById("hand-restarts"))`)
	assert.Equal(t, "n=4 start=settled channels=unordered timing=sync:1 crashes=2 restarts=owed", get1[string](s, "#setting-text", "value"))
	s.Fits("h1, h2, h3, p, label, input, select, button")
	s.Contrast("body *")
	s.Audit()
	s.Keep("by-hand")
	s.click(".setting button")
	assert.Equal(t, 4, s.count(".processes tbody"))
	s.Quiet(s.address)

	s.Show(browsertest.View{NoScript: true})
	s.open("/explore/bully/coulouris")
	s.Do(chromedp.Click(chromedp.CSS(".world > summary")), chromedp.SetValue(chromedp.CSS("#hand-n"), "5"))
	s.click(".hand .still button")
	assert.Equal(t, 5, s.count(".processes tbody"))
}

// A switch of a rule is followed by the verdicts, in the page.
func TestBrowserCompose(t *testing.T) {
	s := newSession(t, newServer(t))
	s.open("/check/bully/coulouris")
	before := s.text("#counted")
	s.act(chromedp.Click(chromedp.CSS(`#compose input[value="is-done"]`)))
	assert.Contains(t, browsertest.Eval[string](s.Browser, "location.pathname"), "coulouris+answered=is-done")
	assert.NotEqual(t, before, s.text("#counted"))
	assert.True(t, get1[bool](s, `#compose input[value="is-done"]`, "checked"))
	assert.Equal(t, "rule-answered-is-done", browsertest.Eval[string](s.Browser, "document.activeElement.id"), "the keyboard stays")
	s.Fits("h1, h2, h3, p, label, legend, button")
	s.Contrast("body *")
	s.Audit()
	s.Keep("compose")
	s.click(`#compose button:not([formaction])`)
	assert.Contains(t, browsertest.Eval[string](s.Browser, "location.pathname"), "/explore/bully/coulouris+answered=is-done")
	s.Quiet(s.address)
}

// A check that goes on says in its page how far it is and what it has found, and can be
// stopped there. The verdicts come before the rules, in a window of any size.
func TestBrowserLiveCheck(t *testing.T) {
	server := newServer(t)
	server.glance = glance
	s := newSession(t, server)
	for _, v := range []browsertest.View{{Width: 390, Height: 844}, {Width: 1280, Height: 900, Dark: true}} {
		s.Show(v)
		s.open("/check/bully/coulouris?setting=" + url.QueryEscape(large))
		s.Do(chromedp.WaitVisible(chromedp.CSS("#verdicts .violated a")))
		s.Fits("h1, h2, h3, p, label, legend, button")
		assert.Less(t, s.top("#stop"), float64(v.Height), "the button that stops it is in sight")
		assert.Less(t, s.top("#verdicts"), s.top("#compose"))
		assert.True(t, browsertest.Eval[bool](s.Browser, `[...document.querySelectorAll("#verdicts :is(th, td, a)")].every((part) => part.getBoundingClientRect().right <= innerWidth)`), "nothing has to be scrolled to")
		s.Contrast("body *")
		s.Audit()
		s.Keep(fmt.Sprintf("check-live-%d", v.Width))
		s.click("#stop")
		s.Do(chromedp.WaitVisible(chromedp.CSS(".checked[data-of]")))
		assert.Zero(t, s.count(".checked .holds"))
		assert.Zero(t, s.count("#live form"))
		s.Fits("h1, h2, h3, p, label, legend, button")
		s.Keep(fmt.Sprintf("check-stopped-%d", v.Width))
	}
	s.Quiet(s.address)
}

// top returns how far the first part that a selector finds is from the top of the window.
func (s *session) top(selector string) float64 {
	return browsertest.Eval[float64](s.Browser, fmt.Sprintf("document.querySelector(%q).getBoundingClientRect().top", selector))
}

// Without scripts the page of a check asks again by itself, until the check has ended.
func TestBrowserLiveCheckWithoutScript(t *testing.T) {
	server := newServer(t)
	server.glance = time.Millisecond
	s := newSession(t, server)
	s.Show(browsertest.View{NoScript: true})
	s.open("/check/bully/coulouris?setting=" + url.QueryEscape(large))
	assert.Zero(t, s.count("#verdicts .violated"), "it has just begun")
	s.Do(chromedp.WaitVisible(chromedp.CSS("#found-uniqueness.violated a")))
	assert.Contains(t, s.query(), "live=1")
	assert.Equal(t, 1, s.count("#stop"))
	server.live.list[0].end()
	s.Do(chromedp.WaitVisible(chromedp.CSS(".checked[data-of]")))
	assert.Contains(t, s.text("main"), "Not everything was seen")
	assert.Zero(t, s.count(`meta[http-equiv="refresh"]`))
	s.Quiet(s.address)
}

// A survey that goes on says so, and is stopped by a click: then the map is drawn of what was
// found. One that ends draws its map without a click.
func TestBrowserSurvey(t *testing.T) {
	server := newServer(t)
	server.glance = glance / 8
	s := newSession(t, server)
	s.Show(browsertest.View{Width: 390, Height: 844})
	s.open("/map/raft/figure-2?setting=n=5+crashes=2+restarts=2+timing=sync:2")
	s.Contrast("body *")
	s.Audit()
	s.Keep("survey")
	s.click("#stop")
	s.Do(chromedp.WaitVisible(chromedp.CSS("#map svg")))
	assert.Contains(t, s.text("main"), "The search was stopped there: there are more")
	s.Keep("survey-stopped")
	s.open("/map/raft/figure-2")
	s.Do(chromedp.WaitVisible(chromedp.CSS("#map svg")))
	assert.Zero(t, s.count("#live"))
	s.Quiet(s.address)
}
