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
// sends numbered in e.draft.order were out.
func (e *expander) emit(crash bool) {
	e.act.mid = crash
	if e.wrap.rec != nil {
		e.wrap.rec.reset()
	}
	if crash || e.act.kind == Restarts || e.act.kind == Joins {
		e.emitFiltered(crash)
		return
	}
	if !e.collect(e.now.state, e.now.area, e.act.msg, false) {
		e.keepOwed()
		return
	}
	if e.memo.on {
		e.learn()
	}
	e.put()
}

// put appends the successor of the action under way, with the records of what it
// sends in e.draft.recs.
func (e *expander) put() {
	// The bytes before the first record that leaves or arrives are copied in one
	// piece, and the changes there are written over them.
	first := e.FirstChange(e.now.area, e.draft.recs, e.act.msg)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.now.state[:e.MsgOff+first]...)
	next := b[base:]
	e.act.writeAction(next)
	e.putCurrent(next)
	e.accept(e.Merge(b, e.draft.recs, e.now.area, e.act.msg, first), base)
}

// emitFiltered is emit where the action changes what becomes of mail: as a
// process comes up, or with a crash.
func (e *expander) emitFiltered(crash bool) {
	a := &e.act
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.now.state[:e.MsgOff]...)
	next := b[base:]
	e.act.writeAction(next)
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
	e.accept(e.Merge(b, e.draft.recs, area, -1, 0), base)
}

// writeAction writes into next what the action under way changes besides the state of
// its process and the messages.
func (u *underway) writeAction(next []byte) {
	a := u
	if a.budget >= 0 {
		next[u.Budget[a.budget]]--
	}
	if u.PendingOff >= 0 && (a.kind == Starts || a.kind == Delivers || a.kind == Boots && !u.setting.Initiators.Lazy) {
		u.PutPositions(next, u.PendingOff, u.Positions(next, u.PendingOff)&^(1<<a.pos))
	}
	next[u.ProcOff+a.pos*u.ProcSize] = byte(Up)
	if a.kind == Expires {
		u.ClearTimer(next, a.pos, int(a.timer))
	}
}

// putCurrent writes what the handler made of its process, e.act.cur, and its timers. While a crash
// may undo a write, that includes what the disk held before the last step that changed it.
func (e *expander) putCurrent(next []byte) {
	proc, k := e.Proc(next, e.act.pos), e.act.kind
	if e.MayForget(next) && e.now.mayCrash(e.act.pos) {
		before, comesUp := proc[e.POff:e.OldOff], k == Boots || k == Joins || k == Restarts
		if comesUp {
			for _, off := range e.Dates.Clocks {
				before[off] = 0 // no disk has a clock
			}
		} else {
			copy(before, e.kept(e.now.procs.at(e.act.pos)))
		}
		e.Wrote(proc, before, e.kept(e.act.cur), comesUp)
	}
	e.planP.Put(proc[e.POff:], e.act.cur)
	e.act.applyTimers(next, e.act.pos)
}

// kept returns what a crash leaves of p, encoded, until the next call; p stays as it is.
func (e *expander) kept(p unsafe.Pointer) []byte {
	e.now.procs.set(e.asked.disk, p)
	e.keep(e.asked.disk)
	e.putClock(e.asked.disk, 0) // which is not on it
	e.draft.stored = e.planP.Append(e.draft.stored[:0], e.asked.disk)
	return e.draft.stored
}

// keep makes of p what a crash leaves of it.
func (e *expander) keep(p unsafe.Pointer) {
	if e.has.Stable {
		e.protocol.Stable(p)
		return
	}
	e.now.procs.zero(p)
}

// due reports whether the transition under way is one that happens sooner or
// later. No crash between sends is, and no timer that expires too early, whatever
// the action is (Label.Owed): either may be all that an action comes to.
func (u *underway) due() bool {
	if u.mid || u.budget == layout.BudgetPremature {
		return false
	}
	return u.kind.OwedIn(&u.setting)
}

