// Package murshedallen is the improved Bully algorithm of Murshed and Allen for
// synchronous systems: elections among the upper half of the processes.
//
// Source: Q. Kabashi, A. Zeqiri, M. Zabeli, "The Reduction of Number Messages
// in Election Bully Algorithm", section III (rules 1 to 4), which tells of
// M. G. Murshed, A. R. Allen, "Enhanced Bully Algorithm for Leader Node Election
// in Synchronous Distributed Systems", Computers 1, 2012, pages 3-23. What is
// judged here is what the former says.
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
// process that joins and has no answer in time begins an election (so does one
// that has nobody to ask), and the first answer is the one that counts; one that
// comes back after a crash joins. "N/2" Candidates are half of the processes
// rounded up, the coordinator among them, as Table I needs. Where the source
// leaves more than that open, Protocol has a field.
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
	Candidates  model.Set // the Candidate set that it was told of last; empty: the upper half
}

// Mode is what a process waits for.
type Mode uint8

const (
	// Idle processes take part in no election.
	Idle Mode = iota
	// AskedCandidates is after election to Candidate processes: wait for OK.
	AskedCandidates
	// AskedOrdinary is after election to Ordinary processes: wait for OK.
	AskedOrdinary
	// Joining is after query: wait for answer.
	Joining
	// TieBreak is before an election in the variant tie-breaker.
	TieBreak
	// Office is after coordinator in the repaired variant: wait until all have it.
	Office
)

// String returns what the process waits for, in words.
func (m Mode) String() string {
	return [...]string{
		"idle", "waits for OK of Candidates", "waits for OK of Ordinary processes", "waits for answer",
		"waits for others to begin", "waits to take office",
	}[m]
}

// M is a message.
type M struct {
	Kind       Kind
	ID         model.ID  // OK: its sender; coordinator and answer: the coordinator; election: the detector
	Failed     model.ID  // election: the coordinator that has failed
	Candidates model.Set // coordinator and answer: the Candidate set
}

// Kind is the kind of a message.
type Kind uint8

// The kinds of messages.
const (
	Election Kind = iota
	OK
	Coordinator
	Query
	Answer
)

// T bounds the wait for OK and for answer messages.
const T model.Timer = 0

// candidates returns the Candidate set as a process knows it: the upper half of
// all, unless it was told of another one. "Any Candidate process has a higher
// identifier than any Ordinary process."
func candidates(p *P, net *model.Net[M]) model.Set {
	if p.Candidates.Empty() {
		return upto(net.N()) &^ upto(net.N()/2)
	}
	return p.Candidates
}

// upto returns the processes with ids up to n.
func upto(n int) model.Set { return model.Upto(model.ID(n)) }

// Init: rule 4, "A new process joins the system". It knows which set it belongs to.
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Cold {
		return
	}
	ask := candidates(p, net) // "a. If it belongs to the Ordinary set it sends a query message to the Candidate processes;"
	if ask.Has(net.Self()) {
		ask &= net.Higher() // "otherwise [...] to the Candidate processes that have higher IDs."
	}
	if ask.Empty() && !a.WaitsForAnswer {
		a.begin(p, net)
		return
	}
	net.Rule(rule4a)
	p.Mode = Joining
	net.SendAll(ask, M{Kind: Query})
	if !a.WaitsForAnswer {
		net.Set(T, 2*net.Bound())
	}
}

// Start begins the first election.
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		a.begin(p, net)
	}
}

// Suspect: rule 1, "A process detects the failure of the coordinator".
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	switch {
	case p.Mode != Idle || who != p.Coordinator:
	case a.TieBreaker:
		net.Rule(holdsBack)
		p.Mode = TieBreak
		net.Set(T, 1+(net.N()-int(net.Self()))*(net.Bound()+1))
	default:
		a.begin(p, net)
	}
}

// begin begins an election: rule 1a and 1b.
func (a *Protocol) begin(p *P, net *model.Net[M]) {
	net.Stop(T)
	*p = P{Mode: AskedCandidates, Failed: p.Coordinator, Candidates: p.Candidates}
	among := candidates(p, net)
	if a.KnowsDown && p.Failed != model.None {
		among = among.Without(p.Failed)
	}
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

// ask sends election to processes and waits for them. "The election message
// contains the ID of the failure detector process and the ID of the failure
// coordinator."
func (a *Protocol) ask(p *P, net *model.Net[M], whom model.Set) {
	if whom.Empty() {
		a.chooses(p, net)
		return
	}
	net.SendAll(whom, M{Kind: Election, ID: net.Self(), Failed: p.Failed})
	net.Set(T, 2*net.Bound())
}

// Receive handles the five kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch m.Kind {
	case Election:
		a.election(p, net, m)
	case OK:
		if p.Mode == AskedCandidates || p.Mode == AskedOrdinary {
			p.Highest = max(p.Highest, m.ID)
		}
	case Coordinator:
		a.coordinator(p, net, m)
	case Query:
		// Rule 4: "b. When a process receives a query message, it answers with an
		// answer message, to which it attaches the ID of the coordinator and the
		// Candidate set." Who knows of no coordinator has nothing to attach.
		switch {
		case p.Mode == Office:
			net.Reply(M{Kind: Answer, ID: net.Self(), Candidates: candidates(p, net)})
		case p.Coordinator != model.None:
			net.Rule(rule4b)
			net.Reply(M{Kind: Answer, ID: p.Coordinator, Candidates: candidates(p, net)})
		}
	case Answer:
		a.answer(p, net, m)
	}
}

