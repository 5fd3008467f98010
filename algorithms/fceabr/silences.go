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
// a surrogate before it does something about a crash that it has noticed.
type patient struct{ *Protocol }

func (a patient) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Protocol.Receive(p, net, from, m)
	a.goOn(p, net)
}

func (a patient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	a.Protocol.Timeout(p, net, t)
	a.goOn(p, net)
}

// goOn does what is to be done about the crash, as the election is over.
func (a patient) goOn(p *P, net *model.Net[M]) {
	who := p.Noticed
	switch {
	case who == model.None:
	case p.Coordinator != who:
		p.Noticed = model.None
	case p.Surrogate != model.None || p.Seen[SElection].Informer == model.None:
		p.Noticed = model.None
		a.Suspect(p, net, who)
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
		"none-yet/waits": func(p *P, _ *model.Net[M], e *event) { p.Noticed = e.Who },
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
