package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms"
	"bullyproof/ledger"
)

// Every row about runs is looked at under equal delays, sync:1 and sync:2, where
// it is under one of them.
func TestByDelays(t *testing.T) {
	for _, a := range algorithms.All {
		for i, c := range ledger.ByDelays(a.Claims()) {
			assert.Len(t, c.Evidence, len(a.Claims()[i].Evidence), "%s/%s: pass the claims through ledger.ByDelays", a.Name, c.Name)
		}
	}
}
