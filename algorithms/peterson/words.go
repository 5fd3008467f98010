package peterson

import (
	"strconv"

	"bullyproof/model"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	begins    = rules.Add("begin: tid := own id, send tid")
	first     = rules.Add("receive ntid: send the greater of tid and ntid")
	second    = rules.Add("receive nntid")
	survives  = rules.Add("ntid is no less than tid and nntid: tid := ntid, send tid")
	gives     = rules.Add("otherwise: become a relay")
	relays    = rules.Add("relay: pass the id on")
	own       = rules.Add("one's own id arrives: announce oneself elected")
	announced = rules.Add("elected: note who it is and pass it on")
	home      = rules.Add("elected came home")
	late      = rules.Add("an id that arrives at the elected process: take it out of the ring")
)

var names = model.Names{
	Kinds: []string{Value: "value", Elected: "elected"},
	Rules: rules,
}

// Names returns the vocabulary of the source.
func (c *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "value(3)" or "elected(3)".
func (m M) String() string {
	return names.Kinds[m.Type] + "(" + strconv.Itoa(int(m.ID)) + ")"
}
