// Package murshedallen is the improved Bully algorithm of Murshed and Allen for
// synchronous systems: elections among the upper half of the processes.
//
// Source: Q. Kabashi, A. Zeqiri, M. Zabeli, "The Reduction of Number Messages
// in Election Bully Algorithm", section III (rules 1 to 4), which tells of
// M. G. Murshed, A. R. Allen, "Enhanced Bully Algorithm for Leader Node Election
// in Synchronous Distributed Systems", Computers 1, 2012, pages 3-23. The former
// is judged here.
//
// Assumes: every process knows the id of every other and which of them are
// Candidates, and can send to it; a synchronous system, reliable delivery in any
// order; processes crash, join, and come back with the same id.
//
// Guarantees, as the source has them: the process with the highest id is chosen;
// safety and liveness of every election algorithm (section I).
//
// Deviations: a process waits for T, a round trip, and no longer, where rule 3
// has "after receiving all OK messages". A process that begins an election names
// nobody until it is over, and a message that tells of a coordinator ends it. A
// process that joins waits for an answer without end, even if it has nobody to ask,
// since the source begins an election at an answer alone (rule 4c); nearly all other
// readings limit the wait (Limited). The first answer is the one that counts; a process
// that comes back after a crash joins. "N/2" Candidates are half of the processes
// rounded up, the coordinator among them, as Table I needs. Where the source leaves
// more than that open there is a reading (readings.go); the repair is in repaired.go.
//
// Complexity: the source says O(n) messages at best and O(n²) at worst. T = 2D
// ticks.
package murshedallen

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Coordinator model.ID // whom it takes for the coordinator
	Mode        Mode
	Failed      model.ID  // the coordinator that its election is about
	Highest     model.ID  // the highest id that it has had an OK from
	Candidates  model.Set // the Candidate set that it learned of last; empty: the upper half
}

// M is a message.
type M struct {
	Type       model.Kind
	ID         model.ID  // OK: its sender; coordinator and answer: the coordinator; election: the detector
	Failed     model.ID  // election: the coordinator that has failed
	Candidates model.Set // coordinator and answer: the Candidate set
}

// T bounds the wait for OK and for answer messages.
const T model.Timer = 0

// Protocol is the algorithm: the rules of the source as they stand.
type Protocol struct {
	other steps // those of another reading; nil: the methods below
}

// steps are those that readings take in other ways (readings.go).
type steps interface {
	among(p *P, net *model.Net[M]) model.Set
	chosen(p *P, net *model.Net[M], coordinator model.ID) model.Set
	told(m M) model.Set
}

// steps returns those of the reading.
func (a *Protocol) steps() steps {
	if a.other != nil {
		return a.other
	}
	return a
}

// candidates returns the Candidate set as a process knows it: the upper half of
// all, unless it learned of another one. "Any Candidate process has a higher
// identifier than any Ordinary process."
func candidates(p *P, net *model.Net[M]) model.Set {
	if p.Candidates.Empty() {
		return upto(net.N()) &^ upto(net.N()/2)
	}
	return p.Candidates
}

// upto returns the processes with ids up to n.
func upto(n int) model.Set { return model.Upto(model.ID(n)) }

// Start begins the first election.
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		a.begin(p, net)
	}
}

// Suspect: rule 1, "A process detects the failure of the coordinator".
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Coordinator {
		a.begin(p, net)
	}
}

// begin begins an election, by rule 1.
func (a *Protocol) begin(p *P, net *model.Net[M]) {
	net.StopTimer(T)
	*p = P{Mode: AskedCandidates, Failed: p.Coordinator, Candidates: p.Candidates}
	among := a.steps().among(p, net)
	if among.Has(net.Self()) {
		// "b. If it belongs to the Candidate set it sends an election message to the
		// Candidate processes that have higher IDs."
		net.Rule(rule1b)
		a.ask(p, net, among&net.Higher())
		return
	}
	// "a. If it belongs to the Ordinary set it sends the election message to
	// Candidate processes and waits to receive an OK message."
	net.Rule(rule1a)
	a.ask(p, net, among)
}

// among returns the Candidates that an election is among.
func (a *Protocol) among(p *P, net *model.Net[M]) model.Set { return candidates(p, net) }

