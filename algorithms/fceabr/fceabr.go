// Package fceabr is FCEABR, the fault-tolerant coordinator election algorithm in
// a bidirectional ring, which elects a surrogate beside the coordinator.
//
// Source: "Fault Tolerant Message Efficient Coordinator Election Algorithm in
// High Traffic Bidirectional Ring Network", International Journal of Information
// Technology and Computer Science 5(1), 2013, pages 15-25: sections III to V.
//
// Assumes: a bidirectional ring with reliable links; each process knows its own
// number, which is unique, and its two neighbours; messages take the same time
// between any two neighbours, hence do not overtake each other. Processes crash;
// that the ring closes round one that did is not said and has to be assumed.
//
// Guarantees, as in the source: whoever finds the coordinator crashed goes on at
// once with the surrogate; both are elected in about N ticks by 2N + N(FPN-1)/FPN
// messages where FPN processes find the crash out; several that do so at once do
// no harm. (Little of that is so: see the claims.)
//
// Deviations, where the paper is silent or contradicts itself:
//
//   - It says to stop the message of a lower initiator, and not when a process
//     forgets the initiators of earlier elections. It has to, or no lower one could
//     ever begin an election again: here the announcement ends an election, and with
//     the first one a process forgets it (end).
//   - "There is no priority for each process to be elected" (III) contradicts the
//     rules, which elect the greatest number.
//   - How a process that comes into the network learns of the coordinator is not
//     said: here by the next message (believes).
//   - A process that two copies meet at counts itself (combine), and the coordinator
//     is not its own surrogate (better).
//   - Messages that come from both sides at the same moment are handled in one step,
//     which the example with an even number of processes needs: a process keeps a
//     message for a tick before it passes it on (pass).
//   - A process does not remember which crashes it has found out, so that an SElection
//     that tells of an older one can have it replace its coordinator (unaware), where
//     V.3 speaks of processes which "didn't notice". That is our choice.
//
// Other readings are in readings.go, the repair is in repaired.go.
//
// Complexity: the paper says O(N) messages and O(N) time. By the rules it is on
// average some N(1+1/2+...+1/FPN) + N messages, up to some N²/4 where all find the
// crash out, and O(N) time. No timeouts.
package fceabr

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Coordinator model.ID // whom it takes for the coordinator
	Surrogate   model.ID // who replaces it when it crashes
	Seen        Known    // of each label, the message that it knows

	// The repair alone has these: which election it knows of, and whether that
	// is over for it.
	Round, Informer uint8
	Over            bool
}

// Seen is what a process remembers of the message with the highest informer
// that it has seen of a label: the three sections, and from which side it came.
// The informer itself has no side until its own message comes home.
type Seen struct {
	Informer, Coordinator, Surrogate model.ID
	From                             model.Port
	Held                             bool // it has yet to be passed on
}

// M is a message: a label and three sections ("three sections format", Fig. 3).
type M struct {
	Label       Label
	Round       uint8 // the repair's: the number of the election
	Informer    model.ID
	Coordinator model.ID
	Surrogate   model.ID
}

// Label is the label of a message. "Four kinds of messages are considered."
type Label uint8

// The labels.
const (
	Election     Label = iota // collects a coordinator and a surrogate
	SElection                 // tells that the surrogate has taken over, and collects a new one
	Coordinator               // announces what Election collected
	SCoordinator              // announces what SElection collected
)

