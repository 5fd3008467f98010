package typed

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
)

// Counters are three that count to 3, any one at a time, to at most a sum.
type counters struct{ favoured bool }

func (counters) Initial(yield func([3]int8) bool) { yield([3]int8{}) }

func (c counters) Next(s [3]int8, yield func(int, [3]int8) bool) {
	for i := range s {
		t := s
		if t[i]++; t[i] <= 3 && !(c.favoured && i == 0 && t[i] > 2) && !yield(i, t) {
			return
		}
	}
}

func sorted(s [3]int8) [3]int8 {
	slices.Sort(s[:])
	return s
}

func TestSymmetry(t *testing.T) {
	full := Sometimes("full", func(s [3]int8) bool { return s == [3]int8{3, 3, 3} })
	even := AlwaysStep("by one", func(from [3]int8, i int, to [3]int8) bool { return to[i] == from[i]+1 })
	within := Constraint("little", func(s [3]int8) bool { return s[0]+s[1]+s[2] <= 8 })
	all := Symmetry("counters", sorted)
	for _, order := range []explore.Order{explore.BreadthFirst, explore.DepthFirst} {
		r, err := Check(context.Background(), counters{}, explore.Options{Order: order}, full, even, all)
		require.NoError(t, err)
		assert.EqualValues(t, 20, r.Distinct, "multisets of three out of four")
		assert.Equal(t, Holds, r.Answer("by one").Verdict)
		steps := r.Answer("full").Behavior.Steps
		require.Len(t, steps, 10)
		for i := range steps[1:] {
			want := steps[i].State
			want[steps[i+1].Action]++
			assert.Equal(t, want, steps[i+1].State)
		}
	}
	r, err := Check(context.Background(), counters{}, explore.Options{}, full, within, all)
	require.NoError(t, err)
	assert.EqualValues(t, 19, r.Distinct)
	assert.Len(t, r.Answer("full").Behavior.Steps, 10, "the last state is outside")
}

func TestSymmetryThatIsNone(t *testing.T) {
	full := Sometimes("full", func(s [3]int8) bool { return s == [3]int8{3, 3, 3} })
	tests := []struct {
		name     string
		model    counters
		formulas []Formula[[3]int8]
		want     string
	}{
		{"formula", counters{}, []Formula[[3]int8]{Sometimes("first", func(s [3]int8) bool { return s[0] == 3 }), Symmetry("counters", sorted)}, `"first" tells state`},
		{"model", counters{favoured: true}, []Formula[[3]int8]{full, Symmetry("counters", sorted)}, "lead to different orbits"},
		{"canonical", counters{}, []Formula[[3]int8]{full, Symmetry("counters", func(s [3]int8) [3]int8 { return [3]int8{s[1], s[2], s[0]} })}, "another one for its own"},
		{"nothing", counters{}, []Formula[[3]int8]{full, Symmetry[[3]int8]("counters", nil)}, `"counters") has no function`},
		{"two", counters{}, []Formula[[3]int8]{full, Symmetry("counters", sorted), Symmetry("again", sorted)}, `symmetry "again" is the second one`},
		{"liveness", counters{}, []Formula[[3]int8]{Eventually("full", func(s [3]int8) bool { return s == [3]int8{3, 3, 3} }), Symmetry("counters", sorted)}, "questions about states and transitions alone"},
		{"fairness", counters{}, []Formula[[3]int8]{full, FairNext[[3]int8](), Symmetry("counters", sorted)}, "leave out the symmetry"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Check(context.Background(), test.model, explore.Options{}, test.formulas...)
			assert.ErrorContains(t, err, test.want)
		})
	}
}
