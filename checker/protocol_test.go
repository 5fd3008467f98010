package checker_test

import (
	"strconv"

	"bullyproof/model"
)

// upstart is a protocol with as few rules as there can be: whoever finds the
// coordinator down is the next, and says so. Its fields mend and break it.
type upstart struct {
	model.Passive[state, message]

	// polite processes do not follow lower ids.
	polite bool
	// wild processes send to nobody when they find the coordinator down.
	wild bool
	// modest processes leave it to the next lower one to claim.
	modest bool
	// patient processes ask for a timer before they claim.
	patient bool
}

type state struct {
	Elected model.ID
	Waiting bool
	Heard   model.Set
}

type message struct {
	Who   model.ID
	Heard model.Set
}

const (
	claims model.Rule = iota
	follows
	ignores
)

func (u *upstart) Init(p *state, net *model.Net[message], why model.Boot) {
	if why != model.Cold {
		u.claim(p, net)
	}
}

func (u *upstart) Start(p *state, net *model.Net[message]) { u.claim(p, net) }

func (u *upstart) Suspect(p *state, net *model.Net[message], who model.ID) {
	switch {
	case u.wild:
		net.SendTo(99, message{})
	case u.modest && net.Self() != who-1:
	case u.patient:
		p.Waiting, p.Elected = true, model.None
		net.SetTimer(0, 2*net.Bound())
	default:
		u.claim(p, net)
	}
}

func (u *upstart) Timeout(p *state, net *model.Net[message], _ model.Timer) { u.claim(p, net) }

func (u *upstart) claim(p *state, net *model.Net[message]) {
	net.Rule(claims)
	p.Waiting, p.Elected = false, net.Self()
	net.Broadcast(message{Who: net.Self()})
}

func (u *upstart) Receive(p *state, net *model.Net[message], _ model.Port, m message) {
	if u.polite && m.Who < net.Self() {
		net.Rule(ignores)
		return
	}
	net.Rule(follows)
	net.StopTimer(0)
	p.Waiting, p.Elected = false, m.Who
}

func (u *upstart) Settle(p *state, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

func (u *upstart) Belief(p *state) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Waiting}
}

func (u *upstart) Names() model.Names {
	return model.Names{
		Kinds:  []string{"CLAIM"},
		Timers: []model.TimerName{{Name: "patience"}},
		Rules:  []string{claims: "the coordinator is down: claim", follows: "a claim: follow", ignores: "a lower claim: ignore"},
	}
}

func (message) Kind() model.Kind { return 0 }

func (m message) String() string { return "CLAIM(" + strconv.Itoa(int(m.Who)) + ")" }

// settled is the start after an election, with one crash to come.
func settled(n int) model.Setting {
	return model.Setting{N: n, Start: model.SettledStart, Crashes: 1}
}

// newUpstart makes the system of an upstart; its setting is known to be good.
func newUpstart(u *upstart, s model.Setting) *model.System {
	sys, err := model.New(u, s)
	if err != nil {
		panic(err)
	}
	return sys
}
