package itairodeh

import (
	"fmt"

	"bullyproof/model"
)

// This file is the asynchronous election of Itai and Rodeh by coins, by the rules as the case study
// of PRISM tells them (G. Norman, D. Parker, Asynchronous Leader Election Protocol, 2001).

// A Gambler is the state of a process of the ring of coins.
type Gambler struct {
	Mode Mode
	Coin uint8 // the choice of an active process, 0 or 1
}

// A Coin is a message of the ring of coins: a choice, or a counter.
type Coin struct {
	Counts bool
	Value  uint8 // 0 or 1; of a counter, how many inactive processes it has passed
}

// The rules of the ring of coins.
var (
	coinRules model.Rules

	tosses  = coinRules.Add("1: choose 0 or 1, each with probability 0.5, and send the choice")
	loses   = coinRules.Add("2: it chose 0 and the active one before it 1: become inactive")
	stays   = coinRules.Add("2: it stays active: send a counter round the ring")
	repeats = coinRules.Add("3: a counter of another active process: repeat")
	only    = coinRules.Add("3: its own counter, all others are inactive: become leader")
	relays  = coinRules.Add("inactive: relay a message, and count itself")
)

// Coins is the election.
type Coins struct {
	model.Passive[Gambler, Coin] // no failures, no timeouts
}

// Start: "The protocol begins with all processors active."
func (c *Coins) Start(p *Gambler, net *model.Net[Coin]) {
	if p.Mode == Asleep {
		c.toss(p, net)
	}
}

// toss is step 1: "Choose 0 or 1 each with probability 0.5, and send the choice to the next processor."
func (c *Coins) toss(p *Gambler, net *model.Net[Coin]) {
	net.Rule(tosses)
	*p = Gambler{Mode: Active, Coin: uint8(net.Toss(2))}
	net.Send(model.Next, Coin{Value: p.Coin})
}

// Receive has an active process compare its choice and look at a counter; an inactive one relays.
func (c *Coins) Receive(p *Gambler, net *model.Net[Coin], _ model.Port, m Coin) {
	c.Start(p, net) // if it is still asleep
	switch {
	case p.Mode == Passive:
		net.Rule(relays)
		if m.Counts {
			m.Value++
		}
		net.Send(model.Next, m)
	case m.Counts && int(m.Value) == net.N()-1:
		net.Rule(only)
		*p = Gambler{Mode: Leader}
	case m.Counts:
		net.Rule(repeats)
		c.toss(p, net)
	case p.Coin == 0 && m.Value == 1:
		net.Rule(loses)
		*p = Gambler{Mode: Passive}
	default:
		net.Rule(stays)
		net.Send(model.Next, Coin{Counts: true})
	}
}

// Belief: the leader knows that it is the leader; others know of nobody.
func (c *Coins) Belief(p *Gambler) model.Belief { return p.Mode.belief() }

// Names returns the vocabulary of the source.
func (c *Coins) Names() model.Names {
	return model.Names{Kinds: []string{"choice", "counter"}, Rules: coinRules}
}

// Kind returns the kind of the message.
func (m Coin) Kind() model.Kind {
	if m.Counts {
		return 1
	}
	return 0
}

// String returns m as "choice 1" or "counter 2".
func (m Coin) String() string {
	if m.Counts {
		return fmt.Sprintf("counter %d", m.Value)
	}
	return fmt.Sprintf("choice %d", m.Value)
}
