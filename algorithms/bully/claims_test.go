package bully_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/ledger"
)

var update = flag.Bool("update", false, "write the record of the claims")

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, bully.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
