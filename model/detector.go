package model

import (
	"unsafe"

	"bullyproof/setting"
)

// reports has the failure detector report, rightly and wrongly.
func (e *expander) reports() {
	if e.detector == setting.DetectorOff || e.down|e.paused == 0 && !e.cutting && e.granted[budgetSuspicions] == 0 {
		return
	}
	s, wrong := &e.setting, e.left(e.state, budgetSuspicions) > 0
	told := e.up &^ e.paused
	if !s.ReportsAlways {
		told &^= e.parts
	}
	for pos := range e.n {
		if told>>pos&1 == 0 || s.Detectors != 0 && !s.Detectors.Has(e.ids[pos]) {
			continue
		}
		for t := e.watched(pos); t != 0; t &= t - 1 {
			who := t.Min()
			if int(who) > e.n || who == e.ids[pos] {
				continue
			}
			a := act{kind: Suspects, pos: pos, msg: -1, who: who, budget: -1}
			switch at := e.at[who-1]; {
			case e.down>>at&1 != 0, e.up>>at&1 != 0 && e.silent(pos, at):
				e.run(a)
			case e.up>>at&1 != 0 && wrong:
				a.kind, a.budget = Misreports, budgetSuspicions
				e.run(a)
			}
		}
	}
}

// silent reports whether the failure detector of one position takes another,
// which is up, to be down.
func (e *expander) silent(pos, other int) bool {
	return e.detector == setting.DetectorReach && (e.paused>>other&1 != 0 ||
		e.cutting && (e.severed(e.state, pos, other) || e.severed(e.state, other, pos)))
}

// watched returns the ids that the detector watches for a position.
func (e *expander) watched(pos int) Set {
	return e.watchedBy(e.hands, e.procs.at(pos), e.ids[pos], e.belief[pos].Elected)
}

// watchedBy returns the ids that the detector watches for a process in state p,
// which takes elected for the coordinator.
func (w *world) watchedBy(c code, p unsafe.Pointer, self, elected ID) Set {
	if w.has.watcher {
		return c.watches(p, self)
	}
	if elected != None && elected != Me {
		return SetOf(elected)
	}
	return 0
}
