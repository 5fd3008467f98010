package vault

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/clock"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// The clock of a standby may be ahead by what is left of a lock when it is renewed, less the time of a call: whichever
// node's it is, and if all differ. A tick more, and two nodes are active.
func TestClocks(t *testing.T) {
	for words, states := range map[string]uint64{"skew=8 clocks=0,8,0": 4_040, "skew=8 clocks=8,0,0": 4_040, "skew=2": 76_760} {
		r := checker.Verify(t, shipped, in(words).String(), checker.Asking(checker.Uniqueness, keepsOne), checker.AllowGaps("*"))
		assert.Equal(t, states, r.Distinct, words)
	}
	for words, steps := range map[string]int{"skew=9 clocks=0,9,0": 31, "skew=15 clocks=15,0,0": 7, "skew=9 clocks=0,0,0 clock-steps=1": 32} {
		r := checker.Verify(t, shipped, in(words).String(), checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
		assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, steps, words)
	}
}

// A node that trusts its lock for a tick less than that lives is active alone, also if a clock is a tick ahead.
func TestTrustsLock(t *testing.T) {
	for words, states := range map[string]uint64{"losses=2": 163_356, "cuts=1 cut-by=link": 77_392, "cuts=1 cut-by=link skew=1 clocks=0,1,0": 77_494} {
		if states > 100_000 && !*play.Deep {
			continue
		}
		r := checker.Verify(t, trustsLock, in(words).String(), checker.Asking(checker.Uniqueness), checker.AllowGaps("*"))
		assert.Equal(t, states, r.Distinct, words)
	}
}

// A lock ends with the fifth call of watch in a row that fails.
func TestWatchRetries(t *testing.T) {
	node, err := model.NewNode(shipped, in(""), 1)
	require.NoError(t, err)
	require.NoError(t, node.Init(model.Cold))
	node.Be(P{Active: true, Number: 1, Locks: [2]Lock{1: {Runs: true, Retries: 5}}}, odd)
	for range 5 {
		assert.True(t, node.State.Active)
		require.NoError(t, node.Expire(odd))
	}
	assert.True(t, node.State.Active, "the first of them had no call before it")
	require.NoError(t, node.Expire(odd))
	assert.False(t, node.State.Active)
}

// The table compares with the clock of whoever asks.
func TestExpires(t *testing.T) {
	table, err := model.NewNode(shipped, in(""), 3)
	require.NoError(t, err)
	require.NoError(t, table.Init(model.Cold))
	for _, c := range []struct {
		ahead int
		want  string
	}{{4, "Refused(1)"}, {5, "Updated(1)"}} {
		table.Be(P{Item: Item{Holder: 1, Number: 1, Expires: clock.Clock{}.In(5)}})
		require.NoError(t, table.Receive(model.Peer(2), M{Type: Acquire, Number: 1, Now: clock.Ahead(c.ahead).Now()}))
		for _, m := range table.Sends {
			assert.Equal(t, c.want, m.String())
		}
	}
}
