package model

import (
	"fmt"
	"math/bits"

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

	protocol Protocol[P, M]
	stable   stable[P]
	net      Net[M]
	set      []uint8 // by timer: the ticks to which it is set, or 0
	up       bool
}

// NewNode returns process self of a protocol in setting s, whose number of
// processes, topology and timing it runs under; nothing has come up yet (Init).
// It fails where New fails but for what concerns encodings, and if self is not
// one of the processes.
func NewNode[P any, M Message](p Protocol[P, M], s setting.Setting, self ID) (*Node[P, M], error) {
	w, err := newWorld(p, s)
	if err != nil {
		return nil, err
	}
	if self == None || int(self) > w.n {
		return nil, fmt.Errorf("process %v: the processes are 1 to %d", self, w.n)
	}
	d := &Node[P, M]{protocol: p, stable: w.stable, net: w.newNet(), set: make([]uint8, len(w.names.Timers))}
	d.net.self = self
	d.net.wasSet = func(t Timer) bool { return d.set[t] != 0 }
	d.net.choose = func(k int) int {
		if d.Choose == nil {
			return 0
		}
		return d.Choose(k)
	}
	return d, nil
}

// Init has the process come up. It fails, as all handlers do, where the protocol
// does what no world can carry out (a send to nobody, say), and if the process is
// up.
func (d *Node[P, M]) Init(why Boot) error {
	if d.up {
		return fmt.Errorf("Init(%v): process %v is up", why, d.net.self)
	}
	d.up = true
	return d.Do(func(p *P, net *Net[M]) { d.protocol.Init(p, net, why) })
}

// Start has the process begin an election.
func (d *Node[P, M]) Start() error { return d.Do(d.protocol.Start) }

// Suspect has the failure detector report that process who is down.
func (d *Node[P, M]) Suspect(who ID) error {
	if who == None || who > d.net.n || who == d.net.self {
		return fmt.Errorf("Suspect(%v): the others are %v", who, d.net.Peers())
	}
	return d.Do(func(p *P, net *Net[M]) { d.protocol.Suspect(p, net, who) })
}

// Receive has message m arrive by a port: Peer(sender) on a complete graph.
func (d *Node[P, M]) Receive(from Port, m M) error {
	switch n := &d.net; {
	case n.oneWay && from != Prev:
		return fmt.Errorf("Receive by port %v: messages of a unidirectional ring come in by prev", from)
	case n.ring && from < Next:
		return fmt.Errorf("Receive by port %v: a ring has the ports next and prev", from)
	case !n.ring && (from == 0 || ID(from) > n.n || ID(from) == n.self):
		return fmt.Errorf("Receive by port %v: the others are %v", from, n.Peers())
	}
	return d.do(from, func(p *P, net *Net[M]) { d.protocol.Receive(p, net, from, m) })
}

// Expire has timer t expire. It fails if t is not set.
func (d *Node[P, M]) Expire(t Timer) error {
	if d.Ticks(t) == 0 {
		return fmt.Errorf("Expire(%d): the timer is not set", t)
	}
	d.set[t] = 0
	return d.Do(func(p *P, net *Net[M]) { d.protocol.Timeout(p, net, t) })
}

// Crash takes the process down: its timers are gone, and of its state what is
// not stable. Init(Restart) brings it back. A process that is down stays so.
func (d *Node[P, M]) Crash() {
	clear(d.set)
	d.clear(0)
	d.up = false
	if d.stable != nil {
		d.stable.Stable(&d.State)
		return
	}
	var zero P
	d.State = zero
}

// Do runs any function in place of a handler, with the Net that a handler
// sees: for a test of what handlers share.
func (d *Node[P, M]) Do(handler func(p *P, net *Net[M])) error { return d.do(0, handler) }

func (d *Node[P, M]) do(from Port, handler func(p *P, net *Net[M])) (err error) {
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
	handler(&d.State, &d.net)
	for t, ticks := range d.net.timers {
		if ticks != timerKept {
			d.set[t] = ticks
		}
	}
	return nil
}

// clear makes the net ready for a handler.
func (d *Node[P, M]) clear(from Port) {
	n := &d.net
	n.from, n.sends, n.rules, n.group = from, n.sends[:0], 0, 0
	for t := range n.timers {
		n.timers[t] = timerKept
	}
}

// Up reports whether the process is up.
func (d *Node[P, M]) Up() bool { return d.up }

// Belief says what the process believes of the coordinator, by its own id where
// it names itself; nothing while it is not up.
func (d *Node[P, M]) Belief() Belief {
	if !d.up {
		return Belief{}
	}
	b := d.protocol.Belief(&d.State)
	if b.Elected == Me {
		b.Elected = d.net.self
	}
	return b
}

// Sends yields what the last handler sent, in order, each message with the port
// by which it leaves.
func (d *Node[P, M]) Sends(yield func(to Port, m M) bool) { d.net.Sends(yield) }

// Changes yields what the last handler did to timers: the ticks to which it set
// one, 0 where it stopped one. One that it set to what it was set to is among
// them, since it runs anew.
func (d *Node[P, M]) Changes(yield func(t Timer, ticks int) bool) {
	for t, ticks := range d.net.timers {
		if ticks != timerKept && !yield(Timer(t), int(ticks)) {
			return
		}
	}
}

// Ticks returns the ticks to which timer t is set, 0 where it is not set.
func (d *Node[P, M]) Ticks(t Timer) int {
	if int(t) >= len(d.set) {
		return 0
	}
	return int(d.set[t])
}

// Rules yields the rules of the source that the last handler applied.
func (d *Node[P, M]) Rules(yield func(r Rule) bool) {
	for rules := d.net.rules; rules != 0; rules &= rules - 1 {
		if !yield(Rule(bits.TrailingZeros64(rules))) {
			return
		}
	}
}
