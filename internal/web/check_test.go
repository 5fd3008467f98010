package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

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
	in, err := setting.Parse("n=4 start=settled channels=unordered timing=sync:2 crashes=2 restarts=2")
	require.NoError(t, err)
	answer, text := get(t, s, Check("bully", "coulouris", in))
	require.Equal(t, http.StatusOK, answer.StatusCode)
	has(t, text, "INCOMPLETE")
	has(t, text, "Not everything was seen")
	hasNot(t, text, "<strong>holds</strong>")
}
