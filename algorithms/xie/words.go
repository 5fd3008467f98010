package xie

import (
	"fmt"

	"bullyproof/model"
)

var rules = []string{
	begins:   "1: the coordinator has crashed: send Election to the successor and the predecessor",
	passes:   "2: an Election message: put in one's own number if it is greater, pass it on in the same direction",
	meets:    "3: an informer's Election from both sides: send Coordinator both ways",
	follows:  "4: a Coordinator message: learn who is elected, pass it on",
	second:   "5: the second Coordinator message of an election: stop it",
	home:     "6: one's own Election has gone all around: do not pass it on",
	outdated: "repair: a message of an election that is over: stop it",
	retries:  "repair: an election does not end: forget it and begin one",
}

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
