package model

import (
	"bytes"
	"slices"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/protocol"
)

// emit appends the successor in which the handler of the action under way has
// done its work, or, if crash is set, in which the process crashed after the
// sends numbered in e.order were out.
func (e *expander) emit(crash bool) {
	e.mid = crash
	if e.rec != nil {
		e.rec.reset()
	}
	if crash || e.act.kind == Restarts || e.act.kind == Joins {
		e.emitFiltered(crash)
		return
	}
	if !e.collect(e.state, e.area, e.act.msg, false) {
		e.keepOwed()
		return
	}
	if e.memo.on {
		e.learn()
	}
	e.put()
}

// put appends the successor of the action under way, with the records of what it
// sends in e.recs.
func (e *expander) put() {
	// The bytes before the first record that leaves or arrives are copied in one
	// piece, and the changes there are written over them.
	first := e.FirstChange(e.area, e.recs, e.act.msg)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.MsgOff+first]...)
	next := b[base:]
	e.writeAction(next)
	e.putCurrent(next)
	e.accept(e.Merge(b, e.recs, e.area, e.act.msg, first), base)
}

// emitFiltered is emit where the action changes what becomes of mail: as a
// process comes up, or with a crash.
func (e *expander) emitFiltered(crash bool) {
	a := &e.act
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.MsgOff]...)
	next := b[base:]
	e.writeAction(next)
	restarted := -1
	if crash {
		next[e.Budget[layout.BudgetCrashes]]--
		e.goDown(next, a.pos)
	} else {
		e.putCurrent(next)
	}
	if a.kind == Restarts && e.setting.MailOldLost {
		restarted = a.pos
	}
	area := e.filter(next, a.msg, restarted)
	if !e.collect(next, area, -1, crash) {
		e.keepOwed()
		return
	}
	e.accept(e.Merge(b, e.recs, area, -1, 0), base)
}

// writeAction writes into next what the action under way changes besides the state of
// its process and the messages.
func (e *expander) writeAction(next []byte) {
	a := &e.act
	if a.budget >= 0 {
		next[e.Budget[a.budget]]--
	}
	if e.PendingOff >= 0 && (a.kind == Starts || a.kind == Delivers || a.kind == Boots && !e.setting.Initiators.Lazy) {
		e.PutPositions(next, e.PendingOff, e.Positions(next, e.PendingOff)&^(1<<a.pos))
	}
	next[e.ProcOff+a.pos*e.ProcSize] = byte(Up)
	if a.kind == Expires {
		e.ClearTimer(next, a.pos, int(a.timer))
	}
}

// putCurrent writes what the handler made of its process, e.cur, and its timers. While a crash
// may undo a write, that includes what the disk held before the last step that changed it.
func (e *expander) putCurrent(next []byte) {
	proc, k := e.Proc(next, e.act.pos), e.act.kind
	if e.MayForget(next) && e.mayCrash(e.act.pos) {
		before, comesUp := proc[e.POff:e.OldOff], k == Boots || k == Joins || k == Restarts
		if comesUp {
			for _, off := range e.Dates.Clocks {
				before[off] = 0 // no disk has a clock
			}
		} else {
			copy(before, e.kept(e.procs.at(e.act.pos)))
		}
		e.Wrote(proc, before, e.kept(e.cur), comesUp)
	}
	e.planP.Put(proc[e.POff:], e.cur)
	e.applyTimers(next, e.act.pos)
}

// kept returns what a crash leaves of p, encoded, until the next call; p stays as it is.
func (e *expander) kept(p unsafe.Pointer) []byte {
	e.procs.set(e.disk, p)
	e.keep(e.disk)
	e.putClock(e.disk, 0) // which is not on it
	e.stored = e.planP.Append(e.stored[:0], e.disk)
	return e.stored
}

// keep makes of p what a crash leaves of it.
func (e *expander) keep(p unsafe.Pointer) {
	if e.has.Stable {
		e.hands.Stable(p)
		return
	}
	e.procs.zero(p)
}

// due reports whether the transition under way is one that happens sooner or
// later. No crash between sends is, and no timer that expires too early, whatever
// the action is (Label.Owed): either may be all that an action comes to.
func (e *expander) due() bool {
	if e.mid || e.act.budget == layout.BudgetPremature {
		return false
	}
	return e.act.kind.Owed() || e.act.kind == Heals && e.setting.HealsOwed
}

