package raftmembers

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A switch to other members at once has two majorities that do not meet, and after a restart two leaders of one term.
func TestDirect(t *testing.T) {
	direct := &Server{How: Direct, Terms: 2, Entries: 2}
	r := checker.Verify(t, direct, in("").String(), checker.Asking(sameCommitted), checker.Expect(sameCommitted), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(sameCommitted.Name).Trace.Steps, 8)
	r = checker.Verify(t, direct, in("crashes=1 restarts=1").String(), checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), checker.AllowGaps("*"))
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 9)
}

// Decisions in joint consensus take two majorities.
func TestAgree(t *testing.T) {
	c := Entry{Old: model.SetOf(1, 2, 3), New: model.SetOf(3, 4, 5)}
	for _, set := range []struct {
		of  model.Set
		yes bool
	}{{model.SetOf(1, 2), false}, {model.SetOf(4, 5), false}, {model.SetOf(1, 3, 4), true}, {model.SetOf(1, 2, 4), false}} {
		assert.Equal(t, set.yes, agree(c, set.of), set.of)
	}
	assert.True(t, agree(Entry{Old: model.SetOf(1)}, model.SetOf(1)))
	assert.False(t, agree(Entry{Old: model.SetOf(1, 2)}, model.SetOf(1)))
}
