package reduce

import (
	"slices"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
)

// A Reducer tells which of the actions that are enabled in a state are carried out, and
// makes successors their normal forms. It is for one goroutine.
type Reducer struct {
	scene
	r         Reduction
	handlers  Handlers
	world     World
	foresight foresight
	past      normals
	tick      wholeTick
	orbits    *Orbits

	// normal makes the state that begins at base its normal form; nil if each is its own.
	normal func(b []byte, base int) []byte

	keep           []bool // actions that are carried out
	recs, filtered []byte // of a state that is put together

	likenesses []*likeness // by position
}

// New returns a reducer of a world. The handlers are its own.
func New(w *Facts, r Reduction, handlers Handlers, world World) *Reducer {
	x := &Reducer{scene: scene{Facts: w, ids: slices.Clone(w.IDs)}, r: r, handlers: handlers, world: world}
	x.foresight.init(w, r, handlers)
	dead, turns := x.foresight.kinds&DeadMessages != 0 || x.mayStandFor(), x.foresight.kinds&Symmetries != 0
	if turns {
		x.orbits = w.Orbits(r.Flaws)
	}
	switch {
	case dead && turns:
		x.normal = func(b []byte, base int) []byte { return x.orbits.Replace(x.drop(b, base), base) }
	case dead:
		x.normal = x.drop
	case turns:
		x.normal = x.orbits.Replace
	}
	return x
}

// Kinds returns the reductions that are made.
func (x *Reducer) Kinds() Reductions { return x.foresight.kinds }

// Normal returns what makes the state that begins at base its normal form, and returns
// the buffer; nil if each state is its own.
func (x *Reducer) Normal() func(b []byte, base int) []byte { return x.normal }

// Expand looks at a state. If that has steps of whole ticks, it appends where they lead,
// and reports that this is all; otherwise Keep says which actions are carried out.
func (x *Reducer) Expand(state []byte, out *explore.Successors) bool {
	x.look(state)
	return x.wholeTick(out)
}

// Keep returns which of the actions are carried out that are enabled in the state that was
// looked at, in their order; those that come after them are not. It is not ok where all are.
func (x *Reducer) Keep() (keep []bool, ok bool) {
	if x.foresight.kinds&^(DeadMessages|WholeTicks|Symmetries) == 0 {
		return nil, false
	}
	left, ok := x.faultsLeft(x.state, x.up, x.down)
	losing := !ok && x.losing()
	if !ok && !losing || left.falling != 0 && (x.Setting.MidSend || !x.Ticking()) {
		return nil, false
	}
	acts := x.world.Enabled(left.falling != 0, left.rising != 0, losing)
	if len(acts) < 2 {
		return nil, false
	}
	x.observe(x.state, x.down, x.up, left)
	x.foresight.start.losing = losing
	x.keep = slices.Grow(x.keep[:0], len(acts))[:len(acts)]
	clear(x.keep)
	switch {
	case x.Ticking():
		return x.keep, x.foresight.persistent(acts, x.keep)
	case x.foresight.kinds&PersistentSets == 0:
		return nil, false
	case x.messageRing():
		return x.keep, x.foresight.finder.ring(acts, x.keep)
	}
	return x.keep, x.foresight.finder.timeless(acts, x.keep)
}

// faultsLeft are the faults that can still happen: who may crash, and who may restart, by id.
type faultsLeft struct{ falling, rising Set }

// faultsLeft returns the faults that are left. It reports false where others can
// happen in a state or after it, or somebody has yet to come up.
func (x *Reducer) faultsLeft(state []byte, up, down Set) (left faultsLeft, ok bool) {
	if up|down != 1<<x.N-1 {
		return left, false
	}
	if x.r.Flaws&FlawFaults != 0 {
		return left, true
	}
	const crashes, restarts, cuts, heals = 1 << layout.BudgetCrashes, 1 << layout.BudgetRestarts, 1 << layout.BudgetCuts, 1 << layout.BudgetHeals
	budgets := x.BudgetsLeft(state)
	switch {
	case x.CutsOff < 0:
	case x.AnyCut(state) && x.r.Flaws&FlawSevered == 0:
		return left, false
	case budgets&cuts == 0:
		budgets &^= heals // there is nothing to heal any more
	}
	if budgets&crashes != 0 {
		left.falling = x.toIDs(up)
		if budgets&restarts != 0 {
			left.falling |= x.toIDs(down)
		}
		if x.Setting.Crashers != 0 {
			left.falling &= x.Setting.Crashers
		}
	}
	if budgets&restarts != 0 {
		left.rising = x.toIDs(down) | left.falling
	}
	return left, budgets&^(crashes|restarts) == 0 && (left.rising == 0 || x.reducesRestarts())
}

