package starter

import (
	"flag"
	"testing"

	"bullyproof/checker"
	"bullyproof/ledger"
)

var update = flag.Bool("update", false, "write down what the claims come to")

// The rules of the protocol can be explored: they are deterministic, above all.
func TestProtocol(t *testing.T) {
	checker.TestProtocol(t, &Protocol{}, "n=3 start=settled crashes=1 restarts=1")
}

// With three processes, of which one may crash, everything holds.
func TestCrash(t *testing.T) {
	checker.Verify(t, &Protocol{}, "n=3 start=settled crashes=1",
		checker.Named(Algorithm.Name, "plain"))
}

// The claims of the source come to what claims.txt says.
func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, Algorithm, ledger.ClaimOptions{Update: *update})
}

// The catalogue's entry is complete, and its mutants are caught.
func TestMutants(t *testing.T) {
	ledger.VerifyMutants(t, Algorithm)
}
