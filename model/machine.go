package model

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"bullyproof/internal/flat"
)

// A Machine is one process of a system outside of any search, as a Node is, for
// a driver that knows the types neither of states nor of messages: both are
// bytes. A program that runs the processes of a protocol over a network drives
// Machines. The handlers' errors are those of a Node; besides, a handler that
// panics is an error.
//
// A Machine is not safe for use by several goroutines at once.
type Machine interface {
	// Init has the process come up. On Restart stored is what Stored returned
	// last, or nil if nothing was stored; it has to be nil otherwise.
	Init(why Boot, stored []byte) error
	// Start has the process begin an election.
	Start() error
	// Suspect has the failure detector report that process who is down.
	Suspect(who ID) error
	// Receive has a message arrive by a port. It fails, and runs nothing, if the
	// bytes are no message of the protocol.
	Receive(from Port, message []byte) error
	// Expire has timer t expire. It fails if t is not set.
	Expire(t Timer) error

	// Sends yields what the last handler sent, in order.
	Sends(yield func(to Port, m Letter) bool)
	// Changes yields what the last handler did to timers, as Node.Changes does.
	Changes(yield func(t Timer, ticks int) bool)
	// Rules yields the rules of the source that the last handler applied.
	Rules(yield func(r Rule) bool)
	// Changed reports whether the last handler did anything: to the state, to a
	// timer, or by a message.
	Changed() bool

	// Belief says what the process believes of the coordinator.
	Belief() Belief
	// State describes the state of the process as snapshots do.
	State() []Field
	// Watched returns the processes whose failure the detector is to report:
	// those that the protocol watches in this state.
	Watched() Set
	// Stored returns what has to be in stable storage before anything is sent
	// that the last handler sent; nil of a protocol that has none.
	Stored() []byte
	// Read returns a message as a Letter. It fails where Receive does.
	Read(message []byte) (Letter, error)
	// Layout describes what the bytes of states and messages mean: machines of
	// one layout understand each other.
	Layout() string
	// MaxMessage returns the size of a message in bytes.
	MaxMessage() int
}

// A Letter is a message outside of any search.
type Letter struct {
	// Bytes is the message for Machine.Receive.
	Bytes []byte
	// Kind is its kind, and Text the message as the source writes it.
	Kind, Text string
}

// Machine returns process self of the system; nothing has come up yet (Init).
// Choose decides what Net.Choose returns (Node.Choose); nil always chooses 0.
// It fails if self is not one of the processes.
func (s *System) Machine(self ID, choose func(k int) int) (Machine, error) {
	return s.impl.machine(self, choose)
}

func (w *world[P, M]) machine(self ID, choose func(k int) int) (Machine, error) {
	node, err := NewNode(w.p, w.setting, self)
	if err != nil {
		return nil, err
	}
	node.Choose = choose
	m := &bytesNode[P, M]{
		node: node, w: w,
		boolP: bools(nil, reflect.TypeFor[P](), 0), boolM: bools(nil, reflect.TypeFor[M](), 0),
	}
	// A process outside of searches keeps all of its state.
	if m.planP, err = flat.Of(reflect.TypeFor[P](), nil); err != nil {
		return nil, err
	}
	if m.planM, err = flat.Of(reflect.TypeFor[M](), nil); err != nil {
		return nil, err
	}
	return m, nil
}

// A bytesNode is a Node with its types hidden.
type bytesNode[P any, M Message] struct {
	node         *Node[P, M]
	w            *world[P, M]
	planP, planM flat.Plan
	boolP, boolM []uintptr // where bools are in their memory
	before       P
}

// run runs a handler, and makes an error of a panic.
func (b *bytesNode[P, M]) run(what string, handler func() error) (err error) {
	b.before = b.node.State
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the handler of %s panics: %v", what, r)
		}
	}()
	return handler()
}

func (b *bytesNode[P, M]) Init(why Boot, stored []byte) error {
	if stored != nil {
		if why != Restart {
			return fmt.Errorf("Init(%v) with what is stored: only a restart has it", why)
		}
		if b.w.stable == nil {
			return fmt.Errorf("Init(%v) with what is stored: the protocol has no stable storage", why)
		}
		var p P
		if err := decode(&b.planP, b.boolP, unsafe.Pointer(&p), stored); err != nil {
			return fmt.Errorf("what is stored: %w", err)
		}
		b.node.State = p
	}
	return b.run("boot", func() error { return b.node.Init(why) })
}

func (b *bytesNode[P, M]) Start() error { return b.run("start", b.node.Start) }

