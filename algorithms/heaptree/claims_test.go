package heaptree_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/heaptree"
	"bullyproof/checker"
)

var (
	update = flag.Bool("update", false, "write the record of the claims")
	deep   = flag.Bool("deep", false, "also search what takes minutes")
)

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, heaptree.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}
