package model

import (
	"encoding/binary"
	"slices"

	"bullyproof/explore"
)

// The states at the end of a phase in which no fault is left are a product
// of many, and what each process gets in the next one depends on who sends it what. So
// what stands for a process and its mail is looked up by its local state and, for each
// sender, the number of what that one sends to it. TestReducedRemembersRightly holds this
// against states that are composed and made normal one by one.

// shipments number what one process sends to another in a phase.
type shipments struct {
	numbers map[string]int32
	events  [][]int32
	ready   map[string]*ready
	aged    map[int32]int32 // local states after a tick
}

// A ready process is what stands for one, with the records of what is due to it.
type ready struct {
	*likeness
	proc    []byte
	records []byte
}

// A landing is an end of a stage, after a tick.
type landing struct {
	due, lasts bool    // a timer is due; one is set, or a message is sent
	local      int32   // after the tick
	to         []int32 // by receiver, the number of what is sent to it
}

// maxReady is how many ready processes are kept before all are forgotten.
const maxReady = 1 << 19

// landings returns the ends of a stage as they are after a tick.
func (x *reducer) landings(pos int, s *stage) []landing {
	if s.landings != nil {
		return s.landings
	}
	f := &x.fore
	for _, i := range s.final {
		n := &s.nodes[i]
		l := landing{due: x.isDue(f.locals[n.local]), lasts: len(n.sends) > 0}
		for _, t := range f.locals[n.local].timers {
			l.lasts = l.lasts || t > 0
		}
		if !l.due {
			l.local = x.aged(pos, n.local)
		}
		for to := range f.n {
			var events []int32
			for _, m := range n.sends {
				if int(m.to) == to {
					events = append(events, m.event)
				}
			}
			l.to = append(l.to, f.shipment(events))
		}
		s.landings = append(s.landings, l)
	}
	return s.landings
}

// aged returns a local state after a tick.
func (x *reducer) aged(pos int, local int32) int32 {
	f, e := &x.fore, x.expander
	if y, ok := f.shipments.aged[local]; ok {
		return y
	}
	key := []byte(f.locals[local].key)
	if f.up>>pos&1 != 0 {
		for t := range e.names.Timers {
			if at := &key[e.timerOff+t*e.timerLen]; *at > 1 {
				*at--
			}
		}
	}
	y := f.localOf(pos, key)
	if f.shipments.aged == nil {
		f.shipments.aged = map[int32]int32{}
	}
	f.shipments.aged[local] = y
	return y
}

// shipment returns the number of what is sent.
func (f *foresight) shipment(events []int32) int32 {
	s, key := &f.shipments, appendNumbers(nil, events...)
	if i, ok := s.numbers[string(key)]; ok {
		return i
	}
	if s.numbers == nil {
		s.numbers = map[string]int32{}
	}
	i := int32(len(s.events))
	s.numbers[string(key)] = i
	s.events = append(s.events, events)
	return i
}

// readyAt returns what stands for a process of a local state that gets some shipments.
// The key says which.
func (x *reducer) readyAt(pos int, local int32, key []byte) *ready {
	f, e := &x.fore, x.expander
	if r := f.shipments.ready[string(key)]; r != nil {
		return r
	}
	var records [][]byte
	for at := 5; at < len(key); at += 4 {
		for _, ev := range f.shipments.events[binary.LittleEndian.Uint32(key[at:])] {
			records = append(records, x.putDue(nil, pos, ev))
		}
	}
	e.sortRecords(records)
	var due []int32
	for _, rec := range records {
		due = append(due, f.message(rec[1:e.dueOff]))
	}
	r := &ready{likeness: f.likenessOf(pos, local, due)}
	r.proc = []byte(f.locals[r.local].key)[:e.procSize]
	for _, ev := range r.likeness.events {
		r.records = x.putDue(r.records, pos, ev)
	}
	if f.shipments.ready == nil || len(f.shipments.ready) > maxReady {
		f.shipments.ready = map[string]*ready{}
	}
	f.shipments.ready[string(key)] = r
	return r
}

// quickEnds appends the states at the end of the phase. It reports false where they
// have to be composed one by one.
func (x *reducer) quickEnds(out *explore.Successors) bool {
	e, f, l := x.expander, &x.fore, &x.jump
	if !x.likens() || !x.calm(e.state) || f.fifo || e.pendingOff >= 0 || e.dueOff+1 != e.width || x.r.flaws&forgetful != 0 {
		return false
	}
	for pos := range f.n {
		var waiting []int32 // sent in the phase before
		for i := range f.mail {
			m := &f.mail[i]
			switch {
			case m.due > 1:
				return false
			case m.due == 1 && m.to == pos:
				waiting = append(waiting, m.event)
			}
		}
		l.waiting[pos] = f.shipment(waiting)
	}
	l.choices, l.chosen = l.choices[:0], l.chosen[:0]
	for pos, s := range l.stages {
		l.choices, l.chosen = append(l.choices, x.landings(pos, s)), append(l.chosen, nil)
	}
	l.anyWaits = slices.ContainsFunc(f.mail, func(m flying) bool { return m.due == 1 })
	x.quickEnd(out, 0, false, false)
	clear(l.at)
	return true
}

// quickEnd appends the product from a position on.
func (x *reducer) quickEnd(out *explore.Successors, pos int, due, lasts bool) {
	l := &x.jump
	if pos == len(l.choices) {
		if due || !lasts && !l.anyWaits || !x.quickLand(out) {
			x.land(out, !due)
		}
		return
	}
	for i := range l.choices[pos] {
		c := &l.choices[pos][i]
		l.chosen[pos], l.at[pos] = c, l.stages[pos].final[i]
		x.quickEnd(out, pos+1, due || c.due, lasts || c.lasts)
	}
}

// quickLand appends the state after a tick. It reports false where that is to be
// composed.
func (x *reducer) quickLand(out *explore.Successors) bool {
	e, f, l := x.expander, &x.fore, &x.jump
	f.tables, f.up = l.tables, e.up
	ends, values := 1, 1
	for pos, c := range l.chosen {
		key := appendNumbers(append(l.key[:0], byte(pos)), c.local)
		for _, from := range l.chosen {
			key = appendNumbers(key, from.to[pos])
		}
		key = appendNumbers(key, l.waiting[pos])
		l.key = key
		r := x.readyAt(pos, c.local, key)
		if l.ready[pos] = r; !r.known {
			return false
		}
		if ends, values = ends*r.ends, values*len(r.values); ends > maxProduct || values > maxJudged {
			return false
		}
	}
	b := out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff]...)
	for pos := range l.chosen {
		copy(e.proc(b[base:], pos), l.ready[pos].proc)
		b = append(b, l.ready[pos].records...)
	}
	x.note(explored{kind: Ticks, pos: -1}, true)
	if normal, known := x.past.of(b[base:]); known {
		b = append(b[:base], normal...)
	} else {
		b = x.withoutDead(b, base)
		x.past.keep(b[base:])
	}
	l.count++
	out.End(b, codeOf(leapKind, 0, l.count))
	return true
}
