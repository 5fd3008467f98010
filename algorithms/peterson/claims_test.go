package peterson_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/peterson"
)

func TestClaims(t *testing.T) { play.Claims(t, peterson.Algorithm) }
