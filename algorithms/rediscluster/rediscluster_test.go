package rediscluster

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var asked = checker.Asking(checker.OneLeaderPerEpoch, oneOwner, checker.Uniqueness)

// One replica takes over in an epoch, whatever crashes, is lost or is cut off.
func TestOnePerEpoch(t *testing.T) {
	for words, two := range map[string]bool{"": false, "crashes=1": false, "losses=1": false, "cuts=1 heals=owed": true} {
		t.Run(words, func(t *testing.T) {
			options := []checker.Option{asked, checker.AllowGaps("*")}
			if two {
				options = append(options, checker.Expect(checker.Uniqueness))
			}
			checker.Verify[P, M](t, &Cluster{Epochs: 2}, in(words).String(), options...)
		})
	}
}

// A replica promoted without votes may have the version of one that is elected, until
// one of the two takes another one.
func TestTakeover(t *testing.T) {
	const race = "initiators=2:lazy"
	r := checker.Verify[P, M](t, &Cluster{Epochs: 3, Takeover: true}, in(race).String(), asked,
		checker.Expect(checker.OneLeaderPerEpoch, checker.Uniqueness), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 7)
}
