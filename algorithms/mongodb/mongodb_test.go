package mongodb

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/garbage"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/list"
)

var deep = flag.Bool("deep", false, "also search what takes minutes")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

var gaps = checker.AllowGaps("*")

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A vote is granted or rejected as the README says.
func TestRequestVotes(t *testing.T) {
	oplog := list.From[[6]OpTime](OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2})
	behind, same := OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2}
	for _, c := range []struct {
		name    string
		before  P
		m       M
		granted bool
		stored  Vote
	}{
		{"an older term", P{Term: 2, Oplog: oplog}, M{Term: 1, Last: same}, false, Vote{}},
		{"a candidate that is behind", P{Term: 1, Oplog: oplog}, M{Term: 2, Last: behind}, false, Vote{}},
		{"a candidate that is not", P{Term: 1, Oplog: oplog}, M{Term: 2, Last: same}, true, Vote{2, 3}},
		{"a later term counts more than a place", P{Term: 2, Oplog: oplog}, M{Term: 3, Last: OpTime{Term: 2, Stamp: 1}}, true, Vote{3, 3}},
		{"a second vote in a term", P{Term: 2, Voted: Vote{2, 1}, LastVote: Vote{2, 1}}, M{Term: 2}, false, Vote{2, 1}},
		{"a dry run after a vote", P{Term: 2, Voted: Vote{2, 1}, LastVote: Vote{2, 1}}, M{Term: 2, Dry: true}, true, Vote{2, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			node, err := model.NewNode(pv1, in(""), 2)
			require.NoError(t, err)
			require.NoError(t, node.Init(model.Cold))
			node.State = c.before
			c.m.Type = RequestVotes
			require.NoError(t, node.Receive(model.Peer(3), c.m))
			for to, m := range node.Sends {
				assert.Equal(t, model.Peer(3), to)
				assert.Equal(t, c.granted, m.Granted)
			}
			assert.Equal(t, c.stored, node.State.LastVote)
		})
	}
}

// An arbiter votes against a primary that it sees for a candidate of a higher priority alone:
// "If the voter is an arbiter and it can see a healthy primary of greater or equal priority".
func TestArbiterAndPriorities(t *testing.T) {
	for _, c := range []struct {
		primary, candidate model.ID
		granted            bool
	}{{2, 3, true}, {3, 2, false}} {
		node, err := model.NewNode(with(func(a *Member) { a.Arbiter, a.Priorities = true, true }), in(""), 1)
		require.NoError(t, err)
		require.NoError(t, node.Init(model.Cold))
		node.State = P{Term: 1, Primary: c.primary}
		require.NoError(t, node.Receive(model.Peer(c.candidate), M{Type: RequestVotes, Dry: true, Term: 1}))
		answers := 0
		for _, m := range node.Sends {
			assert.Equal(t, c.granted, m.Granted, "P%d asks, and P%d leads", c.candidate, c.primary)
			answers++
		}
		assert.Equal(t, 1, answers)
	}
}

// After any crashes and restarts, there is a primary again, and no write of a majority is lost.
func TestVersion1(t *testing.T) {
	asked := checker.Asking(checker.OneLeaderPerEpoch, majorityKept, voteStored, primaryAgain, primaryStays, freshWinner)
	r := checker.Verify(t, pv1, in("crashes=1 restarts=1").String(), asked, gaps)
	assert.EqualValues(t, 46_433, r.Distinct)
}

// A primary that is cut off leads beside the next one for a while, and the dry run of a member
// that has missed heartbeats has a good primary step down.
func TestTwoPrimariesAndADryRun(t *testing.T) {
	checker.Verify(t, pv1, settled("cuts=1").String(),
		checker.Asking(checker.Uniqueness, checker.OneLeaderPerEpoch, stepsDown, winsTerms), checker.Expect(checker.Uniqueness), gaps)
	r := checker.Verify(t, pv1, settled("losses=2").String(), checker.Asking(primaryStays), checker.Expect(primaryStays), gaps)
	assert.Len(t, r.Finding(primaryStays.Name).Trace.Steps, 26)
}

