package garciamolina_test

import (
	"testing"

	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, garciamolina.Algorithm) }
