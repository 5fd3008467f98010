package starter

import (
	"testing"

	"bullyproof/checker"
)

// A store and two clients, whose messages take up to two ticks.
const setting = "n=3 timing=sync:2"

// The handlers of both roles can be explored: they are deterministic, above all.
func TestProtocol(t *testing.T) {
	checker.TestProtocol(t, Protocol(), setting)
	checker.TestProtocol(t, Mended(), setting)
}

// Two clients lead at once, and no longer once the fault is mended.
func TestMended(t *testing.T) {
	checker.Repairs(t, Protocol(), Mended(), setting, checker.Uniqueness)
}
