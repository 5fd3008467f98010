package model

import (
	"fmt"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/setting"
)

// An expander computes the transitions out of encoded states, for one worker.
// A state is decoded once; each successor is the parent's bytes with the
// acting process, the budgets and the records that changed put in.
type expander struct {
	*world
	hands       hands
	watches     []Watch
	updaters    []func(value []byte, e *Event) // of the monitors
	stepWatches []int                          // those that ask about steps
	cover       *coverage
	out         *explore.Successors
	rec         *recorder // nil but for Transitions
	label       *labeler  // nil but for Labels
	inits       bool      // initial states: steps that change nothing count too
	idle, moved bool      // what outcomes of the action under way have done: nothing, something
	idling      bool      // only outcomes that change nothing are wanted
	settling    Set       // who is up, by id, while a settled start is made

	// The state under expansion, decoded.
	state       []byte
	procs       values // by position
	up          Set    // positions, as all sets here
	down        Set
	waiting     Set // down or absent: what is delivered to them is dropped
	unreachable Set // what is sent to them is dropped at once; cuts aside
	parts       Set // participants
	belief      []Belief
	ids         []ID
	at          [MaxID]int // position of each id
	cutting     bool       // a cut is in force
	paused      Set
	area        []byte // the records of the messages in flight

	// The action under way.
	act  act
	cur  unsafe.Pointer // the state of its process
	m    unsafe.Pointer // where messages are decoded to
	net  *net           // of hands
	mid  bool           // the process crashes in the middle of its sends
	code uint32         // ordinal of the next transition
	owed int            // owed transitions found, those of periodic timers aside

	// Scratch.
	recs          []byte // records of the sends, sorted
	order         []int  // sends that are out when a process crashes between them
	filtered      []byte
	from, to      View
	before, after stateView
	ev            Event
	disk          unsafe.Pointer // where states of processes are decoded to for properties

	show     func(e *Event) // the step of showCode, if anybody asks (see)
	showCode explore.Code

	memo  memo
	quick quick     // the state under expansion, while the memo is hot
	step  stepping  // of a Walker
	only  *Action   // what a Stepper asks for, nil in searches
	thin  *thinning // of a reducer while it leaves actions out, otherwise nil

	// normal, of a reducer, makes a successor that begins at base its normal form.
	normal func(b []byte, base int) []byte
}

// An act is an action in terms of the state under expansion.
type act struct {
	kind   ActionKind
	pos    int // position of the process, or -1
	msg    int // message that leaves the network, or -1
	port   Port
	timer  Timer
	who    ID
	budget int      // that pays for it, or -1
	hasty  bool     // a timer that expires while a message is deliverable
	side   Set      // positions that a cut separates from the rest
	link   [2]uint8 // positions that a cut keeps the first from the second
}

func (w *world) newExpander(watches []Watch) *expander {
	e := &expander{
		world: w, watches: watches, cover: new(coverage),
		hands: w.protocol.hands(), procs: newValues(w.typeP, w.n), belief: alone[Belief](w.n), ids: alone[ID](w.n),
	}
	e.cur, e.disk, e.m = newValues(w.typeP, 1).first, newValues(w.typeP, 1).first, newValues(w.typeM, 1).first
	e.net = e.hands.net()
	*e.net = w.newNet()
	e.net.wasSet = e.wasSet
	for i := range watches {
		if watches[i].Step != nil {
			e.stepWatches = append(e.stepWatches, i)
		}
	}
	for _, m := range w.monitors {
		e.updaters = append(e.updaters, m.updater())
	}
	e.setIDs(w.ids)
	return e
}

// wasSet reports whether a timer is set as the handler of the action under way
// begins.
func (e *expander) wasSet(t Timer) bool {
	a := &e.act
	e.net.asked = true
	return !(a.kind == Expires && t == a.timer) && e.timersOf(e.state, a.pos)[int(t)*e.timerLen] != 0
}