// keepOwed notes that the action under way is enabled although its successor
// is left out.
func (e *expander) keepOwed() {
	e.moved = e.moved || !e.mid
	if e.due() && !e.idling {
		e.owed++
	}
}

// quiet emits the action under way where no handler runs: the message leaves
// the network, nothing else changes.
func (e *expander) quiet(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.MsgOff+a.msg*e.Width]...)
	if a.budget >= 0 {
		b[base+e.Budget[a.budget]]--
	}
	b = append(b, e.area[(a.msg+1)*e.Width:]...)
	e.accept(b, base)
}

// accept ends a successor, unless it is the state that it comes from. (A
// delivery never leads back: it takes a message from its receiver, and only on
// a repaired ring can a process send to itself.)
func (e *expander) accept(b []byte, base int) {
	next := b[base:]
	same := len(next) == len(e.state) && !e.inits && (e.act.kind != Delivers || e.setting.Repaired) && bytes.Equal(next, e.state)
	if same != e.idling {
		e.code++
		e.idle = e.idle || !e.mid
		return
	}
	e.moved = e.moved || !e.mid
	if len(e.monitors) > 0 {
		e.update(next)
	}
	if e.normal != nil {
		b = e.normal(b, base)
		next = b[base:]
	}
	code := e.nextCode()
	e.out.End(b, code)
	if e.due() {
		e.owed++
	}
	e.cover.Count(uint8(e.act.kind), e.call.Rules, 1)
	if e.rec != nil {
		e.rec.note(Transition{Action: e.action(), Code: code, Class: e.class(), Next: next, Rules: e.ruleNames()})
		if e.rec.each != nil {
			e.out.Reset() // it has been told
		}
	}
	if e.label != nil {
		e.out.Label(e.labelNumber())
	}
	if e.show != nil && code == e.showCode {
		e.show(e.event(next))
	}
	if len(e.stepWatches) == 0 {
		return
	}
	ev := e.event(next)
	for _, i := range e.stepWatches {
		if e.watches[i].Step(ev) {
			e.out.HitStep(i, e.Spent(next))
			e.step.hit(i)
		}
	}
}

// fail reports that the handler of the action under way did what no world can
// carry out.
func (e *expander) fail(failure string) {
	e.moved = true
	if e.due() {
		e.owed++
	}
	e.step.misuse = failure
	code := e.nextCode()
	e.out.HitDeadEnd(len(e.watches), e.Spent(e.state), code)
	if e.rec != nil {
		e.rec.reset()
		e.rec.note(Transition{Action: e.action(), Code: code, Class: e.class(), Rules: e.ruleNames(), Misuse: failure})
	}
}

// nextCode returns the label of the transition under way: kind, position and
// an ordinal that no other transition out of the state has.
func (e *expander) nextCode() explore.Code {
	e.code++
	return codeOf(e.act.kind, e.act.pos, e.code)
}

func codeOf(kind ActionKind, pos int, ordinal uint32) explore.Code {
	return explore.Code(kind)<<56 | explore.Code(uint8(pos))<<48 | explore.Code(ordinal)
}

// goDown makes the process of a position down, which was in the state e.cur.
// The caller filters the messages afterwards.
func (e *expander) goDown(next []byte, pos int) {
	left := e.cur
	if e.act.kind != Forgets && e.act.kind != Wipes { // of what comes back then no more is lost
		left = e.disk // e.cur may go down once more, between other sends
		e.procs.set(left, e.cur)
		e.keep(left)
	}
	proc := e.Proc(next, pos)
	proc[0] = byte(Down)
	if e.PausedOff >= 0 {
		e.PutPositions(next, e.PausedOff, e.Positions(next, e.PausedOff)&^(1<<pos))
	}
	clear(proc[e.POff:])
	e.tellTime(left, pos) // the clock goes on
	e.planP.Put(proc[e.POff:], left)
	for t := range e.names.Timers {
		e.ClearTimer(next, pos, t)
	}
}

