package franklin

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	begins    = rules.Add("begin: send one's own id both ways")
	waits     = rules.Add("an id from one side: wait for the other")
	again     = rules.Add("both sides are smaller: begin the next round")
	gives     = rules.Add("one side is greater: become passive")
	own       = rules.Add("one's own id arrives from both sides: announce oneself elected")
	passes    = rules.Add("passive: pass the id on")
	announced = rules.Add("elected: note who it is and pass it on")
	home      = rules.Add("elected came home")
)

var names = model.Names{
	Kinds: []string{Candidate: "candidate", Elected: "elected"},
	Rules: rules,
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "candidate(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
