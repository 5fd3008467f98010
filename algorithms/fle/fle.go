// Package fle is ZooKeeper's Fast Leader Election, and its recovery as far as who
// leads is concerned.
//
// A server that looks for a leader begins a round, votes for itself, and tells all. It
// goes over to each better vote: one of a higher epoch, or else with a longer log, or
// else for a higher id. It follows, or leads, when a majority has its vote and no better
// one has come for a while. A server that is not looking answers with its vote, so that
// late ones join.
//
// That elects somebody, and nobody leads yet: two servers may believe that a majority has
// elected them. So the winner waits until a majority has connected to it, proposes an
// epoch that is higher than all that they have accepted, and leads when a majority has
// accepted it and has its log.
//
// Sources: Apache ZooKeeper 3.9, FastLeaderElection.java (lookForLeader,
// totalOrderPredicate, getVoteTracker, checkLeader), Leader.java (getEpochToPropose,
// waitForEpochAck, waitForNewLeaderAck, reportLookingSid), Learner.java
// (registerWithLeader, syncWithLeader), Vote.java (equals).
//
// Assumes: a complete graph of connections that keep the order of messages and end with
// their processes; disks that keep the epochs and the log.
//
// Deviations: A log is the epoch of its last transaction. A leader writes one when it
// begins to lead, and followers have it with the message that they are up to date. Commits
// are not modelled. The failure detector stands for connections that break, and a server
// that comes back tells all that theirs are. A follower tries three times to connect, and
// the program five times. Observers, weights and changes of the ensemble are left out.
package fle

import (
	"fmt"

	"bullyproof/model"
)

// A Role is what a server does.
type Role uint8

// The roles of a server.
const (
	Looking Role = iota
	Following
	Leading
)

// String returns the role as in ZooKeeper.
func (r Role) String() string { return [...]string{"LOOKING", "FOLLOWING", "LEADING"}[r] }

// A Vote is whom a server votes for, with what that one has: the epoch in which it last
// followed or led, and its log.
type Vote struct {
	Leader model.ID
	Epoch  uint8 // peerEpoch
	Zxid   uint8
	Round  uint8 // electionEpoch
	Role   Role  // of the server that has the vote
}

// String returns the vote as in "3 e1 z1 r2 LEADING": for P3, of epoch 1 and zxid 1, in round 2.
func (v Vote) String() string {
	if v == (Vote{}) {
		return "none"
	}
	return fmt.Sprintf("%d e%d z%d r%d %v", v.Leader, v.Epoch, v.Zxid, v.Round, v.Role)
}

// A Phase is how far a server has come that leads or follows.
type Phase uint8

// The phases of recovery.
const (
	Discovery       Phase = iota // until there is a new epoch
	Acknowledged                 // of a follower: it has accepted the epoch
	Synchronization              // until a majority has the leader's log
	Broadcast                    // there is a leader
)

// String returns the phase in a word.
func (p Phase) String() string {
	return [...]string{"discovery", "acknowledged", "synchronization", "broadcast"}[p]
}

// P is the state of a server. The first three fields are on disk.
type P struct {
	Accepted uint8 // acceptedEpoch
	Current  uint8 // currentEpoch
	Zxid     uint8 // the epoch of the last transaction in the log

	Role     Role
	Round    uint8            // logicalclock
	Vote     Vote             // proposed, or of the election that is over
	Received model.ByID[Vote] // recvset: votes of this round
	Outside  model.ByID[Vote] // outofelection: votes of servers that are not looking

	Phase      Phase
	Conn       uint8     // of a follower: the round of its leader, which tells its connections apart
	Tries      uint8     // of a follower: to connect
	Epoch      uint8     // of a leader: the epoch that it proposes
	Connected  model.Set // of a leader: connectingFollowers
	Asked      model.Set // of a leader: those who have answered its epoch
	Agreed     model.Set // of a leader: electingFollowers
	Synced     model.Set // of a leader: who has its log
	Supporters model.Set // of a leader: who has voted for it
	Patient    bool      // of a leader: it has not waited for long yet
}

// The kinds of messages.
const (
	Notification model.Kind = iota
	FollowerInfo            // a follower connects
	Refused                 // nobody leads there
	LeaderInfo              // the new epoch
	AckEpoch
	NewLeader // the leader's log
	Ack
	UpToDate
	Closed // the connection is gone
)

