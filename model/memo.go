package model

import (
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/ran"
	"bullyproof/model/internal/recall"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// Handlers are deterministic, so a process in the same state to which the same
// happens does the same again. A memo keeps what handlers did, for one worker.
//
// It is exact: what it is asked by are the bytes of the state and of the message,
// or numbers that stand for them, never their hashes alone. It is bounded: what
// is full is begun anew. And it keeps what follows from what it is asked by and
// from nothing else: nothing of handlers that choose, that ask whether a timer is
// set, or that do what no world can carry out.

const (
	mostStates  = 1 << 13 // that a memo numbers
	mostEvents  = 1 << 13
	mostEffects = 1 << 13
	mostBytes   = 1 << 20 // of effects and of sends each
	memoRest    = 1 << 15 // states for which one rests that was of no use
	wordBlock   = 1 << 10 // words for which there is room at once
)

// An effect is what a handler did.
type effect struct {
	recall.Cause
	received Kind
	timed    bool
	timers   [protocol.MostTimers]uint8
	rules    uint64
	words    []uint64
	proc     int // where its process begins in memo.bytes
	recs     int // where the records of its sends begin, sorted, and where they end
	recsEnd  int
	sends    int // where its sends begin in memo.sends, and where they end
	sendsEnd int
}

// kind returns the kind of what happened.
func (f *effect) kind() ActionKind { return ActionKind(f.Kind()) }

// The words of an effect, each at its offset: how often it happened again (of
// deliveries), for each word of its process which bits stay and which are put
// there, and then, where records are integers, those of its sends, sorted, and
// noRecord.
const (
	wordTimes = iota
	wordProc
)

// A memo is empty until it is made useful by remember.
type memo struct {
	on             bool // effects are kept
	hot            bool // and nobody looks on as they happen again (repeat)
	states, events recall.Interner
	index          recall.Index
	known
	balance

	hands   protocol.Hands // keep the messages of the sends
	key     []byte
	dueMask uint64    // of a record as an integer: all but its delay
	pad     int       // words of a process
	cover   *coverage // of its expander
	latest  []byte    // by position: the key of the state that has been decoded there
	number  [MaxID]int
}

// known is what a memo keeps of handlers.
type known struct {
	effects  []effect
	words    int      // of all effects
	block    []uint64 // of which those learnt last are the end
	bytes    []byte
	sends    []protocol.Send
	sendSize int // bytes that one takes, with its message
}

// balance says whether a memo is of use.
type balance struct {
	rest          int
	most, restFor int // effects; states for which a memo rests that was of no use
}

// unnumbered is the number of a state that has none.
const unnumbered = -1

// remember has the expander keep what handlers do, where the setting lets it:
// where nothing but the process and the event decides what becomes of a step.
func (e *expander) remember() {
	s, m := &e.setting, &e.memo
	if s.MidSend || s.Capacity > 0 || s.Repaired || e.CutsOff >= 0 || e.OldOff >= 0 {
		return
	}
	m.on, m.most, m.restFor = true, mostEffects, memoRest
	m.states = recall.Interner{Size: e.planP.Size() + 1, Most: mostStates}
	m.events = recall.Interner{Size: e.Width, Most: mostEvents}
	m.pad = (e.ProcSize + 7) / 8
	m.key = recall.Alone[byte](max(m.states.Size, m.events.Size, 16*m.pad))
	m.latest = recall.Alone[byte](e.N * m.states.Size)
	m.hands, m.sendSize = e.hands, int(unsafe.Sizeof(protocol.Send{})+e.typeM.Size())
	m.dueMask = ^uint64(0)
	if e.DueOff >= 0 {
		m.dueMask = ^uint64(0xff)
	}
	m.cover, e.cover.memo = e.cover, m
	m.hot = s.Timing.Kind != setting.LastResort && len(e.asked.stepWatches) == 0 && len(e.monitors) == 0 && e.wrap.label == nil
	if m.hot {
		e.quick = recall.NewQuick(&e.Layout, s.FIFO)
	}
}

// refresh empties a memo that is full, before a state is decoded, and reports
// whether it did. One that was of little use rests for a while.
func (m *memo) refresh() bool {
	if m.rest > 0 {
		m.rest--
		return false
	}
	full := m.states.Len() == m.states.Most || m.events.Len() == m.events.Most || len(m.effects) == m.most ||
		len(m.bytes)+8*m.words > mostBytes || len(m.sends)*m.sendSize > mostBytes
	if !full {
		return false
	}
	if m.index.Hits < 2*len(m.effects) {
		m.rest = m.restFor
	}
	m.tally(&m.cover.Counts)
	m.states.Reset()
	m.events.Reset()
	m.index.Reset()
	m.effects, m.words, m.bytes, m.sends = m.effects[:0], 0, m.bytes[:0], m.sends[:0]
	m.hands.Forget()
	clear(m.latest) // no process has id 0
	return true
}

// decoded reports whether the state of a process that is up is the one that has
// been decoded last at its position, and numbers it if it is not.
func (m *memo) decoded(pos int, id ID, p []byte) bool {
	size := m.states.Size
	latest := m.latest[pos*size : (pos+1)*size]
	if latest[size-1] == byte(id) && string(latest[:size-1]) == string(p) {
		return true
	}
	copy(latest, p)
	latest[size-1] = byte(id)
	n, ok := 0, false
	if m.rest == 0 {
		n, ok = m.states.Number(latest)
	}
	if !ok {
		n = unnumbered
	}
	m.number[pos] = n
	return false
}

// forget has what is decoded next at a position be decoded anew.
func (m *memo) forget(pos int) {
	if m.on {
		m.latest[(pos+1)*m.states.Size-1] = 0 // no process has id 0
	}
}

// tally counts the deliveries that happened again.
func (m *memo) tally(cover *ran.Counts) {
	for i := range m.effects {
		f := &m.effects[i]
		times := int64(f.words[wordTimes])
		if times == 0 {
			continue
		}
		m.coverEffect(f, cover, times)
		cover.Count(f.Kind(), f.rules, times)
	}
}

// coverEffect counts what an effect received and sent, so many times.
func (m *memo) coverEffect(f *effect, cover *ran.Counts, times int64) {
	if f.kind() == Delivers {
		cover.Received[f.received] += times
	}
	for _, s := range m.sends[f.sends:f.sendsEnd] {
		cover.Sent[s.Kind] += times
	}
}

// causeOf returns the cause of what happens in an action. It reports false where
// effects are not kept.
func (e *expander) causeOf(a *act) (c recall.Cause, ok bool) {
	m := &e.memo
	if !m.on || m.rest > 0 || e.wrap.rec != nil || m.number[a.pos] == unnumbered {
		return c, false
	}
	event := uint64(a.pos) | uint64(a.timer)<<8 | uint64(a.who)<<16 | uint64(a.which)<<24
	switch a.kind {
	case Expires, Suspects, Misreports, Starts, Requests:
		ok = true
	case Delivers:
		event, ok = e.eventOf(e.now.record(a.msg))
	}
	return recall.CauseOf(m.number[a.pos], uint8(a.kind), event, e.now.unreachable), ok
}

// eventOf returns what tells a record from others except for its delay: itself,
// or a number where it is too large.
func (e *expander) eventOf(rec []byte) (uint64, bool) {
	m := &e.memo
	if e.InWords() {
		return e.Word(rec) & m.dueMask, true
	}
	key := m.key[:e.Width]
	copy(key, rec)
	if e.DueOff >= 0 {
		key[e.DueOff] = 0
	}
	n, ok := m.events.Number(key)
	return uint64(n), ok
}

// recall has happen what is known of an action, and reports whether it is known.
func (e *expander) recall(a *act) bool {
	c, ok := e.causeOf(a)
	if !ok {
		return false
	}
	s := e.memo.index.Find(c)
	if s == nil {
		return false
	}
	if e.memo.hot {
		e.repeat(a.pos, a.msg, a.budget, s)
	} else {
		e.redo(a, &e.memo.effects[s.Effect-1])
	}
	return true
}

// redo has an effect happen again, as handle and emit would.
func (e *expander) redo(a *act, f *effect) {
	c, m := e.act.call, &e.memo
	e.begin(*a)
	c.Script = c.Script[:0]
	e.act.idle, e.act.moved = false, false
	c.Self, c.From, c.Rules, c.Timed = e.now.ids[a.pos], 0, f.rules, f.timed
	copy(c.Timers, f.timers[:])
	c.Sends = append(c.Sends, m.sends[f.sends:f.sendsEnd]...)
	e.hands.Again(f.sends, f.sendsEnd)
	e.draft.recs = append(e.draft.recs, m.bytes[f.recs:f.recsEnd]...)
	e.now.procs.set(e.act.cur, e.now.procs.at(a.pos))
	e.planP.Get(e.act.cur, m.bytes[f.proc:])
	m.coverEffect(f, &e.cover.Counts, 1)
	e.put()
}

// learn keeps what the handler of the action under way did, whose sends have been
// collected.
func (e *expander) learn() {
	call, m, a := e.act.call, &e.memo, &e.act.act
	c, ok := e.causeOf(a)
	recs := len(e.draft.recs) / e.Width
	if !ok || len(call.Widths) > 0 || call.Asked || len(m.effects) == m.most || recs > math.MaxUint16 {
		return
	}
	f := effect{Cause: c, rules: call.Rules, timed: call.Timed, sends: len(m.sends), proc: len(m.bytes)}
	if a.kind == Delivers {
		f.received = e.protocol.Kind(e.act.message(e.now.record(a.msg)))
	}
	copy(f.timers[:], call.Timers)
	m.bytes = e.planP.Append(m.bytes, e.act.cur)
	f.recs = len(m.bytes)
	m.bytes = append(m.bytes, e.draft.recs...)
	f.recsEnd = len(m.bytes)
	f.words = e.learnWords()
	m.sends = append(m.sends, call.Sends...)
	e.hands.Keep()
	f.sendsEnd = len(m.sends)
	m.effects = append(m.effects, f)
	m.words += len(f.words)
	m.index.Add(recall.Slot{Cause: c, Words: f.words, Effect: uint16(len(m.effects)), Recs: uint16(recs)})
}

// learnWords returns the words of an effect.
func (e *expander) learnWords() []uint64 {
	m := &e.memo
	stay, put := m.key[:8*m.pad], m.key[8*m.pad:16*m.pad]
	e.act.learnProcess(stay, put)
	size := wordProc + 2*m.pad + len(e.draft.recs)/e.Width + 1
	if cap(m.block)-len(m.block) < size {
		m.block = make([]uint64, 0, max(size, wordBlock))
	}
	words := append(m.block[len(m.block):], 0)
	for i := 0; i < len(stay); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(stay[i:]), binary.LittleEndian.Uint64(put[i:]))
	}
	if e.InWords() {
		for recs := e.draft.recs; len(recs) > 0; recs = recs[e.Width:] {
			words = append(words, e.Word(recs))
		}
		words = append(words, recall.NoRecord)
	}
	m.block = m.block[:len(m.block)+len(words)]
	return words[:len(words):len(words)]
}