// The rules of the paper.
var (
	rules model.Rules

	begins     = rules.Add("V.1: no coordinator: create an Election message")
	passes     = rules.Add("IV: compare one's own number, pass the message on in the same direction")
	meets      = rules.Add("V.2: one Election from both sides: create a Coordinator message")
	follows    = rules.Add("V.2: a Coordinator or SCoordinator message: learn who is elected, pass it on")
	lower      = rules.Add("V.4: a message of a lower initiator than one with the same label: stop it")
	second     = rules.Add("IV: a second Coordinator or SCoordinator message: stop one of them")
	home       = rules.Add("V: one's own message has gone all around: do not pass it on")
	replaces   = rules.Add("V.3: the coordinator has crashed: replace it by the surrogate, create an SElection message")
	told       = rules.Add("V.3: an SElection message: replace the coordinator by the surrogate")
	meetsAgain = rules.Add("V.4: one SElection from both sides: create an SCoordinator message")
	forgets    = rules.Add("VI: the surrogate has crashed: forget it")
	outdated   = rules.Add("repair: a message of an earlier election: stop it")
	retries    = rules.Add("repair: the election does not end: begin another")
)

// Protocol is the algorithm as in the paper.
type Protocol struct {
	model.Passive[P, M]

	other steps // those of another reading; nil: the methods below
}

// steps are those that readings take in other ways (readings.go, repaired.go).
type steps interface {
	open(p *P, net *model.Net[M], label Label)
	seek(p *P, net *model.Net[M])
	believes(p *P, m M) bool
	compare(label Label, c, s, self model.ID) (model.ID, model.ID)
	combine(m M, seen Seen, self model.ID) (model.ID, model.ID)
	pass(p *P, net *model.Net[M], label Label)
	maker(m M, self model.ID) model.ID
	end(p *P, net *model.Net[M], label Label)
}

// steps returns those of the reading.
func (a *Protocol) steps() steps {
	if a.other != nil {
		return a.other
	}
	return a
}

// Start, V.1: "When there is no coordinator in the system, one process creates
// an Election message."
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Seen[Election].Informer == model.None {
		a.begin(p, net)
	}
}

// Suspect: a process finds out that the coordinator has crashed.
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	switch {
	case who != p.Coordinator:
	case p.Surrogate != model.None:
		// V.3: "they'll tolerate it by replacing the surrogate coordinator to
		// coordinator."
		net.Rule(replaces)
		p.Coordinator, p.Surrogate = p.Surrogate, model.None
		a.steps().seek(p, net)
	default:
		p.Coordinator = model.None
		a.begin(p, net)
	}
}

// begin, V.1: it "puts its number in informer section and coordinator message's
// sections, after it puts zero in the surrogate coordinator section, finally
// it'll send message to its successor and predecessor."
func (a *Protocol) begin(p *P, net *model.Net[M]) {
	net.Rule(begins)
	a.send(p, net, M{Label: Election, Informer: net.Self(), Coordinator: net.Self()})
}

// seek, V.3: "it creates a message, labels it as SElection and puts the last
// surrogate coordinator into coordinator section, zero into surrogate
// coordinator section and its own number into informer."
func (a *Protocol) seek(p *P, net *model.Net[M]) {
	a.send(p, net, M{Label: SElection, Informer: net.Self(), Coordinator: p.Coordinator})
}

// send sends a message of its own both ways.
func (a *Protocol) send(p *P, net *model.Net[M], m M) {
	a.steps().open(p, net, m.Label)
	a.forget(p, net, m.Label)
	p.Seen[m.Label] = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate}
	bothWays(p, net, m)
}

// bothWays sends a message to both neighbours.
func bothWays(p *P, net *model.Net[M], m M) {
	m.Round = p.Round
	net.Send(model.Next, m)
	net.Send(model.Prev, m)
}

// open is the beginning of an election for the process that begins it: it forgets
// the announcement that ended the last one.
func (a *Protocol) open(p *P, net *model.Net[M], label Label) { a.forget(p, net, label+2) }

// Receive handles the four kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Label {
	case Election:
		a.elect(p, net, from, m)
	case SElection:
		// V.3: "Each process in the network which didn't notice about coordinator
		// crash will replace the surrogate coordinator to coordinator by receiving
		// this message."
		if a.unaware(p, net, m) {
			net.Rule(told)
			p.Coordinator, p.Surrogate = m.Coordinator, model.None
		}
		a.elect(p, net, from, m)
	default:
		a.follow(p, net, from, m)
	}
}

