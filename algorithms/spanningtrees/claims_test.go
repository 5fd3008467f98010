package spanningtrees_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/spanningtrees"
)

func TestClaims(t *testing.T) { play.Claims(t, spanningtrees.Algorithm) }
