package murshedallen_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/murshedallen"
)

func TestClaims(t *testing.T) { play.Claims(t, murshedallen.Algorithm) }
