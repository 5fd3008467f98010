package raft

import (
	"cmp"

	"bullyproof/model"
)

// A program is Raft, or Raft with faults: a fault that stands beside others embeds one.
type program interface{ model.Protocol[P, M] }

// forgetsVote is Raft with a fault: a server's vote is not on disk.
type forgetsVote struct{ *Raft }

func (r forgetsVote) Stable(p *P) { *p = P{Term: p.Term} }

// forgetsAll is Raft with a fault: nothing is on disk.
type forgetsAll struct{ *Raft }

func (r forgetsAll) Stable(p *P) { *p = P{} }

// countsRefusals is Raft with a fault: a candidate counts every answer as a vote.
type countsRefusals struct{ *Raft }

func (r countsRefusals) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Vote && m.Term == p.Term {
		m.Granted = true
	}
	r.Raft.Receive(p, net, from, m)
}

// noCatchUp is a fault: a server learns no term from a pre-vote that is refused.
type noCatchUp struct{ program }

func (r noCatchUp) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != PreVoted || m.Granted {
		r.program.Receive(p, net, from, m)
	}
}

// ownTerm is a fault: a pre-vote carries the term of the server that grants it, and is
// dropped by one of a higher term.
type ownTerm struct{ program }

func (r ownTerm) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVote && !refuses(p, m) {
		grant(net, p.Term)
		return
	}
	if m.Type == PreVoted && m.Granted && m.Term >= p.Term {
		m.Term = p.Term + 1 // it counts
	}
	r.program.Receive(p, net, from, m)
}

// deaf is a fault: a server does not answer a pre-vote of a lower term.
type deaf struct{ program }

func (r deaf) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != PreVote || m.Term >= p.Term {
		r.program.Receive(p, net, from, m)
	}
}

// keepsLeader is a fault: a server that asks for pre-votes is still one that hears of a
// leader.
type keepsLeader struct{ program }

func (r keepsLeader) Timeout(p *P, net *model.Net[M], t model.Timer) {
	leader := p.Leader
	r.program.Timeout(p, net, t)
	if p.Role == PreCandidate {
		p.Leader = leader
	}
}

// rearming is prevote where a server that grants a pre-vote begins its election timeout
// anew.
type rearming struct{ *Raft }

func (r rearming) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVote && !refuses(p, m) {
		r.setElectionTimer(net)
	}
	r.Raft.Receive(p, net, from, m)
}

// silent is a fault: a server does not answer a heartbeat of an old term.
type silent struct{ program }

func (r silent) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == AppendEntries && m.Term < p.Term {
		net.Rule(oldTerm)
		return
	}
	r.program.Receive(p, net, from, m)
}

// busy is a fault: a candidate does not answer a pre-vote for the term after its own, or an
// older one (ra, handle_candidate).
type busy struct{ program }

func (r busy) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != PreVote || p.Role != Candidate || m.Term > p.Term+1 {
		r.program.Receive(p, net, from, m)
	}
}

// voteBinds is a fault: a server that has voted refuses the pre-votes of others, though
// these are for a later term (canonical/raft, electionVote).
type voteBinds struct{ program }

func (r voteBinds) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVote && p.VotedFor != model.None && p.VotedFor != from.ID() {
		refuse(p, net)
		return
	}
	r.program.Receive(p, net, from, m)
}

// dropsVote is a fault: a server that asks for pre-votes forgets its vote (canonical/raft,
// electionStart).
type dropsVote struct{ program }

func (r dropsVote) Timeout(p *P, net *model.Net[M], t model.Timer) {
	r.program.Timeout(p, net, t)
	if t == electionTimer && p.Role == PreCandidate {
		p.VotedFor = model.None
	}
}

// sameTerm is a fault: a server grants a pre-vote for the term that it is in
// (canonical/raft, recvRequestVote).
type sameTerm struct{ program }

func (r sameTerm) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVote && m.Term == p.Term && p.Leader == model.None && !m.Log.behind(p.Log) {
		grant(net, m.Term)
		return
	}
	r.program.Receive(p, net, from, m)
}

// unmarked is a fault: the answer to a pre-vote looks like one to a request for a vote, and
// a candidate counts it as a vote (canonical/raft, recvRequestVoteResult).
type unmarked struct{ program }

