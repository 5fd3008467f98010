package invitation_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/invitation"
	"bullyproof/checker"
)

var (
	deep   = flag.Bool("deep", false, "look at the deep scopes, which takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, invitation.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}
