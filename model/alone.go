package model

import (
	"reflect"

	"bullyproof/model/setting"
)

// One order of events, where the order makes no difference.
//
// Take a process to which one event alone can happen, and nobody else can take that away or
// bring another: it happens at once, and nothing beside it (Telling.Alone). It commutes with
// whatever happens elsewhere, and it is owed, so that every fair run has it sooner or later.
//
//   - On a FIFO ring without timers (setting of messageRing in package reduce) the event is the
//     delivery of the head of the one link to the process: others append to that link at most.
//     In a cycle of states all processes have messages delivered, so nothing is left out for good.
//   - In lockstep what arrives in a phase was sent before it. The event is the delivery of the one
//     message that is due to the process, or, where none is due to anybody, the expiry of its one
//     timer that is due. A phase ends, so nothing is left out for good.
//
// Chance needs that it is one event and no more. A scheduler that may take one of two events at a
// process may wait for what others toss and take the one or the other by that; who has one has
// nothing to wait for. (C. Baier, P. D'Argenio, M. Grösser, Partial order reduction for
// probabilistic branching time, 2005, condition A5.) An event whose handler chooses (Label.Freely)
// is several, so a search that finds such a label is to be made again without.

// mayBeAlone reports whether the setting of a world is one of those: without faults, and with nobody down.
func mayBeAlone(w *world) bool {
	s := &w.setting
	if !reflect.DeepEqual(s.World, setting.World{}) || s.Start != setting.ColdStart || s.Capacity > 0 || s.Repaired {
		return false
	}
	return s.Timing.Kind == setting.Lockstep || s.Topology == setting.Ring && s.FIFO && !s.Timing.Kind.Discrete() && len(w.names.Timers) == 0
}

// runsAlone has the event of the first process happen to which it can happen alone. It reports false
// where there is none.
func (l *labeler) runsAlone(e *expander) bool {
	if !l.alone {
		return false
	}
	var count, message [MaxID]int
	due := false
	for i := range len(e.now.area) / e.Width {
		rec := e.now.record(i)
		if e.now.early(rec) {
			continue
		}
		due = true
		if i > 0 && e.now.behind(i) {
			continue
		}
		count[rec[0]]++
		message[rec[0]] = i
	}
	var pending Set
	if e.PendingOff >= 0 && e.setting.Initiators.Lazy {
		pending = e.Positions(e.now.state, e.PendingOff)
	}
	if pending != 0 && e.DueOff >= 0 {
		return false // whoever begins between two ticks may do so before the end of a round
	}
	for pos := range e.N {
		timers, timer := e.now.dueTimers(pos)
		switch {
		case pending>>pos&1 != 0:
		case count[pos] == 1:
			e.run(act{kind: Delivers, pos: pos, msg: message[pos], port: Port(e.now.record(message[pos])[1]), budget: -1})
			return true
		case !due && timers == 1:
			e.run(act{kind: Expires, pos: pos, msg: -1, timer: timer, budget: -1})
			return true
		}
	}
	return false
}

// dueTimers returns how many timers of a process are due, and one of them.
func (now *decoded) dueTimers(pos int) (count int, one Timer) {
	timers := now.TimersOf(now.state, pos)
	for t := range now.names.Timers {
		if timers[t*now.TimerLen] == 1 {
			count, one = count+1, Timer(t)
		}
	}
	return count, one
}

// amid reports whether something is due before time passes.
func (now *decoded) amid() bool {
	for i := range len(now.area) / now.Width {
		if !now.early(now.record(i)) {
			return true
		}
	}
	for pos := range now.N {
		if count, _ := now.dueTimers(pos); count > 0 {
			return true
		}
	}
	return false
}