// unaware reports whether a process "didn't notice about coordinator crash" that
// an SElection message tells of. The sender of the message did, and a
// coordinator knows better.
func (a *Protocol) unaware(p *P, net *model.Net[M], m M) bool {
	if m.Informer == net.Self() || p.Coordinator == net.Self() || m.Coordinator == p.Coordinator {
		return false
	}
	return a.steps().believes(p, m)
}

// believes reports whether a process takes whoever stands in the coordinator
// section of a message for the coordinator. A Coordinator message is to tell it
// that. An SElection has it "replace the surrogate coordinator to coordinator"
// (V.3): its own surrogate. An SCoordinator is "to inform other processes about
// new surrogate coordinator" (V.4): of its own coordinator. A process that has yet
// to hear of a coordinator takes what comes.
func (a *Protocol) believes(p *P, m M) bool {
	newcomer := p.Coordinator == model.None && p.Seen[Election].Informer == model.None
	switch m.Label {
	case SElection:
		return newcomer || m.Coordinator == p.Surrogate
	case SCoordinator:
		return newcomer || m.Coordinator == p.Coordinator
	}
	return true
}

// elect handles Election and SElection.
func (a *Protocol) elect(p *P, net *model.Net[M], from model.Port, m M) {
	seen := &p.Seen[m.Label]
	switch {
	case m.Informer < seen.Informer:
		// V.4: "two messages with identical labels but different initiators: it
		// will check the initiator numbers and will stop the message with lower
		// initiator."
		net.Rule(lower)

	case m.Informer == seen.Informer && seen.From != 0:
		// V.2: "receive Election messages (which have the same informer number)
		// from its two sides"; V.4: "same as the Coordinator message".
		if seen.From != from {
			a.announce(p, net, m)
		}

	case m.Informer == net.Self():
		// It has gone all around the network.
		net.Rule(home)
		if seen.Informer == m.Informer {
			*seen = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate, From: from}
		}

	default:
		// IV: "during election each process should check its number with surrogate
		// coordinator number in addition to coordinator". V.3: "After that it'll
		// pass the message into network in the same direction it received."
		net.Rule(passes)
		*seen = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate, From: from}
		a.forget(p, net, m.Label+2) // the announcement that ended the last election
		a.steps().pass(p, net, m.Label)
	}
}

// compare has a process compare its own number with those in a message.
func (a *Protocol) compare(label Label, c, s, self model.ID) (model.ID, model.ID) {
	return better(label, c, s, self)
}

// better puts a number among a coordinator and a surrogate, where it belongs. In
// an SElection it can be no more than surrogate.
func better(label Label, c, s, id model.ID) (model.ID, model.ID) {
	switch {
	case id == c:
		return c, s
	case id > c && label == Election:
		return id, c
	}
	return c, max(s, id)
}

// announce, V.2: "it doesn't allow the messages to throw again in the network."
func (a *Protocol) announce(p *P, net *model.Net[M], m M) {
	c, s := a.steps().combine(m, p.Seen[m.Label], net.Self())
	if m.Label == Election {
		net.Rule(meets)
	} else {
		net.Rule(meetsAgain)
	}
	a.steps().end(p, net, m.Label)
	// "After, this process creates a message, labels it as Coordinator message,
	// puts its number into informer, elected coordinator section, and into
	// surrogate coordinator section. Finally new informer (this process) throws
	// this message into the network."
	out := M{Label: m.Label + 2, Informer: a.steps().maker(m, net.Self()), Coordinator: c, Surrogate: s}
	a.learn(p, out)
	a.forget(p, net, out.Label)
	p.Seen[out.Label] = Seen{Informer: out.Informer}
	bothWays(p, net, out)
}

// combine, V.2: "Next it compares the two messages' coordinators and surrogate
// coordinator's number, and then it selects greater ones as coordinator and other
// as surrogate coordinator." Its own number also counts, or it would be left out.
func (a *Protocol) combine(m M, seen Seen, self model.ID) (model.ID, model.ID) {
	c, s := merge(m, seen)
	return a.steps().compare(m.Label, c, s, self)
}

