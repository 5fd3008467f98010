package effatparvarring

import "bullyproof/model"

// informed is compare in the readings in which a message returns to the node
// that noticed.
func (e *Protocol) informed(p *P, net *model.Net[M], m M) {
	self := net.Self()
	switch {
	case m.Informer == self && p.Informer:
		if e.Reading == ByInformer || m.ID == self {
			e.declare(p, net, m.ID)
		}

	case m.Informer < p.Passed || m.Informer == self:
		net.Rule(stops)

	default:
		p.Passed = m.Informer
		if m.ID > self {
			net.Rule(forwards)
		} else {
			net.Rule(substitutes)
		}
		m.ID = max(m.ID, self)
		e.put(p, net, m)
	}
}
