package play

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
)

// Searched explores all of a system. It returns the number of distinct states, and
// each property that is broken with the length of a shortest trace: "agreement 7".
func Searched(t testing.TB, sys *model.System, properties ...*checker.Property) (states uint64, broken string) {
	t.Helper()
	watches := make([]model.Watch, len(properties))
	for i, p := range properties {
		watches[i] = p.Watch()
	}
	r, err := explore.Search(t.Context(), sys.Watched(watches...), explore.Options{Targets: len(watches) + 1, Exhaustive: true})
	require.NoError(t, err)
	require.Equal(t, explore.Complete, r.Reason)
	_, misuse := r.Hit(len(watches))
	require.False(t, misuse)
	var found []string
	for i, p := range properties {
		if h, ok := r.Hit(i); ok {
			found = append(found, fmt.Sprintf("%s %d", p.Name, h.Depth))
		}
	}
	return r.Distinct, strings.Join(found, ", ")
}
