package pekko

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// Both sides of a cut come to decisions that fit: at most one of them stays.
func TestOneSideStays(t *testing.T) {
	for name, s := range map[string]Strategy{
		"keep-majority": KeepMajority, "static-quorum": StaticQuorum(2), "keep-oldest": KeepOldest(true), "keep-oldest-alone": KeepOldest(false),
	} {
		t.Run(name, func(t *testing.T) {
			for n := model.ID(2); n <= most; n++ {
				for side := model.Set(2); side < model.Upto(n); side += 2 {
					one, other := s(model.Upto(n), side), s(model.Upto(n), model.Upto(n)&^side)
					assert.False(t, one == DownUnreachable && other == DownUnreachable, "n=%d: %v and the others", n, side)
				}
			}
		})
	}
	assert.Equal(t, DownUnreachable, AutoDown(model.Upto(3), model.SetOf(1)))
	assert.Equal(t, DownUnreachable, AutoDown(model.Upto(3), model.SetOf(2, 3)))
}

func TestStrategies(t *testing.T) {
	for _, c := range []struct {
		says        string
		of          Strategy
		n           model.ID
		unreachable model.Set
		want        Decision
	}{
		{"the larger part", KeepMajority, 5, model.SetOf(1, 2), DownUnreachable},
		{"the smaller part", KeepMajority, 5, model.SetOf(3, 4, 5), DownReachable},
		{"half with the lowest address", KeepMajority, 4, model.SetOf(3, 4), DownUnreachable},
		{"half without it", KeepMajority, 4, model.SetOf(1, 2), DownReachable},
		{"a quorum", StaticQuorum(2), 3, model.SetOf(1), DownUnreachable},
		{"no quorum", StaticQuorum(2), 3, model.SetOf(1, 2), DownReachable},
		{"too many members", StaticQuorum(2), 4, model.SetOf(1), DownAll},
		{"the oldest with another", KeepOldest(true), 5, model.SetOf(3, 4, 5), DownUnreachable},
		{"without the oldest", KeepOldest(true), 5, model.SetOf(1, 2), DownReachable},
		{"the oldest alone", KeepOldest(true), 3, model.SetOf(2, 3), DownReachable},
		{"all but the oldest", KeepOldest(true), 3, model.SetOf(1), DownUnreachable},
		{"the oldest of two", KeepOldest(true), 2, model.SetOf(2), DownUnreachable},
		{"the other of two", KeepOldest(true), 2, model.SetOf(1), DownReachable},
		{"the oldest alone, which may be", KeepOldest(false), 3, model.SetOf(2, 3), DownUnreachable},
	} {
		assert.Equal(t, c.want, c.of(model.Upto(c.n), c.unreachable), c.says)
	}
}

// Two singletons run where a quorum counts in a cluster of any size, as it did once with no more
// than a warning, and where a member that has been removed is not told so when it is heard of
// again.
func TestWhatIsNeeded(t *testing.T) {
	one := checker.Asking(checker.Uniqueness)
	for words, c := range map[string]*Cluster{
		"n=4 cuts=1":        {Decide: StaticQuorumUnchecked(2)},
		"cuts=1 heals=owed": {Decide: KeepMajority, NotTold: true},
	} {
		t.Run(words, func(t *testing.T) {
			checker.Verify[P, M](t, c, in(words).String(), one, checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
		})
	}
}