// M is a message.
type M struct {
	Type  model.Kind
	Vote  Vote  // of Notification
	Epoch uint8 // of the sender's or of a new one
	Zxid  uint8
	None  bool  // of AckEpoch: the epoch had been accepted before, and is not again
	Conn  uint8 // of recovery: the round of the leader
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its vote, or with its epoch, zxid and connection: "NewLeader(e2 z1 c1)".
func (m M) String() string {
	switch m.Type {
	case Notification:
		return fmt.Sprintf("Notification(%v)", m.Vote)
	case FollowerInfo:
		return fmt.Sprintf("FollowerInfo(e%d)", m.Epoch)
	case LeaderInfo:
		return fmt.Sprintf("LeaderInfo(e%d c%d)", m.Epoch, m.Conn)
	case Refused:
		return "Refused"
	case Ack, Closed:
		return fmt.Sprintf("%s(c%d)", kinds[m.Type], m.Conn)
	}
	text := fmt.Sprintf("%s(e%d z%d c%d", kinds[m.Type], m.Epoch, m.Zxid, m.Conn)
	if m.None {
		text += " again"
	}
	return text + ")"
}

const (
	resendTimer   model.Timer = iota // of lookForLeader: notTimeout
	finalizeTimer                    // of lookForLeader: finalizeWait
	limitTimer                       // of recovery: initLimit
	connectTimer                     // of a follower: it tries again
	patienceTimer                    // of a leader: maxTimeToWaitForEpoch
)

// limit is initLimit, in delays of a message.
const limit = 12

var (
	rules model.Rules

	startRound  = rules.Add("begin a round, and vote for oneself")
	higherRound = rules.Add("a vote of a higher round: take over the round")
	lagging     = rules.Add("a vote of a lower round: tell the higher one")
	betterVote  = rules.Add("a better vote: take it over")
	majority    = rules.Add("a majority has the vote: wait for a better one")
	change      = rules.Add("a better vote while one waits: go on")
	decide      = rules.Add("the wait is over: follow, or lead")
	join        = rules.Add("a majority follows one who leads: join it")
	answer      = rules.Add("not looking: answer with one's vote")
	connect     = rules.Add("follower: connect")
	refuse      = rules.Add("not leading: refuse the connection")
	propose     = rules.Add("leader: a majority has connected: propose an epoch")
	accept      = rules.Add("follower: a higher epoch: accept it")
	again       = rules.Add("follower: the accepted epoch: acknowledge nothing")
	behind      = rules.Add("follower: a lower epoch: leave")
	ahead       = rules.Add("leader: a follower is ahead: close its connection")
	newEpoch    = rules.Add("leader: a majority has accepted: take the epoch")
	synchronize = rules.Add("follower: take the epoch and the log")
	established = rules.Add("leader: a majority has the log: lead")
	timeOut     = rules.Add("the limit is over: look for a leader")
	disloyal    = rules.Add("leader: a voter looks for a leader again: quit")
	brokenOff   = rules.Add("a connection is gone")
)

// FLE is the protocol of a server. The zero value is ZooKeeper's, without a bound.
type FLE struct {
	// Rounds is how many rounds and epochs are explored, since there is no end of them; 0
	// is up to 250.
	Rounds uint8
	// Unlimited has a leader wait without a limit for a majority to connect: what only that
	// limit mends is not mended.
	Unlimited bool

	// Once has a server send its notifications once.
	Once bool
	// Hasty has servers wait for a better vote no longer than a message takes.
	Hasty bool

	other steps // those of a mutant; nil: the methods of FLE
}

// better is totalOrderPredicate.
func (*FLE) better(v, than Vote) bool {
	switch {
	case v.Epoch != than.Epoch:
		return v.Epoch > than.Epoch
	case v.Zxid != than.Zxid:
		return v.Zxid > than.Zxid
	}
	return v.Leader > than.Leader
}

// equal is Vote.equals.
func (*FLE) equal(v, w Vote) bool {
	if v.Role == Looking || w.Role == Looking {
		return v.Leader == w.Leader && v.Zxid == w.Zxid && v.Round == w.Round && v.Epoch == w.Epoch
	}
	return v.Leader == w.Leader && v.Epoch == w.Epoch
}

// supporters is getVoteTracker: who has a vote.
func (f *FLE) supporters(votes *model.ByID[Vote], v Vote, n int) (s model.Set) {
	for id := range model.Upto(model.ID(n)).All() {
		if f.steps().equal(v, votes.At(id)) {
			s = s.With(id)
		}
	}
	return s
}

func quorum(s model.Set, net *model.Net[M]) bool { return s.Len() > net.N()/2 }

// Init begins to look for a leader. The connections of a server that was down are gone.
func (f *FLE) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Restart {
		net.Broadcast(M{Type: Closed})
	}
	f.look(p, net)
}

