// Package surrogatering is the Ring algorithm with a surrogate coordinator of
// Effatparvar et al., as the paper on FCEABR describes it. The original was not
// read.
//
// Source: "Fault Tolerant Message Efficient Coordinator Election Algorithm in
// High Traffic Bidirectional Ring Network", International Journal of Information
// Technology and Computer Science 5(1), 2013, section II, on reference [15]:
// Effatparvar "modified bully algorithm to alleviate exchanged message numbers
// during election and also ring algorithm to apply fault tolerance to it by
// choosing another process as surrogate coordinator". Package sortbully has the
// Bully half.
//
// Assumes: as the Ring algorithm (package silberschatz): a unidirectional ring
// that is closed round processes which are down; each process knows its
// successor, ids are unique, links are reliable.
//
// Guarantees, as in the source: fault tolerance.
//
// Deviations: all but the quoted words is ours. The Ring algorithm is the one that
// the same section describes. Its Coordinator packet has one more number, that of
// the surrogate, who is the second of those that the Election packet collects.
// A field of Protocol says what the surrogate is for. A verdict on this package is
// one on the reconstruction.
//
// Complexity: with n processes that are up, 2n messages for each that notices, as
// the Ring algorithm; variant takes-over: 2n and the way to the surrogate. No
// timeouts.
package surrogatering

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Coordinator, Surrogate model.ID
	Mode                   Mode
}

// Mode is what a process waits for.
type Mode uint8

const (
	// Idle processes wait for nothing.
	Idle Mode = iota
	// Elects is a process whose Election packet is on its way round.
	Elects
)

// String returns the mode's name.
func (m Mode) String() string { return [...]string{"idle", "elects", "reported"}[m] }

// M is a packet.
type M struct {
	Type     model.Kind
	Informer model.ID // who made it
	// Down is the coordinator that has failed; of Election and Crash.
	Down model.ID
	// List holds the processes that an Election packet has collected.
	List model.Set
	// Coordinator and Surrogate are what a Coordinator packet announces. Of Crash,
	// Surrogate is whom it is for; of Election, Coordinator is who has taken over.
	Coordinator, Surrogate model.ID
}

// The kinds of packets.
const (
	Election    model.Kind = iota // collects the processes that are up
	Coordinator                   // announces coordinator and surrogate
)

// Protocol is the algorithm. There is an election when the coordinator has failed, and
// the surrogate is coordinator until that is over. Another reading is in readings.go.
type Protocol struct {
	model.Passive[P, M] // nothing is said of processes that come up
}

// Start begins an election at a cold start.
func (x *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		x.create(p, net, M{})
	}
}

// Suspect: the Ring algorithm's "each process which figures out the failure of the
// coordinator must create an Election packet".
func (x *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if who != p.Coordinator || p.Mode != Idle {
		return
	}
	p.replace(who)
	x.create(p, net, M{Down: who})
}

// replace, "to apply fault tolerance to it": who has failed is replaced by the
// surrogate.
func (p *P) replace(down model.ID) {
	if down != model.None && p.Coordinator == down {
		p.Coordinator, p.Surrogate = p.Surrogate, model.None
	}
}

// create sends an Election packet round.
func (x *Protocol) create(p *P, net *model.Net[M], m M) {
	net.Rule(creates)
	p.Mode = Elects
	m.Type, m.Informer, m.List = Election, net.Self(), model.SetOf(net.Self())
	net.Send(model.Next, m)
}

// Receive handles the two packets.
func (x *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	self := net.Self()
	switch {
	case m.Type == Election && m.Informer != self:
		// "... and collect all active processes numbers."
		net.Rule(collects)
		p.replace(m.Down)
		m.List = m.List.With(self)
		net.Send(model.Next, m)

	case m.Type == Election:
		// "When the packet comes back to informer process, it'll elect coordinator,
		// make a Coordinator packet", and it is "choosing another process as
		// surrogate coordinator".
		net.Rule(elects)
		p.Coordinator, p.Mode = m.List.Max(), Idle
		p.Surrogate = m.List.Without(p.Coordinator).Max()
		net.Send(model.Next, M{Type: Coordinator, Informer: self, Coordinator: p.Coordinator, Surrogate: p.Surrogate})

	case m.Informer != self:
		// "... and broadcast new coordinator's number to the network."
		net.Rule(isTold)
		p.Coordinator, p.Surrogate = m.Coordinator, m.Surrogate
		net.Send(model.Next, m)

	default:
		net.Rule(passed)
	}
}

// Settle makes coordinator and surrogate known to the process.
func (x *Protocol) Settle(p *P, _, coordinator model.ID, live model.Set) {
	p.Coordinator, p.Surrogate = coordinator, live.Without(coordinator).Max()
}

// Belief is the coordinator, and whether the process waits for a packet.
func (x *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode != Idle}
}
