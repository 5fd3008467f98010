package anyprotocol

import (
	"bullyproof/model"
	"bullyproof/model/clock"
)

// A DatedState is that of a process that reads a clock: what it has seen also depends on
// how long ago it came into its mode.
type DatedState struct {
	State
	Clock clock.Clock
	Until clock.Instant
}

// Dated returns the table as a protocol whose processes read clocks. Table.Methods do not
// count.
func (t *Table) Dated() model.Protocol[DatedState, Message] {
	t.spread()
	return dated{t}
}

type dated struct{ table *Table }

// do runs a handler of the table. Once the time of its mode is over, a process marks it.
func (d dated) do(p *DatedState, handler func(p *State)) {
	if !p.Until.IsZero() && p.Clock.Passed(p.Until) {
		p.Seen, p.Until = p.Seen|1, clock.Instant{}
	}
	mode := p.Mode
	if handler(&p.State); p.Mode != mode {
		p.Until = p.Clock.In(int(p.Mode))
	}
}

func (d dated) Init(p *DatedState, net *model.Net[Message], why model.Boot) {
	d.do(p, func(p *State) { d.table.Init(p, net, why) })
}

func (d dated) Start(p *DatedState, net *model.Net[Message]) {
	d.do(p, func(p *State) { d.table.Start(p, net) })
}

func (d dated) Suspect(p *DatedState, net *model.Net[Message], who model.ID) {
	d.do(p, func(p *State) { d.table.Suspect(p, net, who) })
}

func (d dated) Receive(p *DatedState, net *model.Net[Message], from model.Port, m Message) {
	d.do(p, func(p *State) { d.table.Receive(p, net, from, m) })
}

func (d dated) Timeout(p *DatedState, net *model.Net[Message], timer model.Timer) {
	d.do(p, func(p *State) { d.table.Timeout(p, net, timer) })
}

// Settle has everybody name the coordinator.
func (d dated) Settle(p *DatedState, self, coordinator model.ID, live model.Set) {
	*p = DatedState{}
	d.table.Settle(&p.State, self, coordinator, live)
}

// Stable keeps the mode and until when it lasts.
func (dated) Stable(p *DatedState) { *p = DatedState{State: State{Mode: p.Mode}, Until: p.Until} }

// Oldest is as long as a mode lasts.
func (dated) Oldest() int { return modes }

func (d dated) Belief(p *DatedState) model.Belief { return d.table.Belief(&p.State) }

func (d dated) Names() model.Names { return d.table.Names() }
