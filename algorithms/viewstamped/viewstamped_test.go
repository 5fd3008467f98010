package viewstamped

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

// The primary is chosen round-robin, starting with replica 1.
func TestPrimary(t *testing.T) {
	for i, want := range []model.ID{1, 2, 3, 1} {
		assert.Equal(t, want, primary(3, uint8(i+1)))
	}
}

// With messages that arrive in time views start, replicas recover, and nothing is lost.
func TestViewsStart(t *testing.T) {
	r := checker.Verify(t, &VR{Heartbeats: true, Requests: true}, in("timing=lockstep crashes=1 restarts=1").String(),
		checker.Asking(Algorithm.Asked...), checker.AllowGaps("*"))
	assert.Equal(t, checker.Holds, r.Finding(survives.Name).Verdict)
}

// The scenario of section 8.2: with one exchange a replica recovers in a view that it has left.
func TestOneExchange(t *testing.T) {
	asked := []*checker.Property{promise, oneActive}
	for one, protocol := range map[bool]*VR{true: {Views: 2, OneExchange: true}, false: {Views: 2, OneExchange: true, Disk: true}} {
		options := []checker.Option{checker.Asking(asked...), checker.AllowGaps("*")}
		if one {
			options = append(options, checker.Expect(asked...))
		}
		checker.Verify[P, M](t, protocol, in("timing=patient crashes=1 restarts=1").String(), options...)
	}
}