// newNet returns a net that is nobody's yet.
func (w *world) newNet() net {
	n := net{
		n: ID(w.n), ring: w.ring, oneWay: w.setting.Topology == setting.Ring, ids: !w.setting.Anonymous, named: w.names.Choices, bound: 1,
		kinds: len(w.names.Kinds), ruleCount: len(w.names.Rules),
		timers: make([]uint8, len(w.names.Timers)), timed: true, mostTicks: maxDrifted(w.setting.Drift),
	}
	if w.setting.Timing.Kind == setting.Synchronous {
		n.bound = w.setting.Timing.D
	}
	return n
}

func (w *world) expander(watches []Watch, l *labels) (explore.Expander, *coverage) {
	e := w.newExpander(watches)
	if l != nil {
		e.label = &labeler{shared: l, known: map[string]uint32{}}
	}
	e.remember()
	return e, e.cover
}

func (e *expander) setIDs(ids []ID) {
	copy(e.ids, ids)
	for pos, id := range e.ids {
		e.at[id-1] = pos
	}
}

// Expand implements explore.Expander.
func (e *expander) Expand(state []byte, out *explore.Successors) {
	if e.memo.on && e.memo.refresh() {
		e.quick.forget()
	}
	if e.memo.hot {
		e.decodeQuick(state)
	} else {
		e.decode(state)
	}
	e.expand(out)
}

// expand expands the state that has been decoded.
func (e *expander) expand(out *explore.Successors) {
	e.out, e.code, e.owed = out, 0, 0
	if len(e.watches) > 0 || len(e.monitors) > 0 || e.show != nil {
		e.fillView(&e.from)
	}
	e.owing()
	e.faults()
	e.judge()
}

// owing has everything happen that is no fault.
func (e *expander) owing() {
	e.boots()
	e.starts()
	anyDeliverable, anyDue := e.deliveries()
	e.expiries(anyDeliverable, anyDue)
	e.reports()
	e.tick(anyDue)
	if e.setting.HealsOwed {
		e.heals()
	}
	if e.paused != 0 {
		e.resumes()
	}
}

// decode makes state the state under expansion.
func (e *expander) decode(state []byte) {
	e.up, e.down, e.waiting, e.parts = 0, 0, 0, 0
	if e.idsOff >= 0 {
		for pos := range e.n {
			id := ID(state[e.idsOff+pos])
			e.ids[pos], e.at[id-1] = id, pos
		}
	}
	for pos := range e.n {
		e.decodeProcess(state, pos)
	}
	e.decodeRest(state)
}

// decodeProcess decodes the process of a position, which is in none of the sets.
func (e *expander) decodeProcess(state []byte, pos int) {
	proc, bit := e.proc(state, pos), Set(1)<<pos
	if Status(proc[0]) == Up {
		e.up |= bit
		if !e.memo.on || !e.memo.decoded(pos, e.ids[pos], proc[e.pOff:]) {
			e.planP.Get(e.procs.at(pos), proc[e.pOff:])
			e.belief[pos] = e.hands.belief(e.procs.at(pos))
		}
		if e.belief[pos].Participant {
			e.parts |= bit
		}
		return
	}
	e.belief[pos] = Belief{}
	e.memo.forget(pos)
	switch Status(proc[0]) {
	case Down:
		e.down |= bit
		e.waiting |= bit
	case Absent:
		e.waiting |= bit
	}
}

// decodeRest decodes what is no process, of a state whose processes have been
// decoded.
func (e *expander) decodeRest(state []byte) {
	e.state = state
	switch {
	case e.setting.MailDownLost:
		e.unreachable = e.waiting
	case e.left(state, budgetRestarts) == 0:
		e.unreachable = e.down
	default:
		e.unreachable = 0
	}
	e.cutting = e.anyCut(state)
	e.paused = e.positions(state, e.pausedOff)
	e.area = state[e.msgOff:]
}

// record returns record i of the messages in flight.
func (e *expander) record(i int) []byte { return e.area[i*e.width : (i+1)*e.width] }

func sameLink(a, b []byte) bool { return a[0] == b[0] && a[1] == b[1] }

// sender returns the position from which a record came: the one behind its
// port. On a repaired ring that is a guess (the nearest neighbour).
func (e *expander) sender(rec []byte) int {
	switch to := int(rec[0]); Port(rec[1]) {
	case Prev:
		return (to + e.n - 1) % e.n
	case Next:
		return (to + 1) % e.n
	default:
		return int(rec[1]) - 1
	}
}

