// Package heraldtest has small protocols for the tests of package trace and of
// what draws its layouts, and runs of them.
package heraldtest

import (
	"fmt"

	"bullyproof/model"
)

// A herald is a small protocol with the race of the Bully in it: whoever hears
// no answer from a higher process announces itself, and everybody follows the
// latest announcement.
type Protocol struct {
	model.Passive[State, Message]
}

type State struct {
	Boss    model.ID
	Waiting bool
}

type Message struct {
	Type model.Kind
	Boss model.ID
}

const (
	Ping model.Kind = iota
	Pong
	Announce
)

const Answer model.Timer = 0

func (Protocol) Names() model.Names {
	return model.Names{
		Kinds:  []string{"ELECTION", "OK", "COORDINATOR"},
		Timers: []model.TimerName{{Name: "answer"}},
		Rules:  []string{"1: ask the higher ones", "2: no answer: announce", "3: answer and ask the higher ones", "4: follow"},
	}
}

func (m Message) Kind() model.Kind { return m.Type }

func (m Message) String() string {
	name := Protocol{}.Names().Kinds[m.Type]
	if m.Type == Announce {
		return fmt.Sprintf("%s(%d)", name, m.Boss)
	}
	return name
}

func (Protocol) Belief(p *State) model.Belief {
	return model.Belief{Elected: p.Boss, Participant: p.Waiting}
}

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

func (h Protocol) Init(p *State, net *model.Net[Message], why model.Boot) {
	if why == model.Restart {
		h.elect(p, net)
	}
}

func (h Protocol) Start(p *State, net *model.Net[Message]) { h.elect(p, net) }

func (h Protocol) Suspect(p *State, net *model.Net[Message], _ model.ID) { h.elect(p, net) }

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

// A broken protocol panics as soon as it is started.
type Broken struct {
	model.Passive[BrokenState, BrokenMessage]
}

type (
	BrokenState   struct{ X uint8 }
	BrokenMessage struct{ Y uint8 }
)

func (Broken) Names() model.Names                            { return model.Names{Kinds: []string{"M"}} }
func (BrokenMessage) Kind() model.Kind                       { return 0 }
func (BrokenMessage) String() string                         { return "M" }
func (Broken) Belief(*BrokenState) model.Belief              { return model.Belief{} }
func (Broken) Start(*BrokenState, *model.Net[BrokenMessage]) { panic("out of\tluck") }
func (Broken) Receive(*BrokenState, *model.Net[BrokenMessage], model.Port, BrokenMessage) {
}

// A relay is a ring on which a number goes round until it is back.
type Relay struct {
	model.Passive[RelayState, RelayMessage]
}

type (
	RelayState   struct{ Best model.ID }
	RelayMessage struct{ ID model.ID }
)

func (Relay) Names() model.Names      { return model.Names{Kinds: []string{"TOKEN"}} }
func (RelayMessage) Kind() model.Kind { return 0 }
func (m RelayMessage) String() string { return fmt.Sprintf("TOKEN(%d)", m.ID) }

func (Relay) Belief(p *RelayState) model.Belief {
	return model.Belief{Elected: p.Best, Participant: p.Best == 0}
}

func (Relay) Start(_ *RelayState, net *model.Net[RelayMessage]) {
	net.Send(model.Next, RelayMessage{net.Self()})
}

func (Relay) Receive(p *RelayState, net *model.Net[RelayMessage], from model.Port, m RelayMessage) {
	if p.Best = max(m.ID, net.Self()); m.ID != net.Self() {
		net.Send(from.Opposite(), RelayMessage{p.Best})
	}
}
