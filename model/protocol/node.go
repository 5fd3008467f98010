package protocol

import (
	"fmt"
	"math/bits"
	"unsafe"
)

// A Node is one process of a protocol outside of any search: it runs the same
// handlers, and leaves what they do to the world to whoever drives it, a test or
// a program with a network and a clock. After each handler the driver reads what
// was sent (Sends) and what was done to timers (Changes), and carries it out.
//
// A Node is not safe for use by several goroutines at once.
type Node[P any, M Message] struct {
	// State is the state of the process. A test may set it.
	State P
	// Choose decides what Net.Choose(k) returns, and Net.Pick of a choice with k
	// outcomes: a number from 0 to k-1. Nil
	// always chooses 0.
	Choose func(k int) int
	// Left is what Net.Left returns of a timer that was set before the handler, in ticks. Without
	// it Net.Left is a misuse, as no time passes.
	Left func(t Timer) int

	code *typed[P, M]
	hand *hand[P, M]
	node
}

// node is what of a Node does not depend on the types of its protocol.
type node struct {
	net  *net
	call *Call   // of the net
	set  []uint8 // by timer: the ticks to which it is set, or 0
	up   bool
}

// NewNode returns process self of the protocol of a code with these types. Nothing has
// come up yet (Init).
func NewNode[P any, M Message](c Code, call Call, self ID) (*Node[P, M], error) {
	d := &Node[P, M]{code: c.(*typed[P, M])}
	d.hand = &hand[P, M]{of: d.code}
	choose := func(k int) int {
		if d.Choose == nil {
			return 0
		}
		return d.Choose(k)
	}
	return d, d.node.begin(&d.hand.n.net, call, self, choose)
}

// begin makes d process self, which has a net. It fails if self is not one of the
// processes.
func (d *node) begin(n *net, call Call, self ID, choose func(k int) int) error {
	if self == None || self > call.n {
		return fmt.Errorf("process %v: the processes are 1 to %d", self, call.n)
	}
	n.call, d.net = call, n
	d.call = &n.call
	d.call.Self, d.call.choose = self, choose
	d.call.WasSet = func(t Timer) bool { return d.set[t] != 0 }
	d.set = make([]uint8, len(call.Timers))
	return nil
}

// Init has the process come up. It fails, as all handlers do, where the protocol
// does what no world can carry out (a send to nobody, say), and if the process is
// up.
func (d *Node[P, M]) Init(why Boot) error {
	d.call.WasLeft = d.Left
	return d.node.init(why, func() { d.code.p.Init(&d.State, &d.hand.n, why) })
}

func (d *node) init(why Boot, handler func()) error {
	if d.up {
		return fmt.Errorf("Init(%v): process %v is up", why, d.call.Self)
	}
	d.up = true
	return d.do(0, handler)
}

// Start has the process begin an election.
func (d *Node[P, M]) Start() error { return d.Do(d.code.p.Start) }

// Request has somebody ask the process for one of the requests that the protocol names, by
// number; to begin an election where it names none.
func (d *Node[P, M]) Request(r Request) error {
	asked := d.code.Names()
	if n := len(asked.Asked()); int(r) >= n {
		return fmt.Errorf("Request(%d): the protocol has %d requests, numbered from 0", r, n)
	}
	d.call.WasLeft = d.Left
	return d.do(0, func() { d.hand.Request(unsafe.Pointer(&d.State), r) })
}

// Suspect has the failure detector report that process who is down.
func (d *Node[P, M]) Suspect(who ID) error {
	d.call.WasLeft = d.Left
	return d.node.suspect(who, func() { d.code.p.Suspect(&d.State, &d.hand.n, who) })
}

func (d *node) suspect(who ID, handler func()) error {
	if who == None || who > d.call.n || who == d.call.Self {
		return fmt.Errorf("Suspect(%v): the others are %v", who, d.net.Peers())
	}
	return d.do(0, handler)
}

// Receive has message m arrive by a port: Peer(sender) on a complete graph.
func (d *Node[P, M]) Receive(from Port, m M) error {
	d.call.WasLeft = d.Left
	return d.node.receive(from, func() { d.code.p.Receive(&d.State, &d.hand.n, from, m) })
}

