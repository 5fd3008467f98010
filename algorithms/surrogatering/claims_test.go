package surrogatering_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/surrogatering"
)

func TestClaims(t *testing.T) { play.Claims(t, surrogatering.Algorithm) }