// Start does nothing: a server looks for a leader from its start on.
func (f *FLE) Start(*P, *model.Net[M]) {}

// Stable keeps the files acceptedEpoch and currentEpoch, and the log.
func (f *FLE) Stable(p *P) { *p = P{Accepted: p.Accepted, Current: p.Current, Zxid: p.Zxid} }

// Settle is the state after the first election, in epoch 1.
func (f *FLE) Settle(p *P, self, coordinator model.ID, live model.Set) {
	*p = P{Accepted: 1, Current: 1, Zxid: 1, Round: 1, Phase: Broadcast, Role: Following, Vote: Vote{Leader: coordinator, Epoch: 1, Round: 1}}
	if self == coordinator {
		p.Role, p.Epoch = Leading, 1
		p.Connected, p.Asked, p.Agreed, p.Synced = live, live.Without(self), live, live
	} else {
		p.Conn, p.Tries = 1, 1
	}
	p.Vote.Role = p.Role
}

// Watches are those with whom a server has connections that it would miss.
func (f *FLE) Watches(p *P, self model.ID) model.Set {
	switch p.Role {
	case Following:
		return model.SetOf(p.Vote.Leader)
	case Leading:
		return p.Connected.Without(self)
	}
	return 0
}

// Suspect has a connection break, on both sides.
func (f *FLE) Suspect(p *P, net *model.Net[M], who model.ID) {
	if conn := p.conn(); conn != 0 {
		net.SendTo(who, M{Type: Closed, Conn: conn})
	}
	f.broken(p, net, who)
}

// Beyond bounds the rounds and the epochs.
func (f *FLE) Beyond(p *P) string {
	bound := f.Rounds
	if bound == 0 {
		bound = 250
	}
	switch {
	case p.Round > bound:
		return fmt.Sprintf("round %d", p.Round)
	case max(p.Accepted, p.Epoch) > bound:
		return fmt.Sprintf("epoch %d", max(p.Accepted, p.Epoch))
	}
	return ""
}

// look is the beginning of lookForLeader.
func (f *FLE) look(p *P, net *model.Net[M]) {
	net.Rule(startRound)
	*p = P{Accepted: p.Accepted, Current: p.Current, Zxid: p.Zxid, Round: p.Round + 1}
	for _, t := range []model.Timer{limitTimer, connectTimer, patienceTimer} {
		net.StopTimer(t)
	}
	f.propose(p, net, f.own(p, net))
}

// own is the vote of a server for itself.
func (f *FLE) own(p *P, net *model.Net[M]) Vote {
	return Vote{Leader: net.Self(), Epoch: p.Current, Zxid: p.Zxid}
}

// propose is updateProposal and sendNotifications. A server receives its own.
func (f *FLE) propose(p *P, net *model.Net[M], v Vote) {
	p.Vote = Vote{Leader: v.Leader, Epoch: v.Epoch, Zxid: v.Zxid, Round: p.Round}
	p.Received.Set(net.Self(), p.Vote)
	f.notify(p, net)
}

// notify is sendNotifications.
func (f *FLE) notify(p *P, net *model.Net[M]) {
	net.Broadcast(M{Type: Notification, Vote: p.Vote})
	if !f.Once {
		net.SetTimer(resendTimer, 4*net.Bound())
	}
}

// Timeout sends notifications again, ends the election, or gives up.
func (f *FLE) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case resendTimer:
		f.notify(p, net)
	case finalizeTimer:
		net.Rule(decide)
		f.leave(p, net, p.Vote, f.supporters(&p.Received, p.Vote, net.N()))
	case connectTimer:
		f.connect(p, net)
	case limitTimer:
		net.Rule(timeOut)
		f.quit(p, net)
	case patienceTimer:
		p.Patient = false
	}
}

// Receive is a notification, or a step of recovery.
func (f *FLE) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Notification && p.Role == Looking:
		f.notified(p, net, from.ID(), m.Vote)
	case m.Type == Notification && m.Vote.Role == Looking:
		f.reply(p, net, from.ID())
	case m.Type == Closed:
		f.closed(p, net, from.ID(), m)
	case m.Type == FollowerInfo || m.Type == AckEpoch || m.Type == Ack:
		f.lead(p, net, from.ID(), m)
	case p.Role == Following && p.Vote.Leader == from.ID():
		f.follow(p, net, m)
	}
}

