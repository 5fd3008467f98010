package protocol

import (
	"reflect"
	"unsafe"
)

// An Obligation is what a process takes upon itself in one state, and fulfils in a
// later one.
type Obligation struct {
	// Begins reports whether a process with a belief owes from now on, and Ends
	// whether it owes no more. If both are true, it owes.
	Begins, Ends func(b Belief) bool
}

// Owing returns the code with one bit of history in the state of each process:
// whether it owes (Owes). Eager says that who starts an election does so in the step
// in which it comes up.
func Owing(c Code, o Obligation, eager bool) Code {
	p, _ := c.Types()
	with := reflect.StructOf([]reflect.StructField{{Name: "State", Type: p}, {Name: "Owes", Type: reflect.TypeFor[bool]()}})
	return &owing{Code: c, o: o, typeP: with, at: with.Field(1).Offset, eager: eager}
}

// Owes reports whether the process in state p owes. It is false where the code has no
// such bit.
func Owes(c Code, p unsafe.Pointer) bool {
	o, ok := c.(*owing)
	return ok && *o.bit(p)
}

// owing is the code of a protocol whose processes have a bit of history behind their
// state.
type owing struct {
	Code
	o     Obligation
	typeP reflect.Type
	at    uintptr // of the bit
	eager bool
}

func (c *owing) Types() (p, m reflect.Type) {
	_, m = c.Code.Types()
	return c.typeP, m
}

func (c *owing) Hands() Hands { return &owingHands{c.Code.Hands(), c} }

func (c *owing) Stable(p unsafe.Pointer) {
	c.Code.Stable(p)
	*c.bit(p) = false
}

func (c *owing) bit(p unsafe.Pointer) *bool { return (*bool)(unsafe.Add(p, c.at)) }

// note has the bit follow from the state at the end of a step.
func (c *owing) note(p unsafe.Pointer) {
	switch b := c.Code.Belief(p); {
	case c.o.Begins(b):
		*c.bit(p) = true
	case c.o.Ends(b):
		*c.bit(p) = false
	}
}

// owingHands run the handlers, each of which ends a step.
type owingHands struct {
	others
	of *owing
}

type others = Hands

func (h *owingHands) Init(p unsafe.Pointer, why Boot) {
	h.others.Init(p, why)
	h.of.note(p)
}

func (h *owingHands) Start(p unsafe.Pointer) {
	h.others.Start(p)
	if h.of.eager {
		*h.of.bit(p) = false // Init is a part of the same step
	}
	h.of.note(p)
}

func (h *owingHands) Suspect(p unsafe.Pointer, who ID) {
	h.others.Suspect(p, who)
	h.of.note(p)
}

func (h *owingHands) Receive(p unsafe.Pointer, from Port, m unsafe.Pointer) {
	h.others.Receive(p, from, m)
	h.of.note(p)
}

func (h *owingHands) Timeout(p unsafe.Pointer, t Timer) {
	h.others.Timeout(p, t)
	h.of.note(p)
}

// Request is never a part of a step in which a process comes up, as Start may be.
func (h *owingHands) Request(p unsafe.Pointer, r Request) {
	h.others.Request(p, r)
	h.of.note(p)
}

func (h *owingHands) Settle(p unsafe.Pointer, coordinator ID, live Set) {
	h.others.Settle(p, coordinator, live)
	h.of.note(p)
}
