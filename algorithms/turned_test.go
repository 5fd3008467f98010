package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
)

// untouched are the confirmed claims that no mutant turns, nor any other reading.
// They say that the algorithm fails without something, or may do what it does at
// every start: what turned them would be another algorithm.
var untouched = map[string][]string{
	"changroberts": {"no-failures", "summary-crashes"},
	"garciamolina": {"needs-assumption-8", "needs-assumption-9"},
	"invitation":   {"several-coordinators"},
	"peterson":     {"fifo"},
}

// turnedLater are claims that take larger scopes than those of a quick run.
var turnedLater = map[string][]string{
	"franklin":     {"single"},
	"heaptree":     {"liveness"},
	"kabashi":      {"no-ids-known", "minimum-stays", "no-sets"},
	"lelann":       {"all-return"},
	"silberschatz": {"new-election"},
}

// A confirmed claim could have failed: some mutant, or another reading, makes a
// piece of its evidence come out otherwise. In a deep run larger scopes are
// looked at, too, and what is listed is not turned there either.
func TestConfirmedClaimsCanFail(t *testing.T) {
	most := uint64(1_000)
	if *deep {
		most = 20_000
	}
	for i, a := range algorithms.All {
		if i%3 > 0 && !*deep {
			continue
		}
		left, err := a.Untouched(t.Context(), most)
		require.NoError(t, err, a.Name)
		for _, name := range left {
			assert.True(t, slices.Contains(slices.Concat(untouched[a.Name], turnedLater[a.Name]), name), "%s/%s is confirmed, and no mutant turns it", a.Name, name)
		}
		if *deep {
			assert.ElementsMatch(t, untouched[a.Name], left, a.Name)
		}
	}
}
