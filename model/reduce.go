package model

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/setting"
)

// Reads is what properties read of the states in which something that is owed can
// still happen, beside who is up and who is present. (What they read of settled
// states does not matter: those are the same under a reduction.) A sum of Reads is what several properties read.
type Reads uint8

const (
	// ReadsSettled: nothing but settled states. It adds nothing to others.
	ReadsSettled Reads = 1 << iota
	// ReadsLeaders: who believes itself coordinator, of all processes at one
	// instant.
	ReadsLeaders
	// ReadsElected: whom the processes name, of all at one instant.
	ReadsElected
	// ReadsParticipants: who takes part in an election, of all at one instant.
	ReadsParticipants
	// ReadsEachElected: whom a process names, of one process at a time. A property
	// of this kind says that no process ever names somebody, or is in a state of
	// which its naming somebody tells.
	ReadsEachElected
)

// A Reduction says how a system is reduced. The zero value reduces for
// properties of settled states.
type Reduction struct {
	// Reads is what is asked.
	Reads Reads
	// Blind says that what is asked of a state has the same answer if all processes
	// change places, on a ring by a rotation: no process is asked about by its id.
	Blind bool
	// Only are the reductions that are made; 0 stands for all of them.
	Only Reductions

	flaws flaw // for tests: which conditions are dropped
}

// A flaw is a condition of the reductions that is not kept: tests see that they
// catch the lack of it.
type flaw uint32

const (
	flawCommute   flaw = 1 << iota // all events commute
	flawVisible                    // nothing is visible
	flawClosure                    // what is sent on the way is not followed
	flawFaults                     // faults that are left do not matter
	flawEnabled                    // what does not commute need not be enabled
	flawElsewhere                  // nobody sends anything
	flawPast                       // what is delivered early may always wait
	flawLater                      // what is dead now is dead for ever
	flawEcho                       // what a dead message sends does not matter
	flawSurplus                    // every copy of a message is dead
	flawReports                    // nobody hears of a crash
	flawTalk                       // what is sent before a crash does not matter
	flawBlocked                    // what is due to a process does not matter to its crash
	flawWitness                    // values within a tick do not matter
	flawPrefix                     // a process does nothing in a tick before it crashes
	flawHeard                      // nobody reports a process in a tick before it restarts
	flawKept                       // no message is dropped in a tick before its receiver restarts
	flawUnsent                     // states are alike whatever they send
	flawOnTheWay                   // states with the same outcomes are alike whatever is read on the way
	flawIdle                       // nothing has to be under way to a process whose crash waits
	flawCycle                      // cycles do not matter
	flawRanks                      // it does not matter in which order timers are set
	flawPending                    // who has yet to begin is not rotated
	flawMail                       // messages are not rotated
	flawLoss                       // the loss of a message does not depend on its delivery
	flawBack                       // nobody restarts before something is delivered
	flawAgain                      // nobody crashes who may restart
	flawDropped                    // time waits for what is due to a process that is down

	forgetful // no flaw: nothing is remembered of closures and of dead messages
)

// An IrreducibleError says why a system is not reduced.
type IrreducibleError struct {
	// Setting is the setting of the system, and Why what stands in the way, with
	// what is known of it.
	Setting setting.Setting
	Why     string
}

// Error names the setting, and says why it is not reduced.
func (e *IrreducibleError) Error() string {
	return fmt.Sprintf("no reduction for %q: %s", e.Setting, e.Why)
}

// Reduced returns the system reduced: a search of it visits fewer states and
// answers the questions alike, as long as they read no more than r says. Of
// each state with several actions enabled, it may leave some out that lead to
// nothing but what the others lead to as well (docs/reductions.md). A run of
// the reduced system is one of the system (Restored). It has
//
//   - the same settled states, and other states in which nothing is enabled,
//   - every value that a state can have of what is read, and
//   - misuse where the system has,
//
// and it need not have the shortest runs to them, the same coverage, or the same
// cycles. What is left out depends on the state alone.
//
// It fails with an *IrreducibleError where no reduction is known to be sound.
func (w *Watched) Reduced(r Reduction) (*Watched, error) {
	why := w.impl.irreducible(r)
	for i := range w.watches {
		if w.watches[i].Step != nil {
			why = "it is asked about steps, and a reduction leaves steps out"
		}
	}
	if why != "" {
		return nil, &IrreducibleError{w.setting, why}
	}
	return &Watched{System: w.System, watches: w.watches, reduction: &r}, nil
}

// Reductions returns the reductions that are made of the system: those that were
// asked for and that there are in its setting.
func (w *Watched) Reductions() Reductions {
	if w.reduction == nil {
		return 0
	}
	return w.reduction.kinds(w.impl)
}

// Reads returns what the questions read that the reduction is for.
func (w *Watched) Reads() Reads {
	if w.reduction == nil {
		return 0
	}
	return w.reduction.Reads
}

