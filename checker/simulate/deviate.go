package simulate

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"bullyproof/model"
)

// An order says what happens by default where much could: what a scheduler without
// any freedom does.
type order uint8

const (
	ascending  order = iota // messages and reports at once, to the process of the lowest id first; then timers, then time
	descending              // the highest id first
	late                    // time first, then timers, then reports, then messages
	shuffled                // by priorities drawn for each schedule
)

// mostDeviations is from how many deviations on no more are made.
const mostDeviations = 12

// mostPending is how many schedules with so many deviations wait to be made.
const mostPending = 1 << 15

// A deviator searches runs in order of how much they deviate from a default, after
// delay-bounded scheduling (Emmi, Qadeer, Rakamaric: Delay-Bounded Scheduling, POPL
// 2011): faults, outcomes that handlers choose, and actions out of turn are
// deviations, and so is to put off a strand of actions for good. It begins few
// deviations first, and more now and then; where there are too many it draws some.
type deviator struct {
	*player
	s     *simulation
	order order
	rng   *rand.Rand
	pcg   *rand.PCG

	starts  []run // nil where there are too many
	begun   int
	pending [mostDeviations + 1][]pending
	waiting [mostDeviations + 1]uint64 // how many there were
	dropped int                        // the fewest deviations of a schedule that was not kept
	cut     int                        // the fewest deviations of a schedule that met the limit of steps
	table   []uint64                   // of states met, with how few deviations: a hash, and a number in the last bits
	last    uint64                     // how many steps there may be, of all schedules
	ranks   []uint64
	keeps   bool   // keys of what happens by default
	key     uint64 // the last one

	tally
}

// A deviation is where a schedule does otherwise than the default.
type deviation struct {
	before  *deviation
	origin  *run   // of the first one
	depth   int    // in steps
	salt    uint64 // of the first one
	demotes bool
	action  int
	move    move
}

// A spot is a state on a schedule, from which others deviate.
type spot struct {
	state   []byte
	last    *deviation
	depth   int
	lowered []uint32
	salt    uint64
}

// A pending is a schedule that waits to be made.
type pending struct {
	at      *spot
	action  int // negative: the default is demoted
	answers []uint64
}

const demote = -1

func (s *simulation) newDeviator(o order) *deviator {
	d := &deviator{player: newPlayer(s.sys.Walker(s.watch...)), s: s, order: o, pcg: rand.NewPCG(s.opt.Seed, uint64(o)<<32), starts: s.starts()}
	d.rng = rand.New(d.pcg)
	d.tally.hits = make([]hit, len(s.asked))
	d.dropped, d.cut = mostDeviations+1, mostDeviations+1
	d.table = make([]uint64, 1<<tableBits)
	return d
}

const (
	tableBits = 20
	levelBits = 4
)

// meet reports whether a state is met for the first time with so few deviations,
// as far as the table remembers.
func (d *deviator) meet(state []byte, lowered []uint32, salt uint64, level int) bool {
	h := xxh3.Hash(state)
	d.seen.meet(h)
	for _, strand := range lowered {
		h = mix(h ^ uint64(strand))
	}
	h = mix(h ^ salt)
	slot := &d.table[h>>(64-tableBits)]
	tag := h &^ (1<<levelBits - 1)
	if *slot&^(1<<levelBits-1) == tag && *slot&(1<<levelBits-1) <= uint64(level+1) {
		return false
	}
	*slot = tag | uint64(level+1)
	return true
}

// advance makes schedules until so many steps have been taken, and never more than
// most. It reports whether there are any left.
func (d *deviator) advance(ctx context.Context, steps, most uint64) bool {
	end := d.steps + steps
	d.last = d.steps + most
	for d.steps < end && ctx.Err() == nil {
		if !d.schedule() {
			return false
		}
	}
	return true
}

// schedule makes one schedule.
func (d *deviator) schedule() bool {
	level := d.choose()
	if level < 0 {
		if !d.root() {
			return false
		}
		d.walks++
		return true
	}
	list := d.pending[level]
	i := d.rng.IntN(len(list))
	p := list[i]
	list[i] = list[len(list)-1]
	list[len(list)-1] = pending{}
	d.pending[level] = list[:len(list)-1]
	d.walks++
	d.deviate(&p, level)
	return true
}

