package checker_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/trace/render"
)

// TestRemedies: what is undecided names the flag that decides it, the best one first.
func TestRemedies(t *testing.T) {
	const sets = "lower n, crashes or restarts"
	large := checker.Options{Reduce: checker.ReduceAuto, ReduceBeyond: 1_000}
	with := func(o checker.Options, change func(o *checker.Options)) checker.Options {
		change(&o)
		return o
	}
	e2 := []*checker.Property{checker.E2}
	reach := checker.CanAlwaysReach("reach", "", func(*model.View) bool { return true })
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		protocol upstart.Protocol
		setting  string
		opt      checker.Options
		ctx      context.Context
		want     string
	}{
		"states":        {opt: checker.Options{MaxStates: 50}, want: "raise MaxStates (--max-states), or " + sets},
		"states, large": {opt: with(large, func(o *checker.Options) { o.MaxStates = 50 }), want: "decide what is open on fewer states (--reduce auto), or raise MaxStates (--max-states), or " + sets},
		"depth, large": {
			opt: with(large, func(o *checker.Options) {
				o.MaxDepth, o.Properties = 3, []*checker.Property{checker.Agreement, checker.E1}
			}),
			want: "decide agreement on fewer states (--reduce auto), or raise MaxDepth (--max-depth), or " + sets,
		},
		"auto":            {opt: checker.Options{Reduce: checker.ReduceAuto, MaxStates: 50}, want: "raise MaxStates (--max-states), or " + sets},
		"bytes":           {opt: checker.Options{MaxBytes: 1, Properties: e2}, want: "raise MaxBytes (--max-bytes), or go on in files (Disk, --disk), or " + sets},
		"dfs":             {opt: checker.Options{Order: explore.DepthFirst, Properties: e2}, want: "search breadth first (--order bfs)"},
		"graph":           {opt: checker.Options{MaxGraphStates: 9, Properties: e2}, want: "raise MaxGraphStates (--max-graph-states) or MaxBytes (--max-bytes), or " + sets},
		"stopped":         {opt: checker.Options{Properties: e2}, ctx: cancelled, want: "give it more time, or " + sets},
		"at once":         {protocol: upstart.Protocol{}, setting: "n=3 crashes=1 timing=async:0", opt: checker.Options{FailFast: true}, want: "leave FailFast (--fail-fast) out"},
		"bound":           {setting: "n=3 crashes=1 capacity=1 timing=sync:1", opt: checker.Options{Properties: []*checker.Property{reach}}, want: "raise the bound (capacity, or the protocol's own)"},
		"nothing":         {setting: "n=2", opt: checker.Options{Properties: e2}, want: ""},
		"decided by then": {setting: "n=2", opt: checker.Options{Properties: []*checker.Property{checker.Uniqueness}, MaxGraphStates: 1}, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			if c.setting == "" {
				c.setting = "n=3 crashes=1 restarts=1 timing=sync:1"
			}
			if c.ctx == nil {
				c.ctx = context.Background()
			}
			sys, err := model.NewFrom(&c.protocol, c.setting)
			require.NoError(t, err)
			r, err := checker.Check(c.ctx, sys, c.opt)
			require.NoError(t, err)
			assert.Equal(t, c.want, r.Remedy(), "%s %+v", r.Headline(), r.Findings)
			assert.Equal(t, c.want != "", r.Verdict() == checker.Incomplete || strings.Contains(r.Headline(), "undecided"))
		})
	}
}

// TestEstimateOfAReducedSystem: where a search of a reduced system ends early, the estimate
// is of that system, beside the one of the system as it is.
func TestEstimateOfAReducedSystem(t *testing.T) {
	sys, err := model.NewFrom(&upstart.Protocol{Patient: true}, "n=3 crashes=2 restarts=1 timing=sync:1")
	require.NoError(t, err)
	whole := check(t, sys, checker.Options{Properties: []*checker.Property{checker.Validity}, Exhaustive: true, Reduce: checker.ReduceAuto})
	_, ok := whole.Estimate()
	assert.False(t, ok)
	r := check(t, sys, checker.Options{Properties: []*checker.Property{checker.Validity}, Exhaustive: true, Reduce: checker.ReduceAuto, MaxStates: whole.Distinct / 2})
	var b strings.Builder
	require.NoError(t, r.WriteText(&b, render.TextOptions{Width: 1000}))
	states, ok := r.Estimate()
	require.True(t, ok, b.String())
	assert.InEpsilon(t, whole.Distinct, states, 9)
	assert.Contains(t, b.String(), "Estimate: the reduced system has about ")
}