// A primary that is behind hears of the others' entries. It fetches from the member that is the
// furthest ahead, and accepts writes when it has caught up, or never can.
func TestCatchUp(t *testing.T) {
	var (
		first, second, third = OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2}, OpTime{Term: 1, Stamp: 3}
		other                = OpTime{Term: 2, Stamp: 1}
	)
	type arrival struct {
		from model.ID
		M
	}
	hears := func(from model.ID, last OpTime) arrival { return arrival{from, M{Type: Ack, Term: 3, Last: last}} }
	brings := func(entries ...OpTime) arrival {
		return arrival{3, M{Type: Batch, Term: 3, Oplog: list.From[[6]OpTime](entries...)}}
	}
	for _, c := range []struct {
		name    string
		arrives []arrival
		fetches model.ID
		last    OpTime
		writes  bool
	}{
		{"one of two answers", []arrival{hears(3, second)}, model.None, first, false},
		{"nobody is ahead", []arrival{hears(2, first), hears(3, first)}, model.None, OpTime{Term: 3, Stamp: 2}, true},
		{"the furthest ahead", []arrival{hears(3, third), hears(2, second)}, 3, first, false},
		{"caught up", []arrival{hears(2, first), hears(3, second), brings(first, second)}, 3, OpTime{Term: 3, Stamp: 3}, true},
		{"not yet caught up", []arrival{hears(2, first), hears(3, third), brings(first, second)}, 3, second, false},
		{"another branch", []arrival{hears(2, first), hears(3, other), brings(other)}, 3, OpTime{Term: 3, Stamp: 2}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			node, err := model.NewNode(withTakeover(func(*Member) {}), in(""), 1)
			require.NoError(t, err)
			node.Be(P{Term: 3, Role: Primary, Primary: 1, Catching: true, Heard: model.SetOf(1), Oplog: list.From[[6]OpTime](first)}, heartbeat, liveness)
			fetches := model.None
			for _, m := range c.arrives {
				require.NoError(t, node.Receive(model.Peer(m.from), m.M))
				for to, sent := range node.Sends {
					assert.Equal(t, Fetch, sent.Type)
					fetches = to.ID()
				}
			}
			assert.Equal(t, c.fetches, fetches)
			assert.Equal(t, c.last, last(&node.State.Oplog))
			assert.Equal(t, c.writes, !node.State.Catching)
		})
	}
}

// A member hears a primary of term 2, and waits for a takeover by _shouldTakeOverPrimary.
func TestConsiderTakeover(t *testing.T) {
	behind, ahead, newer := OpTime{Term: 1, Stamp: 1}, OpTime{Term: 1, Stamp: 2}, OpTime{Term: 2, Stamp: 2}
	for _, c := range []struct {
		name          string
		self, primary model.ID
		priorities    bool
		mine          OpTime
		awaits        string
	}{
		{"ahead", 2, 1, false, ahead, "catch-up takeover"},
		{"not ahead", 2, 1, false, behind, ""},
		{"the primary has caught up", 2, 1, false, newer, ""},
		{"ahead, of a lower priority", 1, 2, true, ahead, "catch-up takeover"},
		{"ahead, of a higher priority", 2, 1, true, ahead, "catch-up takeover"},
		{"ahead, of the highest priority", 3, 1, true, ahead, "takeover"},
		{"of a higher priority", 2, 1, true, behind, "takeover"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := withTakeover(func(a *Member) { a.Priorities = c.priorities })
			node, err := model.NewNode(a, in(""), c.self)
			require.NoError(t, err)
			node.Be(P{Term: 2, Oplog: list.From[[6]OpTime](behind, c.mine)}, election)
			hears := M{Type: Heartbeat, Term: 2, Catching: true, Oplog: list.From[[6]OpTime](behind)}
			require.NoError(t, node.Receive(model.Peer(c.primary), hears))
			awaits := ""
			for _, timer := range []model.Timer{takeover, catchUpTakeover} {
				if node.Ticks(timer) > 0 {
					awaits += a.Names().Timers[timer].Name
				}
			}
			assert.Equal(t, c.awaits, awaits)
		})
	}
}

// goesOn is a member whose fetches never stall.
type goesOn struct{ *Member }

func (a goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Member.Receive(p, net, from, m)
	p.Catch.Fetch = min(p.Catch.Fetch, GoesOn)
}

func (a goesOn) Timeout(p *P, net *model.Net[M], t model.Timer) {
	a.Member.Timeout(p, net, t)
	p.Catch.Fetch = min(p.Catch.Fetch, GoesOn)
}

// A catch-up that stalls lasts without end, unless there is a takeover. No cut and no loss alone
// has that effect: a member that is down does not count, and a fetch is made again.
func TestCatchUpStalls(t *testing.T) {
	asked := checker.Asking(writesAgain)
	unlimited := withTakeover(func(a *Member) { a.Takeover = false })
	faults := []string{"cuts=1 heals=1"}
	if *deep {
		faults = append(faults, "losses=4")
	}
	for _, s := range faults {
		checker.Verify(t, unlimited, settled(s).String(), asked, checker.Expect(writesAgain), gaps)
		checker.Verify(t, goesOn{unlimited}, settled(s).String(), asked, gaps)
		checker.Verify(t, withTakeover(func(*Member) {}), settled(s).String(), asked, gaps)
	}
}

// Version 0 loses a write of a majority, though all clocks are right.
func TestVersion0(t *testing.T) {
	r := checker.Verify(t, pv0, settled("cuts=1 heals=1").String(), checker.Asking(keptInTime), checker.Expect(keptInTime), gaps)
	assert.Len(t, r.Finding(keptInTime.Name).Trace.Steps, 56)
	checker.Verify(t, pv0, in("crashes=1 restarts=1").String(), checker.Asking(checker.Uniqueness, majorityKept, primaryAgain), gaps)
}

// With a vote that a vote of an earlier term overwrites, two members lead in one term.
func TestOverwritten(t *testing.T) {
	if !*deep {
		t.Skip("takes a minute: go test -deep")
	}
	r := checker.Verify(t, overwrites{handoff}, in("timing=async:3 crashes=1 crashers=3 restarts=1").String(),
		checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), gaps)
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 11)
}
