package ledger_test

import (
	"bullyproof/ledger"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEvidenceList(t *testing.T) {
	settings := ledger.BothDelays("n=3", "n=4 crashes=1")
	assert.Equal(t, []string{
		"n=3 timing=sync:1", "n=3 timing=sync:2", "n=4 crashes=1 timing=sync:1", "n=4 crashes=1 timing=sync:2",
	}, settings)
	list := ledger.KeepsIn(settings[:2], "e2", "agreement")
	assert.Equal(t, ledger.EvidenceList{
		ledger.Keeps("e2", "n=3 timing=sync:1"), ledger.Keeps("e2", "n=3 timing=sync:2"),
		ledger.Keeps("agreement", "n=3 timing=sync:1"), ledger.Keeps("agreement", "n=3 timing=sync:2"),
	}, list)
	changed := list.Of("patient").InDeep().Beside("for comparison")
	assert.Equal(t, list[1].Of("patient").InDeep().Beside("for comparison"), changed[1])
	assert.Len(t, changed, len(list))
	assert.Equal(t, ledger.Keeps("e2", "n=3 timing=sync:1"), list[0], "what a list is made from stays as it is")
}

func TestReadAs(t *testing.T) {
	claims := []ledger.Claim{{Name: "a", Evidence: []ledger.Evidence{ledger.Keeps("e2", "n=2"), ledger.Keeps("e2", "n=3").Of("other")}}}
	read := ledger.ReadAs("literal", claims)
	assert.Equal(t, "literal", read[0].Judged())
	assert.Equal(t, "other", read[0].Evidence[1].Variant)
	first := ledger.JudgedIn("other", read)
	assert.Equal(t, "other", first[0].Judged())
	assert.Equal(t, "n=2", first[0].Evidence[1].Setting)
	assert.Empty(t, claims[0].Judged(), "what it was made from is as it was")
}