// forget clears the state of processes that can never be up again.
func (e *expander) forget(next []byte) {
	e.ForgetDisks(next)
	if e.Left(next, layout.BudgetRestarts) > 0 {
		return
	}
	var gone Set
	for pos := range e.N {
		if proc := e.Proc(next, pos); Status(proc[0]) == Down {
			clear(proc[e.POff:])
			gone |= 1 << pos
		}
	}
	if e.PendingOff >= 0 {
		e.PutPositions(next, e.PendingOff, e.Positions(next, e.PendingOff)&^gone)
	}
}

// lost reports whether mail from one position to another is dropped at once in
// the world of next.
func (e *expander) lost(next []byte, from, to int) bool {
	switch Status(e.Proc(next, to)[0]) {
	case Down:
		if e.setting.MailDownLost || e.Left(next, layout.BudgetRestarts) == 0 {
			return true
		}
	case Absent:
		if e.setting.MailDownLost {
			return true
		}
	}
	return e.CutsOff >= 0 && !e.mayHeal(next) && e.Severed(next, from, to)
}

// filter returns the messages in flight without message gone, without those
// that are now lost, and without those that position restarted (if it is one)
// sent before.
func (e *expander) filter(next []byte, gone, restarted int) []byte {
	e.forget(next)
	e.filtered = e.filtered[:0]
	for i := range len(e.area) / e.Width {
		rec := e.record(i)
		from, to := e.sender(rec), int(rec[0])
		switch {
		case i == gone:
		case from == restarted, e.lost(next, from, to):
			if e.rec != nil {
				e.rec.dropped = append(e.rec.dropped, e.envelope(rec))
			}
		default:
			e.filtered = append(e.filtered, rec...)
		}
	}
	return e.filtered
}

// Timers.

// applyTimers does to the timers of a position what the handler asked for.
func (e *expander) applyTimers(next []byte, pos int) {
	if !e.call.Timed {
		return
	}
	for t, ticks := range e.call.Timers {
		switch ticks {
		case protocol.TimerKept:
		case protocol.TimerStopped:
			e.ClearTimer(next, pos, t)
		default:
			e.SetTimer(next, pos, t, ticks)
		}
	}
}

// Messages.

// target returns where a message that leaves a position by a port arrives: the
// position and its port.
func (e *expander) target(next []byte, pos int, by Port) (int, Port) {
	if by < Next {
		return int(by) - 1, Peer(e.ids[pos])
	}
	return e.neighbour(next, pos, by)
}

// neighbour returns where a message arrives that leaves by a port of a ring.
func (e *expander) neighbour(next []byte, pos int, by Port) (int, Port) {
	step := 1
	if by == Prev {
		step = e.N - 1
	}
	to := (pos + step) % e.N
	for e.setting.Repaired && to != pos && Status(e.Proc(next, to)[0]) != Up {
		to = (to + step) % e.N
	}
	return to, by.Opposite()
}

// collect makes records of the handler's sends, sorted, in e.recs: of all of
// them, or after a crash of those numbered in e.order. It reports whether the
// successor may be: false where a link would hold more than its capacity.
func (e *expander) collect(next, area []byte, gone int, crash bool) bool {
	e.recs = e.recs[:0]
	plain := &next[0] == &e.state[0] && e.CutsOff < 0
	for i := range e.call.Sends {
		if crash && !slices.Contains(e.order, i) {
			continue
		}
		s := &e.call.Sends[i]
		to, port := e.target(next, e.act.pos, s.Port)
		lost := plain && e.unreachable>>to&1 != 0 || !plain && e.lost(next, e.act.pos, to)
		at := len(e.recs)
		e.recs = append(e.recs, e.Zeros[:e.Width]...)
		rec := e.recs[at:]
		rec[0], rec[1] = byte(to), byte(port)
		e.planM.Put(rec[e.MOff:], e.hands.Sent(i))
		if e.DueOff >= 0 {
			rec[e.DueOff] = byte(e.call.Bound)
		}
		e.cover.Sent[s.Kind]++
		if e.rec != nil {
			env := e.envelope(rec)
			env.From = e.ids[e.act.pos]
			env.Broadcast, env.Lost = int(s.Group), lost
			e.rec.sent = append(e.rec.sent, env)
		}
		if lost {
			e.recs = e.recs[:at]
			continue
		}
		if c := e.setting.Capacity; c > 0 && e.OnLink(area, gone, e.recs) >= c {
			e.leaveOut(int(s.Kind))
			return false
		}
		if at > 0 {
			e.Insert(e.recs, at)
		}
	}
	return true
}
