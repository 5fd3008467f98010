package model

import (
	"encoding/binary"
	"unsafe"

	"bullyproof/setting"
)

// What is known of a delivery happens again many times over, so most of a
// search's transitions are made here. They are made of few instructions, and with
// few branches that depend on the state: a processor that guesses one wrongly loses
// the time of several copies. So copies have as many bytes for all successors of a
// state, and two sorted lists of records are merged without asking which of them
// ends first.

const (
	quickChunk = 32             // bytes that are copied at once
	quickRoom  = 2 * quickChunk // behind a state, for what is written too much
	noRecord   = 1<<63 - 1      // behind all records: their receivers are below 64
)

// A quick is the state under expansion, in a form for copies.
type quick struct {
	size   int      // of the state
	msgOff int      // where its records begin
	width  int      // of a record
	top    int      // bits of a record behind its receiver
	order  uint64   // the bits of a record that decide its place
	recs   []uint64 // the records, as integers in their order, and noRecord

	// The state without one of its records, or with all of them: as bytes, with room
	// behind it, and its records as integers, and noRecord.
	gone int // which one: the number of records is none of them
	buf  []byte
	rest []uint64

	// The processes that were decoded last, in words with what stands behind them
	// masked, and their timers: handlers' effects do not depend on these.
	mask, seen []uint64
	ids        []byte
}

// inWords reports whether records are integers in what is quick.
func (w *world) inWords() bool { return w.width <= 8 }

// word returns a record as an integer: its first byte is the highest.
func (w *world) word(rec []byte) uint64 {
	if w.width == 4 {
		return uint64(binary.BigEndian.Uint32(rec))
	}
	return binary.BigEndian.Uint64(rec)
}

// newQuick returns the quick of a world.
func (w *world) newQuick() quick {
	pad := (w.procSize + 7) / 8
	q := quick{msgOff: w.msgOff, width: w.width, top: 8 * (w.width - 1), order: ^uint64(0), mask: make([]uint64, pad), seen: alone[uint64](pad * w.n)}
	if w.setting.FIFO {
		q.order <<= 8 * (w.width - 2)
	}
	kept := make([]byte, 8*pad)
	kept[0] = 0xff
	for i := w.pOff; i < w.procSize; i++ {
		kept[i] = 0xff
	}
	for i := range q.mask {
		q.mask[i] = binary.LittleEndian.Uint64(kept[8*i:])
	}
	if w.idsOff >= 0 {
		q.ids = alone[byte](w.n)
	}
	q.forget()
	return q
}

// alone returns a slice with room behind it, so that it has no cache line in common
// with what another worker writes: expanders are made one after the other, and what
// they are made of would stand in a row.
func alone[T any](n int) []T { return make([]T, n, n+roomBehind(unsafe.Sizeof(*new(T)))) }

// roomBehind is how many values of a size that room takes.
func roomBehind(size uintptr) int {
	const lines = 128 // bytes: processors fetch two lines of 64 together
	return 1 + int(lines/max(1, size))
}

// forget has all processes be decoded anew.
func (q *quick) forget() {
	for i := range q.seen {
		q.seen[i] = ^uint64(0) // no process has such a status
	}
}

// take takes a state, without its first record.
func (q *quick) take(state []byte, inWords bool) {
	q.size, q.gone = len(state), 0
	if room := q.size + quickRoom; len(q.buf) < room {
		q.buf = alone[byte](2 * room)
	}
	area := state[q.msgOff:]
	if !inWords || len(area) == 0 {
		copy(q.buf, state)
		area = nil
	} else {
		copy(q.buf, state[:q.msgOff])
		copy(q.buf[q.msgOff:], area[q.width:])
	}
	count := len(area) / q.width
	if cap(q.recs) <= count {
		more := 2*count + 16
		q.recs, q.rest = make([]uint64, more), make([]uint64, more)
	}
	q.recs, q.rest = q.recs[:cap(q.recs)], q.rest[:cap(q.rest)]
	recs := q.recs[:count+1]
	if q.width == 4 {
		for i := range count {
			recs[i] = uint64(binary.BigEndian.Uint32(area[4*i : 4*i+4]))
		}
	} else {
		for i := range count {
			recs[i] = binary.BigEndian.Uint64(area[8*i : 8*i+8])
		}
	}
	recs[count] = noRecord
	copy(q.rest, recs[1:])
	q.recs, q.rest = recs, q.rest[:count+1]
	q.rest[count] = noRecord
}

