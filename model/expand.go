package model

import (
	"fmt"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/recall"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// An expander computes the transitions out of encoded states, for one worker.
// A state is decoded once; each successor is the parent's bytes with the
// acting process, the budgets and the records that changed put in.
type expander struct {
	*world
	hands protocol.Hands
	cover *coverage
	out   *explore.Successors
	asked questions
	wrap  wrapping
	now   decoded
	act   underway
	draft assembly

	memo  memo
	quick recall.Quick // the state under expansion, while the memo is hot
}

// questions are what an expander asks of states and steps, with where these are put
// together for those who are asked.
type questions struct {
	watches     []Watch
	updaters    []func(value []byte, e *Event) // of the monitors
	stepWatches []int                          // those that ask about steps

	from, to      View
	before, after stateView
	ev            Event
	disk          unsafe.Pointer // where states of processes are decoded to for properties

	later *expander // decodes states that differ in the time

	show     func(e *Event) // the step of showCode, if anybody asks (see)
	showCode explore.Code
}

// wrapping has the parts that a wrapper of an expander sets. A plain search sets none.
type wrapping struct {
	rec   *recorder // nil except for Transitions
	label *labeler  // nil except for Labels
	step  stepping  // of a Walker
	only  *Action   // what a Stepper asks for
	thin  *thinning // of a reducer while it leaves actions out
	inits bool      // initial states: steps that change nothing count too
	// losesFreely: losses take nothing from their budget.
	losesFreely bool
	settling    Set // who is up, by id, while a settled start is made

	// normal, of a reducer, makes a successor that begins at base its normal form.
	normal func(b []byte, base int) []byte
}

// decoded is the state under expansion.
type decoded struct {
	*world
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
	owed        int    // owed transitions found, those of periodic timers aside
	beats       bool   // a periodic timer has its turn, or the tick that it waits for
}

// underway is the action under way.
type underway struct {
	*world
	act
	cur  unsafe.Pointer // the state of its process
	m    unsafe.Pointer // where messages are decoded to
	call *protocol.Call // of hands
	mid  bool           // the process crashes in the middle of its sends
	code uint32         // ordinal of the next transition

	idle, moved bool // what its outcomes have done: nothing, something
	idling      bool // only outcomes that change nothing are wanted
}

// assembly is where the messages of a successor are put together.
type assembly struct {
	recs     []byte // records of the sends, sorted
	order    []int  // sends that are out when a process crashes between them
	filtered []byte
	stored   []byte // what a crash leaves of a process
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
	which  uint8    // by how many ticks a clock that steps is ahead from now on; of a request, its number
}

func (w *world) newExpander(watches []Watch) *expander {
	e := &expander{
		world: w, hands: w.protocol.Hands(), cover: new(coverage),
		asked: questions{watches: watches},
		act:   underway{world: w},
		now:   decoded{world: w, procs: newValues(w.typeP, w.N), belief: recall.Alone[Belief](w.N), ids: recall.Alone[ID](w.N)},
	}
	e.act.cur, e.asked.disk, e.act.m = newValues(w.typeP, 1).first, newValues(w.typeP, 1).first, newValues(w.typeM, 1).first
	e.act.call = e.hands.Call()
	*e.act.call = w.newCall()
	e.act.call.WasSet, e.act.call.WasLeft = e.wasSet, e.now.wasLeft(&e.act)
	for i := range watches {
		if watches[i].Step != nil {
			e.asked.stepWatches = append(e.asked.stepWatches, i)
		}
	}
	for _, m := range w.monitors {
		e.asked.updaters = append(e.asked.updaters, m.updater())
	}
	e.now.setIDs(w.firstIDs)
	return e
}

// wasSet reports whether a timer is set as the handler of the action under way
// begins.
func (e *expander) wasSet(t Timer) bool {
	a := &e.act
	e.act.call.Asked = true
	return !(a.kind == Expires && t == a.timer) && e.TimersOf(e.now.state, a.pos)[int(t)*e.TimerLen] != 0
}

// wasLeft returns what tells how many ticks a timer has left that is set as the handler of an
// action begins.
func (now *decoded) wasLeft(a *underway) func(t Timer) int {
	return func(t Timer) int { return int(now.TimersOf(now.state, a.pos)[int(t)*now.TimerLen]) - 1 }
}

// newCall returns a call that is nobody's yet.
func (w *world) newCall() protocol.Call { return protocol.NewCall(&w.names, &w.setting) }

func (w *world) expander(watches []Watch, l *labels) (explore.Expander, *coverage) {
	e := w.newExpander(watches)
	if l != nil {
		e.wrap.label = &labeler{shared: l, known: map[string]uint32{}, alone: l.tell.Alone && mayBeAlone(w)}
		if o := l.orbitsOf(w); o != nil {
			e.wrap.normal = o.Replace
		}
	}
	if e.wrap.normal == nil {
		e.remember()
	}
	return e, e.cover
}

func (now *decoded) setIDs(ids []ID) {
	copy(now.ids, ids)
	for pos, id := range now.ids {
		now.at[id-1] = pos
	}
}

// Expand implements explore.Expander.
func (e *expander) Expand(state []byte, out *explore.Successors) {
	if e.memo.on && e.memo.refresh() {
		e.quick.Forget()
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
	e.out, e.act.code, e.now.owed, e.now.beats = out, 0, 0, false
	if len(e.asked.watches) > 0 || len(e.monitors) > 0 || e.asked.show != nil {
		e.fillView(&e.asked.from)
	}
	if l := e.wrap.label; l != nil {
		l.begin()
		if l.shared.orbits && e.ring {
			if err := e.now.naming(); err != nil {
				out.Fail(err)
				return
			}
		}
	}
	if e.wrap.label == nil || !e.wrap.label.runsAlone(e) {
		e.owing()
		e.faults()
	}
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
	if e.setting.RestartsOwed {
		e.comebacks(Restarts, Down, layout.BudgetRestarts)
	}
	if e.now.paused != 0 {
		e.resumes()
	}
}

// decode makes state the state under expansion.
func (e *expander) decode(state []byte) {
	e.now.up, e.now.down, e.now.waiting, e.now.parts = 0, 0, 0, 0
	if e.IDsOff >= 0 {
		for pos := range e.N {
			id := ID(state[e.IDsOff+pos])
			e.now.ids[pos], e.now.at[id-1] = id, pos
		}
	}
	for pos := range e.N {
		e.decodeProcess(state, pos)
	}
	e.now.decodeRest(state)
}

// decodeProcess decodes the process of a position, which is in none of the sets.
func (e *expander) decodeProcess(state []byte, pos int) {
	proc, bit := e.Proc(state, pos), Set(1)<<pos
	if Status(proc[0]) == Up {
		e.now.up |= bit
		if !e.memo.on || !e.memo.decoded(pos, e.now.ids[pos], proc[e.POff:]) {
			e.planP.Get(e.now.procs.at(pos), proc[e.POff:])
			e.now.belief[pos] = e.protocol.Belief(e.now.procs.at(pos))
		}
		if e.now.belief[pos].Participant {
			e.now.parts |= bit
		}
		return
	}
	e.now.belief[pos] = Belief{}
	e.memo.forget(pos)
	switch Status(proc[0]) {
	case Down:
		e.now.down |= bit
		e.now.waiting |= bit
	case Absent:
		e.now.waiting |= bit
	}
}

// decodeRest decodes what is no process, of a state whose processes have been
// decoded.
func (now *decoded) decodeRest(state []byte) {
	now.state = state
	switch {
	case now.setting.MailDownLost:
		now.unreachable = now.waiting
	case now.Left(state, layout.BudgetRestarts) == 0:
		now.unreachable = now.down
	default:
		now.unreachable = 0
	}
	now.cutting = now.AnyCut(state)
	now.paused = now.Positions(state, now.PausedOff)
	now.area = state[now.MsgOff:]
}

// record returns record i of the messages in flight.
func (now *decoded) record(i int) []byte { return now.area[i*now.Width : (i+1)*now.Width] }

// sender returns the position from which a record came: the one behind its
// port. On a repaired ring that is a guess (the nearest neighbour).
func (now *decoded) sender(rec []byte) int { return senderOf(rec, now.N) }

// senderOf is sender among n processes.
func senderOf(rec []byte, n int) int {
	switch to := int(rec[0]); Port(rec[1]) {
	case Prev:
		return (to + n - 1) % n
	case Next:
		return (to + 1) % n
	default:
		return int(rec[1]) - 1
	}
}

// boots has the processes of an interleaved cold start come up.
func (e *expander) boots() {
	if e.setting.Start != setting.ColdInterleaved {
		return
	}
	for pos := range e.N {
		if Status(e.Proc(e.now.state, pos)[0]) == Unbooted {
			e.run(act{kind: Boots, pos: pos, msg: -1, budget: -1})
		}
	}
}

// starts has lazy initiators begin.
func (e *expander) starts() {
	if e.PendingOff < 0 || !e.setting.Initiators.Lazy {
		return
	}
	pending := e.Positions(e.now.state, e.PendingOff) & e.now.up &^ e.now.paused
	for pos := range e.N {
		if pending>>pos&1 != 0 {
			e.run(act{kind: Starts, pos: pos, msg: -1, budget: -1})
		}
	}
}

// deliveries has each message in flight delivered, or dropped where its
// receiver is not there. It reports whether one was deliverable, and whether
// one, deliverable or not, is due.
func (e *expander) deliveries() (anyDeliverable, anyDue bool) {
	if e.wrap.step.listing && !e.now.cutting && e.now.paused == 0 && e.setting.Timing.Kind != setting.Lockstep {
		return e.listDeliveries()
	}
	if e.memo.hot && e.now.paused == 0 && e.InWords() {
		return e.deliverWords()
	}
	count := len(e.now.area) / e.Width
	for i := range count {
		rec := e.now.record(i)
		if e.DueOff >= 0 && rec[e.DueOff] == 0 && !e.now.held(rec) {
			anyDue = true
		}
		if i > 0 && e.now.behind(i) || e.now.early(rec) {
			continue
		}
		to := int(rec[0])
		a := act{kind: Delivers, pos: to, msg: i, port: Port(rec[1]), budget: -1}
		switch {
		case e.now.waiting>>to&1 != 0, e.now.cutting && e.Severed(e.now.state, e.now.sender(rec), to):
			a.kind = Drops
			e.quiet(a)
		case (e.now.up&^e.now.paused)>>to&1 != 0:
			anyDeliverable = true
			e.run(a)
		}
	}
	return anyDeliverable, anyDue
}

// early reports whether a message has yet to travel, in lockstep.
func (now *decoded) early(rec []byte) bool {
	return now.setting.Timing.Kind == setting.Lockstep && rec[now.DueOff] > 0
}

// behind reports whether message i cannot be the next one considered: on FIFO
// channels since another is before it on its link, on unordered ones since it
// equals the one before.
func (now *decoded) behind(i int) bool {
	if now.setting.FIFO {
		return layout.SameLink(now.record(i-1), now.record(i))
	}
	return now.Same(now.record(i-1), now.record(i))
}

// expiries has timers expire, by the discipline of the setting.
func (e *expander) expiries(anyDeliverable, anyDue bool) {
	if len(e.names.Timers) == 0 {
		return
	}
	budget, least := -1, [2]uint8{}
	hasty := anyDeliverable && !e.Timed
	switch e.setting.Timing.Kind {
	case setting.Synchronous, setting.Lockstep:
		if anyDue {
			return
		}
	case setting.Asynchronous:
		if anyDeliverable && e.Granted[layout.BudgetPremature] > 0 {
			if e.Left(e.now.state, layout.BudgetPremature) == 0 {
				return
			}
			budget = layout.BudgetPremature
		}
	case setting.Patient:
		if anyDeliverable {
			return
		}
	case setting.LastResort:
		if anyDeliverable {
			return
		}
		least = e.NextTimer(e.now.state, e.now.paused)
	}
	for pos := range e.N {
		if (e.now.up&^e.now.paused)>>pos&1 == 0 {
			continue
		}
		timers := e.TimersOf(e.now.state, pos)
		for t := range e.names.Timers {
			v := timers[t*e.TimerLen]
			switch {
			case v == 0,
				e.setting.Drift > 0 && timers[2*t+1] > 0,
				e.setting.Drift == 0 && e.Timed && v != 1,
				least[0] > 0 && (v != least[0] || timers[2*t+1] != least[1]):
				continue
			}
			owed := e.now.owed
			e.run(act{kind: Expires, pos: pos, msg: -1, timer: Timer(t), budget: budget, hasty: hasty})
			if e.periodic>>t&1 != 0 {
				enabled := e.now.owed > owed
				e.now.owed, e.now.beats = owed, e.now.beats || enabled
				if enabled && (e.Timed || least[0] > 0) && e.Lasting(e.now.state, e.periodic) {
					e.now.owed++ // a timer that is not periodic has its turn after this one
				}
			}
		}
	}
}

// tick lets a unit of time pass: every delay and every timer gets shorter.
func (e *expander) tick(anyDue bool) {
	if !e.Timed || anyDue {
		return
	}
	ages := e.Ages(e.now.state)
	timers, lasting := false, ages || len(e.now.area) > 0
	for pos := range e.N {
		waits := e.now.paused>>pos&1 != 0 // and time does not wait for it
		ts := e.TimersOf(e.now.state, pos)
		for t := range e.names.Timers {
			switch v := ts[t*e.TimerLen]; {
			case v == 1 && !waits:
				return
			case v > 1:
				timers = true
				lasting = lasting || e.periodic>>t&1 == 0
			}
		}
	}
	if !timers && len(e.now.area) == 0 && !ages {
		return
	}
	owed := e.now.owed
	e.wrap.step.lasting = lasting
	e.passing(act{kind: Ticks, pos: -1, msg: -1, budget: -1})
	if !lasting {
		e.now.owed, e.now.beats = owed, e.now.beats || e.now.owed > owed
	}
}

// passing has a tick pass.
func (e *expander) passing(a act) {
	if b, base, ok := e.copied(a); ok {
		e.Pass(b[base:])
		e.accept(b, base)
	}
}

// judge asks the watches about the state under expansion.
func (e *expander) judge() {
	if len(e.asked.watches) == 0 && e.wrap.label == nil {
		return
	}
	e.asked.from.Quiet = e.now.owed == 0
	e.asked.from.Over = e.asked.from.Quiet && !e.now.beats
	e.asked.from.Settled = e.asked.from.Quiet && e.now.parts == 0
	var mark uint64
	for i := range e.asked.watches {
		if w := &e.asked.watches[i]; w.State != nil && w.State(&e.asked.from) {
			mark |= 1 << (i & 63)
			if !w.MarkOnly {
				e.out.Hit(i, e.Spent(e.now.state))
			}
		}
	}
	if l := e.wrap.label; l != nil {
		if l.shared.tell.Rounds && e.now.amid() {
			mark = 0
		}
		if l.beyond(e) {
			mark |= l.shared.tell.Bound
		}
		if mark&(l.shared.tell.Until|l.shared.tell.Bound) != 0 {
			e.out.LeadNowhere()
		}
		e.out.Mark(mark)
	}
	e.asked.from.Settled, e.asked.from.Quiet, e.asked.from.Over = false, false, false
}

// run runs the handler of an action in a process, once for each sequence of
// choices it can take, and emits the outcomes.
func (e *expander) run(a act) {
	if e.aside(&a) || e.memo.on && e.recall(&a) {
		return
	}
	e.act.act, e.act.call.Script = a, e.act.call.Script[:0]
	e.act.idle, e.act.moved = false, false
	for {
		if failure := e.handle(); failure != "" {
			e.fail(failure)
		} else if !e.beyond() {
			e.emit(false)
			if e.setting.MidSend && len(e.act.call.Sends) > 0 {
				e.crashMidSend()
			}
		}
		if !e.act.call.NextScript() {
			break
		}
	}
	if e.act.idle && e.act.moved {
		e.runIdle()
	}
}

// runIdle emits the outcomes of the action under way that change nothing, since
// another one does: a coin that may always show tails is thrown without end.
// (An action of which no outcome changes anything is none.)
func (e *expander) runIdle() {
	e.act.idling, e.act.call.Script = true, e.act.call.Script[:0]
	for {
		if e.handle() == "" && (e.unbounded || e.whyBeyond() == "") {
			e.emit(false)
		}
		if !e.act.call.NextScript() {
			break
		}
	}
	e.act.idling = false
}

// aside reports whether an action is not to be carried out: in searches never,
// unless they are reduced.
func (e *expander) aside(a *act) bool {
	return (e.wrap.step.listing || e.wrap.only != nil || e.wrap.thin != nil) && e.setAside(a)
}

// setAside lists an action for a Walker, or reports whether it is none that a
// Stepper asks for, or one that a reducer leaves out.
func (e *expander) setAside(a *act) bool {
	if e.wrap.thin != nil {
		return e.wrap.thin.aside(a, &e.act.code)
	}
	if e.wrap.step.listing {
		e.wrap.step.list(*a)
		return true
	}
	return e.unwanted(a)
}

// begin makes a the action under way, with no handler run yet.
func (e *expander) begin(a act) {
	e.act.act = a
	e.act.mid = false
	if e.wrap.rec != nil {
		e.wrap.rec.reset()
	}
	e.act.call.Clear()
	e.draft.recs = e.draft.recs[:0]
}

// handle runs the handlers of the action under way on a copy of its process.
// It returns what a handler did that no world can carry out.
func (e *expander) handle() (failure string) {
	defer func() {
		if r := recover(); r != nil {
			failure = fmt.Sprint(r)
		}
	}()
	a := &e.act
	e.act.mid = false
	e.act.call.Begin(e.now.ids[a.pos], a.port)
	e.now.procs.set(e.act.cur, e.now.procs.at(a.pos))
	switch a.kind {
	case Delivers:
		m := e.act.message(e.now.record(a.msg))
		e.cover.Received[e.protocol.Kind(m)]++
		e.hands.Receive(e.act.cur, a.port, m)
	case Expires:
		e.hands.Timeout(e.act.cur, a.timer)
	case Suspects, Misreports:
		e.hands.Suspect(e.act.cur, a.who)
	case Starts:
		e.hands.Start(e.act.cur)
	case Requests:
		e.hands.Request(e.act.cur, Request(a.which))
	case Restarts:
		e.boot(Restart)
	case Joins:
		e.boot(Join)
	case Boots:
		if e.wrap.settling != 0 {
			e.wake()
			break
		}
		e.boot(Cold)
		if !e.setting.Initiators.Lazy && e.Positions(e.now.state, e.PendingOff)>>a.pos&1 != 0 {
			e.hands.Start(e.act.cur)
		}
	}
	e.now.tellTime(e.act.cur, a.pos) // a handler sets no clock
	return ""
}

// message returns where the message of a record is, until another one is.
func (u *underway) message(rec []byte) unsafe.Pointer {
	u.planM.Get(u.m, rec[u.MOff:])
	return u.m
}

// boot runs Init on what a crash has left of the process, if anything.
func (e *expander) boot(why Boot) {
	e.now.procs.zero(e.act.cur)
	e.planP.Get(e.act.cur, e.Proc(e.now.state, e.act.pos)[e.POff:])
	e.hands.Init(e.act.cur, why)
}