// election is rule 2: "When a process receives the election message, it answers
// with an OK message and attaches its ID to it."
func (a *Protocol) election(p *P, net *model.Net[M], m M) {
	if p.Mode == TieBreak {
		net.Stop(T) // somebody else was first
		p.Mode = Idle
	}
	if a.AnswersLeader && p.Coordinator != model.None && p.Coordinator != m.Failed {
		// Rule 1: "The respective answer message contains the process IDs of the
		// leader and Candidate set."
		net.Rule(tells)
		net.Reply(M{Kind: Answer, ID: p.Coordinator, Candidates: candidates(p, net)})
		return
	}
	net.Rule(rule2)
	net.Reply(M{Kind: OK, ID: net.Self()})
}

// answer is the end of rule 4.
func (a *Protocol) answer(p *P, net *model.Net[M], m M) {
	switch {
	case p.Mode == Joining && a.Repaired:
		p.Coordinator = max(p.Coordinator, m.ID) // and goes on waiting
	case p.Mode == Joining:
		a.joins(p, net, m)
	case a.AnswersLeader && (p.Mode == AskedCandidates || p.Mode == AskedOrdinary):
		a.follow(p, net, m)
	}
}

// joins: "c. If the process which receives the answer message has a higher ID
// than the ID of the current coordinator, it initiates a new election procedure."
func (a *Protocol) joins(p *P, net *model.Net[M], m M) {
	if net.Self() > m.ID {
		net.Rule(rule4c)
		a.begin(p, net)
		return
	}
	net.Rule(rule4d)
	a.follow(p, net, m)
}

// coordinator is what a coordinator message does: its receiver follows.
func (a *Protocol) coordinator(p *P, net *model.Net[M], m M) {
	has := p.Coordinator
	if p.Mode == Office {
		has = net.Self()
	}
	switch {
	case a.KeepsHigher && has > m.ID && !(a.Repaired && has == net.Self()):
		net.Rule(keeps)
	case a.Repaired && m.ID <= net.Self():
		a.objects(p, net, m.ID, has)
	case p.Mode == Joining && a.Repaired:
		p.Coordinator = m.ID // and goes on waiting
	case a.GoesOn && (p.Mode == AskedCandidates || p.Mode == AskedOrdinary):
		net.Rule(follows)
		p.Coordinator = m.ID // and goes on with its election
	default:
		net.Rule(follows)
		a.follow(p, net, m)
	}
}

// objects is what a process of the repaired variant does when it, or a process
// with a lower id, is announced. It has a coordinator, perhaps itself, but none
// with a higher id.
func (a *Protocol) objects(p *P, net *model.Net[M], announced, has model.ID) {
	self := net.Self()
	switch {
	case p.Mode == AskedCandidates || p.Mode == AskedOrdinary || p.Mode == Joining:
		net.Rule(keeps) // what it waits for will tell
	case announced == self && has != self:
		net.Rule(chosen)
		a.announces(p, net, self)
	case announced < self && has == self:
		net.Rule(insists)
		a.announces(p, net, self)
	case announced < self:
		net.Rule(bullies)
		a.begin(p, net)
	}
}

// follow takes a coordinator and its Candidate set, and ends what the process
// waits for.
func (a *Protocol) follow(p *P, net *model.Net[M], m M) {
	*p = P{Coordinator: m.ID}
	if a.Rearranges {
		p.Candidates = m.Candidates
	}
	net.Stop(T)
}

// Timeout: nobody is left to wait for.
func (a *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	switch {
	case p.Mode == Office:
		net.Rule(office)
		*p = P{Coordinator: net.Self(), Candidates: p.Candidates}
	case p.Mode == Joining && p.Coordinator != model.None:
		a.joins(p, net, M{ID: p.Coordinator}) // repaired: the highest that it was told of
	case p.Mode == Joining:
		a.begin(p, net)
	case p.Mode == TieBreak:
		a.begin(p, net)
	case p.Mode == AskedCandidates && p.Highest == model.None && !candidates(p, net).Has(net.Self()):
		// Rule 1a: "If it does not receive any answer from any Candidate process, then
		// it sends the election message to the Ordinary processes that have higher
		// IDs."
		net.Rule(rule1c)
		p.Mode = AskedOrdinary
		a.ask(p, net, net.Higher()&^candidates(p, net))
	default:
		a.chooses(p, net)
	}
}

// chooses is rule 3: "The electioneer process, after receiving all OK messages,
// selects the process with the highest ID as the coordinator".
func (a *Protocol) chooses(p *P, net *model.Net[M]) {
	net.Rule(rule3)
	a.announces(p, net, max(p.Highest, net.Self()))
}

// announces: "and sends the coordinator message, to which it attaches the ID of
// the coordinator and the Candidate set, to all processes".
func (a *Protocol) announces(p *P, net *model.Net[M], coordinator model.ID) {
	if a.Rearranges {
		// "The set cardinality must be rearranged" (section III.A): the coordinator
		// and those below it, as many as before.
		half := candidates(p, net).Len()
		p.Candidates = upto(int(coordinator)) &^ upto(max(0, int(coordinator)-half))
	}
	*p = P{Coordinator: coordinator, Candidates: p.Candidates}
	net.SendAll(net.Peers(), M{Kind: Coordinator, ID: coordinator, Candidates: candidates(p, net)})
	net.Stop(T)
	if a.Repaired && coordinator == net.Self() {
		*p = P{Mode: Office}
		net.Set(T, 2*net.Bound())
	}
}

// Settle makes coordinator known to the process.
func (a *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Coordinator = coordinator }

// Belief is the coordinator and whether the process waits for anything.
func (a *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode != Idle}
}
