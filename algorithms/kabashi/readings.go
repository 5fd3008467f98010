package kabashi

import "bullyproof/model"

// Limited limits the wait for CID, which the paper does not: a process that joins, and
// that no coordinator answers in T, has noticed its failure (rule 1). The readings below
// and the repairs embed it.
type Limited struct{ *Protocol }

// Init is as in Protocol, and begins the wait.
func (a Limited) Init(p *P, net *model.Net[M], why model.Boot) {
	a.Protocol.Init(p, net, why)
	if p.Mode == Answer {
		net.SetTimer(T, 2*net.Bound())
	}
}

// Timeout is as in Protocol, and ends the wait.
func (a Limited) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Answer {
		a.failure(p, net)
		return
	}
	a.Protocol.Timeout(p, net, t)
}

// sparse has no process have the minimum ID that a process may take, nor the one above
// it: every election is by rule 1b, and every process that joins queries.
type sparse struct{ Limited }

func (sparse) isMinimum(*model.Net[M]) bool { return false }

func (sparse) secondMinimum(*P, *model.Net[M]) bool { return false }

// Names leaves out the rules of the two processes that are not there.
func (sparse) Names() model.Names { return namesTo(rule1a) }

// goesOn has a process that has sent ELECTION collect responses for all of T, and select
// a coordinator then, though it has learned of one. The prose is silent.
type goesOn struct{ Limited }

// Receive is as in Protocol, except for COORDINATOR.
func (a goesOn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if !toldMeanwhile(p, net, m) {
		a.Protocol.Receive(p, net, from, m)
	}
}

// toldMeanwhile has a process that waits for responses note a coordinator and go on, and
// reports whether that was to be done.
func toldMeanwhile(p *P, net *model.Net[M], m M) bool {
	if m.Type != COORDINATOR || m.ID > net.Self() || p.Mode != Responses {
		return false
	}
	net.Rule(rule6b)
	p.Coordinator = m.ID
	return true
}

// knowsAll has the process next above the coordinator that failed be the one with the
// second minimum ID, whichever id that is. To know that, a process has to know all ids;
// the paper says that it knows none (section VI) but the minimum that a process may take,
// so that by itself it can only know whether its own ID is the one above that.
type knowsAll struct{ Limited }

func (knowsAll) secondMinimum(p *P, net *model.Net[M]) bool {
	return p.Coordinator != model.None && net.Self() == p.Coordinator+1
}

// keepsSmaller has a process that takes a process with a smaller ID for the coordinator,
// and has not noticed that it failed, ignore COORDINATOR_k. Rule 6 says of what to do
// with a COORDINATOR_k that is no offence to P_w nothing, and section I that all
// acknowledge the coordinator.
type keepsSmaller struct{ Limited }

// Names has the rule.
func (keepsSmaller) Names() model.Names { return namesTo(listens) }

// Receive is as in Protocol, except for COORDINATOR.
func (a keepsSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR && m.ID <= net.Self() && p.Coordinator != model.None && p.Coordinator < m.ID {
		net.Rule(ignores)
		return
	}
	a.Protocol.Receive(p, net, from, m)
}

// The readings that are variants of Algorithm.
var (
	waits     = &Protocol{}
	prose     = Limited{waits}
	noMinima  = newSparse()
	knowing   = newKnowsAll()
	keeping   = keepsSmaller{prose}
	procedure = pseudocode{waits}
	repaired  = Repaired{keeping}
	asksFirst = AsksFirst{prose}
)

func newSparse() sparse {
	a := sparse{Limited{&Protocol{}}}
	a.other = a
	return a
}

func newKnowsAll() knowsAll {
	a := knowsAll{Limited{&Protocol{}}}
	a.other = a
	return a
}

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{
		waits, prose, noMinima, goesOn{prose}, knowing, keeping, procedure, letter{procedure}, repaired, asksFirst,
	}
}
