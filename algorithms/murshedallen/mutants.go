package murshedallen

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "silent-candidate", Of: "rules", Caught: "extreme", Setting: setting.Must("n=4 start=coordinator-down detectors=1"),
		Doc: "A Candidate does not answer an election (rule 2).",
		New: of(silentCandidate{rules}),
	},
	{
		Name: "chooses-lowest", Of: "rules", Caught: "extreme", Setting: setting.Must("n=5 start=coordinator-down detectors=1"),
		Doc: "An electioneer selects the lowest id that answers (rule 3).",
		New: of(choosesLowest{rules}),
	},
	{
		Name: "candidates-only", Of: "rules", Caught: "agreement", Setting: setting.Must("n=3 start=coordinator-down detectors=1"),
		Doc: "The coordinator is announced only to Candidates (rule 3), and not to the new coordinator itself.",
		New: of(candidatesOnly{rules}),
	},
	{
		Name: "stays-candidate", Of: "rules", Caught: "uniqueness", Setting: setting.Must("n=4 start=settled crashes=2"),
		Doc: "An Ordinary process that no Candidate answers announces itself without asking those above it (rule 1a).",
		New: of(staysCandidate{rules}),
	},
	{
		Name: "assumes-highest", Of: "rules", Caught: "validity", Setting: setting.Must("n=3 start=settled joins=2"), New: of(assumesHighest{rules}),
		Doc: "A process that joins takes the highest Candidate for the coordinator and does not ask (rule 4).",
	},
	{
		Name: "at-once", Of: "repaired", Caught: "uniqueness", Setting: setting.Must("n=3 start=settled joins=1"), New: of(atOnce{repaired}),
		Doc: "The repair without the wait before office.",
	},
	{
		Name: "first-answer", Of: "repaired", Caught: "agreement", Setting: setting.Must("n=3 start=settled joins=2"), New: of(firstAnswer{repaired}),
		Doc: "The repair, but a process that joins follows the first answer.",
	},
	{
		Name: "follows-the-last", Of: "repaired", Caught: "agreement", Setting: setting.Must("n=3 start=settled crashes=1 restarts=1"),
		Doc: "The repair, but a process follows the last announcement.",
		New: of(followsTheLast{repaired}),
	},
	{
		Name: "echoes", Of: "rules", Caught: "termination", Setting: setting.Must("n=3 start=coordinator-down detectors=1"), New: of(echoes{rules}),
		Doc: "A process sends an announcement back to where it came from.",
	},
}

type silentCandidate struct{ Limited }

func (a silentCandidate) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election || !candidates(p, net).Has(net.Self()) {
		a.Limited.Receive(p, net, from, m)
	}
}

type choosesLowest struct{ Limited }

func (a choosesLowest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == OK && p.Highest != model.None {
		p.Highest = min(p.Highest, m.ID)
		return
	}
	a.Limited.Receive(p, net, from, m)
}

type candidatesOnly struct{ Limited }

func (a candidatesOnly) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode != AskedCandidates || p.Highest == model.None {
		a.Limited.Timeout(p, net, t)
		return
	}
	*p = P{Coordinator: p.Highest}
	net.SendAll(candidates(p, net).Without(p.Coordinator), M{Type: Coordinator, ID: p.Coordinator, Candidates: candidates(p, net)})
}

type staysCandidate struct{ Limited }

func (a staysCandidate) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == AskedCandidates {
		a.chooses(p, net)
		return
	}
	a.Limited.Timeout(p, net, t)
}

type assumesHighest struct{ Limited }

func (a assumesHighest) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		p.Coordinator = candidates(p, net).Max()
	}
}

type atOnce struct{ Repaired }

func (a atOnce) Init(p *P, net *model.Net[M], why model.Boot) {
	a.Repaired.Init(p, net, why)
	a.enter(p, net)
}

func (a atOnce) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Repaired.Receive(p, net, from, m)
	a.enter(p, net)
}

func (a atOnce) Timeout(p *P, net *model.Net[M], t model.Timer) {
	a.Repaired.Timeout(p, net, t)
	a.enter(p, net)
}

func (a atOnce) enter(p *P, net *model.Net[M]) {
	if p.Mode == Office {
		*p = P{Coordinator: net.Self()}
		net.StopTimer(T)
	}
}

type firstAnswer struct{ Repaired }

func (a firstAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Answer && p.Mode == Joining {
		was := *p
		a.answer(p, net, m)
		beforeOffice(p, net, was)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

type followsTheLast struct{ Repaired }

func (a followsTheLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && m.ID != net.Self() {
		a.follow(p, net, m)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

type echoes struct{ Limited }

func (a echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Limited.Receive(p, net, from, m)
	if m.Type == Coordinator {
		net.Send(from, m)
	}
}