// choose returns how many deviations the next schedule has, negative for none.
func (d *deviator) choose() int {
	if d.starts == nil && d.rng.Uint64N(16) == 0 || d.begun < len(d.starts) {
		return -1
	}
	level := -1
	for i := range d.pending {
		if len(d.pending[i]) == 0 {
			continue
		}
		level = i
		if d.rng.Uint64()&1 == 0 {
			break
		}
	}
	return level
}

// root makes the schedule without deviations from an initial state, and reports
// whether there is another one.
func (d *deviator) root() bool {
	if d.begun >= len(d.starts) && d.starts != nil {
		return false
	}
	r := new(run)
	if d.starts == nil {
		if d.err = d.w.Begin(func(_ model.Fork, answers uint64) uint64 { return d.rng.Uint64N(answers) }); d.err != nil {
			return false
		}
		r.origin, r.choices = d.w.Origin()
		r.start = bytes.Clone(d.w.State())
	} else {
		*r = d.starts[d.begun]
	}
	d.begun++
	d.w.Put(r.start)
	at := &spot{salt: d.newSalt()}
	at.last = &deviation{origin: r, salt: at.salt}
	d.steps++
	d.judge(at.last, 0, nil)
	d.follow(at, 0)
	return true
}

func (d *deviator) newSalt() uint64 {
	if d.order == shuffled {
		return d.rng.Uint64()
	}
	return 0
}

// deviate makes a schedule that deviates at a spot.
func (d *deviator) deviate(p *pending, level int) {
	at := &spot{depth: p.at.depth, lowered: p.at.lowered, salt: p.at.salt}
	d.w.Put(p.at.state)
	if p.action == demote {
		d.rank(at)
		if i := d.least(); i >= 0 {
			at.last = &deviation{before: p.at.last, depth: at.depth, demotes: true}
			at.lowered = append(slices.Clip(at.lowered), d.w.At(i).Strand)
			d.follow(at, level)
		}
		return
	}
	d.w.Faults()
	key := d.w.Key(p.action)
	d.steps++
	taken := d.try(p.action, p.answers)
	d.leftOut(taken)
	m := move{key, slices.Clone(d.answer)}
	if next, ok := after(d.answer, d.of); ok {
		d.wait(level, pending{p.at, p.action, next})
	}
	if !taken.Changed && taken.Misuse == "" {
		return
	}
	at.last = &deviation{before: p.at.last, depth: at.depth, action: p.action, move: m}
	at.depth++
	if d.judge(at.last, at.depth, &taken) {
		d.follow(at, level)
	}
}

// judge notes what was hit, and reports whether the schedule goes on.
func (d *deviator) judge(dev *deviation, depth int, taken *model.Taken) bool {
	if taken != nil && taken.Misuse != "" {
		d.hit(len(d.tally.hits)-1, hit{walk: d.walks, depth: depth, way: dev})
		return false
	}
	for i, was := range d.w.Hits() {
		if was {
			d.hit(i, hit{walk: d.walks, depth: depth, way: dev})
		}
	}
	return true
}

// follow follows the default from where the walker is, and has schedules wait that
// deviate there.
func (d *deviator) follow(at *spot, level int) {
	for {
		d.longest = max(d.longest, at.depth)
		if !d.meet(d.w.State(), at.lowered, at.salt, level) {
			return
		}
		if at.depth >= d.s.opt.MaxSteps || d.steps >= d.last {
			d.cut = min(d.cut, level)
			return
		}
		here := &spot{state: bytes.Clone(d.w.State()), last: at.last, depth: at.depth, lowered: at.lowered, salt: at.salt}
		if !d.step(here, level) {
			return
		}
		at.depth++
	}
}

// step takes the default action, and has others wait. It reports whether the
// schedule goes on.
func (d *deviator) step(here *spot, level int) bool {
	owing := d.w.Owing()
	all := owing + d.w.Faults()
	usual, taken := d.usually(here)
	if usual < 0 && d.steps >= d.last {
		d.cut = min(d.cut, level)
	}
	if level < mostDeviations {
		for i := range all {
			if i != usual {
				d.wait(level+1, pending{at: here, action: i})
			}
		}
		if owing > 1 {
			d.wait(level+1, pending{at: here, action: demote})
		}
		if next, ok := after(d.answer, d.of); ok && usual >= 0 {
			d.wait(level+1, pending{here, usual, next})
		}
	} else {
		d.dropped = level + 1
	}
	return usual >= 0 && d.judge(here.last, here.depth+1, &taken)
}