func (r unmarked) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVoted && m.Granted && p.Role == Candidate && m.Term == p.Term {
		m.Type = Vote
	}
	r.program.Receive(p, net, from, m)
}

// votesAnew is a fault: a server that asks for votes or pre-votes and hears the leader of its
// own term steps down as for a later term, and forgets its vote (CCF,
// become_aware_of_new_term).
type votesAnew struct{ program }

func (r votesAnew) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	stepsDown := m.Type == AppendEntries && m.Term == p.Term && (p.Role == Candidate || p.Role == PreCandidate)
	r.program.Receive(p, net, from, m)
	if stepsDown {
		p.VotedFor = model.None
	}
}

// logAlone is a fault: a server that hears of a leader grants a pre-vote (Redpanda,
// do_vote).
type logAlone struct{ program }

func (r logAlone) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	leader := p.Leader
	if m.Type == PreVote {
		p.Leader = model.None
	}
	r.program.Receive(p, net, from, m)
	if m.Type == PreVote {
		p.Leader = leader
	}
}

// unheard is a fault: a follower whose log is behind does not begin its election timeout
// anew when it hears its leader (Redpanda, do_append_entries).
type unheard struct{ Lagging }

func (r unheard) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != AppendEntries || m.Term < p.Term || !last(net) || !p.Log.behind(m.Log) {
		r.Lagging.Receive(p, net, from, m)
		return
	}
	r.learn(p, net, m.Term)
	log := p.Log
	r.follow(p, net, from.ID(), m)
	p.Log = log
}

// goesBack is Raft with a fault: a server that voted in a new term follows the leader that
// it had, and goes back to its term (NebulaGraph, verifyLeader). Was is the term of its last
// leader.
type goesBack struct{ *Raft }

func (r goesBack) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was, led := p.Was, p.Role == Leader
	hears := m.Type == AppendEntries && m.Term >= was
	if hears {
		p.Term = min(p.Term, m.Term)
	}
	r.Raft.Receive(p, net, from, m)
	switch {
	case hears:
		p.Was = m.Term
	case p.Role == Leader && !led:
		p.Was = p.Term
	default:
		p.Was = was
	}
}

func (r goesBack) Timeout(p *P, net *model.Net[M], t model.Timer) {
	was := p.Was
	r.Raft.Timeout(p, net, t)
	p.Was = was
}

// leadsOn is Raft with a fault: a leader that somebody asks, once, to begin an election does
// so, and sends the heartbeats of its old term as before. Was is that term, until it learns
// of a higher one.
type leadsOn struct{ *Raft }

const asked model.Choice = 0

func (r leadsOn) Names() model.Names {
	names := r.Raft.Names()
	names.Choices = []model.ChoiceName{{Name: "somebody asks the leader to begin an election", Outcomes: []string{"no", "yes"}}}
	return names
}

func (r leadsOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Vote && elects(p, net, from.ID(), m) {
		r.lead(p, net)
		r.heartbeat(p, net)
		return
	}
	was, term := p.Was, p.Term
	r.Raft.Receive(p, net, from, m)
	if p.Term == term || p.Role == Candidate {
		p.Was = was
	}
}

func (r leadsOn) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == heartbeatTimer {
		r.heartbeat(p, net)
		return
	}
	was := p.Was
	r.Raft.Timeout(p, net, t)
	p.Was = was
}

func (r leadsOn) heartbeat(p *P, net *model.Net[M]) {
	if p.Role != Leader && p.Was == 0 {
		return
	}
	net.Rule(beat)
	if p.Was == 0 && net.Pick(asked) == 1 {
		was := p.Term
		r.begin(p, net)
		p.Was = was
	}
	net.Broadcast(M{Type: AppendEntries, Term: cmp.Or(p.Was, p.Term), Log: p.Log})
	r.setLeaderTimers(net)
}

// anyLog is a fault: a server looks at no log before it grants a pre-vote (NuRaft,
// handle_prevote_req).
type anyLog struct{ Lagging }

func (r anyLog) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == PreVote {
		m.Log = p.Log
	}
	r.Lagging.Receive(p, net, from, m)
}
