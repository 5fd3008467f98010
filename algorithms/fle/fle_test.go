package fle

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// totalOrderPredicate has three cases.
func TestBetter(t *testing.T) {
	for _, c := range []struct {
		name    string
		v, than Vote
		better  bool
	}{
		{"a higher epoch, a shorter log and a lower id", Vote{1, 2, 1, 1, Looking}, Vote{3, 1, 1, 1, Looking}, true},
		{"a lower epoch, a longer log and a higher id", Vote{3, 1, 2, 1, Looking}, Vote{1, 2, 1, 1, Looking}, false},
		{"one epoch, a longer log and a lower id", Vote{1, 2, 2, 1, Looking}, Vote{3, 2, 1, 1, Looking}, true},
		{"one epoch, one log, a higher id", Vote{3, 2, 2, 1, Looking}, Vote{1, 2, 2, 1, Looking}, true},
		{"the same", Vote{3, 2, 2, 1, Looking}, Vote{3, 2, 2, 2, Leading}, false},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.better, (&FLE{}).better(c.v, c.than)) })
	}
}

// Vote.equals compares all of votes that are of an election, and the leader and the epoch of
// others.
func TestEqual(t *testing.T) {
	leading, following := Vote{3, 2, 2, 1, Leading}, Vote{3, 2, 1, 2, Following}
	assert.True(t, (&FLE{}).equal(leading, following))
	assert.False(t, exact{&FLE{}}.equal(leading, following))
	following.Role = Looking
	assert.False(t, (&FLE{}).equal(leading, following))
	assert.False(t, (&FLE{}).equal(leading, Vote{3, 1, 2, 1, Leading}), "another epoch")
}

// A server that crashes at any time and comes back leaves one leader that all follow.
func TestCrash(t *testing.T) {
	for _, c := range []struct {
		in     string
		states uint64
	}{
		{"timing=lockstep crashes=1 restarts=1", 195_687},
		{"timing=sync:1 crashes=1", 101_282},
	} {
		if c.states > 150_000 && !*play.Deep {
			continue
		}
		t.Run(c.in, func(t *testing.T) {
			r := checker.Verify(t, &FLE{Rounds: 6}, connections+"n=3 initiators=none "+c.in, checker.Asking(Algorithm.Asked...), checker.AllowGaps("*"))
			assert.Equal(t, c.states, r.Distinct)
		})
	}
}

// Two servers may both have been elected in one round: that nobody leads before a majority
// has accepted its epoch is what makes up for it.
func TestElectedTwice(t *testing.T) {
	twice := checker.Sometimes("elected-twice", "Two servers are elected in one round.", func(v *model.View) bool {
		var rounds [8]int
		for id := range v.Up.All() {
			if p := model.State[P](v, id); p.Role == Leading {
				rounds[p.Round]++
			}
		}
		return rounds[1] > 1
	})
	r := checker.Verify(t, hasty, impatient.String(), checker.Asking(twice, checker.OneLeaderPerEpoch), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(twice.Name).Trace.Steps, 17)
}
