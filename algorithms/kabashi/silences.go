package kabashi

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// event is what a handler is called for.
type event = silence.Event[M]

// does has the answers that the code does not give.
func does(a Limited) silence.Does[P, M] {
	announces := func(p *P, net *model.Net[M], _ *event) { a.announceItself(p, net) }
	follows := func(p *P, _ *model.Net[M], e *event) { p.Coordinator = e.Message.ID }
	objects := func(p *P, net *model.Net[M], _ *event) {
		p.Coordinator = net.Self()
		net.Broadcast(M{COORDINATOR, net.Self()})
	}
	asks := func(p *P, net *model.Net[M], _ *event) {
		a.asksForCoordinator(p, net)
		net.SetTimer(T, 2*net.Bound())
	}
	return silence.Does[P, M]{
		"no-cid/leads":                   announces,
		"no-cid/asks-again":              asks,
		"told-itself/announces":          announces,
		"told-what-it-is/announces":      announces,
		"told-itself-electing/announces": announces,
		"told-itself-electing/goes-on":   follows,
		"told-itself-joining/announces":  announces,
		"told-electing/goes-on":          follows,
		"objects-electing/goes-on":       objects,
		"objects-joining/waits":          objects,
		"late-cid/takes-it":              func(p *P, net *model.Net[M], e *event) { a.cid(p, net, e.Message.ID) },
		"starts/as-if-it-joined":         asks,
	}
}

// sorter tells apart what section IV does: whether an answer has come, and whose ID is the
// minimum or the second one.
var sorter = silence.Sorter[P]{
	Mode: func(p *P) string {
		if p.Smallest != model.None {
			return "has an answer"
		}
		return p.Mode.String()
	},
	Own: func(self model.ID, _ int) string {
		switch self {
		case MIN:
			return "minimum"
		case MIN + 1:
			return "second"
		}
		return "other"
	},
}

// silent is the prose, in which the silences of the paper are answered.
var silent = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn(prose, sorter, does(prose))}}
