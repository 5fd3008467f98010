package ingram

import "bullyproof/model"

// Twice is the algorithm with a copy of each message, so that one of the two may be lost.
type Twice struct{ *Protocol }

// Init is as in Protocol, and sends twice.
func (t Twice) Init(p *P, net *model.Net[M], boot model.Boot) {
	t.Protocol.Init(p, net, boot)
	t.copy(net)
}

// Suspect is as in Protocol, and sends twice.
func (t Twice) Suspect(p *P, net *model.Net[M], who model.ID) {
	t.Protocol.Suspect(p, net, who)
	t.copy(net)
}

// Receive is as in Protocol, and sends twice.
func (t Twice) Receive(p *P, net *model.Net[M], port model.Port, m M) {
	t.Protocol.Receive(p, net, port, m)
	t.copy(net)
}

// copy sends once more what the handler has sent.
func (Twice) copy(net *model.Net[M]) {
	for to, m := range net.Sends {
		net.Send(to, m)
	}
}
