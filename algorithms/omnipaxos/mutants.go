package omnipaxos

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// incidents are mutants that do what reports say.
var incidents = []ledger.Mutant{
	{
		Name: "gossips", Of: "connectivity", Caught: steady.Name, Setting: in("cuts=1 cut-by=link"), New: of(&gossips{}),
		Doc: "A request for a heartbeat has the highest ballot that its sender has heard of, and who learns of a ballot so, whose server it cannot reach, raises its own.",
	},
}

// gossips is the program before issue 1 of omnipaxos: "we are gossiping the largest seen ballot,
// max_ballot, in the HeartbeatRequests and updating our own max_ballot to the largest seen value."
type gossips struct{ Connectivity }

func (g *gossips) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	g.Connectivity.Receive(p, net, from, m)
	p.hear(m.Highest)
	p.hear(m.Reply.Ballot)
}

// hear keeps the higher of two ballots.
func (p *P) hear(b Ballot) {
	if b.compare(p.Highest) > 0 {
		p.Highest = b
	}
}

// Timeout compares what a server has been told in this round with what it has heard of.
func (g *gossips) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	p.hear(p.Current)
	if far := uint8(2); p.Highest.ahead(p.Current) > far { // how far below it stands nobody asks
		p.Current.N = (p.Highest.N+circle-far-1)%circle + 1
	}
	g.look(p, net, p.Highest)
	p.hear(p.Current)
	p.begin(net)
	p.promise()
}

// retains is the program with a fault: a server that recovers goes on with the ballot that it led with.
type retains struct{ BLE }

func (r *retains) Init(p *P, net *model.Net[M], why model.Boot) {
	r.BLE.Init(p, net, why)
	if p.Promise.Of == net.Self() {
		p.Current = p.Promise
	}
}

// patient is the program with a fault: nobody takes over.
type patient struct{ BLE }

func (b *patient) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.end(p, net, func() {})
}

// goesPastNobody is the program with a fault: a server takes over with the ballot that it has.
type goesPastNobody struct{ BLE }

func (b *goesPastNobody) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.end(p, net, func() {
		own := p.Current
		p.checkTakeover(net)
		if p.Current != own {
			p.Current, p.Leader = own, own
		}
	})
}

// untied is the program with a fault: of two ballots with one number none is higher.
type untied struct{ BLE }

func (b *untied) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	for _, told := range []*Ballot{&m.Reply.Ballot, &m.Reply.Leader} {
		if told.N == p.Leader.N {
			told.Of = p.Leader.Of
		}
	}
	b.BLE.Receive(p, net, from, m)
}

// Belief has the number alone as that of the election.
func (b *untied) Belief(p *P) model.Belief {
	belief := b.BLE.Belief(p)
	belief.Epoch = 100 * uint64(p.Promise.N)
	return belief
}

// eager is the program with a fault: a server takes over although another one that it hears is happy.
type eager struct{ BLE }

func (b *eager) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.end(p, net, func() {
		if !p.Happy {
			p.overtake(net)
		}
	})
}
