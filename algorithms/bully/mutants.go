package bully

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "announces-anyway", Of: "coulouris", Caught: "uniqueness", Setting: oneCrash, New: of(announcesAnyway{Coulouris}),
		Doc: "A process that was answered announces itself nevertheless.",
	},
	{
		Name: "hasty", Of: "coulouris", Caught: "uniqueness", Setting: oneCrash, New: of(hasty{Coulouris}),
		Doc: "T is one tick too short for an answer to arrive.",
	},
	{
		Name: "asks-next", Of: "coulouris", Caught: "uniqueness", Setting: fourTwoCrashes, New: of(asksNext{Coulouris}),
		Doc: "A process that notices the failure asks only the next higher process.",
	},
	{
		Name: "keeps-old", Of: "coulouris", Caught: "settled-uniqueness", Setting: oneJoin, New: of(keepsOld{Coulouris}),
		Doc: "A process that knows of a coordinator sticks to it when another announces itself.",
	},
	{
		Name: "answers-only", Of: "tanenbaum", Caught: "agreement", Setting: oneInitiator, New: of(answersOnly{Tanenbaum}),
		Doc: "A process answers an election and forgets to begin its own.",
	},
	{
		Name: "announces-upward", Of: "tanenbaum", Caught: "agreement", Setting: oneCrash, New: of(announcesUpward{Tanenbaum}),
		Doc: "A process that gets no answer announces itself to those with higher ids.",
	},
	{
		Name: "returns-silently", Of: "coulouris", Caught: "agreement", Setting: oneJoin, New: of(returnsSilently{Coulouris}),
		Doc: "A process that comes up begins no election.",
	},
	{
		Name: "leaves-it", Of: "coulouris", Caught: "live-coordinator", Setting: twoCrashes, New: of(leavesIt{Coulouris}),
		Doc: "A process that is not the second highest leaves the election to those above it.",
	},
	{
		Name: "assumes-highest", Of: "coulouris", Caught: "validity", Setting: twoJoins, New: of(assumesHighest{Coulouris}),
		Doc: "A process that comes up takes the highest id for the coordinator and begins no election.",
	},
	{
		Name: "silent-coordinator", Of: "coulouris", Caught: "extreme", Setting: oneJoin, New: of(silentCoordinator{Coulouris}),
		Doc: "The coordinator does not answer an election.",
	},
	{
		Name: "joins-silently", Of: "tanenbaum", Caught: "agreement", Setting: oneJoin, New: of(returnsSilently{Tanenbaum}),
		Doc: "A process that comes up begins no election.",
	},
}

type announcesAnyway struct{ *Protocol }

func (b announcesAnyway) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Answer {
		b.Protocol.Receive(p, net, from, m)
	}
}

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

type asksNext struct{ *Protocol }

func (b asksNext) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		b.begin(p, net, model.SetOf(net.Higher().Min()))
	}
}

type answersOnly struct{ *Protocol }

func (b answersOnly) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election {
		net.Reply(M{Answer})
		return
	}
	b.Protocol.Receive(p, net, from, m)
}

type announcesUpward struct{ *Protocol }

func (b announcesUpward) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.stop(p, net)
	p.Elected = net.Self()
	net.SendAll(net.Higher(), M{Coordinator})
}

type silentCoordinator struct{ *Protocol }

func (b silentCoordinator) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election || p.Elected != net.Self() {
		b.Protocol.Receive(p, net, from, m)
	}
}

type keepsOld struct{ *Protocol }

func (b keepsOld) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Coordinator || p.Elected == model.None {
		b.Protocol.Receive(p, net, from, m)
	}
}

type leavesIt struct{ *Protocol }

func (b leavesIt) Suspect(p *P, net *model.Net[M], who model.ID) {
	if net.Self() == who-1 {
		b.Protocol.Suspect(p, net, who)
	}
}

type returnsSilently struct{ *Protocol }

func (returnsSilently) Init(*P, *model.Net[M], model.Boot) {}

type assumesHighest struct{ *Protocol }

func (assumesHighest) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Elected = max(net.Self(), net.Higher().Max())
}
