package silberschatz_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/silberschatz"
)

func TestClaims(t *testing.T) { play.Claims(t, silberschatz.Algorithm) }
