package loyal

import (
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
)

// TestStrict fails: Bully has a moment with two coordinators.
func TestStrict(t *testing.T) {
	checker.Verify(t, Protocol{bully.Coulouris}, "n=3 start=settled crashes=1 restarts=1", checker.Named("loyal", "plain"))
}
