package model_test

import (
	"fmt"

	"bullyproof/model"
)

// A herald is a process's state in a protocol of one rule: whoever starts tells
// everybody that it leads.
type herald struct{ Leader model.ID }

// A claim is its message.
type claim struct{ Leader model.ID }

func (claim) Kind() model.Kind { return 0 }
func (c claim) String() string { return fmt.Sprintf("I LEAD(%d)", c.Leader) }

type heralds struct {
	model.Passive[herald, claim]
}

func (heralds) Start(p *herald, net *model.Net[claim]) {
	p.Leader = net.Self()
	net.Broadcast(claim{net.Self()})
}

func (heralds) Receive(p *herald, _ *model.Net[claim], _ model.Port, m claim) {
	p.Leader = m.Leader
}

func (heralds) Belief(p *herald) model.Belief { return model.Belief{Elected: p.Leader} }
func (heralds) Names() model.Names            { return model.Names{Kinds: []string{"I LEAD"}} }

// A protocol in a setting: its initial state, and what may happen in it.
func ExampleNewFrom() {
	sys, err := model.NewFrom(heralds{}, "n=3 initiators=2 timing=patient crashes=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sys.Setting())
	for state := range sys.Initial {
		for _, t := range sys.Transitions(state) {
			fmt.Println(t.Action.Kind, "at", t.Action.Process, "leaves", len(sys.Snapshot(t.Next).InFlight), "in flight")
		}
	}
	// Output:
	// n=3 initiators=2 channels=unordered timing=patient crashes=1
	// deliver at 1 leaves 1 in flight
	// deliver at 3 leaves 1 in flight
	// crash at 1 leaves 1 in flight
	// crash at 2 leaves 2 in flight
	// crash at 3 leaves 1 in flight
}