// boots has the processes of an interleaved cold start come up.
func (e *expander) boots() {
	if e.setting.Start != setting.ColdInterleaved {
		return
	}
	for pos := range e.n {
		if Status(e.proc(e.state, pos)[0]) == Unbooted {
			e.run(act{kind: Boots, pos: pos, msg: -1, budget: -1})
		}
	}
}

// starts has lazy initiators begin.
func (e *expander) starts() {
	if e.pendingOff < 0 || !e.setting.Initiators.Lazy {
		return
	}
	pending := e.positions(e.state, e.pendingOff) & e.up &^ e.paused
	for pos := range e.n {
		if pending>>pos&1 != 0 {
			e.run(act{kind: Starts, pos: pos, msg: -1, budget: -1})
		}
	}
}

// deliveries has each message in flight delivered, or dropped where its
// receiver is not there. It reports whether one was deliverable, and whether
// one, deliverable or not, is due.
func (e *expander) deliveries() (anyDeliverable, anyDue bool) {
	if e.step.listing && !e.cutting && e.paused == 0 && e.setting.Timing.Kind != setting.Lockstep {
		return e.listDeliveries()
	}
	if e.memo.hot && e.paused == 0 && e.inWords() {
		return e.deliverWords()
	}
	count := len(e.area) / e.width
	for i := range count {
		rec := e.record(i)
		if e.dueOff >= 0 && rec[e.dueOff] == 0 && !e.held(rec) {
			anyDue = true
		}
		if i > 0 && e.behind(i) || e.early(rec) {
			continue
		}
		to := int(rec[0])
		a := act{kind: Delivers, pos: to, msg: i, port: Port(rec[1]), budget: -1}
		switch {
		case e.waiting>>to&1 != 0, e.cutting && e.severed(e.state, e.sender(rec), to):
			a.kind = Drops
			e.quiet(a)
		case (e.up&^e.paused)>>to&1 != 0:
			anyDeliverable = true
			e.run(a)
		}
	}
	return anyDeliverable, anyDue
}

// early reports whether a message has yet to travel, in lockstep.
func (e *expander) early(rec []byte) bool {
	return e.setting.Timing.Kind == setting.Lockstep && rec[e.dueOff] > 0
}

// behind reports whether message i cannot be the next one considered: on FIFO
// channels since another is before it on its link, on unordered ones since it
// equals the one before.
func (e *expander) behind(i int) bool {
	if e.setting.FIFO {
		return sameLink(e.record(i-1), e.record(i))
	}
	return e.same(e.record(i-1), e.record(i))
}

// expiries has timers expire, by the discipline of the setting.
func (e *expander) expiries(anyDeliverable, anyDue bool) {
	if len(e.names.Timers) == 0 {
		return
	}
	budget, least := -1, [2]uint8{}
	hasty := anyDeliverable && !e.sync
	switch e.setting.Timing.Kind {
	case setting.Synchronous, setting.Lockstep:
		if anyDue {
			return
		}
	case setting.Asynchronous:
		if anyDeliverable && e.granted[budgetPremature] > 0 {
			if e.left(e.state, budgetPremature) == 0 {
				return
			}
			budget = budgetPremature
		}
	case setting.Patient:
		if anyDeliverable {
			return
		}
	case setting.LastResort:
		if anyDeliverable {
			return
		}
		least = e.nextTimer()
	}
	for pos := range e.n {
		if (e.up&^e.paused)>>pos&1 == 0 {
			continue
		}
		timers := e.timersOf(e.state, pos)
		for t := range e.names.Timers {
			v := timers[t*e.timerLen]
			switch {
			case v == 0,
				e.setting.Drift > 0 && timers[2*t+1] > 0,
				e.setting.Drift == 0 && e.sync && v != 1,
				least[0] > 0 && (v != least[0] || timers[2*t+1] != least[1]):
				continue
			}
			owed := e.owed
			e.run(act{kind: Expires, pos: pos, msg: -1, timer: Timer(t), budget: budget, hasty: hasty})
			if e.periodic>>t&1 != 0 {
				enabled := e.owed > owed
				e.owed = owed
				if enabled && (e.sync || least[0] > 0) && e.lasting() {
					e.owed++ // a timer that is not periodic has its turn after this one
				}
			}
		}
	}
}

