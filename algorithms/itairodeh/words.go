package itairodeh

import (
	"fmt"
	"slices"

	"bullyproof/model"
)

// The rules, in the order of the source.
var (
	rules model.Rules

	begins = rules.Add("begin: choose an identity at random, send it")
	passes = rules.Add("passive: pass the message on, one hop more")
	home   = rules.Add("hop = N, no clash: become the leader")
	clash  = rules.Add("the same identity and round, hop < N: note the clash")
	purges = rules.Add("an earlier round, or a smaller identity: purge the message")
	yields = rules.Add("a later round, or a greater identity: become passive and pass it on")
	alone  = rules.Add("hop = N, a clash: choose a new identity, next round")
)

var names = model.Names{
	Kinds: []string{"message"},
	Rules: rules,
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names {
	n := names
	if c.NoBit {
		n.Rules = slices.Clone(n.Rules[:alone])
		n.Rules[clash] = "the same identity, hop < N: choose a new identity, purge the message"
	}
	return n
}

// Kind returns the kind of the message.
func (M) Kind() model.Kind { return 0 }

// String returns the message as "(id 2, round 1, hop 3, clash)", without a round
// that is 0.
func (m M) String() string { return m.text(m.Round > 0) }

// Format returns m as String does, with the round wherever messages have rounds.
func (c *Protocol) Format(m M) string { return m.text(c.Rounds != Without) }

func (m M) text(round bool) string {
	text := fmt.Sprintf("(id %d", m.ID)
	if round {
		text += fmt.Sprintf(", round %d", m.Round)
	}
	text += fmt.Sprintf(", hop %d", m.Hop)
	if m.Clash {
		text += ", clash"
	}
	return text + ")"
}
