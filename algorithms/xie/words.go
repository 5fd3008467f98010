package xie

import (
	"fmt"

	"bullyproof/model"
)

var kinds = []string{Election: "Election", Coordinator: "Coordinator"}

// Names returns the vocabulary of the source.
func (x *Protocol) Names() model.Names {
	return model.Names{Kinds: kinds, Rules: rules[:outdated], Timers: []model.TimerName{{Name: "pass on"}}}
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m with its two sections, informer and coordinator:
// "Election(3,5)"; with the repair also the number of the informer's election.
func (m M) String() string {
	text := fmt.Sprintf("%s(%d,%d)", kinds[m.Type], m.Informer, m.Coordinator)
	if m.Round > 0 {
		text += fmt.Sprintf(" of %d", m.Round)
	}
	return text
}
