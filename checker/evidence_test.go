package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
)

func TestEvidenceList(t *testing.T) {
	settings := checker.BothDelays("n=3", "n=4 crashes=1")
	assert.Equal(t, []string{
		"n=3 timing=sync:1", "n=3 timing=sync:2", "n=4 crashes=1 timing=sync:1", "n=4 crashes=1 timing=sync:2",
	}, settings)
	list := checker.KeepsIn(settings[:2], "e2", "agreement")
	assert.Equal(t, checker.EvidenceList{
		checker.Keeps("e2", "n=3 timing=sync:1"), checker.Keeps("e2", "n=3 timing=sync:2"),
		checker.Keeps("agreement", "n=3 timing=sync:1"), checker.Keeps("agreement", "n=3 timing=sync:2"),
	}, list)
	changed := list.Of("patient").InDeep().Beside("for comparison")
	assert.Equal(t, list[1].Of("patient").InDeep().Beside("for comparison"), changed[1])
	assert.Len(t, changed, len(list))
	assert.Equal(t, checker.Keeps("e2", "n=3 timing=sync:1"), list[0], "what a list is made from stays as it is")
}