// merge compares the numbers of two messages.
func merge(m M, seen Seen) (model.ID, model.ID) {
	c, s := better(m.Label, m.Coordinator, m.Surrogate, seen.Coordinator)
	return better(m.Label, c, s, seen.Surrogate)
}

// maker is the informer of an announcement: "new informer (this process)".
func (a *Protocol) maker(_ M, self model.ID) model.ID { return self }

// follow handles Coordinator and SCoordinator: "to inform other processes".
func (a *Protocol) follow(p *P, net *model.Net[M], from model.Port, m M) {
	switch seen := p.Seen[m.Label]; {
	case m.Informer < seen.Informer:
		net.Rule(lower) // V.4, as above
	case m.Informer == seen.Informer || m.Informer == net.Self():
		// IV: "if a process receives two Coordinator or Surrogate coordinator
		// message, it'll stop one of them." One of a higher initiator goes on: V.4.
		a.stop(p, net, m.Label)
	default:
		a.adopt(p, net, from, m)
	}
}

// stop stops the second announcement.
func (a *Protocol) stop(p *P, net *model.Net[M], label Label) {
	net.Rule(second)
	a.keep(p, net, label)
}

// adopt takes over what an announcement says, and passes it on.
func (a *Protocol) adopt(p *P, net *model.Net[M], from model.Port, m M) {
	net.Rule(follows)
	a.steps().end(p, net, m.Label-2)
	a.learn(p, m)
	p.Seen[m.Label] = Seen{Informer: m.Informer, Coordinator: m.Coordinator, Surrogate: m.Surrogate, From: from}
	a.steps().pass(p, net, m.Label)
}

// learn has a process take over what an announcement says.
func (a *Protocol) learn(p *P, m M) {
	if a.steps().believes(p, m) {
		p.Coordinator, p.Surrogate = m.Coordinator, m.Surrogate
	}
}

// pass keeps a message for a tick before it is passed on, to see what comes from
// the other side.
func (a *Protocol) pass(p *P, net *model.Net[M], label Label) {
	p.Seen[label].Held = true
	net.SetTimer(model.Timer(label), 1)
}

// Timeout is the end of that tick.
func (a *Protocol) Timeout(p *P, net *model.Net[M], t model.Timer) { a.release(p, net, Label(t)) }

// release passes on a message that a process has held.
func (a *Protocol) release(p *P, net *model.Net[M], label Label) {
	p.Seen[label].Held = false
	a.passOn(p, net, label)
}

// passOn, V.3: it passes the message on in the direction in which it came, with its
// own number compared.
func (a *Protocol) passOn(p *P, net *model.Net[M], label Label) {
	seen := p.Seen[label]
	out := M{Label: label, Round: p.Round, Informer: seen.Informer, Coordinator: seen.Coordinator, Surrogate: seen.Surrogate}
	if label <= SElection {
		out.Coordinator, out.Surrogate = a.steps().compare(label, out.Coordinator, out.Surrogate, net.Self())
	}
	net.Send(seen.From.Opposite(), out)
}

// forget has a process forget a message; one that it holds it passes on first.
func (a *Protocol) forget(p *P, net *model.Net[M], label Label) {
	if p.Seen[label].Held {
		net.StopTimer(model.Timer(label))
		a.release(p, net, label)
	}
	p.Seen[label] = Seen{}
}

// keep has a process not pass on a message that it holds.
func (a *Protocol) keep(p *P, net *model.Net[M], label Label) {
	if p.Seen[label].Held {
		net.StopTimer(model.Timer(label))
		p.Seen[label].Held = false
	}
}

// end is the end of an election for a process: it forgets what it knows of it.
func (a *Protocol) end(p *P, net *model.Net[M], label Label) {
	a.keep(p, net, label)
	p.Seen[label] = Seen{}
}
