package peterson

import "bullyproof/model"

// Each type below is the algorithm with one line broken.

// keepsTID: a process that survives goes on with its own temporary id.
type keepsTID struct{ *Protocol }

func (c keepsTID) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Second && m.ID != net.Self() && p.NTID >= max(p.TID, m.ID) {
		*p = P{Mode: Active, TID: p.TID}
		net.Send(model.Next, M{Value, p.TID})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// sendsMin: the second message of a phase is the smaller of tid and ntid.
type sendsMin struct{ *Protocol }

func (c sendsMin) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Mode == Active && !p.Second && m.ID != net.Self() {
		p.Second, p.NTID = true, m.ID
		net.Send(model.Next, M{Value, min(p.TID, p.NTID)})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// alwaysSurvives: nobody becomes a relay; everybody speaks for who is upstream.
type alwaysSurvives struct{ *Protocol }

func (c alwaysSurvives) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Value && p.Mode == Active && p.Second && m.ID != net.Self() {
		*p = P{Mode: Active, TID: p.NTID}
		net.Send(model.Next, M{Value, p.TID})
		return
	}
	c.Protocol.Receive(p, net, from, m)
}

// forgets: a process that is told who is elected does not note it.
type forgets struct{ *Protocol }

func (c forgets) Belief(p *P) model.Belief {
	b := c.Protocol.Belief(p)
	if p.Mode == Relay {
		b.Elected = model.None
	}
	return b
}
