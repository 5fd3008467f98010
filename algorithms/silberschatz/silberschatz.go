// Package silberschatz is the ring algorithm that collects the ids of all active
// processes, and the one of Silberschatz and Galvin that it goes back to.
//
// Source: F is the paper on FCEABR, "Fault Tolerant Message Efficient
// Coordinator Election Algorithm in High Traffic Bidirectional Ring Network",
// I.J. Information Technology and Computer Science 1, 2013, section II, which
// describes "the Ring algorithm" in a paragraph. B is A. Silberschatz, P. Galvin,
// "Operating System Concepts", section "Election algorithms", rules 1, 2a, 2b
// and 2c (file book.go), which other papers cite for it: Q. Kabashi, A. Zeqiri, M.
// Zabeli ("the Ring Based Algorithm, proposed by Silberschatz and Galvin").
//
// Assumes: a unidirectional ring that is closed around processes which are down;
// each process knows its successor, ids are unique, links are reliable. Nothing
// is said of time or of the order of messages.
//
// Guarantees: F: a new election follows the failure of the coordinator, and
// elects from "all active processes". M. R. Effatparvar et al. (2010) say of all
// algorithms, this one by name among them, that a single node enters the elected
// state, every node gets into one state or the other, and the election ends.
// (None of that outlives the crash of a process that takes part: see the claims.)
//
// Deviations: F says that the coordinator packet is broadcast; it goes round the
// ring once, as there is no other way. A process has its own packet out once at
// a time, and one that only passes packets on takes no part: it may also notice
// the failure until it is told. Processes that fail do not return: neither
// source says what they would know.
//
// Complexity: with n processes that are up and m that notice, 2mn messages by F
// and n² by B.
package silberschatz

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of a process.
type P struct {
	Elected  model.ID  // the coordinator, ⊥ where none is known
	Informer bool      // F: its own Election packet is on its way round
	List     model.Set // B: the active list, empty where no election is under way
}

// M is a packet of F, or an elect message of B.
type M struct {
	Type model.Kind
	// Informer is the process that made the packet and takes it out again; of
	// elect(i) it is i.
	Informer model.ID
	// Winner is the coordinator that a Coordinator packet announces.
	Winner model.ID
	// List holds the active processes that an Election packet has collected. (The
	// repair has both packets collect, to know where they have been.)
	List model.Set
}

// The kinds of messages.
const (
	// Election collects active processes. (B: elect.)
	Election model.Kind = iota
	// Coordinator announces the new coordinator.
	Coordinator
)

// The rules, one for each sentence of F.
var (
	rules model.Rules

	figuresOut = rules.Add("figures out the failure: create an Election packet")
	collects   = rules.Add("Election: add one's own number and pass it on")
	elects     = rules.Add("one's own Election comes back: elect the coordinator and make a Coordinator packet")
	isTold     = rules.Add("Coordinator: take it over and pass it on")
	passed     = rules.Add("one's own Coordinator comes back: all have been told")
	twice      = rules.Add("a packet comes a second time, and is not one's own: its informer is gone, take it out") // in Repaired, with the next two
	again      = rules.Add("one's own Election has not come back in time: it is lost, create another")
	deposes    = rules.Add("Coordinator: who is elected itself takes it out, since the other one is gone")
)

var names = model.Names{
	Kinds: []string{Election: "Election", Coordinator: "Coordinator"},
	Rules: rules[:twice],
}

// Protocol is the algorithm as F tells it.
type Protocol struct{ model.Passive[P, M] }

// Start begins an election at a cold start, as if the coordinator had failed.
func (r *Protocol) Start(p *P, net *model.Net[M]) { r.create(p, net) }

// Suspect: "Each process which figures out the failure of the coordinator must
// create an Election packet ..."
func (r *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who == p.Elected {
		r.create(p, net)
	}
}

func (r *Protocol) create(p *P, net *model.Net[M]) {
	if p.Informer {
		return
	}
	net.Rule(figuresOut)
	r.send(p, net)
}

func (r *Protocol) send(p *P, net *model.Net[M]) {
	p.Informer = true
	net.Send(model.Next, M{Type: Election, Informer: net.Self(), List: model.SetOf(net.Self())})
}

// Receive handles the two packets.
func (r *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	self := net.Self()
	switch {
	case m.Type == Election && m.Informer != self:
		// "... and collect all active processes numbers."
		net.Rule(collects)
		m.List = m.List.With(self)
		net.Send(model.Next, m)

	case m.Type == Election:
		// "When the packet comes back to informer process, it'll elect coordinator,
		// make a Coordinator packet, and broadcast new coordinator's number to the
		// network."
		net.Rule(elects)
		p.Elected, p.Informer = m.List.Max(), false
		net.Send(model.Next, M{Type: Coordinator, Informer: self, Winner: p.Elected})

	case m.Informer != self:
		net.Rule(isTold)
		p.Elected = m.Winner
		net.Send(model.Next, m)

	default:
		net.Rule(passed)
	}
}

// Settle makes coordinator known to the process.
func (*Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is the coordinator, and whether the process waits for its packet.
func (*Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Informer}
}

// Names returns the vocabulary of F.
func (*Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the message as "Election by 1: {1,3}" or "Coordinator by 1: 3",
// with who has been told if somebody has.
func (m M) String() string { return m.text(m.List != 0) }

func (m M) text(told bool) string {
	text := fmt.Sprintf("%s by %v: ", names.Kinds[m.Type], m.Informer)
	switch {
	case m.Type == Election:
		return text + m.List.String()
	case told:
		return fmt.Sprintf("%s%v, told %v", text, m.Winner, m.List)
	}
	return text + m.Winner.String()
}
