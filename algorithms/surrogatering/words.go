package surrogatering

import (
	"fmt"

	"bullyproof/model"
)

// The rules.
var (
	rules model.Rules

	creates   = rules.Add("1: create an Election packet; the surrogate stands in for who has failed")
	collects  = rules.Add("2: Election: the surrogate stands in; add one's own number and pass it on")
	elects    = rules.Add("3: one's own Election comes back: choose coordinator and surrogate, make a Coordinator packet")
	isTold    = rules.Add("4: Coordinator: take both over and pass it on")
	passed    = rules.Add("5: one's own Coordinator comes back: all have been told")
	reports   = rules.Add("6: the coordinator has failed: tell the surrogate")
	tells     = rules.Add("7: Crash, for another one: pass it on")
	takesOver = rules.Add("8: the surrogate is told: be coordinator, and look for a surrogate")
	nobody    = rules.Add("9: one's own Crash comes back: the surrogate has failed, too")
)

var names = model.Names{
	Kinds: []string{Election: "Election", Coordinator: "Coordinator", Crash: "Crash"},
	Rules: rules,
}

// Names returns the vocabulary, without what only another reading has.
func (x *Protocol) Names() model.Names {
	return model.Names{Kinds: names.Kinds[:Crash], Rules: names.Rules[:reports]}
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "Election by 1, 4 down: {1,2}", "Coordinator by 1: 3, then
// 2" or "Crash by 1, 4 down: to 3".
func (m M) String() string {
	text := names.Kinds[m.Type] + " by " + m.Informer.String()
	if m.Down != model.None {
		text += fmt.Sprintf(", %v down", m.Down)
	}
	switch m.Type {
	case Crash:
		return text + fmt.Sprintf(": to %v", m.Surrogate)
	case Coordinator:
		return text + fmt.Sprintf(": %v, then %v", m.Coordinator, m.Surrogate)
	}
	if m.Coordinator != model.None {
		text += fmt.Sprintf(", for %v", m.Coordinator)
	}
	return text + ": " + m.List.String()
}
