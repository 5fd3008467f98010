package etcdraft_test

import (
	"flag"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/examples/etcdraft"
	"bullyproof/model"
	"bullyproof/shipped"
)

// What the catalogue's Raft and RawNode do not have in common, on purpose:
//
//   - RawNode begins in term 1 with an entry of term 1, and the model in term 0 with none.
//   - A follower of RawNode answers each MsgApp, for its log. The model leaves that out where
//     nobody reads it, and has a log that the leader sends whole.
//   - The model answers messages of an old term (Refusal, Vote, as in figure 2), and RawNode
//     ignores them.
//   - A candidate of RawNode that a majority refuses is a follower again. That of the model
//     stays a candidate, as in the paper, and wins no more than the other. So the two roles are
//     not told apart.
var raftAndRawNode = shipped.Correspondence{
	Left:     func(a *model.Action) string { return step(a, ofModel) },
	Right:    func(a *model.Action) string { return step(a, ofRawNode) },
	Only:     func(text string) bool { return strings.Contains(text, "Vote(") && strings.Contains(text, ",false)") },
	SeenLeft: seenOfModel, SeenRight: seenOfRawNode,
}

// step is what both call an action.
func step(a *model.Action, message func(text string) string) string {
	switch a.Kind {
	case model.Expires:
		return a.Process.Name() + " campaigns"
	case model.Delivers:
		if m := message(a.Message); m != "" {
			return fmt.Sprintf("%s receives %s from %s", a.Process.Name(), m, a.Port.ID().Name())
		}
		return ""
	case model.Crashes, model.Restarts:
		return a.Process.Name() + " " + a.Kind.Verb()
	}
	return ""
}

func ofModel(text string) string {
	if strings.HasPrefix(text, "Refusal") || strings.HasPrefix(text, "Success") {
		return ""
	}
	return text
}

var described = regexp.MustCompile(`(Msg\w+) Term:(\d+) Log:(\d+)/(\d+)`)
var entry = regexp.MustCompile(`(\d+)/(\d+) EntryNormal`)

