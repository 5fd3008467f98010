package web

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/raft"
	"bullyproof/checker"
	"bullyproof/checker/expression"
	"bullyproof/internal/quantity"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// twoLeaders is a setting of bully in which two processes believe themselves coordinator.
const twoLeaders = "n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1"

// inSetting returns the system of the first variant of an algorithm, and its first page.
func inSetting(t testing.TB, of *ledger.Algorithm, text string) (*model.System, string) {
	t.Helper()
	in, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := of.Variants[0].In(in)
	require.NoError(t, err)
	return sys, Start(of.Name, of.Variants[0].Name, in)
}

// stepOf returns the number of the step that a page shows.
func stepOf(t testing.TB, text string) string {
	t.Helper()
	m := regexp.MustCompile(`id="now" data-at="(\d+)"`).FindStringSubmatch(text)
	require.NotNil(t, m)
	return m[1]
}

// plainUntil is the plain search that Server.until is compared with: how many steps it takes from
// a state to one in which a condition is true, -1 if there is none, and how many states there are.
func plainUntil(t testing.TB, sys *model.System, from []byte, text string) (steps, states int) {
	t.Helper()
	x, err := expression.Condition(sys, text)
	require.NoError(t, err)
	known := map[string]bool{string(from): true}
	for level := [][]byte{from}; len(level) > 0; steps++ {
		var next [][]byte
		for _, state := range level {
			is, err := x.Is(sys.View(state))
			require.NoError(t, err)
			if is {
				return steps, len(known)
			}
			sys.EachTransition(state, func(tr model.Transition) {
				if tr.Misuse == "" && !known[string(tr.Next)] {
					known[string(tr.Next)] = true
					next = append(next, []byte(string(tr.Next)))
				}
			})
		}
		level = next
	}
	return -1, len(known)
}

// The explorer goes to the nearest state in which an expression is true, from any state, as far
// as a plain search finds one and as a check does; and says how many states there are if it is
// true in none. The steps are those that one could have taken.
func TestUntil(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		of            *ledger.Algorithm
		setting, path string
		text          string
	}{
		{bully.Algorithm, twoLeaders, "", "leaders == 2"},
		{bully.Algorithm, twoLeaders, "c3~f2.3", "leaders == 2"},
		{bully.Algorithm, twoLeaders, "c3~f2.3", `any(messages, .kind == "coordinator")`},
		{bully.Algorithm, twoLeaders, "c3", "P3.up && left.restarts == 0"},
		{bully.Algorithm, twoLeaders, "c3", "left.crashes == 1"},
		{bully.Algorithm, twoLeaders, "", "leaders == 3"},
		{raft.Algorithm, raft.Algorithm.Variants[0].Setting.String(), "", "leaders == 1 && P1.Term == 2"},
	} {
		t.Run(c.path+" "+c.text, func(t *testing.T) {
			sys, at := inSetting(t, c.of, c.setting)
			if c.path != "" {
				at = with(at, "path", c.path)
			}
			l := linkOf(t, s, c.of, at)
			v := &visit{link: l, subject: subjects(c.of)[0]}
			require.NoError(t, s.enter(v))
			steps, states := plainUntil(t, v.sys, v.now.state, c.text)
			if c.path == "" {
				x, err := expression.Condition(sys, c.text)
				require.NoError(t, err)
				report, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{x.Sometimes("found")}})
				require.NoError(t, err)
				if tr := report.Findings[0].Trace; tr != nil {
					assert.Len(t, tr.Steps, steps)
				} else {
					assert.Equal(t, -1, steps)
				}
			}
			text, where := followed(t, s, with(at, "expr", c.text))
			if steps < 0 {
				has(t, text, fmt.Sprintf("None: it is false in all %s that can be reached from here.", quantity.Plural(states, "state")))
				assert.Equal(t, fmt.Sprint(l.at), stepOf(t, text))
				return
			}
			require.Positive(t, steps)
			assert.NotContains(t, where, "expr=")
			assert.Equal(t, fmt.Sprint(l.at+steps), stepOf(t, text))
			to := linkOf(t, s, c.of, where)
			assert.Equal(t, encodePath(l.path), encodePath(to.path[:l.at]))
			assert.Equal(t, []string{c.text}, to.watches)
			has(t, text, `<code>`+c.text+`</code> <span class="watched"><mark title="was false">true</mark>`)
			text, _ = followed(t, s, with(where, "go", fmt.Sprint(l.at+steps-1)))
			has(t, text, `<code>`+c.text+`</code> <span class="watched">`)
			has(t, text, `aria-label="Go until `+c.text+`"`)
		})
	}
}

