package advisorylock

import "bullyproof/model"

// shared is a database with a fault: a lock that another session has is granted.
type shared struct{ *Lock }

func (l shared) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if net.Self() == database(net) {
		p.Holder = Session{}
	}
	l.Lock.Receive(p, net, from, m)
}

// outlives is a database with a fault: the lock outlives its session.
type outlives struct{ *Lock }

func (l outlives) Suspect(p *P, _ *model.Net[M], who model.ID) { p.Open[who-1] = Connections{} }
