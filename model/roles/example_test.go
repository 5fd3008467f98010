package roles_test

import (
	"context"
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/roles"
)

// The kinds of messages between clients and the store.
const (
	ask model.Kind = iota
	granted
)

type message struct{ Type model.Kind }

func (m message) Kind() model.Kind { return m.Type }

func (m message) String() string { return [...]string{"ask", "granted"}[m.Type] }

// A client asks for the lock again and again. It leads for shorter than the store's lease.
type client struct {
	model.Passive[clientState, message]
}

type clientState struct{ Leads bool }

const (
	retry model.Timer = iota
	over
)

func (client) Init(_ *clientState, net *model.Net[message], _ model.Boot) { net.SetTimer(retry, 1) }

func (client) Timeout(p *clientState, net *model.Net[message], t model.Timer) {
	if t == over {
		net.Rule(0)
		p.Leads = false
		return
	}
	net.SetTimer(retry, 6)
	if !p.Leads {
		net.SendTo(1, message{ask})
	}
}

func (client) Receive(p *clientState, net *model.Net[message], _ model.Port, _ message) {
	p.Leads = true
	net.SetTimer(over, 3)
}

func (client) Belief(p *clientState) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

func (client) Names() model.Names {
	return model.Names{
		Kinds:  []string{"ask", "granted"},
		Timers: []model.TimerName{{Name: "retry"}, {Name: "over"}}, Rules: []string{"client: the lease is over"},
	}
}

// A store grants the lock for a lease, if it is free.
type store struct {
	model.Passive[storeState, message]
}

type storeState struct{ Grants uint8 }

const lease model.Timer = 0

func (store) Receive(p *storeState, net *model.Net[message], _ model.Port, _ message) {
	if net.IsSet(lease) {
		return
	}
	net.Rule(0)
	p.Grants = min(p.Grants+1, 3)
	net.SetTimer(lease, 5)
	net.Reply(message{granted})
}

func (store) Belief(*storeState) model.Belief { return model.Belief{} }

func (store) Names() model.Names {
	return model.Names{Timers: []model.TimerName{{Name: "lease"}}, Rules: []string{"store: the lock is free: grant it"}}
}

func Example() {
	// P1 is the store, and the others are clients.
	lock := roles.Two(
		roles.Role[clientState, message]{Name: "client", Protocol: client{}},
		roles.Role[storeState, message]{Name: "store", Protocol: store{}},
		model.SetOf(1),
	)
	sys, err := model.NewFrom(lock, "n=3 initiators=none detector=off timing=lockstep crashes=1 crashers=2,3")
	if err != nil {
		panic(err)
	}
	fmt.Println("P1 is a", sys.Role(1)+", and P2 is a", sys.Role(2)+".")

	// A property reads the state of the role that a process has.
	again := checker.Sometimes("granted-again", "The store grants the lock twice.", func(v *model.View) bool {
		return model.State[roles.State[clientState, storeState]](v, 1).Other.Grants > 1
	})
	r, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{checker.Uniqueness, again}})
	if err != nil {
		panic(err)
	}
	for _, f := range r.Findings {
		fmt.Println(f.Property.Name, f.Verdict)
	}
	for _, c := range r.Coverage.Rules {
		fmt.Println(c.Name)
	}
	// Output:
	// P1 is a store, and P2 is a client.
	// uniqueness holds
	// granted-again found
	// client: the lease is over
	// store: the lock is free: grant it
}
