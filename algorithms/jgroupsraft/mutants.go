package jgroupsraft

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are what the program got wrong, and versions with one rule broken.
var mutants = []ledger.Mutant{
	{
		Name: "stops-anyway", Of: "flush", Caught: leadsAgain.Name, Setting: in("timing=lockstep"), New: of(stopsAnyway{flush}),
		Doc: "A member stops its voting thread at any LeaderElected, also at one of a lower term (issue 306).",
	},
	{
		Name: "elects-absent", Of: "flush", Caught: leadsAgain.Name, Setting: in("timing=lockstep"), New: of(electsAbsent{flush}),
		Doc: "The voting thread tells of a leader that has left the view in the meantime, and nobody looks whether it is there (issues 259 and 280).",
	},
	{
		Name: "votes-twice", Of: "flush", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("timing=sync:1"), New: of(votesTwice{flush}),
		Doc: "A member votes for each that asks in its term.",
	},
}

// stopsAnyway is the program before the mending of issue 306: handleLeaderElected stops the voting
// thread first.
type stopsAnyway struct{ *Election }

func (e stopsAnyway) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == LeaderElected {
		e.stop(p, net)
	}
	e.Election.Receive(p, net, from, m)
}

// electsAbsent is the program before pull request 286.
type electsAbsent struct{ *Election }

func (e electsAbsent) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != publish {
		e.Election.Timeout(p, net, t)
		return
	}
	e.tell(p, net)
}

func (e electsAbsent) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != LeaderElected || m.Term < p.Term {
		e.Election.Receive(p, net, from, m)
		return
	}
	net.Rule(elected)
	e.stop(p, net)
	e.follow(p, m)
}

// votesTwice is the program with a fault: a member forgets for whom it voted.
type votesTwice struct{ *Election }

func (e votesTwice) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == VoteRequest {
		p.VotedFor = model.None
	}
	e.Election.Receive(p, net, from, m)
}
