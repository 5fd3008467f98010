package paxoslease

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what steps 1 to 5 do: how far an attempt is, whether a request has a ballot
// number that is too low, and whether a response is of the proposer's attempt.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		switch {
		case p.Silent:
			return "restarted"
		case p.Held != Ballot{}:
			return "owner"
		}
		return p.Phase.String()
	},
	Message: func(p *P, m model.Message) string { return standing(p, m.(M)) },
}

// standing says how the ballot number of a message stands to those of a node. That of an attempt
// is a proposer's also when it has the lease by it.
func standing(p *P, m M) string {
	switch {
	case m.Type == PrepareRequest || m.Type == ProposeRequest:
		if m.Ballot.less(p.Promised) {
			return "too low"
		}
		return "high enough"
	case m.Ballot == p.Ballot || m.Ballot == p.Held:
		return "of its attempt"
	}
	return "of another attempt"
}

// does has the answers that the code does not give.
func does(l *Lease) silence.Does[P, M] {
	proposes := func(p *P, net *model.Net[M], e *event) {
		request := M{Type: ProposeRequest, Ballot: e.Message.Ballot, Span: uint8(l.span(net))}
		net.Broadcast(request)
		if r, ok := l.accept(p, net, request); ok {
			l.accepted(p, net, net.Self(), r)
		}
	}
	return silence.Does[P, M]{
		"one-more-open/proposes-again": proposes,
		"one-more-open/starts-anew": func(p *P, net *model.Net[M], e *event) {
			net.SetTimer(p.timer(), l.span(net))
			proposes(p, net, e)
		},
	}
}

// silent is the paper, in which its silences are answered. Two attempts of a proposer are explored.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](shorter, sorter, does(shorter))}}

var shorter = with(func(l *Lease) { l.Runs = 2 })
