package k8slease

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

var asked = checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, checker.OneLeaderAgain)

// One client leads at a time, and there is always a next one, whatever one client or its
// link does.
func TestOneLeader(t *testing.T) {
	for words, states := range map[string]uint64{
		"": 3_462, "crashes=1 restarts=1 crashers=1,2": 193_548, "losses=1": 37_986,
	} {
		if states > 100_000 && !*play.Deep {
			continue
		}
		t.Run(words, func(t *testing.T) {
			r := checker.Verify(t, defaults, in(words).String(), asked, checker.AllowGaps("*"))
			assert.Equal(t, states, r.Distinct)
		})
	}
}

// The store is what there has to be: while it is down nobody leads.
func TestStoreDown(t *testing.T) {
	checker.Verify(t, defaults, in("crashes=1 crashers=3").String(), asked, checker.Expect(checker.OneLeaderAgain), checker.AllowGaps("*"))
}

// How long a leader leads without the store, and how soon another one may: the lease has to
// outlast the retry, the renewal and an answer, by the clocks that differ most. A Get before the
// Update changes nothing about that.
func TestDurations(t *testing.T) {
	for _, c := range []struct {
		lease    int
		getFirst bool
		safe     bool
	}{{13, false, false}, {14, false, true}, {13, true, false}, {14, true, true}} {
		l := *defaults
		l.LeaseDuration, l.GetFirst = c.lease, c.getFirst
		opts := []checker.Option{checker.Asking(checker.Uniqueness), checker.AllowGaps("*")}
		if !c.safe {
			opts = append(opts, checker.Expect(checker.Uniqueness))
		}
		checker.Verify[P, M](t, &l, in("cuts=1 cut-by=link heals=owed").String(), opts...)
	}
}

// Clients that are configured in different ways have one leader, since each goes by the duration
// in the record. A program that has stopped before it releases never leads beside another one.
func TestVariants(t *testing.T) {
	for _, name := range []string{"two-durations", "stops-first", "get-first"} {
		faults := []string{"", "losses=1"}
		if *play.Deep {
			faults = append(faults, "cuts=1 cut-by=link heals=owed")
		}
		for _, words := range faults {
			v, err := Algorithm.Variant(name)
			assert.NoError(t, err)
			sys, err := v.New(in(words + " timing=sync:1"))
			assert.NoError(t, err)
			r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Uniqueness, checker.OneLeaderAgain}})
			assert.NoError(t, err)
			assert.Equal(t, checker.Holds, r.Verdict(), "%s in %q", name, words)
		}
	}
}

// The other difference of an incident's variant without the fault, the Get before an Update, does
// not mend it.
func TestFixAlone(t *testing.T) {
	for words, l := range map[string]*Lease{
		"":         {Times: slow, First: quick, GetFirst: true, Terms: 2}, // own-duration
		"losses=1": {Times: hanging, GetFirst: true, Terms: 2},            // blocks
	} {
		checker.Verify(t, l, in(words).String(), checker.Asking(checker.Uniqueness), checker.AllowGaps("*"))
	}
}

// A program that goes on until the release is over leads beside another one, whether or not the
// release arrives in time.
func TestReleases(t *testing.T) {
	l := &Lease{Times: usual, ReleaseOnCancel: true, Terms: 2}
	for _, words := range []string{"cuts=1 cut-by=link heals=owed", "cuts=1 cut-by=link"} {
		checker.Verify(t, l, in(words).String(), checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
	}
}

// A leader whose lease is valid updates without a get, and gets where that fails.
func TestFastPath(t *testing.T) {
	node, err := model.NewNode(defaults, in(""), 1)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	node.Be(P{Self: 1, Holder: 1, Term: 1, Mine: 1, Held: true, Leads: true}, retry)
	assert.NoError(t, node.Expire(retry))
	assert.Equal(t, []string{"Update(1)"}, sent(node))
	assert.NoError(t, node.Receive(model.Peer(3), M{Type: Updated}))
	assert.Equal(t, []string{"Get'"}, sent(node))

	node.Be(P{Self: 1, Holder: 1, Term: 1, Mine: 1, Leads: true}, retry)
	assert.NoError(t, node.Expire(retry))
	assert.Equal(t, []string{"Get"}, sent(node), "the lease is no longer valid")
}

func sent(node *model.Node[P, M]) (list []string) {
	for _, m := range node.Sends {
		list = append(list, m.String())
	}
	return list
}

// A client that gave a request up takes no answer to it.
func TestLateAnswer(t *testing.T) {
	node, err := model.NewNode(defaults, in(""), 1)
	assert.NoError(t, err)
	assert.NoError(t, node.Init(model.Cold))
	node.State = P{Self: 1, Waits: Get, Attempt: true}
	assert.NoError(t, node.Receive(model.Peer(3), M{Type: Record}))
	assert.Equal(t, P{Self: 1, Waits: Get, Attempt: true}, node.State)
}
