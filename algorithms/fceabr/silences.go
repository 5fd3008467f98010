package fceabr

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart of which messages a process knows one, and whether it knows a surrogate.
var sorter = silence.Sorter[P]{Mode: func(p *P) string {
	mode := "idle"
	switch elects, seeks := p.Seen[Election].Informer != model.None, p.Seen[SElection].Informer != model.None; {
	case elects && seeks:
		mode = "elects and seeks"
	case elects:
		mode = "elects"
	case seeks:
		mode = "seeks"
	case p.Coordinator == model.None:
		return "new"
	}
	if p.Surrogate == model.None {
		return mode + " without surrogate"
	}
	return mode
}}

// does has the answers that the code does not give.
func does(a *Protocol) silence.Does[P, M] {
	return silence.Does[P, M]{
		"names/the-old-one": func(p *P, net *model.Net[M], _ *event) {
			if p.Seen[Election].Informer == model.None {
				a.begin(p, net)
			}
		},
		"home/announces": func(p *P, net *model.Net[M], e *event) {
			if p.Seen[e.Message.Label].Informer == net.Self() {
				a.announce(p, net, e.Message)
			}
		},
		"newcomer/nobody": func(p *P, net *model.Net[M], e *event) {
			c, s := p.Coordinator, p.Surrogate
			a.Receive(p, net, e.From, e.Message)
			p.Coordinator, p.Surrogate = c, s
		},
	}
}

// silent is the algorithm of the paper, in which its silences are answered.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](&Protocol{}, sorter, does(&Protocol{}))}}
