package recall

import (
	"encoding/binary"
	"unsafe"

	"bullyproof/model/internal/layout"
)

// A known delivery happens again many times, so most of a search's transitions are
// made here. They are made of few instructions, and with few branches that depend
// on the state: a processor that guesses one wrongly loses the time of several
// copies. So copies have as many bytes for all successors of a state, and two
// sorted lists of records are merged without asking which of them ends first.

const (
	chunk = 32 // bytes that are copied at once

	// Room is behind a state, for what is written too much.
	Room = 2 * chunk
	// NoRecord is behind all records: their receivers are below 64.
	NoRecord = 1<<63 - 1
)

// A Quick is the state under expansion, in a form for copies.
type Quick struct {
	size   int      // of the state
	msgOff int      // where its records begin
	width  int      // of a record
	Top    int      // bits of a record behind its receiver
	Order  uint64   // the bits of a record that decide its place
	Recs   []uint64 // the records, as integers in their order, and noRecord

	// The state without one of its records, or with all of them: as bytes, with room
	// behind it, and its records as integers, and noRecord.
	Gone int // which one: the number of records is none of them
	Buf  []byte
	rest []uint64

	// The processes that were decoded last, in words with what stands behind them
	// masked, and their timers: handlers' effects do not depend on these.
	Mask, Seen []uint64
	IDs        []byte
}

// Alone returns a slice with room behind it, so that it has no cache line in common
// with what another worker writes: expanders are made one after the other, and what
// they are made of would stand in a row.
func Alone[T any](n int) []T { return make([]T, n, n+RoomBehind(unsafe.Sizeof(*new(T)))) }

// RoomBehind is how many values of a size that room takes.
func RoomBehind(size uintptr) int {
	const lines = 128 // bytes: processors fetch two lines of 64 together
	return 1 + int(lines/max(1, size))
}

// Forget has all processes be decoded anew.
func (q *Quick) Forget() {
	for i := range q.Seen {
		q.Seen[i] = ^uint64(0) // no process has such a status
	}
}

// Take takes a state, without its first record.
func (q *Quick) Take(state []byte, inWords bool) {
	q.size, q.Gone = len(state), 0
	if room := q.size + Room; len(q.Buf) < room {
		q.Buf = Alone[byte](2 * room)
	}
	area := state[q.msgOff:]
	if !inWords || len(area) == 0 {
		copy(q.Buf, state)
		area = nil
	} else {
		copy(q.Buf, state[:q.msgOff])
		copy(q.Buf[q.msgOff:], area[q.width:])
	}
	count := len(area) / q.width
	if cap(q.Recs) <= count {
		more := 2*count + 16
		q.Recs, q.rest = make([]uint64, more), make([]uint64, more)
	}
	q.Recs, q.rest = q.Recs[:cap(q.Recs)], q.rest[:cap(q.rest)]
	recs := q.Recs[:count+1]
	if q.width == 4 {
		for i := range count {
			recs[i] = uint64(binary.BigEndian.Uint32(area[4*i : 4*i+4]))
		}
	} else {
		for i := range count {
			recs[i] = binary.BigEndian.Uint64(area[8*i : 8*i+8])
		}
	}
	recs[count] = NoRecord
	copy(q.rest, recs[1:])
	q.Recs, q.rest = recs, q.rest[:count+1]
	q.rest[count] = NoRecord
}

// Without has a record be gone, none if it is -1.
func (q *Quick) Without(gone int) {
	if gone < 0 {
		gone = len(q.Recs) - 1
	}
	for ; q.Gone < gone; q.Gone++ {
		q.Put(q.Gone, q.Recs[q.Gone])
	}
	for q.Gone > gone {
		q.Gone--
		q.Put(q.Gone, q.Recs[q.Gone+1])
	}
}

// Put puts a record to a place of the rest.
func (q *Quick) Put(place int, rec uint64) {
	q.rest[place] = rec
	putWord(q.Buf[q.msgOff+place*q.width:], q.width, rec)
}

// putWord writes a record.
func putWord(b []byte, width int, rec uint64) {
	if width == 4 {
		binary.BigEndian.PutUint32(b, uint32(rec))
		return
	}
	binary.BigEndian.PutUint64(b, rec)
}

// CopyChunks copies n bytes, and up to the end of the last chunk.
func CopyChunks(to, from []byte, n int) {
	for at := 0; at < n; at += chunk {
		t, f := (*[chunk]byte)(to[at:at+chunk]), (*[chunk]byte)(from[at:at+chunk])
		*(*[16]byte)(t[:16]) = *(*[16]byte)(f[:16]) // moves without calls, other than one of 32 bytes
		*(*[16]byte)(t[16:]) = *(*[16]byte)(f[16:])
	}
}

// Merge writes so many records to area: those of the rest and others, which are
// sorted and end with noRecord. One of the rest stands before its equals.
func (q *Quick) Merge(area []byte, recs []uint64, count int) {
	rest, order, out := q.rest, q.Order, 0 // of the others, so many are written
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

// NewQuick returns the quick of states that are laid out so; links says that their records
// have their places by link alone.
func NewQuick(l *layout.Layout, links bool) Quick {
	pad := (l.ProcSize + 7) / 8
	q := Quick{msgOff: l.MsgOff, width: l.Width, Top: 8 * (l.Width - 1), Order: ^uint64(0), Mask: make([]uint64, pad), Seen: Alone[uint64](pad * l.N)}
	if links {
		q.Order <<= 8 * (l.Width - 2)
	}
	kept := make([]byte, 8*pad)
	kept[0] = 0xff
	for i := l.POff; i < l.ProcSize; i++ {
		kept[i] = 0xff
	}
	for i := range q.Mask {
		q.Mask[i] = binary.LittleEndian.Uint64(kept[8*i:])
	}
	if l.IDsOff >= 0 {
		q.IDs = Alone[byte](l.N)
	}
	q.Forget()
	return q
}
