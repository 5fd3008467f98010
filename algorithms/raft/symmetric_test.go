package raft

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

// Where the log of the last server lags, ids decide something, though time does not count: a
// search has to find a state in which it does, 14 steps away, as it is and reduced.
func TestLagsIsNotSymmetric(t *testing.T) {
	behind := checker.Always("behind", "No server asks for pre-votes in term 1 while another one follows the leader of term 2 with the log of term 1, and one is down.",
		func(v *model.View) bool {
			asks, lags := false, false
			for id := model.ID(1); id <= v.N; id++ {
				if s := model.State[P](v, id); s != nil {
					asks = asks || s.Role == PreCandidate && s.Term == 1
					lags = lags || s.Role == Follower && s.Term == 2 && s.Leader != 0 && s.Log == Log{Term: 1, Len: 1}
				}
			}
			return v.Up.Len() != 2 || !asks || !lags
		}).Reading(model.ReadsStates).Blind()
	sys, err := model.NewFrom(Lagging{&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 2}},
		"n=3 timing=patient start=settled crashes=1 channels=fifo")
	require.NoError(t, err)
	require.NoError(t, checker.TestSystem(sys))
	for _, reduce := range []model.Reductions{0, checker.ReduceAuto} {
		r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{behind}, Reduce: reduce})
		require.NoError(t, err)
		f := r.Finding(behind.Name)
		require.Equal(t, checker.Violated, f.Verdict, reduce)
		assert.Len(t, f.Trace.Steps, 14, reduce)
	}
}
