package effatparvarring_test

import (
	"testing"

	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, effatparvarring.Algorithm) }
