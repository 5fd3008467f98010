package raft

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// byDefault are the options of the command where no flag says otherwise.
var byDefault = checker.Options{Reduce: checker.ReduceAuto, ReduceBeyond: checker.DefaultReduceBeyond}

func checked(t *testing.T, p model.Protocol[server, letter], in string, opt checker.Options) *checker.Report {
	t.Helper()
	sys, err := model.New(p, setting.Must(world+in))
	require.NoError(t, err)
	opt.Properties = []*checker.Property{checker.OneLeaderPerEpoch, checker.Validity, committed}
	r, err := checker.Check(t.Context(), sys, opt)
	require.NoError(t, err)
	return r
}

// Raft with a pre-vote, a check of the leader's quorum and a log of two entries is decided in
// all of its states within two terms: with a crash and a restart by the search that a check
// makes by itself, within two minutes.
func TestLogs(t *testing.T) {
	in, opt, states := "n=3 timing=sync:1 crashes=1", checker.Options{Reduce: checker.ReduceAuto}, 7_410
	if *deep {
		in, opt, states = in+" restarts=1", byDefault, 110_717
		opt.MaxTime = 2 * time.Minute
	}
	r := checked(t, &logged{terms: 2}, in, opt)
	assert.True(t, r.Complete(), r.Why)
	assert.EqualValues(t, states, r.Reduction.Distinct)
	for i := range r.Findings {
		assert.Equal(t, checker.Holds, r.Findings[i].Verdict, r.Findings[i].Property.Name)
	}
}

// Where timeouts are drawn, or time does not count, ids decide nothing.
func TestLogsAreSymmetric(t *testing.T) {
	n := "n=2"
	if *deep {
		n = "n=3"
	}
	checker.TestProtocol(t, &logged{terms: 2, random: true}, world+n+" timing=sync:1 crashes=1 restarts=1")
	checker.TestProtocol(t, &logged{terms: 2}, world+n+" timing=async:1 crashes=1 restarts=1")
}

// As timeouts differ by id, ids decide something under synchronous timing.
func TestTimeoutsAreNotSymmetric(t *testing.T) {
	sys, err := model.New(symmetrical{&logged{terms: 2}}, setting.Must(world+"n=3 timing=sync:1"))
	require.NoError(t, err)
	assert.ErrorContains(t, checker.TestSystem(sys), "method Symmetric says that ids decide nothing, and where P1 and P2 change places ")
}

type symmetrical struct{ *logged }

func (symmetrical) Symmetric(setting.Setting) bool { return true }

// TestPermutations has the verdicts of Raft, and shortest runs, from one state of each orbit.
func TestPermutations(t *testing.T) {
	for _, c := range []struct {
		name     string
		protocol model.Protocol[P, M]
		verdict  checker.Verdict
	}{
		{"as it is", ending{anyDelays, 2}, checker.Holds},
		{"forgets all", forgetsAll{anyDelays}, checker.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			sys, err := model.New(c.protocol, setting.Must(world+"n=3 timing=async:1 crashes=1 restarts=1"))
			require.NoError(t, err)
			opt := checker.Options{Properties: []*checker.Property{checker.OneLeaderPerEpoch}}
			plain, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			opt.Reduce = model.Permutations
			less, err := checker.Check(t.Context(), sys, opt)
			require.NoError(t, err)
			require.Equal(t, model.Permutations, less.Reduction.Made)
			was, is := plain.Finding(checker.OneLeaderPerEpoch.Name), less.Finding(checker.OneLeaderPerEpoch.Name)
			assert.Equal(t, c.verdict, was.Verdict)
			assert.Equal(t, c.verdict, is.Verdict)
			assert.Greater(t, plain.Distinct, 4*less.Distinct)
			if c.verdict == checker.Violated {
				assert.Len(t, is.Trace.Steps, len(was.Trace.Steps))
			}
		})
	}
}
