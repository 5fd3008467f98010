package effatparvarring

import (
	"fmt"

	"bullyproof/model"
)

var (
	rules model.Rules

	notices     = rules.Add("a node notices that the leader has crashed: it sends its ID")
	forwards    = rules.Add("the received ID is the greatest: forward it")
	substitutes = rules.Add("one's own ID is greater: forward that")
	declares    = rules.Add("the greatest ID has returned: declare a leader by a coordinate message")
	told        = rules.Add("coordinate: take the leader over and pass it on")
	last        = rules.Add("coordinate has been round")
	stops       = rules.Add("a smaller ID is not sent on: the greater one is in the ring") // last, since the literal reading does not have it
)

var kinds = []string{Election: "ID", Coordinate: "coordinate"}

var names = model.Names{
	Kinds: kinds,
	Rules: rules,
}

// Names returns the vocabulary of the paper, which has no name for the message
// that carries an id.
func (*Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the message as "ID 5" or "coordinate 5", with its informer and
// its steps where it has them.
func (m M) String() string { return m.text(int(m.Steps)) }

func (m M) text(step int) string {
	text := fmt.Sprintf("%s %v", kinds[m.Type], m.ID)
	if m.Informer != model.None {
		text += fmt.Sprintf(" by %v", m.Informer)
	}
	if step > 0 {
		text += fmt.Sprintf(", step %d", step)
	}
	return text
}
