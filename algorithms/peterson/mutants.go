package peterson

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "keeps-tid", Of: "wakes", Caught: "extreme", Setting: everybody, New: of(keepsTID{&Protocol{}}),
		Doc: "A process that survives a phase goes on with its own temporary id.",
	},
	{
		Name: "sends-min", Of: "wakes", Caught: "uniqueness", Setting: everybody, New: of(sendsMin{&Protocol{}}),
		Doc: "The second message of a phase is the smaller of tid and ntid.",
	},
	{
		Name: "always-survives", Of: "wakes", Caught: "uniqueness", Setting: everybody, New: of(alwaysSurvives{&Protocol{}}),
		Doc: "No process becomes a relay: each goes on with ntid.",
	},
	{
		Name: "forgets", Of: "wakes", Caught: "agreement", Setting: everybody, New: of(forgets{&Protocol{}}),
		Doc: "A process that learns the result does not store it.",
	},
	{
		Name: "relays-home", Of: "wakes", Caught: "e2", Setting: everybody, New: of(relaysHome{&Protocol{}}),
		Doc: "A relay also passes its own id on.",
	},
}

type keepsTID struct{ *Protocol }

func (c keepsTID) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Second && m.ID != net.Self() && p.NTID >= max(p.TID, m.ID) {
		*p = P{Mode: Active, TID: p.TID}
		net.Send(model.Next, M{Value, p.TID})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type sendsMin struct{ *Protocol }

func (c sendsMin) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Mode == Active && !p.Second && m.ID != net.Self() {
		p.Second, p.NTID = true, m.ID
		net.Send(model.Next, M{Value, min(p.TID, p.NTID)})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type alwaysSurvives struct{ *Protocol }

func (c alwaysSurvives) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Mode == Active && p.Second && m.ID != net.Self() {
		*p = P{Mode: Active, TID: p.NTID}
		net.Send(model.Next, M{Value, p.TID})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Relay {
		b.Elected = model.None
	}
	return b
}

type relaysHome struct{ *Protocol }

func (c relaysHome) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Mode == Relay && m.ID == net.Self() {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}