// learnProcess writes down what becomes of the process that has acted: the bits
// that stay as they are, and the others. Of timers under last resort it says
// nothing: their ranks are those of all processes together.
func (u *underway) learnProcess(stay, put []byte) {
	clear(put)
	for i := range stay {
		stay[i] = 0xff
	}
	stay[0], put[0] = 0, byte(Up)
	clear(stay[u.POff:u.ProcSize])
	u.planP.Put(put[u.POff:], u.cur)
	if u.setting.Timing.Kind == setting.LastResort {
		return
	}
	for t, ticks := range u.call.Timers {
		at := u.TimerOff + t*u.TimerLen
		if ticks == protocol.TimerKept && !(u.kind == Expires && int(u.timer) == t) {
			continue
		}
		clear(stay[at : at+u.TimerLen])
		if ticks != protocol.TimerKept && ticks != protocol.TimerStopped {
			u.TimerSet(put[at:], ticks)
		}
	}
}

// repeat is redo where nobody looks on: only the successor counts.
func (e *expander) repeat(pos, msg, budget int, s *recall.Slot) {
	q := &e.quick
	size := len(e.now.state) + int(s.Recs)*e.Width
	if msg >= 0 {
		size -= e.Width
	}
	b := e.out.Begin()
	base := len(b)
	room := size + recall.Room
	if cap(b)-base < room {
		b = slices.Grow(b, room)
	}
	next := b[base : base+room]
	if e.InWords() {
		q.Without(msg)
		if s.Recs == 0 {
			recall.CopyChunks(next, q.Buf, size)
			e.putProcess(next, q.Buf, pos, s.Words)
		} else {
			recall.CopyChunks(next, q.Buf, e.MsgOff)
			e.putProcess(next, q.Buf, pos, s.Words) // full words: before the records
			q.Merge(next[e.MsgOff:], s.Words[wordProc+2*e.memo.pad:], (size-e.MsgOff)/e.Width)
		}
	} else {
		f := &e.memo.effects[s.Effect-1]
		e.Merge(append(next[:0], e.now.state[:e.MsgOff]...), e.memo.bytes[f.recs:f.recsEnd], e.now.area, msg, 0)
		e.putProcess(next, next, pos, s.Words)
	}
	if e.PendingOff >= 0 && (ActionKind(s.Kind()) == Delivers || ActionKind(s.Kind()) == Starts) {
		e.PutPositions(next, e.PendingOff, e.Positions(next, e.PendingOff)&^(1<<pos))
	}
	if budget >= 0 {
		next[e.Budget[budget]]--
	}
	e.repeated(b[:base+size], base, pos, s, budget != layout.BudgetPremature)
}

