package raft

import "bullyproof/model"

// forgetsVote is Raft with a fault: a server's vote is not on disk.
type forgetsVote struct{ *Raft }

func (r forgetsVote) Stable(p *P) { *p = P{Term: p.Term} }

// forgetsAll is Raft with a fault: nothing is on disk.
type forgetsAll struct{ *Raft }

func (r forgetsAll) Stable(p *P) { *p = P{} }

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

// countsRefusals is Raft with a fault: a candidate counts every answer as a vote.
type countsRefusals struct{ *Raft }

func (r countsRefusals) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Vote && m.Term == p.Term {
		m.Granted = true
	}
	r.Raft.Receive(p, net, from, m)
}
