package model

import (
	"bytes"
	"fmt"

	"bullyproof/explore"
	"bullyproof/setting"
)

// Rotations of anonymous rings.
//
// On an anonymous ring all processes run the same handlers, none of which sees where
// its process stands. A rotation moves what is at each position, the local state,
// the messages in flight to it and whether it has yet to begin, by as many positions
// as everything else. So a state and its rotation have the same transitions but for
// the rotation: a rotation is an automorphism of the transition system, as long as
// nothing in the setting names a process. A search of one state of each orbit comes
// to a state of each orbit that is reachable, and as soon (Emerson and Sistla 1996; Ip
// and Dill 1996). Choices are outcomes like others, at each process the same. The
// initial states need not be symmetric: what they lead to is, transition by transition.
//
// What is asked of states has to have the same answer for a state and its rotations
// (Reduction.Blind). It may read who leads, and not who that is by id.
//
// It goes with the other reductions. What is enough in a state is enough in its
// rotations, rotated. So a run of the reduced system with rotations is, step by step
// turned back, one without, of states that are reduced so; and the lengths of runs,
// anchors and what is recurrent are the same for all of an orbit. (A cycle of orbits,
// gone round often enough, is one of states.) Whole
// ticks are not taken together with it.

// A NamedError says that a process on an anonymous ring names another one by its id,
// which no rotation of it does: such a system is not reduced by rotations.
type NamedError struct {
	// Process and Names are who names whom.
	Process, Names ID
}

// Error says who names whom, and how to do without.
func (e *NamedError) Error() string {
	return fmt.Sprintf("process %v names %v by id on an anonymous ring, and is no rotation of others then: leave out the reduction rotation", e.Process, e.Names)
}

// unturnable says why states of a world are not rotated, "" if they are.
func (w *world) unturnable() string {
	s := &w.setting
	switch {
	case s.Topology == setting.Complete || !s.Anonymous:
		return "rotations are of anonymous rings, whose processes have no ids"
	case s.Start > setting.ColdInterleaved:
		return fmt.Sprintf("rotations: start=%v tells processes whom to name, and none is to have a name", s.Start)
	case s.Crashers|s.Detectors|s.Joiners|s.Pausers != 0:
		return "rotations: the setting says by id who may crash, join, or hear of others"
	case w.detector != setting.DetectorOff && (s.Crashes > 0 || s.Joins > 0 || s.Suspicions > 0):
		return "rotations: the detector reports processes by their ids; detector=off does not"
	}
	return ""
}

// turned appends to b the rotation of a state that stands for its orbit: the one with
// the least sequence of processes, and of those the least as bytes.
func (w *world) turned(b, state []byte, flaws flaw) []byte {
	base, end, best := len(b), len(b)+len(state), 0
	b = append(b, state...)
	for by := 1; by < w.n; by++ {
		c := w.compareTurns(state, by, best)
		if c > 0 {
			continue
		}
		b = w.turnBy(b[:end], state, by, flaws)
		if c < 0 || bytes.Compare(b[end:], b[base:end]) < 0 {
			best = by
			copy(b[base:end], b[end:])
		}
	}
	return b[:end]
}

// compareTurns compares the processes of two rotations of a state.
func (w *world) compareTurns(state []byte, by, other int) int {
	for pos := range w.n {
		if c := bytes.Compare(w.proc(state, (pos+by)%w.n), w.proc(state, (pos+other)%w.n)); c != 0 {
			return c
		}
	}
	return 0
}

// turnBy appends to b a state with everything moved by so many positions back.
// Messages are sorted by receiver before all else.
func (w *world) turnBy(b, state []byte, by int, flaws flaw) []byte {
	base := len(b)
	b = append(b, state[:w.procOff]...)
	if w.pendingOff >= 0 && flaws&flawPending == 0 {
		was, all := w.positions(state, w.pendingOff), Set(1)<<w.n-1
		w.putPositions(b[base:], w.pendingOff, (was>>by|was<<(w.n-by))&all)
	}
	first := w.procOff + by*w.procSize
	b = append(b, state[first:w.monitorOff]...)
	b = append(b, state[w.procOff:first]...)
	area := state[w.msgOff:]
	if flaws&flawMail != 0 {
		return append(b, area...)
	}
	split := 0
	for split < len(area) && int(area[split]) < by {
		split += w.width
	}
	at := len(b)
	b = append(append(b, area[split:]...), area[:split]...)
	for ; at < len(b); at += w.width {
		b[at] = byte((int(b[at]) + w.n - by) % w.n)
	}
	return b
}

// turn makes the state that begins at base the one that stands for its orbit, and
// returns the buffer.
func (x *reducer) turn(b []byte, base int) []byte {
	x.orbit = x.turned(x.orbit[:0], b[base:], x.r.flaws)
	return append(b[:base], x.orbit...)
}

// nobodyNamed reports whether no process of the state that has been decoded names
// another by id. Otherwise it ends the search.
func (x *reducer) nobodyNamed(out *explore.Successors) bool {
	for pos := range x.n {
		if who := x.belief[pos].Elected; x.up>>pos&1 != 0 && who != None && who != Me {
			out.Fail(&NamedError{x.ids[pos], who})
			return false
		}
	}
	return true
}

// unturned returns a run of the system without rotations for one with them: what
// leads from one orbit to the next leads there from each state of it.
func (w *Watched) unturned(path []explore.PathStep) ([]explore.PathStep, error) {
	e, _ := w.impl.reduced(nil, *w.reduction)
	x := e.(*reducer)
	stand := func(state []byte) []byte { return w.impl.turned(nil, state, x.r.flaws) }
	var run []explore.PathStep
	w.System.Initial(func(state []byte) bool {
		if bytes.Equal(stand(state), path[0].State) {
			run = append(run, explore.PathStep{Code: path[0].Code, State: bytes.Clone(state)})
		}
		return len(run) == 0
	})
	if len(run) == 0 {
		return nil, errLost
	}
	for i, to := range path[1:] {
		now := run[i].State
		for _, t := range w.Transitions(now) {
			next := bytes.Clone(t.Next)
			if next != nil && x.fore.kinds&DeadMessages != 0 {
				next = x.drop(next, 0)
			}
			if next == nil && to.State == nil || next != nil && to.State != nil && bytes.Equal(stand(next), to.State) {
				run = append(run, explore.PathStep{Code: t.Code, State: next})
				break
			}
		}
		if len(run) != i+2 {
			return nil, fmt.Errorf("step %d: %w", i+1, errLost)
		}
	}
	return run, nil
}
