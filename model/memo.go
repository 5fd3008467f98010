package model

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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
	state       int // number of the state and the id of its process
	kind        ActionKind
	event       uint64 // position and timer, or whom the detector reports; the message
	unreachable Set
}

// An effect is what a handler did.
type effect struct {
	cause
	received Kind
	timed    bool
	timers   [8]uint8
	rules    uint64
	proc     int // where its process begins in memo.bytes: what stays, and what is put there
	recs     int // where the records of its sends begin, sorted, and where they end
	recsEnd  int
	sends    int // where its sends begin in memo.sends, and where they end
	sendsEnd int
}

// A memo is empty until it is made useful by remember.
type memo struct {
	on             bool // effects are kept
	hot            bool // and nobody looks on as they happen again (repeat)
	states, events interner
	index          []uint32 // 1 + number of an effect, as an interner has it
	effects        []effect
	bytes          []byte
	sends          []send
	sendSize       int   // bytes that one takes, with its message
	hands          hands // keep the messages of the sends
	key            []byte
	dueMask        uint64 // of a record as an integer: all but its delay
	pad            int    // bytes of a process, to full words
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
	m.key = make([]byte, max(m.states.size, m.events.size))
	m.latest = make([]byte, e.n*m.states.size)
	m.hands, m.sendSize = e.hands, int(unsafe.Sizeof(send{})+e.typeM.Size())
	m.pad = (e.procSize + 7) &^ 7
	m.dueMask = ^uint64(0)
	if e.dueOff >= 0 && e.width <= 8 {
		m.dueMask &^= 0xff << (8 * e.dueOff)
	}
	m.hot = s.Timing.Kind != setting.LastResort && len(e.stepWatches) == 0 && len(e.monitors) == 0 && e.label == nil
}

