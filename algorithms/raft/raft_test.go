package raft

import (
	"flag"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/garbage"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/trace"
)

var deep = flag.Bool("deep", false, "also search what takes minutes")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// noOldTerm is what does not happen where messages are faster than elections: a
// leader learns of a new term by its request for votes.
var noOldTerm = []string{"AppendEntries, 1: old term: reply false", "Refusal"}

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// A vote is granted as in figure 2: 1. "reply false if term < currentTerm", 2. "if
// votedFor is null or candidateId, grant vote". Handlers need no search.
func TestRequestVote(t *testing.T) {
	for _, c := range []struct {
		name    string
		before  P
		term    uint8
		granted bool
	}{
		{"an old term", P{Term: 2}, 1, false},
		{"nobody has the vote", P{Term: 1}, 1, true},
		{"the candidate has the vote", P{Term: 1, VotedFor: 3}, 1, true},
		{"another one has the vote", P{Term: 1, VotedFor: 1}, 1, false},
		{"another one had it in an old term", P{Term: 1, VotedFor: 1, Role: Candidate}, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			node, err := model.NewNode(figure2, synchronous, 2)
			require.NoError(t, err)
			require.NoError(t, node.Init(model.Cold))
			node.State = c.before
			require.NoError(t, node.Receive(model.Peer(3), M{Type: RequestVote, Term: c.term}))
			var sent []M
			for to, m := range node.Sends {
				assert.Equal(t, model.Peer(3), to)
				sent = append(sent, m)
			}
			assert.Equal(t, []M{{Type: Vote, Term: max(c.before.Term, c.term), Granted: c.granted}}, sent)
			assert.Equal(t, c.granted, slices.Contains(slices.Collect(node.Rules), grantVote))
		})
	}
}

// With timeouts that differ and messages that arrive in time a leader is elected,
// and another one after its crash. There is an end of terms here, since there is
// one of crashes.
func TestLeaderIsElected(t *testing.T) {
	r := checker.Verify(t, figure2, world+"n=3 timing=sync:1 crashes=1 restarts=1",
		checker.Asking(checker.Heartbeat()...), checker.Asking(voteOnDisk), checker.AllowGaps(noOldTerm...))
	assert.EqualValues(t, 8_969, r.Distinct)
}

// Heartbeats never cease, so that nothing is ever over: what the standard
// properties demand then is demanded of no state.
func TestStandardDoesNotFit(t *testing.T) {
	r := checker.Verify(t, figure2, world+"n=3 timing=sync:1 crashes=1 restarts=1",
		checker.Asking(checker.Standard()...), checker.Expect(checker.Termination), checker.AllowGaps("*"))
	for _, p := range []*checker.Property{checker.SettledUniqueness, checker.Agreement, checker.LiveCoordinator, checker.Extreme} {
		assert.Equal(t, checker.Vacuous, r.Finding(p.Name).Verdict, p.Name)
	}
}

// An ending is Raft with a clause of ours: no election begins after the last term.
// It has finitely many states in any world, and its runs within that term are
// Raft's, so that what never happens in it does not happen there. Events that Raft
// guarantees need not happen in it.
type ending struct {
	*Raft
	last uint8
}

func (e ending) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == electionTimer && p.Term >= e.last {
		return
	}
	e.Raft.Timeout(p, net, t)
}

// However long messages take and whenever timers expire, a term has one leader.
func TestElectionSafety(t *testing.T) {
	in, states := world+"n=3 timing=async:1 crashes=1", 22_315
	if *deep {
		in, states = in+" restarts=1", 245_066
	}
	r := checker.Verify(t, ending{anyDelays, 2}, in, checker.Asking(checker.OneLeaderPerEpoch, electionSafety, voteOnDisk))
	assert.EqualValues(t, states, r.Distinct)
}

// A server that forgets in a crash whom it voted for votes twice, and two lead.
func TestForgets(t *testing.T) {
	for _, c := range []struct {
		name, timing string
		protocol     model.Protocol[P, M]
	}{
		{"the vote", "async", forgetsVote{anyDelays}},
		{"all", "async:1", forgetsAll{anyDelays}},
	} {
		if c.name != "the vote" && !*deep {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			asked := []*checker.Property{checker.OneLeaderPerEpoch, electionSafety, voteOnDisk}
			r := checker.Verify(t, c.protocol, world+"n=3 crashes=1 restarts=1 timing="+c.timing,
				checker.Asking(asked...), checker.Expect(asked...), checker.AllowIncomplete())
			for i, steps := range []int{8, 8, 2} {
				assert.Len(t, r.Finding(asked[i].Name).Trace.Steps, steps, asked[i].Name)
			}
		})
	}
}

// A vote that is not synced when its answer leaves is as good as none on disk: the server
// crashes, comes back with what it held before, and votes again in the same term. It takes
// as many steps as a vote that is never stored. Where no timer expires too early, nobody is
// elected by it.
func TestLostWrite(t *testing.T) {
	const in = world + "n=3 crashes=1 restarts=1 lost-writes=1 timing="
	asked := []*checker.Property{checker.OneLeaderPerEpoch, electionSafety}
	r := checker.Verify(t, anyDelays, in+"async", checker.Asking(asked...), checker.Expect(asked...), checker.AllowIncomplete())
	steps := r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps
	require.Len(t, steps, 8)
	kinds := map[model.ActionKind]int{}
	for _, s := range steps {
		kinds[s.Action.Kind]++
	}
	assert.Equal(t, map[model.ActionKind]int{model.Expires: 2, model.Delivers: 4, model.Forgets: 1, model.Restarts: 1}, kinds)

	checker.Verify(t, anyDelays, in+"patient", checker.Asking(asked...), checker.AllowGaps("*"))
	checker.Verify(t, figure2, in+"sync:1", checker.Asking(asked...), checker.AllowGaps("*"))
}

