package sortbully_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/sortbully"
)

func TestClaims(t *testing.T) { play.Claims(t, sortbully.Algorithm) }
