package silence

import (
	"bullyproof/model"
)

// An Event is what a handler is called for.
type Event[M model.Message] struct {
	// Kind is Delivers, Expires, Suspects, Starts, or one of Boots, Joins and Restarts.
	Kind model.ActionKind
	// From and Message are of a message that arrives.
	From    model.Port
	Message M
	// Timer is the one that expires, and Who the process that is reported to be down.
	Timer model.Timer
	Who   model.ID
}

// A Silence is a question about events: what a process does where the source says nothing.
type Silence struct {
	// Name is a word in lower case: "told-itself".
	Name string
	// Cells are patterns of the events that it is about: see Pattern.
	Cells []string
	// Answers are the names of what a process may do then, two at least. The first is what
	// the code does.
	Answers []string
}

// Does says what a process does by an answer, in place of the handler: by the names of the
// silence and of the answer, "told-itself/announces". The first answer of a silence is what
// the code does, and the answer "nothing" is to do nothing; neither has an entry.
type Does[P any, M model.Message] map[string]func(p *P, net *model.Net[M], e *Event[M])

// nothing is the name of the answer by which a process does nothing.
const nothing = "nothing"

// booted is the kind of event that a boot is.
func booted(why model.Boot) model.ActionKind {
	return [...]model.ActionKind{model.Cold: model.Boots, model.Join: model.Joins, model.Restart: model.Restarts}[why]
}
