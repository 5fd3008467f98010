package itairodeh

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// This file is the algorithm of R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol,
// "Leader election in anonymous rings: Franklin goes probabilistic", IFIP TCS
// 2008, by the rules as the literature tells them: Franklin's algorithm on a
// bidirectional ring, with identities at random, a hop counter, and the number of
// the round modulo 2. Channels need not be FIFO.

// A Member is the state of a process.
type Member struct {
	Mode  Mode
	ID    uint8     // the random identity of an active process, 1 to K
	Round uint8     // the round, modulo 2
	Prev  [2]Letter // what came from one side, for this round and for the next
	Next  [2]Letter // what came from the other
}

// A Letter is the message (id, hop, round). One without hops is none.
type Letter struct {
	ID    uint8
	Hop   uint8
	Round uint8 // modulo 2
}

// The rules of the bidirectional algorithm.
var (
	biRules model.Rules

	chooses = biRules.Add("begin a round: choose an identity at random, send it both ways")
	waits   = biRules.Add("a message from one side: wait for the other")
	again   = biRules.Add("neither side is greater: begin the next round")
	greater = biRules.Add("one side is greater: become passive")
	circled = biRules.Add("the messages have come N hops: become the leader")
	hands   = biRules.Add("passive: pass the message on, one hop more")
)

var biNames = model.Names{
	Kinds: []string{"message"},
	Rules: biRules,
}

// Bidirectional is the algorithm. Its zero value has identities 1 and 2.
type Bidirectional struct {
	model.Passive[Member, Letter] // no failures, no timeouts

	// K is the number of identities; 0 stands for 2.
	K int
}

// Start: an active process begins its first round.
func (c *Bidirectional) Start(p *Member, net *model.Net[Letter]) {
	if p.Mode != Asleep {
		return
	}
	p.Mode = Active
	c.choose(p, net)
}

// choose begins a round.
func (c *Bidirectional) choose(p *Member, net *model.Net[Letter]) {
	net.Rule(chooses)
	p.ID = 1 + uint8(net.Toss(cmp.Or(c.K, 2)))
	m := Letter{ID: p.ID, Hop: 1, Round: p.Round}
	net.Send(model.Next, m)
	net.Send(model.Prev, m)
}

// Receive: an active process compares itself with the message of its round from
// either side; a passive one passes messages on.
func (c *Bidirectional) Receive(p *Member, net *model.Net[Letter], from model.Port, m Letter) {
	c.Start(p, net) // if it is still asleep
	if p.Mode != Active {
		net.Rule(hands)
		m.Hop++
		net.Send(from.Opposite(), m)
		return
	}
	side := &p.Prev
	if from == model.Next {
		side = &p.Next
	}
	slot := &side[(m.Round+p.Round)%2]
	if slot.Hop != 0 {
		panic("a second message of one round from one side")
	}
	*slot = m
	if p.Prev[0].Hop == 0 || p.Next[0].Hop == 0 {
		net.Rule(waits)
		return
	}
	c.compare(p, net)
}

// compare ends a round: the process has the messages of its active neighbours.
func (c *Bidirectional) compare(p *Member, net *model.Net[Letter]) {
	was := *p
	switch n := uint8(net.N()); {
	case was.Prev[0].Hop == n:
		// Its own, all the way round: there is no other candidate.
		net.Rule(circled)
		*p = Member{Mode: Leader}
	case max(was.Prev[0].ID, was.Next[0].ID) > p.ID:
		net.Rule(greater)
		*p = Member{Mode: Passive}
		if m := was.Prev[1]; m.Hop != 0 { // of the next round already
			net.Send(model.Next, Letter{m.ID, m.Hop + 1, m.Round})
		}
		if m := was.Next[1]; m.Hop != 0 {
			net.Send(model.Prev, Letter{m.ID, m.Hop + 1, m.Round})
		}
	default:
		net.Rule(again)
		*p = Member{Mode: Active, Round: (p.Round + 1) % 2}
		p.Prev[0], p.Next[0] = was.Prev[1], was.Next[1]
		c.choose(p, net)
		if p.Prev[0].Hop != 0 && p.Next[0].Hop != 0 {
			c.compare(p, net)
		}
	}
}

// Belief: the leader knows that it is the leader; others know of nobody.
func (c *Bidirectional) Belief(p *Member) model.Belief { return p.Mode.belief() }

// Names returns the vocabulary of the source.
func (c *Bidirectional) Names() model.Names { return biNames }

// Kind returns the kind of the message.
func (Letter) Kind() model.Kind { return 0 }

// String returns m as "(id 2, hop 3, round 1)".
func (m Letter) String() string {
	return fmt.Sprintf("(id %d, hop %d, round %d)", m.ID, m.Hop, m.Round)
}
