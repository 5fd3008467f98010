package omega

import "bullyproof/model"

// Heartbeats is the "simple solution" of Malkhi, Oprea and Zhou, section 2, for a bound on delays
// that is known. (They have it from L. Lamport and others.)
type Heartbeats struct {
	base
	// Longer has a process look at who it heard from in a period and the longest delay, instead
	// of the period alone.
	Longer bool
}

// period is how often processes send.
func period(net *model.Net[M]) int { return 1 + net.Bound() }

// Init has a process begin to send.
func (h *Heartbeats) Init(p *P, net *model.Net[M], _ model.Boot) {
	p.Leader = net.Self()
	h.send(net)
	if h.Longer {
		net.SetTimer(collect, period(net)+net.Bound())
	}
}

// send is: "Periodically send alive messages from all to all".
func (h *Heartbeats) send(net *model.Net[M]) {
	net.Rule(sends)
	net.Broadcast(M{Type: Alive})
	net.SetTimer(beat, period(net))
}

// Timeout is the end of a period, or of the time in which a process collects.
func (h *Heartbeats) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == beat {
		h.send(net)
	}
	if (t == collect) == h.Longer {
		h.elect(p, net)
	}
	if t == collect {
		net.SetTimer(collect, period(net)+net.Bound())
	}
}

// elect is: "Each process elects as leader the process with the lowest process id from its view."
func (h *Heartbeats) elect(p *P, net *model.Net[M]) {
	net.Rule(elects)
	p.Leader = p.Alive.With(net.Self()).Min()
	p.Alive = 0
}

// Receive has a process note from whom it hears.
func (h *Heartbeats) Receive(p *P, _ *model.Net[M], from model.Port, _ M) {
	p.Alive = p.Alive.With(from.ID())
}

// A Monarch is Algorithm 2.8 of the book, "Monarchical Eventual Leader Detection", with Algorithm
// 2.7 below it, the failure detector "Increasing Timeout". The bound on delays is not known.
type Monarch struct {
	base
	// Fixed has the timeout not grow.
	Fixed bool
}

// Init is: "alive := Π; suspected := ∅; delay := Δ; starttimer(delay)". Nobody is suspected, and P1
// is the leader.
func (m *Monarch) Init(p *P, net *model.Net[M], _ model.Boot) {
	*p = P{Leader: 1, Alive: net.Peers(), Delay: 1}
	net.SetTimer(beat, int(p.Delay))
}

// Timeout suspects who has not replied, and restores who was suspected and has.
func (m *Monarch) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if p.Alive&p.Suspected != 0 && !m.Fixed {
		net.Rule(grows)
		p.Delay++
	}
	if net.Peers()&^p.Alive&^p.Suspected != 0 {
		net.Rule(suspects)
	}
	if p.Alive&p.Suspected != 0 {
		net.Rule(restores)
	}
	m.trust(p, net, net.Peers()&^p.Alive)
	net.Broadcast(M{Type: Request})
	p.Alive = 0
	net.SetTimer(beat, int(p.Delay))
}

// trust is: "upon leader ≠ maxrank(Π \ suspected) do leader := maxrank(Π \ suspected)".
func (m *Monarch) trust(p *P, net *model.Net[M], suspected model.Set) {
	p.Suspected = suspected
	p.Leader = (net.Peers().With(net.Self()) &^ suspected).Min()
}

// Receive replies to a request, and notes a reply.
func (m *Monarch) Receive(p *P, net *model.Net[M], from model.Port, received M) {
	if received.Type == Request {
		net.Reply(M{Type: Reply})
		return
	}
	p.Alive = p.Alive.With(from.ID())
}
