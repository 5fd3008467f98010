// Package omnipaxos is Ballot Leader Election, by which Omni-Paxos elects: one server that reaches
// a majority is enough, whoever else is cut off from whom.
//
// Each server asks all others for a heartbeat, in rounds. At the end of a round it goes by the answers
// of this round alone: whom it hears, and not by what others have heard of somebody. A server is happy that leads and reaches a majority, or that hears a happy leader. One
// that is not, and reaches a majority of which nobody is happy, takes over with a higher ballot.
//
// Deviations: Sequence Paxos, the replication of the log, is left out. So a server promises a
// ballot at the end of the round in which it learns of it, where the program waits for the Prepare
// of the leader; and no leader is kept waiting by those who promise nothing. Quorums are majorities,
// and all servers have one priority. The program counts rounds, which are modulo 4 here: within a bound
// on delays a reply is late by one round at most, if it is not one to a request of an earlier life. The
// numbers of ballots stand in a circle.
//
// Source: the program haraldng/omnipaxos at bd234be (version 0.2.2 and later),
// omnipaxos/src/ballot_leader_election.rs, whose functions are named beside the rules. Its paper is
// H. Ng, S. Haridi, P. Carbone, Omni-Paxos: Breaking the Barriers of Partial Connectivity, EuroSys
// 2023, which was not at hand. Connectivity is the program before its pull request 117.
package omnipaxos

import (
	"cmp"
	"fmt"
	"iter"

	"bullyproof/model"
)

// A Ballot is the number of an attempt to lead, and the server that makes it. Numbers from 1 on stand
// in a circle; 0 is RECOVERY_ROUND, which is lower. Of None it is Ballot::default().
type Ballot struct {
	N  uint8
	Of model.ID
}

// circle is how many numbers from 1 on there are. The next three after a number are higher.
const circle = 8

// compare is Ballot::cmp: by number, then by server.
func (b Ballot) compare(other Ballot) int {
	if b.N == 0 || other.N == 0 {
		return cmp.Or(cmp.Compare(min(b.N, 1), min(other.N, 1)), cmp.Compare(b.Of, other.Of))
	}
	switch ahead := b.ahead(other); {
	case ahead == 0:
		return cmp.Compare(b.Of, other.Of)
	case ahead < circle/2:
		return 1
	case ahead == circle/2:
		panic("two ballots meet that are half a circle of numbers apart")
	}
	return -1
}

// ahead is how many numbers after another one a ballot has its own.
func (b Ballot) ahead(other Ballot) uint8 { return (b.N + circle - other.N) % circle }

// next is the ballot of a server that goes past this one.
func (b Ballot) next(of model.ID) Ballot { return Ballot{b.N%circle + 1, of} }

// String returns b as in "1.P3".
func (b Ballot) String() string {
	if b.Of == model.None {
		return "none"
	}
	return fmt.Sprintf("%d.%s", b.N, b.Of.Name())
}

// P is the state of a server.
type P struct {
	// Current is its own ballot, and Leader the highest that it has learned of.
	Current, Leader Ballot
	// Promise is on disk: the ballot that it has promised. Its server is the current leader.
	Promise Ballot
	// Happy: it sees a leader that can lead.
	Happy bool
	// Round is hb_round modulo 4, and Replies are those of this round.
	Round   uint8
	Replies model.ByID[Reply]

	// Reached is how many servers it reached in its last round, with itself (see Connectivity).
	Reached uint8
	// Highest is the highest ballot that anybody has told it of (see gossips).
	Highest Ballot
}

// A Reply is what a server says of itself in a heartbeat.
type Reply struct {
	Ballot, Leader Ballot
	Happy          bool
	Reached        uint8 // see Connectivity
}

// The kinds of messages.
const (
	HeartbeatRequest model.Kind = iota
	HeartbeatReply
)

