package hirschbergsinclair_test

import (
	"testing"

	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, hirschbergsinclair.Algorithm) }