// observe makes a state the start of the foresight. down and up are positions. If a
// process may still restart, all processes can act, and no message is lost.
func (x *Reducer) observe(state []byte, down, up Set, left faultsLeft) {
	unreachable, acting := down, up
	if left.rising != 0 {
		unreachable, acting = 0, up|down
	}
	x.startFrom(state, down, unreachable, acting, left)
}

// startFrom makes a state the start of the foresight. Messages to unreachable positions
// are lost; the processes at acting positions can act.
func (x *Reducer) startFrom(state []byte, down, unreachable, acting Set, left faultsLeft) {
	f := &x.foresight
	f.begin(downs{x.toIDs(down), unreachable, left}, acting)
	x.handlers.At(state, x.ids)
	for pos := range x.N {
		f.start.here[pos] = f.effects.localOf(pos, x.handlers.Key(pos))
	}
	for area := state[x.MsgOff:]; len(area) > 0; area = area[x.Width:] {
		f.start.mail = append(f.start.mail, x.inFlight(area[:x.Width]))
	}
}

// inFlight returns the message that a record of a state holds.
func (x *Reducer) inFlight(record []byte) inFlight {
	m := inFlight{to: int(record[0]), port: Port(record[1])}
	content := record[1:]
	if x.DueOff >= 0 {
		m.due, content = int(record[x.DueOff]), record[1:x.DueOff]
	}
	m.event = x.foresight.effects.message(content)
	return m
}

// drop takes the messages that are dead out of the state that begins at base, and puts
// one with equal prospects in its place. It returns the buffer.
func (x *Reducer) drop(b []byte, base int) []byte {
	if x.r.Flaws&Forgetful != 0 {
		return x.simplest(b, base)
	}
	if normal, known := x.past.of(b[base:]); known {
		return append(b[:base], normal...)
	}
	b = x.simplest(b, base)
	x.past.keep(b[base:])
	return b
}

// simplest is drop, computed.
func (x *Reducer) simplest(b []byte, base int) []byte {
	if x.mayStandFor() {
		b = x.alike(b, base)
	}
	return x.withoutDead(b, base)
}

// withoutDead drops the dead messages of a state that stands for those alike.
func (x *Reducer) withoutDead(b []byte, base int) []byte {
	if size := len(b); x.foresight.kinds&DeadMessages != 0 {
		if b = x.dropDead(b, base); len(b) < size && x.mayStandFor() {
			b = x.alike(b, base)
		}
	}
	return b
}

func (x *Reducer) dropDead(b []byte, base int) []byte {
	f := &x.foresight
	state := b[base:]
	if len(state) == x.MsgOff {
		return b
	}
	up, down := x.UpAndDown(state)
	left, ok := x.faultsLeft(state, up, down)
	if !ok && (x.r.Flaws&FlawSpent == 0 || x.BudgetsLeft(state) != 1<<layout.BudgetLosses) {
		return b
	}
	for area := state[x.MsgOff:]; len(area) > 0 && left.rising == 0; area = area[x.Width:] {
		if down>>area[0]&1 != 0 {
			return b
		}
	}
	x.observe(state, down, up, left)
	bound := 0 // without ticks
	if x.Ticking() {
		bound = x.Bound
	}
	for len(f.start.mail) > 0 {
		gone := f.dead.list(bound)
		if len(gone) == 0 {
			break
		}
		for k := len(gone) - 1; k >= 0; k-- {
			i := gone[k]
			at := base + x.MsgOff + i*x.Width
			b = append(b[:at], b[at+x.Width:]...)
			f.start.mail = slices.Delete(f.start.mail, i, i+1)
		}
		f.closures.rooted()
	}
	return b
}
