package invitation

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// anyReady: a node takes the task of any group for that of its own.
type anyReady struct{ *Protocol }

func (v anyReady) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Ready && p.S == Reorganization {
		m.G = p.G
	}
	v.Protocol.Receive(p, net, from, m)
}

// anotherTask: a coordinator whose Ready is not answered makes another task for
// the same group.
type anotherTask struct{ *Protocol }

func (v anotherTask) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == T && p.At == Readying {
		v.reorganize(p, net)
		return
	}
	v.Protocol.Timeout(p, net, t)
}

// recoversInPlace: a node that recovers from the loss of its coordinator keeps
// the number of the group.
type recoversInPlace struct{ *Protocol }

func (v recoversInPlace) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g, recovers := p.G, p.At == TimingOut && t == T
	v.Protocol.Timeout(p, net, t)
	if recovers {
		p.G = g
	}
}

// staysNormal: a node that is invited is Normal while it waits for the task.
type staysNormal struct{ *Protocol }

func (v staysNormal) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	d := p.D
	v.Protocol.Receive(p, net, from, m)
	if m.Type == Invitation && p.At == Accepting && p.S == Election {
		p.S, p.D = Normal, d
	}
}
