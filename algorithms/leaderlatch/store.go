package leaderlatch

import (
	"slices"

	"bullyproof/model"
)

// serve is an operation of the store. One of a session that is over is not carried out.
func (l *Latch) serve(p *P, net *model.Net[M], client model.ID, m M) {
	switch {
	case m.Type == Open:
		l.begin(p, net, client, m.Session)
		return
	case m.Session != p.Live.At(client):
		if m.Type == Connect {
			net.Reply(M{Type: Expired, Session: m.Session})
		}
		return
	}
	l.alive(net, client)
	switch m.Type {
	case Ping:
		net.Reply(M{Type: Pong, Session: m.Session})
	case Connect:
		net.Reply(M{Type: Reconnected, Session: m.Session})
	case Create:
		if l.Single && p.Nodes.len() > 0 {
			net.Reply(M{Type: Exists, Session: m.Session})
			return
		}
		p.create(m.Node)
		net.Reply(M{Type: Created, Session: m.Session, Node: m.Node})
	case Delete:
		l.remove(p, net, func(n Node) bool { return n == m.Node })
	case Children:
		net.Reply(M{Type: Listed, Session: m.Session, List: p.Nodes})
	default:
		l.read(p, net, client, m)
	}
}

// read has the operations about a node that may be gone.
func (l *Latch) read(p *P, net *model.Net[M], client model.ID, m M) {
	at := slices.Index(p.Nodes[:], m.Node)
	switch {
	case m.Type == Owner && at >= 0:
		net.Reply(M{Type: Owned, Session: m.Session, Node: m.Node})
	case m.Type == Owner:
		net.Reply(M{Type: Owned, Session: m.Session})
	case at >= 0:
		net.Rule(watch)
		p.Watchers[at] = p.Watchers[at].With(client)
	default:
		net.Reply(M{Type: NoNode, Session: m.Session, Node: m.Node})
	}
}

// begin begins a session. The one before lives on, where it is not over, until the
// store has waited for it in vain.
func (l *Latch) begin(p *P, net *model.Net[M], client model.ID, session uint8) {
	if session != p.Live.At(client) {
		net.Rule(openSession)
		p.forget(client)
		if slices.ContainsFunc(p.Nodes.all(), func(n Node) bool { return n.Owner == client }) {
			net.SetTimer(pastTimer+model.Timer(client-1), timeout)
		}
		p.Live.Set(client, session)
	}
	l.alive(net, client)
	net.Reply(M{Type: Opened, Session: session})
}

// alive begins the timer of a session anew.
func (l *Latch) alive(net *model.Net[M], client model.ID) {
	if l.Pings {
		net.SetTimer(sessionTimer+model.Timer(client-1), timeout)
	}
}

// expire ends the session of a client, which learns of it when it connects again, or
// when this message has reached it.
func (l *Latch) expire(p *P, net *model.Net[M], client model.ID) {
	session := p.Live.At(client)
	if session == 0 {
		return
	}
	net.Rule(expireSession)
	p.Live.Set(client, 0)
	p.forget(client)
	l.remove(p, net, func(n Node) bool { return n.Owner == client })
	net.SendTo(client, M{Type: Expired, Session: session})
	net.StopTimer(pastTimer + model.Timer(client-1))
	if l.Pings {
		net.StopTimer(sessionTimer + model.Timer(client-1))
	}
}

// expirePast ends the sessions of a client that it has given up itself.
func (l *Latch) expirePast(p *P, net *model.Net[M], client model.ID) {
	net.Rule(expirePast)
	l.remove(p, net, func(n Node) bool { return n.Owner == client && n.Session != p.Live.At(client) })
}

// forget drops the watches of a client.
func (p *P) forget(client model.ID) {
	for i := range p.Watchers {
		p.Watchers[i] = p.Watchers[i].Without(client)
	}
}

// live are the clients with a session.
func (p *P) live(net *model.Net[M]) (s model.Set) {
	for id := range net.Peers().All() {
		if p.Live.At(id) != 0 {
			s = s.With(id)
		}
	}
	return s
}

// create adds a node behind all others.
func (p *P) create(n Node) {
	if at := p.Nodes.len(); at < most {
		p.Nodes[at] = n
		return
	}
	p.Full = true
}

// remove deletes nodes, and tells those who watch them.
func (l *Latch) remove(p *P, net *model.Net[M], which func(n Node) bool) {
	nodes, watchers := p.Nodes, p.Watchers
	p.Nodes, p.Watchers = Nodes{}, [most]model.Set{}
	kept := 0
	for i, n := range nodes.all() {
		if !which(n) {
			p.Nodes[kept], p.Watchers[kept] = n, watchers[i]
			kept++
			continue
		}
		told := watchers[i]
		if l.Single {
			told = p.live(net)
		}
		for client := range told.All() {
			net.SendTo(client, M{Type: Deleted, Session: p.Live.At(client), Node: n})
		}
	}
}
