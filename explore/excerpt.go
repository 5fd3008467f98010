package explore

import (
	"cmp"
	"math"
	"slices"
)

// mostExcerpted is how many states of a level an excerpt has at most.
const mostExcerpted = 32

// diveFloor has a depth-first search, which knows no levels, show about one state in 1,024.
const diveFloor = math.MaxUint64 - math.MaxUint64>>10

// An excerpting keeps the states of an excerpt that one worker has expanded.
type excerpting struct {
	floor uint64 // only states with greater fingerprints come in
	taken []specimen
}

// A specimen is a state of an excerpt.
type specimen struct {
	fp    uint64
	state []byte
}

// newExcerpting returns an excerpting of a search that is inspected, or one that takes nothing.
func newExcerpting(opt *Options) excerpting {
	if opt.Inspect == nil {
		return excerpting{floor: math.MaxUint64}
	}
	x := excerpting{taken: make([]specimen, 0, mostExcerpted)}
	if opt.Order == DepthFirst {
		x.floor = diveFloor
	}
	return x
}

// add takes a state with a fingerprint above the floor. A full excerpt gives up the least,
// whose memory the state gets.
func (x *excerpting) add(state []byte, fp uint64) {
	n := len(x.taken)
	if n < cap(x.taken) {
		x.taken = x.taken[:n+1]
		x.taken[n].set(state, fp)
	} else {
		x.taken[x.least()].set(state, fp)
	}
	if len(x.taken) == cap(x.taken) {
		x.floor = x.taken[x.least()].fp
	}
}

func (s *specimen) set(state []byte, fp uint64) {
	s.fp, s.state = fp, append(s.state[:0], state...)
}

// least returns the index of the state with the least fingerprint.
func (x *excerpting) least() (at int) {
	for i := range x.taken {
		if x.taken[i].fp < x.taken[at].fp {
			at = i
		}
	}
	return at
}

// excerpts are shown to Options.Inspect, one of each level: the states with the greatest
// fingerprints, which are the same for any number of workers.
type excerpts struct {
	enough bool // Inspect says that the search is to end
}

// show shows the excerpt of the states that were expanded since the last one. No worker is at
// work.
func (x *excerpts) show(depth int, s *search) {
	if s.opt.Inspect == nil {
		return
	}
	var all []specimen
	for _, w := range s.workers {
		all = append(all, w.excerpt.taken...)
		w.excerpt.taken = w.excerpt.taken[:0]
		if w.excerpt.floor = 0; s.opt.Order == DepthFirst {
			w.excerpt.floor = diveFloor
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortFunc(all, func(a, b specimen) int { return cmp.Compare(b.fp, a.fp) })
	var states [][]byte
	for _, one := range all[:min(len(all), mostExcerpted)] {
		states = append(states, one.state)
	}
	x.enough = !s.opt.Inspect(depth, s.distinct(), states)
}
