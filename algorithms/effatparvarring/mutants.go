package effatparvarring

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "forwards-smaller", Of: "suppresses", Caught: "extreme", Setting: usual, New: of(forwardsSmaller{&Protocol{}}),
		Doc: "A node forwards the smaller of both ids.",
	},
	{
		Name: "passes-on", Of: "suppresses", Caught: "uniqueness", Setting: usual, New: of(passesOn{&Protocol{}}),
		Doc: "A node passes every id on as it is.",
	},
	{
		Name: "passes-own", Of: "suppresses", Caught: "termination", Setting: usual, New: of(passesOwn{&Protocol{}}),
		Doc: "A node passes its own id on when that comes back.",
	},
	{
		Name: "keeps-leader", Of: "suppresses", Caught: "agreement", Setting: cold, New: of(keepsLeader{&Protocol{}}),
		Doc: "A node passes a coordinate message on and does not follow the leader that it names.",
	},
	{
		Name: "declares-itself", Of: "informer", Caught: "extreme", Setting: usual, New: of(declaresItself{byInformer{&Protocol{}}}),
		Doc: "The node that noticed declares itself, whichever id comes back.",
	},
	{
		Name: "never-again", Of: "repaired", Caught: "e2", Setting: oneMore, New: of(neverAgain{repaired{&Protocol{}}}),
		Doc: "A node that hears of no leader in time does not send its id again.",
	},
}

type forwardsSmaller struct{ *Protocol }

func (c forwardsSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	switch {
	case m.Type == Coordinate || m.ID == self:
		c.Protocol.Receive(p, net, from, m)
	case m.ID < self:
		p.Participant = true
		net.Send(model.Next, m)
	case !p.Participant:
		p.Participant = true
		net.Send(model.Next, M{ID: self})
	}
}

type passesOwn struct{ *Protocol }

func (c passesOwn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID == net.Self() {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type passesOn struct{ *Protocol }

func (c passesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID != net.Self() {
		p.Participant = true
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type keepsLeader struct{ *Protocol }

func (c keepsLeader) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	before := p.Leader
	c.Protocol.Receive(p, net, from, m)
	if m.Type == Coordinate {
		p.Leader = before
	}
}

type declaresItself struct{ byInformer }

func (c declaresItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer == net.Self() && p.Informer {
		m.ID = net.Self()
	}
	c.byInformer.Receive(p, net, from, m)
}

type neverAgain struct{ repaired }

func (neverAgain) Timeout(*P, *model.Net[M], model.Timer) {}
