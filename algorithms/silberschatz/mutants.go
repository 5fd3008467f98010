package silberschatz

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// forgetsItself: a process does not add its own number to an Election packet.
type forgetsItself struct{ *Protocol }

func (c forgetsItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer != net.Self() {
		net.Send(model.Next, m)
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// tellsNobody: an informer makes no Coordinator packet.
type tellsNobody struct{ *Protocol }

func (c tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer == net.Self() {
		p.Elected, p.Informer = m.List.Max(), false
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// keepsQuiet: a process that is told of the coordinator does not pass it on.
type keepsQuiet struct{ *Protocol }

func (c keepsQuiet) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator {
		p.Elected = m.Winner
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// wrongOrder: rule 2a with its two messages exchanged.
type wrongOrder struct{ *Book }

func (c wrongOrder) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if i := net.Self(); i != m.Informer && p.List.Empty() {
		p.List = model.SetOf(i, m.Informer)
		net.Send(model.Next, m)
		net.Send(model.Next, M{Informer: i})
		return
	}
	c.Book.Receive(p, net, from, m)
}
