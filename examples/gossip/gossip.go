// Package gossip elects by rumour, an example of a protocol of many small
// messages, and of choices.
//
// Each member has a table that says for how many rounds more it trusts each other
// one. In every round it counts down, and sends its table to one member, which
// takes from it whatever is fresher than its own. A process that is trusted no
// more is taken for crashed. The coordinator is the highest member that is
// trusted: no message is about elections.
//
// Members gossip to each other round robin, or at random. Round robin the news of
// a member that is up reaches everybody within a number of rounds that Trust has
// to exceed. At random there is no such number: members that are up are given up
// and come back, again and again.
//
// Sources: Robbert van Renesse, Yaron Minsky and Mark Hayden, "A Gossip-Style
// Failure Detection Service", Middleware 1998, whose heartbeat counters grow
// without end: a count of rounds stands for them here; round robin as in Sridharan
// Ranganathan et al., "Gossip-Style Failure Detection and Distributed Consensus
// for Scalable Heterogeneous Clusters", Cluster Computing 4, 2001.
package gossip

import (
	"fmt"

	"bullyproof/model"
)

// P is the state of a member.
type P struct {
	// Trust is for how many rounds more each member counts as up.
	Trust model.ByID[uint8]
	// Next is how far from this member the next is that it gossips to, round
	// robin: 0 stands for 1.
	Next uint8
	// Leader is the highest that counts as up.
	Leader model.ID
}

// M is the table of its sender.
type M struct{ Trust model.ByID[uint8] }

// Kind returns the only kind.
func (M) Kind() model.Kind { return 0 }

// String returns the table as far as there is anybody in it: "Gossip[2 3]".
func (m M) String() string {
	var table []uint8
	for id := model.ID(1); id <= model.MaxID; id++ {
		if trust := m.Trust.At(id); trust > 0 {
			table = append(table, make([]uint8, int(id)-len(table))...)
			table[id-1] = trust
		}
	}
	return fmt.Sprint("Gossip", table)
}

const (
	roundTimer model.Timer  = 0
	partner    model.Choice = 0
)

var (
	rules model.Rules

	gossip = rules.Add("round: gossip to one member")
	hear   = rules.Add("news of a member: trust it")
	giveUp = rules.Add("no news of a member: trust it no more")
)

// Gossip is the protocol of a member.
type Gossip struct {
	model.Passive[P, M]
	// Trust is how many rounds a member counts as up without news of it.
	Trust uint8
	// Random has a member choose in each round between the next and the previous
	// one.
	Random bool
}

// Init trusts everybody.
func (g *Gossip) Init(p *P, net *model.Net[M], _ model.Boot) {
	for id := range members(net).All() {
		p.Trust.Set(id, g.Trust)
	}
	p.Leader = members(net).Max()
	net.SetTimer(roundTimer, net.Bound())
}

func members(net *model.Net[M]) model.Set { return net.Peers().With(net.Self()) }

// Timeout is a round.
func (g *Gossip) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(gossip)
	for id := range net.Peers().All() {
		switch trust := p.Trust.At(id); trust {
		case 0:
		case 1:
			net.Rule(giveUp)
			fallthrough
		default:
			p.Trust.Set(id, trust-1)
		}
	}
	g.lead(p, net)
	net.SendTo(g.partner(p, net), M{p.Trust})
	net.SetTimer(roundTimer, net.Bound())
}

// partner returns whom a member gossips to in this round.
func (g *Gossip) partner(p *P, net *model.Net[M]) model.ID {
	n := net.N()
	distance := int(p.Next) + 1
	switch {
	case !g.Random:
		p.Next = uint8(distance % (n - 1))
	case net.Pick(partner) == 1:
		distance = n - 1
	}
	return model.ID((int(net.Self())-1+distance)%n + 1)
}

// Receive takes what is fresher.
func (g *Gossip) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	for id := range net.Peers().All() {
		if m.Trust.At(id) > p.Trust.At(id) {
			net.Rule(hear)
			p.Trust.Set(id, m.Trust.At(id))
		}
	}
	g.lead(p, net)
}

// lead takes the highest that counts as up.
func (g *Gossip) lead(p *P, net *model.Net[M]) {
	for id := range members(net).All() {
		if p.Trust.At(id) > 0 {
			p.Leader = id
		}
	}
}

// Belief says who is the highest that counts as up.
func (g *Gossip) Belief(p *P) model.Belief { return model.Belief{Elected: p.Leader} }

// Names gives the words of the example.
func (g *Gossip) Names() model.Names {
	return model.Names{
		Kinds:   []string{"Gossip"},
		Timers:  []model.TimerName{{Name: "round", Periodic: true}},
		Choices: []model.ChoiceName{{Name: "partner", Outcomes: []string{"next", "previous"}, Weights: []int{1, 1}}},
		Rules:   rules,
	}
}
