package bully

import "bullyproof/model"

// Each type below is a reading with one rule broken.

// announcesAnyway: a process that was answered announces itself all the same.
type announcesAnyway struct{ *Protocol }

func (b announcesAnyway) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Answer {
		b.Protocol.Receive(p, net, from, m)
	}
}

// hasty: T is one tick too short.
type hasty struct{ *Protocol }

func (b hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := p.Mode
	b.Protocol.Suspect(p, net, who)
	hurry(p, net, was)
}

func (b hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was := p.Mode
	b.Protocol.Receive(p, net, from, m)
	hurry(p, net, was)
}

func hurry(p *P, net *model.Net[M], was Mode) {
	if was == Idle && p.Mode == WaitAnswer {
		net.SetTimer(T, wait(net)-1)
	}
}

// asksNext: a process that notices the failure asks the next higher one alone.
type asksNext struct{ *Protocol }

func (b asksNext) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		b.begin(p, net, model.SetOf(net.Higher().Min()))
	}
}

// answersOnly: a process answers an election and forgets to begin its own.
type answersOnly struct{ *Protocol }

func (b answersOnly) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election {
		net.Reply(M{Answer})
		return
	}
	b.Protocol.Receive(p, net, from, m)
}

// announcesUpward: a process that nobody answered announces itself to those
// with higher ids.
type announcesUpward struct{ *Protocol }

func (b announcesUpward) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.stop(p, net)
	p.Elected = net.Self()
	net.SendAll(net.Higher(), M{Coordinator})
}

// silentCoordinator: the coordinator does not answer an election.
type silentCoordinator struct{ *Protocol }

func (b silentCoordinator) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election || p.Elected != net.Self() {
		b.Protocol.Receive(p, net, from, m)
	}
}

// keepsOld: a process that knows of a coordinator sticks to it.
type keepsOld struct{ *Protocol }

func (b keepsOld) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Coordinator || p.Elected == model.None {
		b.Protocol.Receive(p, net, from, m)
	}
}

// leavesIt: a process that is not the second highest leaves the election to
// those above it.
type leavesIt struct{ *Protocol }

func (b leavesIt) Suspect(p *P, net *model.Net[M], who model.ID) {
	if net.Self() == who-1 {
		b.Protocol.Suspect(p, net, who)
	}
}

// returnsSilently: a process that comes up begins no election.
type returnsSilently struct{ *Protocol }

func (returnsSilently) Init(*P, *model.Net[M], model.Boot) {}

// assumesHighest: a process that comes up takes the highest id for the
// coordinator and begins no election.
type assumesHighest struct{ *Protocol }

func (assumesHighest) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Elected = max(net.Self(), net.Higher().Max())
}
