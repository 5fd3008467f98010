package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/model/internal/recall"
	"bullyproof/model/internal/wrapped"
)

// This file is all of a system that knows the types of its protocol. The rest
// of the package works on encoded states, and on pointers to states of processes
// and to messages that it passes on to here: it is compiled once, and not for
// each protocol.

// code is a protocol whose types are not known: p points to the state of a
// process, and m to a message. It is for use by several goroutines at once.
type code interface {
	// protocol returns the protocol itself.
	protocol() any
	// types returns the types of states and of messages.
	types() (p, m reflect.Type)
	names() Names
	// optional returns which optional methods there are.
	optional() (optionals, error)
	// hands returns hands that run its handlers, for one goroutine.
	hands() hands

	belief(p unsafe.Pointer) Belief
	kind(m unsafe.Pointer) Kind
	text(m unsafe.Pointer) string

	// The optional methods. They are called where there are such.
	stable(p unsafe.Pointer)
	watches(p unsafe.Pointer, self ID) Set
	beyond(p unsafe.Pointer) string

	// state returns p as a *P, and message m as a *M.
	state(p unsafe.Pointer) any
	message(m unsafe.Pointer) any

	// shown returns what people see of p if the protocol says so (Shown).
	shown(p unsafe.Pointer) (fields []Field, ok bool)
}

// hands run the handlers of a protocol, for one goroutine.
type hands interface {
	code
	// net returns what the handlers see of the world, and act on it by.
	net() *net

	init(p unsafe.Pointer, why Boot)
	start(p unsafe.Pointer)
	suspect(p unsafe.Pointer, who ID)
	receive(p unsafe.Pointer, from Port, m unsafe.Pointer)
	timeout(p unsafe.Pointer, t Timer)
	settle(p unsafe.Pointer, coordinator ID, live Set)
	wake(p unsafe.Pointer)

	// sent returns the message of send i of the net.
	sent(i int) unsafe.Pointer
	// keep keeps the messages of all sends of the net, behind those that it has
	// kept, and again makes those kept from one on, up to another, those of the
	// sends.
	keep()
	again(from, to int)
	// forget forgets what has been kept.
	forget()
}

// codeFor returns the code of a protocol, nil of none.
func codeFor[P any, M Message](p Protocol[P, M]) code {
	if p == nil {
		return nil
	}
	c := &typed[P, M]{Protocol: p, format: M.String}
	all := wrapped.Layers(p)
	for _, o := range []wanted{
		want(&c.stabler, "stable storage", &c.has.stable),
		want(&c.settler, "a start as after an election", &c.has.settler),
		want(&c.waker, "timers after an election", &c.has.waker),
		want(&c.watcher, "whom the failure detector watches", &c.has.watcher),
		want(&c.has.chooser, "who ought to win", new(bool)),
		want(&c.formatter, "texts of messages", new(bool)),
		want(&c.bounder, "a bound on states of processes", &c.has.bounder),
		want(&c.has.symmetric, "a symmetry, as ids decide nothing", new(bool)),
	} {
		if c.err = c.has.find(all, &o); c.err != nil {
			return c
		}
	}
	if c.formatter != nil {
		c.format = c.formatter.Format
	}
	c.shower, _ = As[Shown[P]](p)
	return c
}

// typed is the code of a protocol.
type typed[P any, M Message] struct {
	Protocol[P, M]
	format func(m M) string
	has    optionals
	err    error // of has

	stabler   stable[P]
	settler   settler[P]
	waker     waker[P, M]
	watcher   watcher[P]
	formatter formatter[M]
	bounder   bounder[P]
	shower    Shown[P]
}

func (c *typed[P, M]) protocol() any                { return c.Protocol }
func (c *typed[P, M]) types() (p, m reflect.Type)   { return reflect.TypeFor[P](), reflect.TypeFor[M]() }
func (c *typed[P, M]) names() Names                 { return c.Names() }
func (c *typed[P, M]) optional() (optionals, error) { return c.has, c.err }
func (c *typed[P, M]) hands() hands                 { return &hand[P, M]{typed: c} }

