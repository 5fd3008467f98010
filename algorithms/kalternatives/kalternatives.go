// Package kalternatives is the election of a coordinator together with k
// alternatives, who take its place one after the other.
//
// Source: M. Gholipour, M. S. Kordafshari, M. Jahanshahi, A. M. Rahmani, A New
// Approach for Election Algorithm in Distributed Systems, CTRQ 2009, in the two
// sentences with which the paper on FCEABR (International Journal of Information
// Technology and Computer Science 5(1), 2013, section II) describes it: it is
// "based on Bully which elects k alternatives in addition to coordinator. After
// coordinator failure, alternatives are replaced as coordinator in the system, so
// there won't be any need to launch new election until k-1 alternatives will
// fail". The rules below are what follows from that; the original was not at
// hand.
//
// Assumes: every process can send to every other; reliable delivery within D;
// processes crash, and come back with the same id.
//
// Deviations: who finds the coordinator down strikes it off the list. The next
// step is read in two ways: it tells the others (Tells), or each strikes off by
// itself what its own failure detector reports.
//
// Complexity: N-1 messages for a failure, or none; 3(N-1) for an election.
package kalternatives

import "bullyproof/model"

// Most is the greatest number of alternatives.
const Most = 3

// A List is the coordinator and its alternatives in their order, None behind
// the last.
type List [Most + 1]model.ID

// P is the state of a process.
type P struct {
	List    List // the first is the coordinator
	Elects  bool
	Answers model.Set // who has answered in this election

	Inquires bool // of the repair: it has come up, and asks who leads
	Heard    List // of the repair: the shortest list that it was told
	Busy     bool // of the repair: somebody holds an election
}

// M is a message.
type M struct {
	Type model.Kind
	List List // of Alternatives and Next
	Busy bool // of the repair: the sender holds an election
}

// The kinds of messages.
const (
	Election     model.Kind = iota // who is there?
	OK                             // I am
	Alternatives                   // the coordinator and the alternatives that were elected
	Next                           // the coordinator is down: what is left of the list
)

// T bounds the wait for OK.
const T model.Timer = 0

var (
	rules model.Rules

	replaces = rules.Add("the coordinator is down: the next alternative takes its place")
	elects   = rules.Add("hold an election: ask everybody")
	decides  = rules.Add("the highest are coordinator and alternatives")
	answers  = rules.Add("asked: answer")
	adopts   = rules.Add("ALTERNATIVES: take the list")
	returns  = rules.Add("comes up: hold an election")
	strikes  = rules.Add("NEXT: strike the coordinator off") // of Tells
)

// Protocol is the algorithm.
type Protocol struct {
	// K is the number of alternatives, 1 to Most.
	K int
	// Tells has who finds the coordinator down tell the others who is next.
	Tells bool
}

// Init: a process that comes up holds an election.
func (a *Protocol) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		net.Rule(returns)
		a.Start(p, net)
	}
}

// Start holds an election among all.
func (a *Protocol) Start(p *P, net *model.Net[M]) {
	net.Rule(elects)
	p.Elects, p.Answers = true, 0
	net.Broadcast(M{Type: Election})
	net.SetTimer(T, 2*net.Bound())
}

// Suspect: "After coordinator failure, alternatives are replaced as
// coordinator"; where none is left there is an election.
func (a *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Elects || who != p.List[0] {
		return
	}
	p.List = p.List.next()
	if p.List[0] == model.None {
		a.Start(p, net)
		return
	}
	net.Rule(replaces)
	if a.Tells {
		net.Broadcast(M{Type: Next, List: p.List})
	}
}

// next returns the list without its first.
func (l List) next() (rest List) {
	copy(rest[:], l[1:])
	return rest
}

// Receive handles the four kinds of messages.
func (a *Protocol) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch m.Type {
	case Election:
		net.Rule(answers)
		net.Reply(M{Type: OK})
	case OK:
		if p.Elects {
			p.Answers = p.Answers.With(from.ID())
		}
	case Alternatives:
		net.Rule(adopts)
		p.List, p.Elects, p.Answers = m.List, false, 0
		net.StopTimer(T)
	case Next:
		// Only from a list that the process has: the rest of it.
		if l := p.List.next(); l == m.List {
			net.Rule(strikes)
			p.List = l
		}
	}
}

// Timeout: the 1+K highest that answered are coordinator and alternatives.
func (a *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(decides)
	p.List, p.Elects = a.best(p.Answers.With(net.Self())), false
	p.Answers = 0
	net.Broadcast(M{Type: Alternatives, List: p.List})
}

// best returns the 1+K highest of a set, in falling order.
func (a *Protocol) best(all model.Set) (l List) {
	for i := 0; i <= a.K && !all.Empty(); i++ {
		l[i] = all.Max()
		all = all.Without(l[i])
	}
	return l
}
