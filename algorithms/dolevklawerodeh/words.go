package dolevklawerodeh

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	begins    = rules.Add("A0: max := own number, send one(max)")
	one       = rules.Add("A1: one(q), q is not max: left := q, send two(q)")
	found     = rules.Add("A1: one(q), q is max: it is the greatest of all; announce it")
	takes     = rules.Add("A2: two(q), left is greater than q and max: max := left, send one(max)")
	passive   = rules.Add("A2: two(q), otherwise: become passive")
	passes    = rules.Add("passive: pass the message on")
	announced = rules.Add("elected: note who it is and pass it on")
	home      = rules.Add("elected came home")
	waits     = rules.Add("a message of the other kind: keep it until its turn") // Sorts
)

var names = model.Names{
	Kinds: []string{One: "one", Two: "two", Elected: "elected"},
	Rules: rules[:waits],
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names {
	n := names
	if c.Sorts {
		n.Rules = rules
	}
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "one(3)", "two(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
