package itairodeh

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// This file is the synchronous election of Itai and Rodeh, by the rules as the case study of PRISM
// tells them (G. Norman, D. Parker, Synchronous Leader Election Protocol, 2001).

// A Ticket is the state of a process of the synchronous ring.
type Ticket struct {
	Mode  Mode
	ID    uint8              // the number that it chose, from 0
	Count [mostNumbers]uint8 // by number: 0, 1, or 2 and more processes have it
	Heard uint8              // how many numbers of others it has read in the round
}

// mostNumbers is how many numbers there are at most.
const mostNumbers = 5

// A Number is the message of the synchronous ring.
type Number struct{ ID uint8 }

// The rules of the synchronous election.
var (
	syncRules model.Rules

	draws   = syncRules.Add("begin a round: choose a number, uniformly, and send it")
	hears   = syncRules.Add("read a number: pass it on")
	uniques = syncRules.Add("all numbers are read: the greatest that only one process has leads")
	redraws = syncRules.Add("all numbers are read, and nobody's is its own: begin a new round")
)

// Synchronous is the election. It is for timing=lockstep. Its zero value has the numbers 0 to 2.
type Synchronous struct {
	model.Passive[Ticket, Number] // no failures, no timeouts

	// K is how many numbers there are, at most 5; 0 stands for 3.
	K int
}

// Start: "Each round begins by all processors (independently) choosing a random number
// (uniformly)".
func (c *Synchronous) Start(p *Ticket, net *model.Net[Number]) {
	net.Rule(draws)
	*p = Ticket{Mode: Active, ID: uint8(net.Toss(c.numbers()))}
	p.Count[p.ID] = 1
	net.Send(model.Next, Number{p.ID})
}

func (c *Synchronous) numbers() int { return cmp.Or(c.K, 3) }

// Receive: "The processors then pass their ids around the ring. If there is a unique id, then the
// processor with the maximum unique id is elected the leader, and otherwise the processors begin a
// new round."
func (c *Synchronous) Receive(p *Ticket, net *model.Net[Number], _ model.Port, m Number) {
	net.Rule(hears)
	p.Count[m.ID] = min(2, p.Count[m.ID]+1)
	p.Heard++
	if int(p.Heard) < net.N()-1 {
		net.Send(model.Next, m)
		return
	}
	for id := c.numbers() - 1; id >= 0; id-- {
		if p.Count[id] == 1 {
			net.Rule(uniques)
			mode := Passive
			if int(p.ID) == id {
				mode = Leader
			}
			*p = Ticket{Mode: mode}
			return
		}
	}
	net.Rule(redraws)
	c.Start(p, net)
}

// Belief: the leader knows that it is the leader; others know of nobody.
func (c *Synchronous) Belief(p *Ticket) model.Belief { return p.Mode.belief() }

// Names returns the vocabulary of the source.
func (c *Synchronous) Names() model.Names {
	return model.Names{Kinds: []string{"number"}, Rules: syncRules}
}

// Kind returns the kind of the message.
func (Number) Kind() model.Kind { return 0 }

// String returns m as "number 2".
func (m Number) String() string { return fmt.Sprintf("number %d", m.ID) }
