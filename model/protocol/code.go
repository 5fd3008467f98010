package protocol

import (
	"reflect"
	"unsafe"

	"bullyproof/internal/flat"
)

// This file is all of a system that knows the types of its protocol. The rest
// works on encoded states, and on pointers to states of processes and to messages
// that it passes on to here: it is compiled once, and not for each protocol.

// Code is a protocol whose types are not known: p points to the state of a
// process, and m to a message. It is for use by several goroutines at once.
type Code interface {
	// Protocol returns the protocol itself.
	Protocol() any
	// Types returns the types of states and of messages.
	Types() (p, m reflect.Type)
	Names() Names
	// Optional returns which optional methods there are.
	Optional() (Optionals, error)
	// Hands returns hands that run its handlers, for one goroutine.
	Hands() Hands

	Belief(p unsafe.Pointer) Belief
	Kind(m unsafe.Pointer) Kind
	Text(m unsafe.Pointer) string

	// The optional methods. They are called where there are such.
	Stable(p unsafe.Pointer)
	Watches(p unsafe.Pointer, self ID) Set
	Beyond(p unsafe.Pointer) string

	// State returns p as a *P, and Message m as a *M.
	State(p unsafe.Pointer) any
	Message(m unsafe.Pointer) any

	// Shown returns what people see of p if the protocol says so (Shown), and Shows reports
	// whether it ever does.
	Shown(p unsafe.Pointer) (fields []Field, ok bool)
	Shows() bool
}

// Hands run the handlers of a protocol, for one goroutine.
type Hands interface {
	// Call returns what the handlers see of the world, and act on it by.
	Call() *Call
	net() *net

	Init(p unsafe.Pointer, why Boot)
	Start(p unsafe.Pointer)
	Suspect(p unsafe.Pointer, who ID)
	Receive(p unsafe.Pointer, from Port, m unsafe.Pointer)
	Timeout(p unsafe.Pointer, t Timer)
	// Request runs Start where there is no method Request.
	Request(p unsafe.Pointer, r Request)
	Settle(p unsafe.Pointer, coordinator ID, live Set)
	Wake(p unsafe.Pointer)

	// Sent returns the message of send i of the call.
	Sent(i int) unsafe.Pointer
	// Keep keeps the messages of all sends of the call, behind those that it has
	// kept, and Again makes those kept from one on, up to another, those of the
	// sends.
	Keep()
	Again(from, to int)
	// Forget forgets what has been kept.
	Forget()
}

// CodeOf returns the code of a protocol, nil of none.
func CodeOf[P any, M Message](p Protocol[P, M]) Code {
	if p == nil {
		return nil
	}
	c := &typed[P, M]{p: p, format: M.String}
	if c.err = c.has.find(p, &c.stabler, &c.settler, &c.waker, &c.requester, &c.watcher, &c.formatter, &c.bounder); c.err != nil {
		return c
	}
	if c.formatter != nil {
		c.format = c.formatter.Format
	}
	c.shower, _ = As[Shown[P]](p)
	return c
}

// typed is the code of a protocol.
type typed[P any, M Message] struct {
	p      Protocol[P, M]
	format func(m M) string
	has    Optionals
	err    error // of has

	stabler   stable[P]
	settler   settler[P]
	waker     waker[P, M]
	requester requester[P, M]
	watcher   watcher[P]
	formatter formatter[M]
	bounder   bounder[P]
	shower    Shown[P]
}

func (c *typed[P, M]) Protocol() any                { return c.p }
func (c *typed[P, M]) Types() (p, m reflect.Type)   { return reflect.TypeFor[P](), reflect.TypeFor[M]() }
func (c *typed[P, M]) Names() Names                 { return c.p.Names() }
func (c *typed[P, M]) Optional() (Optionals, error) { return c.has, c.err }
func (c *typed[P, M]) Hands() Hands                 { return &hand[P, M]{of: c} }

func (c *typed[P, M]) Belief(p unsafe.Pointer) Belief        { return c.p.Belief((*P)(p)) }
func (c *typed[P, M]) Kind(m unsafe.Pointer) Kind            { return (*(*M)(m)).Kind() }
func (c *typed[P, M]) Stable(p unsafe.Pointer)               { c.stabler.Stable((*P)(p)) }
func (c *typed[P, M]) Watches(p unsafe.Pointer, self ID) Set { return c.watcher.Watches((*P)(p), self) }
func (c *typed[P, M]) Beyond(p unsafe.Pointer) string        { return c.bounder.Beyond((*P)(p)) }
func (c *typed[P, M]) State(p unsafe.Pointer) any            { return (*P)(p) }
func (c *typed[P, M]) Message(m unsafe.Pointer) any          { return (*M)(m) }
func (c *typed[P, M]) Shows() bool                           { return c.shower != nil }

func (c *typed[P, M]) Text(m unsafe.Pointer) string {
	of, method := reflect.TypeFor[M](), "String"
	if c.formatter != nil {
		of, method = reflect.TypeOf(c.p), "Format"
	}
	return flat.Said(of, method, func() string { return c.format(*(*M)(m)) })
}

func (c *typed[P, M]) Shown(p unsafe.Pointer) (fields []Field, ok bool) {
	if c.shower == nil {
		return nil, false
	}
	defer func() {
		if r := recover(); r != nil {
			fields, ok = []Field{{Name: "state", Value: flat.Panics(reflect.TypeOf(c.p), "Show", r)}}, true
		}
	}()
	fields = c.shower.Show((*P)(p))
	return fields, fields != nil
}

// A hand is the hands of a protocol. It embeds nothing: each method that it would promote is
// compiled once more for every protocol.
type hand[P any, M Message] struct {
	of   *typed[P, M]
	n    Net[M]
	kept []M
}

func (h *hand[P, M]) Call() *Call { return &h.n.call }
func (h *hand[P, M]) net() *net   { return &h.n.net }

func (h *hand[P, M]) Init(p unsafe.Pointer, why Boot)   { h.of.p.Init((*P)(p), &h.n, why) }
func (h *hand[P, M]) Start(p unsafe.Pointer)            { h.of.p.Start((*P)(p), &h.n) }
func (h *hand[P, M]) Suspect(p unsafe.Pointer, who ID)  { h.of.p.Suspect((*P)(p), &h.n, who) }
func (h *hand[P, M]) Timeout(p unsafe.Pointer, t Timer) { h.of.p.Timeout((*P)(p), &h.n, t) }
func (h *hand[P, M]) Wake(p unsafe.Pointer)             { h.of.waker.Wake((*P)(p), &h.n) }

func (h *hand[P, M]) Request(p unsafe.Pointer, r Request) {
	if h.of.requester == nil {
		h.Start(p)
		return
	}
	h.of.requester.Request((*P)(p), &h.n, r)
}

func (h *hand[P, M]) Receive(p unsafe.Pointer, from Port, m unsafe.Pointer) {
	h.of.p.Receive((*P)(p), &h.n, from, *(*M)(m))
}

func (h *hand[P, M]) Settle(p unsafe.Pointer, coordinator ID, live Set) {
	h.of.settler.Settle((*P)(p), h.n.call.Self, coordinator, live)
}

func (h *hand[P, M]) Sent(i int) unsafe.Pointer { return unsafe.Pointer(&h.n.messages[i]) }
func (h *hand[P, M]) Keep()                     { h.kept = append(h.kept, h.n.messages[:len(h.n.call.Sends)]...) }
func (h *hand[P, M]) Again(from, to int)        { h.n.messages = append(h.n.messages[:0], h.kept[from:to]...) }
func (h *hand[P, M]) Forget()                   { h.kept = h.kept[:0] }
