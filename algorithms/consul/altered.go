package consul

import "bullyproof/model"

// unlimited is a fault: a client that leads waits for the answer to a renewal for as long as it takes
// (hashicorp/consul 18271).
type unlimited struct{ *Consul }

func (c unlimited) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == over && p.Phase == Leads {
		return
	}
	c.Consul.Timeout(p, net, t)
}

// eager is a fault: nobody waits for the lock-delay.
type eager struct{ *Consul }

func (c eager) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Acquire {
		net.StopTimer(delay)
	}
	c.Consul.Receive(p, net, from, m)
}

// sameIndex is a fault: LockIndex stays as it is.
type sameIndex struct{ *Consul }

func (c sameIndex) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Acquire && p.Holder == (Session{}) {
		p.Index = 0
	}
	c.Consul.Receive(p, net, from, m)
}

// keepsLock is a fault: the key stays with a session that is over.
type keepsLock struct{ *Consul }

func (c keepsLock) Timeout(p *P, net *model.Net[M], t model.Timer) {
	had := p.Holder
	c.Consul.Timeout(p, net, t)
	p.Holder = had
}

func (c keepsLock) Suspect(p *P, net *model.Net[M], who model.ID) {
	had := p.Holder
	c.Consul.Suspect(p, net, who)
	p.Holder = had
}

// checks is a fault: a session that has no health check is invalidated by one.
type checks struct{ *Consul }

func (c checks) Watches(p *P, self model.ID) model.Set {
	with := *c.Consul
	with.Checks = true
	return with.Watches(p, self)
}