// repeated ends a successor that repeat has made, unless it is the state that it
// comes from. An action in time may be owed.
func (e *expander) repeated(b []byte, base, pos int, s *recall.Slot, inTime bool) {
	kind, m := ActionKind(s.Kind()), &e.memo
	e.act.code++
	if kind == Delivers {
		s.Words[wordTimes]++
	} else {
		f := &m.effects[s.Effect-1]
		m.coverEffect(f, &e.cover.Counts, 1)
		if len(b)-base == len(e.now.state) && unchanged(&e.Layout, kind, b[base:], e.now.state) {
			return
		}
		e.cover.Count(uint8(kind), f.rules, 1)
	}
	e.out.End(b, codeOf(kind, pos, e.act.code))
	if inTime && kind.Owed() {
		e.now.owed++
	}
}

// putProcess makes a process in next what the words of an effect make of it in
// from. It writes full words, and with them what stands behind the process in from.
func (e *expander) putProcess(next, from []byte, pos int, words []uint64) {
	at := e.ProcOff + pos*e.ProcSize
	for i := range e.memo.pad {
		stay, put := words[wordProc+2*i], words[wordProc+2*i+1]
		binary.LittleEndian.PutUint64(next[at:at+8], binary.LittleEndian.Uint64(from[at:at+8])&stay|put)
		at += 8
	}
}

