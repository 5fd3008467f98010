package sortbully

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "grants-lowest", Of: "waits", Caught: "extreme", Setting: oneCrash, New: of(grantsLowest{&Protocol{}}),
		Doc: "A node grants the lowest of its list.",
	},
	{
		Name: "hasty", Of: "waits", Caught: "uniqueness", Setting: oneCrash, New: of(hasty{&Protocol{}}),
		Doc: "The wait for responses is one tick too short.",
	},
	{
		Name: "impatient", Of: "waits", Caught: "uniqueness", Setting: oneCrash, New: of(impatient{&Protocol{}}),
		Doc: "The wait for the announcement is one tick too short.",
	},
	{
		Name: "tells-lower", Of: "waits", Caught: "agreement", Setting: twoCrashes, New: of(tellsOne{&Protocol{}}),
		Doc: "A node announces itself only to the lowest node.",
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
