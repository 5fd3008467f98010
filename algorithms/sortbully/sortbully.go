// Package sortbully is the modified Bully algorithm that sorts, with which
// Effatparvar and others compare their fault-tolerant one.
//
// Source: M. Effatparvar, M. R. Effatparvar, A. Bemana, M. Dehghan,
// "Determining a Central Controlling Processor with Fault Tolerant Method in
// Distributed System", ITNG 2007, of which we have no more than what
// M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani, A. Khonsari,
// "Improved Algorithms for Leader Election in Distributed Systems", ICCET 2010,
// say in section 2: "a new approach based on a sort mechanism to reduce the
// number of messages", which "may, however, consume more time with regard to the
// actual Bully algorithm in finding and electing the leader". The paper on FCEABR
// (International Journal of Information Technology and Computer Science 5(1),
// 2013, section II) says of its reference [15] that Effatparvar "modified bully
// algorithm to alleviate exchanged message numbers during election and also ring
// algorithm to apply fault tolerance to it by choosing another process as
// surrogate coordinator": package surrogatering has the ring.
//
// Assumes: every process knows the ids of all others and can send to each;
// reliable delivery within a known bound D; nodes crash.
//
// Guarantees, as that paper asks of every election algorithm: a single node
// enters the elected state, and every node ends elected or not elected. Both
// hold where nodes crash and nothing is lost.
//
// Deviations: the rules below are a reconstruction, not a quotation. The node
// that notices asks all higher ones, sorts the ids of those that respond, and
// grants the first of the list, which announces itself to all. The announcement
// is also what tells that the grant arrived: without it the next of the list has
// its turn, and after the last the node announces itself. Whether it waits for
// the announcement is a field of Protocol. A verdict on this package is one on
// the reconstruction.
//
// Complexity: 2(n-i)+(n-1) messages where node i notices. Each wait takes 2D
// ticks.
package sortbully

import "bullyproof/model"

// P is the state of a node.
type P struct {
	Elected model.ID  // the leader
	Mode    Mode      // what it waits for
	List    model.Set // who responded and has not been granted; sorted: the highest comes first
}

// Mode is what a node waits for.
type Mode uint8

const (
	// Idle nodes take part in no election.
	Idle Mode = iota
	// Collecting nodes noticed the crash and wait for responses.
	Collecting
	// Granted nodes granted the first of their list and wait for its
	// announcement.
	Granted
)

// String returns what the node waits for, in words.
func (m Mode) String() string {
	return [...]string{"idle", "waits for responses", "waits for the one that it granted"}[m]
}

// M is a message: election, OK(id), grant or coordinator(id).
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	Election    model.Kind = iota // asks a higher node for its id
	OK                            // responds with it
	Grant                         // tells a node that it is to be the leader
	Coordinator                   // announces the leader
)

// Wait is the timer that bounds the wait for responses, and that for the
// announcement of the node that was granted.
const Wait model.Timer = 0

// Protocol is the algorithm. Its zero value waits for the announcement.
type Protocol struct {
	model.Passive[P, M] // nothing is said of nodes that come up

	// Trusts has a node be done when it has granted the highest of its list. If
	// that one has crashed by then, whoever still names the crashed leader notices
	// once more.
	Trusts bool
}

// Start begins an election, as a node does that notices the crash.
func (s *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		s.ask(p, net)
	}
}

// Suspect: the node notices that the leader has crashed.
func (s *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		net.Rule(notices)
		s.ask(p, net)
	}
}

func (s *Protocol) ask(p *P, net *model.Net[M]) {
	p.Mode, p.List = Collecting, 0
	net.SendAll(net.Higher(), M{Type: Election})
	net.SetTimer(Wait, 2*net.Bound())
}

// Receive handles the four kinds of messages.
func (s *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch m.Type {
	case Election: // respond with one's id, and do nothing else
		net.Rule(responds)
		net.Reply(M{OK, net.Self()})
	case OK: // put it on the list
		if p.Mode == Collecting {
			p.List = p.List.With(m.ID)
		}
	case Grant: // be the leader, and announce it to all
		net.Rule(announces)
		s.announce(p, net)
	case Coordinator: // follow it; what the node waits for is over
		net.Rule(follows)
		s.settle(p, net, m.ID)
	}
}

// Timeout ends a wait: the first of the sorted list is granted, after the
// responses and after each announcement that did not come; where there is none,
// the node announces itself.
func (s *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	first := p.List.Max()
	switch {
	case first == model.None && p.Mode == Collecting:
		net.Rule(unanswered)
		s.announce(p, net)
		return
	case first == model.None:
		net.Rule(exhausted)
		s.announce(p, net)
		return
	case p.Mode == Collecting:
		net.Rule(grants)
	default:
		net.Rule(next)
	}
	net.SendTo(first, M{Type: Grant})
	if s.Trusts {
		s.settle(p, net, first)
		return
	}
	p.Mode, p.List = Granted, p.List.Without(first)
	net.SetTimer(Wait, 2*net.Bound()) // for the grant and for the announcement
}

// announce makes the node the leader and tells all others.
func (s *Protocol) announce(p *P, net *model.Net[M]) {
	s.settle(p, net, net.Self())
	net.Broadcast(M{Coordinator, net.Self()})
}

// settle names a leader and ends what the node waits for.
func (s *Protocol) settle(p *P, net *model.Net[M], leader model.ID) {
	p.Elected, p.Mode, p.List = leader, Idle, 0
	net.StopTimer(Wait)
}

// Settle makes the leader known to the node.
func (s *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is the leader and whether the node waits for something.
func (s *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Idle}
}