func (c *typed[P, M]) belief(p unsafe.Pointer) Belief        { return c.Belief((*P)(p)) }
func (c *typed[P, M]) kind(m unsafe.Pointer) Kind            { return (*(*M)(m)).Kind() }
func (c *typed[P, M]) text(m unsafe.Pointer) string          { return c.format(*(*M)(m)) }
func (c *typed[P, M]) stable(p unsafe.Pointer)               { c.stabler.Stable((*P)(p)) }
func (c *typed[P, M]) watches(p unsafe.Pointer, self ID) Set { return c.watcher.Watches((*P)(p), self) }
func (c *typed[P, M]) beyond(p unsafe.Pointer) string        { return c.bounder.Beyond((*P)(p)) }
func (c *typed[P, M]) state(p unsafe.Pointer) any            { return (*P)(p) }
func (c *typed[P, M]) message(m unsafe.Pointer) any          { return (*M)(m) }

func (c *typed[P, M]) shown(p unsafe.Pointer) (fields []Field, ok bool) {
	if c.shower == nil {
		return nil, false
	}
	return c.shower.Show((*P)(p)), true
}

// A hand is the hands of a protocol.
type hand[P any, M Message] struct {
	*typed[P, M]
	n    Net[M]
	kept []M
}

func (h *hand[P, M]) net() *net { return &h.n.net }

func (h *hand[P, M]) init(p unsafe.Pointer, why Boot)   { h.Init((*P)(p), &h.n, why) }
func (h *hand[P, M]) start(p unsafe.Pointer)            { h.Start((*P)(p), &h.n) }
func (h *hand[P, M]) suspect(p unsafe.Pointer, who ID)  { h.Suspect((*P)(p), &h.n, who) }
func (h *hand[P, M]) timeout(p unsafe.Pointer, t Timer) { h.Timeout((*P)(p), &h.n, t) }
func (h *hand[P, M]) wake(p unsafe.Pointer)             { h.waker.Wake((*P)(p), &h.n) }

func (h *hand[P, M]) receive(p unsafe.Pointer, from Port, m unsafe.Pointer) {
	h.Receive((*P)(p), &h.n, from, *(*M)(m))
}

func (h *hand[P, M]) settle(p unsafe.Pointer, coordinator ID, live Set) {
	h.settler.Settle((*P)(p), h.n.self, coordinator, live)
}

func (h *hand[P, M]) sent(i int) unsafe.Pointer { return unsafe.Pointer(&h.n.messages[i]) }
func (h *hand[P, M]) keep()                     { h.kept = append(h.kept, h.n.messages[:len(h.n.sends)]...) }
func (h *hand[P, M]) again(from, to int)        { h.n.messages = append(h.n.messages[:0], h.kept[from:to]...) }
func (h *hand[P, M]) forget()                   { h.kept = h.kept[:0] }

// pointed returns what p points to. A property that asks for another type than
// the protocol has would be told nothing, for ever: it panics.
func pointed[T any](p any) *T {
	t, ok := p.(*T)
	if !ok {
		panic(fmt.Sprintf("a property asks for a %v, which is not what the protocol has", reflect.TypeFor[T]()))
	}
	return t
}

// values are values of one flat type: of states of processes.
type values struct {
	first unsafe.Pointer
	size  uintptr
}

func newValues(of reflect.Type, n int) values {
	return values{reflect.MakeSlice(reflect.SliceOf(of), n, n+recall.RoomBehind(of.Size())).UnsafePointer(), of.Size()}
}

// at returns where value i is.
func (v values) at(i int) unsafe.Pointer { return unsafe.Add(v.first, uintptr(i)*v.size) }

// set makes the value at one place that at another.
func (v values) set(to, from unsafe.Pointer) { copy(v.bytes(to), v.bytes(from)) }

// zero makes a value zero.
func (v values) zero(p unsafe.Pointer) { clear(v.bytes(p)) }

func (v values) bytes(p unsafe.Pointer) []byte { return unsafe.Slice((*byte)(p), v.size) }
