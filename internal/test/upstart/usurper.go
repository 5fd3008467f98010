package upstart

import (
	"bullyproof/model"
	"bullyproof/model/clock"
)

// A Usurper is a protocol in which every process leads when its timer expires, whatever the others
// do. Processes have clocks, and toss a coin as they come up, so that whatever a setting can leave
// open of an initial state is open.
type Usurper struct {
	model.Passive[Usurping, Notice]
}

type (
	// Usurping is the state of a process.
	Usurping struct {
		Clock clock.Clock
		Leads bool
		Coin  uint8
	}
	// A Notice is a message that nobody sends.
	Notice struct{}
)

// Kind is the only one.
func (Notice) Kind() model.Kind { return 0 }

// String is its text.
func (Notice) String() string { return "notice" }

// Init tosses a coin, and sets the timer.
func (Usurper) Init(p *Usurping, net *model.Net[Notice], _ model.Boot) {
	p.Coin = uint8(net.Choose(2))
	net.SetTimer(0, 1)
}

// Timeout leads.
func (Usurper) Timeout(p *Usurping, _ *model.Net[Notice], _ model.Timer) { p.Leads = true }

// Request leads.
func (Usurper) Request(p *Usurping, _ *model.Net[Notice], _ model.Request) { p.Leads = true }

// Receive does nothing.
func (Usurper) Receive(*Usurping, *model.Net[Notice], model.Port, Notice) {}

// Settle leaves a process as it came up.
func (Usurper) Settle(p *Usurping, _, _ model.ID, _ model.Set) { *p = Usurping{Clock: p.Clock} }

// Wake sets the timer.
func (Usurper) Wake(_ *Usurping, net *model.Net[Notice]) { net.SetTimer(0, 1) }

// Names are those of the timer, the message and the request.
func (Usurper) Names() model.Names {
	return model.Names{Kinds: []string{"notice"}, Timers: []model.TimerName{{Name: "coup"}}, Requests: []string{"lead"}}
}

// Belief is that of a process that leads.
func (Usurper) Belief(p *Usurping) (b model.Belief) {
	if p.Leads {
		b.Elected = model.Me
	}
	return b
}