// M is a message of a round: a request, or a reply.
type M struct {
	Type  model.Kind
	Round uint8
	Reply Reply
	// Highest is in a request of gossips.
	Highest Ballot
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "HeartbeatReply(2: 1.P3)".
func (m M) String() string {
	switch {
	case m.Type == HeartbeatReply:
		return fmt.Sprintf("%s(%d: %v)", kinds[m.Type], m.Round, m.Reply.Ballot)
	case m.Highest != Ballot{}:
		return fmt.Sprintf("%s(%d, %v)", kinds[m.Type], m.Round, m.Highest)
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Round)
}

// timeout ends a round.
const timeout model.Timer = 0

var kinds = []string{"HeartbeatRequest", "HeartbeatReply"}

var (
	rules model.Rules

	recovers  = rules.Add("with: a server that recovers begins below its own ballots")
	answers   = rules.Add("handle_request")
	takes     = rules.Add("handle_reply")
	late      = rules.Add("handle_reply: a reply of an earlier round")
	learns    = rules.Add("update_leader: a higher ballot")
	good      = rules.Add("update_happiness: it leads, and can form a quorum")
	other     = rules.Add("update_happiness: it leads no quorum, but hears of a larger leader that is happy")
	follows   = rules.Add("update_happiness: it hears its leader, who is happy")
	unhappy   = rules.Add("update_happiness: no leader that it sees can lead")
	overtakes = rules.Add("check_takeover: nobody whom it hears is happy, and it reaches a majority")

	alone  = rules.Add("hb_timeout: not a majority of heartbeats")
	stays  = rules.Add("check_leader: the leader reaches a majority")
	elects = rules.Add("check_leader: a new leader")
	raises = rules.Add("check_leader: nobody has taken over, so it tries itself")
)

// BLE is the program.
type BLE struct {
	model.Passive[P, M]
}

// round is the length of a round, election_tick_timeout: longer than any round trip.
func round(net *model.Net[M]) int { return 2*net.Bound() + 1 }

func majority(net *model.Net[M], n int) bool { return n > net.N()/2 }

// Init is BallotLeaderElection::with.
func (b *BLE) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Current, p.Happy = Ballot{1, net.Self()}, true // INITIAL_ROUND
	p.Leader = p.Current
	if p.Promise != (Ballot{}) {
		// "Prevents a recovered server from retaining BLE leadership with the same ballot."
		net.Rule(recovers)
		p.Current.N, p.Leader = 0, p.Promise
	}
	p.begin(net)
}

// Stable keeps the promise, as storage does.
func (b *BLE) Stable(p *P) { *p = P{Promise: p.Promise} }

// Settle is the state in which all have promised the first ballot of a leader, and have answered
// in the round that goes on.
func (b *BLE) Settle(p *P, self, leader model.ID, live model.Set) {
	first := Ballot{1, leader}
	*p = P{Current: Ballot{1, self}, Leader: first, Promise: first, Happy: true}
	for id := range live.Without(self).All() {
		p.Replies.Set(id, Reply{Ballot: Ballot{1, id}, Leader: first, Happy: true})
	}
}

// Wake has a round go on.
func (b *BLE) Wake(_ *P, net *model.Net[M]) { net.SetTimer(timeout, round(net)) }

// begin is new_hb_round.
func (p *P) begin(net *model.Net[M]) {
	p.Round, p.Replies = (p.Round+1)%4, model.ByID[Reply]{}
	net.Broadcast(M{Type: HeartbeatRequest, Round: p.Round, Highest: p.Highest})
	net.SetTimer(timeout, round(net))
}

// Receive is handle.
func (b *BLE) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == HeartbeatRequest {
		net.Rule(answers)
		net.Reply(M{Type: HeartbeatReply, Round: m.Round, Reply: Reply{Ballot: p.Current, Leader: p.Leader, Happy: p.Happy}})
		return
	}
	p.collect(net, from.ID(), m)
}

