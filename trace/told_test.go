package trace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
)

// A long run that is told has each step once, in order; each fault, each change of a belief
// and the end have a row to themselves; and each message is drawn or is in a fold.
func TestToldOfRandomRuns(t *testing.T) {
	folds := 0
	for _, setting := range heraldtest.Settings {
		t.Run(setting, func(t *testing.T) {
			sys := heraldtest.System(t, setting)
			for seed := range uint64(5) {
				l := heraldtest.Lay(t, heraldtest.Walk(sys, seed, 160), trace.Header{})
				told := trace.Told(l)
				require.Same(t, told, trace.Told(told), "told twice")
				if told == l {
					continue
				}
				assert.Equal(t, told, trace.Told(l), "told another time")
				step := 0
				for i, r := range told.Rows {
					if r.Fold == nil {
						assert.Equal(t, step, r.Step)
						assert.Equal(t, l.Rows[r.Step].Action, r.Action)
						step++
						continue
					}
					folds++
					assert.Equal(t, step, r.Fold.First)
					assert.Greater(t, r.Step, r.Fold.First)
					assert.NotEmpty(t, told.Tell(i))
					for ; step <= r.Step; step++ {
						row := &l.Rows[step]
						assert.Empty(t, row.Action.Kind.Budget(), "step %d is a fault", step)
						for _, c := range row.Cells {
							assert.False(t, c.Changed, "a belief changes in step %d", step)
						}
					}
				}
				assert.Equal(t, len(l.Rows), step)
				assert.Equal(t, l.Rows[len(l.Rows)-1].State, told.Rows[len(told.Rows)-1].State)
				messages := len(told.Arrows)
				for _, r := range told.Rows {
					if r.Fold != nil {
						messages += len(r.Fold.Arrows)
						for _, i := range l.Rows[r.Fold.First : r.Step+1] {
							for _, k := range i.Sent {
								if l.Arrows[k].Fate == trace.Refused {
									messages++
								}
							}
						}
					}
				}
				assert.Equal(t, len(l.Arrows), messages)
				for k, a := range told.Arrows {
					assert.LessOrEqual(t, a.Sent, a.End)
					assert.Contains(t, told.Rows[a.Sent].Sent, k)
				}
			}
		})
	}
	assert.Positive(t, folds)
}

// A run of up to fifty steps is told step by step, however many ticks it has.
func TestToldOfAShortRun(t *testing.T) {
	sys := heraldtest.System(t, heraldtest.Settings[0])
	l := heraldtest.Lay(t, heraldtest.Walk(sys, 1, 50), trace.Header{})
	assert.Same(t, l, trace.Told(l))
}

// A loop in which nothing is new is told by its first turn, and a chapter begins with it.
func TestToldOfALoop(t *testing.T) {
	_, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	tr := r.Record(trace.Header{Kind: trace.Violation, Property: "p"})
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	n := len(l.Rows)
	turn := l.Rows[n-1]
	turn.Action, turn.At, turn.Arrow, turn.Sent, turn.Dropped, turn.Changes = model.Action{Kind: model.Starts, Process: 1}, 0, -1, nil, nil, nil
	turn.Cells = append([]trace.Cell{}, turn.Cells...)
	for k := range turn.Cells {
		turn.Cells[k].Changed = false
	}
	for len(l.Rows) < n+60 {
		turn.Step = len(l.Rows)
		l.Rows = append(l.Rows, turn)
	}
	for i := range l.Arrows {
		if l.Arrows[i].Fate == trace.InFlight {
			l.Arrows[i].End = len(l.Rows)
		}
	}
	l.Breaks, l.Lasso = -1, n
	told := trace.Told(l)
	end := len(told.Rows) - 1
	last := &told.Rows[end]
	require.NotNil(t, last.Fold)
	assert.Equal(t, n, last.Fold.First)
	assert.Equal(t, end, told.Lasso)
	assert.Equal(t, "P1 is asked to begin an election 60 times.", told.Tell(end))
	assert.Len(t, last.Fold.Steps, 60)
	assert.Equal(t, "Without end", told.Chapters[len(told.Chapters)-1].Title)
	assert.LessOrEqual(t, len(told.Chapters), 6)
}
