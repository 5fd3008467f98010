// Package herman has the self-stabilising ring of Herman, in which chance does what Dijkstra's special
// machine does: whatever the bits of the processes are, with probability 1 one token is left, and it goes
// round. A process that had a token in the last step leads.
//
// Source: T. Herman, "Probabilistic self-stabilization", Information Processing Letters 35(2), 1990, by the
// rules as the literature tells them.
//
// Assumes: a ring of an odd number of processes that are all alike and move in steps, all at once; each reads
// the bit of the one before it.
//
// Guarantees: the number of tokens is odd and never grows; with probability 1 it is 1 in the end, on average
// after at most 4N²/27 steps. (There are runs without end in which it is not.)
//
// Deviations: there is no shared memory here. A process sends its bit to the one after it, which has it a tick
// later: timing=lockstep makes a step of each tick. Two processes that have one bit are a token of the second;
// it knows that when it has heard the first one's. The bits that processes begin with are any: a scheduler
// chooses them, and chance all others.
//
// Complexity: N messages in a step.
package herman

import "bullyproof/model"

// P is the state of a process.
type P struct {
	Bit   bool
	Token bool // it had one in the last step
}

// M is the bit of its sender.
type M struct{ Bit bool }

// Ring is the algorithm. Its zero value has a fair coin.
type Ring struct {
	model.Passive[P, M] // no failures, no timeouts

	// Zeros and Ones are, where they are not 0, the weights of the bits that a biased coin tosses.
	Zeros, Ones int
	// BitsAlone has processes forget whether they had a token: so far fewer states do for figures.
	BitsAlone bool
}

// The rules, in the order of the source.
var (
	rules model.Rules

	begins = rules.Add("begin with any bit")
	tosses = rules.Add("the bit before is the same, a token: toss a new bit")
	takes  = rules.Add("the bit before is another one: take it")
)

// coin is the biased coin.
const coin model.Choice = 0

// Names gives the words of the source.
func (r *Ring) Names() model.Names {
	n := model.Names{Kinds: []string{"bit"}, Rules: rules}
	if r.Zeros > 0 {
		n.Choices = []model.ChoiceName{{Name: "coin", Outcomes: []string{"0", "1"}, Weights: []int{r.Zeros, r.Ones}}}
	}
	return n
}

// Init: a process may have any bit.
func (r *Ring) Init(p *P, net *model.Net[M], _ model.Boot) {
	net.Rule(begins)
	p.Bit = net.Choose(2) == 1
	net.Send(model.Next, M{p.Bit})
}

// Receive is a step.
func (r *Ring) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	token := m.Bit == p.Bit
	if token {
		net.Rule(tosses)
		p.Bit = r.toss(net)
	} else {
		net.Rule(takes)
		p.Bit = m.Bit
	}
	p.Token = token && !r.BitsAlone
	net.Send(model.Next, M{p.Bit})
}

// toss returns a new bit. If it is the old one, the token goes on.
func (r *Ring) toss(net *model.Net[M]) bool {
	if r.Zeros > 0 {
		return net.Pick(coin) == 1
	}
	return net.Toss(2) == 1
}

// Belief: who had a token leads.
func (*Ring) Belief(p *P) model.Belief {
	if p.Token {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// Kind returns the kind of the message.
func (M) Kind() model.Kind { return 0 }

// String returns m as "bit(1)".
func (m M) String() string {
	if m.Bit {
		return "bit(1)"
	}
	return "bit(0)"
}