// collect is handle_reply.
func (p *P) collect(net *model.Net[M], from model.ID, m M) {
	if m.Round != p.Round {
		net.Rule(late)
		return
	}
	net.Rule(takes)
	p.Replies.Set(from, m.Reply)
}

// Timeout is hb_timeout.
func (b *BLE) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.end(p, net, func() { p.checkTakeover(net) })
}

// end ends a round. A server that is not happy may take over.
func (b *BLE) end(p *P, net *model.Net[M], takeover func()) {
	p.updateLeader(net)
	p.updateHappiness(net)
	takeover()
	p.begin(net)
	p.promise()
}

// promise is handle_leader and handle_prepare.
func (p *P) promise() {
	if p.Leader.compare(p.Promise) > 0 {
		p.Promise = p.Leader
	}
}

// updateLeader is update_leader.
func (p *P) updateLeader(net *model.Net[M]) {
	for r := range p.replies(net.N()) {
		if r.Ballot.compare(p.Leader) > 0 {
			net.Rule(learns)
			p.Leader = r.Ballot
		}
	}
}

// replies yields what the servers, of n, have said in this round.
func (p *P) replies(n int) iter.Seq[Reply] {
	return func(yield func(Reply) bool) {
		for id := range model.Upto(model.ID(n)).All() {
			if r := p.Replies.At(id); r.Ballot.Of != model.None && !yield(r) {
				return
			}
		}
	}
}

// updateHappiness is update_happiness.
func (p *P) updateHappiness(net *model.Net[M]) {
	if p.Leader != p.Current {
		p.Happy = false
		for r := range p.replies(net.N()) {
			if r.Ballot == p.Leader && r.Happy {
				p.Happy = true
			}
		}
		net.Rule(either(p.Happy, follows, unhappy))
		return
	}
	followers, larger := 0, false
	for r := range p.replies(net.N()) {
		if r.Leader.compare(p.Current) <= 0 {
			followers++ // "potential_followers"
		} else if r.Happy {
			larger = true // "see_larger_happy_leader"
		}
	}
	if majority(net, followers+1) {
		net.Rule(good)
		p.Happy = true
		return
	}
	net.Rule(either(larger, other, unhappy))
	p.Happy = larger
}

func either(yes bool, a, b model.Rule) model.Rule {
	if yes {
		return a
	}
	return b
}

// checkTakeover is check_takeover.
func (p *P) checkTakeover(net *model.Net[M]) {
	if p.Happy {
		return
	}
	for r := range p.replies(net.N()) {
		if r.Happy {
			return
		}
	}
	p.overtake(net)
}

// overtake has a server lead that reaches a majority.
func (p *P) overtake(net *model.Net[M]) {
	if !majority(net, p.heard(net)+1) {
		return
	}
	net.Rule(overtakes)
	p.Current = p.Leader.next(net.Self()) // "We increment past our leader"
	p.Leader, p.Happy = p.Current, true
}

// heard is how many servers have replied in this round.
func (p *P) heard(net *model.Net[M]) (n int) {
	for range p.replies(net.N()) {
		n++
	}
	return n
}

// Belief is get_current_leader: the server whose ballot it has promised. A server that has come
// back names nobody where that is itself. One that is not happy is in an election.
func (b *BLE) Belief(p *P) model.Belief {
	belief := model.Belief{Elected: p.Promise.Of, Participant: !p.Happy || p.Promise.Of == model.None}
	switch {
	case p.Promise == (Ballot{}):
	case p.Promise == p.Current:
		belief.Elected = model.Me
	case p.Promise.Of == p.Current.Of:
		belief.Elected = model.None
	}
	if p.Promise != (Ballot{}) {
		belief.Epoch = 100*uint64(p.Promise.N) + uint64(p.Promise.Of) // 103 is 1.P3
	}
	return belief
}

// Names gives the words of the program.
func (b *BLE) Names() model.Names {
	return model.Names{Kinds: kinds, Timers: []model.TimerName{{Name: "hb_timeout", Periodic: true}}, Rules: rules}
}
