package omega

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// Each protocol elects one live process for good, whoever crashes.
func TestOmega(t *testing.T) {
	for _, c := range []struct {
		name, words string
		p           model.Protocol[P, M]
		states      uint64
	}{
		{"increasing-timeout", "n=2 timing=sync:1 crashes=1", &Monarch{base: upTo(8)}, 1_201},
		{"lower-epoch", "n=2 timing=sync:2 crashes=1 restarts=1", &Epochs{upTo(8)}, 4_049},
		{"heartbeats-longer", "timing=sync:1 crashes=1", &Heartbeats{Longer: true}, 10_665},
		{"candidates", "timing=sync:2 crashes=1", &Candidates{base: upTo(8)}, 11_926},
		{"rounds", "timing=sync:2 crashes=2", &Rounds{base: upTo(8)}, 715},
		{"stops", "timing=sync:1 crashes=1 losses=1", &Rounds{base: upTo(8), Stops: true}, 1_981},
		{"stable", "timing=sync:1 crashes=1 losses=1", &Rounds{base: upTo(8), Lossy: true}, 2_077},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := checker.Verify(t, c.p, in(c.words).String(), checker.AllowGaps("*"),
				checker.Asking(accuracy, agreement, checker.StableLeadership, checker.ReElection))
			assert.Equal(t, c.states, r.Distinct)
			assert.Empty(t, r.Bound, "timeouts and rounds stop growing by themselves")
		})
	}
}

// A process keeps the leader that all trusted in the versions with two OK messages, also if another
// process comes late or comes back, and not in the one that trusts a leader before it is heard from.
func TestElectedStays(t *testing.T) {
	for _, words := range []string{"joins=1", "crashes=1 restarts=1"} {
		asked := []checker.Option{checker.Asking(stays), checker.AllowGaps("*")}
		checker.Verify[P, M](t, &Rounds{base: upTo(8), Stops: true}, in(words).String(), asked...)
		checker.Verify[P, M](t, &Rounds{base: upTo(8), Lossy: true}, in(words).String(), asked...)
		checker.Verify[P, M](t, &Rounds{base: upTo(8)}, in(words).String(), append(asked, checker.Expect(stays))...)
	}
}

// In the end one process sends, if only candidates do, and everybody if all are asked.
func TestOnlyLeaderSends(t *testing.T) {
	asked := []checker.Option{checker.Asking(onlyLeader), checker.AllowGaps("*")}
	checker.Verify[P, M](t, &Candidates{base: upTo(8)}, in("crashes=1").String(), asked...)
	checker.Verify[P, M](t, &Monarch{base: upTo(8)}, in("n=2").String(), append(asked, checker.Expect(onlyLeader))...)
}

// A message of a process that has crashed can still demote a leader of candidates.
func TestLateMessageOfTheDead(t *testing.T) {
	r := checker.Verify[P, M](t, &Candidates{base: upTo(8)}, in("crashes=1").String(), checker.Asking(stays), checker.Expect(stays), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(stays.Name).Trace.Steps, 8)
}
