package validate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/raft"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

// logOf records a run of what runs, as processes that wake each at its moment, and
// crash.
func logOf(t *testing.T, in func(setting.Setting) (*model.System, error), base setting.Setting, seed uint64) []eventlog.Event {
	s, err := base.With("n=3 timing=async start=cold:interleaved crashes=2 restarts=2")
	require.NoError(t, err)
	sys, err := in(s)
	require.NoError(t, err)
	return record(walk(t, sys, 60, rand.New(rand.NewPCG(seed, 1))))
}

// A log of an algorithm's own system is accepted; if the code that ran broke a
// rule, the event that shows it is named.
func TestAlgorithms(t *testing.T) {
	bullyIn, raftIn := bully.Algorithm.Variants[0].New, raft.Algorithm.Variants[1].New
	bullySays, raftSays := setting.Must("n=3 initiators=1:lazy suspicions=2"), setting.Must("n=3 initiators=none detector=off")
	for _, c := range []struct {
		name    string
		model   func(setting.Setting) (*model.System, error)
		ran     func(setting.Setting) (*model.System, error)
		base    setting.Setting
		at, why string // of the line that is refused, "" for none
	}{
		{"bully", bullyIn, bullyIn, bullySays, "", ""},
		{"raft", raftIn, raftIn, raftSays, "", ""},
		{"bully that announces anyway", bullyIn, mutant(t, bully.Algorithm, "announces-anyway"), bullySays, " answer", "rules: the log has none"},
		{"raft that forgets its vote", raftIn, mutant(t, raft.Algorithm, "forgets-vote"), raftSays, "comes up (restart)", "state.VotedFor: the log has ⊥"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused := 0
			for seed := range uint64(20) {
				r := try(t, c.model, "n=3", validate.Options{}, logOf(t, c.ran, c.base, seed))
				if r.Verdict == validate.Accepted {
					continue
				}
				require.Equal(t, validate.Refused, r.Verdict)
				refused++
				first := r.Refusals[0]
				assert.Contains(t, first.Text, c.at, fmt.Sprint(r.Refusals))
				assert.Contains(t, first.Why, c.why)
				assert.True(t, strings.HasPrefix(first.Place, "1.ndjson:"))
			}
			assert.Equal(t, c.at != "", refused > 0, "%d runs refused", refused)
		})
	}
}

func mutant(t *testing.T, a *ledger.Algorithm, name string) func(setting.Setting) (*model.System, error) {
	m, err := a.Mutant(name)
	require.NoError(t, err)
	return m.New
}
