package etcdelection

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var asked = checker.Asking(checker.OneLeaderPerEpoch, leadsAgain, fenced)

// Under any faults of clients, a revision has one leader, a client leads again and again, and
// proclamations are in the order of the revisions.
func TestSessions(t *testing.T) {
	for _, words := range []string{"crashes=1 crashers=1,2", "losses=1", "cuts=1 cut-by=link heals=owed", "pauses=1 pausers=1,2"} {
		t.Run(words, func(t *testing.T) {
			checker.Verify[P, M](t, &Election{TTL: 6, Revisions: 3, Proclaims: true}, in("timing=lockstep "+words).String(), asked, checker.AllowGaps("*"))
		})
	}
}

// Two clients lead at one instant where one pauses, and where a link is cut and answers are
// late.
func TestTwoLeaders(t *testing.T) {
	one := checker.Asking(checker.Uniqueness)
	for words, steps := range map[string]int{"timing=lockstep pauses=1 pausers=1,2": 38, "timing=sync:1 cuts=1 cut-by=link heals=owed": 29} {
		r := checker.Verify[P, M](t, &Election{TTL: 6, Revisions: 3}, in(words).String(), one, checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
		assert.Len(t, r.Finding(checker.Uniqueness.Name).Trace.Steps, steps)
	}
	checker.Verify[P, M](t, &Election{TTL: 6, Margin: 2, Revisions: 3}, in("timing=sync:1 cuts=1 cut-by=link heals=owed").String(), one, checker.AllowGaps("*"))
}
