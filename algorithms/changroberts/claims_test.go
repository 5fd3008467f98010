package changroberts_test

import (
	"testing"

	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, changroberts.Algorithm) }
