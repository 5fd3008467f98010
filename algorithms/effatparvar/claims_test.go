package effatparvar_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/effatparvar"
	"bullyproof/ledger"
)

var (
	update = flag.Bool("update", false, "write the record of the claims")
	deep   = flag.Bool("deep", false, "also search what takes minutes")
)

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, effatparvar.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
