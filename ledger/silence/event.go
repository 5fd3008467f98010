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

// A Silence is a question about events: what happens where the source says nothing.
type Silence[P any, M model.Message] struct {
	// Name is a word in lower case: "told-itself".
	Name string
	// Cells are patterns of the events that it is about: see Pattern.
	Cells []string
	// Answers are what may happen then, two at least. The first is what the code does, and
	// has no Do.
	Answers []Answer[P, M]
}

// An Answer is what a process does in a silence.
type Answer[P any, M model.Message] struct {
	// Name is a word in lower case: "announces".
	Name string
	// Do is called in place of the handler; nil is the handler itself.
	Do func(p *P, net *model.Net[M], e *Event[M])
}

// Nothing is the answer of a process that does nothing.
func Nothing[P any, M model.Message](*P, *model.Net[M], *Event[M]) {}

// booted is the kind of event that a boot is.
func booted(why model.Boot) model.ActionKind {
	return [...]model.ActionKind{model.Cold: model.Boots, model.Join: model.Joins, model.Restart: model.Restarts}[why]
}
