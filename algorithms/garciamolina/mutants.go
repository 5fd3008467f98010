package garciamolina

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "no-h-check", Of: "original", Caught: "assertion-1", Setting: usual, New: of(noHalter{&Protocol{}}),
		Doc: "A node follows every node that announces itself, not only the one that halted it last.",
	},
	{
		Name: "any-ready", Of: "original", Caught: "assertion-1", Setting: usual, New: of(anyReady{&Protocol{}}),
		Doc: "A node that executes no procedure of its own takes its task from any node, in any state.",
	},
	{
		Name: "goes-on", Of: "original", Caught: "assertion-1", Setting: usual, New: of(goesOn{&Protocol{}}),
		Doc: "A node that is halted goes on with its own election.",
	},
	{
		Name: "skips-halt", Of: "original", Caught: "assertion-1", Setting: usual, New: of(skipsHalt{&Protocol{}}),
		Doc: "A candidate announces itself and has not halted the lower nodes.",
	},
	{
		Name: "wakes-normal", Of: "original", Caught: "assertion-1", Setting: usual, New: of(wakesNormal{&Protocol{}}),
		Doc: "A node that recovers is Normal at once, as its own coordinator.",
	},
	{
		Name: "hasty", Of: "original", Caught: "assertion-1", Setting: usual, New: of(hasty{&Protocol{}}),
		Doc: "T is one tick too short for an answer to arrive.",
	},
	{
		Name: "asks-nobody", Of: "original", Caught: "assertion-1", Setting: usual, New: of(asksNobody{&Protocol{}}),
		Doc: "A node that recovers does not ask whether a higher one is up.",
	},
	{
		Name: "waits", Of: "original", Caught: "assertion-2", Setting: usual, New: of(waits{&Protocol{}}),
		Doc: "A node that has called another waits for the answer without end.",
	},
}

type noHalter struct{ *Protocol }

func (g noHalter) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == NewCoordinator {
		p.H = from.ID()
	}
	g.Protocol.Receive(p, net, from, m)
}

type anyReady struct{ *Protocol }

func (g anyReady) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Ready && p.At == Nowhere {
		p.S, p.C = Reorganization, from.ID()
	}
	g.Protocol.Receive(p, net, from, m)
}

type goesOn struct{ *Protocol }

func (g goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Halt && p.At != Nowhere {
		p.S, p.H = Election, from.ID()
		net.Reply(M{Type: Halted})
		return
	}
	g.Protocol.Receive(p, net, from, m)
}

type skipsHalt struct{ *Protocol }

func (g skipsHalt) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g.Protocol.Timeout(p, net, t)
	if p.At == Election2 {
		p.Up = net.Lower()
		p.To = 1
		g.next(p, net, Election2, 0)
	}
}

type wakesNormal struct{ *Protocol }

func (g wakesNormal) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Restart {
		p.S, p.C = Normal, net.Self()
		g.rest(p, net)
		return
	}
	g.Protocol.Init(p, net, why)
}

type hasty struct{ *Protocol }

func (g hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	g.Protocol.Suspect(p, net, who)
	g.shorten(p, net)
}

func (g hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	g.Protocol.Receive(p, net, from, m)
	if m.Type == IAmUp || m.Type == Halted || m.Type == Informed || m.Type == IsReady || m.Type == Answer {
		g.shorten(p, net)
	}
}

func (g hasty) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g.Protocol.Timeout(p, net, t)
	g.shorten(p, net)
}

func (g hasty) shorten(p *P, net *model.Net[M]) {
	if p.At != Nowhere {
		net.SetTimer(T, 2*net.Bound()-1)
	}
}

type asksNobody struct{ *Protocol }

func (g asksNobody) Init(p *P, net *model.Net[M], why model.Boot) {
	g.Protocol.Init(p, net, why)
	if p.At == Election1 {
		g.next(p, net, Election1, 0)
	}
}

type waits struct{ *Protocol }

func (g waits) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != T {
		g.Protocol.Timeout(p, net, t)
	}
}
