package loyal

import (
	"testing"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/model"
)

// TestStrict fails: Bully has a moment with two coordinators.
func TestStrict(t *testing.T) {
	sys, err := model.New(Protocol{bully.Coulouris}, model.Setting{N: 3, Start: model.SettledStart, Crashes: 1, Restarts: 1})
	if err != nil {
		t.Fatal(err)
	}
	checker.Verify(t, sys, checker.With(checker.Options{Algorithm: "loyal", Variant: "plain"}))
}
