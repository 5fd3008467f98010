package silberschatz

import "bullyproof/model"

// untilTold has an announcement go no further than the last process that has to be told. F does
// not say who takes it out. The list of an Election packet says who is to be told; each process
// takes itself off. If one of them has failed meanwhile, the informer takes it out.
type untilTold struct{ *Protocol }

// Receive is as in Protocol, except for who passes an announcement on.
func (r untilTold) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	self := net.Self()
	switch {
	case m.Type == Election && m.Informer == self:
		net.Rule(elects)
		p.Elected, p.Informer = m.List.Max(), false
		r.tell(net, M{Type: Coordinator, Informer: self, Winner: p.Elected, List: m.List.Without(self)})
	case m.Type == Coordinator && m.Informer != self:
		net.Rule(isTold)
		p.Elected, m.List = m.Winner, m.List.Without(self)
		r.tell(net, m)
	default:
		r.Protocol.Receive(p, net, from, m)
	}
}

// tell passes an announcement on, if anybody has to be told.
func (untilTold) tell(net *model.Net[M], m M) {
	if !m.List.Empty() {
		net.Send(model.Next, m)
	}
}

// Format returns m with who has yet to be told, if anybody.
func (untilTold) Format(m M) string {
	text := m.text(false)
	if m.Type == Coordinator {
		text += ", to tell " + m.List.String()
	}
	return text
}

// namesNobody has a process that passes an Election packet on name nobody until it is told,
// unless it is the coordinator. F does not say whom it names.
type namesNobody struct{ *Protocol }

// Receive is as in Protocol, except for whom a process names.
func (r namesNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if self := net.Self(); m.Informer != self && p.Elected != self {
		p.Elected = model.None
	}
	r.Protocol.Receive(p, net, from, m)
}
