package murshedallen

import "bullyproof/model"

// Limited limits the wait for an answer, which the source does not: a process that joins,
// and that nobody answers in T or that has nobody to ask, begins an election. The readings
// below and the repair embed it.
type Limited struct{ *Protocol }

// Init is as in Protocol, except for a process that has nobody to ask.
func (a Limited) Init(p *P, net *model.Net[M], why model.Boot) {
	if why == model.Cold {
		return
	}
	if whom(p, net).Empty() {
		a.begin(p, net)
		return
	}
	a.Protocol.Init(p, net, why)
	net.SetTimer(T, 2*net.Bound())
}

// Timeout is as in Protocol, and ends the wait for an answer.
func (a Limited) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Joining {
		a.begin(p, net)
		return
	}
	a.Protocol.Timeout(p, net, t)
}

// goesOn has a process that has begun an election go on with it when a coordinator
// message comes. The source is silent.
type goesOn struct{ Limited }

// Receive is as in Protocol, except for a coordinator message.
func (a goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && asked(p) {
		net.Rule(follows)
		p.Coordinator = m.ID
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// knowsDown has a process that detects the failure leave the coordinator that has failed
// out of its election. Rule 1 does not, and Table I counts an election message to it;
// Table II does not.
type knowsDown struct{ Limited }

func (knowsDown) among(p *P, net *model.Net[M]) model.Set {
	if p.Failed == model.None {
		return candidates(p, net)
	}
	return candidates(p, net).Without(p.Failed)
}

// rearranges has the Candidate set that a coordinator message tells of begin at the
// coordinator and go as far down as half of all processes do. Section III.A says that "the
// set cardinality must be rearranged" when a process joins, and no rule does.
type rearranges struct{ Limited }

func (rearranges) chosen(p *P, net *model.Net[M], coordinator model.ID) model.Set {
	half := candidates(p, net).Len()
	return upto(int(coordinator)) &^ upto(max(0, int(coordinator)-half))
}

func (rearranges) told(m M) model.Set { return m.Candidates }

// AnswersLeader is the algorithm where a process that knows of another coordinator
// than the one that the election is about answers by that coordinator, which ends
// the election. Rule 1 speaks of an answer message with the IDs of the leader and
// the Candidate set that belongs to the election message, rule 2 of OK alone; and
// why else would the election message name the coordinator that has failed?
type AnswersLeader struct{ Limited }

var tells = follows + 1

// Names returns the vocabulary of the source, and the answer to election.
func (a AnswersLeader) Names() model.Names {
	names := a.Protocol.Names()
	names.Rules = append(names.Rules, "1: election about another coordinator: answer with the leader")
	return names
}

// Receive is as in Protocol, except for election that comes too late and for
// the answer to it.
func (a AnswersLeader) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type == Election && p.Coordinator != model.None && p.Coordinator != m.Failed:
		// Rule 1: "The respective answer message contains the process IDs of the leader
		// and Candidate set."
		net.Rule(tells)
		net.Reply(M{Type: Answer, ID: p.Coordinator, Candidates: candidates(p, net)})
	case m.Type == Answer && asked(p):
		a.follow(p, net, m)
	default:
		a.Protocol.Receive(p, net, from, m)
	}
}

// TieBreaker is the algorithm where a process that detects the failure waits before
// it begins an election, the longer the lower its id, and leaves it to another that
// begins one meanwhile. The source does not have it; the abstract of Murshed and
// Allen speaks of a "tie breaker time" against elections at the same time, and how
// it is done here is a guess.
type TieBreaker struct{ Limited }

var holdsBack = follows + 1

// HoldsBack is the mode before an election.
const HoldsBack = Joining + 1

// Names returns the vocabulary of the source, and the wait.
func (a TieBreaker) Names() model.Names {
	names := a.Protocol.Names()
	names.Rules = append(names.Rules, "detects the failure: wait for others to begin")
	return names
}

// Suspect has the process wait.
func (a TieBreaker) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Coordinator {
		net.Rule(holdsBack)
		p.Mode = HoldsBack
		net.SetTimer(T, 1+(net.N()-int(net.Self()))*(net.Bound()+1))
	}
}

// Receive is as in Protocol, and election ends the wait: somebody else was first.
func (a TieBreaker) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Mode == HoldsBack {
		net.StopTimer(T)
		p.Mode = Idle
	}
	a.Protocol.Receive(p, net, from, m)
}

// Timeout is as in Protocol, and at the end of the wait the process begins.
func (a TieBreaker) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == HoldsBack {
		a.begin(p, net)
		return
	}
	a.Limited.Timeout(p, net, t)
}

// keepsHigher has a process that has a coordinator, and has not detected its failure,
// ignore coordinator messages with lower ids.
type keepsHigher struct{ Limited }

var keeps = follows + 1

// Names has the rule.
func (a keepsHigher) Names() model.Names {
	names := a.Protocol.Names()
	names.Rules = append(names.Rules, "coordinator with a lower ID than that of the coordinator: ignore it")
	return names
}

// Receive is as in Protocol, except for a coordinator message.
func (a keepsHigher) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Coordinator && p.Coordinator > m.ID {
		net.Rule(keeps)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// The readings that are variants of Algorithm.
var (
	waits         = &Protocol{}
	rules         = Limited{waits}
	knowing       = newKnowsDown()
	answersLeader = AnswersLeader{rules}
	rearranging   = newRearranges()
	tieBreaker    = TieBreaker{rules}
	repaired      = Repaired{keepsHigher{rules}}
)

func newKnowsDown() knowsDown {
	a := knowsDown{Limited{&Protocol{}}}
	a.other = a
	return a
}

func newRearranges() rearranges {
	a := rearranges{Limited{&Protocol{}}}
	a.other = a
	return a
}

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{
		waits, rules, goesOn{rules}, knowing, answersLeader, rearranging, tieBreaker, keepsHigher{rules}, repaired,
	}
}
