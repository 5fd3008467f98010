package shirali_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/shirali"
)

func TestClaims(t *testing.T) { play.Claims(t, shirali.Algorithm) }
