package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/bully"
	"bullyproof/model/setting"
)

// The page of a check has the verdicts, and each run that it found opens at the
// step that breaks the property.
func TestCheck(t *testing.T) {
	s := newServer(t)
	v := &bully.Algorithm.Variants[0]
	answer, text := get(t, s, Check("bully", v.Name, v.Setting))
	require.Equal(t, http.StatusOK, answer.StatusCode)
	has(t, text, "VIOLATED in this setting: bully/coulouris, 4 of 10 properties (6 hold).")
	has(t, text, "P2 and P3 both believe themselves coordinator")
	links := regexp.MustCompile(`href="([^"]+)">Open the run<span class="visually-hidden"> that breaks ([^<]+)<`).FindAllStringSubmatch(text, -1)
	require.Len(t, links, 4)
	for _, m := range links {
		answer, run := get(t, s, html.UnescapeString(m[1]))
		require.Equal(t, http.StatusOK, answer.StatusCode, m[2])
		if m[2] != "stable-leadership" { // which no one step breaks
			assert.Regexp(t, `(?s)<p class="broken"><strong>[^<]*</strong>.*`, run, m[2])
		}
	}
	_, run := get(t, s, Start("bully", v.Name, v.Setting))
	has(t, run, `href="`+Check("bully", v.Name, v.Setting)+`"`)
}

// A fault of a setting is said beside it.
func TestCheckRefuses(t *testing.T) {
	s := newServer(t)
	for address, want := range map[string]string{
		"/check/bully/coulouris?setting=n%3D99":                       "n=99",
		"/check/bully/coulouris?setting=" + strings.Repeat("x", 3000): "at most 2048",
		"/check/bully/coulouris?setting=topology%3Dring":              "topology",
	} {
		answer, text := get(t, s, address)
		assert.Equal(t, http.StatusBadRequest, answer.StatusCode, address)
		has(t, text, want)
		has(t, text, `role="alert"`)
	}
	answer, text := get(t, s, "/check/bully/coulorus")
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	has(t, text, "coulouris")
}

// A check says how far it is, and ends where its time does: what it did not see
// is not said to hold.
func TestCheckEnds(t *testing.T) {
	s, err := New(Options{Algorithms: algorithms.All, CheckTime: 1})
	require.NoError(t, err)
	in, err := setting.Parse(large)
	require.NoError(t, err)
	answer, text := get(t, s, Check("bully", "coulouris", in))
	require.Equal(t, http.StatusOK, answer.StatusCode)
	has(t, text, "INCOMPLETE")
	has(t, text, "Not everything was seen")
	hasNot(t, text, "<strong>holds</strong>")
}

// large is a setting whose check takes longer than anybody waits.
const large = "n=5 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1"

// A check that goes on is answered at once with what is found so far: each violation has its
// run. When it is stopped, what it found is kept, and the rest is undecided.
func TestLiveCheck(t *testing.T) {
	s := newServer(t)
	s.glance = 20 * time.Millisecond
	in, err := setting.Parse(large)
	require.NoError(t, err)
	_, text := get(t, s, Check("bully", "coulouris", in))
	has(t, text, "The check goes on")
	hasNot(t, text, "<strong>holds</strong>")
	again := html.UnescapeString(regexp.MustCompile(`data-again="([^"]+)"`).FindStringSubmatch(text)[1])
	run := regexp.MustCompile(`href="(/check/[^"]+)">Open the run<span class="visually-hidden"> that breaks uniqueness<`)
	require.Eventually(t, func() bool {
		_, text = get(t, s, again)
		return run.MatchString(text)
	}, time.Minute, time.Millisecond)
	assert.Regexp(t, `id="counted">[\d,]+ states so far, up to \d+ steps, [\d,]+ states a second`, text)
	_, where := followed(t, s, html.UnescapeString(run.FindStringSubmatch(text)[1]))
	assert.Contains(t, where, "/explore/bully/coulouris?")
	answer, text := get(t, s, again+"&run=no-such")
	assert.Equal(t, http.StatusUnprocessableEntity, answer.StatusCode)
	has(t, text, "no-such")

	s.glance = time.Minute
	text, _ = followed(t, s, again+"&stop=1")
	has(t, text, "the search was cancelled")
	has(t, text, "Open the run")
	hasNot(t, text, "<strong>holds</strong>")
	hasNot(t, text, "data-again")

	// A number that is not known any more leads to a check from the beginning.
	answer, _ = get(t, s, Check("bully", "coulouris", bully.Algorithm.Variants[0].Setting)+"&live=99")
	assert.Equal(t, http.StatusSeeOther, answer.StatusCode)
	assert.NotContains(t, answer.Header.Get("Location"), "live")
}

// There are so many checks at once and no more. One whose readers have gone ends.
func TestLiveChecksAreBounded(t *testing.T) {
	s := newServer(t)
	s.glance = time.Millisecond
	in, err := setting.Parse(large)
	require.NoError(t, err)
	for range mostLive {
		answer, _ := get(t, s, Check("bully", "coulouris", in))
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	answer, text := get(t, s, Check("bully", "coulouris", in))
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	has(t, text, "8 checks go on")
	for _, c := range s.live.list {
		c.left.Reset(0)
		<-c.ended
	}
	answer, _ = get(t, s, Check("bully", "coulouris", in))
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	s.live.list[len(s.live.list)-1].end()
}
