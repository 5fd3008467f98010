package model

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"unsafe"

	"github.com/zeebo/xxh3"

	"bullyproof/setting"
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

// An interner numbers keys, which are of one size.
type interner struct {
	size, most int
	keys       []byte
	index      []uint32 // 1 + number, 0 where free; a power of two, at most half full
}

// number returns the number of a key, from 0. It reports false where there is no
// room for one more.
func (t *interner) number(key []byte) (int, bool) {
	mask := uint64(len(t.index) - 1)
	h := xxh3.Hash(key)
	if len(t.index) > 0 {
		for ; t.index[h&mask] != 0; h++ {
			n := int(t.index[h&mask] - 1)
			if string(t.keys[n*t.size:(n+1)*t.size]) == string(key) {
				return n, true
			}
		}
	}
	n := t.len()
	if n == t.most {
		return 0, false
	}
	t.keys = append(t.keys, key...)
	if 2*n >= len(t.index) {
		t.grow()
	} else {
		t.index[h&mask] = uint32(n) + 1
	}
	return n, true
}

func (t *interner) len() int { return len(t.keys) / t.size }

// grow doubles the index.
func (t *interner) grow() {
	t.index = make([]uint32, max(64, 2*len(t.index)))
	mask := uint64(len(t.index) - 1)
	for n := range t.len() {
		h := xxh3.Hash(t.keys[n*t.size : (n+1)*t.size])
		for t.index[h&mask] != 0 {
			h++
		}
		t.index[h&mask] = uint32(n) + 1
	}
}

func (t *interner) reset() {
	t.keys = t.keys[:0]
	clear(t.index)
}

// A cause is what decides what a handler does, and what becomes of its sends.
type cause struct {
	who         uint64 // number of the state and the id of its process, and the kind of what happens
	event       uint64 // position and timer, or whom the detector reports; the message
	unreachable Set
}

func causeOf(state int, kind ActionKind, event uint64, unreachable Set) cause {
	return cause{uint64(state)<<8 | uint64(kind), event, unreachable}
}

// kind returns the kind of what happens.
func (c *cause) kind() ActionKind { return ActionKind(c.who) }

// An effect is what a handler did.
type effect struct {
	cause
	received Kind
	timed    bool
	timers   [8]uint8
	rules    uint64
	words    []uint64
	proc     int // where its process begins in memo.bytes
	recs     int // where the records of its sends begin, sorted, and where they end
	recsEnd  int
	sends    int // where its sends begin in memo.sends, and where they end
	sendsEnd int
}

// A slot of the index of effects has what it takes to have one happen again.
type slot struct {
	cause
	words  []uint64 // of the effect
	effect uint16   // 1 + its number, 0 where the slot is free
	recs   uint16   // records that it sends
}

// What the words of an effect are, each at its offset: how often it happened
// again (of deliveries), for each word of its process which bits stay and which are
// put there, and then, where records are integers, those of its sends, sorted, and
// noRecord.
const (
	wordTimes = iota
	wordProc
)

// A memo is empty until it is made useful by remember.
type memo struct {
	on             bool // effects are kept
	hot            bool // and nobody looks on as they happen again (repeat)
	states, events interner
	index          []slot // as an interner has it
	effects        []effect
	words          int      // of all effects
	block          []uint64 // of which those learnt last are the end
	bytes          []byte
	sends          []send
	sendSize       int   // bytes that one takes, with its message
	hands          hands // keep the messages of the sends
	key            []byte
	dueMask        uint64    // of a record as an integer: all but its delay
	pad            int       // words of a process
	cover          *coverage // of its expander
	hits, rest     int
	most, restFor  int    // effects; states for which a memo rests that was of no use
	latest         []byte // by position: the key of the state that has been decoded there
	number         [MaxID]int
}

// unnumbered is the number of a state that has none.
const unnumbered = -1

