package heaptree

import (
	"cmp"

	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart where in the tree a node is, whether an election has passed through it, and
// whether that was without a message from below: a node has noticed the crash itself, and a child of
// the root has compared.
var sorter = silence.Sorter[P]{Mode: func(p *P) string {
	leader := cmp.Or(p.Leader, p.Passed)
	place := "in the tree"
	switch {
	case leader == model.None:
		return "outside"
	case p.Father == model.None:
		place = "root"
	case p.Father == leader && p.Sibling == model.None:
		place = "only child"
	case p.Father == leader:
		place = "child"
	}
	switch {
	case p.Passed == model.None:
		return place
	case p.Got == p.Passed:
	case place == "in the tree":
		return "has noticed"
	case place == "child":
		return "child has compared"
	}
	return place + " in an election"
}}

// noting is the paper's algorithm, in which a node can name nobody during an election, and
// remembers of which election it has had a message, and of which it has received one.
type noting struct{ *Protocol }

func (h noting) Suspect(p *P, net *model.Net[M], who model.ID) {
	p.Had = who
	h.Protocol.Suspect(p, net, who)
}

func (h noting) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	unnamed := p.Leader == model.None && p.Passed != model.None
	if unnamed {
		p.Leader = p.Passed
	}
	h.Protocol.Receive(p, net, from, m)
	if m.Type == Election || m.Type == Compare {
		p.Had = m.Dead
	}
	if m.Type == Election {
		p.Got = m.Dead
	}
	if unnamed && p.Passed != model.None {
		p.Leader = model.None
	}
}

// does has the answers that the code does not give.
func does(h noting) silence.Does[P, M] {
	return silence.Does[P, M]{
		"names/nobody": func(p *P, net *model.Net[M], e *event) {
			if e.Kind == model.Suspects {
				h.Suspect(p, net, e.Who)
			} else {
				h.Receive(p, net, e.From, e.Message)
			}
			p.Leader = model.None
		},
		"first-election/passes-on": func(p *P, net *model.Net[M], e *event) {
			p.Got = e.Message.Dead
			if p.Father == p.Got {
				h.steps().across(p, net, p.Got)
				return
			}
			send(net, p.Father, M{Type: Election, Dead: p.Got})
		},
		"late-election/passes-on": func(p *P, net *model.Net[M], e *event) {
			if dead := e.Message.Dead; p.Had != dead {
				p.Had = dead
				send(net, p.Father, M{Type: Election, Dead: dead})
			}
		},
		"early-compare/compares": func(p *P, net *model.Net[M], e *event) {
			dead := e.Message.Dead
			p.Leader, p.Had = dead, dead
			if net.Self() > e.From.ID() {
				h.win(p, net, dead)
				return
			}
			p.Passed = dead
			net.Reply(M{Type: Compare, ID: net.Self(), Dead: dead})
		},
		"waits/not": func(p *P, net *model.Net[M], e *event) {
			h.Receive(p, net, e.From, e.Message)
			if p.Father != model.None {
				net.StopTimer(Told)
				h.Timeout(p, net, Told)
			}
		},
	}
}

// silent is the paper, in which its silences are answered.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](noting{&Protocol{}}, sorter, does(noting{&Protocol{}}))}}
