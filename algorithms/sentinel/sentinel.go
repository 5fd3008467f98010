// Package sentinel is the election of Redis Sentinel: which of the sentinels that watch a
// dead master fails it over to a replica.
//
// All processes are sentinels, and the master has just died. A sentinel that has missed it
// for long enough begins a new epoch and asks the others for their votes. Each gives one
// vote in an epoch. One with the votes of a majority of all sentinels that it knows, and
// of a quorum, fails the master over, and its configuration has the epoch as its version.
// Others learn of it by messages (hello), and newer configurations win.
//
// A tick is a second. Times are those of the program: a sentinel says its configuration
// every 2 seconds, gives up after 10, and looks at the replica once a second until that is a
// master. It asks again after 2 seconds, in the program a second after an answer.
//
// Deviations: the program forgets a vote after five periods without an answer
// (SENTINEL_ASK_PERIOD); here an attempt is over before that. After a vote for another one, or
// after an attempt, a sentinel waits for 360 seconds by default; here it waits for about 40, when
// every attempt is over as well. A sentinel that has failed the master over votes no more;
// the program votes while it still configures other replicas. That two sentinels choose
// different replicas is not modelled.
//
// Source: Redis, src/sentinel.c, version 7; the functions are named beside the rules.
package sentinel

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// P is the state of a sentinel.
type P struct {
	// Epoch is the highest epoch that it knows (current_epoch). Leader is whom it voted
	// for last, in the epoch Voted (leader, leader_epoch). Config is the version of its
	// configuration (config_epoch), and Owner the sentinel that made it. All but Leader
	// are on disk.
	Epoch         uint8
	Leader        model.ID
	Voted, Config uint8
	Owner         model.ID

	// Failover is the epoch of its attempt to be elected (failover_epoch), 0 without one. Won is
	// the epoch in which it was elected, until the replica is a master.
	Failover, Won uint8
	// Votes are what the others voted last, by who they are, and VotedIn in which epochs
	// (leader, leader_epoch). Those are left out that can never count again.
	Votes   [most]model.ID
	VotedIn [most]uint8
}

// most is the number of sentinels at most, with one for 0.
const most = 6

// The kinds of messages.
const (
	Ask model.Kind = iota // is-master-down-by-addr, with a request for a vote
	Vote
	Hello
)