// linkOf reads the link of an address.
func linkOf(t testing.TB, s *Server, of *ledger.Algorithm, address string) *link {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	sub, err := findSubject(s.algorithms, of.Name, "")
	require.NoError(t, err)
	l, err := parseLink(of.Name, sub.name, sub.usual, u.Query())
	require.NoError(t, err)
	return l
}

// The page shows an error of an expression below the field, which keeps the text, and the run
// stays as it is.
func TestUntilRefuses(t *testing.T) {
	s := newServer(t)
	near := newServer(t)
	near.horizon.states = 50
	_, start := inSetting(t, bully.Algorithm, twoLeaders)
	at := with(with(start, "path", "c3"), "watch", "P1.up")
	for _, c := range []struct {
		name, text, verb string
		s                *Server
		status           int
		says             string
	}{
		{"a name that is not there", "leader == 2", "", s, http.StatusBadRequest, "Column 1: unknown name leader: did you mean leaders?</div>"},
		{"the place", "leaders == 2 && P4.up", "", s, http.StatusBadRequest, "<pre>leaders == 2 && P4.up\n                ^</pre>"},
		{"no condition", "leaders + 1", "", s, http.StatusBadRequest, "it is to be true or false, like leaders <= 1"},
		{"nothing", " ", "", s, http.StatusBadRequest, "It is empty: want an expression"},
		{"no value here", "processes[messages[0].from + 3].up", "", s, http.StatusBadRequest, "It has no value in this state: "},
		{"no value on the way", "len(messages) == 0 ? false : processes[messages[0].from + 3].up", "", s, http.StatusBadRequest, "It has no value in a state that "},
		{"true already", "!P3.up", "", s, http.StatusOK, "It is true in this state."},
		{"none", "n == 4", "", s, http.StatusOK, "None: it is false in all "},
		{"too far", "n == 4", "", near, http.StatusOK, "were seen, and the search ends there."},
		{"watched", "P1.Nothing", "keep", s, http.StatusBadRequest, "a process has no Nothing"},
		{"watched without a value of a kind", "processes", "keep", s, http.StatusBadRequest, "its value is to be a number"},
		{"too long to watch", "n + " + strings.Repeat(" ", mostWatched) + "1", "keep", s, http.StatusBadRequest, "are too much to watch"},
	} {
		t.Run(c.name, func(t *testing.T) {
			address := with(at, "expr", c.text)
			if c.verb != "" {
				address = with(address, c.verb, "1")
			}
			answer, text := get(t, c.s, address)
			assert.Equal(t, c.status, answer.StatusCode)
			has(t, text, c.says)
			has(t, text, `name="expr" value="`+strings.TrimSpace(c.text)+`"`)
			assert.Equal(t, c.status != http.StatusOK, strings.Contains(text, `aria-invalid="true"`))
			assert.Equal(t, "1", stepOf(t, text))
			has(t, text, "P3 crashes.")
			has(t, text, `<code>P1.up</code>`)
		})
	}
	answer, text := get(t, s, "/explore/changroberts/coulouris?expr=true")
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	has(t, text, "Where to begin")
}

// A search ends when who asked is gone, and when its time is over.
func TestUntilEnds(t *testing.T) {
	sys, _ := inSetting(t, bully.Algorithm, "n=4 start=settled channels=unordered timing=sync:2 crashes=2 restarts=2")
	states, _, err := initial(sys, 1)
	require.NoError(t, err)
	m := newRoot(sys, states[0].state, nil)
	never := func(*model.View) (bool, error) { return false, nil }
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	run, note, err := horizon{}.find(gone, m, never)
	require.NoError(t, err)
	assert.Nil(t, run)
	assert.Contains(t, note, "cancelled")
	run, note, err = horizon{time: time.Millisecond}.find(t.Context(), m, never)
	require.NoError(t, err)
	assert.Nil(t, run)
	assert.Contains(t, note, "1 ms were over")
}

