package fceabr_test

import (
	"testing"

	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, fceabr.Algorithm) }