// decodeQuick is decode where effects are known: only what differs from the
// state before is decoded.
func (e *expander) decodeQuick(state []byte) {
	q := &e.quick
	q.Take(state, e.InWords())
	if e.IDsOff >= 0 && string(q.IDs) != string(state[e.IDsOff:e.IDsOff+e.N]) {
		copy(q.IDs, state[e.IDsOff:])
		for pos, id := range q.IDs {
			e.now.ids[pos], e.now.at[id-1] = ID(id), pos
		}
		q.Forget()
	}
	buf, seen, word := q.Buf, q.Seen, 0
	for pos := range e.N {
		differs, at := uint64(0), e.ProcOff+pos*e.ProcSize
		for _, mask := range q.Mask {
			now := binary.LittleEndian.Uint64(buf[at:at+8]) & mask
			differs |= now ^ seen[word]
			seen[word] = now
			at += 8
			word++
		}
		if differs != 0 {
			not := ^(Set(1) << pos)
			e.now.up, e.now.down, e.now.waiting, e.now.parts = e.now.up&not, e.now.down&not, e.now.waiting&not, e.now.parts&not
			e.decodeProcess(state, pos)
		}
	}
	e.now.decodeRest(state)
}

// deliverWords is deliveries where effects are known and records are integers.
func (e *expander) deliverWords() (anyDeliverable, anyDue bool) {
	q, m := &e.quick, &e.memo
	timed, lockstep := e.DueOff >= 0, e.setting.Timing.Kind == setting.Lockstep
	least, before := ^uint64(0), ^uint64(0)
	q.Without(0)
	for i, rec := range q.Recs[:len(q.Recs)-1] {
		if i > 0 {
			q.Put(i-1, before)
		}
		q.Gone = i
		least = min(least, rec&0xff)
		behind := (rec^before)&q.Order == 0
		before = rec
		if behind || lockstep && rec&0xff > 0 {
			continue
		}
		to := int(rec >> (q.Top & 63))
		switch bit := Set(1) << (to & 63); {
		case e.now.up&bit != 0:
			anyDeliverable = true
			if number := m.number[to]; number != unnumbered {
				if s := m.index.Find(recall.CauseOf(number, uint8(Delivers), rec&m.dueMask, e.now.unreachable)); s != nil {
					e.repeat(to, i, -1, s)
					continue
				}
			}
			e.run(act{kind: Delivers, pos: to, msg: i, port: Port(e.now.record(i)[1]), budget: -1})
		case e.now.waiting&bit != 0:
			e.quiet(act{kind: Drops, pos: to, msg: i, port: Port(e.now.record(i)[1]), budget: -1})
		}
	}
	return anyDeliverable, timed && least == 0
}
