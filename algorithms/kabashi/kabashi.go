// Package kabashi is the minimum-ID Bully algorithm of Kabashi, Zeqiri and
// Zabeli: the lowest id wins, and the second lowest wins without an election.
//
// Source: Q. Kabashi, A. Zeqiri, M. Zabeli, "The Reduction of Number Messages
// in Election Bully Algorithm", section IV (rules 1 to 6) and section V (the
// pseudocode), after H. Garcia-Molina, "Elections in a Distributed Computing
// System", IEEE Transactions on Computers C-31(1), 1982.
//
// Assumes: every process can broadcast to all and send to any that it has heard
// of; a synchronous system, reliable delivery in any order, as section II has it
// for the Bully algorithm; the minimum ID that a process may take is known;
// processes crash, join, and come back with the same id.
//
// Guarantees, as the paper has them: at any given time there is one coordinator
// (abstract, rule 6, section VII); the process with the smallest ID is selected;
// safety and liveness of every election algorithm (section I). (It breaks the
// first and the second; the tests and claims say where.)
//
// Deviations: the paper does not say how long a process waits for responses: here
// T, a round trip, for "all processes with smaller ID" cannot be known. A process
// that begins an election names nobody until it is over. A process that joins waits
// for CID without end, as the paper has no time for that; nearly all other readings
// limit the wait (Limited). "The second minimum ID" is always MIN+1, whether or not
// processes with these IDs are there. One that comes back after a crash joins.
// Where the paper contradicts itself or is silent there are readings (readings.go,
// pseudocode.go); the repairs are in repaired.go and asksfirst.go.
//
// Complexity: the paper says 1 message at best and 2b+(n-1) at worst, where a
// broadcast counts as one. T = 2D ticks.
package kabashi

import "bullyproof/model"

// MIN is the minimum ID that a process may take, which all know.
const MIN model.ID = 1

// P is the state of a process P_i.
type P struct {
	Coordinator model.ID // whom it takes for the coordinator
	Mode        Mode
	Smallest    model.ID // the smallest ID that it has had an OK from
}

// M is a message: ELECTION, OK_j, COORDINATOR_k, QUERY or CID_c.
type M struct {
	Type model.Kind
	ID   model.ID // the subscript; ELECTION and QUERY have none
}

// T bounds the wait for responses.
const T model.Timer = 0

// Protocol is the algorithm: the prose of section IV, literally.
type Protocol struct {
	other steps // those of another reading; nil: the methods below
}

// steps are those that readings take in other ways (readings.go).
type steps interface {
	isMinimum(net *model.Net[M]) bool
	secondMinimum(p *P, net *model.Net[M]) bool
}

// steps returns those of the reading.
func (a *Protocol) steps() steps {
	if a.other != nil {
		return a.other
	}
	return a
}

// isMinimum reports whether a process has the minimum ID that a process may take.
func (a *Protocol) isMinimum(net *model.Net[M]) bool { return net.Self() == MIN }

// secondMinimum reports whether a process has the second minimum ID.
func (a *Protocol) secondMinimum(_ *P, net *model.Net[M]) bool { return net.Self() == MIN+1 }

// Start begins the first election: "When the system starts" (section I). "The
// process with the minimum ID does not start an election procedure, but
// automatically becomes the coordinator" (section VI).
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	switch {
	case p.Mode != Idle:
	case a.steps().isMinimum(net):
		a.announceItself(p, net)
	default:
		a.failure(p, net)
	}
}

// Suspect: rule 1, "When process P_i notices a failure of the coordinator".
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Coordinator {
		a.failure(p, net)
	}
}

// failure is the rest of rule 1.
func (a *Protocol) failure(p *P, net *model.Net[M]) {
	if a.steps().secondMinimum(p, net) {
		// "a. If P_i has the second minimum ID, it sends the COORDINATOR_i message (where
		// i is the ID of P_i) to notify the other processes that P_i is now the
		// coordinator."
		net.Rule(rule1a)
		a.announceItself(p, net)
		return
	}
	// "b. If P_i does not have the second minimum ID, it sends the ELECTION message
	// to all processes (broadcasts) and waits for responses."
	net.Rule(rule1b)
	*p = P{Mode: Responses}
	net.Broadcast(M{Type: ELECTION})
	net.SetTimer(T, 2*net.Bound())
}

