package dolevklawerodeh_test

import (
	"testing"

	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, dolevklawerodeh.Algorithm) }
