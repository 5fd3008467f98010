package web

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/internal/test/casecount"
	"bullyproof/trace"
)

const duplicate = "bully-duplicate-coordinator"

// newServer returns an explorer of the whole catalogue.
func newServer(t testing.TB) *Server {
	t.Helper()
	opt := Options{Algorithms: algorithms.All}
	for _, name := range counterexamples.Names() {
		tr, err := counterexamples.Open(name)
		require.NoError(t, err)
		opt.Recordings = append(opt.Recordings, Recording{name, tr})
	}
	s, err := New(opt)
	require.NoError(t, err)
	s.glance = time.Minute // a check is answered when it has ended
	return s
}

// get asks a server for a page, and returns the answer and its text.
func get(t testing.TB, s http.Handler, address string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Host = "127.0.0.1:8080"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// follow asks for a page as browsers do, which go where an answer leads them,
// and returns the text and the address where that ended.
func followed(t testing.TB, s http.Handler, address string) (text, where string) {
	t.Helper()
	for range 5 {
		answer, text := get(t, s, address)
		if answer.StatusCode != http.StatusSeeOther {
			require.Equal(t, http.StatusOK, answer.StatusCode, "%s: %s", address, text)
			return text, address
		}
		address = answer.Header.Get("Location")
	}
	require.Fail(t, "no end of redirections", address)
	return "", ""
}

// with returns an address with one more parameter.
func with(address, name, value string) string {
	sep := "?"
	if strings.Contains(address, "?") {
		sep = "&"
	}
	return address + sep + name + "=" + url.QueryEscape(value)
}

// has fails the test if a page does not have a text, and hasNot if it has.
func has(t testing.TB, page, text string) {
	t.Helper()
	if !strings.Contains(html.UnescapeString(page), text) {
		assert.Fail(t, "the page does not have it", text)
	}
}

func hasNot(t testing.TB, page, text string) {
	t.Helper()
	if strings.Contains(html.UnescapeString(page), text) {
		assert.Fail(t, "the page has it", text)
	}
}

var actionButton = regexp.MustCompile(`name="do" value="([^"]*)"`)

// offered returns the actions that a page offers.
func offered(text string) []string {
	var list []string
	for _, m := range actionButton.FindAllStringSubmatch(text, -1) {
		list = append(list, html.UnescapeString(m[1]))
	}
	return list
}

// recordedAt returns the link to a recording.
func recordedAt(t testing.TB, name string) string {
	t.Helper()
	tr, err := counterexamples.Open(name)
	require.NoError(t, err)
	return Follow(tr.Algorithm, tr.Variant, Recording{name, tr})
}

func TestHome(t *testing.T) {
	s := newServer(t)
	answer, text := get(t, s, "/")
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	for _, a := range algorithms.All {
		has(t, text, a.Title)
		for i := range a.Variants {
			has(t, text, `href="/explore/`+a.Name+"/"+a.Variants[i].Name+`"`)
		}
	}
	for _, name := range counterexamples.Names() {
		has(t, text, name)
		has(t, text, `href="`+recordedAt(t, name)+`"`)
	}
}

// A run, step by step, with a way back and another way forward.
func TestWalk(t *testing.T) {
	s := newServer(t)
	text, at := followed(t, s, "/explore/bully")
	assert.Equal(t, "/explore/bully/coulouris", at)
	has(t, text, "P3 believes itself coordinator, followed by P1 and P2.")
	assert.Contains(t, offered(text), "c3")

	text, at = followed(t, s, with(at, "do", "c3"))
	assert.Equal(t, "/explore/bully/coulouris?setting=n=3+start=settled+channels=unordered+timing=sync:1+crashes=1+restarts=1&path=c3", at)
	has(t, text, "P3 crashes.")
	assert.Equal(t, []string{"f1.3", "f2.3", "r3"}, offered(text))

	text, at = followed(t, s, with(at, "do", "f2.3"))
	has(t, text, "P2 finds that P3 is down")
	has(t, text, `sends "election" to P3`)
	has(t, text, `<mark title="was P3">nobody`)
	has(t, text, "<mark>new</mark>")

	// Back keeps what lies ahead, for going forward.
	text, at = followed(t, s, with(at, "go", "1"))
	assert.Contains(t, at, "&path=c3~f2.3&at=1")
	has(t, text, "P3 crashes.")
	has(t, text, "what you did before")
	_, again := followed(t, s, with(at, "do", "f2.3"))
	assert.NotContains(t, again, "&at=")
	_, other := followed(t, s, with(at, "do", "f1.3"))
	assert.Contains(t, other, "&path=c3~f1.3")
	assert.NotContains(t, other, "&at=")
}

// An action does what it was said to do.
func TestWhatActionsWouldDo(t *testing.T) {
	s := newServer(t)
	text, _ := followed(t, s, with(recordedAt(t, duplicate), "path", "c3~f2.3~x3.2.election.1~k~k~r3"))
	i := strings.Index(text, `value="t2.T"`)
	require.Positive(t, i)
	action := text[i : i+strings.Index(text[i:], "</button>")]
	for _, want := range []string{
		"P2 times out: T", "next in the recording", "breaks uniqueness: P2 and P3 both believe themselves coordinator",
		`sends "coordinator" to P1`, "believes itself coordinator", "is out of the election", "timer T no longer runs",
		"rule no answer within T: elect itself",
	} {
		has(t, action, want)
	}
}

// A recorded run can be followed to its end, left, and come back to.
func TestFollow(t *testing.T) {
	s := newServer(t)
	at := recordedAt(t, duplicate)
	tr, err := counterexamples.Open(duplicate)
	require.NoError(t, err)
	var text string
	for i := range tr.Steps {
		text, at = followed(t, s, with(at, "next", "1"))
		if i < len(tr.Steps)-1 {
			has(t, text, "Step "+itoa(i+1)+" of 7 of a recorded run that breaks uniqueness")
			hasNot(t, text, `class="broken"`)
		}
	}
	has(t, text, "The end of the recorded run: it breaks uniqueness.")
	has(t, text, `<p class="broken"><strong>uniqueness</strong> breaks here: P2 and P3 both believe themselves coordinator</p>`)
	hasNot(t, text, `id="next"`)
	answer, text := get(t, s, with(at, "next", "1"))
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
	has(t, text, "there is no next step")

	// Off after step 2, and back.
	_, at = followed(t, s, with(at, "go", "2"))
	text, at = followed(t, s, with(at, "do", "r3"))
	has(t, text, "You left the recorded run after step 2 of 7.")
	hasNot(t, text, `id="next"`)
	has(t, text, "step 3: P3 restarts (not as recorded)")
	text, at = followed(t, s, with(at, "go", "2"))
	has(t, text, `id="next"`)
	has(t, text, "what you did before")
	text, _ = followed(t, s, with(at, "next", "1"))
	has(t, text, "Step 3 of 7 of a recorded run")
}

// A run without end is followed round and round.
func TestFollowLasso(t *testing.T) {
	s := newServer(t)
	const name = "bully-retries-for-ever"
	tr, err := counterexamples.Open(name)
	require.NoError(t, err)
	require.Positive(t, tr.Lasso)
	at := recordedAt(t, name)
	var text string
	for range tr.Steps {
		text, at = followed(t, s, with(at, "next", "1"))
	}
	has(t, text, "From here it goes on with step "+itoa(tr.Lasso)+", without end.")
	has(t, text, "This is the same state as after step "+itoa(tr.Lasso-1)+".")
	has(t, text, "this run breaks it")
	text, at = followed(t, s, with(at, "next", "1"))
	has(t, text, "step <strong>"+itoa(len(tr.Steps)+1))
	has(t, text, `id="next"`)
	_ = at
}

// Every recorded run can be followed to its end, where what it is evidence of
// shows, and the export is the recorded run: one in eight, and all if the
// test is a deep one.
func TestFollowEvery(t *testing.T) {
	s := newServer(t)
	for _, name := range counterexamples.Names() {
		if !casecount.Takes(t, *deep, 8, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tr, err := counterexamples.Open(name)
			require.NoError(t, err)
			at := recordedAt(t, name)
			var text string
			for range tr.Steps {
				text, at = followed(t, s, with(at, "next", "1"))
			}
			has(t, text, "The end of the recorded run")
			if tr.Kind == trace.Violation {
				has(t, text, `<p class="broken"><strong>`+tr.Property+"</strong>")
			}
			assert.Equal(t, encoded(t, tr), encoded(t, exported(t, s, at)))
			if plain := exported(t, s, with(at, "as", "run")); assert.Equal(t, trace.Plain, plain.Kind) {
				assert.Empty(t, plain.Title)
			}
		})
	}
}