// usually takes the default action: the first one by rank that changes anything. It
// returns which one that is, negative if there is none.
func (d *deviator) usually(at *spot) (int, model.Taken) {
	d.rank(at)
	for range d.ranks {
		i := d.least()
		if i < 0 || d.steps >= d.last {
			break
		}
		d.ranks[i] = never
		d.steps++
		if d.keeps {
			d.key = d.w.Key(i)
		}
		taken := d.try(i, nil)
		d.leftOut(taken)
		if taken.Changed || taken.Misuse != "" {
			return i, taken
		}
	}
	return -1, model.Taken{}
}

const never = 1<<64 - 1

// rank ranks the actions that are no faults where the walker is: the least is the
// default.
func (d *deviator) rank(at *spot) {
	d.ranks = d.ranks[:0]
	for i := range d.w.Owing() {
		a := d.w.At(i)
		r := d.usual(&a, at.salt)
		if j := slices.Index(at.lowered, a.Strand); j >= 0 {
			r |= 1<<40 + uint64(j)<<32
		}
		if a.Fault {
			r = never
		}
		d.ranks = append(d.ranks, r)
	}
}

// usual returns the rank of an action by the order of the deviator, 1 to 2^32.
func (d *deviator) usual(a *model.Enabled, salt uint64) uint64 {
	if d.order == shuffled {
		return mix(salt^uint64(a.Strand)<<32)>>32 | 1
	}
	class := uint64(0)
	switch a.Kind {
	case model.Expires:
		class = 1
	case model.Ticks:
		class = 2
	case model.Suspects:
		if d.order == late {
			class = 1
		}
	}
	if d.order == late {
		class = 2 - class
	}
	who := uint64(a.Process)
	if d.order == descending {
		who = 255 - who
	}
	return class<<24 | who<<16 | uint64(a.Strand)&0xffff | 1
}

// least returns the action of the least rank, negative if there is none.
func (d *deviator) least() int {
	best := -1
	for i, r := range d.ranks {
		if r != never && (best < 0 || r < d.ranks[best]) {
			best = i
		}
	}
	return best
}

// wait has a schedule with so many deviations wait; where too many do, some are
// not made.
func (d *deviator) wait(level int, p pending) {
	d.waiting[level]++
	if len(d.pending[level]) < mostPending {
		d.pending[level] = append(d.pending[level], p)
		return
	}
	d.dropped = min(d.dropped, level)
	if i := d.rng.Uint64N(d.waiting[level]); i < mostPending {
		d.pending[level][i] = p
	}
}

// complete returns with how many deviations every schedule was made, negative if
// not even with none.
func (d *deviator) complete() int {
	if d.starts == nil || d.begun < len(d.starts) {
		return -1
	}
	most := min(d.dropped, d.cut) - 1
	for level := range d.pending {
		if len(d.pending[level]) > 0 {
			return min(most, level-1)
		}
	}
	return most
}

func (d *deviator) counts() *tally { return &d.tally }

// remake makes the run of a hit once more.
func (d *deviator) remake(h *hit, target int) (run, error) {
	var way []*deviation
	for v := h.way; v != nil; v = v.before {
		way = append(way, v)
	}
	slices.Reverse(way)
	r := *way[0].origin
	at := &spot{salt: way[0].salt}
	steps := d.steps
	defer func() { d.steps = steps }() // they have been counted
	d.last = math.MaxUint64
	d.keeps = true
	d.w.Put(r.start)
	for _, v := range way[1:] {
		d.until(&r, at, v.depth)
		if v.demotes {
			d.rank(at)
			at.lowered = append(at.lowered, d.w.At(d.least()).Strand)
			continue
		}
		d.w.Faults()
		d.try(v.action, v.move.answers)
		r.moves = append(r.moves, v.move)
	}
	d.until(&r, at, h.depth)
	if misuse := len(d.tally.hits) - 1; len(r.moves) != h.depth || target < misuse && !d.w.Hits()[target] {
		return r, errOtherWay(h)
	}
	return r, nil
}

// until takes default actions until a run has so many steps, and adds them to it.
func (d *deviator) until(r *run, at *spot, depth int) {
	for len(r.moves) < depth {
		if i, _ := d.usually(at); i < 0 {
			return
		}
		r.moves = append(r.moves, move{d.key, slices.Clone(d.answer)})
	}
}