// without has a record be gone, none if it is -1.
func (q *quick) without(gone int) {
	if gone < 0 {
		gone = len(q.recs) - 1
	}
	for ; q.gone < gone; q.gone++ {
		q.put(q.gone, q.recs[q.gone])
	}
	for q.gone > gone {
		q.gone--
		q.put(q.gone, q.recs[q.gone+1])
	}
}

// put puts a record to a place of the rest.
func (q *quick) put(place int, rec uint64) {
	q.rest[place] = rec
	putWord(q.buf[q.msgOff+place*q.width:], q.width, rec)
}

// putWord writes a record.
func putWord(b []byte, width int, rec uint64) {
	if width == 4 {
		binary.BigEndian.PutUint32(b, uint32(rec))
		return
	}
	binary.BigEndian.PutUint64(b, rec)
}

// copyChunks copies n bytes, and up to the end of the last chunk.
func copyChunks(to, from []byte, n int) {
	for at := 0; at < n; at += quickChunk {
		t, f := (*[quickChunk]byte)(to[at:at+quickChunk]), (*[quickChunk]byte)(from[at:at+quickChunk])
		*(*[16]byte)(t[:16]) = *(*[16]byte)(f[:16]) // moves without calls, other than one of 32 bytes
		*(*[16]byte)(t[16:]) = *(*[16]byte)(f[16:])
	}
}

// merge writes so many records to area: those of the rest and others, which are
// sorted and end with noRecord. One of the rest stands before its equals.
func (q *quick) merge(area []byte, recs []uint64, count int) {
	rest, order, out := q.rest, q.order, 0 // of the others, so many are written
	if q.width == 4 {
		for i := range count {
			a, b := rest[i-out], recs[out]
			later := (b&order - a&order) >> 63 // 1 where a is behind b
			binary.BigEndian.PutUint32(area[4*i:4*i+4], uint32(a^(a^b)&-later))
			out += int(later)
		}
		return
	}
	for i := range count {
		a, b := rest[i-out], recs[out]
		later := (b&order - a&order) >> 63
		binary.BigEndian.PutUint64(area[8*i:8*i+8], a^(a^b)&-later)
		out += int(later)
	}
}

// decodeQuick is decode where effects are known: only what differs from the
// state before is decoded.
func (e *expander) decodeQuick(state []byte) {
	q := &e.quick
	q.take(state, e.inWords())
	if e.idsOff >= 0 && string(q.ids) != string(state[e.idsOff:e.idsOff+e.n]) {
		copy(q.ids, state[e.idsOff:])
		for pos, id := range q.ids {
			e.ids[pos], e.at[id-1] = ID(id), pos
		}
		q.forget()
	}
	buf, seen, word := q.buf, q.seen, 0
	for pos := range e.n {
		differs, at := uint64(0), e.procOff+pos*e.procSize
		for _, mask := range q.mask {
			now := binary.LittleEndian.Uint64(buf[at:at+8]) & mask
			differs |= now ^ seen[word]
			seen[word] = now
			at += 8
			word++
		}
		if differs != 0 {
			not := ^(Set(1) << pos)
			e.up, e.down, e.waiting, e.parts = e.up&not, e.down&not, e.waiting&not, e.parts&not
			e.decodeProcess(state, pos)
		}
	}
	e.decodeRest(state)
}

// deliverWords is deliveries where effects are known and records are integers.
func (e *expander) deliverWords() (anyDeliverable, anyDue bool) {
	q, m := &e.quick, &e.memo
	timed, lockstep := e.dueOff >= 0, e.setting.Timing.Kind == setting.Lockstep
	least, before := ^uint64(0), ^uint64(0)
	q.without(0)
	for i, rec := range q.recs[:len(q.recs)-1] {
		if i > 0 {
			q.put(i-1, before)
		}
		q.gone = i
		least = min(least, rec&0xff)
		behind := (rec^before)&q.order == 0
		before = rec
		if behind || lockstep && rec&0xff > 0 {
			continue
		}
		to := int(rec >> (q.top & 63))
		switch bit := Set(1) << (to & 63); {
		case e.up&bit != 0:
			anyDeliverable = true
			if number := m.number[to]; number != unnumbered {
				if s := m.find(causeOf(number, Delivers, rec&m.dueMask, e.unreachable)); s != nil {
					e.repeat(to, i, -1, s)
					continue
				}
			}
			e.run(act{kind: Delivers, pos: to, msg: i, port: Port(e.record(i)[1]), budget: -1})
		case e.waiting&bit != 0:
			e.quiet(act{kind: Drops, pos: to, msg: i, port: Port(e.record(i)[1]), budget: -1})
		}
	}
	return anyDeliverable, timed && least == 0
}
