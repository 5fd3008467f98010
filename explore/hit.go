package explore

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"bullyproof/explore/internal/checkpoint"
)

// A hitKind says what hit a target.
type hitKind uint8

const (
	stateHit   hitKind = iota // a state, by Successors.Hit
	stepHit                   // a transition, by Successors.HitStep
	deadEndHit                // a transition without a state behind it, by Successors.HitDeadEnd
)

// A Hit is the best hit of a target: the one with the shortest trace; of a
// state and a transition met in the same level that is the state. Then follow
// the least rank and the least fingerprint of the expanded state; between
// several hits of one state's transitions, the least fingerprint of the
// successor and the least ordinal. Of random walks, the one with the lowest
// number comes first of all.
type Hit struct {
	Target int
	Depth  int    // transitions on the trace, in a depth-first search at most
	Rank   uint32 // as reported
	State  []byte // the expanded state: the last one, or the one before it
	Code   Code   // of the transition or dead end

	kind      hitKind
	source    uint64 // fingerprint of State
	successor uint64 // fingerprint of the end of the transition
	ordinal   int    // of the transition among those of State
	walk      uint64 // the number of the random walk, 0 in a search
}

// level returns the depth of the expanded state.
func (h *Hit) level() int {
	if h.kind == stateHit {
		return h.Depth
	}
	return h.Depth - 1
}

// compare orders hits of one target, the better one first.
func (h *Hit) compare(g *Hit) int {
	return cmp.Or(
		cmp.Compare(h.walk, g.walk),
		cmp.Compare(h.level(), g.level()),
		cmp.Compare(h.Depth, g.Depth),
		cmp.Compare(h.Rank, g.Rank),
		cmp.Compare(h.source, g.source),
		bytes.Compare(h.State, g.State),
		cmp.Compare(h.kind, g.kind),
		cmp.Compare(h.successor, g.successor),
		cmp.Compare(h.ordinal, g.ordinal),
		cmp.Compare(h.Code, g.Code),
	)
}

// hit returns h, reported for a state at a depth whose first successor has the
// index given, with the state borrowed and without fingerprints.
func (s *Successors) hit(h *hit, depth int, state []byte, first int) Hit {
	hit := Hit{Target: h.target, kind: stateHit, Depth: depth, Rank: h.rank, State: state}
	switch {
	case h.dead:
		hit.kind, hit.Code, hit.Depth = deadEndHit, h.code, depth+1
	case h.step >= 0:
		hit.kind, hit.Code, hit.Depth = stepHit, s.code[h.step], depth+1
		hit.ordinal = h.step - first
	}
	return hit
}

// checkTarget returns the error of hitting a target that there is not.
func checkTarget(target, targets int) error {
	if target < 0 || target >= targets {
		return fmt.Errorf("explore: hit of target %d; Options.Targets is %d, so that targets are numbered from 0 to %d", target, targets, targets-1)
	}
	return nil
}

// newHits returns hits of n targets, none of them hit.
func newHits(n int) []Hit {
	hits := make([]Hit, n)
	for t := range hits {
		hits[t] = Hit{Target: t, Depth: -1}
	}
	return hits
}

// keep puts h in the place of its target if it is better than what is there.
// The State of h may be borrowed: keep copies it.
func keep(hits []Hit, h *Hit) {
	old := &hits[h.Target]
	if old.Depth >= 0 && h.compare(old) >= 0 {
		return
	}
	state := append(old.State[:0], h.State...)
	*old = *h
	old.State = state
}

// allHit reports whether there are targets needed, and all have been hit.
func allHit(hits []Hit, needed []int) bool {
	for _, t := range needed {
		if hits[t].Depth < 0 {
			return false
		}
	}
	return len(needed) > 0
}

func anyHit(hits []Hit, targets []int) bool {
	return slices.ContainsFunc(targets, func(t int) bool { return hits[t].Depth >= 0 })
}

func hitOf(hits []Hit, target int) (Hit, bool) {
	if target < 0 || target >= len(hits) || hits[target].Depth < 0 {
		return Hit{}, false
	}
	return hits[target], true
}

// notHit is the error of asking for the trace of a target without a hit.
func notHit(target, targets int) error {
	if target < 0 || target >= targets {
		return fmt.Errorf("explore: no target %d; targets are numbered from 0 to %d", target, targets-1)
	}
	return fmt.Errorf("explore: target %d was not hit, so it has no trace", target)
}

// record returns the hit as it is kept in files.
func (h *Hit) record() checkpoint.Hit {
	return checkpoint.Hit{
		Target: h.Target, Kind: uint8(h.kind), Depth: h.Depth, Rank: h.Rank, State: h.State, Code: checkpoint.Hexadecimal(h.Code),
		Source: checkpoint.Hexadecimal(h.source), Successor: checkpoint.Hexadecimal(h.successor), Ordinal: h.ordinal,
	}
}

// hitOfRecord returns the hit of a record.
func hitOfRecord(r *checkpoint.Hit) Hit {
	return Hit{
		Target: r.Target, kind: hitKind(r.Kind), Depth: r.Depth, Rank: r.Rank, State: r.State, Code: Code(r.Code),
		source: uint64(r.Source), successor: uint64(r.Successor), ordinal: r.Ordinal,
	}
}