func (d *node) receive(from Port, handler func()) error {
	switch n := d.call; {
	case n.oneWay && from != Prev:
		return fmt.Errorf("Receive by port %v: messages of a unidirectional ring come in by prev", from)
	case n.ring && from < Next:
		return fmt.Errorf("Receive by port %v: a ring has the ports next and prev", from)
	case !n.ring && (from == 0 || ID(from) > n.n || ID(from) == n.Self):
		return fmt.Errorf("Receive by port %v: the others are %v", from, d.net.Peers())
	}
	return d.do(from, handler)
}

// Expire has timer t expire. It fails if t is not set.
func (d *Node[P, M]) Expire(t Timer) error {
	d.call.WasLeft = d.Left
	return d.node.expire(t, func() { d.code.p.Timeout(&d.State, &d.hand.n, t) })
}

func (d *node) expire(t Timer, handler func()) error {
	if d.Ticks(t) == 0 {
		return fmt.Errorf("Expire(%d): the timer is not set", t)
	}
	d.set[t] = 0
	return d.do(0, handler)
}

// Crash takes the process down: its timers are gone, and of its state what is
// not stable. Init(Restart) brings it back. A process that is down stays so.
func (d *Node[P, M]) Crash() {
	clear(d.set)
	d.call.Begin(d.call.Self, 0)
	d.up = false
	if d.code.stabler != nil {
		d.code.stabler.Stable(&d.State)
		return
	}
	var zero P
	d.State = zero
}

// Be puts the process into the middle of a run, whatever it was before: it is up, in
// a state and with timers that are set.
func (d *Node[P, M]) Be(state P, timers ...Timer) {
	clear(d.set)
	for _, t := range timers {
		d.set[t] = 1
	}
	d.State, d.up = state, true
}

// Do runs any function in place of a handler, with the Net that a handler
// sees: for a test of what handlers share.
func (d *Node[P, M]) Do(handler func(p *P, net *Net[M])) error {
	d.call.WasLeft = d.Left
	return d.do(0, func() { handler(&d.State, &d.hand.n) })
}

func (d *node) do(from Port, handler func()) (err error) {
	if !d.up {
		return fmt.Errorf("process %v is not up: Init brings it up", d.call.Self)
	}
	d.call.Begin(d.call.Self, from)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case Misuse:
			err = r
		default:
			panic(r)
		}
	}()
	handler()
	for t, ticks := range d.call.Timers {
		if ticks != TimerKept {
			d.set[t] = ticks
		}
	}
	return nil
}

// Up reports whether the process is up.
func (d *node) Up() bool { return d.up }

// Belief says what the process believes of the coordinator, by its own id where
// it names itself; nothing while it is not up.
func (d *Node[P, M]) Belief() Belief { return d.node.belief(d.code, unsafe.Pointer(&d.State)) }

func (d *node) belief(c Code, p unsafe.Pointer) Belief {
	if !d.up {
		return Belief{}
	}
	b := c.Belief(p)
	if b.Elected == Me {
		b.Elected = d.call.Self
	}
	return b
}

// Sends yields what the last handler sent, in order, each message with the port
// by which it leaves.
func (d *Node[P, M]) Sends(yield func(to Port, m M) bool) { d.hand.n.Sends(yield) }

// Broadcast returns the number, from 1, of the broadcast that a send of the last
// handler is part of, counted from 0 in the order of Sends; 0 of a message that was
// sent alone.
func (d *node) Broadcast(send int) int { return int(d.call.Sends[send].Group) }

// Outcomes returns what the last handler chose, as in Action.Outcomes.
func (d *node) Outcomes() []string { return d.call.Outcomes() }

// Odds returns how likely chance makes what the last handler tossed, all of it together.
func (d *node) Odds() Odds { return d.call.Odds }

// Changes yields what the last handler did to timers: the ticks to which it set
// one, 0 where it stopped one. One that it set to what it was set to is among
// them, since it runs anew.
func (d *node) Changes(yield func(t Timer, ticks int) bool) {
	for t, ticks := range d.call.Timers {
		if ticks != TimerKept && !yield(Timer(t), int(ticks)) {
			return
		}
	}
}

// Ticks returns the ticks to which timer t is set, 0 where it is not set.
func (d *node) Ticks(t Timer) int {
	if int(t) >= len(d.set) {
		return 0
	}
	return int(d.set[t])
}

// Rules yields the rules of the source that the last handler applied.
func (d *node) Rules(yield func(r Rule) bool) {
	for rules := d.call.Rules; rules != 0; rules &= rules - 1 {
		if !yield(Rule(bits.TrailingZeros64(rules))) {
			return
		}
	}
}
