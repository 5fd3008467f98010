package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A claim refuted within the assumptions of its source is refuted in a setting
// that grants them all.
func TestRefutedWithin(t *testing.T) {
	l, err := onRecord()
	require.NoError(t, err)
	for _, e := range l.Entries {
		for i := range e.Judgements {
			c, j := &e.Algorithm.Claims()[i], &e.Judgements[i]
			if j.Outcome != ledger.Refuted {
				continue
			}
			within := false
			for _, x := range j.Exhibits {
				if x.Ruling != ledger.NotAsClaimed || x.Aside != "" || x.Variant != c.Judged() {
					continue
				}
				if x.Setting == "" { // a calculation
					within = true
					break
				}
				s, err := setting.Parse(x.Setting)
				require.NoError(t, err)
				within = within || granted(e.Algorithm.AssumptionsOf(c.Judged()), s)
			}
			assert.True(t, within, "%s/%s is refuted in settings alone that do not grant what its source assumes", e.Algorithm.Name, c.Name)
		}
	}
}

func granted(list []ledger.Assumption, s setting.Setting) bool {
	for _, a := range list {
		if !a.Premise.HoldsIn(s) {
			return false
		}
	}
	return true
}
