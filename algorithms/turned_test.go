package algorithms_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
)

// turnedLater are claims that take larger scopes than those of a quick run.
var turnedLater = map[string][]string{
	"chubby":        {"not-unilaterally"},
	"elasticsearch": {"grows", "one-listed"},
	"franklin":      {"single"},
	"lelann":        {"all-return"},
	"pekko":         {"at-most-one"},
	"silberschatz":  {"new-election"},
	"viewstamped":   {"view-change-is-live"},
}

// larger are algorithms whose evidence takes more states.
var larger = map[string]uint64{
	"etcdelection": 600_000, "fle": 600_000, "k8slease": 600_000, "leaderlatch": 600_000, "mongodb": 1_500_000, "paxoslease": 1_600_000,
	"pekko": 700_000, "raft": 300_000, "raftmembers": 6_000_000, "rediscluster": 600_000, "redlock": 600_000, "river": 600_000, "vault": 600_000, "viewstamped": 1_500_000,
}

// A confirmed claim could have failed: some mutant, or another reading, makes a
// piece of its evidence come out otherwise. A quick run looks at the small scopes of
// some algorithms, a deep one at every confirmed claim.
func TestConfirmedClaimsCanFail(t *testing.T) {
	for _, a := range algorithms.All {
		if !casecount.Takes(t, *play.Deep, 6, a.Name) {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			most := uint64(1_000)
			if *play.Deep {
				most = max(100_000, larger[a.Name])
			}
			left, unseen, err := ledger.Untouched(t.Context(), a, most)
			require.NoError(t, err)
			if *play.Deep {
				assert.Empty(t, left, "no mutant turns these")
				assert.Empty(t, unseen, "the scopes are too small for these")
				return
			}
			assert.ElementsMatch(t, turnedLater[a.Name], left, "no mutant turns these in small scopes: add one to mutants.go; or does one in a deep run (turnedLater)?")
		})
	}
	t.Logf("%d algorithms", len(algorithms.All))
}
