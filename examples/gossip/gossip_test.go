package gossip

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/chance"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// Five members agree on the highest that is up, whoever crashes and comes back,
// and whenever.
func TestRoundRobin(t *testing.T) {
	r := checker.Verify(t, roundRobin, world+"n=5 crashes=1 restarts=1",
		checker.Asking(checker.StableLeadership, checker.ReElection, eachInTime, canAgree))
	assert.EqualValues(t, 36_613, r.Distinct)
}

// With one round of trust less a crash throws the rounds of the others out of
// step with their news: somebody gives up the coordinator again and again.
func TestImpatient(t *testing.T) {
	r := checker.Verify(t, &Gossip{Trust: 4}, world+"n=5 crashes=1", checker.Asking(checker.StableLeadership, checker.ReElection, eachInTime),
		checker.Expect(checker.StableLeadership))
	f := r.Finding(checker.StableLeadership.Name)
	assert.Len(t, f.Trace.Steps, 62)
	assert.Equal(t, 31, f.Trace.Lasso)
}

// A member that comes back leads at once, beside the one that has led since.
func TestTwoAtOnce(t *testing.T) {
	r := checker.Verify(t, &Gossip{Trust: 3}, world+"n=3 crashes=1 restarts=1", checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness),
		checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, 14)
}

// At random any member may be out of luck for as long as anybody likes, and lucky
// at any time.
func TestRandom(t *testing.T) {
	checker.Verify(t, random, world+"n=3 crashes=1", checker.Asking(canAgree, eachInTime, checker.StableLeadership),
		checker.Expect(eachInTime, checker.StableLeadership))
}

// A member that gossips to each of the others again and again is enough for each
// to name the highest again and again, and not for all to stay with it.
func TestRandomIsFair(t *testing.T) {
	stable := checker.StableLeadership.Under(fairChoice)
	checker.Verify(t, random, world+"n=3 crashes=1", checker.Asking(inTimeByChance, stable), checker.Expect(stable))
}

// mistaken is a state in which a member that is up has given up the highest one.
func mistaken(v *model.View) bool {
	for id := range v.Up.All() {
		if v.Elected(id) != v.Wanted {
			return true
		}
	}
	return false
}

// The longer members wait the rarer mistakes are, exponentially, as van Renesse, Minsky and Hayden
// have it. Of three members, one hears nothing new of the highest in a round
// in which that gossips to the other one, and the other one back to it: one time in four. After two
// rounds it takes as many in a row as it trusts longer than two. A row of r of those comes after
// (4^r-1)*4/3 rounds on average, whatever anybody does but chance.
func TestMistakesAreRare(t *testing.T) {
	for trust := uint8(2); trust <= 5; trust++ {
		sys, err := model.NewFrom(&Gossip{Trust: trust, Random: true}, world+"n=3")
		require.NoError(t, err)
		r, err := chance.Of(t.Context(), sys, chance.Options{Goal: mistaken})
		require.NoError(t, err)
		require.Empty(t, r.Why)
		row := new(big.Rat).SetInt64(1<<(2*(trust-2)) - 1)
		want := new(big.Rat).Add(big.NewRat(2, 1), row.Mul(row, big.NewRat(4, 3)))
		ticks := r.Cost("ticks")
		assert.Equal(t, want.RatString(), ticks.Least.String(), "trust %d", trust)
		assert.Equal(t, want.RatString(), ticks.Most.String(), "trust %d", trust)
	}
}

// Ten rounds go well more than nine times in ten with a trust of five, and one time in ten with three.
func TestMistakesWithinTenRounds(t *testing.T) {
	for trust, most := range map[uint8]float64{3: 0.9, 5: 0.08} {
		opt := chance.Options{Goal: mistaken, GoalText: "a mistake"}
		chance.Verify(t, &Gossip{Trust: trust, Random: true}, world+"n=3", opt, chance.Probability(0, most).Within(10, "ticks"))
	}
}
