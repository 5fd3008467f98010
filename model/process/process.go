// Package process has the names of processes and their sets: what package
// setting says it about, and what a protocol in package model calls itself and
// its peers by. A protocol's author writes model.ID and model.Set, which are the
// same types.
package process

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
	// Me stands for the process itself in the belief of a process that knows
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

// Name returns what people call the process: "P3", and as String does "⊥" for
// None and "me" for Me.
func (id ID) Name() string {
	if id == None || id == Me {
		return id.String()
	}
	return "P" + id.String()
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

// Without returns s except for id.
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

// Names returns what people call the processes of s, from the lowest up.
func (s Set) Names() []string {
	var names []string
	for id := range s.All() {
		names = append(names, id.Name())
	}
	return names
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
