package dolevklawerodeh

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "announces-itself", Of: "wakes", Caught: "extreme", Setting: everybody, New: of(announcesItself{&Protocol{}}),
		Doc: "The process that finds the greatest number announces itself, not the number.",
	},
	{
		Name: "keeps-own", Of: "wakes", Caught: "extreme", Setting: everybody, New: of(keepsOwn{&Protocol{}}),
		Doc: "A process that stays active goes on with the number that it held.",
	},
	{
		Name: "smaller", Of: "wakes", Caught: "extreme", Setting: everybody, New: of(smaller{&Protocol{}}),
		Doc: "A number lives on if it is smaller than those on both sides, not greater.",
	},
	{
		Name: "forgets", Of: "wakes", Caught: "agreement", Setting: everybody, New: of(forgets{&Protocol{}}),
		Doc: "A process that learns the result does not store it.",
	},
	{
		Name: "goes-round", Of: "wakes", Caught: "termination", Setting: setting.Must("n=3 topology=ring channels=fifo timing=patient"),
		Doc: "A process that knows the winner passes its announcement on.",
		New: of(goesRound{&Protocol{}}),
	},
}

type announcesItself struct{ *Protocol }

func (c announcesItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == One && p.Mode == Active && m.ID == p.Max {
		*p = P{Mode: Done, Elected: net.Self()}
		net.Send(model.Next, M{Elected, net.Self()})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type keepsOwn struct{ *Protocol }

func (c keepsOwn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Two && p.Mode == Active && p.Left > m.ID && p.Left > p.Max {
		*p = P{Mode: Active, Max: p.Max}
		net.Send(model.Next, M{One, p.Max})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type smaller struct{ *Protocol }

func (c smaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Two || p.Mode != Active {
		c.Protocol.Receive(p, net, from, m)
		return
	}
	if p.Left < m.ID && p.Left < p.Max {
		*p = P{Mode: Active, Max: p.Left}
		net.Send(model.Next, M{One, p.Max})
		return
	}
	*p = P{Mode: Passive}
}

type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Passive {
		b.Elected = model.None
	}
	return b
}

type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Elected && p.Elected != model.None {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}
