package bully_test

import (
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/internal/play"
)

func TestClaims(t *testing.T) { play.Claims(t, bully.Algorithm) }