// lasting reports whether a timer is set that is not periodic.
func (e *expander) lasting() bool {
	for pos := range e.n {
		for t := range e.names.Timers {
			if e.periodic>>t&1 == 0 && e.timersOf(e.state, pos)[t*e.timerLen] != 0 {
				return true
			}
		}
	}
	return false
}

func (e *expander) timersOf(state []byte, pos int) []byte {
	return e.proc(state, pos)[e.timerOff:e.pOff]
}

// nextTimer returns the duration and the rank of the timer that is the first to
// expire under last resort: the shortest, and of those the first that was set.
// Zeros: none is set. Those of processes that pause wait.
func (e *expander) nextTimer() (first [2]uint8) {
	for pos := range e.n {
		if e.paused>>pos&1 != 0 {
			continue
		}
		for timers := e.timersOf(e.state, pos); len(timers) > 0; timers = timers[2:] {
			at := [2]uint8{timers[0], timers[1]}
			if at[0] != 0 && (first[0] == 0 || at[0] < first[0] || at[0] == first[0] && at[1] < first[1]) {
				first = at
			}
		}
	}
	return first
}

// tick lets a unit of time pass: every delay and every timer gets shorter.
func (e *expander) tick(anyDue bool) {
	if !e.sync || anyDue {
		return
	}
	timers, lasting := false, len(e.area) > 0
	for pos := range e.n {
		waits := e.paused>>pos&1 != 0 // and time does not wait for it
		ts := e.timersOf(e.state, pos)
		for t := range e.names.Timers {
			switch v := ts[t*e.timerLen]; {
			case v == 1 && !waits:
				return
			case v > 1:
				timers = true
				lasting = lasting || e.periodic>>t&1 == 0
			}
		}
	}
	if !timers && len(e.area) == 0 {
		return
	}
	owed := e.owed
	e.step.lasting = lasting
	e.passing(act{kind: Ticks, pos: -1, msg: -1, budget: -1})
	if !lasting {
		e.owed = owed
	}
}

// passing has a tick pass.
func (e *expander) passing(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state...)
	e.pass(b[base:])
	e.accept(b, base)
}

// pass takes a tick from every timer and every delay of a state. Only what waits
// for a process that pauses can have none left.
func (e *expander) pass(next []byte) {
	for pos := range e.n {
		ts := e.timersOf(next, pos)
		for t := range e.names.Timers {
			at := ts[t*e.timerLen:]
			if at[0] > 1 {
				at[0]--
			}
			if e.setting.Drift > 0 && at[1] > 0 {
				at[1]--
			}
		}
	}
	for i := e.msgOff + e.dueOff; i < len(next); i += e.width {
		if next[i] > 0 {
			next[i]--
		}
	}
}

// judge asks the watches about the state under expansion.
func (e *expander) judge() {
	if len(e.watches) == 0 && e.label == nil {
		return
	}
	e.from.Quiet = e.owed == 0
	e.from.Settled = e.from.Quiet && e.parts == 0
	var mark uint64
	for i := range e.watches {
		if w := &e.watches[i]; w.State != nil && w.State(&e.from) {
			mark |= 1 << (i & 63)
			if !w.MarkOnly {
				e.out.Hit(i, e.spent(e.state))
			}
		}
	}
	if e.label != nil {
		e.out.Mark(mark)
	}
	e.from.Settled, e.from.Quiet = false, false
}

// run runs the handler of an action in a process, once for each sequence of
// choices it can take, and emits what comes of it.
func (e *expander) run(a act) {
	if e.aside(&a) || e.memo.on && e.recall(&a) {
		return
	}
	e.act, e.net.script = a, e.net.script[:0]
	e.idle, e.moved = false, false
	for {
		if failure := e.handle(); failure != "" {
			e.fail(failure)
		} else if !e.beyond() {
			e.emit(false)
			if e.setting.MidSend && len(e.net.sends) > 0 {
				e.crashMidSend()
			}
		}
		if !e.nextScript() {
			break
		}
	}
	if e.idle && e.moved {
		e.runIdle()
	}
}