// remember has the expander keep what handlers do, where the setting lets it:
// where nothing but the process and the event decides what becomes of a step.
func (e *expander) remember() {
	s, m := &e.setting, &e.memo
	if s.MidSend || s.Capacity > 0 || s.Repaired || e.cutsOff >= 0 {
		return
	}
	m.on, m.most, m.restFor = true, mostEffects, memoRest
	m.states = interner{size: e.planP.Size() + 1, most: mostStates}
	m.events = interner{size: e.width, most: mostEvents}
	m.pad = (e.procSize + 7) / 8
	m.key = alone[byte](max(m.states.size, m.events.size, 16*m.pad))
	m.latest = alone[byte](e.n * m.states.size)
	m.hands, m.sendSize = e.hands, int(unsafe.Sizeof(send{})+e.typeM.Size())
	m.dueMask = ^uint64(0)
	if e.dueOff >= 0 {
		m.dueMask = ^uint64(0xff)
	}
	m.cover, e.cover.memo = e.cover, m
	m.hot = s.Timing.Kind != setting.LastResort && len(e.stepWatches) == 0 && len(e.monitors) == 0 && e.label == nil
	if m.hot {
		e.quick = e.newQuick()
	}
}

// refresh empties a memo that is full, before a state is decoded, and reports
// whether it did. One that was of little use rests for a while.
func (m *memo) refresh() bool {
	if m.rest > 0 {
		m.rest--
		return false
	}
	full := m.states.len() == m.states.most || m.events.len() == m.events.most || len(m.effects) == m.most ||
		len(m.bytes)+8*m.words > mostBytes || len(m.sends)*m.sendSize > mostBytes
	if !full {
		return false
	}
	if m.hits < 2*len(m.effects) {
		m.rest = m.restFor
	}
	m.tally(m.cover)
	m.states.reset()
	m.events.reset()
	clear(m.index)
	m.effects, m.words, m.bytes, m.sends, m.hits = m.effects[:0], 0, m.bytes[:0], m.sends[:0], 0
	m.hands.forget()
	clear(m.latest) // no process has id 0
	return true
}

// decoded reports whether the state of a process that is up is the one that has
// been decoded last at its position, and numbers it if it is not.
func (m *memo) decoded(pos int, id ID, p []byte) bool {
	size := m.states.size
	latest := m.latest[pos*size : (pos+1)*size]
	if latest[size-1] == byte(id) && string(latest[:size-1]) == string(p) {
		return true
	}
	copy(latest, p)
	latest[size-1] = byte(id)
	n, ok := 0, false
	if m.rest == 0 {
		n, ok = m.states.number(latest)
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
		m.latest[(pos+1)*m.states.size-1] = 0 // no process has id 0
	}
}

// tally counts the deliveries that happened again.
func (m *memo) tally(cover *coverage) {
	for i := range m.effects {
		f := &m.effects[i]
		times := int64(f.words[wordTimes])
		if times == 0 {
			continue
		}
		m.coverEffect(f, cover, times)
		cover.count(f.kind(), f.rules, times)
	}
}

// coverEffect counts what an effect received and sent, so many times.
func (m *memo) coverEffect(f *effect, cover *coverage, times int64) {
	if f.kind() == Delivers {
		cover.received[f.received] += times
	}
	for _, s := range m.sends[f.sends:f.sendsEnd] {
		cover.sent[s.kind] += times
	}
}

// hash returns a hash of a cause.
func (c *cause) hash() uint64 {
	h := c.event*0x9e3779b97f4a7c15 ^ (c.who+1)*0xd6e8feb86659fd93 ^ uint64(c.unreachable)*0xff51afd7ed558ccd
	return h ^ h>>32
}

// find returns the slot of a cause, nil where its effect is not known.
func (m *memo) find(c cause) *slot {
	if len(m.index) == 0 {
		return nil
	}
	mask := uint64(len(m.index) - 1)
	for h := c.hash(); ; h++ {
		s := &m.index[h&mask]
		if s.cause == c && s.effect != 0 {
			m.hits++
			return s
		}
		if s.effect == 0 {
			return nil
		}
	}
}

// add keeps an effect that is not known, and sends so many records.
func (m *memo) add(f effect, recs int) {
	m.effects = append(m.effects, f)
	if 2*len(m.effects) > len(m.index) {
		old := m.index
		m.index = make([]slot, max(64, 2*len(m.index)))
		for i := range old {
			if old[i].effect != 0 {
				m.enter(old[i])
			}
		}
	}
	m.words += len(f.words)
	m.enter(slot{f.cause, f.words, uint16(len(m.effects)), uint16(recs)})
}

// enter puts a slot into the index.
func (m *memo) enter(s slot) {
	mask := uint64(len(m.index) - 1)
	h := s.hash()
	for m.index[h&mask].effect != 0 {
		h++
	}
	m.index[h&mask] = s
}