// M is a message.
type M struct {
	Type   model.Kind
	Epoch  uint8    // of Ask, the one it is for; of Vote, that of the vote; of Hello, the highest
	Leader model.ID // of Vote
	Config uint8    // of Hello
	Owner  model.ID // of Hello
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Vote(1,P2)".
func (m M) String() string {
	switch m.Type {
	case Ask:
		return fmt.Sprintf("Ask(%d)", m.Epoch)
	case Vote:
		return fmt.Sprintf("Vote(%d,%s)", m.Epoch, m.Leader.Name())
	}
	return fmt.Sprintf("Hello(%d,%d,%s)", m.Epoch, m.Config, m.Owner.Name())
}

// The timers: the master is down for good, ask again (SENTINEL_ASK_PERIOD), not elected
// (SENTINEL_ELECTION_TIMEOUT), hello (SENTINEL_PUBLISH_PERIOD).
const (
	down model.Timer = iota
	again
	election
	hello
	promoted
	other
)

var (
	rules model.Rules

	start    = rules.Add("sentinelStartFailover: begin a new epoch")
	ask      = rules.Add("sentinelAskMasterStateToOtherSentinels: ask for votes")
	newEpoch = rules.Add("sentinelVoteLeader: a new epoch")
	vote     = rules.Add("sentinelVoteLeader: vote")
	oldVote  = rules.Add("sentinelVoteLeader: an old vote stays")
	elected  = rules.Add("sentinelFailoverWaitStart: elected: fail the master over")
	promote  = rules.Add("sentinelRefreshInstanceInfo: the replica is a master")
	another  = rules.Add("sentinelStartFailover: a new epoch for another master")
	stranger = rules.Add("sentinelCommand: no master has that address: no vote")
	abort    = rules.Add("sentinelFailoverWaitStart: not elected in time: abort")
	adopt    = rules.Add("sentinelProcessHelloMessage: a newer configuration: adopt it")
	say      = rules.Add("sentinelSendHello")
)

// A Sentinel is the protocol.
type Sentinel struct {
	model.Passive[P, M]
	// Quorum is how many have to agree that the master is down.
	Quorum int
	// Epochs is how many are explored; 0 is as many as an epoch counts.
	Epochs uint8
	// SameEpoch counts only votes for the epoch of the failover: a repair.
	SameEpoch bool
	// Busy has the sentinels watch another master also, which is down: the last sentinel begins
	// an epoch for it. P1 and P2 find the master down at the same time. In their first two
	// seconds they say no hello, which would have their epoch and nothing else.
	Busy bool
}

// Init has a sentinel miss the master, unless it has been failed over.
func (s *Sentinel) Init(p *P, net *model.Net[M], _ model.Boot) {
	if p.Config == 0 {
		net.SetTimer(down, s.patience(net))
		if s.Busy && int(net.Self()) == net.N() {
			net.SetTimer(other, 3+2*net.Bound())
		}
	} else if p.Owner == net.Self() {
		net.SetTimer(hello, period)
	}
}

// Stable keeps what sentinelFlushConfig writes.
func (s *Sentinel) Stable(p *P) {
	*p = P{Epoch: p.Epoch, Voted: p.Voted, Config: p.Config, Owner: p.Owner}
}

const period = 2

// patience is how long a sentinel waits until it tries: each has a time of its own, which
// stands for the random one (SENTINEL_MAX_DESYNC).
func (s *Sentinel) patience(net *model.Net[M]) int {
	if s.Busy && net.Self() == 2 {
		return 2 + 2*net.Bound()
	}
	return 2*int(net.Self()) + 2*net.Bound()
}

// delay is how long a sentinel waits that has voted for another one, or has tried in vain:
// until every attempt is over, and whoever won says so (twice failover-timeout).
func (s *Sentinel) delay(net *model.Net[M]) int { return 24 + 8*net.Bound() + s.patience(net) }

// Timeout is what sentinelTimer does as time passes.
func (s *Sentinel) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case down:
		s.startFailover(p, net, all(net))
		s.count(p, net, all(net))
	case again:
		s.askOthers(p, net, all(net))
	case election: // sentinelFailoverWaitStart: "Abort the failover if I'm not the leader after some time"
		net.Rule(abort)
		s.end(p, net)
		net.SetTimer(down, s.delay(net))
	case promoted: // sentinelRefreshInstanceInfo: "Now that we are sure the slave was reconfigured as a master"
		net.Rule(promote)
		p.Config, p.Owner = p.Won, net.Self()
		s.end(p, net)
		net.Broadcast(M{Type: Hello, Epoch: p.Epoch, Config: p.Config, Owner: p.Owner})
		net.SetTimer(hello, period)
	case other:
		net.Rule(another)
		s.enter(p, p.Epoch+1)
		net.Broadcast(M{Type: Hello, Epoch: p.Epoch, Config: p.Config, Owner: p.Owner})
	case hello: // sentinelSendHello
		net.Rule(say)
		net.Broadcast(M{Type: Hello, Epoch: p.Epoch, Config: p.Config, Owner: p.Owner})
		net.SetTimer(hello, period)
	}
}

// all are the sentinels that one knows: each knows all.
func all(net *model.Net[M]) model.Set { return model.Upto(model.ID(net.N())) }

// startFailover is sentinelStartFailover.
func (s *Sentinel) startFailover(p *P, net *model.Net[M], known model.Set) {
	net.Rule(start)
	p.Failover = p.Epoch + 1
	s.enter(p, p.Failover)
	s.askOthers(p, net, known)
	if !s.Busy {
		net.Broadcast(M{Type: Hello, Epoch: p.Epoch, Config: p.Config, Owner: p.Owner})
	}
	net.SetTimer(election, 4*period+2*net.Bound())
}

// askOthers is sentinelAskMasterStateToOtherSentinels.
func (s *Sentinel) askOthers(p *P, net *model.Net[M], known model.Set) {
	net.Rule(ask)
	net.SendAll(known.Without(net.Self()), M{Type: Ask, Epoch: p.Epoch})
	net.SetTimer(again, period/2+net.Bound())
}

func (s *Sentinel) end(p *P, net *model.Net[M]) {
	p.Failover, p.Won = 0, 0
	s.enter(p, p.Epoch)
	net.StopTimer(again)
	net.StopTimer(election)
	net.StopTimer(promoted)
}