// ask sends election to processes and waits for them. "The election message
// contains the ID of the failure detector process and the ID of the failure
// coordinator."
func (a *Protocol) ask(p *P, net *model.Net[M], whom model.Set) {
	if whom.Empty() {
		a.chooses(p, net)
		return
	}
	net.SendAll(whom, M{Type: Election, ID: net.Self(), Failed: p.Failed})
	net.SetTimer(T, 2*net.Bound())
}

// Timeout ends a wait: whoever was to answer has.
func (a *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	switch {
	case p.Mode == AskedCandidates && p.Highest == model.None && !candidates(p, net).Has(net.Self()):
		// "If it does not receive any answer from any Candidate process, then it sends
		// the election message to the Ordinary processes that have higher IDs."
		net.Rule(rule1c)
		p.Mode = AskedOrdinary
		a.ask(p, net, net.Higher()&^candidates(p, net))
	default:
		a.chooses(p, net)
	}
}

// Receive handles the five kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch m.Type {
	case Election:
		// Rule 2: "When a process receives the election message, it answers with an OK
		// message and attaches its ID to it."
		net.Rule(rule2)
		net.Reply(M{Type: OK, ID: net.Self()})
	case OK:
		if asked(p) {
			p.Highest = max(p.Highest, m.ID)
		}
	case Coordinator:
		// The receiver of a coordinator message follows.
		net.Rule(follows)
		a.follow(p, net, m)
	case Query:
		a.query(p, net)
	case Answer:
		if p.Mode == Joining {
			a.answer(p, net, m)
		}
	}
}

// asked reports whether a process waits for OK.
func asked(p *P) bool { return p.Mode == AskedCandidates || p.Mode == AskedOrdinary }

// chooses is rule 3: "The electioneer process, after receiving all OK messages,
// selects the process with the highest ID as the coordinator".
func (a *Protocol) chooses(p *P, net *model.Net[M]) {
	net.Rule(rule3)
	a.announces(p, net, max(p.Highest, net.Self()))
}

// announces: "and sends the coordinator message, to which it attaches the ID of
// the coordinator and the Candidate set, to all processes".
func (a *Protocol) announces(p *P, net *model.Net[M], coordinator model.ID) {
	*p = P{Coordinator: coordinator, Candidates: a.steps().chosen(p, net, coordinator)}
	net.StopTimer(T)
	net.SendAll(net.Peers(), M{Type: Coordinator, ID: coordinator, Candidates: candidates(p, net)})
}

// chosen is the Candidate set that goes with a new coordinator: the rules do not change
// it.
func (a *Protocol) chosen(p *P, _ *model.Net[M], _ model.ID) model.Set { return p.Candidates }

// follow takes a coordinator and its Candidate set, and ends what the process
// waits for.
func (a *Protocol) follow(p *P, net *model.Net[M], m M) {
	*p = P{Coordinator: m.ID, Candidates: a.steps().told(m)}
	net.StopTimer(T)
}

// told is the Candidate set of a process that has learned of a coordinator: always the
// upper half.
func (a *Protocol) told(M) model.Set { return 0 }

// Init: rule 4, "A new process joins the system". It knows which set it belongs to.
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Cold {
		return
	}
	net.Rule(rule4a)
	p.Mode = Joining
	net.SendAll(whom(p, net), M{Type: Query})
}

// whom returns the processes that one asks which joins.
func whom(p *P, net *model.Net[M]) model.Set {
	ask := candidates(p, net) // "a. If it belongs to the Ordinary set it sends a query message to the Candidate processes;"
	if ask.Has(net.Self()) {
		ask &= net.Higher() // "otherwise [...] to the Candidate processes that have higher IDs."
	}
	return ask
}

// query: "b. When a process receives a query message, it answers with an answer
// message, to which it attaches the ID of the coordinator and the Candidate set."
// Who knows of no coordinator has nothing to attach.
func (a *Protocol) query(p *P, net *model.Net[M]) {
	if p.Coordinator != model.None {
		net.Rule(rule4b)
		net.Reply(M{Type: Answer, ID: p.Coordinator, Candidates: candidates(p, net)})
	}
}

// answer: "c. If the process which receives the answer message has a higher ID
// than the ID of the current coordinator, it initiates a new election procedure."
func (a *Protocol) answer(p *P, net *model.Net[M], m M) {
	if net.Self() > m.ID {
		net.Rule(rule4c)
		a.begin(p, net)
		return
	}
	net.Rule(rule4d)
	a.follow(p, net, m)
}

// Settle makes coordinator known to the process.
func (a *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Belief is the coordinator and whether the process waits for anything.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode != Idle}
}
