package xie_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/xie"
)

func TestClaims(t *testing.T) { play.Claims(t, xie.Algorithm) }
