package model

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/setting"
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
	// What stands before the first record that leaves or arrives is copied in
	// one piece, and what changes there is written over it.
	first := e.firstChange()
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff+first]...)
	next := b[base:]
	e.writeAction(next)
	e.planP.Put(e.proc(next, e.act.pos)[e.pOff:], e.cur)
	e.applyTimers(next, e.act.pos)
	e.accept(e.merge(b, e.recs, e.area, e.act.msg, first), base)
}

// emitFiltered is emit where the action changes what becomes of mail: as a
// process comes up, or with a crash.
func (e *expander) emitFiltered(crash bool) {
	a := &e.act
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff]...)
	next := b[base:]
	e.writeAction(next)
	restarted := -1
	if crash {
		next[e.budget[budgetCrashes]]--
		e.goDown(next, a.pos)
	} else {
		e.planP.Put(e.proc(next, a.pos)[e.pOff:], e.cur)
		e.applyTimers(next, a.pos)
	}
	if a.kind == Restarts && e.setting.MailOldLost {
		restarted = a.pos
	}
	area := e.filter(next, a.msg, restarted)
	if !e.collect(next, area, -1, crash) {
		e.keepOwed()
		return
	}
	e.accept(e.merge(b, e.recs, area, -1, 0), base)
}

// writeAction writes into next what the action under way changes besides the state of
// its process and the messages.
func (e *expander) writeAction(next []byte) {
	a := &e.act
	if a.budget >= 0 {
		next[e.budget[a.budget]]--
	}
	if e.pendingOff >= 0 && (a.kind == Starts || a.kind == Delivers || a.kind == Boots && !e.setting.Initiators.Lazy) {
		e.putPositions(next, e.pendingOff, e.positions(next, e.pendingOff)&^(1<<a.pos))
	}
	next[e.procOff+a.pos*e.procSize] = byte(Up)
	if a.kind == Expires {
		e.clearTimer(next, a.pos, int(a.timer))
	}
}

// keep makes of p what a crash leaves of it.
func (e *expander) keep(p unsafe.Pointer) {
	if e.has.stable {
		e.hands.stable(p)
		return
	}
	e.procs.zero(p)
}

// due reports whether the action under way is one that happens sooner or later.
func (e *expander) due() bool {
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
	b = append(b, e.state[:e.msgOff+a.msg*e.width]...)
	if a.budget >= 0 {
		b[base+e.budget[a.budget]]--
	}
	b = append(b, e.area[(a.msg+1)*e.width:]...)
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
	e.cover.count(e.act.kind, e.net.rules, 1)
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
			e.out.HitStep(i, e.spent(next))
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
	e.out.HitDeadEnd(len(e.watches), e.spent(e.state), code)
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
	e.keep(e.cur)
	proc := e.proc(next, pos)
	proc[0] = byte(Down)
	if e.pausedOff >= 0 {
		e.putPositions(next, e.pausedOff, e.positions(next, e.pausedOff)&^(1<<pos))
	}
	e.planP.Put(proc[e.pOff:], e.cur)
	for t := range e.names.Timers {
		e.clearTimer(next, pos, t)
	}
}

// forget clears the state of processes that can never be up again.
func (e *expander) forget(next []byte) {
	if e.left(next, budgetRestarts) > 0 {
		return
	}
	var gone Set
	for pos := range e.n {
		if proc := e.proc(next, pos); Status(proc[0]) == Down {
			clear(proc[e.pOff:])
			gone |= 1 << pos
		}
	}
	if e.pendingOff >= 0 {
		e.putPositions(next, e.pendingOff, e.positions(next, e.pendingOff)&^gone)
	}
}

// lost reports whether mail from one position to another is dropped at once in
// the world as next has it.
func (e *expander) lost(next []byte, from, to int) bool {
	switch Status(e.proc(next, to)[0]) {
	case Down:
		if e.setting.MailDownLost || e.left(next, budgetRestarts) == 0 {
			return true
		}
	case Absent:
		if e.setting.MailDownLost {
			return true
		}
	}
	return e.cutsOff >= 0 && !e.mayHeal(next) && e.severed(next, from, to)
}

