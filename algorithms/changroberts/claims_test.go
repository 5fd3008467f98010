package changroberts_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker"
)

var update = flag.Bool("update", false, "write the record of the claims")

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, changroberts.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}
