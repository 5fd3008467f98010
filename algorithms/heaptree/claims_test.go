package heaptree_test

import (
	"testing"

	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, heaptree.Algorithm) }
