package effatparvarring

import "bullyproof/model"

// literal: "the receiving node compares the received ID with its own, and forwards
// whichever is the greatest", always. No message is ever stopped but by the node whose
// id has returned.
type literal struct{ *Protocol }

// Names leaves out the rule that stops messages.
func (literal) Names() model.Names {
	return model.Names{Kinds: kinds, Rules: names.Rules[:stops]}
}

// Receive is as in Protocol, except for a smaller id.
func (e literal) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && m.ID < net.Self() {
		net.Rule(substitutes)
		e.put(p, net, M{ID: net.Self()})
		return
	}
	e.Protocol.Receive(p, net, from, m)
}

// byInformer: "the greatest ID returns back to the initial node", the one that noticed,
// which announces it. A message tells who that is (the paper on FCEABR says so: "just a
// section for informer"), and one of a lower informer is stopped by a node that has put
// that of a higher one into the ring.
type byInformer struct{ *Protocol }

// Start has a node begin at a cold start.
func (e byInformer) Start(p *P, net *model.Net[M]) { e.begin(p, net) }

// Suspect is as in Protocol.
func (e byInformer) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Leader {
		e.begin(p, net)
	}
}

func (e byInformer) begin(p *P, net *model.Net[M]) {
	if !p.Participant {
		net.Rule(notices)
		p.Informer, p.Passed = true, max(p.Passed, net.Self())
		e.put(p, net, M{ID: net.Self(), Informer: net.Self()})
	}
}

// Receive compares informers before ids. The informer takes a message out.
func (e byInformer) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	self := net.Self()
	switch own := m.Informer == self; {
	case m.Type == Coordinate && own:
		net.Rule(last)
	case m.Type == Coordinate:
		e.learn(p, net, m)
	case own && p.Informer:
		net.Rule(declares)
		*p = P{Leader: m.ID}
		net.Send(model.Next, M{Type: Coordinate, ID: m.ID, Informer: self})
	case own || m.Informer < p.Passed:
		net.Rule(stops)
	default:
		e.pass(p, net, m)
	}
}

// pass passes on the greatest id. That does not make a node an informer, nor take part.
func (e byInformer) pass(p *P, net *model.Net[M], m M) {
	p.Passed = m.Informer
	if m.ID > net.Self() {
		net.Rule(forwards)
	} else {
		net.Rule(substitutes)
	}
	m.ID = max(m.ID, net.Self())
	net.Send(model.Next, m)
}

// namesNobody has a node that passes an id on name nobody until it learns of a leader, unless it
// leads. Section 3 does not say whom it names. (In the other readings a node that passes an id on
// takes part, and no row reads whom it names.)
type namesNobody struct{ byInformer }

// Receive is as in byInformer, except for whom a node names.
func (e namesNobody) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if self := net.Self(); m.Informer != self && p.Leader != self {
		p.Leader = model.None
	}
	e.byInformer.Receive(p, net, from, m)
}

// senderOnly is byInformer literally. "If the received ID equals that of the initial
// sender, it declares itself as the leader", and otherwise nobody does.
type senderOnly struct{ byInformer }

// Receive is as in byInformer, except for the return of another id.
func (e senderOnly) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if self := net.Self(); m.Type == Election && m.Informer == self && p.Informer && m.ID != self {
		return
	}
	e.byInformer.Receive(p, net, from, m)
}

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{
		&Protocol{}, literal{&Protocol{}}, byInformer{&Protocol{}}, namesNobody{byInformer{&Protocol{}}}, senderOnly{byInformer{&Protocol{}}}, repaired{&Protocol{}},
	}
}
