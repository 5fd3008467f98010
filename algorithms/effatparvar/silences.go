package effatparvar

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what section 2 does: whether a node has responded to one that noticed.
var sorter = silence.Sorter[P]{Mode: func(p *P) string {
	if p.Mode == Noticed && p.Best != model.None {
		return "has a response"
	}
	return p.Mode.String()
}}

// does has the answers that the code does not give.
func does(e *Protocol) silence.Does[P, M] {
	// told follows the one that a message names, and goes on with what it waits for.
	told := func(p *P, _ *model.Net[M], of *event) { p.Elected = of.Message.ID }
	// ensures leads, and asks those above once more, as a selected node does.
	ensures := func(p *P, net *model.Net[M], of *event) {
		p.Elected = of.Message.ID
		e.ask(p, net, Verifying)
	}
	return silence.Does[P, M]{
		"asks-dead/no": func(p *P, net *model.Net[M], of *event) {
			p.Mode, p.Best = Noticed, model.None
			net.SendAll(net.Higher().Without(of.Who), M{Type: Election})
			net.SetTimer(Wait, 2*net.Bound())
		},
		"asks-dead/names-nobody": func(p *P, net *model.Net[M], _ *event) {
			p.Elected = model.None
			e.ask(p, net, Noticed)
		},
		"names/nobody": func(p *P, net *model.Net[M], of *event) {
			p.Elected = model.None
			e.Receive(p, net, of.From, of.Message)
		},
		"unanswered/verifies": func(p *P, net *model.Net[M], _ *event) {
			net.Rule(unanswered)
			e.announce(p, net, net.Self())
			e.ask(p, net, Verifying)
		},
		"told-waiting/goes-on":         told,
		"told-verifying/goes-on":       told,
		"selected-waiting/leads":       func(p *P, net *model.Net[M], _ *event) { e.settle(p, net, net.Self()) },
		"told-itself/verifies":         ensures,
		"told-itself-waiting/verifies": ensures,
		"told-itself-waiting/goes-on":  told,
		"late-response/introduces": func(p *P, net *model.Net[M], of *event) {
			if p.Elected == net.Self() && of.Message.ID > net.Self() {
				net.Rule(greater)
				e.announce(p, net, of.Message.ID)
			}
		},
		"selected-again/begins": func(p *P, net *model.Net[M], _ *event) { e.ask(p, net, Verifying) },
		"notices-again/begins":  func(p *P, net *model.Net[M], _ *event) { e.ask(p, net, Noticed) },
	}
}

// silent is the text, in which the silences of the paper are answered.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](toAll, sorter, does(toAll))}}