// causeOf returns the cause of what happens in an action. It reports false where
// effects are not kept.
func (e *expander) causeOf(a *act) (c cause, ok bool) {
	m := &e.memo
	if !m.on || m.rest > 0 || e.rec != nil || m.number[a.pos] == unnumbered {
		return c, false
	}
	event := uint64(a.pos) | uint64(a.timer)<<8 | uint64(a.who)<<16
	switch a.kind {
	case Expires, Suspects, Misreports, Starts:
		ok = true
	case Delivers:
		event, ok = e.eventOf(e.record(a.msg))
	}
	return causeOf(m.number[a.pos], a.kind, event, e.unreachable), ok
}

// eventOf returns what tells a record from others but for its delay: itself, or a
// number where it is too large.
func (e *expander) eventOf(rec []byte) (uint64, bool) {
	m := &e.memo
	if e.inWords() {
		return e.word(rec) & m.dueMask, true
	}
	key := m.key[:e.width]
	copy(key, rec)
	if e.dueOff >= 0 {
		key[e.dueOff] = 0
	}
	n, ok := m.events.number(key)
	return uint64(n), ok
}

// recall has happen what is known of an action, and reports whether it is known.
func (e *expander) recall(a *act) bool {
	c, ok := e.causeOf(a)
	if !ok {
		return false
	}
	s := e.memo.find(c)
	if s == nil {
		return false
	}
	if e.memo.hot {
		e.repeat(a.pos, a.msg, a.budget, s)
	} else {
		e.redo(a, &e.memo.effects[s.effect-1])
	}
	return true
}

// redo has an effect happen again, as handle and emit would.
func (e *expander) redo(a *act, f *effect) {
	n, m := e.net, &e.memo
	e.begin(*a)
	n.script = n.script[:0]
	e.idle, e.moved = false, false
	n.self, n.from, n.rules, n.timed = e.ids[a.pos], 0, f.rules, f.timed
	copy(n.timers, f.timers[:])
	n.sends = append(n.sends, m.sends[f.sends:f.sendsEnd]...)
	e.hands.again(f.sends, f.sendsEnd)
	e.recs = append(e.recs, m.bytes[f.recs:f.recsEnd]...)
	e.procs.set(e.cur, e.procs.at(a.pos))
	e.planP.Get(e.cur, m.bytes[f.proc:])
	m.coverEffect(f, e.cover, 1)
	e.put()
}

// learn keeps what the handler of the action under way did, whose sends have been
// collected.
func (e *expander) learn() {
	n, m, a := e.net, &e.memo, &e.act
	c, ok := e.causeOf(a)
	recs := len(e.recs) / e.width
	if !ok || len(n.widths) > 0 || n.asked || len(m.effects) == m.most || recs > math.MaxUint16 {
		return
	}
	f := effect{cause: c, rules: n.rules, timed: n.timed, sends: len(m.sends), proc: len(m.bytes)}
	if a.kind == Delivers {
		f.received = e.hands.kind(e.message(e.record(a.msg)))
	}
	copy(f.timers[:], n.timers)
	m.bytes = e.planP.Append(m.bytes, e.cur)
	f.recs = len(m.bytes)
	m.bytes = append(m.bytes, e.recs...)
	f.recsEnd = len(m.bytes)
	f.words = e.learnWords()
	m.sends = append(m.sends, n.sends...)
	e.hands.keep()
	f.sendsEnd = len(m.sends)
	m.add(f, recs)
}

// learnWords returns the words of an effect.
func (e *expander) learnWords() []uint64 {
	m := &e.memo
	stay, put := m.key[:8*m.pad], m.key[8*m.pad:16*m.pad]
	e.learnProcess(stay, put)
	size := wordProc + 2*m.pad + len(e.recs)/e.width + 1
	if cap(m.block)-len(m.block) < size {
		m.block = make([]uint64, 0, max(size, wordBlock))
	}
	words := append(m.block[len(m.block):], 0)
	for i := 0; i < len(stay); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(stay[i:]), binary.LittleEndian.Uint64(put[i:]))
	}
	if e.inWords() {
		for recs := e.recs; len(recs) > 0; recs = recs[e.width:] {
			words = append(words, e.word(recs))
		}
		words = append(words, noRecord)
	}
	m.block = m.block[:len(m.block)+len(words)]
	return words[:len(words):len(words)]
}

