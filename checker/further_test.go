package checker_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/trace"
)

// differences are those of all runs that end in the first violation of uniqueness, with the
// fewest steps to each: found by a plain search of states with their first faults.
func differences(sys *model.System) map[string]int {
	type node struct {
		state, fault string
	}
	depth, found := make(map[node]int), make(map[string]int)
	var next []node
	sys.Initial(func(s []byte) bool {
		next = append(next, node{string(s), ""})
		return true
	})
	for _, n := range next {
		depth[n] = 0
	}
	for len(next) > 0 {
		n := next[0]
		next = next[1:]
		if v := sys.View([]byte(n.state)); v.Leaders.Len() > 1 {
			key := n.fault + "; " + checker.Uniqueness.Explain(v)
			if _, known := found[key]; !known {
				found[key] = depth[n]
			}
			continue
		}
		for _, step := range sys.Transitions([]byte(n.state)) {
			to := node{string(step.Next), n.fault}
			if step.Action.Kind.Budget() != "" && n.fault == "" {
				to.fault = fmt.Sprint(step.Action.Kind, step.Action.Process)
			}
			if _, known := depth[to]; !known {
				depth[to] = depth[n] + 1
				next = append(next, to)
			}
		}
	}
	return found
}

// Further runs are all that differ, each as short as one can be, the same for any number of
// workers, and each can be replayed.
func TestFurtherRuns(t *testing.T) {
	in := upstart.Settled(3)
	in.Restarts, in.Losses = 1, 1
	sys := upstart.System(&upstart.Protocol{}, in)
	want := differences(sys)
	require.Greater(t, len(want), 3)
	var before []string
	for _, workers := range []int{1, 3} {
		opt := checker.Options{Properties: []*checker.Property{checker.Uniqueness}, Workers: workers}
		r, err := checker.Check(context.Background(), sys, opt)
		require.NoError(t, err)
		more, all, err := checker.Further(context.Background(), sys, opt, &r.Findings[0], 100)
		require.NoError(t, err)
		assert.True(t, all)
		got, steps := make(map[string]int), []int{}
		var files []string
		for _, f := range slices.Concat(r.Findings[:1], more) {
			fault := ""
			for _, s := range f.Run.Steps {
				if s.Action.Kind.Budget() != "" && fault == "" {
					fault = fmt.Sprint(s.Action.Kind, s.Action.Process)
				}
			}
			got[fault+"; "+f.Explanation] = len(f.Trace.Steps)
			steps = append(steps, len(f.Trace.Steps))
			_, err := trace.ReplayIn(f.Trace, sys, checker.Uniqueness.Watch())
			assert.NoError(t, err)
			data, err := f.Trace.Encode()
			require.NoError(t, err)
			files = append(files, string(data))
		}
		assert.Equal(t, want, got)
		assert.Len(t, more, len(want)-1)
		assert.True(t, slices.IsSorted(steps))
		if before != nil {
			assert.Equal(t, before, files)
		}
		before = files

		few, all, err := checker.Further(context.Background(), sys, opt, &r.Findings[0], 1)
		require.NoError(t, err)
		assert.False(t, all)
		assert.Len(t, few, 1)
	}
}

func TestFurtherRunsAreToStates(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	_, _, err := checker.Further(context.Background(), sys, checker.Options{}, &checker.Finding{Property: checker.Uniqueness}, 1)
	assert.ErrorContains(t, err, "property uniqueness: only runs to a state can differ")
}
