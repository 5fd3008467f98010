package sortbully

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// grantsLowest: a node grants the lowest of its list.
type grantsLowest struct{ *Protocol }

func (s grantsLowest) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Collecting && p.List.Len() > 1 {
		p.List = model.SetOf(p.List.Min())
	}
	s.Protocol.Timeout(p, net, t)
}

// hasty: the wait for responses is one tick too short.
type hasty struct{ *Protocol }

func (s hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	s.Protocol.Suspect(p, net, who)
	if p.Mode == Collecting {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

// impatient: the wait for the announcement is one tick too short.
type impatient struct{ *Protocol }

func (s impatient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	s.Protocol.Timeout(p, net, t)
	if p.Mode == Granted {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

// tellsOne: a node that is granted announces itself to the lowest node alone.
type tellsOne struct{ *Protocol }

func (s tellsOne) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Grant {
		s.settle(p, net, net.Self())
		net.SendTo(net.Peers().Min(), M{Coordinator, net.Self()})
		return
	}
	s.Protocol.Receive(p, net, from, m)
}
