package effatparvarring

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "forwards-smaller", Of: "suppresses", Caught: "extreme", Setting: usual,
		Doc: "A node forwards the smaller of both ids.",
		New: ledger.SystemOf[P, M](forwardsSmaller{&Protocol{}}),
	},
	{
		Name: "passes-on", Of: "suppresses", Caught: "uniqueness", Setting: usual,
		Doc: "A node passes every id on as it is.",
		New: ledger.SystemOf[P, M](passesOn{&Protocol{}}),
	},
	{
		Name: "passes-own", Of: "suppresses", Caught: "termination", Setting: usual,
		Doc: "A node passes its own id on when that comes back.",
		New: ledger.SystemOf[P, M](passesOwn{&Protocol{}}),
	},
	{
		Name: "keeps-leader", Of: "suppresses", Caught: "agreement", Setting: cold,
		Doc: "A node passes a coordinate message on and does not follow the leader that it names.",
		New: ledger.SystemOf[P, M](keepsLeader{&Protocol{}}),
	},
	{
		Name: "declares-itself", Of: "informer", Caught: "extreme", Setting: usual,
		Doc: "The node that noticed declares itself, whichever id comes back.",
		New: ledger.SystemOf[P, M](declaresItself{byInformer{&Protocol{}}}),
	},
	{
		Name: "never-again", Of: "repaired", Caught: "e2", Setting: oneMore,
		Doc: "A node that hears of no leader in time does not send its id again.",
		New: ledger.SystemOf[P, M](neverAgain{repaired{&Protocol{}}}),
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
