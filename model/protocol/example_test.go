package protocol_test

import (
	"context"
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// State is that of a process: whom it follows.
type State struct{ Leader protocol.ID }

// Lead is the message: its sender leads.
type Lead struct{ Leader protocol.ID }

func (Lead) Kind() protocol.Kind { return 0 }
func (m Lead) String() string    { return fmt.Sprintf("LEAD(%d)", m.Leader) }

// Heralds is a protocol of one rule: whoever begins an election tells all others that it leads.
type Heralds struct {
	protocol.Passive[State, Lead] // the handlers that it has no rule for
}

func (Heralds) Start(p *State, net *protocol.Net[Lead]) {
	p.Leader = net.Self()
	net.Broadcast(Lead{net.Self()})
}

func (Heralds) Receive(p *State, net *protocol.Net[Lead], from protocol.Port, m Lead) {
	p.Leader = m.Leader
}

func (Heralds) Belief(p *State) protocol.Belief { return protocol.Belief{Elected: p.Leader} }
func (Heralds) Names() protocol.Names           { return protocol.Names{Kinds: []string{"LEAD"}} }

// With one initiator all follow it. With two they may disagree.
func Example() {
	for _, initiators := range []string{"3", "2,3"} {
		sys, err := model.New(Heralds{}, setting.Must("n=3 initiators="+initiators))
		if err != nil {
			fmt.Println(err)
			return
		}
		report, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{checker.Agreement}})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report.Findings[0].Line())
	}
	// Output:
	// holds
	// violated in 4 steps: P1 and P2 follow P3; P3 follows P2
}
