package genleader

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

func TestRules(t *testing.T) { play.Rules(t, Algorithm, "rules.txt") }

// Whoever may crash and come back, all follow one leader if a leader asks all nodes.
func TestAsksAll(t *testing.T) {
	for words, states := range map[string]uint64{"crashes=2 restarts=1": 28_720, "timing=sync:1 crashes=1 restarts=1": 10_946, "timing=sync:2 crashes=2": 5_549} {
		r := checker.Verify(t, &GenLeader{AsksAll: true}, in(words).String(),
			checker.Asking(checker.Uniqueness, checker.Agreement, checker.E2, checker.StableLeadership), checker.AllowGaps("*"))
		assert.Equal(t, states, r.Distinct, words)
	}
}

// The number of a connection tells what is of an earlier one.
func TestConnections(t *testing.T) {
	waiting := P{Status: Wait, Elid: Elid{1, 1, 0}, Leadernode: 1, Monitored: model.SetOf(1), Incarn: 1}
	waiting.Conn.Set(1, 1)
	for _, c := range []struct {
		name  string
		m     M
		sends []string
		then  Status
	}{
		{"earlier", M{Type: Ldr, T: waiting.Elid}, []string{"closed by 1"}, Wait},
		{"earlier, of what is closed", M{Type: Closed}, nil, Wait},
		{"this one", M{Type: Ldr, T: waiting.Elid, Conn: 1}, nil, Norm},
		{"later, so P1 has ended", M{Type: Up, Conn: 3}, nil, Elec1},
	} {
		t.Run(c.name, func(t *testing.T) {
			node, err := model.NewNode(&GenLeader{}, in(""), 2)
			require.NoError(t, err)
			require.NoError(t, node.Init(model.Cold))
			node.Be(waiting)
			require.NoError(t, node.Receive(model.Peer(1), c.m))
			var sends []string
			for _, m := range node.Sends {
				sends = append(sends, m.String())
			}
			assert.Equal(t, c.sends, sends)
			assert.Equal(t, c.then, node.State.Status)
		})
	}
}
