package model

import (
	"fmt"
	"math/bits"
	"unsafe"

	"bullyproof/setting"
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

	protocol *typed[P, M]
	hand     *hand[P, M]
	node
}

// node is what of a Node does not depend on the types of its protocol.
type node struct {
	net *net
	set []uint8 // by timer: the ticks to which it is set, or 0
	up  bool
}

// NewNode returns process self of a protocol in setting s, whose number of
// processes, topology and timing it runs under; nothing has come up yet (Init).
// It fails where New fails but for what concerns encodings, and if self is not
// one of the processes.
func NewNode[P any, M Message](p Protocol[P, M], s setting.Setting, self ID) (*Node[P, M], error) {
	c := codeFor(p)
	w, err := newWorld(c, s)
	if err != nil {
		return nil, err
	}
	d := &Node[P, M]{protocol: c.(*typed[P, M])}
	d.hand = &hand[P, M]{typed: d.protocol}
	choose := func(k int) int {
		if d.Choose == nil {
			return 0
		}
		return d.Choose(k)
	}
	return d, d.node.begin(w, &d.hand.n.net, self, choose)
}

// begin makes d process self of a world that has a net. It fails if self is not one
// of the processes.
func (d *node) begin(w *world, n *net, self ID, choose func(k int) int) error {
	if self == None || int(self) > w.N {
		return fmt.Errorf("process %v: the processes are 1 to %d", self, w.N)
	}
	*n = w.newNet()
	n.self, n.choose = self, choose
	n.wasSet = func(t Timer) bool { return d.set[t] != 0 }
	d.net, d.set = n, make([]uint8, len(w.names.Timers))
	return nil
}

// Init has the process come up. It fails, as all handlers do, where the protocol
// does what no world can carry out (a send to nobody, say), and if the process is
// up.
func (d *Node[P, M]) Init(why Boot) error {
	return d.node.init(why, func() { d.protocol.Init(&d.State, &d.hand.n, why) })
}

func (d *node) init(why Boot, handler func()) error {
	if d.up {
		return fmt.Errorf("Init(%v): process %v is up", why, d.net.self)
	}
	d.up = true
	return d.do(0, handler)
}

// Start has the process begin an election.
func (d *Node[P, M]) Start() error { return d.Do(d.protocol.Start) }

// Suspect has the failure detector report that process who is down.
func (d *Node[P, M]) Suspect(who ID) error {
	return d.node.suspect(who, func() { d.protocol.Suspect(&d.State, &d.hand.n, who) })
}

func (d *node) suspect(who ID, handler func()) error {
	if who == None || who > d.net.n || who == d.net.self {
		return fmt.Errorf("Suspect(%v): the others are %v", who, d.net.Peers())
	}
	return d.do(0, handler)
}

// Receive has message m arrive by a port: Peer(sender) on a complete graph.
func (d *Node[P, M]) Receive(from Port, m M) error {
	return d.node.receive(from, func() { d.protocol.Receive(&d.State, &d.hand.n, from, m) })
}

func (d *node) receive(from Port, handler func()) error {
	switch n := d.net; {
	case n.oneWay && from != Prev:
		return fmt.Errorf("Receive by port %v: messages of a unidirectional ring come in by prev", from)
	case n.ring && from < Next:
		return fmt.Errorf("Receive by port %v: a ring has the ports next and prev", from)
	case !n.ring && (from == 0 || ID(from) > n.n || ID(from) == n.self):
		return fmt.Errorf("Receive by port %v: the others are %v", from, n.Peers())
	}
	return d.do(from, handler)
}

// Expire has timer t expire. It fails if t is not set.
func (d *Node[P, M]) Expire(t Timer) error {
	return d.node.expire(t, func() { d.protocol.Timeout(&d.State, &d.hand.n, t) })
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
	d.clear(0)
	d.up = false
	if d.protocol.stabler != nil {
		d.protocol.stabler.Stable(&d.State)
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
	return d.do(0, func() { handler(&d.State, &d.hand.n) })
}

func (d *node) do(from Port, handler func()) (err error) {
	if !d.up {
		return fmt.Errorf("process %v is not up: Init brings it up", d.net.self)
	}
	d.clear(from)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case misuse:
			err = r
		default:
			panic(r)
		}
	}()
	handler()
	for t, ticks := range d.net.timers {
		if ticks != timerKept {
			d.set[t] = ticks
		}
	}
	return nil
}

// clear makes the net ready for a handler.
func (d *node) clear(from Port) {
	n := d.net
	n.from, n.sends, n.rules, n.group = from, n.sends[:0], 0, 0
	n.choices, n.widths, n.picked = n.choices[:0], n.widths[:0], n.picked[:0]
	for t := range n.timers {
		n.timers[t] = timerKept
	}
}

// Up reports whether the process is up.
func (d *node) Up() bool { return d.up }

// Belief says what the process believes of the coordinator, by its own id where
// it names itself; nothing while it is not up.
func (d *Node[P, M]) Belief() Belief { return d.node.belief(d.protocol, unsafe.Pointer(&d.State)) }

func (d *node) belief(c code, p unsafe.Pointer) Belief {
	if !d.up {
		return Belief{}
	}
	b := c.belief(p)
	if b.Elected == Me {
		b.Elected = d.net.self
	}
	return b
}

// Sends yields what the last handler sent, in order, each message with the port
// by which it leaves.
func (d *Node[P, M]) Sends(yield func(to Port, m M) bool) { d.hand.n.Sends(yield) }

// Broadcast returns the number, from 1, of the broadcast that a send of the last
// handler is part of, counted from 0 in the order of Sends; 0 of a message that was
// sent alone.
func (d *node) Broadcast(send int) int { return int(d.net.sends[send].group) }

// Outcomes returns what the last handler chose, as Action.Outcomes has it.
func (d *node) Outcomes() []string { return d.net.outcomes() }

// Changes yields what the last handler did to timers: the ticks to which it set
// one, 0 where it stopped one. One that it set to what it was set to is among
// them, since it runs anew.
func (d *node) Changes(yield func(t Timer, ticks int) bool) {
	for t, ticks := range d.net.timers {
		if ticks != timerKept && !yield(Timer(t), int(ticks)) {
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
	for rules := d.net.rules; rules != 0; rules &= rules - 1 {
		if !yield(Rule(bits.TrailingZeros64(rules))) {
			return
		}
	}
}
