package redlock

import "bullyproof/model"

// fromAnswer is the lock with a fault: a client counts the validity time from when it has the lock.
type fromAnswer struct{ *Lock }

func (l fromAnswer) Timeout(p *P, net *model.Net[M], t model.Timer) {
	l.Lock.Timeout(p, net, t)
	if t == check {
		net.SetTimer(validity, l.TTL-l.Drift)
	}
}

// keepsOn is the lock with a fault: a client does not stop when the validity time is over, but a
// while later.
type keepsOn struct{ *Lock }

func (l keepsOn) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case t == validity && p.Phase == Leads:
		net.SetTimer(other, l.TTL)
		p.Second = true
	default:
		l.Lock.Timeout(p, net, t)
	}
}

// noExpiry is the lock with a fault: the key is set without a time to live.
type noExpiry struct{ *Lock }

func (l noExpiry) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.Lock.Receive(p, net, from, m)
	net.StopTimer(expiry)
}
