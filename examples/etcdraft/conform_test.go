package etcdraft_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/checker/shipped"
	"bullyproof/examples/etcdraft"
	"bullyproof/model"
)

// raftAndRawNode is what the catalogue's Raft and RawNode have in common. Differences on
// purpose:
//
//   - RawNode begins in term 1 with an entry of term 1, and the model in term 0 with none.
//   - The model has a log that the leader sends whole. RawNode has one with indexes: a follower may
//     reject a MsgApp, and what comes after it (MsgAppResp, a MsgApp that commits) is left out. Where
//     a leader checks its quorum, a MsgAppResp is the Success or the Refusal of the model.
//   - The model answers messages of an old term (Refusal, Vote, as in figure 2), and RawNode
//     ignores them. Refusals of a vote or a pre-vote change no belief, so that one of them alone is
//     left out.
//   - A candidate of RawNode that a majority refuses is a follower again. That of the model
//     stays a candidate, as in the paper, and wins no more than the other. So the two roles are
//     not told apart.
//   - Time: all timers expire at any moment, so that a lease lasts until its holder campaigns. A
//     leader sends its first AppendEntries alone, and no heartbeats.
//   - CheckQuorum of RawNode is that of the model and its Sticky.
//
// Differences that change a belief are in named.
func raftAndRawNode(m etcdraft.Nodes) shipped.Correspondence {
	both := func(text string) string {
		if strings.HasPrefix(text, "Success") && !m.CheckQuorum || strings.HasPrefix(text, "Refusal") && !m.CheckQuorum && !m.PreVote {
			return ""
		}
		return text
	}
	return shipped.Correspondence{
		Left: func(a *model.Action) string { return step(a, both) },
		Right: func(a *model.Action) string {
			return step(a, func(text string) string { return both(ofRawNode(text)) })
		},
		Only:     refused.MatchString,
		SeenLeft: seenOfModel, SeenRight: seenOfRawNode,
	}
}

var refused = regexp.MustCompile(`(Vote|PreVoted)\(\d+,false\)`)

// step is what both call an action.
func step(a *model.Action, message func(text string) string) string {
	switch a.Kind {
	case model.Expires:
		if a.Timer == "quorum check" {
			return a.Process.Name() + " checks its quorum"
		}
		return a.Process.Name() + " campaigns"
	case model.Delivers, model.Loses:
		what := map[model.ActionKind]string{model.Delivers: "receives", model.Loses: "misses"}[a.Kind]
		if m := message(a.Message); m != "" {
			return fmt.Sprintf("%s %s %s from %s", a.Process.Name(), what, m, a.Port.ID().Name())
		}
		return ""
	case model.Crashes, model.Restarts:
		return a.Process.Name() + " " + a.Kind.Verb()
	}
	return ""
}

var described = regexp.MustCompile(`(Msg\w+) Term:(\d+) Log:(\d+)/(\d+)`)
var entry = regexp.MustCompile(`(\d+)/(\d+) EntryNormal`)

