package vrrp

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// sorter tells apart what section 6.4 does: the state. Priorities are as the ids.
var sorter = silence.Sorter[P]{Mode: func(p *P) string { return p.State.String() }}

// does has the answers that the code does not give.
func does(r *Router) silence.Does[P, M] {
	return silence.Does[P, M]{
		"assert-timer/begins-anew": func(p *P, net *model.Net[M], e *silence.Event[M]) {
			r.Receive(p, net, e.From, e.Message)
			net.SetTimer(adver, interval(net))
		},
	}
}

// open is the RFC, in which its silence is answered.
var open = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](rfc, sorter, does(rfc))}}

// rfc is the first reading.
var rfc = &Router{}
