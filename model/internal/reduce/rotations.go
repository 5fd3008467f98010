package reduce

import (
	"bytes"
	"fmt"

	"bullyproof/model/setting"
)

// Rotations of anonymous rings.
//
// On an anonymous ring all processes run the same handlers, none of which sees where
// its process stands. A rotation moves what is at each position, the local state,
// the messages in flight to it and whether it has yet to begin, by as many positions
// as everything else. So a state and its rotation have the same transitions except for
// the rotation: a rotation is an automorphism of the transition system, as long as
// nothing in the setting names a process. A search of one state of each orbit comes to
// a state of each orbit that is reachable, and as soon (Emerson and Sistla 1996; Ip and
// Dill 1996). Choices are outcomes like others, at each process the same. The initial
// states need not be symmetric: what they lead to is, transition by transition.
//
// A question about states has to have the same answer for a state and its rotations
// (Reduction.Blind). It may read who leads, and not who that is by id.
//
// It goes with the other reductions. A set that is enough in a state is enough in its
// rotations, rotated. So a run of the reduced system with rotations is, step by step
// turned back, one without, of states that are reduced so; and the lengths of runs,
// anchors and what is recurrent are the same for all of an orbit. (A cycle of orbits,
// gone round often enough, is one of states.) Whole ticks are not taken together with
// it.

// unturnable says why states of a world are not rotated, "" if they are.
func (w *Facts) unturnable() string {
	s := &w.Setting
	switch {
	case s.Topology == setting.Complete || !s.Anonymous:
		return "rotations are of anonymous rings, whose processes have no ids"
	case s.Start > setting.ColdInterleaved:
		return fmt.Sprintf("rotations: start=%v tells processes whom to name, and none is to have a name", s.Start)
	case s.Crashers|s.Detectors|s.Joiners|s.Pausers != 0:
		return "rotations: the setting says by id who may crash, join, or hear of others"
	case w.Detector != setting.DetectorOff && (s.Crashes > 0 || s.Joins > 0 || s.Suspicions > 0):
		return "rotations: the detector reports processes by their ids; detector=off does not"
	}
	return ""
}

// turned appends to b the rotation of a state that stands for its orbit: the one with
// the least sequence of processes, and of those the least as bytes.
func (w *Facts) turned(b, state []byte, flaws Flaw) []byte {
	base, end, best := len(b), len(b)+len(state), 0
	b = append(b, state...)
	for by := 1; by < w.N; by++ {
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
func (w *Facts) compareTurns(state []byte, by, other int) int {
	for pos := range w.N {
		if c := bytes.Compare(w.Proc(state, (pos+by)%w.N), w.Proc(state, (pos+other)%w.N)); c != 0 {
			return c
		}
	}
	return 0
}

// turnBy appends to b a state with everything moved by so many positions back.
// Messages are sorted by receiver before all else.
func (w *Facts) turnBy(b, state []byte, by int, flaws Flaw) []byte {
	base := len(b)
	b = append(b, state[:w.ProcOff]...)
	if w.PendingOff >= 0 && flaws&FlawPending == 0 {
		was, all := w.Positions(state, w.PendingOff), Set(1)<<w.N-1
		w.PutPositions(b[base:], w.PendingOff, (was>>by|was<<(w.N-by))&all)
	}
	first := w.ProcOff + by*w.ProcSize
	b = append(b, state[first:w.MonitorOff]...)
	b = append(b, state[w.ProcOff:first]...)
	area := state[w.MsgOff:]
	if flaws&FlawMail != 0 {
		return append(b, area...)
	}
	split := 0
	for split < len(area) && int(area[split]) < by {
		split += w.Width
	}
	at := len(b)
	b = append(append(b, area[split:]...), area[:split]...)
	for ; at < len(b); at += w.Width {
		b[at] = byte((int(b[at]) + w.N - by) % w.N)
	}
	return b
}
