package shirali

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// neverCompares: an Election message takes no number in.
type neverCompares struct{ *Protocol }

func (x neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Head == model.None && m.Left > 0 {
		*p = P{Head: m.Head}
		m.Left--
		net.Send(from.Opposite(), m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

// groupsAlone: the coordinator of a group is the main coordinator for its head.
type groupsAlone struct{ *Protocol }

func (x groupsAlone) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	x.Protocol.Receive(p, net, from, m)
	if m.Type == Result && p.Head == net.Self() && p.settled() {
		p.Coordinator = p.Best
	}
}

// oneSide: a head does not wait for the result of its other side.
type oneSide struct{ *Protocol }

func (x oneSide) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Result && m.Head == net.Self() {
		if p.settled() {
			return
		}
		p.Back = [2]bool{true, true}
	}
	x.Protocol.Receive(p, net, from, m)
}

// stopsAll: a head passes no other group's coordinator on.
type stopsAll struct{ *Protocol }

func (x stopsAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Head == net.Self() && p.settled() && m.Best > p.Best {
		return
	}
	x.Protocol.Receive(p, net, from, m)
}
