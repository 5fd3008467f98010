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

// patient is the paper's algorithm, in which a process may wait for the end of the election of
// a surrogate before it does something about a crash that it has noticed. While it does so the
// field Over is set, which the repair alone has otherwise.
type patient struct{ *Protocol }

func (a patient) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.whileWaiting(p, net, func() { a.Protocol.Receive(p, net, from, m) })
}

func (a patient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	a.whileWaiting(p, net, func() { a.Protocol.Timeout(p, net, t) })
}

// whileWaiting runs a handler, and ends the wait of a process if it has another coordinator then,
// or knows a surrogate, or the election is over.
func (a patient) whileWaiting(p *P, net *model.Net[M], handler func()) {
	crashed := p.Coordinator
	handler()
	switch {
	case !p.Over:
	case p.Coordinator != crashed:
		p.Over = false
	case p.Surrogate != model.None || p.Seen[SElection].Informer == model.None:
		p.Over = false
		a.Suspect(p, net, crashed)
	}
}

// does has the answers that the code does not give.
func does(a patient) silence.Does[P, M] {
	return silence.Does[P, M]{
		"names/the-old-one": func(p *P, net *model.Net[M], _ *event) {
			if p.Seen[Election].Informer == model.None {
				a.begin(p, net)
			}
		},
		"none-yet/waits": func(p *P, _ *model.Net[M], _ *event) { p.Over = true },
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
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](patient{&Protocol{}}, sorter, does(patient{&Protocol{}}))}}