// kinds returns the reductions that are made of a world.
func (r *Reduction) kinds(w *world) Reductions {
	all := w.reductions()
	if r.Only != 0 {
		all &= r.Only
	}
	if !r.Blind || all&WholeTicks != 0 {
		all &^= Rotations
	}
	return all
}

// irreducible says why the system cannot be reduced, "" if it can.
func (w *world) irreducible(r Reduction) string {
	s := &w.setting
	switch {
	case len(w.monitors) > 0:
		return "a monitor sees the order of steps, which a reduction changes"
	case w.periodic != 0:
		return "a periodic timer is set for ever, and states with nothing else enabled count as settled"
	case s.Capacity > 0:
		return "capacity: whether a link is full depends on the order of what a reduction takes to be independent"
	case s.Cuts > 0 || s.Pauses > 0 || s.Drift > 0:
		return "cuts, pauses and drifting clocks: no argument is known for them"
	case s.Repaired:
		return "repaired ring: where a message arrives depends on who is up"
	case r.Only == Rotations && w.unturnable() != "":
		return w.unturnable()
	case r.Only == Rotations && !r.Blind:
		return "rotations: a property that is asked tells processes apart by their ids"
	case r.kinds(w) == 0:
		return fmt.Sprintf("there is none by the name of %v in this setting, but %v", r.Only, strings.Join(w.reductions().Names(), ", "))
	}
	return ""
}

// A reducer is an expander that leaves out what a reduction lets it.
//
// It goes over the enabled actions twice: once to list them, and, with a
// choice made, to carry out those that are chosen. Those left out are counted all
// the same, so that codes are those of the system.
type reducer struct {
	*expander
	r    Reduction
	thin thinning
	fore foresight
	past normals
	jump leap

	orbit []byte // scratch

	judges     *expander   // states on the way
	likenesses []*likeness // by position
}

// thinning is the state of an expander that leaves actions out.
type thinning struct {
	listing bool
	acts    []act  // enabled, in order
	keep    []bool // which of them are carried out
	at      int
}

// aside lists an action, or reports whether it is left out.
func (t *thinning) aside(a *act, code *uint32) bool {
	if t.listing {
		t.acts = append(t.acts, *a)
		return true
	}
	t.at++
	if t.at > len(t.keep) || t.keep[t.at-1] {
		return false
	}
	// An action that may be left out has one outcome.
	*code++
	return true
}

func (w *world) reduced(watches []Watch, r Reduction) (explore.Expander, *coverage) {
	x := &reducer{expander: w.newExpander(watches), r: r}
	x.memo.hot = false // what is known of a delivery is not set aside
	b := &lab{expander: w.newExpander(nil), r: r}
	b.memo.on, b.memo.hot = false, false
	x.fore.init(w.n, b, r.flaws)
	x.fore.kinds = r.kinds(w)
	if x.fore.kinds&WholeTicks != 0 {
		x.jump.other = w.newExpander(nil)
		x.judges = w.newExpander(watches)
	}
	dead, turns := x.fore.kinds&DeadMessages != 0 || x.likens(), x.fore.kinds&Rotations != 0
	switch {
	case dead && turns:
		x.normal = func(b []byte, base int) []byte { return x.turn(x.drop(b, base), base) }
	case dead:
		x.normal = x.drop
	case turns:
		x.normal = x.turn
	}
	return x, x.cover
}

// Expand implements explore.Expander.
func (x *reducer) Expand(state []byte, out *explore.Successors) {
	e := x.expander
	if e.memo.on {
		e.memo.refresh()
	}
	e.decode(state)
	if x.fore.kinds&Rotations != 0 && !x.nobodyNamed(out) {
		return
	}
	if x.leap(out) {
		return
	}
	if x.choose() {
		x.thin.at = 0
		e.thin = &x.thin
	}
	e.expand(out)
	e.thin = nil
}

// choose decides which actions of the state that has been decoded are carried
// out. It reports false where all are.
func (x *reducer) choose() bool {
	e := x.expander
	if x.fore.kinds&^(DeadMessages|WholeTicks|Rotations) == 0 {
		return false
	}
	left, ok := x.faultsLeft(e.state, e.up, e.down)
	losing := !ok && x.losing()
	if !ok && !losing || left.falling != 0 && (e.setting.MidSend || !e.setting.Timing.Kind.Discrete()) {
		return false
	}
	t := &x.thin
	t.listing, t.acts = true, t.acts[:0]
	e.thin = t
	e.owing()
	if left.falling != 0 {
		e.crashes()
	}
	if left.rising != 0 {
		e.comebacks(Restarts, Down, budgetRestarts)
	}
	if losing {
		e.losses()
	}
	e.thin, t.listing = nil, false
	if len(t.acts) < 2 {
		return false
	}
	x.observe(e.state, e.down, e.up, left)
	x.fore.losing = losing
	t.keep = t.keep[:0]
	for range t.acts {
		t.keep = append(t.keep, false)
	}
	if !e.setting.Timing.Kind.Discrete() {
		if x.fore.kinds&PersistentSets == 0 {
			return false
		}
		if e.messageRing() {
			return x.fore.ring(t.acts, t.keep)
		}
		return x.fore.timeless(t.acts, t.keep)
	}
	return x.fore.persistent(t.acts, t.keep)
}

