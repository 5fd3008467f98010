package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// ofTheOrder are rows that are about what channels that keep the order are good for.
var ofTheOrder = []string{"viewstamped/in-order"}

// inAnyOrder returns a confirmed claim with the evidence that is about channels in order, in
// readings whose source does not take such channels for granted, asked of others: of what took up
// to so many states.
func inAnyOrder(t *testing.T, a *ledger.Algorithm, c ledger.Claim, j *ledger.Judgement, most uint64) (ledger.Claim, bool) {
	if j.Outcome != ledger.Confirmed || c.Unsaid != "" || c.Supposes != "" || slices.Contains(ofTheOrder, a.Name+"/"+c.Name) {
		return c, false
	}
	var list []ledger.Evidence
	for i, e := range c.Evidence {
		if e.Aside != "" || e.Setting == "" || e.Broken || j.Exhibits[i].States > most || j.Exhibits[i].States == 0 {
			continue
		}
		v, err := a.Variant(e.Variant)
		require.NoError(t, err)
		s, err := setting.Parse(e.Setting)
		require.NoError(t, err)
		assumed := slices.ContainsFunc(a.AssumptionsOf(v.Name), func(p ledger.Assumption) bool { return p.Premise == ledger.InOrder })
		if s.FIFO && !assumed && (v.Name == c.Judged() || slices.Contains(a.Admissible(c.Source), v.Name)) {
			s.FIFO = false
			e.Setting, e.MaxStates, e.Deep = s.String(), 10*most, false
			list = append(list, e)
		}
	}
	c.Evidence = list
	return c, len(list) > 0
}

// A confirmed row on runs or costs does not rest on channels that keep the order of messages, if its
// source does not take them for granted: what was asked of such channels is as claimed of others as
// well, as far as they are searched. A row for which it is not is open (Unsaid).
func TestOrderOfMessagesTurnsNoRow(t *testing.T) {
	most := uint64(3_000)
	if *play.Deep {
		most = 60_000
	}
	l, err := onRecord()
	require.NoError(t, err)
	asked := 0
	for _, entry := range l.Entries {
		other := *entry.Algorithm
		var list []ledger.Claim
		for i, c := range other.Claims() {
			if c, ok := inAnyOrder(t, entry.Algorithm, c, &entry.Judgements[i], most); ok {
				list = append(list, c)
			}
		}
		other.Silent, other.Written = nil, ledger.Listed(list...)
		found, err := ledger.Judgements(t.Context(), &other, ledger.JudgeOptions{})
		require.NoError(t, err)
		for _, j := range found {
			for _, x := range j.Exhibits {
				asked++
				assert.NotEqual(t, ledger.NotAsClaimed, x.Ruling, "%s/%s: %s of %s in %s: ask the row under both answers (Unsaid, If), or without the order",
					other.Name, j.Claim, x.Asked, x.Variant, x.Setting)
			}
		}
	}
	assert.Positive(t, asked)
	t.Logf("%d questions", asked)
}
