package river

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/model"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

const link = "cuts=1 cut-by=link heals=owed"

var asked = checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, checker.OneLeaderAgain, ownRow, steady)

// A leader that stops first leads alone, and there is always a next one, whatever a client or its
// link does.
func TestOneLeader(t *testing.T) {
	for words, states := range map[string]uint64{
		"": 4_262, "crashes=1 restarts=1 crashers=1,2": 35_898, "losses=1": 53_012, link: 166_930,
	} {
		if states > 100_000 && !*play.Deep {
			continue
		}
		t.Run(words, func(t *testing.T) {
			r := checker.Verify(t, stopsFirst, in(words).String(), asked, checker.AllowGaps("*"))
			assert.Equal(t, states, r.Distinct)
		})
	}
}

// A leader that tells its subscribers after it has resigned leads beside its successor: where the resignation arrives, and where it
// does not. Notifications have no part in it.
func TestResignsFirst(t *testing.T) {
	pollOnly := *shipped
	pollOnly.PollOnly = true
	electors := []*Elector{shipped}
	if *play.Deep {
		electors = append(electors, &pollOnly)
	}
	for _, e := range electors {
		for _, words := range []string{link, "cuts=1 cut-by=link"} {
			r := checker.Verify(t, e, in(words).String(), asked, checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
			assert.NotNil(t, r.Finding(checker.Uniqueness.Name).Trace)
		}
	}
}

// The attempts to resign, and the sleeps after them, take 13 seconds where none has an answer.
func TestResignLoop(t *testing.T) {
	for _, c := range []struct {
		e     *Elector
		leads bool
	}{{shipped, true}, {stopsFirst, false}} {
		node, err := model.NewNode(c.e, in(""), 1)
		require.NoError(t, err)
		require.NoError(t, node.Init(model.Cold))
		node.Be(P{Leads: true, Term: 1, Waits: Reelect, Errors: 1}, trust)
		require.NoError(t, node.Expire(trust))
		var ticks []int
		for range 2 * maxResigns {
			assert.Equal(t, c.leads, node.State.Leads)
			for timer, after := range node.Changes {
				if after > 0 {
					ticks = append(ticks, after)
					require.NoError(t, node.Expire(timer))
					break
				}
			}
		}
		assert.Equal(t, []int{1, 1, 2, 2, 3, 4}, ticks)
		assert.False(t, node.State.Leads)
	}
}

// The database is what there has to be: while it is down nobody leads. A crash empties its table, and
// only one that is logged keeps the row to whom it is.
func TestDatabaseCrash(t *testing.T) {
	checker.Verify(t, stopsFirst, in("crashes=1 crashers=3").String(), asked, checker.Expect(checker.OneLeaderAgain), checker.AllowGaps("*"))
	crash := in("crashes=1 restarts=1 crashers=3").String()
	one := checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch)
	checker.Verify(t, stopsFirst, crash, one, checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
	logged := *stopsFirst
	logged.Logged = true
	checker.Verify(t, &logged, crash, one, checker.AllowGaps("*"))
}

// A client that pauses leads beside its successor, in an older term.
func TestPause(t *testing.T) {
	one := checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch)
	checker.Verify(t, stopsFirst, in("pauses=1 pausers=1,2").String(), one, checker.Expect(checker.Uniqueness), checker.AllowGaps("*"))
}

// A margin of a second is what answers of two seconds need. It has to grow with the difference of the clocks.
func TestMargin(t *testing.T) {
	for _, c := range []struct {
		margin int
		words  string
		safe   bool
	}{{0, "cuts=1 cut-by=link", false}, {1, "cuts=1 cut-by=link", true}, {4, "cuts=1 cut-by=link drift=10", false}, {5, "cuts=1 cut-by=link drift=10", true}} {
		e := *stopsFirst
		e.Margin = c.margin
		opts := []checker.Option{checker.Asking(checker.Uniqueness), checker.AllowGaps("*")}
		if !c.safe {
			opts = append(opts, checker.Expect(checker.Uniqueness))
		}
		checker.Verify[P, M](t, &e, in(c.words).String(), opts...)
	}
}

// A leader that somebody else's resignation reaches waits for a whole interval again, and did ask at once before
// pull request 1213. One that waits for an answer remembers it.
func TestWakeup(t *testing.T) {
	for _, c := range []struct {
		e    *Elector
		be   P
		sent []string
		then bool
	}{
		{shipped, P{Leads: true, Term: 1}, nil, false},
		{&Elector{Interval: 5, Padding: 10, BeforeTerms: true}, P{Leads: true, Term: 1}, []string{"Reelect(1)"}, false},
		{shipped, P{}, []string{"Elect"}, false},
		{shipped, P{Waits: Elect}, nil, true},
	} {
		node, err := model.NewNode(c.e, in(""), 1)
		require.NoError(t, err)
		require.NoError(t, node.Init(model.Cold))
		node.Be(c.be, wait, trust)
		require.NoError(t, node.Receive(model.Peer(3), M{Type: Resigned}))
		assert.Equal(t, c.sent, sent(node))
		assert.Equal(t, c.then, node.State.Woken)
	}
}

func sent(node *model.Node[P, M]) (list []string) {
	for _, m := range node.Sends {
		list = append(list, m.String())
	}
	return list
}