// learnProcess writes down what becomes of the process that has acted: the bits
// that stay as they are, and the others. Of timers under last resort it says
// nothing: their ranks are those of all processes together.
func (e *expander) learnProcess(stay, put []byte) {
	clear(put)
	for i := range stay {
		stay[i] = 0xff
	}
	stay[0], put[0] = 0, byte(Up)
	clear(stay[e.pOff:e.procSize])
	e.planP.Put(put[e.pOff:], e.cur)
	if e.setting.Timing.Kind == setting.LastResort {
		return
	}
	for t, ticks := range e.net.timers {
		at := e.timerOff + t*e.timerLen
		if ticks == timerKept && !(e.act.kind == Expires && int(e.act.timer) == t) {
			continue
		}
		clear(stay[at : at+e.timerLen])
		if ticks != timerKept && ticks != timerStopped {
			e.timerSet(put[at:], ticks)
		}
	}
}

// repeat is redo where nobody looks on: only the successor counts.
func (e *expander) repeat(pos, msg, budget int, s *slot) {
	q := &e.quick
	size := len(e.state) + int(s.recs)*e.width
	if msg >= 0 {
		size -= e.width
	}
	b := e.out.Begin()
	base := len(b)
	room := size + quickRoom
	if cap(b)-base < room {
		b = slices.Grow(b, room)
	}
	next := b[base : base+room]
	if e.inWords() {
		q.without(msg)
		if s.recs == 0 {
			copyChunks(next, q.buf, size)
			e.putProcess(next, q.buf, pos, s.words)
		} else {
			copyChunks(next, q.buf, e.msgOff)
			e.putProcess(next, q.buf, pos, s.words) // full words: before the records
			q.merge(next[e.msgOff:], s.words[wordProc+2*e.memo.pad:], (size-e.msgOff)/e.width)
		}
	} else {
		f := &e.memo.effects[s.effect-1]
		e.spread(next, e.memo.bytes[f.recs:f.recsEnd], msg)
		e.putProcess(next, next, pos, s.words)
	}
	if e.pendingOff >= 0 && (s.kind() == Delivers || s.kind() == Starts) {
		e.putPositions(next, e.pendingOff, e.positions(next, e.pendingOff)&^(1<<pos))
	}
	if budget >= 0 {
		next[e.budget[budget]]--
	}
	e.repeated(b[:base+size], base, pos, s)
}

// repeated ends a successor that repeat has made, unless it is the state that it
// comes from.
func (e *expander) repeated(b []byte, base, pos int, s *slot) {
	kind, m := s.kind(), &e.memo
	e.code++
	if kind == Delivers {
		s.words[wordTimes]++
	} else {
		f := &m.effects[s.effect-1]
		m.coverEffect(f, e.cover, 1)
		if bytes.Equal(b[base:], e.state) {
			return
		}
		e.cover.count(kind, f.rules, 1)
	}
	e.out.End(b, codeOf(kind, pos, e.code))
	if kind.Owed() {
		e.owed++
	}
}

// putProcess makes a process in next what the words of an effect make of it in
// from. It writes full words, and with them what stands behind the process in from.
func (e *expander) putProcess(next, from []byte, pos int, words []uint64) {
	at := e.procOff + pos*e.procSize
	for i := range e.memo.pad {
		stay, put := words[wordProc+2*i], words[wordProc+2*i+1]
		binary.LittleEndian.PutUint64(next[at:at+8], binary.LittleEndian.Uint64(from[at:at+8])&stay|put)
		at += 8
	}
}

// spread copies the state under expansion to next with the records recs, which
// are sorted, put in, and without message msg, if it is one.
func (e *expander) spread(next, recs []byte, msg int) {
	area, w := e.area, e.width
	gone := len(area)
	if msg >= 0 {
		gone = msg * w
	}
	if len(recs) == 0 {
		n := copy(next, e.state[:e.msgOff+gone])
		if gone < len(area) {
			copy(next[n:], area[gone+w:])
		}
		return
	}
	to, from := copy(next, e.state[:e.msgOff]), 0
	for ; len(recs) > 0; recs = recs[w:] {
		till := e.placeOf(area, from, recs[:w])
		if from <= gone && gone < till {
			to += copy(next[to:], area[from:gone])
			from = gone + w
		}
		if from < till {
			to += copy(next[to:], area[from:till])
		}
		to += copy(next[to:], recs[:w])
		from = till
	}
	if from <= gone && gone < len(area) {
		to += copy(next[to:], area[from:gone])
		from = gone + w
	}
	copy(next[to:], area[from:])
}
