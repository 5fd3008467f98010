package itairodeh_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/itairodeh"
)

func TestClaims(t *testing.T) { play.Claims(t, itairodeh.Algorithm) }
