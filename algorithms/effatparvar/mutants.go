package effatparvar

import "bullyproof/model"

// Each type below is the algorithm with one rule broken.

// neverResponds: a node does not respond.
type neverResponds struct{ *Protocol }

func (e neverResponds) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Election {
		e.Protocol.Receive(p, net, from, m)
	}
}

// selectsFirst: a node selects the first that responded.
type selectsFirst struct{ unverified }

func (e selectsFirst) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != OK || p.Best == model.None {
		e.unverified.Receive(p, net, from, m)
	}
}

// hasty: the wait is one tick too short.
type hasty struct{ *Protocol }

func (e hasty) Suspect(p *P, net *model.Net[M], who model.ID) {
	e.Protocol.Suspect(p, net, who)
	if p.Mode == Noticed {
		net.SetTimer(Wait, 2*net.Bound()-1)
	}
}

// trusts: nobody verifies.
type trusts struct{ repaired }

func (e trusts) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Selected {
		e.announce(p, net, net.Self())
		return
	}
	e.repaired.Receive(p, net, from, m)
}

func (e trusts) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Best == model.None {
		e.announce(p, net, net.Self())
		return
	}
	e.repaired.Timeout(p, net, t)
}

// keepsIt: a node that verifies keeps to itself whom it found.
type keepsIt struct{ repaired }

func (e keepsIt) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Verifying && p.Best != model.None {
		e.settle(p, net, net.Self())
		return
	}
	e.repaired.Timeout(p, net, t)
}

// echoes: a node sends an announcement back to where it came from.
type echoes struct{ *Protocol }

func (e echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	e.Protocol.Receive(p, net, from, m)
	if m.Type == Coordinator {
		net.Send(from, m)
	}
}
