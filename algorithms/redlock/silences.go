package redlock

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what the documentation does: clients and instances, what a client does, whether
// an instance has a key, and of which attempt an answer is.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		if p.Key != (Value{}) {
			return "has a key"
		}
		return p.Phase.String()
	},
	Own: func(self model.ID, n int) string {
		if clients(model.ID(n)).Has(self) {
			return "a client"
		}
		return "an instance"
	},
	Message: func(p *P, m model.Message) string {
		switch answer := m.(M); {
		case answer.Type < Yes:
			return ""
		case answer.Attempt == p.Attempt:
			return "of its attempt"
		}
		return "of an earlier attempt"
	},
}

// does has the answers that the code does not give.
func does(l *Lock) silence.Does[P, M] {
	return silence.Does[P, M]{
		"asking/one-by-one": l.oneByOne,
		"asking/until-a-majority": func(p *P, net *model.Net[M], e *event) {
			if e.Kind == model.Expires {
				l.Timeout(p, net, e.Timer)
				return
			}
			l.Receive(p, net, e.From, e.Message)
			if left := instances(net).Len() - p.No.Len(); p.Phase == Asks && (p.Yes.Len() >= l.quorum(net) || left < l.quorum(net)) {
				l.count(p, net)
			}
		},
		"out-of-time/counts-first": func(p *P, net *model.Net[M], e *event) {
			switch {
			case e.Timer == validity:
				p.Second = true // step 3 finds that the validity time is over
			case p.Second:
				l.unlock(p, net)
			default:
				l.Timeout(p, net, e.Timer)
			}
		},
		"late-yes/unlocks-it": func(p *P, net *model.Net[M], e *event) { net.SendTo(e.From.ID(), M{Type: Del, Attempt: p.Attempt}) },
		"end-of-the-lock/lets-it-expire": func(p *P, net *model.Net[M], e *event) {
			l.rest(p, net)
		},
	}
}

// oneByOne is step 2 by its word: a client asks an instance when the one before has answered, or has
// not done so within a round trip.
func (l *Lock) oneByOne(p *P, net *model.Net[M], e *event) {
	asked := instances(net) &^ (p.Yes | p.No)
	switch {
	case e.Kind == model.Delivers && !asked.Has(e.From.ID()): // it came too late
		return
	case e.Kind == model.Delivers && e.Message.Type == Yes:
		p.Yes = p.Yes.With(e.From.ID())
	case e.Kind == model.Delivers:
		p.No = p.No.With(e.From.ID())
	case e.Timer == answers:
		p.No = p.No.With(asked.Min())
	default:
		net.Rule(ask)
		*p = P{Phase: Asks, Attempt: !p.Attempt}
		net.SetTimer(validity, l.TTL-l.Drift)
	}
	next := instances(net) &^ (p.Yes | p.No)
	if next.Empty() {
		l.count(p, net)
		return
	}
	net.SendTo(next.Min(), M{Type: Set, Attempt: p.Attempt})
	net.SetTimer(answers, 2*net.Bound())
}

// open is the documentation, in which its silences are answered. Keys live for two ticks longer where
// three instances answer: a client that asks one after the other takes that long.
var open = []ledger.Silent{{Source: ledger.Own, New: func(list []silence.Silence) (*silence.Source, error) {
	src, err := silence.New[P, M](fsync, sorter, does(fsync), list...)
	if err != nil {
		return nil, err
	}
	longer := with(func(l *Lock) { l.TTL = 10 })
	three, err := silence.New[P, M](longer, sorter, does(longer), list...)
	if err != nil {
		return nil, err
	}
	return src.Where(func(in setting.Setting) bool { return in.N > 4 }, three), nil
}}}
