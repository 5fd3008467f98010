package surrogatering

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// standsAlone: no surrogate stands in for who has failed.
type standsAlone struct{ *Protocol }

func (x standsAlone) Suspect(p *P, net *model.Net[M], who model.ID) {
	p.Surrogate = model.None
	x.Protocol.Suspect(p, net, who)
}

// forgetsItself: a process passes an Election packet on without its own number.
type forgetsItself struct{ *Protocol }

func (x forgetsItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.Informer != net.Self() {
		net.Send(model.Next, m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

// tellsNobody: the informer makes no Coordinator packet known.
type tellsNobody struct{ *Protocol }

func (x tellsNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Coordinator {
		x.Protocol.Receive(p, net, from, m)
	}
}

// keepsToItself: a surrogate that is told does nothing.
type keepsToItself struct{ *Protocol }

func (x keepsToItself) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Crash || m.Surrogate != net.Self() {
		x.Protocol.Receive(p, net, from, m)
	}
}
