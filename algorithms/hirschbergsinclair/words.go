package hirschbergsinclair

import (
	"fmt"
	"slices"

	"bullyproof/model"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	begins    = rules.Add("begin: probe both ways, phase 0")
	stop      = rules.Add("probe of a smaller id: swallow it")
	forward   = rules.Add("probe of a greater id, not yet at its end: pass it on")
	turn      = rules.Add("probe of a greater id, at its end: reply")
	own       = rules.Add("one's own probe arrives: announce oneself elected")
	pass      = rules.Add("reply to somebody else: pass it on")
	wait      = rules.Add("one reply: wait for the other")
	next      = rules.Add("both replies: begin the next phase, twice as far")
	announced = rules.Add("elected: note who it is and pass it on")
	home      = rules.Add("elected came home")
	late      = rules.Add("one's own message, when the election is over: take it out of the ring")
	lost      = rules.Add("both replies, one of them no, or a greater id seen: probe no more")
)

// names is the vocabulary of the textbooks; that of echoes has more.
var names = model.Names{
	Kinds: kinds[:No],
	Rules: rules[:lost],
}

var kinds = []string{Probe: "probe", Reply: "reply", Elected: "elected", No: "no"}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names {
	n := names
	if c.Echoes {
		n.Kinds = kinds
		n.Rules = slices.Clone(rules)
		n.Rules[stop] = "probe of a smaller id: echo no"
	}
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "probe(3, phase 1, hop 2)", "reply(3, phase 1)" or
// "elected(3)".
func (m M) String() string {
	switch m.Type {
	case Probe:
		return fmt.Sprintf("probe(%d, phase %d, hop %d)", m.ID, m.Phase, m.Hop)
	case Elected:
		return fmt.Sprintf("elected(%d)", m.ID)
	}
	return fmt.Sprintf("%s(%d, phase %d)", kinds[m.Type], m.ID, m.Phase)
}
