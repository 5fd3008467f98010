// Package shirali is the election in groups of a bidirectional ring of Shirali
// et al., as the paper on FCEABR describes it. The original was not read.
//
// Source: "Fault Tolerant Message Efficient Coordinator Election Algorithm in
// High Traffic Bidirectional Ring Network", International Journal of Information
// Technology and Computer Science 5(1), 2013, section II, on reference [16].
//
// Assumes: a bidirectional ring that is closed round processes which are down;
// reliable links in order; unique numbers; each process knows its neighbours. No
// process fails besides the coordinator.
//
// Guarantees, as in the source: "to improve election performance in the
// bidirectional ring topology".
//
// Deviations: the source has one sentence on it: the algorithm "creates groups of
// processes, distributes the election in them, and then it compared group's
// coordinator with each other to elect the main coordinator afterward". The rest
// is ours: that a group lies around a process, its head; that a message which
// comes back from both ends of the group elects its coordinator; that the heads
// compare as Chang and Roberts' processes do; and how large a group is, which is
// a field of Protocol. A verdict on this package is one on the reconstruction.
//
// Complexity: no timeouts. Elections in groups take some 2N messages, the
// comparison N and more, the announcement N.
package shirali

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Coordinator model.ID
	Head        model.ID // the head of the group in which the process is; ⊥ outside of an election
	Back        [2]bool  // of a head: whether the group's election is back from its successor, its predecessor
	Best        model.ID // of a head: the greatest of the group as far as it knows
	Waits       model.ID // of a head: the greatest of the groups' coordinators that came before its own
}

// M is a message.
type M struct {
	Type model.Kind
	// Head is the head of the group in which an Election goes, or a Result.
	Head model.ID
	// Best is the greatest number so far: of a group, or of groups' coordinators.
	Best model.ID
	// Left is how many more processes an Election takes into the group, where
	// groups are limited.
	Left uint8
}

// The kinds of messages.
const (
	Election    model.Kind = iota // creates a group, and collects its greatest number
	Result                        // brings that number from an end of the group to its head
	Compare                       // goes from head to head with a group's coordinator
	Coordinator                   // announces the main coordinator
)

// Protocol is the algorithm.
type Protocol struct {
	// Reach is how many processes a group has on each side of its head; whoever
	// comes next is head of another. 0 is without limit: a group goes as far as
	// the next one, and there are as many as there are processes that notice.
	Reach uint8

	model.Passive[P, M] // nothing is said of processes that come up
}

// Start begins an election, as a process does that notices the crash.
func (x *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Head == model.None {
		x.create(p, net)
	}
}

// Suspect: the process finds out that the coordinator has crashed.
func (x *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Coordinator {
		x.Start(p, net)
	}
}

// create: it "creates groups of processes, distributes the election in them".
// The process is the head of one, whose election goes both ways.
func (x *Protocol) create(p *P, net *model.Net[M]) {
	net.Rule(creates)
	self := net.Self()
	*p = P{Head: self, Best: self}
	m := M{Type: Election, Head: self, Best: self, Left: x.Reach}
	net.Send(model.Next, m)
	net.Send(model.Prev, m)
}

// Receive handles the four kinds of messages.
func (x *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Election:
		x.join(p, net, from, m)
	case Result:
		if m.Head != net.Self() {
			net.Send(from.Opposite(), m)
			return
		}
		x.elect(p, net, from, m)
	case Compare:
		x.compare(p, net, m)
	case Coordinator:
		if p.Head == model.None { // it has gone all around
			net.Rule(home)
			return
		}
		net.Rule(follows)
		*p = P{Coordinator: m.Best}
		net.Send(model.Next, m)
	}
}

// join takes the process into a group, or ends the group before it: it is in one,
// or that one is large enough, and the process is the head of the next.
func (x *Protocol) join(p *P, net *model.Net[M], from model.Port, m M) {
	full := x.Reach > 0 && m.Left == 0
	if p.Head != model.None || full {
		net.Rule(ends)
		net.Reply(M{Type: Result, Head: m.Head, Best: m.Best})
		if p.Head == model.None {
			x.create(p, net)
		}
		return
	}
	net.Rule(joins)
	*p = P{Head: m.Head}
	m.Best = max(m.Best, net.Self())
	if x.Reach > 0 {
		m.Left--
	}
	net.Send(from.Opposite(), m)
}

// elect is the end of the election in a group, when it is back from both sides:
// its coordinator is compared with the others, if there are any.
func (x *Protocol) elect(p *P, net *model.Net[M], from model.Port, m M) {
	p.Best = max(p.Best, m.Best)
	p.Back[side(from)] = true
	if !p.settled() {
		return
	}
	net.Rule(elects)
	net.Send(model.Next, M{Type: Compare, Best: max(p.Best, p.Waits)})
}

// compare, "and then it compared group's coordinator with each other": the
// greatest comes back to the head of its group.
func (x *Protocol) compare(p *P, net *model.Net[M], m M) {
	switch {
	case p.Head != net.Self():
		net.Send(model.Next, m)
	case !p.settled():
		net.Rule(waits)
		p.Waits = max(p.Waits, m.Best)
	case m.Best > p.Best:
		net.Rule(passes)
		net.Send(model.Next, m)
	case m.Best < p.Best:
		net.Rule(stops)
	default:
		// "to elect the main coordinator afterward"
		net.Rule(announces)
		*p = P{Coordinator: m.Best}
		net.Send(model.Next, M{Type: Coordinator, Best: m.Best})
	}
}

// settled reports whether the coordinator of the head's group is elected.
func (p *P) settled() bool { return p.Back == [2]bool{true, true} }

// side numbers the ports of a ring.
func side(port model.Port) int {
	if port == model.Next {
		return 0
	}
	return 1
}

// Settle makes the coordinator known to the process.
func (x *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Belief is the coordinator, and whether the process is in a group.
func (x *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Head != model.None}
}
