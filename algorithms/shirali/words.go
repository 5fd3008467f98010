package shirali

import (
	"fmt"

	"bullyproof/model"
)

// The rules.
var (
	rules model.Rules

	creates   = rules.Add("1: create a group around oneself: send Election both ways")
	joins     = rules.Add("2: an Election message: join the group, put in one's own number if it is greater, pass it on")
	ends      = rules.Add("3: an Election message that goes no further: the group ends here, send the result back")
	elects    = rules.Add("4: the results of both sides are in: send the group's coordinator to the next head")
	waits     = rules.Add("5: a group's coordinator comes before one's own is elected: keep the greatest")
	passes    = rules.Add("6: a greater group's coordinator: pass it on")
	stops     = rules.Add("7: a smaller one: stop it")
	announces = rules.Add("8: one's own group's coordinator comes back: it is the main coordinator, announce it")
	follows   = rules.Add("9: a Coordinator message: learn who is elected, pass it on")
	home      = rules.Add("10: the Coordinator message has gone all around: stop it")
)

var names = model.Names{
	Kinds: []string{Election: "Election", Result: "Result", Compare: "Compare", Coordinator: "Coordinator"},
	Rules: rules,
}

// Names returns the vocabulary.
func (x *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "Election(3,5)" or "Compare(5)", with ", 1 more" where the
// size of a group is limited.
func (m M) String() string {
	text := names.Kinds[m.Type] + "("
	if m.Head != model.None {
		text += m.Head.String() + ","
	}
	text += m.Best.String()
	if m.Left > 0 {
		text += fmt.Sprintf(", %d more", m.Left)
	}
	return text + ")"
}
