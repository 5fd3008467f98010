package franklin_test

import (
	"testing"

	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, franklin.Algorithm) }