// A disk that is lost takes the vote along. The run has as many steps.
func TestLostDisk(t *testing.T) {
	const in = world + "n=3 crashes=1 restarts=1 lost-disks=1 timing="
	r := checker.Verify(t, anyDelays, in+"async", checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), checker.AllowIncomplete())
	steps := r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps
	require.Len(t, steps, 8)
	assert.True(t, slices.ContainsFunc(steps, func(s trace.Step) bool { return s.Action.Kind == model.Wipes }))
	checker.Verify(t, anyDelays, in+"patient", checker.Asking(checker.OneLeaderPerEpoch), checker.AllowGaps("*"))
}

// Of five servers it takes a majority of three votes, and four more steps.
func TestForgetsOfFive(t *testing.T) {
	if !*deep {
		t.Skip("takes a minute and 2 GiB: go test -deep")
	}
	r := checker.Verify(t, forgetsVote{anyDelays}, world+"n=5 crashes=1 restarts=1 timing=async:1",
		checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), checker.AllowIncomplete())
	assert.Len(t, r.Finding(checker.OneLeaderPerEpoch.Name).Trace.Steps, 12)
}

// Where no timer expires before the messages that it waits for have arrived, the
// vote that was forgotten elects nobody: the timing decides what is found. The
// base of elections is broken nevertheless.
func TestForgetsInAPatientNetwork(t *testing.T) {
	for _, timing := range []string{"patient", "last-resort", "sync:1"} {
		t.Run(timing, func(t *testing.T) {
			checker.Verify(t, forgetsVote{anyDelays}, world+"n=3 crashes=1 restarts=1 timing="+timing,
				checker.Asking(checker.OneLeaderPerEpoch, electionSafety, voteOnDisk), checker.Expect(voteOnDisk), checker.AllowGaps("*"))
		})
	}
}

// A follower whose disk is lost in a crash has crashed, and has left no leader.
func TestACrashLeavesNoLeader(t *testing.T) {
	checker.Verify(t, &Raft{Heartbeats: true, PreVote: true}, "n=3 start=settled crashes=1 restarts=1 lost-disks=1 detector=off timing=lockstep",
		checker.Asking(undisturbed), checker.AllowGaps("*"))
}

// A server that has voted refuses pre-votes of later terms, and a quorum elects nobody
// after a candidate has died. It was mended in two ways. One has a server forget its vote
// when it asks for pre-votes itself, and it votes twice.
func TestAVoteThatBinds(t *testing.T) {
	const in = "n=3 losses=2 cuts=1 " + lockstep
	checker.Verify(t, dropsVote{voteBinds{preVotes}}, "n=3 crashes=1 "+lockstep, checker.Asking(availability), checker.AllowGaps("*"))
	mended := sameTerm{noCatchUp{preVotes}}
	checker.Verify(t, dropsVote{voteBinds{mended}}, in, checker.Asking(checker.OneLeaderPerEpoch), checker.Expect(checker.OneLeaderPerEpoch), checker.AllowIncomplete())
	checker.Verify(t, mended, in, checker.Asking(checker.OneLeaderPerEpoch), checker.AllowGaps("*"))
}

// Where a candidate answers no pre-votes and elects itself without them, no number of
// elections is enough. Where it answers them, terms end.
func TestElectionsInVain(t *testing.T) {
	ra := Presses{&Raft{Heartbeats: true, PreVote: true, Logs: true, Terms: 60}}
	for _, r := range []program{busy{ra}, ra} {
		farthest := checker.Always("farthest", "No server gets to term 50.",
			func(v *model.View) bool {
				for id := range v.Up.All() {
					if v.Epoch(id) >= 50 {
						return false
					}
				}
				return true
			})
		expect := checker.AllowGaps("*")
		if r != ra {
			expect = checker.Expect(farthest)
		}
		checker.Verify(t, r, "n=3 losses=2 crashes=1 mid-send=yes "+lockstep, checker.Asking(farthest), expect, checker.AllowIncomplete())
	}
}

// A bound on terms leaves open what happens beyond it, so no run that has to go there
// breaks anything. A protocol that keeps to it is another protocol: that nobody leads in
// the end is its own fault.
func TestTheBoundBreaksNothing(t *testing.T) {
	const patient = world + "n=3 timing=patient crashes=1 restarts=1"
	asking := checker.Asking(checker.StableLeadership)
	r := checker.Verify(t, anyDelays, patient, asking, checker.AllowGaps("*"))
	assert.Equal(t, checker.Holds, r.Finding(checker.StableLeadership.Name).Verdict)
	assert.Contains(t, r.Bound, "beyond the protocol's bound were left out: term 3")
	checker.Verify(t, ending{anyDelays, 2}, patient, asking, checker.Expect(checker.StableLeadership), checker.AllowGaps("*"))
}
