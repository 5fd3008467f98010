package raft

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Rollout is Raft where servers ask for no pre-votes until they have restarted, as where
// they are upgraded one by one.
type Rollout struct{ *Raft }

// Init has a server that restarts run the new program.
func (r Rollout) Init(p *P, net *model.Net[M], why model.Boot) {
	p.Upgraded = why == model.Restart
	r.Raft.Init(p, net, why)
}

// Receive is as in Raft.
func (r Rollout) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	upgraded := p.Upgraded
	r.Raft.Receive(p, net, from, m)
	p.Upgraded = upgraded
}

// Timeout is as in Raft, except that an old program begins a term at once.
func (r Rollout) Timeout(p *P, net *model.Net[M], t model.Timer) {
	upgraded := p.Upgraded
	if t == electionTimer && !upgraded {
		r.begin(p, net)
	} else {
		r.Raft.Timeout(p, net, t)
	}
	p.Upgraded = upgraded
}

// Presses is Raft where a candidate whose timeout is over begins the next term, and asks for
// pre-votes before its first alone (RabbitMQ's ra, handle_candidate). It waits three times
// as long.
type Presses struct{ *Raft }

// Timeout is as in Raft, except for a candidate.
func (r Presses) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != electionTimer || p.Role != Candidate {
		r.Raft.Timeout(p, net, t)
		return
	}
	r.begin(p, net)
	net.SetTimer(electionTimer, 3*r.timeout(net))
}

// Receive is as in Raft, except for how long a server waits that begins a term, or learns of
// one.
func (r Presses) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	role, term := p.Role, p.Term
	r.Raft.Receive(p, net, from, m)
	switch {
	case p.Term == term:
	case p.Role == Candidate:
		net.SetTimer(electionTimer, 3*r.timeout(net))
	case role != Follower:
		r.setElectionTimer(net) // as ra's function follower does on entry
	}
}

// Lagging is Raft where the log of the last server stays behind that of its leader: its
// recovery takes longer than runs do.
type Lagging struct{ *Raft }

// Receive is as in Raft, except that the last server takes no log.
func (r Lagging) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	log := p.Log
	r.Raft.Receive(p, net, from, m)
	if m.Type == AppendEntries && last(net) {
		p.Log = log
	}
}

// last reports whether a server is the last one.
func last(net *model.Net[M]) bool { return int(net.Self()) == net.N() }

// Symmetric is false: ids decide whose log lags.
func (Lagging) Symmetric(setting.Setting) bool { return false }

// FirstTerm is Raft until the first term has elected somebody or has split the vote. A server that
// has voted waits for no further timeout: the shortest one is longer than votes take, so that what
// it would draw decides nothing of that term.
type FirstTerm struct{ *Raft }

// Timeout is as in Raft, and the server waits no more.
func (r FirstTerm) Timeout(p *P, net *model.Net[M], t model.Timer) {
	r.undrawn().Timeout(p, net, t)
	net.StopTimer(electionTimer)
}

// Receive is as in Raft, and the server waits no more.
func (r FirstTerm) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	r.undrawn().Receive(p, net, from, m)
	net.StopTimer(electionTimer)
}

// undrawn tosses for no timeout.
func (r FirstTerm) undrawn() *Raft {
	raft := *r.Raft
	raft.Drawn = 0
	return &raft
}