func (b *bytesNode[P, M]) Suspect(who ID) error {
	return b.run(fmt.Sprintf("a report of %v", who), func() error { return b.node.Suspect(who) })
}

func (b *bytesNode[P, M]) Receive(from Port, message []byte) error {
	m, text, err := b.read(message)
	if err != nil {
		return err
	}
	return b.run(text, func() error { return b.node.Receive(from, m) })
}

func (b *bytesNode[P, M]) Expire(t Timer) error {
	return b.run(fmt.Sprintf("timer %d", t), func() error { return b.node.Expire(t) })
}

// read returns the message that bytes are, and its text.
func (b *bytesNode[P, M]) read(message []byte) (m M, text string, err error) {
	if err = decode(&b.planM, b.boolM, unsafe.Pointer(&m), message); err != nil {
		return m, "", fmt.Errorf("message: %w", err)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("message %x has no text: %v", message, r)
		}
	}()
	if k := m.Kind(); int(k) >= len(b.w.names.Kinds) {
		return m, "", fmt.Errorf("message %x is of kind %d: the protocol names %d kinds, numbered from 0", message, k, len(b.w.names.Kinds))
	}
	return m, b.w.format(m), nil
}

func (b *bytesNode[P, M]) Read(message []byte) (Letter, error) {
	m, text, err := b.read(message)
	if err != nil {
		return Letter{}, err
	}
	return Letter{message, b.w.names.Kinds[m.Kind()], text}, nil
}

func (b *bytesNode[P, M]) Sends(yield func(to Port, m Letter) bool) {
	for to, m := range b.node.Sends {
		letter := Letter{b.planM.Append(nil, unsafe.Pointer(&m)), b.w.names.Kinds[m.Kind()], b.w.format(m)}
		if !yield(to, letter) {
			return
		}
	}
}

func (b *bytesNode[P, M]) Changes(yield func(t Timer, ticks int) bool) { b.node.Changes(yield) }

func (b *bytesNode[P, M]) Rules(yield func(r Rule) bool) { b.node.Rules(yield) }

func (b *bytesNode[P, M]) Changed() bool {
	for range b.node.Sends {
		return true
	}
	for range b.node.Changes {
		return true
	}
	before, after := b.before, b.node.State
	return string(b.planP.Append(nil, unsafe.Pointer(&before))) != string(b.planP.Append(nil, unsafe.Pointer(&after)))
}

func (b *bytesNode[P, M]) Belief() Belief { return b.node.Belief() }

func (b *bytesNode[P, M]) State() []Field {
	p := b.node.State
	return fields(reflect.ValueOf(&p).Elem(), b.w.n)
}

func (b *bytesNode[P, M]) Watched() Set {
	p := b.node.State
	of := b.w.watchedBy(&p, b.node.net.self, b.node.Belief().Elected)
	return of & Upto(ID(b.w.n)).Without(b.node.net.self)
}

func (b *bytesNode[P, M]) Stored() []byte {
	if b.w.stable == nil {
		return nil
	}
	p := b.node.State
	b.w.stable.Stable(&p)
	return b.planP.Append(nil, unsafe.Pointer(&p))
}

func (b *bytesNode[P, M]) MaxMessage() int { return b.planM.Size() }

func (b *bytesNode[P, M]) Layout() string {
	var s strings.Builder
	names := b.w.names
	fmt.Fprintf(&s, "state\n%smessage\n%skinds %q\ntimers %v\nrules %q\n", b.planP.Layout(), b.planM.Layout(), names.Kinds, names.Timers, names.Rules)
	return s.String()
}

// decode sets the zero value at v to what bytes encode by a plan. It fails if
// they are too few or too many, or if a bool among them is neither false nor
// true.
func decode(plan *flat.Plan, bools []uintptr, v unsafe.Pointer, data []byte) error {
	if len(data) != plan.Size() {
		return fmt.Errorf("%d bytes; want %d", len(data), plan.Size())
	}
	plan.Get(v, data)
	for _, at := range bools {
		if b := (*uint8)(unsafe.Add(v, at)); *b > 1 {
			was := *b
			*b = 0
			return fmt.Errorf("a bool at offset %d is %d; want 0 or 1", at, was)
		}
	}
	return nil
}

// bools appends the offsets of the bools in a flat type that stands at an offset.
func bools(to []uintptr, t reflect.Type, at uintptr) []uintptr {
	switch t.Kind() {
	case reflect.Bool:
		to = append(to, at)
	case reflect.Array:
		for i := range t.Len() {
			to = bools(to, t.Elem(), at+uintptr(i)*t.Elem().Size())
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				to = bools(to, f.Type, at+f.Offset)
			}
		}
	}
	return to
}
