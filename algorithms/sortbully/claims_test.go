package sortbully_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/sortbully"
	"bullyproof/ledger"
)

var (
	update = flag.Bool("update", false, "write the record of the claims")
	deep   = flag.Bool("deep", false, "also search what takes minutes")
)

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, sortbully.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
