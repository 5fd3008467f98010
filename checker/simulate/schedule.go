package simulate

import (
	"math/rand/v2"

	"bullyproof/model"
)

// A style is how a schedule chooses.
type style uint8

const (
	byChance   style = iota
	byPriority       // PCT
	solo             // one process at a time goes on, until another one has its turn
	scarce           // few messages are on their way at a time
	prompt           // time passes and timers expire where nothing else can happen
)

// A schedule says what happens next.
type schedule struct {
	style   style
	rare    uint64   // how rarely, of 2^16, it does otherwise than its style has it
	few     int      // messages on their way
	turn    model.ID // whose it is
	some    []int    // actions to choose from
	salt    uint64   // of the priorities
	timers  uint64   // how many timers have expired
	step    int
	changes []int    // steps at which a priority changes
	lowered []uint32 // strands whose priority has, the first one highest
}

// begin makes the schedule of a walk.
func (s *schedule) begin(rng *rand.Rand, opt *Options) {
	s.timers, s.step, s.turn = 0, 0, model.None
	s.changes, s.lowered = s.changes[:0], s.lowered[:0]
	switch s.style {
	case byChance:
		return
	case solo, scarce, prompt:
		s.rare = 1 << (15 - rng.Uint64N(8)) // 1/2 to 1/256
		s.few = 1 + rng.IntN(4)
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
	if s.style == byPriority {
		return s.first(w, owing)
	}
	if i, ok := s.apart(w, owing); ok {
		return i
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

// apart returns one of the actions that the style has happen before others, and
// whether there is one.
func (s *schedule) apart(w *walker, owing int) (int, bool) {
	if s.style == byChance || w.rng.Uint64()>>48 < s.rare {
		return 0, false
	}
	s.some = s.some[:0]
	messages := 0
	for i := range owing {
		a := w.w.At(i)
		if a.Kind == model.Delivers {
			messages++
		}
		if !a.Fault && s.goesFirst(&a) {
			s.some = append(s.some, i)
		}
	}
	if len(s.some) == 0 || s.style == scarce && messages <= s.few {
		return 0, false
	}
	return s.some[w.rng.IntN(len(s.some))], true
}

// goesFirst reports whether the style has an action happen before others.
func (s *schedule) goesFirst(a *model.Enabled) bool {
	switch s.style {
	case solo:
		return a.Process != model.None && a.Process == s.turn
	case scarce:
		return a.Kind == model.Delivers
	}
	return a.Kind != model.Ticks && a.Kind != model.Expires
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

// took notes what kind of action was taken, and where.
func (s *schedule) took(kind model.ActionKind, at model.ID) {
	if at != model.None {
		s.turn = at
	}
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