// refresh empties a memo that is full, before a state is decoded. One that was
// of little use rests for a while.
func (m *memo) refresh() {
	if m.rest > 0 {
		m.rest--
		return
	}
	full := m.states.len() == m.states.most || m.events.len() == m.events.most || len(m.effects) == m.most ||
		len(m.bytes) > mostBytes || len(m.sends)*m.sendSize > mostBytes
	if !full {
		return
	}
	if m.hits < 2*len(m.effects) {
		m.rest = m.restFor
	}
	m.states.reset()
	m.events.reset()
	clear(m.index)
	m.effects, m.bytes, m.sends, m.hits = m.effects[:0], m.bytes[:0], m.sends[:0], 0
	m.hands.forget()
	clear(m.latest) // no process has id 0
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

// hash returns a hash of a cause.
func (c *cause) hash() uint64 {
	h := (c.event^uint64(c.kind)<<56)*0x9e3779b97f4a7c15 ^ (uint64(c.state)+1)*0xd6e8feb86659fd93 ^ uint64(c.unreachable)*0xff51afd7ed558ccd
	hi, lo := bits.Mul64(h, 0x9fb21c651e98df25)
	return hi ^ lo
}

// find returns the effect of a cause, nil where it is not known.
func (m *memo) find(c *cause) *effect {
	if len(m.index) == 0 {
		return nil
	}
	mask := uint64(len(m.index) - 1)
	for h := c.hash(); m.index[h&mask] != 0; h++ {
		if f := &m.effects[m.index[h&mask]-1]; f.cause == *c {
			m.hits++
			return f
		}
	}
	return nil
}

// add keeps an effect that is not known.
func (m *memo) add(f effect) {
	m.effects = append(m.effects, f)
	if 2*len(m.effects) > len(m.index) {
		m.index = make([]uint32, max(64, 2*len(m.index)))
		for i := range m.effects {
			m.enter(i)
		}
		return
	}
	m.enter(len(m.effects) - 1)
}

// enter puts effect i into the index.
func (m *memo) enter(i int) {
	mask := uint64(len(m.index) - 1)
	h := m.effects[i].hash()
	for m.index[h&mask] != 0 {
		h++
	}
	m.index[h&mask] = uint32(i) + 1
}

// causeOf returns the cause of what happens in an action. It reports false where
// effects are not kept.
func (e *expander) causeOf(a *act) (c cause, ok bool) {
	m := &e.memo
	if !m.on || m.rest > 0 || e.rec != nil || m.number[a.pos] == unnumbered {
		return c, false
	}
	c = cause{state: m.number[a.pos], kind: a.kind, unreachable: e.unreachable}
	switch a.kind {
	case Delivers:
		c.event, ok = e.eventOf(e.record(a.msg))
	case Expires, Suspects, Misreports, Starts:
		c.event, ok = uint64(a.pos)|uint64(a.timer)<<8|uint64(a.who)<<16, true
	}
	return c, ok
}

// eventOf returns what tells a record from others but for its delay: itself, or a
// number where it is too large.
func (e *expander) eventOf(rec []byte) (uint64, bool) {
	m := &e.memo
	switch e.width {
	case 4:
		return uint64(binary.LittleEndian.Uint32(rec)) & m.dueMask, true
	case 8:
		return binary.LittleEndian.Uint64(rec) & m.dueMask, true
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
	f := e.memo.find(&c)
	if f == nil {
		return false
	}
	if e.memo.hot {
		e.repeat(a.pos, a.msg, a.budget, f)
	} else {
		e.redo(a, f)
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
	e.planP.Get(e.cur, m.bytes[f.proc+m.pad+e.pOff:])
	e.coverEffect(f)
	e.put()
}

// coverEffect counts what an effect received and sent.
func (e *expander) coverEffect(f *effect) {
	if f.kind == Delivers {
		e.cover.received[f.received]++
	}
	for _, s := range e.memo.sends[f.sends:f.sendsEnd] {
		e.cover.sent[s.kind]++
	}
}

// learn keeps what the handler of the action under way did, whose sends have been
// collected.
func (e *expander) learn() {
	n, m, a := e.net, &e.memo, &e.act
	c, ok := e.causeOf(a)
	if !ok || len(n.widths) > 0 || n.asked || len(m.effects) == m.most {
		return
	}
	f := effect{cause: c, rules: n.rules, timed: n.timed, proc: len(m.bytes), sends: len(m.sends)}
	if a.kind == Delivers {
		f.received = e.hands.kind(e.message(e.record(a.msg)))
	}
	copy(f.timers[:], n.timers)
	m.bytes = append(m.bytes, make([]byte, 2*m.pad)...)
	e.learnProcess(m.bytes[f.proc:f.proc+m.pad], m.bytes[f.proc+m.pad:])
	f.recs = len(m.bytes)
	m.bytes = append(m.bytes, e.recs...)
	f.recsEnd = len(m.bytes)
	m.sends = append(m.sends, n.sends...)
	e.hands.keep()
	f.sendsEnd = len(m.sends)
	m.add(f)
}

// learnProcess writes down what becomes of the process that has acted: the bits
// that stay as they are, and the others. Of timers under last resort it says
// nothing: their ranks are those of all processes together.
func (e *expander) learnProcess(stay, put []byte) {
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

// known returns the effect of the delivery of a message, nil where it is not
// known.
func (e *expander) known(rec []byte) *effect {
	m := &e.memo
	number := m.number[rec[0]]
	if number == unnumbered {
		return nil
	}
	event, ok := e.eventOf(rec)
	if !ok {
		return nil
	}
	return m.find(&cause{state: number, kind: Delivers, event: event, unreachable: e.unreachable})
}

// repeat is redo where nobody looks on: only the successor counts.
func (e *expander) repeat(pos, msg, budget int, f *effect) {
	m := &e.memo
	recs, gone := m.bytes[f.recs:f.recsEnd], len(e.area)
	size := len(e.state) + len(recs)
	if msg >= 0 {
		gone = msg * e.width
		size -= e.width
	}
	b := e.out.Begin()
	base := len(b)
	b = slices.Grow(b, size+8)[:base+size] // a process is written in full words
	next := b[base : base+size+8]
	e.spread(next, recs, gone)
	at := next[e.procOff+pos*e.procSize:]
	for off := 0; off < m.pad; off += 8 {
		stay, put := binary.LittleEndian.Uint64(m.bytes[f.proc+off:]), binary.LittleEndian.Uint64(m.bytes[f.proc+m.pad+off:])
		binary.LittleEndian.PutUint64(at[off:], binary.LittleEndian.Uint64(at[off:])&stay|put)
	}
	if e.pendingOff >= 0 && (f.kind == Delivers || f.kind == Starts) {
		e.putPositions(next, e.pendingOff, e.positions(next, e.pendingOff)&^(1<<pos))
	}
	if budget >= 0 {
		next[e.budget[budget]]--
	}
	e.coverEffect(f)
	e.code++
	if f.kind != Delivers && size == len(e.state) && bytes.Equal(next[:size], e.state) {
		return
	}
	e.out.End(b, codeOf(f.kind, pos, e.code))
	if f.kind.Owed() {
		e.owed++
	}
	e.cover.count(f.kind, f.rules)
}

// spread copies the state under expansion to next with the records recs, which
// are sorted, put in, and without the one at an offset of the messages.
func (e *expander) spread(next, recs []byte, gone int) {
	area, w := e.area, e.width
	if len(recs) == 0 {
		n := copy(next, e.state[:e.msgOff+gone])
		if gone < len(area) {
			copy(next[n:], area[gone+w:])
		}
		return
	}
	to, from := copy(next, e.state[:e.msgOff]), 0
	if w == 4 && e.keyBytes == 4 {
		for ; len(recs) > 0; recs = recs[4:] {
			rec := binary.BigEndian.Uint32(recs)
			for from < len(area) {
				one := binary.BigEndian.Uint32(area[from:])
				if one > rec {
					break
				}
				if from != gone {
					binary.BigEndian.PutUint32(next[to:], one)
					to += 4
				}
				from += 4
			}
			binary.BigEndian.PutUint32(next[to:], rec)
			to += 4
		}
	}
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
