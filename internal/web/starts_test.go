package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/anysetting"
)

// A link leads to each initial state that a setting leaves open, whichever of its words do so, and
// says which it is in the words of a setting. The table of words says what there is.
func TestLinksLeadToEachBeginning(t *testing.T) {
	const most = 40 // of a setting
	settings, links := 0, 0
	for _, name := range []string{"bully", "vault", "changroberts"} {
		sub, err := findSubject(algorithms.All, name, "")
		require.NoError(t, err)
		for s := range anysetting.Pairs("n=3 timing=sync:1") {
			sys, err := sub.build(s)
			if err != nil {
				continue
			}
			states, _, err := initial(sys, most)
			if err != nil || len(states) < 2 {
				continue
			}
			settings++
			for _, b := range states {
				links++
				l := &link{algorithm: name, variant: sub.name, setting: s, origin: b.origin, choices: b.choices}
				query, err := url.ParseQuery(l.query())
				require.NoError(t, err)
				back, err := parseLink(name, sub.name, s, query)
				if assert.NoError(t, err, "%s: %s", s, l.query()) {
					assert.Equal(t, b.origin.String(), back.origin.String(), l.query())
					there, err := sub.build(back.origin)
					require.NoError(t, err)
					state, err := begin(there, back.choices)
					require.NoError(t, err, l.query())
					assert.Equal(t, sys.Snapshot(b.state), there.Snapshot(state), l.query())
				}
			}
			if t.Failed() {
				return
			}
		}
	}
	assert.Greater(t, settings, 100)
	t.Logf("%d settings of three algorithms, %d links", settings, links)
	answer, _ := get(t, newServer(t), "/explore/vault/shipped?setting="+url.QueryEscape("n=3 skew=1 timing=lockstep")+"&origin="+url.QueryEscape("clocks=0,1,0"))
	assert.Equal(t, http.StatusOK, answer.StatusCode)
}

// A setting is changed by hand: each control replaces its word, and the page is that of the
// new setting. Every mistake in a setting is told.
func TestSettingByHand(t *testing.T) {
	s := newServer(t)
	_, where := followed(t, s, "/explore/bully/coulouris?setting=n%3D3+start%3Dsettled+crashes%3D1+restarts%3D1&hand-n=4&hand-crashes=2&hand-restarts=owed&hand-losses=0")
	u, err := url.Parse(where)
	require.NoError(t, err)
	assert.Equal(t, "n=4 start=settled channels=unordered timing=sync:1 crashes=2 restarts=owed", u.Query().Get("setting"))

	answer, _ := get(t, s, "/explore/bully/coulouris?setting=n%3D3+start%3Dsettled&hand-restarts=1&hand-heals=1")
	require.Equal(t, http.StatusSeeOther, answer.StatusCode)
	answer, text := get(t, s, answer.Header.Get("Location"))
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
	has(t, text, "restarts=1 without crashes")

	_, text = get(t, s, "/check/bully/coulouris?setting=n%3D99+crahes%3D1+timing%3Dslow")
	for _, wrong := range []string{"n=", `"crahes"`, "timing"} {
		has(t, text, wrong)
	}
	block := regexp.MustCompile(`(?s)id="setting-error".*?</div>`).FindString(text)
	assert.Equal(t, 3, strings.Count(block, "<p>"), block)
}
