package advisorylock

import "bullyproof/model"

// transaction is a database with a fault: the lock is not one of a session.
type transaction struct{ *Lock }

func (l transaction) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.Lock.Receive(p, net, from, m)
	p.Holder, p.Times = Session{}, 0
}

// rebids is a client with a fault: it asks for the lock at each poll on a new connection, also when it
// has the lock on the old one. A refusal ends the new one, and its lead.
type rebids struct{ *Lock }

func (l rebids) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == poll && p.Pool != (Connections{}) {
		p.Other = !p.Pool[1]
		l.ask(p, net, Try)
		net.SetTimer(poll, limit(net)+1)
		return
	}
	l.Lock.Timeout(p, net, t)
}

func (l rebids) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.Lock.Receive(p, net, from, m)
	if m.Type == Refused {
		p.Leads = false
		l.closes(p, net, m.Other)
	}
}

// closes ends one of a client's connections.
func (l *Lock) closes(p *P, net *model.Net[M], other bool) {
	if p.Pool[at(other)] {
		net.SendTo(database(net), M{Type: Close, Other: other})
		p.Pool[at(other)] = false
	}
}

// stepsDown is rebids, and the refusal ends the old connection also.
type stepsDown struct{ rebids }

func (l stepsDown) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l.rebids.Receive(p, net, from, m)
	if m.Type == Refused {
		l.closes(p, net, !m.Other)
	}
}

// age is the timer of a connection that is not too old yet.
const age = answer + 1

// recycles is a client with a fault: its pool replaces a connection that is too old when it is asked
// for it. The client misses the lock at once.
type recycles struct{ *Lock }

func (l recycles) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == age {
		return
	}
	if t == poll && !net.IsSet(age) {
		l.closes(p, net, p.Other)
		p.Leads = false
		net.SetTimer(age, 3*limit(net))
	}
	l.Lock.Timeout(p, net, t)
}

func (l recycles) Names() model.Names {
	names, _ := l.Lock.Names().WithTimer(model.TimerName{Name: "age of a connection"})
	return names
}

// quits is a client with a fault: it tries no more once it has given a statement up.
type quits struct{ *Lock }

func (l quits) Timeout(p *P, net *model.Net[M], t model.Timer) {
	l.Lock.Timeout(p, net, t)
	if t == answer {
		net.StopTimer(poll)
	}
}

// keeps is a client with a fault: it does not unlock when it stops.
type keeps struct{ Unlocking }

func (l keeps) Request(p *P, net *model.Net[M], _ model.Request) { l.stop(p, net) }

// stacks is a client with a fault: it asks for a lock that it has.
type stacks struct{ Unlocking }

func (l stacks) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == poll && p.Leads {
		l.ask(p, net, Try)
		net.SetTimer(poll, limit(net)+1)
		return
	}
	l.Unlocking.Timeout(p, net, t)
}
