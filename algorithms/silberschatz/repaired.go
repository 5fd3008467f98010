package silberschatz

import "bullyproof/model"

// Repaired is the algorithm of F with packets that nobody takes out any more taken
// out, and lost ones made again.
//
// A packet carries the numbers of those that have passed it on, so that a process
// that finds its own number in it knows that the informer has failed, which would
// have taken it out before. And since a packet goes at most N steps of D ticks each,
// one that is not back by then is lost. All others notice for themselves, as long as
// they name a process that is down. Third, who is elected takes out a Coordinator
// packet that names another one, which has failed: otherwise it would have been on
// the list that elected it.
type Repaired struct{ *Protocol }

// round bounds the time that a packet takes to come home.
const round model.Timer = 0

// Names returns the vocabulary of F and of the repair.
func (Repaired) Names() model.Names {
	return model.Names{
		Kinds:  names.Kinds,
		Timers: []model.TimerName{{Name: "round"}},
		Rules:  rules,
	}
}

// Format returns m with who has been told, if anybody.
func (Repaired) Format(m M) string { return m.text(true) }

// Start is as in Protocol.
func (r Repaired) Start(p *P, net *model.Net[M]) { r.create(p, net) }

// Suspect is as in Protocol.
func (r Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Elected {
		r.create(p, net)
	}
}

// create is as in Protocol, and begins the wait for the packet.
func (r Repaired) create(p *P, net *model.Net[M]) {
	if !p.Informer {
		net.SetTimer(round, net.N()*net.Bound())
	}
	r.Protocol.create(p, net)
}

// Receive is as in Protocol, except for packets whose informer is gone, or that
// name a coordinator that is.
func (r Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	switch {
	case m.Informer != self && m.List.Has(self):
		net.Rule(twice)
		return
	case m.Type == Coordinator && p.Elected == self && m.Winner != self:
		net.Rule(deposes)
		return
	case m.Type == Coordinator:
		m.List = m.List.With(self)
	case m.Informer == self:
		net.StopTimer(round)
	}
	r.Protocol.Receive(p, net, from, m)
}

// Timeout is the end of the wait.
func (r Repaired) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(again)
	net.SetTimer(round, net.N()*net.Bound())
	r.send(p, net)
}
