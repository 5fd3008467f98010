package simulate

import (
	"math/rand/v2"

	"bullyproof/model"
)

// A schedule says what happens next.
type schedule struct {
	pct     bool
	salt    uint64 // of the priorities
	timers  uint64 // how many timers have expired
	step    int
	changes []int    // steps at which a priority changes
	lowered []uint32 // strands whose priority has, the first one highest
}

// begin makes the schedule of a walk.
func (s *schedule) begin(rng *rand.Rand, opt *Options) {
	s.pct, s.timers, s.step = opt.Depth > 0, 0, 0
	s.changes, s.lowered = s.changes[:0], s.lowered[:0]
	if !s.pct {
		return
	}
	s.salt = rng.Uint64()
	// How long a run is nobody knows before: changes come early and late.
	for range opt.Depth - 1 {
		most := opt.MaxSteps
		for most > 8 && rng.Uint64()&1 == 0 {
			most /= 2
		}
		s.changes = append(s.changes, rng.IntN(most))
	}
}

// pick returns one of so many actions.
func (s *schedule) pick(w *walker, owing int) int {
	if s.pct {
		return s.first(w, owing)
	}
	i := w.rng.IntN(owing)
	for range 4 { // wrong suspicions and hasty timers are faults, too
		if !w.w.At(i).Fault || w.chance() {
			break
		}
		i = w.rng.IntN(owing)
	}
	return i
}

// first returns the action whose strand has the highest priority, any of them
// where it has several.
func (s *schedule) first(w *walker, owing int) int {
	s.step++
	i := s.highest(w, owing)
	for _, at := range s.changes {
		if at == s.step {
			s.lowered = append(s.lowered, w.w.At(i).Strand)
			i = s.highest(w, owing)
		}
	}
	return i
}

func (s *schedule) highest(w *walker, owing int) int {
	best, high, equal := -1, uint64(0), 0
	for i := range owing {
		a := w.w.At(i)
		if a.Fault && !w.chance() {
			continue
		}
		switch p := s.priority(&a); {
		case best < 0 || p > high:
			best, high, equal = i, p, 1
		case p == high:
			if equal++; w.rng.IntN(equal) == 0 {
				best = i
			}
		}
	}
	if best < 0 {
		return w.rng.IntN(owing)
	}
	return best
}

// priority returns the priority of an action. That of timers is another one after
// each expiry, lest one that is set again and again be all that happens.
func (s *schedule) priority(a *model.Enabled) uint64 {
	for i, strand := range s.lowered {
		if strand == a.Strand {
			return uint64(len(s.lowered) - i)
		}
	}
	salt := s.salt
	if a.Kind == model.Expires {
		salt += s.timers
	}
	return mix(salt^uint64(a.Strand)<<32) | 1<<32
}

// took notes what kind of action was taken.
func (s *schedule) took(kind model.ActionKind) {
	if kind == model.Expires {
		s.timers++
	}
}

// mix returns a number that looks random (the finalizer of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
