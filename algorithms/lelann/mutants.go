package lelann

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "hurries", Of: "tel", Caught: "uniqueness", Setting: usual, New: of(hurries{&Protocol{}}),
		Doc: "An initiator elects the greatest id of its list as soon as any token has come by.",
	},
	{
		Name: "notes-nothing", Of: "tel", Caught: "uniqueness", Setting: usual, New: of(notesNothing{&Protocol{}}),
		Doc: "An initiator passes the tokens of others on and does not note them.",
	},
	{
		Name: "elects-last", Of: "tel", Caught: "agreement", Setting: usual, New: of(electsLast{&Protocol{}}),
		Doc: "An initiator elects the owner of the last token that came by.",
	},
	{
		Name: "goes-round", Of: "tel", Caught: "termination", Setting: usual, New: of(goesRound{&Protocol{}}),
		Doc: "An initiator passes its own token on when it is back.",
	},
}

type hurries struct{ *Protocol }

func (c hurries) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if p.Initiator {
		p.Elected = p.List.Max()
	}
}

type notesNothing struct{ *Protocol }

func (c notesNothing) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.List
	if m.ID != net.Self() {
		c.Protocol.Receive(p, net, from, m)
		p.List = before
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type electsLast struct{ *Protocol }

func (c electsLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	c.Protocol.Receive(p, net, from, m)
	if p.Initiator && m.ID != net.Self() {
		p.List = model.SetOf(m.ID)
	}
}

type goesRound struct{ *Protocol }

func (c goesRound) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	again := m.Type == Token && m.ID == net.Self()
	c.Protocol.Receive(p, net, from, m)
	if again {
		net.Send(model.Next, m)
	}
}