// faultsLeft are the faults that can still happen: who may crash, and who may restart, by id.
type faultsLeft struct{ falling, rising Set }

// faultsLeft returns the faults that are left. It reports false where others can
// happen in a state or after it, or somebody has yet to come up.
func (x *reducer) faultsLeft(state []byte, up, down Set) (left faultsLeft, ok bool) {
	e := x.expander
	if up|down != 1<<e.n-1 {
		return left, false
	}
	if x.r.flaws&flawFaults != 0 {
		return left, true
	}
	const crashes, restarts = 1 << budgetCrashes, 1 << budgetRestarts
	budgets := e.budgetsLeft(state)
	if budgets&crashes != 0 {
		left.falling = e.toIDs(up)
		if budgets&restarts != 0 {
			left.falling |= e.toIDs(down)
		}
		if e.setting.Crashers != 0 {
			left.falling &= e.setting.Crashers
		}
	}
	if budgets&restarts != 0 {
		left.rising = e.toIDs(down) | left.falling
	}
	return left, budgets&^(crashes|restarts) == 0 && (left.rising == 0 || x.reducesRestarts())
}

// budgetsLeft returns which budgets of faults a state has something left of, one bit for
// each.
func (w *world) budgetsLeft(state []byte) (left uint) {
	for i := range w.budget {
		if w.left(state, i) > 0 {
			left |= 1 << i
		}
	}
	return left
}

// upAndDown returns the positions of the processes that are up and of those that are
// down in a state.
func (w *world) upAndDown(state []byte) (up, down Set) {
	for pos := range w.n {
		switch Status(w.proc(state, pos)[0]) {
		case Up:
			up |= 1 << pos
		case Down:
			down |= 1 << pos
		}
	}
	return up, down
}

// observe has the foresight begin from a state on the run under way; down and up
// are positions.
func (x *reducer) observe(state []byte, down, up Set, left faultsLeft) {
	unreachable := down
	if left.rising != 0 {
		unreachable, up = 0, up|down
	}
	x.observeDown(state, down, unreachable, up, left)
}

// observeDown is observe where mail to some positions is lost; those that are up act.
func (x *reducer) observeDown(state []byte, down, unreachable, up Set, left faultsLeft) {
	e, f := x.expander, &x.fore
	f.begin(downs{e.toIDs(down), unreachable, left}, up, e.setting.FIFO, e.setting.Timing.Kind == setting.Lockstep)
	f.lab.at(state, e.ids)
	for pos := range e.n {
		f.here[pos] = f.localOf(pos, f.lab.key(pos))
	}
	end := e.width
	if e.dueOff >= 0 {
		end = e.dueOff
	}
	for area := state[e.msgOff:]; len(area) > 0; area = area[e.width:] {
		m := flying{to: int(area[0]), port: Port(area[1])}
		m.event = f.message(area[1:end])
		if e.dueOff >= 0 {
			m.due = int(area[e.dueOff])
		}
		f.mail = append(f.mail, m)
	}
}

// drop takes the messages that are dead out of the state that begins at base, and puts
// one with equal prospects in its place. It returns the buffer.
func (x *reducer) drop(b []byte, base int) []byte {
	if x.r.flaws&forgetful != 0 {
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
func (x *reducer) simplest(b []byte, base int) []byte {
	if x.likens() {
		b = x.alike(b, base)
	}
	return x.withoutDead(b, base)
}

// withoutDead drops the dead messages of a state that stands for those alike.
func (x *reducer) withoutDead(b []byte, base int) []byte {
	if size := len(b); x.fore.kinds&DeadMessages != 0 {
		if b = x.dropDead(b, base); len(b) < size && x.likens() {
			b = x.alike(b, base)
		}
	}
	return b
}

func (x *reducer) dropDead(b []byte, base int) []byte {
	e, f := x.expander, &x.fore
	state := b[base:]
	if len(state) == e.msgOff {
		return b
	}
	up, down := e.upAndDown(state)
	left, ok := x.faultsLeft(state, up, down)
	if !ok {
		return b
	}
	for area := state[e.msgOff:]; len(area) > 0 && left.rising == 0; area = area[e.width:] {
		if down>>area[0]&1 != 0 {
			return b
		}
	}
	x.observe(state, down, up, left)
	bound := 0 // without ticks
	if e.sync {
		bound = e.net.bound
	}
	for len(f.mail) > 0 {
		gone := f.dead(bound)
		if len(gone) == 0 {
			break
		}
		for k := len(gone) - 1; k >= 0; k-- {
			i := gone[k]
			at := base + e.msgOff + i*e.width
			b = append(b[:at], b[at+e.width:]...)
			f.mail = slices.Delete(f.mail, i, i+1)
		}
		f.rooted()
	}
	return b
}
