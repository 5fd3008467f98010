package viewstamped

import "bullyproof/model"

// forgets is the protocol with a fault: no recovery.
type forgets struct{ *VR }

func (r forgets) Init(p *P, net *model.Net[M], _ model.Boot) { r.VR.Init(p, net, model.Cold) }

// hasty is the protocol with a fault: one response of a primary is enough.
type hasty struct{ *VR }

func (r hasty) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == RecoveryResponse && p.Status == Recovering && from.ID() == primary(net.N(), m.View) {
		p.Heard = net.Peers()
	}
	r.VR.Receive(p, net, from, m)
}

// usurps is the protocol with a fault: anybody may start a view.
type usurps struct{ *VR }

func (r usurps) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	r.VR.Receive(p, net, from, m)
	if p.Status == ViewChange && p.Sent {
		r.enter(p, net, p.View, Logged{Log: p.Log})
		p.Primary = net.Self()
	}
}

// stubborn is the protocol with a fault: a new primary does not take the newest log.
type stubborn struct{ *VR }

func (r stubborn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == DoViewChange {
		m.Logged = Logged{p.Normal, p.Log, p.Commit}
	}
	r.VR.Receive(p, net, from, m)
}

// mute is the protocol with a fault: backups do not respond.
type mute struct{ *VR }

func (r mute) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Recovery || leads(net, p.View) {
		r.VR.Receive(p, net, from, m)
	}
}

// waits is the protocol with a fault: there is no further view change.
type waits struct{ *VR }

func (r waits) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t != viewTimer || p.Status != ViewChange {
		r.VR.Timeout(p, net, t)
	}
}