// A link is all that a page is made of: another server shows the same.
func TestLinkRestores(t *testing.T) {
	_, at := followed(t, newServer(t), with(recordedAt(t, duplicate), "next", "1"))
	for _, do := range []string{"f1.3", "k"} {
		text, next := followed(t, newServer(t), with(at, "do", do))
		again, same := followed(t, newServer(t), next)
		assert.Equal(t, next, same)
		assert.Equal(t, text, again)
		at = next
	}
}

func TestErrors(t *testing.T) {
	s := newServer(t)
	long := strings.TrimSuffix(strings.Repeat("k~", maxSteps+1), "~")
	for _, c := range []struct {
		name, address string
		status        int
		says          []string
	}{
		{"no page", "/nothing", http.StatusNotFound, []string{"there is no page /nothing"}},
		{"no file", "/assets/nothing.css", http.StatusNotFound, []string{"there is no file nothing.css"}},
		{"templates are no files", "/assets/run.html", http.StatusNotFound, []string{"there is no file run.html"}},
		{"unknown algorithm", "/explore/buly", http.StatusNotFound, []string{"unknown algorithm", "did you mean bully?"}},
		{"unknown algorithm with a variant", "/explore/buly/coulouris", http.StatusNotFound, []string{"did you mean bully?"}},
		{"unknown variant", "/explore/bully/coulourus", http.StatusNotFound, []string{"unknown variant of bully", "did you mean coulouris?"}},
		{"bad setting", "/explore/bully/coulouris?setting=n=3+crashs=1", http.StatusBadRequest, []string{"setting has no word", "did you mean crashes?", `value="n=3 crashs=1"`}},
		{"no processes", "/explore/bully/coulouris?setting=", http.StatusBadRequest, []string{"the number of processes is missing"}},
		{"a setting that contradicts itself", "/explore/bully/coulouris?setting=n=3+restarts=1", http.StatusBadRequest, []string{"restarts=1 without crashes"}},
		{"too many processes", "/explore/bully/coulouris?setting=n=17", http.StatusBadRequest, []string{"from 2 to 16 processes"}},
		{"no ring for it", "/explore/bully/coulouris?setting=n=3+topology=ring", http.StatusBadRequest, []string{"the algorithm sends to any process"}},
		{"a long setting", "/explore/bully/coulouris?setting=" + strings.Repeat("x", maxSetting+1), http.StatusBadRequest, []string{"at most 2048"}},
		{"unknown parameter", "/explore/bully/coulouris?pat=c3", http.StatusBadRequest, []string{"unknown parameter", "did you mean path?"}},
		{"a parameter twice", "/explore/bully/coulouris?path=c3&path=c3", http.StatusBadRequest, []string{"parameter \"path\" is there 2 times"}},
		{"no query", "/explore/bully/coulouris?path=%zz", http.StatusBadRequest, []string{"the link cannot be read"}},
		{"an origin that is none", "/explore/bully/coulouris?origin=n=4", http.StatusBadRequest, []string{"does not say where a run begins"}},
		{"an origin against the setting", "/explore/changroberts/coulouris?setting=n=3+topology=ring+arrangement=1-2-3&origin=arrangement=1-3-2", http.StatusBadRequest, []string{"contradicts the arrangement"}},
		{"a start that is none", "/explore/bully/coulouris?choices=1.x", http.StatusBadRequest, []string{"parameter choices:", "is not a number from 0 to 255"}},
		{"a start of another system", "/explore/bully/coulouris?choices=0.1", http.StatusBadRequest, []string{"parameter choices:", "no initial state in which the processes have chosen [0 1]"}},
		{"a path that is none", "/explore/bully/coulouris?path=c3~q", http.StatusBadRequest, []string{"step 2 of the path", "no kind of action has the letter"}},
		{"an action too many", "/explore/bully/coulouris?path=c3.1", http.StatusBadRequest, []string{"is too much"}},
		{"a moment beyond the path", "/explore/bully/coulouris?path=c3&at=2", http.StatusBadRequest, []string{"want a number from 0 to 1"}},
		{"a long path", "/explore/bully/coulouris?path=" + long, http.StatusRequestURITooLong, []string{"at most 2000"}},
		{"a large path", "/explore/bully/coulouris?path=" + strings.Repeat("c", maxPath+1), http.StatusRequestURITooLong, []string{"at most 32768"}},
		{"a large link", "/explore/bully/coulouris?path=" + strings.Repeat("c", maxQuery), http.StatusRequestURITooLong, []string{"at most"}},
		{"not enabled", "/explore/bully/coulouris?path=c3~r2", http.StatusUnprocessableEntity, []string{
			"step 2: P2 restarts cannot happen here. What can happen, the nearest first: P3 restarts; ", `value="f1.3"`, "Show the run up to there"}},
		{"an action that is not enabled", "/explore/bully/coulouris?do=r2", http.StatusUnprocessableEntity, []string{"step 1: P2 restarts cannot happen here. What can happen, the nearest first: ", "P3 crashes"}},
		{"an action that is none", "/explore/bully/coulouris?do=crash", http.StatusBadRequest, []string{"action \"crash\""}},
		{"a step that is none", "/explore/bully/coulouris?path=c3&go=2", http.StatusBadRequest, []string{"want a number from 0 to 1"}},
		{"no recording", "/explore/bully/coulouris?next=1", http.StatusBadRequest, []string{"there is no next step"}},
		{"no such format", "/explore/bully/coulouris/run.jsn", http.StatusNotFound, []string{"unknown format", "did you mean json?"}},
		{"no evidence", "/explore/bully/coulouris/run.json?as=agreement", http.StatusBadRequest, []string{"the run is no evidence of that"}},
		{"a page of nothing", "/explore/changroberts/coulouris?page=0", http.StatusBadRequest, []string{"page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, text := get(t, s, c.address)
			assert.Equal(t, c.status, answer.StatusCode)
			assert.Equal(t, "text/html; charset=utf-8", answer.Header.Get("Content-Type"))
			for _, say := range c.says {
				has(t, text, say)
			}
		})
	}
}