// ofRawNode is how the model writes a message of RawNode.
func ofRawNode(text string) string {
	m := described.FindStringSubmatch(text)
	term, logTerm, index := number(m[2])-1, number(m[3])-1, number(m[4])-1
	entries := entry.FindAllStringSubmatch(text, -1)
	for _, e := range entries {
		logTerm, index = number(e[1])-1, number(e[2])-1
	}
	log := ""
	if index > 0 {
		log = fmt.Sprintf(",log %d:%d", logTerm, index)
	}
	granted := !strings.Contains(text, "Rejected")
	switch {
	case m[1] == "MsgVote":
		return fmt.Sprintf("RequestVote(%d%s)", term, log)
	case m[1] == "MsgVoteResp":
		return fmt.Sprintf("Vote(%d,%t)", term, granted)
	case m[1] == "MsgPreVote":
		return fmt.Sprintf("PreVote(%d%s)", term, log)
	case m[1] == "MsgPreVoteResp":
		return fmt.Sprintf("PreVoted(%d,%t)", term, granted)
	case m[1] == "MsgApp" && len(entries) > 0:
		return fmt.Sprintf("AppendEntries(%d%s)", term, log)
	case m[1] == "MsgAppResp" && index >= 0:
		return fmt.Sprintf("Success(%d)", term)
	case m[1] == "MsgAppResp":
		return fmt.Sprintf("Refusal(%d)", term)
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

// named is the catalogue's Raft with what RawNode does and the papers do not say, each a switch.
type named struct {
	*raft.Raft
	// Late: a pre-vote that was granted counts for whatever term a pre-candidate would begin, also
	// one of an election before: "We send pre-vote requests with a term in our future".
	Late bool
	// Again: whoever voted for a node in its term grants it a pre-vote for that term: "We can vote
	// if this is a repeat of a vote we've already cast".
	Again bool
	// Hears: whoever hears of a leader grants pre-votes nevertheless. One that checks its quorum
	// gives no answer: "lease is not expired".
	Hears bool
	// GivesUp: whoever a majority refuses a pre-vote is a follower, and counts none that comes
	// late. (The set Heard, which only leaders use, has those that refused.)
	GivesUp bool
	// Active: a leader hears of a node also by its answer to a message of an old term, if that
	// arrives when the leader has the term of the answer (RecentActive).
	Active bool
}

func (n named) Timeout(p *raft.P, net *model.Net[raft.M], t model.Timer) {
	if p.Role != raft.Leader {
		p.Heard = 0
	}
	n.Raft.Timeout(p, net, t)
}

func (n named) Receive(p *raft.P, net *model.Net[raft.M], from model.Port, m raft.M) {
	switch asks := p.Role == raft.PreCandidate; {
	case m.Type == raft.PreVote && n.preVote(p, net, from.ID(), m):
		return
	case n.GivesUp && m.Type == raft.PreVoted && asks && m.Term == p.Term && !m.Granted && !p.Votes.Has(from.ID()):
		if p.Heard = p.Heard.With(from.ID()); 2*p.Heard.Len() >= net.N() {
			p.Role, p.Votes, p.Heard = raft.Follower, 0, 0
		}
		return
	case n.GivesUp && m.Type == raft.PreVoted && asks && m.Granted && p.Heard.Has(from.ID()):
		return
	case n.Active && m.Type == raft.Refusal && m.Term == p.Term && p.Role == raft.Leader:
		p.Heard = p.Heard.With(from.ID())
	case n.Late && m.Type == raft.PreVoted && m.Granted && m.Term >= p.Term:
		m.Term = p.Term + 1
	}
	n.Raft.Receive(p, net, from, m)
	if p.Role != raft.PreCandidate && p.Role != raft.Leader {
		p.Heard = 0
	}
}

// preVote answers a request for a pre-vote in the way of RawNode, and reports whether it did.
func (n named) preVote(p *raft.P, net *model.Net[raft.M], from model.ID, m raft.M) bool {
	voted := p.VotedFor == from || p.VotedFor == model.None && p.Leader == model.None
	again := n.Again && m.Term == p.Term && voted
	hears := n.Hears && m.Term > p.Term && p.Leader != model.None
	if hears && n.CheckQuorum {
		return true
	}
	if older := m.Log.Term < p.Log.Term || m.Log.Term == p.Log.Term && m.Log.Len < p.Log.Len; older || !again && !hears {
		return false
	}
	net.Reply(raft.M{Type: raft.PreVoted, Term: m.Term, Granted: true})
	return true
}

var (
	deep   = flag.Bool("deep", false, "also search what takes ten minutes")
	update = flag.Bool("update", false, "write the files of testdata")
)

// A comparison is one of a model and of nodes with the same switches, in a setting.
type comparison struct {
	named   named
	nodes   etcdraft.Nodes
	setting string
	// depth bounds the actions; 0 is no bound.
	depth int
}

// with has the switches of both, and two terms.
func with(preVote, checkQuorum bool) comparison {
	return comparison{
		named: named{Raft: &raft.Raft{Terms: 2, Logs: true, PreVote: preVote, CheckQuorum: checkQuorum, Sticky: checkQuorum}},
		nodes: etcdraft.Nodes{Terms: 2, PreVote: preVote, CheckQuorum: checkQuorum},
	}
}

// terms bounds the terms of both.
func (c comparison) terms(most uint8) comparison {
	r := *c.named.Raft
	r.Terms, c.nodes.Terms = most, uint64(most)
	c.named.Raft = &r
	return c
}

func (c comparison) in(setting string, depth int) comparison {
	c.setting, c.depth = setting, depth
	return c
}

// all has all that is named.
func (c comparison) all() comparison {
	c.named = named{c.named.Raft, true, true, true, true, true}
	return c
}

// explore explores the model and the program.
func (c comparison) explore(t *testing.T, protocol model.Protocol[raft.P, raft.M]) *shipped.Beside {
	t.Helper()
	left, err := model.NewFrom(protocol, c.setting)
	require.NoError(t, err)
	right, err := model.NewFrom(etcdraft.New(c.nodes), c.setting)
	require.NoError(t, err)
	b, err := shipped.Together(t.Context(), left, right, raftAndRawNode(c.nodes), c.depth)
	require.NoError(t, err)
	t.Logf("%s: %d pairs to depth %d, all: %t; alone %q", c.setting, b.Pairs, b.Depth, b.Whole, b.Alone)
	return b
}

const (
	pair   = "n=2 initiators=none timing=async detector=off"
	faults = " crashes=1 restarts=1 losses=1"
)

// Each run of the catalogue's Raft is one of RawNode, and the other way round, as far as both
// have the step, and in each state both believe the same: in all pairs of states or to a depth.
// With pre-votes the model has what is named.
func TestModelIsAsTheProgram(t *testing.T) {
	t.Parallel()
	plain, preVote, quorum, both := with(false, false), with(true, false).all(), with(false, true).all(), with(true, true).all()
	for _, c := range []struct {
		comparison
		deep  bool
		pairs int
		whole bool
	}{
		{plain.terms(1).in(elections, 0), false, 1_663, true},
		{plain.in(pair+faults, 0), false, 4_400, true},
		{plain.terms(1).in(elections+faults, 5), false, 1_237, false},
		{preVote.in(pair+faults, 7), false, 1_728, false},
		{quorum.terms(1).in(pair+faults, 0), false, 246, true},
		{both.in(pair+faults, 7), false, 1_748, false},
		{plain.in(elections, 7), true, 9_323, false},
		{plain.in(elections+faults, 6), true, 13_690, false},
		{preVote.in(elections, 8), true, 27_398, false},
		{preVote.in(pair+faults, 11), true, 63_910, false},
		{quorum.terms(1).in(elections, 0), true, 12_355, true},
		{quorum.in(pair+faults, 8), true, 3_405, false},
		{both.in(elections, 8), true, 28_526, false},
	} {
		if c.deep && !*deep {
			continue
		}
		b := c.explore(t, c.named)
		assert.Nil(t, b.Difference, "%s: %v", c.setting, b.Difference)
		assert.Equal(t, c.whole, b.Whole, c.setting)
		assert.Equal(t, c.pairs, b.Pairs, c.setting)
	}
}

// golden compares a text with a file, or writes it.
func golden(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "run the test with -update")
	assert.Equal(t, string(want), text)
}

// All differences found are named. Each is the first one if those before it are no longer
// any, since the model has them.
func TestDifferences(t *testing.T) {
	t.Parallel()
	preVote, quorum := with(true, false).in(pair, 10), with(false, true).in(pair, 12)
	late, again, hears, givesUp := preVote, preVote, preVote, preVote
	again.named.Late = true
	hears.named.Late, hears.named.Again = true, true
	givesUp.named.Late, givesUp.named.Again, givesUp.named.Hears = true, true, true
	var b strings.Builder
	for _, c := range []struct {
		what string
		comparison
	}{
		{"RawNode counts a late pre-vote for the next election (Late)", late},
		{"RawNode grants a pre-vote for the term in which it has voted for the same node (Again)", again},
		{"RawNode grants a pre-vote though it hears of a leader (Hears)", hears},
		{"RawNode no longer asks for pre-votes if a majority refuses them (GivesUp)", givesUp},
		{"RawNode's leader hears of a node by its answer to a message of an old term (Active)", quorum},
		{"RawNode's log has indexes: a leader sends what a follower lacks once that rejects an entry", quorum.all()},
	} {
		found := c.explore(t, c.named)
		require.NotNil(t, found.Difference, c.what)
		fmt.Fprintf(&b, "%s\nin %s\n%v\n", c.what, c.setting, found.Difference)
	}
	golden(t, "differences.txt", b.String())
}

// A fault on either side is a difference, and so is a switch that only one of them has.
func TestFaultsAreDifferences(t *testing.T) {
	t.Parallel()
	plain := with(false, false).terms(1)
	forgets, preVote, quorum := plain.in(pair+faults, 0), plain.in(elections, 0), plain.in(elections, 0)
	forgets.nodes.Forgets, preVote.nodes.PreVote, quorum.nodes.CheckQuorum = true, true, true
	var b strings.Builder
	for _, c := range []struct {
		what string
		comparison
		model model.Protocol[raft.P, raft.M]
	}{
		{"nodes that forget their votes in a crash", forgets, plain.named},
		{"a model that votes twice", plain.in(elections, 0), votesTwice{plain.named.Raft}},
		{"a model that counts refusals", plain.in(elections, 0), countsRefusals{plain.named.Raft}},
		{"nodes with pre-votes, and a model without them", preVote, plain.named},
		{"nodes that check their quorum, and a model that does not", quorum, plain.named},
	} {
		found := c.explore(t, c.model)
		require.NotNil(t, found.Difference, c.what)
		fmt.Fprintf(&b, "%s\nin %s\n%v\n", c.what, c.setting, found.Difference)
	}
	golden(t, "faults.txt", b.String())
}

type votesTwice struct{ *raft.Raft }

func (r votesTwice) Receive(p *raft.P, net *model.Net[raft.M], from model.Port, m raft.M) {
	if m.Type == raft.RequestVote && p.Role == raft.Follower {
		p.VotedFor = model.None
	}
	r.Raft.Receive(p, net, from, m)
}

type countsRefusals struct{ *raft.Raft }

func (r countsRefusals) Receive(p *raft.P, net *model.Net[raft.M], from model.Port, m raft.M) {
	m.Granted = m.Granted || m.Type == raft.Vote
	r.Raft.Receive(p, net, from, m)
}
