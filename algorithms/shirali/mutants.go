package shirali

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-compares", Of: "neighbours", Caught: "extreme", Setting: one, New: of(neverCompares{&Protocol{Reach: 1}}),
		Doc: "A process joins a group without putting its own number in.",
	},
	{
		Name: "groups-alone", Of: "neighbours", Caught: "e1", Setting: one, New: of(groupsAlone{&Protocol{Reach: 1}}),
		Doc: "A head takes the coordinator of its group for the main one.",
	},
	{
		Name: "one-side", Of: "neighbours", Caught: "extreme", Setting: one, New: of(oneSide{&Protocol{Reach: 1}}),
		Doc: "A head waits for the result of only one side of its group.",
	},
	{
		Name: "stops-all", Of: "neighbours", Caught: "e2", Setting: one, New: of(stopsAll{&Protocol{Reach: 1}}),
		Doc: "A head stops the coordinators of other groups, even greater ones.",
	},
}

type neverCompares struct{ *Protocol }

func (x neverCompares) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Election && p.Head == model.None && m.Left > 0 {
		*p = P{Head: m.Head}
		m.Left--
		net.Send(from.Opposite(), m)
		return
	}
	x.Protocol.Receive(p, net, from, m)
}

type groupsAlone struct{ *Protocol }

func (x groupsAlone) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	x.Protocol.Receive(p, net, from, m)
	if m.Type == Result && p.Head == net.Self() && p.settled() {
		p.Coordinator = p.Best
	}
}

type oneSide struct{ *Protocol }

func (x oneSide) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Result && m.Head == net.Self() {
		if p.settled() {
			return
		}
		p.Back = [2]bool{true, true}
	}
	x.Protocol.Receive(p, net, from, m)
}

type stopsAll struct{ *Protocol }

func (x stopsAll) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Compare && p.Head == net.Self() && p.settled() && m.Best > p.Best {
		return
	}
	x.Protocol.Receive(p, net, from, m)
}
