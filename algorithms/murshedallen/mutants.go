package murshedallen

import "bullyproof/model"

// Each type below is a reading with one rule broken.

// silentCandidate: a Candidate does not answer an election.
type silentCandidate struct{ Limited }

func (a silentCandidate) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election || !candidates(p, net).Has(net.Self()) {
		a.Limited.Receive(p, net, from, m)
	}
}

// choosesLowest: an electioneer selects the lowest id that answers.
type choosesLowest struct{ Limited }

func (a choosesLowest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == OK && p.Highest != model.None {
		p.Highest = min(p.Highest, m.ID)
		return
	}
	a.Limited.Receive(p, net, from, m)
}

// candidatesOnly: who is chosen is not told.
type candidatesOnly struct{ Limited }

func (a candidatesOnly) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode != AskedCandidates || p.Highest == model.None {
		a.Limited.Timeout(p, net, t)
		return
	}
	*p = P{Coordinator: p.Highest}
	net.SendAll(candidates(p, net).Without(p.Coordinator), M{Type: Coordinator, ID: p.Coordinator, Candidates: candidates(p, net)})
}

// staysCandidate: an Ordinary process announces itself where no Candidate is
// left.
type staysCandidate struct{ Limited }

func (a staysCandidate) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == AskedCandidates {
		a.chooses(p, net)
		return
	}
	a.Limited.Timeout(p, net, t)
}

// assumesHighest: a process that joins takes the highest Candidate for the
// coordinator.
type assumesHighest struct{ Limited }

func (a assumesHighest) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		p.Coordinator = candidates(p, net).Max()
	}
}

// atOnce: whoever announces itself is in office.
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

// firstAnswer: a process that joins goes by the first answer.
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

// followsTheLast: a process follows whoever is announced last.
type followsTheLast struct{ Repaired }

func (a followsTheLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && m.ID != net.Self() {
		a.follow(p, net, m)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

// echoes: a process sends an announcement back to where it came from.
type echoes struct{ Limited }

func (a echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Limited.Receive(p, net, from, m)
	if m.Type == Coordinator {
		net.Send(from, m)
	}
}