// enter makes an epoch the current one, unless it is an old one, and leaves out votes that can
// never count again.
func (s *Sentinel) enter(p *P, epoch uint8) {
	p.Epoch = max(p.Epoch, epoch)
	for id := range p.Votes {
		if p.VotedIn[id] < s.counted(p) {
			p.Votes[id], p.VotedIn[id] = model.None, 0
		}
	}
}

// counted is the epoch whose votes count.
func (s *Sentinel) counted(p *P) uint8 {
	if s.SameEpoch && p.Failover != 0 {
		return p.Failover
	}
	return p.Epoch
}

// Receive handles a message. A failover looks at the votes soon after (sentinelTimer).
func (s *Sentinel) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	s.take(p, net, from, m)
	s.count(p, net, all(net))
}

// take is what a message does before that.
func (s *Sentinel) take(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Ask: // sentinelCommand, is-master-down-by-addr
		if p.Config > 0 {
			net.Rule(stranger)
			net.Reply(M{Type: Vote})
			break
		}
		if s.vote(p, net, m.Epoch, from.ID()) && p.Leader != net.Self() {
			net.SetTimer(down, s.delay(net)) // "force a delay before we can start a failover"
		}
		net.Reply(M{Type: Vote, Epoch: p.Voted, Leader: p.Leader})
	case Vote: // sentinelReceiveIsMasterDownReply
		if m.Leader != model.None {
			p.Votes[from.ID()], p.VotedIn[from.ID()] = m.Leader, m.Epoch
		}
		s.enter(p, p.Epoch)
	case Hello: // sentinelProcessHelloMessage
		s.enter(p, m.Epoch)
		if m.Config > p.Config {
			net.Rule(adopt)
			p.Config, p.Owner = m.Config, m.Owner
			s.end(p, net)
			net.StopTimer(hello)
		}
	}
	if p.Config > 0 {
		net.StopTimer(down)
	}
}

// vote is sentinelVoteLeader: it votes for a candidate in an epoch, unless it has voted in that
// one or a newer one, and reports whether it did.
func (s *Sentinel) vote(p *P, net *model.Net[M], epoch uint8, candidate model.ID) bool {
	if epoch > p.Epoch {
		net.Rule(newEpoch)
		s.enter(p, epoch)
	}
	if p.Voted >= epoch || p.Epoch > epoch {
		net.Rule(oldVote)
		return false
	}
	net.Rule(vote)
	p.Leader, p.Voted = candidate, p.Epoch
	return true
}

// count is sentinelGetLeader, and the end of sentinelFailoverWaitStart: a majority of the
// known sentinels, and a quorum.
func (s *Sentinel) count(p *P, net *model.Net[M], known model.Set) {
	if p.Failover == 0 {
		return
	}
	var votes [most]int
	for id := range known.All() {
		if s.answered(p, id) {
			votes[p.Votes[id]]++
		}
	}
	winner := model.None
	for id := range known.All() {
		if votes[id] > votes[winner] {
			winner = id
		}
	}
	s.vote(p, net, p.Failover, cmp.Or(winner, net.Self()))
	if p.Voted == p.Failover && p.Leader != model.None {
		votes[p.Leader]++
	}
	if votes[net.Self()] < known.Len()/2+1 || votes[net.Self()] < s.Quorum {
		return
	}
	net.Rule(elected)
	won := p.Failover
	s.end(p, net)
	p.Won, p.Votes, p.VotedIn = won, [most]model.ID{}, [most]uint8{}
	net.StopTimer(down)
	net.SetTimer(promoted, period/2)
}

// answered reports whether the vote of another sentinel counts.
func (s *Sentinel) answered(p *P, id model.ID) bool {
	return p.Votes[id] != model.None && p.VotedIn[id] == s.counted(p)
}

// Beyond bounds the epochs.
func (s *Sentinel) Beyond(p *P) string {
	if s.Epochs > 0 && p.Epoch > s.Epochs {
		return fmt.Sprintf("epoch %d", p.Epoch)
	}
	return ""
}

// Belief says whose failover it follows.
func (s *Sentinel) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Owner, Participant: p.Failover != 0 || p.Won != 0, Epoch: uint64(p.Config)}
}
