package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/ledger"
)

// Of each source of each algorithm every item of the checklist is answered, also where claims
// are written in Go.
func TestChecklists(t *testing.T) {
	require.NotEmpty(t, ledger.CheckItems)
	for _, a := range algorithms.All {
		for _, err := range a.Unchecked() {
			assert.NoError(t, err, a.Name)
		}
	}
}
