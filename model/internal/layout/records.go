package layout

import (
	"bytes"
	"encoding/binary"
	"slices"

	"bullyproof/model/process"
)

// SameLink reports whether two records are of messages on one link.
func SameLink(a, b []byte) bool { return a[0] == b[0] && a[1] == b[1] }

// AnyDue reports whether a message is due in a state, where time passes in ticks.
func (l *Layout) AnyDue(state []byte) bool {
	for i := l.MsgOff + l.DueOff; i < len(state); i += l.Width {
		if state[i] == 0 {
			return true
		}
	}
	return false
}

// InWords reports whether records are integers in a recall.Quick.
func (l *Layout) InWords() bool { return l.Width <= 8 }

// Word returns a record as an integer: its first byte is the highest.
func (l *Layout) Word(rec []byte) uint64 {
	if l.Width == 4 {
		return uint64(binary.BigEndian.Uint32(rec))
	}
	return binary.BigEndian.Uint64(rec)
}

// key returns the part of a record that decides its place as an integer; it is
// asked for where KeyBytes is not 0.
func (l *Layout) key(rec []byte) uint64 {
	switch l.KeyBytes {
	case 2:
		return uint64(binary.BigEndian.Uint16(rec))
	case 4:
		return uint64(binary.BigEndian.Uint32(rec))
	}
	return binary.BigEndian.Uint64(rec)
}

// Less reports whether record a has its place before b.
func (l *Layout) Less(a, b []byte) bool {
	if l.KeyBytes > 0 {
		return l.key(a) < l.key(b)
	}
	return bytes.Compare(a[:l.Width], b[:l.Width]) < 0
}

// Same reports whether two records are equal.
func (l *Layout) Same(a, b []byte) bool {
	switch l.Width {
	case 4:
		return binary.LittleEndian.Uint32(a) == binary.LittleEndian.Uint32(b)
	case 8:
		return binary.LittleEndian.Uint64(a) == binary.LittleEndian.Uint64(b)
	}
	return string(a[:l.Width]) == string(b[:l.Width])
}

// PlaceOf returns where in area, from an offset on, record rec has its place:
// behind its equals.
func (l *Layout) PlaceOf(area []byte, from int, rec []byte) int {
	w := l.Width
	switch l.KeyBytes {
	case 4:
		for k := binary.BigEndian.Uint32(rec); from < len(area) && binary.BigEndian.Uint32(area[from:]) <= k; {
			from += 4
		}
		return from
	case 2, 8:
		for k := l.key(rec); from < len(area) && l.key(area[from:]) <= k; {
			from += w
		}
		return from
	}
	for from < len(area) && !l.Less(rec, area[from:]) {
		from += w
	}
	return from
}

// Merge appends to b the messages of area from an offset on except for message
// gone, and those of recs, which are sorted, each in its place: area in pieces,
// cut where a message leaves or arrives.
func (l *Layout) Merge(b, recs, area []byte, gone, from int) []byte {
	w := l.Width
	for at := 0; at < len(recs); at += w {
		rec := recs[at : at+w]
		to := l.PlaceOf(area, from, rec)
		b = appendWithout(b, area, from, to, gone*w, w)
		b = append(b, rec...)
		from = to
	}
	return appendWithout(b, area, from, len(area), gone*w, w)
}

// appendWithout appends area[from:to] except for the w bytes at gone.
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

// Insert sorts the last of some records, which begins at at, into those before it:
// behind its equals.
func (l *Layout) Insert(recs []byte, at int) {
	rec := recs[at : at+l.Width]
	to := at
	for to > 0 && l.Less(rec, recs[to-l.Width:]) {
		to -= l.Width
	}
	if to < at {
		var one [256]byte
		tmp := append(one[:0], rec...)
		copy(recs[to+l.Width:], recs[to:at])
		copy(recs[to:], tmp)
	}
}

// Sort brings records into the order that they have in a state.
func (l *Layout) Sort(records [][]byte) {
	slices.SortStableFunc(records, func(a, b []byte) int {
		switch {
		case l.Less(a, b):
			return -1
		case l.Less(b, a):
			return 1
		}
		return 0
	})
}

// OnLink counts the messages on the link of the last of recs: those in area except for
// message gone, and those in recs before it.
func (l *Layout) OnLink(area []byte, gone int, recs []byte) (count int) {
	last := len(recs) - l.Width
	for i := 0; i < len(area); i += l.Width {
		if i != gone*l.Width && SameLink(area[i:], recs[last:]) {
			count++
		}
	}
	for i := 0; i < last; i += l.Width {
		if SameLink(recs[i:], recs[last:]) {
			count++
		}
	}
	return count
}

// FirstChange returns the offset in area up to which the messages stay where they are: that of
// message gone, if it is one, or of the first of recs, which are sorted, that arrives.
func (l *Layout) FirstChange(area, recs []byte, gone int) int {
	first := len(area)
	if gone >= 0 {
		first = gone * l.Width
	}
	if len(recs) > 0 {
		first = min(first, l.PlaceOf(area, 0, recs))
	}
	return first
}

// Heads writes to mail where the records in area begin that are for one of the positions here,
// of each link the first where channels keep the order, and of equal ones the first elsewhere.
// It returns for which positions they are, and whether a record is due, whomever it is for.
func (l *Layout) Heads(mail []uint32, area []byte, here process.Set, links bool) (heads []uint32, reached process.Set, anyDue bool) {
	width, due := l.Width, l.DueOff
	same := width
	if links {
		same = 2
	}
	mail = slices.Grow(mail[:0], len(area)/width)[:len(area)/width]
	before, n := uint64(0), 0
	if same == 4 { // of small messages there may be very many
		n, reached, anyDue = headWords(mail, area, here, due == 3)
		area = area[:0]
	}
	for at := 0; at+width <= len(area); at += width {
		var head uint64
		switch same {
		case 4:
			head = uint64(binary.LittleEndian.Uint32(area[at:]))
		case 2:
			head = uint64(binary.LittleEndian.Uint16(area[at:]))
		case 8:
			head = binary.LittleEndian.Uint64(area[at:])
		default:
			head = before + 1
			if at > 0 && string(area[at-width:at]) == string(area[at:at+width]) {
				head = before
			}
		}
		if due >= 0 && area[at+due] == 0 {
			anyDue = true
		}
		if head == before && at > 0 {
			continue
		}
		before = head
		bit := process.Set(1) << (area[at] & 63)
		mail[n] = uint32(at)
		if here&bit != 0 {
			reached |= bit
			n++
		}
	}
	return mail[:n], reached, anyDue
}

// headWords is Heads of records of four bytes, the last of which is the delay if they are
// timed; n is how many it writes to mail.
func headWords(mail []uint32, area []byte, here process.Set, timed bool) (n int, reached process.Set, anyDue bool) {
	least, before := ^uint32(0), uint32(0)
	for i := range mail {
		rec := binary.LittleEndian.Uint32(area[4*i:])
		if rec == before && i > 0 {
			continue
		}
		before = rec
		least = min(least, rec>>24)
		mail[n] = uint32(4 * i)
		if bit := process.Set(1) << (rec & 63); here&bit != 0 {
			reached |= bit
			n++
		}
	}
	return n, reached, timed && least == 0
}