// A recording that the server does not know is no reason to lose the run.
func TestLostRecording(t *testing.T) {
	s := newServer(t)
	text, _ := followed(t, s, "/explore/bully/coulouris?trace=mine&path=c3")
	has(t, text, "unknown recording")
	has(t, text, "The run of the link is still here.")
	has(t, text, "P3 crashes.")
	text, _ = followed(t, s, "/explore/bully/wikipedia?trace="+duplicate)
	has(t, text, "is of another algorithm, setting or start")
}

// Where a setting leaves open where runs begin, people choose.
func TestStarts(t *testing.T) {
	s := newServer(t)
	const at = "/explore/changroberts/coulouris?setting=n=5+topology=ring+initiators=any"
	text, _ := followed(t, s, at)
	has(t, text, "It has 744 initial states") // 4! rings, 2^5-1 sets of initiators
	has(t, text, "arrangement=1-2-3-4-5 initiators=1<")
	has(t, text, "1 to 50 of 744")
	text, _ = followed(t, s, with(at, "page", "15"))
	has(t, text, "701 to 744 of 744")
	has(t, text, `<button type="submit" name="page" value="0" disabled>Next</button>`)
	text, _ = followed(t, s, with(at, "find", "1-5-4-3-2 initiators=2,4"))
	has(t, text, "It has 2 initial states that match") // 2,4 and 2,4,5... begin alike
	link := regexp.MustCompile(`<a class="card" href="([^"]*)"`).FindStringSubmatch(text)
	require.NotNil(t, link)
	text, where := followed(t, s, html.UnescapeString(link[1]))
	assert.Contains(t, where, "origin=arrangement=1-5-4-3-2+initiators=2,4")
	has(t, text, "Begin in another initial state")
	has(t, text, `<span class="mono origin">arrangement=1-5-4-3-2 initiators=2,4</span>`)
	text, _ = followed(t, s, with(at, "find", "nothing"))
	has(t, text, "No initial state matches.")
}

// The choices of processes that come up are told in words.
func TestStartsByChoice(t *testing.T) {
	s := newServer(t)
	text, _ := followed(t, s, "/explore/itairodeh/itai-rodeh")
	link := firstStart.FindStringSubmatch(text)
	require.NotNil(t, link)
	has(t, text, "P1 chooses 0, P2 chooses 0")
	text, _ = followed(t, s, html.UnescapeString(link[1]))
	has(t, text, "1 chooses 0")
}
