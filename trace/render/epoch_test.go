package render_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A terms protocol is a herald whose elections have numbers.
type terms struct{ heraldtest.Protocol }

func (t terms) Belief(p *heraldtest.State) model.Belief {
	b := t.Protocol.Belief(p)
	b.Epoch = uint64(p.Boss)
	return b
}

func TestEpochsAreTold(t *testing.T) {
	sys, err := model.New[heraldtest.State, heraldtest.Message](terms{}, heraldtest.Setting(t, "n=2 start=coordinator-down timing=last-resort restarts=1"))
	require.NoError(t, err)
	for initial := range sys.Initial {
		run := trace.Begin(sys, initial)
		for _, a := range []model.Action{
			{Kind: model.Suspects, Process: 1, Who: 2},
			{Kind: model.Drops, Process: 2, Port: model.Peer(1), Message: "ELECTION"},
			{Kind: model.Expires, Process: 1, Timer: "answer"},
			{Kind: model.Restarts, Process: 2},
		} {
			require.NoError(t, run.Do(a))
		}
		recorded := run.Record(trace.Header{Algorithm: "terms", Property: "uniqueness", Kind: trace.Violation})
		assert.Contains(t, recorded.Steps[2].Changes, trace.Change{Process: 1, Field: "epoch", From: "0", To: "1"})
		layout, err := trace.Lay(recorded, run)
		require.NoError(t, err)
		assert.Equal(t, "P1 (epoch 1) and P2 (epoch 2) both believe themselves coordinator", layout.BeliefText(len(layout.Rows)-1))
		var text bytes.Buffer
		require.NoError(t, render.Text(&text, layout, render.TextOptions{Width: 200}))
		assert.Contains(t, text.String(), "is now in epoch 1; believes itself coordinator.")
	}
}
