package model

import (
	"strconv"

	"bullyproof/process"
)

// An ID identifies a process: 1 to N, the higher the more eligible unless the
// protocol says otherwise.
type ID = process.ID

const (
	// None is the id of no process (the sources write ⊥).
	None = process.None
	// Me stands for the process itself in the Belief of a process that knows
	// no id of its own, as on anonymous rings.
	Me = process.Me
	// MaxID is the highest id that a process can have.
	MaxID = process.MaxID
)

// A Set is a set of processes, one bit each: bit id-1 for process id.
type Set = process.Set

// SetOf returns the set of the given ids, each from 1 to MaxID.
func SetOf(ids ...ID) Set { return process.SetOf(ids...) }

// Upto returns the set of the processes 1 to n; n from 0 to MaxID.
func Upto(n ID) Set { return process.Upto(n) }

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
