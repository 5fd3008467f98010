package effatparvar_test

import (
	"testing"

	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, effatparvar.Algorithm) }
