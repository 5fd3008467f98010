package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"bullyproof/internal/flat"
	"bullyproof/model/clock"
	"bullyproof/model/internal/layout"
)

// errDated is what a system says whose processes read clocks, where no time passes.
var errDated = errors.New("clocks and instants of package clock count ticks: want timing=sync:D or timing=lockstep")

// date finds where clocks and instants are.
func (w *world) date() error {
	p, m := clock.PlacesOf(w.typeP), clock.PlacesOf(w.typeM)
	switch {
	case len(m.Clocks) > 0:
		return errors.New("message: it has a clock.Clock, which is a process's own; want a clock.Instant")
	case len(p.Instants)+len(m.Instants) > 0 && !w.Timed:
		return errDated
	}
	w.Dates = layout.Dates{
		Clocks: encoded(&w.planP, p.Clocks), Instants: encoded(&w.planP, p.Instants), Sent: encoded(&w.planM, m.Instants), Oldest: clock.Oldest,
	}
	w.clocks = p.Clocks
	if w.has.Dater != nil {
		oldest := w.has.Dater.Oldest()
		if oldest < 0 || oldest > clock.Oldest {
			return fmt.Errorf("protocol %T: Oldest is %d ticks; 0 to %d are right", w.protocol.Protocol(), oldest, clock.Oldest)
		}
		w.Oldest = uint8(oldest)
	}
	return nil
}

// encoded returns where in encodings offsets of a type are, those aside that are not encoded.
func encoded(plan *flat.Plan, offsets []uintptr) (list []int) {
	for _, offset := range offsets {
		if at, ok := plan.At(offset); ok {
			list = append(list, at)
		}
	}
	return list
}

// dated reports whether values of a type hold the time.
func dated(t reflect.Type) bool {
	p := clock.PlacesOf(t)
	return p.Any()
}

// tellTime puts into p the clock of a position, as it is in the state under expansion.
func (now *decoded) tellTime(p unsafe.Pointer, pos int) {
	if len(now.clocks) > 0 {
		now.putClock(p, now.ClockAt(now.state, pos))
	}
}

// putClock puts a clock into p.
func (w *world) putClock(p unsafe.Pointer, ahead uint8) {
	for _, offset := range w.clocks {
		*(*uint8)(unsafe.Add(p, offset)) = ahead
	}
}

// viewLater makes v the view of a state in which the time is another one: processes that have done
// nothing may believe something else.
func (e *expander) viewLater(v *View, next []byte) {
	if e.asked.later == nil {
		e.asked.later = e.world.newExpander(nil)
	}
	e.asked.later.decode(next)
	e.asked.later.fillView(v)
}

// textLater returns the text that the message of a record has a tick later, "" if that is text.
func (e *expander) textLater(rec []byte, text string) string {
	rec = slices.Clone(rec)
	for _, off := range e.Dates.Sent {
		rec[e.MOff+off] = clock.Age(rec[e.MOff+off], e.Oldest)
	}
	if later := e.protocol.Text(e.act.message(rec)); later != text {
		return later
	}
	return ""
}

// clockSteps has clocks be set to another time.
func (e *expander) clockSteps() {
	if len(e.clocks) == 0 || e.Left(e.now.state, layout.BudgetClockSteps) == 0 {
		return
	}
	for pos := range e.N {
		if e.now.down>>pos&1 != 0 && e.Left(e.now.state, layout.BudgetRestarts) == 0 {
			continue // it never reads it again
		}
		for ahead := range e.setting.Skew + 1 {
			if uint8(ahead) != e.ClockAt(e.now.state, pos) {
				e.setClock(act{kind: SetsClock, pos: pos, msg: -1, budget: layout.BudgetClockSteps, which: uint8(ahead)})
			}
		}
	}
}

// setClock has the clock of a process step.
func (e *expander) setClock(a act) {
	if b, base, ok := e.copied(a); ok {
		e.SetClock(b[base:], a.pos, a.which)
		e.accept(b, base)
	}
}