// reply tells one who looks for a leader of the one that there is.
func (f *FLE) reply(p *P, net *model.Net[M], who model.ID) {
	net.Rule(answer)
	net.SendTo(who, M{Type: Notification, Vote: p.Vote})
	if p.Phase == Discovery && !p.Patient && p.Supporters.Has(who) {
		net.Rule(disloyal)
		f.quit(p, net)
	}
}

// notified is what lookForLeader does with a notification.
func (f *FLE) notified(p *P, net *model.Net[M], from model.ID, v Vote) {
	if v.Role == Looking && v.Round < p.Round {
		net.Rule(lagging)
		net.SendTo(from, M{Type: Notification, Vote: p.Vote})
	}
	if net.IsSet(finalizeTimer) {
		if !f.steps().better(v, p.Vote) {
			return
		}
		net.Rule(change)
		net.StopTimer(finalizeTimer)
	}
	if v.Role == Looking {
		f.vote(p, net, from, v)
		return
	}
	f.decided(p, net, from, v)
}

// vote has a notification of a server that is looking.
func (f *FLE) vote(p *P, net *model.Net[M], from model.ID, v Vote) {
	switch {
	case v.Round > p.Round:
		net.Rule(higherRound)
		p.Round, p.Received = v.Round, model.ByID[Vote]{}
		mine := f.own(p, net)
		if f.steps().better(v, mine) {
			mine = v
		}
		f.propose(p, net, mine)
	case v.Round < p.Round:
		return
	case f.steps().better(v, p.Vote):
		net.Rule(betterVote)
		f.propose(p, net, v)
	}
	p.Received.Set(from, v)
	if quorum(f.supporters(&p.Received, p.Vote, net.N()), net) {
		net.Rule(majority)
		net.SetTimer(finalizeTimer, f.finalizeWait(net))
	}
}

// finalizeWait is how long a server waits for a better vote.
func (f *FLE) finalizeWait(net *model.Net[M]) int {
	if f.Hasty {
		return net.Bound()
	}
	return 2 * net.Bound()
}

// decided has a notification of a server that is not looking.
func (f *FLE) decided(p *P, net *model.Net[M], from model.ID, v Vote) {
	if v.Round == p.Round {
		p.Received.Set(from, v)
		if s := f.supporters(&p.Received, v, net.N()); quorum(s, net) && f.leads(p, net, &p.Received, v) {
			net.Rule(join)
			f.leave(p, net, v, s)
			return
		}
	}
	p.Outside.Set(from, v)
	if s := f.supporters(&p.Outside, v, net.N()); quorum(s, net) && f.leads(p, net, &p.Outside, v) {
		net.Rule(join)
		p.Round = v.Round
		f.leave(p, net, v, s)
	}
}

// leads is checkLeader.
func (f *FLE) leads(p *P, net *model.Net[M], votes *model.ByID[Vote], v Vote) bool {
	if v.Leader == net.Self() {
		return p.Round == v.Round
	}
	return votes.At(v.Leader).Role == Leading
}

// leave ends lookForLeader.
func (f *FLE) leave(p *P, net *model.Net[M], v Vote, supporters model.Set) {
	v.Role = Following
	if v.Leader == net.Self() {
		v.Role = Leading
	}
	*p = P{Accepted: p.Accepted, Current: p.Current, Zxid: p.Zxid, Round: p.Round, Role: v.Role, Vote: v}
	net.StopTimer(resendTimer)
	net.StopTimer(finalizeTimer)
	if p.Role == Following || !f.Unlimited {
		net.SetTimer(limitTimer, limit*net.Bound())
	}
	if p.Role == Following {
		f.connect(p, net)
		return
	}
	p.Connected, p.Epoch = model.SetOf(net.Self()), p.Accepted+1
	p.Supporters, p.Patient = supporters, true
	net.SetTimer(patienceTimer, 3*net.Bound())
}

// Belief says who leads, once a majority has the leader's log.
func (f *FLE) Belief(p *P) model.Belief {
	if p.Role == Looking || p.Phase != Broadcast {
		return model.Belief{Participant: true, Epoch: uint64(p.Current)}
	}
	return model.Belief{Elected: p.Vote.Leader, Epoch: uint64(p.Current)}
}
