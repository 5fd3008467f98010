// Package heraldtest has small protocols for the tests of package trace and of
// what draws its layouts, and runs of them.
package heraldtest

import (
	"fmt"

	"bullyproof/model"
)

// A Protocol is a small one with the race of the Bully in it: whoever hears
// no answer from a higher process announces itself, and everybody follows the
// latest announcement.
type Protocol struct {
	model.Passive[State, Message]
}

// A State is that of a process.
type State struct {
	Boss    model.ID
	Waiting bool
}

// A Message is one of the three kinds; Boss is of an announcement.
type Message struct {
	Type model.Kind
	Boss model.ID
}

// The kinds of messages.
const (
	Ping     model.Kind = iota // asks a higher process
	Pong                       // its answer
	Announce                   // of a coordinator
)

// Answer is the timer of who has asked.
const Answer model.Timer = 0

// Names are those of the Bully.
func (Protocol) Names() model.Names {
	return model.Names{
		Kinds:  []string{"ELECTION", "OK", "COORDINATOR"},
		Timers: []model.TimerName{{Name: "answer"}},
		Rules:  []string{"1: ask the higher ones", "2: no answer: announce", "3: answer and ask the higher ones", "4: follow"},
	}
}

// Kind returns the kind of the message.
func (m Message) Kind() model.Kind { return m.Type }

// String returns the message as "COORDINATOR(3)".
func (m Message) String() string {
	name := Protocol{}.Names().Kinds[m.Type]
	if m.Type == Announce {
		return fmt.Sprintf("%s(%d)", name, m.Boss)
	}
	return name
}

// Belief is the last announcement.
func (Protocol) Belief(p *State) model.Belief {
	return model.Belief{Elected: p.Boss, Participant: p.Waiting}
}

// Settle has the process follow the coordinator.
func (Protocol) Settle(p *State, _, coordinator model.ID, _ model.Set) { p.Boss = coordinator }

func (h Protocol) elect(p *State, net *model.Net[Message]) {
	if net.Higher().Empty() {
		h.lead(p, net)
		return
	}
	net.Rule(0)
	*p = State{Waiting: true}
	net.SendAll(net.Higher(), Message{Type: Ping})
	net.SetTimer(Answer, 2*net.Bound())
}

func (Protocol) lead(p *State, net *model.Net[Message]) {
	net.Rule(1)
	*p = State{Boss: net.Self()}
	net.SendAll(net.Lower(), Message{Announce, net.Self()})
}

// Init has a process that restarts begin an election.
func (h Protocol) Init(p *State, net *model.Net[Message], why model.Boot) {
	if why == model.Restart {
		h.elect(p, net)
	}
}

// Start begins an election.
func (h Protocol) Start(p *State, net *model.Net[Message]) { h.elect(p, net) }

// Suspect begins an election.
func (h Protocol) Suspect(p *State, net *model.Net[Message], _ model.ID) { h.elect(p, net) }

// Receive answers, waits no longer, or follows.
func (h Protocol) Receive(p *State, net *model.Net[Message], _ model.Port, m Message) {
	switch m.Type {
	case Ping:
		net.Rule(2)
		net.Reply(Message{Type: Pong})
		if !p.Waiting {
			h.elect(p, net)
		}
	case Pong:
		net.StopTimer(Answer)
	case Announce:
		net.Rule(3)
		net.StopTimer(Answer)
		*p = State{Boss: m.Boss}
	}
}

// Timeout has the process lead.
func (h Protocol) Timeout(p *State, net *model.Net[Message], _ model.Timer) { h.lead(p, net) }

// Watches are the properties of the tests.
var Watches = map[string]model.Watch{
	"": {},
	"uniqueness": {State: func(v *model.View) bool {
		return v.Leaders.Len() > 1
	}},
	"agreement": {State: func(v *model.View) bool {
		named := map[model.ID]bool{}
		for id := range v.Up.All() {
			named[v.Elected(id)] = true
		}
		return v.Settled && len(named) > 1
	}},
	"takeover": {Step: func(e *model.Event) bool {
		return e.From.Leaders.Has(2) && e.To.Leaders.Has(3)
	}},
}

// A Broken protocol panics as soon as it is started.
type Broken struct {
	model.Passive[BrokenState, BrokenMessage]
}

type (
	// BrokenState is the state of a process.
	BrokenState struct{ X uint8 }
	// BrokenMessage is the one kind of message.
	BrokenMessage struct{ Y uint8 }
)

// Names has the one kind of message.
func (Broken) Names() model.Names { return model.Names{Kinds: []string{"M"}} }

// Kind is the one there is.
func (BrokenMessage) Kind() model.Kind { return 0 }

// String is the same for all.
func (BrokenMessage) String() string { return "M" }

// Belief is none.
func (Broken) Belief(*BrokenState) model.Belief { return model.Belief{} }

// Start panics.
func (Broken) Start(*BrokenState, *model.Net[BrokenMessage]) { panic("out of\tluck") }

// Receive does nothing.
func (Broken) Receive(*BrokenState, *model.Net[BrokenMessage], model.Port, BrokenMessage) {
}

// A Relay is a ring on which a number goes round until it is back.
type Relay struct {
	model.Passive[RelayState, RelayMessage]
}

type (
	// RelayState is the state of a process of the relay.
	RelayState struct{ Best model.ID }
	// RelayMessage carries a number.
	RelayMessage struct{ ID model.ID }
)

// Names has the one kind of message.
func (Relay) Names() model.Names { return model.Names{Kinds: []string{"TOKEN"}} }

// Kind is the one there is.
func (RelayMessage) Kind() model.Kind { return 0 }

// String returns the message as "TOKEN(3)".
func (m RelayMessage) String() string { return fmt.Sprintf("TOKEN(%d)", m.ID) }

// Belief is the greatest number that the process has seen.
func (Relay) Belief(p *RelayState) model.Belief {
	return model.Belief{Elected: p.Best, Participant: p.Best == 0}
}

// Start sends the process's own number.
func (Relay) Start(_ *RelayState, net *model.Net[RelayMessage]) {
	net.Send(model.Next, RelayMessage{net.Self()})
}

// Receive passes on the greater number, until its own is back.
func (Relay) Receive(p *RelayState, net *model.Net[RelayMessage], from model.Port, m RelayMessage) {
	if p.Best = max(m.ID, net.Self()); m.ID != net.Self() {
		net.Send(from.Opposite(), RelayMessage{p.Best})
	}
}
