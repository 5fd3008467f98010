package invitation_test

import (
	"flag"
	"testing"

	"bullyproof/algorithms/invitation"
	"bullyproof/ledger"
)

var (
	deep   = flag.Bool("deep", false, "look at the deep scopes, which takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, invitation.Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
