package kabashi_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/kabashi"
)

func TestClaims(t *testing.T) { play.Claims(t, kabashi.Algorithm) }
