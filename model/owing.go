package model

import (
	"fmt"
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

// Owing returns the system with one bit of history in the state of each process:
// whether it owes (View.Owes). The bit follows from the states that the process has
// been in at the end of each step, and a crash clears it, with or without stable
// storage. So it is part of the process's own state: what a reduction knows of
// handlers is known of the bit, too. The actions are those of the system, in the same
// order. Monitors are not taken along.
func (s *System) Owing(o Obligation) (*System, error) {
	if o.Begins == nil || o.Ends == nil {
		return nil, fmt.Errorf("obligation %+v: Begins and Ends have to be there", o)
	}
	p, _ := s.impl.protocol.types()
	c := &owing{code: s.impl.protocol, o: o, eager: !s.setting.Initiators.Lazy}
	c.typeP = reflect.StructOf([]reflect.StructField{{Name: "State", Type: p}, {Name: "Owes", Type: reflect.TypeFor[bool]()}})
	c.at = c.typeP.Field(1).Offset
	return newSystem(c, s.setting)
}

// Owes reports whether process id owes what the system is about (System.Owing). It is
// false in every other system, and of a process that is not up.
func (v *View) Owes(id ID) bool { return v.Up.Has(id) && v.procs.owes(id) }

// owing is the code of a protocol whose processes have a bit of history behind their
// state.
type owing struct {
	code
	o     Obligation
	typeP reflect.Type
	at    uintptr // of the bit
	eager bool    // who starts an election does so in the step in which it comes up
}

func (c *owing) types() (p, m reflect.Type) {
	_, m = c.code.types()
	return c.typeP, m
}

func (c *owing) hands() hands { return &owingHands{c.code.hands(), c} }

func (c *owing) stable(p unsafe.Pointer) {
	c.code.stable(p)
	*c.bit(p) = false
}

func (c *owing) bit(p unsafe.Pointer) *bool { return (*bool)(unsafe.Add(p, c.at)) }

// note has the bit follow from the state at the end of a step.
func (c *owing) note(p unsafe.Pointer) {
	switch b := c.code.belief(p); {
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

type others = hands

func (h *owingHands) types() (p, m reflect.Type) { return h.of.types() }
func (h *owingHands) stable(p unsafe.Pointer)    { h.of.stable(p) }

func (h *owingHands) init(p unsafe.Pointer, why Boot) {
	h.others.init(p, why)
	h.of.note(p)
}

func (h *owingHands) start(p unsafe.Pointer) {
	h.others.start(p)
	if h.of.eager {
		*h.of.bit(p) = false // Init is a part of the same step
	}
	h.of.note(p)
}

func (h *owingHands) suspect(p unsafe.Pointer, who ID) {
	h.others.suspect(p, who)
	h.of.note(p)
}

func (h *owingHands) receive(p unsafe.Pointer, from Port, m unsafe.Pointer) {
	h.others.receive(p, from, m)
	h.of.note(p)
}

func (h *owingHands) timeout(p unsafe.Pointer, t Timer) {
	h.others.timeout(p, t)
	h.of.note(p)
}

func (h *owingHands) settle(p unsafe.Pointer, coordinator ID, live Set) {
	h.others.settle(p, coordinator, live)
	h.of.note(p)
}