// filter returns the messages in flight without message gone, without those
// that are now lost, and without those that position restarted (if it is one)
// sent before.
func (e *expander) filter(next []byte, gone, restarted int) []byte {
	e.forget(next)
	e.filtered = e.filtered[:0]
	for i := range len(e.area) / e.width {
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

// clearTimer makes a timer of a position no longer set.
func (e *expander) clearTimer(next []byte, pos, t int) {
	at := e.timersOf(next, pos)[t*e.timerLen:]
	if e.setting.Timing.Kind == setting.LastResort && at[0] != 0 {
		e.leaveRank(next, at[0], at[1])
	}
	clear(at[:e.timerLen])
}

// leaveRank has the timers of a duration that were set after a rank move up.
func (e *expander) leaveRank(next []byte, duration, rank uint8) {
	for pos := range e.n {
		for ts := e.timersOf(next, pos); len(ts) > 0; ts = ts[2:] {
			if ts[0] == duration && ts[1] > rank {
				ts[1]--
			}
		}
	}
}

// applyTimers does to the timers of a position what the handler asked for.
func (e *expander) applyTimers(next []byte, pos int) {
	if !e.net.timed {
		return
	}
	for t, ticks := range e.net.timers {
		switch ticks {
		case timerKept:
		case timerStopped:
			e.clearTimer(next, pos, t)
		default:
			e.setTimer(next, pos, t, ticks)
		}
	}
}

func (e *expander) setTimer(next []byte, pos, t int, ticks uint8) {
	switch e.setting.Timing.Kind {
	default:
		e.timerSet(e.timersOf(next, pos)[t*e.timerLen:], ticks)
	case setting.LastResort:
		e.clearTimer(next, pos, t)
		rank := uint8(1)
		for p := range e.n {
			for ts := e.timersOf(next, p); len(ts) > 0; ts = ts[2:] {
				if ts[0] == ticks {
					rank++
				}
			}
		}
		at := e.timersOf(next, pos)[2*t:]
		at[0], at[1] = ticks, rank
	}
}

// timerSet writes a timer that is set to a number of ticks, but under last
// resort, where the other timers have a say.
func (e *expander) timerSet(at []byte, ticks uint8) {
	switch {
	case !e.sync:
		at[0] = 1
	case e.setting.Drift > 0:
		least, most := drifted(int(ticks), e.setting.Drift)
		at[0], at[1] = uint8(most+1), uint8(least)
	default:
		at[0] = ticks + 1
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
		step = e.n - 1
	}
	to := (pos + step) % e.n
	for e.setting.Repaired && to != pos && Status(e.proc(next, to)[0]) != Up {
		to = (to + step) % e.n
	}
	return to, by.Opposite()
}

// collect makes records of the handler's sends, sorted, in e.recs: of all of
// them, or after a crash of those numbered in e.order. It reports whether the
// successor may be: false where a link would hold more than its capacity.
func (e *expander) collect(next, area []byte, gone int, crash bool) bool {
	e.recs = e.recs[:0]
	plain := &next[0] == &e.state[0] && e.cutsOff < 0
	for i := range e.net.sends {
		if crash && !slices.Contains(e.order, i) {
			continue
		}
		s := &e.net.sends[i]
		to, port := e.target(next, e.act.pos, s.port)
		lost := plain && e.unreachable>>to&1 != 0 || !plain && e.lost(next, e.act.pos, to)
		at := len(e.recs)
		e.recs = append(e.recs, e.zeros[:e.width]...)
		rec := e.recs[at:]
		rec[0], rec[1] = byte(to), byte(port)
		e.planM.Put(rec[e.mOff:], e.hands.sent(i))
		if e.dueOff >= 0 {
			rec[e.dueOff] = byte(e.net.bound)
		}
		e.cover.sent[s.kind]++
		if e.rec != nil {
			env := e.envelope(rec)
			env.From = e.ids[e.act.pos]
			env.Broadcast, env.Lost = int(s.group), lost
			e.rec.sent = append(e.rec.sent, env)
		}
		if lost {
			e.recs = e.recs[:at]
			continue
		}
		if c := e.setting.Capacity; c > 0 && e.onLink(area, gone, rec) >= c {
			e.leaveOut(int(s.kind))
			return false
		}
		if at > 0 {
			e.insert(at)
		}
	}
	return true
}

// onLink counts the messages on the link of rec, those in e.recs before it
// included.
func (e *expander) onLink(area []byte, gone int, rec []byte) int {
	count := 0
	for i := 0; i < len(area); i += e.width {
		if i != gone*e.width && sameLink(area[i:], rec) {
			count++
		}
	}
	for i := 0; i < len(e.recs)-e.width; i += e.width {
		if sameLink(e.recs[i:], rec) {
			count++
		}
	}
	return count
}

// insert sorts the last record of e.recs, which begins at at, into those
// before it: behind its equals.
func (e *expander) insert(at int) {
	rec := e.recs[at : at+e.width]
	to := at
	for to > 0 && e.less(rec, e.recs[to-e.width:]) {
		to -= e.width
	}
	if to < at {
		var one [256]byte
		tmp := append(one[:0], rec...)
		copy(e.recs[to+e.width:], e.recs[to:at])
		copy(e.recs[to:], tmp)
	}
}

// key returns the part of a record that decides its place as an integer; it is
// asked for where e.keyBytes is not 0.
func (e *expander) key(rec []byte) uint64 {
	switch e.keyBytes {
	case 2:
		return uint64(binary.BigEndian.Uint16(rec))
	case 4:
		return uint64(binary.BigEndian.Uint32(rec))
	}
	return binary.BigEndian.Uint64(rec)
}

// less reports whether record a has its place before b.
func (e *expander) less(a, b []byte) bool {
	if e.keyBytes > 0 {
		return e.key(a) < e.key(b)
	}
	return bytes.Compare(a[:e.width], b[:e.width]) < 0
}

// same reports whether two records are equal.
func (e *expander) same(a, b []byte) bool {
	switch e.width {
	case 4:
		return binary.LittleEndian.Uint32(a) == binary.LittleEndian.Uint32(b)
	case 8:
		return binary.LittleEndian.Uint64(a) == binary.LittleEndian.Uint64(b)
	}
	return string(a[:e.width]) == string(b[:e.width])
}

// placeOf returns where in area, from an offset on, record rec has its place:
// behind its equals.
func (e *expander) placeOf(area []byte, from int, rec []byte) int {
	w := e.width
	switch e.keyBytes {
	case 4:
		for k := binary.BigEndian.Uint32(rec); from < len(area) && binary.BigEndian.Uint32(area[from:]) <= k; {
			from += 4
		}
		return from
	case 2, 8:
		for k := e.key(rec); from < len(area) && e.key(area[from:]) <= k; {
			from += w
		}
		return from
	}
	for from < len(area) && !e.less(rec, area[from:]) {
		from += w
	}
	return from
}

// firstChange returns the offset in e.area up to which the successor has the
// same messages: where the one that leaves stands, or the first one that
// arrives.
func (e *expander) firstChange() int {
	first := len(e.area)
	if e.act.msg >= 0 {
		first = e.act.msg * e.width
	}
	if len(e.recs) > 0 {
		first = min(first, e.placeOf(e.area, 0, e.recs))
	}
	return first
}

// merge appends to b the messages of area from an offset on but for message
// gone, and those of recs, which are sorted, each in its place: area in pieces,
// cut where a message leaves or arrives.
func (e *expander) merge(b, recs, area []byte, gone, from int) []byte {
	w := e.width
	for at := 0; at < len(recs); at += w {
		rec := recs[at : at+w]
		to := e.placeOf(area, from, rec)
		b = appendWithout(b, area, from, to, gone*w, w)
		b = append(b, rec...)
		from = to
	}
	return appendWithout(b, area, from, len(area), gone*w, w)
}

// appendWithout appends area[from:to] but for the w bytes at gone.
func appendWithout(b, area []byte, from, to, gone, w int) []byte {
	if from <= gone && gone < to {
		b = append(b, area[from:gone]...)
		from = gone + w
	}
	if from < to {
		b = append(b, area[from:to]...)
	}
	return b
}
