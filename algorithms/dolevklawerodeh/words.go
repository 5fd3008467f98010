package dolevklawerodeh

import (
	"slices"
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
const (
	begins model.Rule = iota
	one
	found
	takes
	passive
	passes
	announced
	home
	waits // Sorts
)

var names = model.Names{
	Kinds: []string{One: "one", Two: "two", Elected: "elected"},
	Rules: []string{
		begins:    "A0: max := own number, send one(max)",
		one:       "A1: one(q), q is not max: left := q, send two(q)",
		found:     "A1: one(q), q is max: it is the greatest of all; announce it",
		takes:     "A2: two(q), left is greater than q and max: max := left, send one(max)",
		passive:   "A2: two(q), otherwise: become passive",
		passes:    "passive: pass the message on",
		announced: "elected: note who it is and pass it on",
		home:      "elected came home",
	},
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names {
	n := names
	if c.Sorts {
		n.Rules = append(slices.Clone(n.Rules), "a message of the other kind: keep it until its turn")
	}
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "one(3)", "two(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
