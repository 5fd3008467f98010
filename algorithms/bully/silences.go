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

// forgets is Wikipedia's algorithm, where a process that begins an election names nobody from
// then on.
type forgets struct{ Again }

func (b forgets) Suspect(p *P, net *model.Net[M], who model.ID) {
	b.entering(p, func() { b.Again.Suspect(p, net, who) })
}

func (b forgets) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	b.entering(p, func() { b.Again.Receive(p, net, from, m) })
}

func (b forgets) Start(p *P, net *model.Net[M]) {
	b.entering(p, func() { b.Again.Start(p, net) })
}

// entering runs a handler, and has a process that enters an election name nobody.
func (b forgets) entering(p *P, handler func()) {
	idle := p.Mode == Idle
	if handler(); idle && p.Mode != Idle {
		p.Elected = model.None
	}
}

// byWikipedia has the answers that the code of Wikipedia's rules does not give.
func byWikipedia(b Again) silence.Does[P, M] {
	waits := func(times int) func(p *P, net *model.Net[M], _ *event) {
		return func(p *P, net *model.Net[M], _ *event) {
			b.stop(p, net)
			p.Mode = WaitCoordinator
			net.SetTimer(TPrime, times*net.Bound())
		}
	}
	follows := func(p *P, _ *model.Net[M], e *event) { p.Elected = e.From.ID() }
	return silence.Does[P, M]{
		"names/the-old-one": func(p *P, net *model.Net[M], e *event) {
			switch e.Kind {
			case model.Suspects:
				b.Suspect(p, net, e.Who)
			case model.Starts:
				b.Start(p, net)
			default:
				b.Receive(p, net, e.From, e.Message)
			}
		},
		"new-election/sends": func(_ *P, net *model.Net[M], _ *event) {
			net.Reply(M{Answer})
			net.SendAll(net.Higher(), M{Election})
		},
		"how-long/two":           waits(2),
		"how-long/six":           waits(6),
		"how-long/eight":         waits(8),
		"another-answer/begins":  waits(4),
		"late-answer/waits":      waits(4),
		"told-of-a-higher/waits": follows,
		"told-by-a-lower/waits":  follows,
		"notices-again/begins":   func(p *P, net *model.Net[M], _ *event) { b.begin(p, net, net.Higher()) },
	}
}

// silent are the sources in which silences are answered.
var silent = []ledger.Silent{
	{Source: slidesName, New: ledger.SilentIn(Coulouris, sorter, bySlides(Coulouris))},
	{Source: article, New: ledger.SilentIn[P, M](forgets{Again{WikipediaRemembers}}, sorter, byWikipedia(Again{WikipediaRemembers}))},
}
