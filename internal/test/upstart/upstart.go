// Package upstart is a protocol with as few rules as there can be, which the
// tests of several packages check.
package upstart

import (
	"strconv"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Protocol is one in which whoever finds the coordinator down is the next, and
// says so. Its fields mend and break it.
type Protocol struct {
	model.Passive[State, Message]

	// Polite processes do not follow lower ids.
	Polite bool
	// Wild processes send to nobody when they find the coordinator down.
	Wild bool
	// Modest processes leave it to the next lower one to claim.
	Modest bool
	// Patient processes ask for a timer before they claim.
	Patient bool
}

// A State is that of a process.
type State struct {
	Elected model.ID
	Waiting bool
	Heard   model.Set
}

// A Message is the claim of a process to be coordinator.
type Message struct {
	Who   model.ID
	Heard model.Set
}

const (
	claims model.Rule = iota
	follows
	ignores
)

// Init claims, unless everybody boots at once.
func (u *Protocol) Init(p *State, net *model.Net[Message], why model.Boot) {
	if why != model.Cold {
		u.Claim(p, net)
	}
}

// Start claims.
func (u *Protocol) Start(p *State, net *model.Net[Message]) { u.Claim(p, net) }

// Suspect claims, or does what the fields say.
func (u *Protocol) Suspect(p *State, net *model.Net[Message], who model.ID) {
	switch {
	case u.Wild:
		net.SendTo(99, Message{})
	case u.Modest && net.Self() != who-1:
	case u.Patient:
		p.Waiting, p.Elected = true, model.None
		net.SetTimer(0, 2*net.Bound())
	default:
		u.Claim(p, net)
	}
}

// Timeout claims.
func (u *Protocol) Timeout(p *State, net *model.Net[Message], _ model.Timer) { u.Claim(p, net) }

// Claim makes the process coordinator, and tells everybody.
func (u *Protocol) Claim(p *State, net *model.Net[Message]) {
	net.Rule(claims)
	p.Waiting, p.Elected = false, net.Self()
	net.Broadcast(Message{Who: net.Self()})
}

// Receive follows, or ignores, a claim.
func (u *Protocol) Receive(p *State, net *model.Net[Message], _ model.Port, m Message) {
	if u.Polite && m.Who < net.Self() {
		net.Rule(ignores)
		return
	}
	net.Rule(follows)
	net.StopTimer(0)
	p.Waiting, p.Elected = false, m.Who
}

// Settle follows the coordinator.
func (u *Protocol) Settle(p *State, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief returns whom the process follows.
func (u *Protocol) Belief(p *State) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Waiting}
}

// Names returns the names of the rules.
func (u *Protocol) Names() model.Names {
	return model.Names{
		Kinds:  []string{"CLAIM"},
		Timers: []model.TimerName{{Name: "patience"}},
		Rules:  []string{claims: "the coordinator is down: claim", follows: "a claim: follow", ignores: "a lower claim: ignore"},
	}
}

// Kind returns the only one.
func (Message) Kind() model.Kind { return 0 }

// String returns the claim and who makes it.
func (m Message) String() string { return "CLAIM(" + strconv.Itoa(int(m.Who)) + ")" }

// Settled is the start after an election, with one crash to come.
func Settled(n int) setting.Setting {
	return setting.Setting{N: n, Needs: setting.Needs{Start: setting.SettledStart}, World: setting.World{Crashes: 1}}
}

// System makes the system of an upstart; its setting is known to be good.
func System(u *Protocol, s setting.Setting) *model.System {
	sys, err := model.New(u, s)
	if err != nil {
		panic(err)
	}
	return sys
}
