package spanningtrees_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/spanningtrees"
	"bullyproof/ledger"
)

var (
	deep   = flag.Bool("deep", false, "also search what takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, spanningtrees.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
