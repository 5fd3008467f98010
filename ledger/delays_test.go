package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// A question under one bound on delays is asked under the two others, once.
func TestByDelays(t *testing.T) {
	claims := ledger.ByDelays([]ledger.Claim{
		{Name: "safe", Evidence: []ledger.Evidence{
			ledger.Keeps("agreement", "n=2 start=settled crashes=1"),
			ledger.Keeps("agreement", "n=2 start=settled crashes=1 timing=sync:2"),
			ledger.Keeps("agreement", "n=2 start=settled crashes=1").Of("patient"),
			ledger.Keeps("agreement", "n=4 start=settled crashes=1").InDeep(),
			ledger.Keeps("agreement", "n=3 start=settled").Beside("for comparison"),
			ledger.Keeps("agreement", "n=3 start=settled crashes=1 timing=patient"),
			ledger.Keeps("agreement", "n=3 start=settled crashes=1 timing=sync:1 drift=10"),
			ledger.Breaks("uniqueness", "n=2 start=settled crashes=1 timing=lockstep"),
		}},
		{Name: "cheap", Kind: ledger.CountClaim, Evidence: []ledger.Evidence{ledger.Keeps("agreement", "n=2 start=settled")}},
	})
	require.Len(t, claims[0].Evidence, 8+3)
	var asked []string
	for _, e := range claims[0].Evidence[8:] {
		s, err := setting.Parse(e.Setting)
		require.NoError(t, err)
		asked = append(asked, e.Asks()+" "+s.Timing.String())
		assert.True(t, e.Deep)
		assert.NotEmpty(t, e.Aside)
		assert.NotZero(t, e.MaxStates)
		assert.Empty(t, e.Variant)
	}
	assert.Equal(t, []string{"agreement lockstep", "uniqueness is to break sync:1", "uniqueness is to break sync:2"}, asked)
	assert.Len(t, claims[1].Evidence, 1, "a count")
}

// A row shows what it comes to under each bound, in one order.
func TestDelaysOfARow(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{
		ledger.Keeps("agreement", crashed), ledger.Keeps("uniqueness", "n=3 start=settled timing=sync:2 crashes=1").Beside("not asked"),
	}})
	a.Written = ledger.Listed(ledger.ByDelays(a.Claims())...)
	e := ledger.Entry{Algorithm: a, Judgements: judge(t, a, ledger.JudgeOptions{Deep: true})}
	assert.Equal(t, ledger.Confirmed, e.Judgements[0].Outcome)
	assert.Equal(t, ledger.Remark{
		Label: "By delays", Text: "as claimed under lockstep, sync:1 and sync:2. The source has no bound on delays.",
	}, e.Rows()[0].Remarks[0])
}

// A row turns that comes out otherwise where all messages take equally long, if it is decided
// under both. A sentence of what can happen does not: it needs one run.
func TestTurnedByDelays(t *testing.T) {
	holds := ledger.Keeps("agreement", "n=2 timing=lockstep")
	breaks := ledger.Breaks("agreement", "n=2 timing=lockstep")
	for _, at := range []struct {
		name          string
		e             ledger.Evidence
		kind          ledger.ClaimKind
		equal, differ ledger.Ruling
		turns         bool
	}{
		{name: "fails if delays differ", e: holds, equal: ledger.AsClaimed, differ: ledger.NotAsClaimed, turns: true},
		{name: "fails if they are equal", e: holds, equal: ledger.NotAsClaimed, differ: ledger.AsClaimed, turns: true},
		{name: "alike", e: holds, equal: ledger.AsClaimed, differ: ledger.AsClaimed},
		{name: "undecided", e: holds, equal: ledger.AsClaimed, differ: ledger.Open},
		{name: "what can happen", e: breaks, equal: ledger.NotAsClaimed, differ: ledger.AsClaimed},
		{name: "a count", e: holds, kind: ledger.CountClaim, equal: ledger.AsClaimed, differ: ledger.NotAsClaimed},
	} {
		t.Run(at.name, func(t *testing.T) {
			other := at.e
			other.Setting = "n=2"
			c := &ledger.Claim{Kind: at.kind, Evidence: []ledger.Evidence{at.e, other.Beside("under other delays")}}
			j := &ledger.Judgement{Exhibits: []ledger.Exhibit{
				{Setting: at.e.Setting, Asked: at.e.Asks(), Ruling: at.equal},
				{Setting: other.Setting, Asked: at.e.Asks(), Ruling: at.differ, Aside: "under other delays"},
			}}
			assert.Equal(t, at.turns, ledger.TurnedByDelays(c, j))
		})
	}
}

// A decided row that turns by delays quotes a sentence that excludes one of the two; the words of
// the claim itself are none.
func TestRowThatTurnsByDelaysQuotesASentence(t *testing.T) {
	holds := ledger.Keeps("agreement", "n=2 timing=lockstep")
	other := holds.Beside("under other delays")
	other.Setting = "n=2"
	for about, c := range map[string]struct {
		delays  string
		outcome ledger.Outcome
		want    string
	}{
		"it is open":                 {"", ledger.Depends, ""},
		"it is confirmed":            {"", ledger.Confirmed, "want it asked under both"},
		"no sentence":                {"It is so.", ledger.Confirmed, "quotes no sentence"},
		"half a sentence":            {`"It is so.`, ledger.Confirmed, "quotes no sentence"},
		"the claim itself":           {`"an election occurs quickly" says it.`, ledger.Confirmed, "quotes the claim alone"},
		"another sentence":           {`"One takes longer than another."`, ledger.Confirmed, ""},
		"another, beside the claim":  {`"an election occurs quickly": "one takes longer".`, ledger.Refuted, ""},
		"the claim itself, and open": {`"quickly"`, ledger.Depends, "quotes the claim alone"},
	} {
		t.Run(about, func(t *testing.T) {
			claim := ledger.Claim{Name: "it", Text: `"If an election occurs quickly, all agree."`, Delays: c.delays, Evidence: []ledger.Evidence{holds, other}}
			j := &ledger.Judgement{Outcome: c.outcome, Exhibits: []ledger.Exhibit{
				{Setting: holds.Setting, Asked: holds.Asks(), Ruling: ledger.AsClaimed},
				{Setting: other.Setting, Asked: holds.Asks(), Ruling: ledger.NotAsClaimed, Aside: "under other delays"},
			}}
			err := claimed(claim).ValidDelays(&claim, j)
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}