// announceItself makes the process the coordinator and says so.
func (a *Protocol) announceItself(p *P, net *model.Net[M]) {
	*p = P{Coordinator: net.Self()}
	net.StopTimer(T)
	net.Broadcast(M{COORDINATOR, net.Self()})
}

// Timeout ends a wait: whoever was to answer has.
func (a *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if p.Smallest == model.None {
		// Rule 2: "If process P_i does not receive any responses, then it becomes the
		// coordinator and sends COORDINATOR_i message, where i is the ID of the P_i."
		net.Rule(rule2)
		a.announceItself(p, net)
		return
	}
	// Rule 4: "The process P_i, after receiving the responses from all processes
	// with smaller ID, selects the process with the smallest ID P_k as the
	// coordinator and sends a COORDINATOR_k message to all processes."
	net.Rule(rule4)
	*p = P{Coordinator: p.Smallest}
	net.Broadcast(M{COORDINATOR, p.Coordinator})
}

// Receive handles the five kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case ELECTION:
		a.election(p, net, from.ID())
	case OK:
		// "If any ok message received, find smallest id c from the responses."
		if p.Mode == Responses && (p.Smallest == model.None || m.ID < p.Smallest) {
			p.Smallest = m.ID
		}
	case QUERY:
		a.query(p, net)
	case CID:
		if p.Mode == Answer {
			a.cid(p, net, m.ID)
		}
	case COORDINATOR:
		a.coordinator(p, net, m.ID)
	}
}

// election is rule 3: "If after P_j receives the ELECTION message from P_i, it
// determines that it has a smaller ID than the P_i, then".
func (a *Protocol) election(p *P, net *model.Net[M], i model.ID) {
	j := net.Self()
	switch {
	case j > i:
	case a.steps().secondMinimum(p, net):
		// "a. If it has the second minimum ID, it sends a COORDINATOR_j message."
		net.Rule(rule3a)
		a.announceItself(p, net)
	default:
		// "b. If it does not have the second minimum ID, it sends an OK_j message."
		net.Rule(rule3b)
		net.Reply(M{OK, j})
	}
}

// Init: rule 5, "If a process P_x joins the system, then". On a cold start nobody
// has joined.
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	switch {
	case why == model.Cold:
	case a.steps().isMinimum(net):
		// "It has the minimum ID, it sends a COORDINATOR_x message to all processes to
		// notify them that it is the new coordinator, where x is the ID of P_x."
		net.Rule(rule5a)
		a.announceItself(p, net)
	default:
		a.asksForCoordinator(p, net)
	}
}

// asksForCoordinator: "Otherwise, it sends a QUERY message to all active processes
// (broadcasts)."
func (a *Protocol) asksForCoordinator(p *P, net *model.Net[M]) {
	net.Rule(rule5b)
	p.Mode = Answer
	net.Broadcast(M{Type: QUERY})
}

// query: "The coordinator answers with CID_c message, where c is the ID of the
// coordinator."
func (a *Protocol) query(p *P, net *model.Net[M]) {
	if p.Coordinator == net.Self() {
		net.Rule(rule5c)
		net.Reply(M{CID, net.Self()})
	}
}

// cid: "If the ID of P_x is smaller than c, then it becomes the coordinator and it
// sends the COORDINATOR_x message."
func (a *Protocol) cid(p *P, net *model.Net[M], c model.ID) {
	if net.Self() < c {
		net.Rule(rule5d)
		a.announceItself(p, net)
		return
	}
	net.Rule(rule5e)
	a.follow(p, net, c)
}

// coordinator is rule 6: "When process P_w receives the COORDINATOR_k message, it
// checks if the ID of the new coordinator is higher than its own ID."
func (a *Protocol) coordinator(p *P, net *model.Net[M], k model.ID) {
	switch w := net.Self(); {
	case k > w:
		// "If it is true, then it sends a COORDINATOR_w message to the all processes to
		// notify them that now P_w is the new coordinator."
		net.Rule(rule6a)
		a.announceItself(p, net)
	default:
		net.Rule(rule6b)
		a.follow(p, net, k)
	}
}

// follow takes k for the coordinator, and ends what the process waits for.
func (a *Protocol) follow(p *P, net *model.Net[M], k model.ID) {
	*p = P{Coordinator: k}
	net.StopTimer(T)
}

// Settle makes coordinator known to the process.
func (a *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Wanted is the process with the smallest ID.
func (a *Protocol) Wanted(live model.Set) model.ID { return live.Min() }

// Belief is the coordinator and whether the process waits for anything.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode != Idle}
}
