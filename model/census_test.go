package model_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// A census counts the values that snapshots and views of the states show.
func TestCensusCountsValues(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, "n=3 start=settled crashes=1 restarts=1 timing=sync:1")
	require.NoError(t, err)
	r, err := explore.Search(t.Context(), sys, explore.Options{Graph: true})
	require.NoError(t, err)
	want := make(map[string]map[any]bool)
	see := func(name string, v any) {
		if want[name] == nil {
			want[name] = make(map[any]bool)
		}
		want[name][v] = true
	}
	halves := [2]*model.Census{sys.NewCensus(), sys.NewCensus()}
	require.NoError(t, r.Graph.States(func(n uint32, state []byte) bool {
		halves[n%2].Note(0, state)
		s, v := sys.Snapshot(state), sys.View(state)
		load := make(map[string]int)
		for _, p := range s.Processes {
			of := model.State[upstart.State](v, p.ID)
			if of == nil {
				of = &upstart.State{} // nothing is left of one that is down
			}
			see("field Elected P"+fmt.Sprint(p.ID), of.Elected)
			see("field Waiting P"+fmt.Sprint(p.ID), of.Waiting)
			see("field Heard P"+fmt.Sprint(p.ID), of.Heard)
			for _, timer := range p.Timers {
				see(fmt.Sprintf("timer %q P%d", timer.Name, p.ID), timer.Ticks)
			}
			for _, q := range s.Processes {
				load[fmt.Sprintf("messages on links P%d to P%d", p.ID, q.ID)] = 0
			}
		}
		for _, m := range s.InFlight {
			load[fmt.Sprintf("messages on links P%d to P%d", m.From, m.To)]++
		}
		for link, n := range load {
			see(link, n)
		}
		return true
	}))
	halves[0].Merge(halves[1])
	got := make(map[string]int)
	for _, v := range halves[0].Values() {
		if v.Of != model.CountedMessage {
			got[v.Thing()+" "+v.Whose()] = v.Distinct
		}
	}
	for name, values := range want {
		if len(values) > 1 {
			assert.Equal(t, len(values), got[name], name)
			delete(got, name)
		}
	}
	assert.Empty(t, got)
	assert.Greater(t, len(want), 10)
}

// Instants count by the ticks until then, those of messages too.
func TestCensusOfInstants(t *testing.T) {
	y := &dater{oldest: 5}
	y.ops[0][0] = []datedOp{{what: 0, arg: 3}, {what: 3, slot: 1}} // at boot: hold now + 3, and send now
	sys, err := model.NewFrom(y, "n=2 timing=sync:2")
	require.NoError(t, err)
	c := sys.NewCensus()
	r, err := explore.Search(t.Context(), sys, explore.Options{Graph: true})
	require.NoError(t, err)
	require.NoError(t, r.Graph.States(func(_ uint32, state []byte) bool {
		c.Note(0, state)
		return true
	}))
	found := make(map[string][3]int64)
	for _, v := range c.Values() {
		found[v.Thing()+" "+v.Whose()] = [3]int64{v.Least, v.Greatest, int64(v.Distinct)}
	}
	assert.Equal(t, [3]int64{-5, 3, 10}, found["field Held[] P1"], "3 ticks ahead to 5 ago, and never")
	assert.Equal(t, [3]int64{-2, 0, 3}, found["field At of messages "], "as old as a message gets")
}

// numbered is a dater whose states are shown as something else.
type numbered struct{ *dater }

func (numbered) Show(*dated) []model.Field { return []model.Field{{Name: "Held", Value: "much"}} }

// A protocol that shows something in place of its fields has none that grows.
func TestCensusOfWhatIsShown(t *testing.T) {
	y := &dater{oldest: 5}
	y.ops[0][0] = []datedOp{{what: 0, arg: 3}, {what: 3, slot: 1}}
	sys, err := model.NewFrom(numbered{y}, "n=2 timing=sync:2")
	require.NoError(t, err)
	c := sys.NewCensus()
	_, err = explore.Search(t.Context(), sys, explore.Options{Inspect: func(depth int, _ uint64, states [][]byte) bool {
		for _, state := range states {
			c.Note(depth, state)
		}
		return true
	}})
	require.NoError(t, err)
	assert.NotEmpty(t, c.Values())
	for _, v := range c.Values() {
		assert.NotEqual(t, model.CountedField, v.Of, v.Name)
	}
}
