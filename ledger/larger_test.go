package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
	"bullyproof/ledger"
)

// asksLarger returns claims on one algorithm: what is asked at three processes, and
// at four.
func asksLarger(t *testing.T) *ledger.Algorithm {
	const three, four = crashed, "n=4 start=settled timing=sync:1 crashes=1"
	asks := func(e ledger.Evidence, larger ...ledger.Evidence) ledger.Claim {
		return ledger.Claim{Name: e.Property, Evidence: []ledger.Evidence{e}, Larger: func() []ledger.Evidence { return larger }}
	}
	takes := ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 1000, three)
	count := asks(takes, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 0, four))
	count.Name = "count"
	a := claimed(
		asks(ledger.Keeps("agreement", three), ledger.Keeps("agreement", four), ledger.Keeps("agreement", three),
			ledger.Keeps("agreement", four).Beside("it decides nothing"), ledger.Keeps("agreement", four).InDeep()),
		asks(ledger.Keeps("uniqueness", three), ledger.Breaks("uniqueness", four)),
		asks(ledger.Keeps("e2", three), ledger.Keeps("e2", "n=5 start=settled timing=sync:2 crashes=2")),
		asks(ledger.Keeps("validity", three)), count, ledger.Claim{Name: "in-go", Evidence: []ledger.Evidence{ledger.Keeps("extreme", three)}},
	)
	a.Keep(a.Lock(judge(t, a, ledger.JudgeOptions{})))
	return a
}

// At one process more a claim is asked what decides it and was not asked before, and
// what comes to something else is a change.
func TestLarger(t *testing.T) {
	a := asksLarger(t)
	larger := a.Larger(2_000)
	var asked []int
	for _, c := range larger.Claims() {
		asked = append(asked, len(c.Evidence))
		for _, e := range c.Evidence {
			assert.EqualValues(t, 2_000, e.MaxStates)
			assert.False(t, e.Deep)
		}
	}
	assert.Equal(t, []int{1, 1, 1, 0, 1, 0}, asked)
	all := []*ledger.Algorithm{a}
	l, err := ledger.Judge(t.Context(), []*ledger.Algorithm{larger}, ledger.JudgeOptions{Reduce: true, Workers: 1})
	require.NoError(t, err)
	list, err := l.Reaches(t.Context(), all)
	require.NoError(t, err)
	require.Len(t, list, 1)
	r := list[0]
	assert.Equal(t, []int{4, 3, 4, 3}, []int{r.Asked, r.Decided, r.Questions, r.Answered})
	assert.Contains(t, r.String(), ": 3 of 4 claims decided at one process more, by 3 of 4 questions; 2 otherwise than on record")
	require.Len(t, r.Changes, 2)
	assert.Contains(t, r.Changes[0].String(), ", agreement: as claimed on record, and not as claimed at one process more: agreement: violated in 7 steps")
	assert.Equal(t, "uniqueness", r.Changes[1].Claim)
	_, err = l.Reaches(t.Context(), nil)
	assert.ErrorContains(t, err, "is not among those that are on record")
}

// A search that does not end within its limit goes on with the reduced system where
// that pays, and says what the record says of the whole one.
func TestLargerReduced(t *testing.T) {
	const setting = "n=3 start=settled timing=sync:1 crashes=2 restarts=2" // 20,493 states
	a := claimed()
	a.Variants, a.Mutants = a.Variants[1:], nil
	asks := func(name string, limit uint64, opt ledger.JudgeOptions) ledger.Exhibit {
		a.Written = ledger.Listed(ledger.Claim{Name: "one", Evidence: []ledger.Evidence{ledger.Keeps(name, setting).Within(limit)}})
		opt.Workers = 1
		return judge(t, a, opt)[0].Exhibits[0]
	}
	assert.Equal(t, ledger.Open, asks("live-coordinator", 10_000, ledger.JudgeOptions{}).Ruling)
	x := asks("live-coordinator", 10_000, ledger.JudgeOptions{Reduce: true})
	assert.Equal(t, ledger.AsClaimed, x.Ruling)
	assert.Less(t, x.States, uint64(10_000))
	assert.Equal(t, ledger.NotAsClaimed, asks("uniqueness", 10_000, ledger.JudgeOptions{Reduce: true}).Ruling)
	assert.Equal(t, ledger.AsClaimed, asks("e2", 10_000, ledger.JudgeOptions{Reduce: true}).Ruling, "it is decided where runs are over")
	assert.Equal(t, ledger.Open, asks("e1", 10_000, ledger.JudgeOptions{Reduce: true}).Ruling, "it takes all states")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ledger.Judgements(ctx, a, ledger.JudgeOptions{Reduce: true})
	assert.ErrorIs(t, err, context.Canceled)
}
