package zen

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// The rules for trouble.
const (
	pingsAgain = "hasEnoughMasterNodes: fewer than minimum_master_nodes answered: ping again"
	stepsDown  = "handleNodeFailure: master with fewer than minimum_master_nodes: step down"
	yields     = "handleAnotherMaster: master, pinged by one with a lower id: follow it"
	loses      = "handleMasterGone: pinged by no master: elect one"
	refuses    = "validateStateIsFromCurrentMaster: pinged by another master: do not answer"
)

var asked = checker.Asking(noSplitBrain, hasMaster)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// Where nothing goes wrong the lowest node is master, and all follow it.
func TestElection(t *testing.T) {
	best := checker.EventuallyAlways("best", "From some time on the lowest node is the only master.",
		func(v *model.View) bool { return v.Leaders == model.SetOf(v.Wanted) })
	r := checker.Verify(t, majority, world+"n=3", checker.Asking(noSplitBrain, hasMaster, best, checker.StableLeadership, checker.E2),
		checker.AllowGaps(pingsAgain, stepsDown, yields, loses))
	assert.EqualValues(t, 150, r.Distinct)
}

// A master that crashes has a successor, and is a follower when it comes back.
func TestCrash(t *testing.T) {
	checker.Verify(t, byDefault, world+"n=3 crashes=1 restarts=1", checker.Asking(noSplitBrain, hasMaster, checker.StableLeadership, checker.ReElection, checker.E2),
		checker.AllowGaps(pingsAgain, stepsDown, yields))
}

// With the default of minimum_master_nodes each side of a partition keeps its
// master.
func TestSplitBrain(t *testing.T) {
	r := checker.Verify(t, byDefault, world+"n=3 cuts=1", asked, checker.Expect(noSplitBrain),
		checker.AllowGaps(pingsAgain, stepsDown, yields))
	assert.Len(t, r.Finding(noSplitBrain.Name).Trace.Steps, 20)
	assert.Equal(t, 14, r.Finding(noSplitBrain.Name).Trace.Lasso)
}

// A majority on one side leaves none for the other.
func TestMajority(t *testing.T) {
	r := checker.Verify(t, majority, world+"n=3 cuts=1", asked, checker.AllowGaps(yields))
	assert.EqualValues(t, 854, r.Distinct)
}

// Two of four nodes are no majority.
func TestHalfIsNoMajority(t *testing.T) {
	r := checker.Verify(t, majority, world+"n=4 cuts=1", asked, checker.Expect(noSplitBrain), checker.AllowGaps(yields))
	assert.Len(t, r.Finding(noSplitBrain.Name).Trace.Steps, 28)
}

// A majority does not help where links break one by one (issue 2488): a node that
// both of two others reach follows whoever pinged it last, and answers either.
func TestIntersectingPartitions(t *testing.T) {
	r := checker.Verify(t, majority, world+"n=3 cuts=1 cut-by=link", asked, checker.Expect(noSplitBrain),
		checker.AllowGaps(pingsAgain, stepsDown, yields))
	assert.Len(t, r.Finding(noSplitBrain.Name).Trace.Steps, 26)
	assert.Equal(t, 18, r.Finding(noSplitBrain.Name).Trace.Lasso)
}

// The repair has one master whichever links break, in one direction or in both.
func TestRepaired(t *testing.T) {
	for setting, gaps := range map[string][]string{
		"n=3 cuts=1":                {yields, refuses},
		"n=3 cuts=1 cut-by=link":    {pingsAgain, yields},
		"n=3 cuts=2 cut-by=link":    {yields},
		"n=3 cuts=1 cut-by=one-way": {pingsAgain, yields},
	} {
		t.Run(setting, func(t *testing.T) {
			checker.Verify(t, repaired, world+setting, asked, checker.AllowGaps(gaps...))
		})
	}
}

// A repaired node is no master before as many follow it as minimum_master_nodes says, whatever
// the order of their answers.
func TestFollowedByEnough(t *testing.T) {
	followed := checker.Always("followed", "All three nodes have followed the first master when it is one.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				for other := range v.Up.All() {
					if v.Elected(other) != id {
						return false
					}
				}
			}
			return true
		})
	checker.Verify(t, &Zen{MinMasterNodes: 3, Repaired: true}, "n=3 initiators=none detector=off timing=sync:2",
		checker.Asking(followed, hasMaster), checker.AllowGaps(pingsAgain, stepsDown, yields, loses, refuses))
}

// After the partition there is one master, which all follow, whatever was set: what
// the partition leaves behind does not stay.
func TestHealed(t *testing.T) {
	for _, c := range []struct {
		zen     *Zen
		setting string
		gaps    []string
	}{
		{byDefault, "n=3 cuts=1 heals=owed", []string{pingsAgain, stepsDown}},
		{majority, "n=3 cuts=1 heals=owed", nil},
		{majority, "n=3 cuts=1 cut-by=link heals=owed", []string{pingsAgain, stepsDown}},
		{repaired, "n=3 cuts=2 cut-by=link heals=owed", nil},
	} {
		t.Run(c.setting, func(t *testing.T) {
			checker.Verify(t, c.zen, world+c.setting, checker.Asking(noSplitBrain, hasMaster, checker.StableLeadership, checker.E2),
				checker.AllowGaps(c.gaps...))
		})
	}
}

// It takes both causes of issue 10935 to have two masters for good after a partition of two
// nodes: minimum_master_nodes of 1, and masters that ping their members only. Among three
// nodes the second one is enough.
func TestMembersOnly(t *testing.T) {
	for _, c := range []struct {
		zen     *Zen
		setting string
		safe    bool
	}{
		{&Zen{MinMasterNodes: 1, MembersOnly: true}, "n=2 cuts=1 heals=owed", false},
		{&Zen{MinMasterNodes: 2, MembersOnly: true}, "n=2 cuts=1 heals=owed", true},
		{byDefault, "n=2 cuts=1 heals=owed", true},
		{&Zen{MinMasterNodes: 2, MembersOnly: true}, "n=3 cuts=1 heals=owed", false},
	} {
		opts := []checker.Option{asked, checker.AllowGaps("*")}
		if !c.safe {
			opts = append(opts, checker.Expect(noSplitBrain))
		}
		checker.Verify[P, M](t, c.zen, world+c.setting, opts...)
	}
}
