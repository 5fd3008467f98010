package simulate

import (
	"bytes"
	"context"
	"slices"

	"github.com/zeebo/xxh3"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A move is an action on a run, and what decided where it led.
type move struct {
	key     uint64 // of the action (Walker.Key)
	answers []uint64
}

// A run is an initial state and what happens from there on, until it hits a
// target.
type run struct {
	origin  setting.Setting
	choices []int
	start   []byte
	moves   []move
}

// Limits on what shrinking tries, in states that are decoded or made.
const (
	partSteps   = 400_000 // by the actions of the run alone
	anySteps    = 150_000 // by all actions, from a state of the run on
	mostStarts  = 256     // initial states to begin in
	mostAnswers = 64      // ways in which an action is tried
)

// A player takes actions with the answers that it is given.
type player struct {
	w      model.Walker
	answer []uint64 // of the last action
	of     []uint64 // how many there were to each question
	at     int
	draw   model.Draw
}

func newPlayer(w model.Walker) *player {
	k := &player{w: w}
	k.draw = k.next
	return k
}

// next is a Draw that gives the answers of a move, and 0 where it has none. It
// notes of how many each was.
func (k *player) next(_ model.Fork, answers uint64) uint64 {
	i := k.at
	k.at++
	if i >= len(k.answer) {
		k.answer = append(k.answer, 0)
	}
	k.of = append(k.of, answers)
	return min(k.answer[i], answers-1)
}

// try takes an action with so many answers.
func (k *player) try(i int, answers []uint64) model.Taken {
	k.answer, k.at, k.of = append(k.answer[:0], answers...), 0, k.of[:0]
	taken := k.w.Take(i, k.draw)
	k.answer = k.answer[:k.at]
	return taken
}

// A shrinker makes a run shorter that hits a target.
type shrinker struct {
	*player
	ctx    context.Context
	target int // a watch, or their number for misuse
	starts []run
}

func (s *simulation) newShrinker(ctx context.Context, target int) *shrinker {
	return &shrinker{player: newPlayer(s.sys.Walker(s.watch...)), ctx: ctx, target: target}
}

// hits reports whether the walker is at the target.
func (k *shrinker) hits() bool { return k.target < len(k.w.Hits()) && k.w.Hits()[k.target] }

// take takes an action with so many answers, and reports whether it changed
// anything, and whether the target is hit.
func (k *shrinker) take(i int, answers []uint64) (changed, hit bool) {
	taken := k.try(i, answers)
	if taken.Misuse != "" {
		return false, k.target == len(k.w.Hits())
	}
	return taken.Changed, taken.Changed && k.hits()
}

// find returns the action with a key, negative if it is not enabled.
func (k *shrinker) find(key uint64) int {
	owing := k.w.Owing()
	for i := range owing {
		if k.w.Key(i) == key {
			return i
		}
	}
	for i := owing; i < owing+k.w.Faults(); i++ {
		if k.w.Key(i) == key {
			return i
		}
	}
	return -1
}

// play makes a run again with some of its moves, passing over those that are not
// enabled or change nothing. It returns the run up to where it hits the target,
// and whether it does.
func (k *shrinker) play(from *run, moves []move) (run, bool) {
	out := run{origin: from.origin, choices: from.choices, start: from.start}
	k.w.Put(from.start)
	if k.hits() {
		return out, true
	}
	for _, m := range moves {
		i := k.find(m.key)
		if i < 0 {
			continue
		}
		changed, hit := k.take(i, m.answers)
		if changed || hit {
			out.moves = append(out.moves, m)
		}
		if hit {
			return out, true
		}
	}
	return out, false
}

// shrink returns a run that hits the target in as few steps as it finds.
func (k *shrinker) shrink(r run) run {
	r = k.thin(r)
	for again := true; again && k.ctx.Err() == nil; {
		before := len(r.moves)
		r = k.reorder(r)
		r = k.thin(r)
		r = k.shortcut(r)
		again = len(r.moves) < before
	}
	return r
}

// thin leaves out moves, many at a time first (delta debugging), until none can
// be left out alone.
func (k *shrinker) thin(r run) run {
	for again := true; again; {
		before := len(r.moves)
		for size := len(r.moves) / 2; size > 0; size /= 2 {
			for at := 0; at+size <= len(r.moves) && k.ctx.Err() == nil; {
				rest := slices.Concat(r.moves[:at], r.moves[at+size:])
				if shorter, ok := k.play(&r, rest); ok && len(shorter.moves) < len(r.moves) {
					r = shorter
				} else {
					at += size
				}
			}
		}
		again = len(r.moves) < before && k.ctx.Err() == nil
	}
	return r
}

// reorder looks for the shortest run that takes the actions of r and no others,
// in any order and any number, from any initial state.
func (k *shrinker) reorder(r run) run {
	allowed := map[uint64][][]uint64{}
	for _, m := range r.moves {
		if !slices.ContainsFunc(allowed[m.key], func(a []uint64) bool { return slices.Equal(a, m.answers) }) {
			allowed[m.key] = append(allowed[m.key], m.answers)
		}
	}
	starts := k.starts
	if len(starts) == 0 {
		starts = []run{{origin: r.origin, choices: r.choices, start: r.start}}
	}
	found, ok := k.search(starts, allowed, len(r.moves)-1, partSteps)
	if ok {
		return found
	}
	return r
}

// shortcut looks for shorter ends of a run by all actions: from its states on,
// the last one first, and from the initial states.
func (k *shrinker) shortcut(r run) run {
	states := k.states(&r)
	for i := len(states) - 2; i >= 0 && k.ctx.Err() == nil; i-- {
		from := run{start: states[i]}
		if end, ok := k.search([]run{from}, nil, len(r.moves)-i-1, anySteps/len(states)); ok {
			r.moves = append(r.moves[:i:i], end.moves...)
			states = k.states(&r)
			i = min(i, len(states)-1)
		}
	}
	if len(k.starts) > 0 {
		if found, ok := k.search(k.starts, nil, len(r.moves)-1, anySteps); ok {
			return found
		}
	}
	return r
}

// states returns the states on a run.
func (k *shrinker) states(r *run) [][]byte {
	k.w.Put(r.start)
	states := [][]byte{bytes.Clone(r.start)}
	for _, m := range r.moves {
		k.take(k.find(m.key), m.answers)
		states = append(states, bytes.Clone(k.w.State()))
	}
	return states
}

// A node is a state that a search met.
type node struct {
	state  []byte
	parent int
	move   move
}

// search looks for a shortest run to the target, breadth first, of at most so
// many moves and steps tried. Where allowed is not nil, only actions with these
// keys are taken, and with these answers alone if they are questions with many.
func (k *shrinker) search(starts []run, allowed map[uint64][][]uint64, most, steps int) (run, bool) {
	if most < 0 {
		return run{}, false
	}
	var nodes []node
	seen := map[uint64]bool{}
	meet := func(parent int, m move) {
		state := k.w.State()
		if hash := xxh3.Hash(state); !seen[hash] {
			seen[hash] = true
			nodes = append(nodes, node{bytes.Clone(state), parent, m})
		}
	}
	for i := range starts {
		k.w.Put(starts[i].start)
		if k.hits() {
			return starts[i], true
		}
		meet(-1-i, move{})
	}
	level, depth := len(nodes), 0
	for at := 0; at < len(nodes) && depth < most; at++ {
		if at == level {
			level = len(nodes)
			if depth++; depth == most {
				break
			}
		}
		found, ok := k.expand(nodes[at].state, allowed, &steps, func(m move) { meet(at, m) })
		if ok {
			return k.path(starts, nodes, at, found), true
		}
		if steps < 0 || k.ctx.Err() != nil {
			break
		}
	}
	return run{}, false
}

// path returns the run to a node, and one move more.
func (k *shrinker) path(starts []run, nodes []node, at int, last move) run {
	moves := []move{last}
	for ; nodes[at].parent >= 0; at = nodes[at].parent {
		moves = append(moves, nodes[at].move)
	}
	slices.Reverse(moves)
	r := starts[-1-nodes[at].parent]
	r.moves = moves
	return r
}

// expand tries every action that is allowed in a state. It returns the first one
// that hits the target, and whether there is one.
func (k *shrinker) expand(state []byte, allowed map[uint64][][]uint64, steps *int, meet func(m move)) (move, bool) {
	k.w.Put(state)
	all := k.w.Owing() + k.w.Faults()
	moved := false
	var done uint64
	for i := range all {
		if *steps--; *steps < 0 {
			return move{}, false
		}
		if moved {
			k.back(state)
		}
		moved = false
		key := k.w.Key(i)
		answers, ok := allowed[key]
		if i > 0 && key == done || allowed != nil && !ok {
			continue // an equal message, or not allowed
		}
		done = key
		next := k.odometer
		if allowed != nil {
			next = func(tried int) ([]uint64, bool) { return answers[min(tried, len(answers)-1)], tried < len(answers) }
		}
		var m move
		var hit bool
		if m, moved, hit = k.tryAll(state, i, next, steps, meet); hit {
			return m, true
		}
	}
	return move{}, false
}

// back puts the walker back into a state, with all its actions.
func (k *shrinker) back(state []byte) {
	k.w.Put(state)
	k.w.Faults()
}

// tryAll takes an action of a state, in which the walker is, in one way after
// another, until one hits the target, which it returns. Next says the answers of
// a way. It reports whether the walker has left the state.
func (k *shrinker) tryAll(
	state []byte, i int, next func(tried int) ([]uint64, bool), steps *int, meet func(m move),
) (m move, moved, hit bool) {
	key := k.w.Key(i)
	for tried := 0; ; tried++ {
		answers, ok := next(tried)
		if !ok {
			return move{}, moved, false
		}
		if tried > 0 {
			*steps--
		}
		if moved {
			k.back(state)
		}
		moved, hit = k.take(i, answers)
		m = move{key, slices.Clone(k.answer)}
		if hit {
			return m, moved, true
		}
		if moved {
			meet(m)
		}
	}
}

// odometer returns the answers of the ways of an action, one after the other, up
// to a number of them.
func (k *shrinker) odometer(tried int) ([]uint64, bool) {
	switch {
	case tried == 0:
		return nil, true
	case tried > mostAnswers:
		return nil, false
	}
	return after(k.answer, k.of)
}

// after returns the answers that follow others, as an odometer counts, and
// whether there are any.
func after(answers, of []uint64) ([]uint64, bool) {
	for i := len(answers) - 1; i >= 0; i-- {
		if answers[i]+1 < of[i] {
			next := slices.Clone(answers[:i+1])
			next[i]++
			return next, true
		}
	}
	return nil, false
}
