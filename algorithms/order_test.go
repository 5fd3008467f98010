package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// inOrderAlone returns the evidence of a claim that is about channels in order, in readings whose
// source does not take such channels for granted: about properties, in searches of up to so many
// states. Of a claim that is not confirmed, or that is asked under several answers about the world,
// there is none.
func inOrderAlone(t *testing.T, a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement, most uint64) (list []ledger.Evidence) {
	if j.Outcome != ledger.Confirmed || c.Unsaid != "" || c.Supposes != "" {
		return nil
	}
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Aside != "" || e.Property == "" || e.Broken || j.Exhibits[i].States > most {
			continue
		}
		v, err := a.Variant(e.Variant)
		require.NoError(t, err)
		s, err := setting.Parse(e.Setting)
		require.NoError(t, err)
		assumed := slices.ContainsFunc(a.AssumptionsOf(v.Name), func(p ledger.Assumption) bool { return p.Premise == ledger.InOrder })
		if s.FIFO && !assumed && (v.Name == c.Judged() || slices.Contains(a.Admissible(c.Source), v.Name)) {
			list = append(list, *e)
		}
	}
	return list
}

// ofTheOrder are rows that are about what channels that keep the order are good for.
var ofTheOrder = []string{"viewstamped/in-order"}

// A confirmed row on runs does not rest on channels that keep the order of messages, if its source
// does not take them for granted: what was asked of such channels holds of others as well, as far
// as they are searched. A row for which it does not is open (Unsaid).
func TestOrderOfMessagesTurnsNoRow(t *testing.T) {
	most, within := uint64(4_000), uint64(20_000)
	if *play.Deep {
		most, within = 300_000, 300_000
	}
	asked := 0
	l, err := onRecord()
	require.NoError(t, err)
	for _, entry := range l.Entries {
		a := entry.Algorithm
		claims := a.Claims()
		for i := range claims {
			for _, e := range inOrderAlone(t, a, &claims[i], &entry.Judgements[i], most) {
				name := a.Name + "/" + claims[i].Name
				if slices.Contains(ofTheOrder, name) {
					continue
				}
				asked++
				s, err := setting.Parse(e.Setting)
				require.NoError(t, err)
				s.FIFO = false
				v, err := a.Variant(e.Variant)
				require.NoError(t, err)
				sys, err := v.In(s)
				require.NoError(t, err)
				p, err := a.Property(e.Property)
				require.NoError(t, err)
				r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{p}, MaxStates: within})
				require.NoError(t, err)
				assert.NotEqual(t, checker.Violated, r.Finding(p.Name).Verdict,
					"%s: %s of %s breaks in %s: ask the row under both answers (Unsaid, If), or without the order", name, p.Name, v.Name, s)
			}
		}
	}
	assert.Positive(t, asked)
	t.Logf("%d questions", asked)
}