// keepOwed notes that the action under way is enabled although its successor
// is left out.
func (e *expander) keepOwed() {
	e.act.moved = e.act.moved || !e.act.mid
	if e.act.due() && !e.act.idling {
		e.now.owed++
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
	b = append(b, e.now.state[:e.MsgOff+a.msg*e.Width]...)
	if a.budget >= 0 {
		b[base+e.Budget[a.budget]]--
	}
	b = append(b, e.now.area[(a.msg+1)*e.Width:]...)
	e.accept(b, base)
}

// accept ends a successor, unless it is the state that it comes from. (A
// delivery never leads back: it takes a message from its receiver, and only on
// a repaired ring can a process send to itself.)
func (e *expander) accept(b []byte, base int) {
	next := b[base:]
	same := len(next) == len(e.now.state) && !e.wrap.inits && (e.act.kind != Delivers || e.setting.Repaired) && unchanged(&e.Layout, e.act.kind, next, e.now.state)
	if same != e.act.idling {
		e.act.code++
		e.act.idle = e.act.idle || !e.act.mid
		return
	}
	e.act.moved = e.act.moved || !e.act.mid
	if len(e.monitors) > 0 {
		e.update(next)
	}
	if e.wrap.normal != nil {
		b = e.wrap.normal(b, base)
		next = b[base:]
	}
	code := e.act.nextCode()
	e.out.End(b, code)
	if e.act.due() {
		e.now.owed++
	}
	e.cover.Count(uint8(e.act.kind), e.act.call.Rules, 1)
	if e.wrap.rec != nil {
		e.wrap.rec.note(Transition{Action: e.action(), Code: code, Class: e.class(), Next: next, Rules: e.act.ruleNames(), Odds: e.act.call.Odds, freely: e.act.call.Freely})
		if e.wrap.rec.each != nil {
			e.out.Reset() // it has been told
		}
	}
	if e.wrap.label != nil {
		e.wrap.label.look(e, next)
		e.out.Label(e.labelNumber())
	}
	if e.asked.show != nil && code == e.asked.showCode {
		e.asked.show(e.event(next))
	}
	if len(e.asked.stepWatches) == 0 || e.wrap.inits { // a step before an initial state is none of a run
		return
	}
	ev := e.event(next)
	for _, i := range e.asked.stepWatches {
		if e.asked.watches[i].Step(ev) {
			e.out.HitStep(i, e.Spent(next))
			e.wrap.step.hit(i)
		}
	}
}

// unchanged reports whether an action of a kind that leads to a state of the same length changes
// nothing: it leads back. The cost of a request does not count.
func unchanged(l *layout.Layout, kind ActionKind, next, from []byte) bool {
	if kind != Requests {
		return bytes.Equal(next, from)
	}
	off := l.Budget[layout.BudgetRequests]
	return bytes.Equal(next[:off], from[:off]) && bytes.Equal(next[off+1:], from[off+1:])
}

// fail reports that the handler of the action under way did what no world can
// carry out.
func (e *expander) fail(failure string) {
	e.act.moved = true
	if e.act.due() {
		e.now.owed++
	}
	e.wrap.step.misuse = failure
	code := e.act.nextCode()
	e.out.HitDeadEnd(len(e.asked.watches), e.Spent(e.now.state), code)
	if e.wrap.rec != nil {
		e.wrap.rec.reset()
		e.wrap.rec.note(Transition{Action: e.action(), Code: code, Class: e.class(), Rules: e.act.ruleNames(), Misuse: failure})
	}
}

// nextCode returns the label of the transition under way: kind, position and
// an ordinal that no other transition out of the state has.
func (u *underway) nextCode() explore.Code {
	u.code++
	return codeOf(u.kind, u.pos, u.code)
}

func codeOf(kind ActionKind, pos int, ordinal uint32) explore.Code {
	return explore.Code(kind)<<56 | explore.Code(uint8(pos))<<48 | explore.Code(ordinal)
}

// goDown makes the process of a position down, which was in the state e.act.cur.
// The caller filters the messages afterwards.
func (e *expander) goDown(next []byte, pos int) {
	left := e.act.cur
	if e.act.kind != Forgets && e.act.kind != Wipes { // of what comes back then no more is lost
		left = e.asked.disk // e.act.cur may go down once more, between other sends
		e.now.procs.set(left, e.act.cur)
		e.keep(left)
	}
	proc := e.Proc(next, pos)
	proc[0] = byte(Down)
	if e.PausedOff >= 0 {
		e.PutPositions(next, e.PausedOff, e.Positions(next, e.PausedOff)&^(1<<pos))
	}
	clear(proc[e.POff:])
	e.now.tellTime(left, pos) // the clock goes on
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
	e.draft.filtered = e.draft.filtered[:0]
	for i := range len(e.now.area) / e.Width {
		rec := e.now.record(i)
		from, to := e.now.sender(rec), int(rec[0])
		switch {
		case i == gone:
		case from == restarted, e.lost(next, from, to):
			if e.wrap.rec != nil {
				e.wrap.rec.dropped = append(e.wrap.rec.dropped, e.envelope(rec))
			}
		default:
			e.draft.filtered = append(e.draft.filtered, rec...)
		}
	}
	return e.draft.filtered
}

// Timers.

// applyTimers does to the timers of a position what the handler asked for.
func (u *underway) applyTimers(next []byte, pos int) {
	if !u.call.Timed {
		return
	}
	for t, ticks := range u.call.Timers {
		switch ticks {
		case protocol.TimerKept:
		case protocol.TimerStopped:
			u.ClearTimer(next, pos, t)
		default:
			u.SetTimer(next, pos, t, ticks)
		}
	}
}

// Messages.

// target returns where a message that leaves a position by a port arrives: the
// position and its port.
func (now *decoded) target(next []byte, pos int, by Port) (int, Port) {
	if by < Next {
		return int(by) - 1, Peer(now.ids[pos])
	}
	return now.neighbour(next, pos, by)
}

// neighbour returns where a message arrives that leaves by a port of a ring.
func (now *decoded) neighbour(next []byte, pos int, by Port) (int, Port) {
	step := 1
	if by == Prev {
		step = now.N - 1
	}
	to := (pos + step) % now.N
	for now.setting.Repaired && to != pos && Status(now.Proc(next, to)[0]) != Up {
		to = (to + step) % now.N
	}
	return to, by.Opposite()
}

// collect makes records of the handler's sends, sorted, in e.draft.recs: of all of
// them, or after a crash of those numbered in e.draft.order. It reports whether the
// successor may be: false where a link would hold more than its capacity.
func (e *expander) collect(next, area []byte, gone int, crash bool) bool {
	e.draft.recs = e.draft.recs[:0]
	plain := &next[0] == &e.now.state[0] && e.CutsOff < 0
	for i := range e.act.call.Sends {
		if crash && !slices.Contains(e.draft.order, i) {
			continue
		}
		s := &e.act.call.Sends[i]
		to, port := e.now.target(next, e.act.pos, s.Port)
		lost := plain && e.now.unreachable>>to&1 != 0 || !plain && e.lost(next, e.act.pos, to)
		at := len(e.draft.recs)
		e.draft.recs = append(e.draft.recs, e.Zeros[:e.Width]...)
		rec := e.draft.recs[at:]
		rec[0], rec[1] = byte(to), byte(port)
		e.planM.Put(rec[e.MOff:], e.hands.Sent(i))
		if e.DueOff >= 0 {
			rec[e.DueOff] = byte(e.act.call.Bound)
		}
		e.cover.Sent[s.Kind]++
		if e.wrap.rec != nil {
			env := e.envelope(rec)
			env.From = e.now.ids[e.act.pos]
			env.Broadcast, env.Lost = int(s.Group), lost
			e.wrap.rec.sent = append(e.wrap.rec.sent, env)
		}
		if lost {
			e.draft.recs = e.draft.recs[:at]
			continue
		}
		if c := e.setting.Capacity; c > 0 && e.OnLink(area, gone, e.draft.recs) >= c {
			e.leaveOut(int(s.Kind))
			return false
		}
		if at > 0 {
			e.Insert(e.draft.recs, at)
		}
	}
	return true
}
