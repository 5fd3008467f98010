package web

import (
	"net/http"
	"net/url"
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