// ofRawNode is how the model writes a message of RawNode.
func ofRawNode(text string) string {
	m := described.FindStringSubmatch(text)
	term, logTerm, index := number(m[2])-1, number(m[3])-1, number(m[4])-1
	for _, e := range entry.FindAllStringSubmatch(text, -1) {
		logTerm, index = number(e[1])-1, number(e[2])-1
	}
	log := ""
	if index > 0 {
		log = fmt.Sprintf(",log %d:%d", logTerm, index)
	}
	granted := !strings.Contains(text, "Rejected")
	switch m[1] {
	case "MsgVote":
		return fmt.Sprintf("RequestVote(%d%s)", term, log)
	case "MsgVoteResp":
		return fmt.Sprintf("Vote(%d,%t)", term, granted)
	case "MsgPreVote":
		return fmt.Sprintf("PreVote(%d%s)", term, log)
	case "MsgPreVoteResp":
		return fmt.Sprintf("PreVoted(%d,%t)", term, granted)
	case "MsgApp":
		return fmt.Sprintf("AppendEntries(%d%s)", term, log)
	}
	return ""
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

func field(p model.ProcessSnapshot, name string) string {
	for _, f := range p.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func seenOfModel(s model.Snapshot) string {
	return seen(s, 0, "VotedFor", "leader")
}

func seenOfRawNode(s model.Snapshot) string {
	return seen(s, 1, "Vote", "StateLeader")
}

// seen is what both believe: of each process its term, for whom it voted, its role, and whom it
// takes for the leader.
func seen(s model.Snapshot, first int, vote string, leader string) string {
	var all []string
	for _, p := range s.Processes {
		voted := strings.NewReplacer("⊥", "0").Replace(field(p, vote))
		text := fmt.Sprintf("%s term %d, vote %s", p.ID.Name(), number("0"+field(p, "Term"))-first, voted)
		if p.Status == model.Up {
			text += fmt.Sprintf(", leads %t, leader %s", field(p, "Role") == leader, p.Belief.Elected.Name())
		} else {
			text += ", " + p.Status.String()
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// deep is the flag of tests that take minutes.
var deep = flag.Bool("deep", false, "also search what takes minutes")

// beside explores the model and the program.
func beside(t *testing.T, protocol model.Protocol[raft.P, raft.M], m etcdraft.Nodes, setting string, depth int) *shipped.Beside {
	t.Helper()
	left, err := model.NewFrom(protocol, setting)
	require.NoError(t, err)
	right, err := model.NewFrom(etcdraft.New(m), setting)
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), left, right, raftAndRawNode, depth)
	require.NoError(t, err)
	t.Logf("%d pairs to depth %d, all: %t; alone %q", b.Pairs, b.Depth, b.Whole, b.Alone)
	return b
}

const two = "n=2 initiators=none timing=async detector=off crashes=1 restarts=1"

// Each run of the catalogue's Raft is one of RawNode, and the other way round, as far as both
// have the step, and in each state both believe the same.
func TestModelIsAsTheProgram(t *testing.T) {
	depth := 6
	if *deep {
		depth = 8
	}
	for _, c := range []struct {
		terms   uint8
		setting string
		depth   int
		whole   bool
	}{
		{1, elections, 0, true},
		{2, two, 0, true},
		{2, elections, depth, false},
		{1, elections + " crashes=1 restarts=1", depth, false},
	} {
		b := beside(t, &raft.Raft{Terms: c.terms, Logs: true}, etcdraft.Nodes{Terms: uint64(c.terms)}, c.setting, c.depth)
		assert.Nil(t, b.Difference, "%s: %v", c.setting, b.Difference)
		assert.Equal(t, c.whole, b.Whole, c.setting)
	}
}

// With pre-votes there is a difference. RawNode does not look at the term for which a pre-vote
// was asked: one of an earlier election that comes late counts for the next one. In the model, as
// in the dissertation, it does not.
func TestLatePreVote(t *testing.T) {
	b := beside(t, &raft.Raft{Terms: 2, Logs: true, PreVote: true}, etcdraft.Nodes{Terms: 2, PreVote: true}, elections, 7)
	require.NotNil(t, b.Difference)
	assert.Equal(t, `  0 both begin
  1 P1 campaigns
  2 P2 receives PreVote(1) from P1
  3 P1 receives PreVoted(1,true) from P2
  4 P1 campaigns
  5 P3 receives PreVote(1) from P1
  6 P1 receives PreVoted(1,true) from P3
      left:  P1 term 1, vote 1, leads false, leader ⊥; P2 term 0, vote 0, leads false, leader ⊥; P3 term 0, vote 0, leads false, leader ⊥
      right: P1 term 2, vote 1, leads false, leader ⊥; P2 term 0, vote 0, leads false, leader ⊥; P3 term 0, vote 0, leads false, leader ⊥
`, b.Difference.String())
}

// A fault on either side is a difference: a program that forgets its vote in a crash, and a
// model that votes twice.
func TestFaultsAreDifferences(t *testing.T) {
	b := beside(t, &raft.Raft{Terms: 1, Logs: true}, etcdraft.Nodes{Terms: 1, Forgets: true}, two, 0)
	require.NotNil(t, b.Difference)
	assert.Len(t, b.Difference.Run, 3, "%v", b.Difference)
	b = beside(t, votesTwice{&raft.Raft{Terms: 1, Logs: true}}, etcdraft.Nodes{Terms: 1}, elections, 0)
	require.NotNil(t, b.Difference)
	assert.Len(t, b.Difference.Run, 5, "%v", b.Difference)
}

type votesTwice struct{ *raft.Raft }

func (r votesTwice) Receive(p *raft.P, net *model.Net[raft.M], from model.Port, m raft.M) {
	if m.Type == raft.RequestVote && p.Role == raft.Follower {
		p.VotedFor = model.None
	}
	r.Raft.Receive(p, net, from, m)
}
