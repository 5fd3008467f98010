// Package twophase is two-phase commit as in Lamport's TLA+ specification
// TwoPhase, an example of how to check a system with package explore alone.
//
// A transaction manager asks resource managers to prepare, and tells them to
// commit when all have. A resource manager may decide to abort until it has
// prepared. Messages are a set that never shrinks: each can be received again
// at any time, which no resource manager minds. There are no other faults.
//
// Source: Jim Gray and Leslie Lamport, "Consensus on Transaction Commit", ACM
// TODS 31(1), 2006; the module TwoPhase in the TLA+ examples.
package twophase

import (
	"fmt"
	"slices"
)

// MaxRMs is the largest number of resource managers.
const MaxRMs = 16

// An RMState is the state of a resource manager.
type RMState uint8

// The states of a resource manager.
const (
	Working RMState = iota
	Prepared
	Committed
	Aborted
)

// A TMState is the state of the transaction manager.
type TMState uint8

// The states of the transaction manager.
const (
	Init TMState = iota
	TMCommitted
	TMAborted
)

// A Set is a set of resource managers, a bit for each.
type Set uint16

func (s Set) has(rm int) bool { return s>>rm&1 == 1 }
func (s Set) with(rm int) Set { return s | 1<<rm }
func all(n int) Set           { return 1<<n - 1 }

// A State is a state of the whole system. The messages are those sent so far.
type State struct {
	RM       [MaxRMs]RMState
	Received Set // resource managers whose Prepared message the TM has received
	TM       TMState

	// The messages.
	SaidCommit   bool
	SaidAbort    bool
	SaidPrepared Set // by resource managers
}

// Consistent is the invariant of the specification: no resource manager has
// aborted while another has committed.
func (s State) Consistent() bool {
	var seen uint8 // a bit for each state of a resource manager
	for _, rm := range s.RM {
		seen |= 1 << rm
	}
	return seen>>Committed&1 == 0 || seen>>Aborted&1 == 0
}

// An Action is a transition, named as in the specification. RM is the resource
// manager that it is about, if any.
type Action struct {
	Name string
	RM   int
}

// String returns the action as the specification writes it.
func (a Action) String() string {
	if a.RM < 0 {
		return a.Name
	}
	return fmt.Sprintf("%s(r%d)", a.Name, a.RM+1)
}

// A Protocol is two-phase commit with so many resource managers, 1 to MaxRMs.
type Protocol int

// Initial yields the one initial state: all are working.
func (n Protocol) Initial(yield func(State) bool) { yield(State{}) }

// Next yields the transitions.
func (n Protocol) Next(s State, yield func(Action, State) bool) {
	if s.TM == Init {
		if s.Received == all(int(n)) {
			t := s
			t.TM, t.SaidCommit = TMCommitted, true
			yield(Action{"TMCommit", -1}, t)
		}
		t := s
		t.TM, t.SaidAbort = TMAborted, true
		yield(Action{"TMAbort", -1}, t)
	}
	for rm := range int(n) {
		if s.TM == Init && s.SaidPrepared.has(rm) {
			t := s
			t.Received = s.Received.with(rm)
			yield(Action{"TMRcvPrepared", rm}, t)
		}
		if s.RM[rm] == Working {
			t := s
			t.RM[rm], t.SaidPrepared = Prepared, s.SaidPrepared.with(rm)
			yield(Action{"RMPrepare", rm}, t)

			t = s
			t.RM[rm] = Aborted
			yield(Action{"RMChooseToAbort", rm}, t)
		}
		if s.SaidCommit {
			t := s
			t.RM[rm] = Committed
			yield(Action{"RMRcvCommitMsg", rm}, t)
		}
		if s.SaidAbort {
			t := s
			t.RM[rm] = Aborted
			yield(Action{"RMRcvAbortMsg", rm}, t)
		}
	}
}

// Canonical returns the state that stands for all that differ from s in the names of
// resource managers only: it has them in an order (typed.Symmetry).
func (n Protocol) Canonical(s State) State {
	var keys [MaxRMs]uint8
	for rm := range int(n) {
		keys[rm] = uint8(s.RM[rm]) << 2
		if s.Received.has(rm) {
			keys[rm] |= 2
		}
		if s.SaidPrepared.has(rm) {
			keys[rm] |= 1
		}
	}
	slices.Sort(keys[:n])
	s.Received, s.SaidPrepared = 0, 0
	for rm, key := range keys[:n] {
		s.RM[rm] = RMState(key >> 2)
		if key&2 != 0 {
			s.Received = s.Received.with(rm)
		}
		if key&1 != 0 {
			s.SaidPrepared = s.SaidPrepared.with(rm)
		}
	}
	return s
}

// Step yields the same transitions without actions, in place.
func (n Protocol) Step(s *State, yield func()) {
	if s.TM == Init {
		if s.Received == all(int(n)) {
			s.TM, s.SaidCommit = TMCommitted, true
			yield()
			s.TM, s.SaidCommit = Init, false
		}
		s.TM, s.SaidAbort = TMAborted, true
		yield()
		s.TM, s.SaidAbort = Init, false
	}
	for rm := range int(n) {
		if s.TM == Init && s.SaidPrepared.has(rm) {
			received := s.Received
			s.Received = received.with(rm)
			yield()
			s.Received = received
		}
		was := s.RM[rm]
		if was == Working {
			said := s.SaidPrepared
			s.RM[rm], s.SaidPrepared = Prepared, said.with(rm)
			yield()
			s.RM[rm], s.SaidPrepared = Aborted, said
			yield()
		}
		if s.SaidCommit {
			s.RM[rm] = Committed
			yield()
		}
		if s.SaidAbort {
			s.RM[rm] = Aborted
			yield()
		}
		s.RM[rm] = was
	}
}
