package bully

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// sorter tells apart what the slides do: who has the highest identifier.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string { return p.Mode.String() },
	Own: func(self model.ID, n int) string {
		if int(self) == n {
			return "highest"
		}
		return "lower"
	},
}

// bySlides has the answers that the code of the slides does not give.
func bySlides(b *Protocol) silence.Does[P, M] {
	waits := func(p *P, net *model.Net[M], time int) {
		b.stop(p, net)
		p.Mode = WaitCoordinator
		if time > 0 {
			net.SetTimer(TPrime, time)
		}
	}
	return silence.Does[P, M]{
		"answered/waits-t":    func(p *P, net *model.Net[M], _ *event) { waits(p, net, wait(net)) },
		"answered/waits-more": func(p *P, net *model.Net[M], _ *event) { waits(p, net, 6*net.Bound()) },
		"answered/waits-on":   func(p *P, net *model.Net[M], _ *event) { waits(p, net, 0) },
		"answered/is-done":    func(p *P, net *model.Net[M], _ *event) { b.stop(p, net) },
		"asks-dead/no": func(p *P, net *model.Net[M], e *event) {
			net.Rule(notices)
			b.begin(p, net, net.Higher().Without(e.Who))
		},
		"told/goes-on": func(p *P, _ *model.Net[M], e *event) { p.Elected = e.From.ID() },
	}
}

// silent are the sources in which silences are answered.
var silent = []ledger.Silent{
	{Source: slidesName, New: ledger.SilentIn(Coulouris, sorter, bySlides(Coulouris))},
}
