// Package ingram is the leader election by link reversal of Ingram, Shields, Walter
// and Welch, for networks whose links come and go.
//
// Source: R. Ingram, P. Shields, J. E. Walter, J. L. Welch, "An Asynchronous Leader
// Election Algorithm for Dynamic Networks", IPDPS 2009; R. Ingram, T. Radeva, P.
// Shields, S. Viqar, J. E. Walter, J. L. Welch, "A Leader Election Algorithm for
// Dynamic Networks with Causal Clocks", Distributed Computing 26, 2013. Of the texts the
// abstracts are at hand, and of the rules what the literature and programs tell.
//
// Assumes: links between some processes, which go down and come up; while a link is
// up its messages arrive, in order; both of its ends learn that it goes down or comes
// up; clocks whose values order causes before effects. No bound on delays.
//
// Guarantees: liveness, if links change no more, each connected component has one
// leader from some time on, and each process has a way to it down the heights. Until
// then there may be several leaders, or one that is gone.
//
// Deviations: a link goes down for good, by a cut or with the process at its other
// end, and the failure detector reports that to either end (ChannelDown). Links come up at
// the start, or with a process that joins: what it sends first is ChannelUp to the
// receiver. In the variant closes one link more comes up at any moment, at either
// end by a timer that may expire whenever it likes, or by the first message. No link comes
// up that was up before, except in beacons: the world says so to nobody, and what a short
// cut loses without a report is no part of the paper's model. The clock is Lamport's, and
// counts the events alone whose times are used; messages carry it.
//
// Complexity: no timeouts. A process sends its height to all neighbours when it
// changes.
package ingram

import "bullyproof/model"

// P is the state of a process, a node of the paper.
type P struct {
	Graph   Graph              // as in Protocol: properties ask for it
	N       model.Set          // the neighbours: those whose heights it knows
	Forming model.Set          // those by whose links nothing came yet
	Own     Height             // its height
	Heights model.ByID[Height] // those that its neighbours sent last
	Clock   uint8              // the last time that it knows
}

// A Height is ((τ, oid, r), δ, (nlts, lid), id) without the id, which is that of
// its process. A link is directed from the end that is higher to the one that is lower.
type Height struct {
	Level Level
	Delta int8
	Pair  Pair
}

// A Level is a reference level: a search for a way to the leader.
type Level struct {
	Tau uint8    // when the search began; 0 without one
	Oid model.ID // who began it
	R   bool     // it has come to an end without a way, and is on its way back
}

// A Pair is a leader pair.
type Pair struct {
	Nlts int8     // minus the time at which the leader was elected
	Lid  model.ID // the leader
}

// M is a message: Update(height), with the time of its sender.
type M struct {
	Type   model.Kind
	Height Height
	Clock  uint8
}

// The kinds of messages.
const (
	Update   model.Kind = iota // the height of the sender has changed
	FirstOne                   // the same, from a process that has joined: all its links are new
)

// Protocol is the algorithm.
type Protocol struct {
	model.Passive[P, M] // no timeouts

	// Graph says between whom there may be links.
	Graph Graph
	// Local has a process count its own events alone: its clock takes no notice of the
	// times of others.
	Local bool
}

// A Graph says between whom there may be links.
type Graph uint8

// The graphs.
const (
	Complete Graph = iota // between every two processes
	Chain                 // between P1 and P2, P2 and P3, and so on
	Ring                  // as a chain, and between the first process and the last
)

// String returns the graph's name.
func (g Graph) String() string { return [...]string{"complete", "chain", "ring"}[g] }

// linked reports whether there may be a link between two of n processes.
func (g Graph) linked(n, a, b model.ID) bool {
	switch {
	case g == Complete, a == b+1, b == a+1:
		return true
	}
	return g == Ring && min(a, b) == 1 && max(a, b) == n
}

// Init: a process is its own leader, and its links are forming.
func (l *Protocol) Init(p *P, net *model.Net[M], boot model.Boot) {
	l.begin(p, net, boot, l.links(net))
}

// begin is Init with some links.
func (l *Protocol) begin(p *P, net *model.Net[M], boot model.Boot, links model.Set) {
	*p = P{Graph: l.Graph, Forming: links}
	p.Own = Height{Pair: Pair{Lid: net.Self()}}
	kind := Update
	if boot != model.Cold {
		kind = FirstOne
	}
	l.send(p, net, kind, p.Forming)
}

// links are those that the process may have.
func (l *Protocol) links(net *model.Net[M]) (s model.Set) {
	for id := range net.Peers().All() {
		if l.Graph.linked(model.ID(net.N()), net.Self(), id) {
			s = s.With(id)
		}
	}
	return s
}

// send sends the height of the process to several others.
func (l *Protocol) send(p *P, net *model.Net[M], kind model.Kind, to model.Set) {
	net.SendAll(to, M{kind, p.Own, p.Clock})
}

// Watches: the detector watches the links that are up or forming.
func (l *Protocol) Watches(p *P, _ model.ID) model.Set { return p.N | p.Forming }

// Suspect is ChannelDown: a link has gone down.
func (l *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	old := p.Own
	l.drop(p, who)
	switch {
	case p.N.Empty():
		net.Rule(alone)
		l.electSelf(p, net)
	case l.sink(p, net):
		net.Rule(loses)
		l.startNewLevel(p, net)
	default:
		net.Rule(down)
	}
	l.tell(p, net, old)
}

