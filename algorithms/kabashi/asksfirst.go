package kabashi

import (
	"slices"

	"bullyproof/model"
)

// AsksFirst is the algorithm where no two processes hold elections at a time. It is
// a repair of what the paper says of that alone, and costs a broadcast and a round
// trip.
//
// A process that notices the failure says so to all, and waits for a round trip
// before it begins an election by rule 1b. A process that hears of it and has not
// noticed anything leaves it to that one. Of two that say so before they hear of
// each other, at most D apart, the one with the higher ID hears of the other
// before its wait is over, and leaves it to that one. A process that says so
// later, having joined since or noticed another failure, learns it from one that
// is at it already.
//
// A process that has left it to another waits for as long as that one may take, 5D:
// the round trip, the responses, the announcement. If nothing has come by then, the
// other has also failed, and the process notices the failure again.
type AsksFirst struct{ Limited }

// The modes of the repair.
const (
	// Asks is after NOTICED, before an election.
	Asks = Office + 1 + iota
	// LeavesIt is where another is to hold the election.
	LeavesIt
)

// The messages of the repair.
const (
	NOTICED = CID + 1 + iota // with the coordinator that has failed
	HOLD                     // the answer to that of a process that is at it already
)

// The rules of the repair.
var (
	noticed  = ignores
	leavesIt = ignores + 1
)

// Names returns the vocabulary of the paper, and of the change.
func (f AsksFirst) Names() model.Names {
	names := f.Protocol.Names()
	names.Kinds = append(slices.Clone(names.Kinds), "NOTICED", "HOLD")
	names.Rules = append(names.Rules,
		"notices the failure: broadcast NOTICED, wait for others",
		"NOTICED or HOLD: leave the election to another")
	return names
}

// Start is as in Protocol, except for the question before the election.
func (f AsksFirst) Start(p *P, net *model.Net[M]) {
	switch {
	case p.Mode != Idle:
	case f.isMinimum(net):
		f.announceItself(p, net)
	default:
		f.asks(p, net)
	}
}

// Suspect is as in Protocol, except for the question before the election.
func (f AsksFirst) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Coordinator {
		f.asks(p, net)
	}
}

// asks is rule 1, where rule 1b comes later.
func (f AsksFirst) asks(p *P, net *model.Net[M]) {
	if f.secondMinimum(p, net) {
		f.failure(p, net)
		return
	}
	net.Rule(noticed)
	p.Mode = Asks
	net.Broadcast(M{NOTICED, p.Coordinator})
	net.SetTimer(T, 2*net.Bound())
}

// Receive is as in Protocol, except for NOTICED.
func (f AsksFirst) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	switch {
	case m.Type != NOTICED && m.Type != HOLD:
		f.Protocol.Receive(p, net, from, m)
	case m.Type == NOTICED && (p.Mode == Responses || p.Mode == Asks && net.Self() < from.ID()):
		net.Reply(M{Type: HOLD})
	case p.Mode == Asks, p.Mode == LeavesIt, p.Mode == Idle && p.Coordinator == m.ID && m.ID != net.Self():
		net.Rule(leavesIt)
		p.Mode = LeavesIt
		net.SetTimer(T, 5*net.Bound())
	}
}

// Timeout is as in Protocol, except for the wait after NOTICED, and who is
// not answered asks.
func (f AsksFirst) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch {
	case p.Mode == Asks:
		f.failure(p, net)
	case p.Mode == LeavesIt && p.Coordinator != model.None:
		p.Mode = Idle // and notices the failure again, if it lasts
	case p.Mode == LeavesIt, p.Mode == Answer:
		f.asks(p, net)
	default:
		f.Limited.Timeout(p, net, t)
	}
}

// Belief is as in Protocol. A process takes part in no election before it begins
// one.
func (f AsksFirst) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Coordinator, Participant: p.Mode == Responses || p.Mode == Answer}
}
