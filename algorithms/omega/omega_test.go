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
		{"increasing-timeout", "n=2 timing=sync:1 crashes=1", &Monarch{base: upTo(8)}, 0},
		{"lower-epoch", "n=2 timing=sync:2 crashes=1 restarts=1", &Epochs{upTo(8)}, 0},
		{"heartbeats-longer", "timing=sync:1 crashes=1", &Heartbeats{Longer: true}, 0},
		{"candidates", "timing=sync:2 crashes=1", &Candidates{base: upTo(8)}, 0},
		{"rounds", "timing=sync:2 crashes=2", &Rounds{base: upTo(8)}, 0},
		{"stops", "timing=sync:1 crashes=1 losses=1", &Rounds{base: upTo(8), Stops: true}, 0},
		{"stable", "timing=sync:1 crashes=1 losses=1", &Rounds{base: upTo(8), Lossy: true}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := checker.Verify(t, c.p, in(c.words).String(), checker.AllowGaps("*"),
				checker.Asking(accuracy, agreement, checker.StableLeadership, checker.ReElection))
			assert.Equal(t, c.states, r.Distinct)
			assert.Empty(t, r.Bound, "timeouts and rounds stop growing by themselves")
		})
	}
}
