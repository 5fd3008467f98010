// Package lease is a lock with a lease, as clients of Kubernetes elect a leader
// with client-go: an example of how to verify a system that is no protocol of
// messages, with package explore alone.
//
// A store keeps a record of who holds the lock, and has compare-and-swap: an
// update fails if the record has changed since it was read. Clients never
// compare clocks. One that sees the record unchanged for LeaseDuration, by its
// own clock, takes it over; the holder renews it again and again, and stops to
// lead when RenewDeadline has passed without a renewal. Answers of the store may
// take any time. So the deadline has to count from when the renewal was asked
// for: a client that counts from the answer may lead long after another has
// taken over.
//
// Source: k8s.io/client-go/tools/leaderelection, whose documentation says which
// differences of clock rates it tolerates.
package lease

import "fmt"

// Clients is the number of clients.
const Clients = 2

// A Phase is what a client waits for.
type Phase uint8

// The phases of a client.
const (
	Idle     Phase = iota
	Asked          // its update is on the way to the store
	Answered       // the answer is on the way back
)

// String returns the phase in lower case.
func (p Phase) String() string { return [...]string{"idle", "asked", "answered"}[p] }

// A Client is the state of a client, with durations in ticks of its clock.
type Client struct {
	Leads bool
	Left  uint8 // until it stops to lead without a renewal
	Age   uint8 // since it saw the record change, up to LeaseDuration
	News  bool  // the record has changed since it looked, which it does not know

	Phase Phase
	Since uint8 // since it asked, up to LeaseDuration
	OK    bool  // the update took place
}

// A State is a state of the store and its clients.
type State struct {
	Holder  uint8 // the client of the record, from 1; 0 for none
	Clients [Clients]Client
	Stalls  uint8 // ticks that clocks may still miss
}

// OneLeader is what the lock is for.
func (s State) OneLeader() bool { return !(s.Clients[0].Leads && s.Clients[1].Leads) }

// Led reports whether a client leads.
func (s State) Led() bool { return s.Clients[0].Leads || s.Clients[1].Leads }

// An Action is a transition. Client is whose, from 1, and 0 for a tick of all
// clocks.
type Action struct {
	Name   string
	Client int
}

// String returns the action as "update(2)".
func (a Action) String() string {
	if a.Client == 0 {
		return a.Name
	}
	return fmt.Sprintf("%s(%d)", a.Name, a.Client)
}

// A Lock is the algorithm with its parameters.
type Lock struct {
	LeaseDuration uint8 // ticks; at least 1
	RenewDeadline uint8 // ticks; less than LeaseDuration by what clocks may differ

	// FromAnswer counts RenewDeadline from the answer, which is wrong.
	FromAnswer bool

	// Stalls is how many ticks the clocks may miss: of one client at a time,
	// which is slow or paused.
	Stalls uint8

	// Prompt has the store answer before the clocks go on.
	Prompt bool
}

// Initial yields the one initial state: nobody has the lock.
func (l Lock) Initial(yield func(State) bool) { yield(State{Stalls: l.Stalls}) }

// Next yields the transitions.
func (l Lock) Next(s State, yield func(Action, State) bool) {
	waiting := false
	for i, c := range s.Clients {
		waiting = waiting || c.Phase != Idle
		switch c.Phase {
		case Idle:
			yield(Action{"look", i + 1}, l.look(s, i))
		case Asked:
			yield(Action{"update", i + 1}, update(s, i))
		case Answered:
			yield(Action{"answer", i + 1}, l.answer(s, i))
		}
	}
	if waiting && l.Prompt {
		return
	}
	yield(Action{"tick", 0}, l.tick(s, -1))
	if s.Stalls > 0 {
		for i := range s.Clients {
			yield(Action{"tick of all but", i + 1}, l.tick(s, i))
		}
	}
}

// look has a client read the record, and ask for an update if it may.
func (l Lock) look(s State, i int) State {
	c := &s.Clients[i]
	if c.News {
		c.News, c.Age = false, 0
	}
	if mine := int(s.Holder) == i+1; mine || s.Holder == 0 || c.Age >= l.LeaseDuration {
		c.Phase, c.Since = Asked, 0
	}
	return s
}

// update has the store update the record, unless it has changed since.
func update(s State, i int) State {
	c := &s.Clients[i]
	if c.Phase, c.OK = Answered, !c.News; c.OK {
		s.Holder = uint8(i + 1)
		for k := range s.Clients {
			s.Clients[k].News = k != i
		}
	}
	return s
}

// answer has a client get the answer to its update.
func (l Lock) answer(s State, i int) State {
	c := &s.Clients[i]
	if c.OK {
		c.Age, c.Left = 0, l.RenewDeadline
		if !l.FromAnswer {
			c.Left -= min(c.Left, c.Since)
		}
		c.Leads = c.Left > 0
	}
	c.Phase, c.Since, c.OK = Idle, 0, false
	return s
}

// tick has all clocks go on but that of the client that stalls, if it is one.
func (l Lock) tick(s State, stalls int) State {
	if stalls >= 0 {
		s.Stalls--
	}
	for i := range s.Clients {
		c := &s.Clients[i]
		if i == stalls {
			continue
		}
		c.Age = min(c.Age+1, l.LeaseDuration)
		if c.Phase != Idle {
			c.Since = min(c.Since+1, l.LeaseDuration)
		}
		c.Left -= min(c.Left, 1)
		c.Leads = c.Leads && c.Left > 0
	}
	return s
}
