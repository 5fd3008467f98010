package advisorylock

import "bullyproof/model"

// stops is the rule of a client that wants to lead no more.
var stops = rules.Add("a client is asked to stop")

// Unlocking is a client that unlocks where it may have the lock and wants it no more: on a
// connection that goes back to the pool, and when it is asked to stop. Its connections stay open.
type Unlocking struct{ *Lock }

// Timeout is what a client does.
func (l Unlocking) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == answer {
		net.SendTo(database(net), M{Type: Unlock, Other: p.Other})
	}
	l.Lock.Timeout(p, net, t)
}

// Request asks a client to stop.
func (l Unlocking) Request(p *P, net *model.Net[M], _ model.Request) {
	if p.Leads || p.Asks {
		net.SendTo(database(net), M{Type: Unlock, Other: p.Other})
	}
	l.stop(p, net)
}

// stop has a client try no more.
func (l Unlocking) stop(p *P, net *model.Net[M]) {
	if net.Self() == database(net) {
		return
	}
	net.Rule(stops)
	net.StopTimer(poll)
	net.StopTimer(answer)
	p.Asks, p.Leads, p.Stopped = false, false, true
}

// Names has the request.
func (l Unlocking) Names() model.Names {
	names := l.Lock.Names()
	names.Requests = []string{"stop"}
	return names
}
