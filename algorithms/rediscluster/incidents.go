package rediscluster

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// incidents are mutants that do what these clusters did.
var incidents = []ledger.Mutant{
	{
		Name: "collide", Of: "takeover", Caught: oneOwner.Name, Setting: in("initiators=2:lazy timing=lockstep"),
		Doc: "Two masters that claim the same slots with one version keep it (redis #1547).",
		New: of(collide{&Cluster{Epochs: 3, Takeover: true}}),
	},
	{
		Name: "bumped", Of: "shipped", Caught: oneOwner.Name, Setting: in("timing=lockstep"),
		Doc: "The dead master had taken a new version, of which its replicas had not heard. Each of them tries twice (redis #9548).",
		New: of(bumped{&Cluster{Tries: 2}}),
	},
}

// collide is a fault: two masters with one version keep it.
type collide struct{ *Cluster }

func (c collide) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Pong && m.Config == p.Config {
		p.Epoch = max(p.Epoch, m.Epoch)
		return
	}
	c.Cluster.Receive(p, net, from, m)
}

// bumped has a dead master that had taken a new version shortly before. The other masters know
// of it, and its replicas do not.
type bumped struct{ *Cluster }

func (c bumped) Init(p *P, net *model.Net[M], why model.Boot) {
	c.Cluster.Init(p, net, why)
	if why != model.Restart && net.Self() > replicas(net) {
		p.Epoch, p.Config = 1, 1
	}
}
