package chubby

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what sections 2.4 to 2.9 do: the master and clients, how a client stands to its
// session and to the lock, and of which session, and of which epoch, a message is.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		if p.Lock == Held && p.Phase != Opening {
			return p.Phase.String() + " with the lock"
		}
		return p.Phase.String()
	},
	Own: func(self model.ID, n int) string {
		if self == model.ID(n) {
			return "the master"
		}
		return "a client"
	},
	MessageFrom: func(p *P, from model.ID, m model.Message) string { return standing(p, from, m.(M)) },
}

// standing says how a message stands to what a process knows: a call to the master's epoch, and to the
// session and the lock of its sender, and an answer to the session of a client, or to its epoch.
func standing(p *P, from model.ID, m M) string {
	switch m.Type {
	case Open, KeepAlive, TryAcquire, Release, Request:
		return p.called(from, m)
	case WrongEpoch:
		if m.Epoch == p.Seen {
			return "of the epoch that it knows"
		}
		return "of another epoch"
	}
	if m.Odd == p.Odd {
		return "of its session"
	}
	return "of another session"
}

// called says it of a call.
func (p *P) called(client model.ID, m M) string {
	switch s := &p.Sessions[client-1]; {
	case m.Epoch != p.Epoch:
		return "of an older epoch"
	case s.Open && s.Odd != m.Odd:
		return "beside a session that is open"
	case !s.Open:
		return "without a session"
	case m.Type == KeepAlive && s.Blocked:
		return "beside one that is blocked"
	case m.Type != KeepAlive && news(p):
		return "in a fail-over"
	case m.Type == TryAcquire && p.Holder == client:
		return "of the holder"
	}
	return "of an open session"
}

// does has the answers that the code does not give.
func does(c *Chubby) silence.Does[P, M] {
	return silence.Does[P, M]{
		"known-epoch/calls-again": func(p *P, net *model.Net[M], _ *event) { c.call(p, net) },
		"second-call/returns-the-first": func(p *P, net *model.Net[M], e *event) {
			c.extend(p, net, e.From.ID())
			p.Sessions[e.From.ID()-1].Blocked = true
		},
	}
}

// open is the paper, in which its silences are answered.
var open = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](shipped, sorter, does(shipped))}}
