package changroberts_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/changroberts"
	"bullyproof/ledger"
)

var update = flag.Bool("update", false, "write the record of the claims")

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, changroberts.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
