package invitation

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "any-ready", Of: "original", Caught: "assertion-3", Setting: late3, New: of(anyReady{&Protocol{}}),
		Doc: "A node takes the task of any group for that of its own group.",
	},
	{
		Name: "another-task", Of: "original", Caught: "assertion-3", Setting: lossy, New: of(anotherTask{&Protocol{}}),
		Doc: "A coordinator that gets no answer to Ready makes another task for the same group.",
	},
	{
		Name: "recovers-in-place", Of: "original", Caught: "assertion-3", Setting: lossy, New: of(recoversInPlace{&Protocol{}}),
		Doc: "A node that has lost its coordinator keeps the number of the group.",
	},
	{
		Name: "stays-normal", Of: "original", Caught: "assertion-3", Setting: lossy, New: of(staysNormal{&Protocol{}}),
		Doc: "A node that is invited is Normal while it waits for the new task.",
	},
	{
		Name: "recovers-halted", Of: "original", Caught: "assertion-4", Setting: prompt, New: of(recoversHalted{&Protocol{}}),
		Doc: "A node that comes up is not Normal.",
	},
}

type anyReady struct{ *Protocol }

func (v anyReady) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Ready && p.S == Reorganization {
		m.G = p.G
	}
	v.Protocol.Receive(p, net, from, m)
}

type anotherTask struct{ *Protocol }

func (v anotherTask) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == T && p.At == Readying {
		v.reorganize(p, net)
		return
	}
	v.Protocol.Timeout(p, net, t)
}

type recoversInPlace struct{ *Protocol }

func (v recoversInPlace) Timeout(p *P, net *model.Net[M], t model.Timer) {
	g, recovers := p.G, p.At == TimingOut && t == T
	v.Protocol.Timeout(p, net, t)
	if recovers {
		p.G = g
	}
}

type staysNormal struct{ *Protocol }

func (v staysNormal) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	d := p.D
	v.Protocol.Receive(p, net, from, m)
	if m.Type == Invitation && p.At == Accepting && p.S == Election {
		p.S, p.D = Normal, d
	}
}

type recoversHalted struct{ *Protocol }

func (v recoversHalted) Init(p *P, net *model.Net[M], why model.Boot) {
	v.Protocol.Init(p, net, why)
	p.S = Election
}
