package invitation_test

import (
	"testing"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/invitation"
)

func TestClaims(t *testing.T) { play.Claims(t, invitation.Algorithm) }
