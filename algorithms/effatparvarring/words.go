package effatparvarring

import (
	"fmt"
	"slices"

	"bullyproof/model"
)

const (
	notices model.Rule = iota
	forwards
	substitutes
	stops
	declares
	told
	last
	astray
	again
)

var (
	kinds = []string{Election: "ID", Coordinate: "coordinate"}
	rules = []string{
		notices:     "a node notices that the leader has crashed: it sends its ID",
		forwards:    "the received ID is the greatest: forward it",
		substitutes: "one's own ID is greater: forward that",
		stops:       "a smaller ID is not sent on: the greater one is in the ring",
		declares:    "the greatest ID has returned: declare a leader by a coordinate message",
		told:        "coordinate: take the leader over and pass it on",
		last:        "coordinate has been round",
	}
	names         = model.Names{Kinds: kinds, Rules: rules}
	namesLiteral  = model.Names{Kinds: kinds, Rules: slices.Concat(rules[:stops], rules[declares:])}
	namesRepaired = model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "patience"}},
		Rules: append(slices.Clone(rules),
			"a message has gone N steps, and is not one's own: its node has crashed, take it out",
			"nobody has declared itself in time: send one's ID again",
		),
	}
)

// rule returns the number that a rule has in the reading: the literal one has no
// rule that stops messages.
func (e *Protocol) rule(r model.Rule) model.Rule {
	if e.Reading == Literal {
		return r - 1
	}
	return r
}

// Names returns the vocabulary of the paper, which has no name for the message
// that carries an id.
func (e *Protocol) Names() model.Names {
	switch {
	case e.Repaired:
		return namesRepaired
	case e.Reading == Literal:
		return namesLiteral
	}
	return names
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the message as "ID 5" or "coordinate 5", with its informer and
// its steps where it has them.
func (m M) String() string { return m.text(m.Steps > 0) }

// Format returns m as String does, the repair's always with its steps.
func (e *Protocol) Format(m M) string { return m.text(e.Repaired) }

func (m M) text(steps bool) string {
	text := fmt.Sprintf("%s %v", kinds[m.Type], m.ID)
	if m.Informer != model.None {
		text += fmt.Sprintf(" by %v", m.Informer)
	}
	if steps {
		text += fmt.Sprintf(", step %d", m.Steps)
	}
	return text
}
