package bully_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
)

var update = flag.Bool("update", false, "write the record of the claims")

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, bully.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}
