package algorithms_test

import (
	"path/filepath"
	"testing"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/play"
	"bullyproof/ledger"
)

// Each algorithm does what sentences of its sources say: its rules.txt has a run that
// shows each.
func TestRules(t *testing.T) {
	for _, a := range algorithms.All {
		t.Run(a.Name, func(t *testing.T) { play.Rules(t, a, filepath.Join(a.Name, "rules.txt")) })
	}
}

// What sources claim of each algorithm comes to what its claims.txt says, and is on
// record.
func TestClaims(t *testing.T) {
	for _, a := range algorithms.All {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			ledger.VerifyClaims(t, a, ledger.ClaimOptions{Deep: *play.Deep, Update: *play.Update, Dir: a.Name})
		})
	}
}
