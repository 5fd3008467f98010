package lelann_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/lelann"
)

func TestClaims(t *testing.T) { play.Claims(t, lelann.Algorithm) }