// runIdle emits the outcomes of the action under way that change nothing, since
// another one does: a coin that may show tails for ever is thrown for ever. (An
// action of which no outcome changes anything is none.)
func (e *expander) runIdle() {
	e.idling, e.net.script = true, e.net.script[:0]
	for {
		if e.handle() == "" && e.whyBeyond() == "" {
			e.emit(false)
		}
		if !e.nextScript() {
			break
		}
	}
	e.idling = false
}

// aside reports whether an action is not to be carried out: in searches never,
// unless they are reduced.
func (e *expander) aside(a *act) bool {
	return (e.step.listing || e.only != nil || e.thin != nil) && e.setAside(a)
}

// setAside lists an action for a Walker, or reports whether it is none that a
// Stepper asks for, or one that a reducer leaves out.
func (e *expander) setAside(a *act) bool {
	if e.thin != nil {
		return e.thin.aside(a, &e.code)
	}
	if e.step.listing {
		e.step.list(*a)
		return true
	}
	return e.unwanted(a)
}

// begin makes a the action under way, with no handler run yet.
func (e *expander) begin(a act) {
	e.act = a
	e.mid = false
	if e.rec != nil {
		e.rec.reset()
	}
	n := e.net
	n.sends, n.rules, n.group = n.sends[:0], 0, 0
	n.choices, n.widths, n.picked = n.choices[:0], n.widths[:0], n.picked[:0]
	e.recs = e.recs[:0]
}

// nextScript makes the next sequence of choices the script, as an odometer
// counts. It reports whether there is one.
func (e *expander) nextScript() bool {
	n := e.net
	for i := len(n.choices) - 1; i >= 0; i-- {
		if n.choices[i]+1 < n.widths[i] {
			n.script = append(n.script[:0], n.choices[:i+1]...)
			n.script[i]++
			return true
		}
	}
	return false
}

// handle runs the handlers of the action under way on a copy of its process.
// It returns what a handler did that no world can carry out.
func (e *expander) handle() (failure string) {
	defer func() {
		if r := recover(); r != nil {
			failure = fmt.Sprint(r)
		}
	}()
	a, n := &e.act, e.net
	n.asked = false
	n.self, n.from, e.mid = e.ids[a.pos], 0, false
	n.sends, n.rules, n.group = n.sends[:0], 0, 0
	n.choices, n.widths, n.picked = n.choices[:0], n.widths[:0], n.picked[:0]
	if n.timed {
		for t := range n.timers {
			n.timers[t] = timerKept
		}
		n.timed = false
	}
	e.procs.set(e.cur, e.procs.at(a.pos))
	switch a.kind {
	case Delivers:
		m := e.message(e.record(a.msg))
		e.cover.received[e.hands.kind(m)]++
		n.from = a.port
		e.hands.receive(e.cur, a.port, m)
	case Expires:
		e.hands.timeout(e.cur, a.timer)
	case Suspects, Misreports:
		e.hands.suspect(e.cur, a.who)
	case Starts:
		e.hands.start(e.cur)
	case Restarts:
		e.boot(Restart)
	case Joins:
		e.boot(Join)
	case Boots:
		if e.settling != 0 {
			e.wake()
			break
		}
		e.boot(Cold)
		if !e.setting.Initiators.Lazy && e.positions(e.state, e.pendingOff)>>a.pos&1 != 0 {
			e.hands.start(e.cur)
		}
	}
	return ""
}

// message returns where the message of a record is, until another one is.
func (e *expander) message(rec []byte) unsafe.Pointer {
	e.planM.Get(e.m, rec[e.mOff:])
	return e.m
}

// boot runs Init on what a crash has left of the process, if anything.
func (e *expander) boot(why Boot) {
	e.procs.zero(e.cur)
	e.planP.Get(e.cur, e.proc(e.state, e.act.pos)[e.pOff:])
	e.hands.init(e.cur, why)
}
