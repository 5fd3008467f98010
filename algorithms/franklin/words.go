package franklin

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
const (
	begins model.Rule = iota
	waits
	again
	gives
	own
	passes
	announced
	home
)

var names = model.Names{
	Kinds: []string{Candidate: "candidate", Elected: "elected"},
	Rules: []string{
		begins:    "begin: send one's own id both ways",
		waits:     "an id from one side: wait for the other",
		again:     "both sides are smaller: begin the next round",
		gives:     "one side is greater: become passive",
		own:       "one's own id arrives from both sides: announce oneself elected",
		passes:    "passive: pass the id on",
		announced: "elected: note who it is and pass it on",
		home:      "elected came home",
	},
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "candidate(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
