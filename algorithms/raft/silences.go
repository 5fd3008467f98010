package raft

import (
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// sorter tells apart what figure 2 does: the rules for followers, candidates and leaders.
var sorter = silence.Sorter[P]{Mode: func(p *P) string { return p.Role.String() }}

// does has the answer that the code does not give: the rules are carried out, and a candidate
// that is a follower then begins its election timeout anew.
func does(r *Raft) silence.Does[P, M] {
	return silence.Does[P, M]{
		"steps-back/begins-anew": func(p *P, net *model.Net[M], of *silence.Event[M]) {
			if r.Receive(p, net, of.From, of.Message); p.Role == Follower {
				r.setElectionTimer(net)
			}
		},
	}
}

// open is figure 2, in which its silence is answered.
var open = []ledger.Silent{{Source: ledger.Own, New: ledger.SilentIn[P, M](figure2, sorter, does(figure2))}}
