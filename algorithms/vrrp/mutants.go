package vrrp

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// incidents are mutants that do what keepalived does by default.
var incidents = []ledger.Mutant{
	{
		Name: "announces-once", Of: "answers", Caught: reachesIt.Name, Setting: in("n=2 channels=fifo cuts=1 heals=owed"), New: of(&Keepalived{}),
		Doc: "A router announces itself only as it becomes Active.",
	},
}

// stubborn is a router that never yields.
type stubborn struct{ *Router }

func (r stubborn) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.State == Backup {
		r.Router.Receive(p, net, from, m)
	}
}

// trusting is a router that waits for nobody whom it follows.
type trusting struct{ *Router }

func (r trusting) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	r.Router.Receive(p, net, from, m)
	if p.Follows != model.None {
		net.StopTimer(activeDown)
	}
}

// modest is a router that yields to an equal, whatever its address is.
type modest struct{ *Router }

func (r modest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.State == Active && m.Priority == r.own(net) {
		net.Rule(yields)
		net.StopTimer(adver)
		r.back(p, net, from.ID())
		return
	}
	r.Router.Receive(p, net, from, m)
}
