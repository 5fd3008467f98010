package peterson

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
const (
	begins model.Rule = iota
	first
	second
	survives
	gives
	relays
	own
	announced
	home
	late
)

var names = model.Names{
	Kinds: []string{Value: "value", Elected: "elected"},
	Rules: []string{
		begins:    "begin: tid := own id, send tid",
		first:     "receive ntid: send the greater of tid and ntid",
		second:    "receive nntid",
		survives:  "ntid is no less than tid and nntid: tid := ntid, send tid",
		gives:     "otherwise: become a relay",
		relays:    "relay: pass the id on",
		own:       "one's own id arrives: announce oneself elected",
		announced: "elected: note who it is and pass it on",
		home:      "elected came home",
		late:      "an id that arrives at the elected process: take it out of the ring",
	},
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "value(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
