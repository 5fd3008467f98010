package murshedallen

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what section III does: whether a process has any to ask when it joins.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		switch {
		case asked(p):
			return "elects"
		case p.Mode == Joining:
			return "joins"
		}
		return "idle"
	},
	Own: func(self model.ID, n int) string {
		if int(self) == n {
			return "highest"
		}
		return "other"
	},
}

// does has the answers that the code does not give.
func does(a Limited) silence.Does[P, M] {
	announces := func(p *P, net *model.Net[M], _ *event) { a.announces(p, net, net.Self()) }
	follows := func(p *P, _ *model.Net[M], e *event) { p.Coordinator = e.Message.ID }
	return silence.Does[P, M]{
		"notices/does-not-ask-it": func(p *P, net *model.Net[M], e *event) { knowing.Suspect(p, net, e.Who) },
		"notices/names-it": func(p *P, net *model.Net[M], _ *event) {
			a.begin(p, net)
			p.Coordinator = p.Failed
		},
		"notices-again/begins": func(p *P, net *model.Net[M], _ *event) { a.begin(p, net) },
		"starts/as-if-it-joined": func(p *P, net *model.Net[M], _ *event) {
			a.Init(p, net, model.Join)
		},
		"none-to-ask/waits": func(p *P, _ *model.Net[M], _ *event) { p.Mode = Joining },
		"none-to-ask/waits-for-t": func(p *P, net *model.Net[M], _ *event) {
			p.Mode = Joining
			net.SetTimer(T, 2*net.Bound())
		},
		"no-answer/asks-again": func(p *P, net *model.Net[M], _ *event) {
			a.Protocol.Init(p, net, model.Join)
			net.SetTimer(T, 2*net.Bound())
		},
		"no-answer/leads":                announces,
		"told-electing/goes-on":          follows,
		"told-joining/waits":             follows,
		"told-itself/announces":          announces,
		"told-what-it-is/announces":      announces,
		"told-itself-electing/announces": announces,
		"told-itself-electing/goes-on":   follows,
		"told-itself-joining/announces":  announces,
		"late-answer/takes-it":           func(p *P, net *model.Net[M], e *event) { a.answer(p, net, e.Message) },
		"knows-nobody/says-so": func(p *P, net *model.Net[M], _ *event) {
			net.Reply(M{Type: Answer, Candidates: candidates(p, net)})
		},
	}
}

// silent is the rules with a limit to the wait for an answer, in which the silences of the
// source are answered.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](rules, sorter, does(rules))}}
