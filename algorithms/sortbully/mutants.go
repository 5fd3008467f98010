package sortbully

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "grants-lowest", Of: "waits", Caught: "extreme", Setting: oneCrash,
		Doc: "A node grants the lowest of its list.",
		New: ledger.SystemOf[P, M](grantsLowest{&Protocol{}}),
	},
	{
		Name: "hasty", Of: "waits", Caught: "uniqueness", Setting: oneCrash,
		Doc: "The wait for responses is one tick too short.",
		New: ledger.SystemOf[P, M](hasty{&Protocol{}}),
	},
	{
		Name: "impatient", Of: "waits", Caught: "uniqueness", Setting: oneCrash,
		Doc: "The wait for the announcement is one tick too short.",
		New: ledger.SystemOf[P, M](impatient{&Protocol{}}),
	},
	{
		Name: "tells-lower", Of: "waits", Caught: "agreement", Setting: twoCrashes,
		Doc: "A node announces itself only to the lowest node.",
		New: ledger.SystemOf[P, M](tellsOne{&Protocol{}}),
	},
}

type grantsLowest struct{ *Protocol }

func (s grantsLowest) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Collecting && p.List.Len() > 1 {
		p.List = model.SetOf(p.List.Min())
	}
	s.Protocol.Timeout(p, net, t)
}

type hasty struct{ *Protocol }

func (s hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	s.Protocol.Suspect(p, net, who)
	if p.Mode == Collecting {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

type impatient struct{ *Protocol }

func (s impatient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	s.Protocol.Timeout(p, net, t)
	if p.Mode == Granted {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

type tellsOne struct{ *Protocol }

func (s tellsOne) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Grant {
		s.settle(p, net, net.Self())
		net.SendTo(net.Peers().Min(), M{Coordinator, net.Self()})
		return
	}
	s.Protocol.Receive(p, net, from, m)
}
