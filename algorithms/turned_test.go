package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/play"
)

// turnedLater are claims that take larger scopes than those of a quick run.
var turnedLater = map[string][]string{
	"franklin":     {"single"},
	"heaptree":     {"liveness"},
	"kabashi":      {"no-ids-known", "minimum-stays", "no-sets"},
	"lelann":       {"all-return"},
	"silberschatz": {"new-election"},
	"viewstamped":  {"view-change-is-live"},
}

// larger are algorithms whose evidence takes more states.
var larger = map[string]uint64{
	"etcdelection": 600_000, "fle": 600_000, "k8slease": 600_000, "leaderlatch": 600_000, "mongodb": 1_500_000, "paxoslease": 1_600_000,
	"pekko": 700_000, "raftmembers": 6_000_000, "rediscluster": 600_000, "redlock": 600_000, "river": 600_000, "vault": 600_000, "viewstamped": 1_500_000,
}

// A confirmed claim could have failed: some mutant, or another reading, makes a
// piece of its evidence come out otherwise. A quick run looks at small scopes of a
// third of the algorithms, a deep one at every confirmed claim.
func TestConfirmedClaimsCanFail(t *testing.T) {
	for i, a := range algorithms.All {
		most := uint64(1_000)
		if *play.Deep {
			most = max(100_000, larger[a.Name])
		}
		if i%3 > 0 && !*play.Deep {
			continue
		}
		left, unseen, err := a.Untouched(t.Context(), most)
		require.NoError(t, err, a.Name)
		for _, name := range left {
			assert.True(t, slices.Contains(turnedLater[a.Name], name), "%s/%s is confirmed, and no mutant turns it", a.Name, name)
		}
		if *play.Deep {
			assert.Empty(t, left, a.Name)
			assert.Empty(t, unseen, a.Name)
		}
	}
}