// The page names the bounds of a setting: nobody takes the states within them for all.
func TestUntilBounded(t *testing.T) {
	s := newServer(t)
	_, at := inSetting(t, bully.Algorithm, "n=3 channels=fifo timing=patient capacity=1")
	_, text := get(t, s, with(at, "expr", "n == 9"))
	has(t, text, "None within the bounds: it is false in ")
	has(t, text, "Left out: capacity=1: a link was full when ")
}

// The values of watches are shown at each state, with what the last step changed, on the way
// through all pages, until they are removed.
func TestWatches(t *testing.T) {
	s := newServer(t)
	_, at := inSetting(t, bully.Algorithm, twoLeaders)
	for _, text := range []string{"leaders", "map(processes, .up)", `map(messages, .kind)`, "P3.up", "P3.up"} {
		var page string
		page, at = followed(t, s, with(with(at, "expr", text), "keep", "1"))
		has(t, page, "<code>"+text+"</code>")
	}
	assert.Equal(t, 4, strings.Count(at, "watch="), "each once")
	page, at := followed(t, s, with(at, "do", "c3"))
	for _, want := range []string{
		`<mark title="was 1">0</mark>`, `<mark title="was [true, true, true]">[true, true, false]</mark>`,
		`<code>map(messages, .kind)</code> <span class="watched">[]</span>`, `aria-label="Go until P3.up"`,
	} {
		has(t, page, want)
	}
	hasNot(t, page, `aria-label="Go until leaders"`)
	page, at = followed(t, s, with(at, "do", "f2.3"))
	has(t, page, `<mark title="was []">["election"]</mark>`)
	assert.Equal(t, 4, strings.Count(page[strings.Index(page, `class="setting"`):strings.Index(page, `id="setting-text"`)], `name="watch"`), "a new setting has them")

	page, at = followed(t, s, with(at, "drop", "0"))
	hasNot(t, page, "<code>leaders</code>")
	has(t, page, "<code>P3.up</code>")
	answer, _ := get(t, s, with(at, "drop", "3"))
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)

	// An expression without a value has an error in its place.
	page, _ = followed(t, s, "/explore/bully/coulouris?watch=P4.up&watch=processes[n%2B1].up&watch=n")
	has(t, page, `<code>P4.up</code> <span class="watched"><span class="wrong">Column 1: unknown name P4`)
	has(t, page, `<code>processes[n+1].up</code> <span class="watched"><span class="wrong">It has no value here: `)
	has(t, page, `<code>n</code> <span class="watched">3</span>`)
	for _, wrong := range []string{strings.Repeat("&watch=n", mostWatches+1), "&watch=", "&watch=" + strings.Repeat("n", mostWatched+1)} {
		answer, _ = get(t, s, "/explore/bully/coulouris?at=0"+wrong)
		assert.Equal(t, http.StatusBadRequest, answer.StatusCode, "%.40s", wrong)
	}
}

// An expression is a text like any other, and a run that has gone wrong has no values.
func TestExpressionsOfHostile(t *testing.T) {
	s := hostileServer(t)
	for _, verb := range []string{"expr", "watch"} {
		_, text := get(t, s, with("/explore/hostile/plain?path=s1", verb, markup))
		assert.NotContains(t, text, "<img")
		has(t, text, html.UnescapeString(html.EscapeString(markup))[:20])
	}
	_, at := followed(t, s, "/explore/hostile/plain?watch=P1.up")
	for _, from := range []string{"1", "3"} { // P2 elects the first one, and goes wrong with the second
		text, there := followed(t, s, with(at, "do", "s"+from))
		list := offered(text)
		i := slices.IndexFunc(list, func(code string) bool { return strings.HasPrefix(code, "d2."+from+".") })
		require.GreaterOrEqual(t, i, 0)
		_, at = followed(t, s, with(there, "do", list[i]))
	}
	text, _ := followed(t, s, at)
	has(t, text, "The last step leads to no state.")
	text, _ = followed(t, s, with(at, "expr", "P1.up"))
	has(t, text, "The run cannot go on from here.")
}
