package model

import (
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// An ID identifies a process: 1 to N, the higher the more eligible unless the
// protocol says otherwise.
type ID uint8

const (
	// None is the id of no process (the sources write ⊥).
	None ID = 0
	// Me stands for the process itself in the Belief of a process that knows
	// no id of its own, as on anonymous rings.
	Me ID = 255
	// MaxID is the highest id that a process can have.
	MaxID ID = 64
)

// String returns the number, "⊥" for None and "me" for Me.
func (id ID) String() string {
	switch id {
	case None:
		return "⊥"
	case Me:
		return "me"
	}
	return strconv.Itoa(int(id))
}

// A Set is a set of processes, one bit each: bit id-1 for process id.
type Set uint64

// SetOf returns the set of the given ids, each from 1 to MaxID.
func SetOf(ids ...ID) Set {
	var s Set
	for _, id := range ids {
		s = s.With(id)
	}
	return s
}

// Upto returns the set of the processes 1 to n; n from 0 to MaxID.
func Upto(n ID) Set { return ^Set(0) >> (64 - n) }

// Has reports whether id is in s; None never is.
func (s Set) Has(id ID) bool { return id-1 < 64 && s>>(id-1)&1 != 0 }

// With returns s and id.
func (s Set) With(id ID) Set { return s | 1<<(id-1) }

// Without returns s but for id.
func (s Set) Without(id ID) Set { return s &^ (1 << (id - 1)) }

// Len returns the number of processes in s.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Empty reports whether s has no process.
func (s Set) Empty() bool { return s == 0 }

// Max returns the highest id in s, None if s is empty.
func (s Set) Max() ID { return ID(bits.Len64(uint64(s))) }

// Min returns the lowest id in s, None if s is empty.
func (s Set) Min() ID {
	if s == 0 {
		return None
	}
	return ID(bits.TrailingZeros64(uint64(s)) + 1)
}

// All yields the ids in s from the lowest up.
func (s Set) All() iter.Seq[ID] {
	return func(yield func(ID) bool) {
		for t := s; t != 0; t &= t - 1 {
			if !yield(t.Min()) {
				return
			}
		}
	}
}

// String returns the ids in braces: {1,3}.
func (s Set) String() string {
	var b strings.Builder
	b.WriteByte('{')
	for t := s; t != 0; t &= t - 1 {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.WriteString(t.Min().String())
	}
	b.WriteByte('}')
	return b.String()
}

// ByID holds one T for each process. Only the first N count in a state: they
// are what is encoded.
type ByID[T any] struct {
	of [64]T
}

// At returns the value of process id, which is from 1 to MaxID.
func (a *ByID[T]) At(id ID) T { return a.of[id-1] }

// Set makes v the value of process id, which is from 1 to MaxID.
func (a *ByID[T]) Set(id ID, v T) { a.of[id-1] = v }

// A Port is an end of a channel at a process. On a complete graph each peer is
// a port, named by its id; on a ring there are Next and Prev, which stay two
// ports even where both lead to the same process (a ring of two).
type Port uint8

const (
	// Next is the port to the successor on a ring, in the direction in which
	// unidirectional rings send (the sources: clockwise).
	Next Port = 254
	// Prev is the port to the predecessor on a ring.
	Prev Port = 255
)

// Peer returns the port to process id on a complete graph.
func Peer(id ID) Port { return Port(id) }

// ID returns the process behind a port of a complete graph, None for Next and
// Prev.
func (p Port) ID() ID {
	if p >= Next {
		return None
	}
	return ID(p)
}

// Opposite returns Prev for Next and Next for Prev: where a message that came
// in by p leaves a process that passes it on. Other ports are their own.
func (p Port) Opposite() Port {
	if p >= Next {
		return p ^ 1
	}
	return p
}

// String returns "next", "prev" or the number of the peer.
func (p Port) String() string {
	switch p {
	case Next:
		return "next"
	case Prev:
		return "prev"
	}
	return strconv.Itoa(int(p))
}