// drop takes a link away.
func (*Protocol) drop(p *P, who model.ID) {
	p.N, p.Forming = p.N.Without(who), p.Forming.Without(who)
	p.Heights.Set(who, Height{})
}

// Receive handles Update. The first one of a process that has joined is ChannelUp also.
func (l *Protocol) Receive(p *P, net *model.Net[M], port model.Port, m M) {
	from := port.ID()
	switch {
	case m.Type == FirstOne:
		// ChannelUp: the process sends its height by the link.
		net.Rule(up)
		l.send(p, net, Update, model.SetOf(from))
	case !(p.N | p.Forming).Has(from):
		net.Rule(ignores)
		return
	}
	l.note(p, from, m)

	old := p.Own
	switch {
	case m.Height.Pair != old.Pair:
		l.adopt(p, net, m.Height)
	case l.sink(p, net):
		l.reverse(p, net)
	default:
		net.Rule(nothing)
	}
	l.tell(p, net, old)
}

// note keeps what a message says: the height of its sender, and the time.
func (l *Protocol) note(p *P, from model.ID, m M) {
	p.Forming, p.N = p.Forming.Without(from), p.N.With(from)
	p.Heights.Set(from, m.Height)
	if !l.Local {
		p.Clock = max(p.Clock, m.Clock)
	}
}

// tell sends the height of the process if it has changed.
func (l *Protocol) tell(p *P, net *model.Net[M], old Height) {
	if p.Own != old {
		l.send(p, net, Update, p.N|p.Forming)
	}
}

// sink reports whether the process is one: it does not lead, all neighbours have its
// leader pair, and all of them are higher.
func (*Protocol) sink(p *P, net *model.Net[M]) bool {
	self := net.Self()
	if p.Own.Pair.Lid == self {
		return false
	}
	for id := range p.N.All() {
		h := p.Heights.At(id)
		if h.Pair != p.Own.Pair || h.below(id, p.Own, self) {
			return false
		}
	}
	return true
}

// reverse is what a sink does when it has heard from a neighbour: it makes itself
// higher than some of its neighbours, or it knows that there is no way to the leader.
func (l *Protocol) reverse(p *P, net *model.Net[M]) {
	level, same := l.levels(p)
	switch {
	case !same:
		// PropagateLargestRefLevel.
		net.Rule(propagates)
		p.Own.Level, p.Own.Delta = level, l.lowest(p, level)-1
	case level.Tau > 0 && !level.R:
		// ReflectRefLevel.
		net.Rule(reflects)
		p.Own.Level, p.Own.Delta = Level{level.Tau, level.Oid, true}, 0
	case level.Tau > 0 && level.Oid == net.Self():
		// ElectSelf: its own search is back from all neighbours.
		net.Rule(elects)
		l.electSelf(p, net)
	default:
		net.Rule(starts)
		l.startNewLevel(p, net)
	}
}

// levels returns the largest reference level of the neighbours, and whether it is that
// of all.
func (*Protocol) levels(p *P) (largest Level, same bool) {
	smallest := p.Heights.At(p.N.Min()).Level
	largest = smallest
	for id := range p.N.All() {
		level := p.Heights.At(id).Level
		if level.below(smallest) {
			smallest = level
		}
		if largest.below(level) {
			largest = level
		}
	}
	return largest, smallest == largest
}

// lowest returns the smallest δ of the neighbours with a reference level.
func (*Protocol) lowest(p *P, level Level) int8 {
	least := int8(127)
	for id := range p.N.All() {
		if h := p.Heights.At(id); h.Level == level {
			least = min(least, h.Delta)
		}
	}
	return least
}

// startNewLevel is StartNewRefLevel: the process begins a search for a way to the leader.
func (l *Protocol) startNewLevel(p *P, net *model.Net[M]) {
	p.Clock++
	p.Own.Level, p.Own.Delta = Level{Tau: p.Clock, Oid: net.Self()}, 0
}

// electSelf is ElectSelf.
func (l *Protocol) electSelf(p *P, net *model.Net[M]) {
	p.Clock++
	p.Own = Height{Pair: Pair{-int8(p.Clock), net.Self()}}
}

// adopt is AdoptLPIfPriority: the leader that was elected last has priority, and of
// two the one with the smaller id.
func (l *Protocol) adopt(p *P, net *model.Net[M], h Height) {
	if !h.Pair.below(p.Own.Pair) {
		net.Rule(keeps)
		return
	}
	net.Rule(adopts)
	h.Delta++
	p.Own = h
}

// Settle makes heights of a complete graph or a chain in which all know the leader: δ is
// the distance from it.
func (l *Protocol) Settle(p *P, self, coordinator model.ID, live model.Set) {
	distance := func(id model.ID) int8 {
		d := int8(max(id, coordinator) - min(id, coordinator))
		if l.Graph == Complete {
			d = min(d, 1)
		}
		return d
	}
	p.Graph = l.Graph
	p.Own = Height{Delta: distance(self), Pair: Pair{Lid: coordinator}}
	for id := range live.Without(self).All() {
		if l.Graph.linked(model.None, self, id) {
			p.N = p.N.With(id)
			p.Heights.Set(id, Height{Delta: distance(id), Pair: p.Own.Pair})
		}
	}
}

// Wanted is the process that wins if all begin at once.
func (l *Protocol) Wanted(live model.Set) model.ID { return live.Min() }

// Belief is the leader of the leader pair. There is always one.
func (l *Protocol) Belief(p *P) model.Belief { return model.Belief{Elected: p.Own.Pair.Lid} }
