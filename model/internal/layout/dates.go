package layout

import "bullyproof/model/clock"

// Dates says where clocks and instants stand in states of processes and in messages: offsets in
// the encodings of these.
type Dates struct {
	Clocks, Instants []int // of a process
	Sent             []int // instants, of a message
	Oldest           uint8 // how many ticks ago an instant is at most (clock.Instant.Older)
}

// Dated reports whether there is a clock or an instant anywhere.
func (d *Dates) Dated() bool { return len(d.Clocks)+len(d.Instants)+len(d.Sent) > 0 }

// Ages reports whether a tick makes an instant of a state older.
func (l *Layout) Ages(state []byte) bool {
	ages := false
	if len(l.Instants)+len(l.Sent) == 0 {
		return false
	}
	l.instants(state, func(at *byte) { ages = ages || *at != 0 })
	return ages
}

// age makes every instant of a state a tick older. The messages sent may be out of order then:
// those that differed in dates that have become long ago.
func (l *Layout) age(next []byte) {
	if len(l.Instants)+len(l.Sent) == 0 {
		return
	}
	l.instants(next, func(at *byte) { *at = clock.Age(*at, l.Oldest) })
	if len(l.Sent) > 0 {
		for recs, at := next[l.MsgOff:], l.Width; at < len(recs); at += l.Width {
			l.Insert(recs, at)
		}
	}
}

// instants calls do with each instant of a state.
func (l *Layout) instants(state []byte, do func(at *byte)) {
	for pos := range l.N {
		proc := l.Proc(state, pos)
		for _, off := range l.Instants {
			do(&proc[l.POff+off])
			if l.OldOff >= 0 {
				do(&proc[l.OldOff+off])
			}
		}
	}
	for recs := state[l.MsgOff:]; len(recs) > 0; recs = recs[l.Width:] {
		for _, off := range l.Sent {
			do(&recs[l.MOff+off])
		}
	}
}

// SetClock has the clock of a position be some ticks ahead.
func (l *Layout) SetClock(state []byte, pos int, ahead uint8) {
	proc := l.Proc(state, pos)
	for _, off := range l.Dates.Clocks {
		proc[l.POff+off] = ahead
	}
}

// ClockAt returns how many ticks the clock of a position is ahead, where processes have one.
func (l *Layout) ClockAt(state []byte, pos int) uint8 {
	return l.Proc(state, pos)[l.POff+l.Dates.Clocks[0]]
}
