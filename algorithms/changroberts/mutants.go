package changroberts

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "passes-smaller", Of: "coulouris", Caught: "uniqueness", Setting: lazy, New: of(passesSmaller{&Protocol{}}),
		Doc: "A participant passes on a smaller id instead of stopping it.",
	},
	{
		Name: "never-substitutes", Of: "coulouris", Caught: "extreme", Setting: lazy, New: of(neverSubstitutes{&Protocol{}}),
		Doc: "A non-participant passes on a smaller id and does not replace it by its own.",
	},
	{
		Name: "stops-greater", Of: "coulouris", Caught: "extreme", Setting: lazy, New: of(stopsGreater{&Protocol{}}),
		Doc: "A participant stops greater ids and passes on smaller ones.",
	},
	{
		Name: "forgets-elected", Of: "coulouris", Caught: "agreement", Setting: lazy, New: of(forgetsElected{&Protocol{}}),
		Doc: "A process that learns who is coordinator is a non-participant again and does not set elected_i.",
	},
	{
		Name: "goes-round", Of: "coulouris", Caught: "termination", Setting: lazy, New: of(goesRound{&Protocol{}}),
		Doc: "The coordinator passes its own elected message on.",
	},
	{
		Name: "forwards-once", Of: "coulouris", Caught: "e2", Setting: inOrder, New: of(forwardsOnce{&Protocol{}}),
		Doc: "A participant takes every message out of the ring that is not about itself.",
	},
	{
		Name: "names-nobody", Of: "coulouris", Caught: "e2", Setting: inOrder, New: of(namesNobody{&Protocol{}}),
		Doc: "No process sets elected_i.",
	},
}

type passesSmaller struct{ *Protocol }

func (c passesSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() && p.Participant {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type neverSubstitutes struct{ *Protocol }

func (c neverSubstitutes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() && !p.Participant {
		p.Participant = true
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type stopsGreater struct{ *Protocol }

func (c stopsGreater) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID != net.Self() && p.Participant {
		if m.ID < net.Self() {
			net.Send(model.Next, m)
		}
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type forgetsElected struct{ *Protocol }

func (c forgetsElected) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.Elected
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Elected {
		p.Elected = before
	}
}

type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Elected && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}

type forwardsOnce struct{ *Protocol }

func (c forwardsOnce) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if !p.Participant || m.ID == net.Self() {
		c.Protocol.Receive(p, net, from, m)
	}
}

type namesNobody struct{ *Protocol }

func (c namesNobody) Belief(p *P) model.Belief { return model.Belief{Participant: p.Participant} }
