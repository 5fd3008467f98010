package model

// Detector says what the failure detector knows. It reports a process to those
// that watch it: the coordinator that they know of, unless the protocol says
// otherwise (Watcher).
type Detector uint8

const (
	// DetectorDefault is DetectorReach where the setting has cuts or pauses, and
	// DetectorPerfect where it has neither.
	DetectorDefault Detector = iota
	// DetectorPerfect knows who is down. A cut hides nobody from it: whoever
	// takes its reports for granted notices nothing of a partition.
	DetectorPerfect
	// DetectorReach knows who answers: it reports a process that is down, and
	// one that a cut keeps from the observer, in whichever direction, or that
	// pauses.
	DetectorReach
	// DetectorOff reports nobody.
	DetectorOff
)

var (
	detectorNames = []string{DetectorDefault: "default", DetectorPerfect: "perfect", DetectorReach: "reach", DetectorOff: "off"}
)

// String returns "default", "perfect", "reach" or "off".
func (d Detector) String() string { return nameOf(detectorNames, d) }

// detector returns what the failure detector knows, the default made out.
func (s *Setting) detector() Detector {
	switch {
	case s.Detector != DetectorDefault:
		return s.Detector
	case s.Cuts > 0 || s.Pauses > 0:
		return DetectorReach
	}
	return DetectorPerfect
}

// reports has the failure detector report, rightly and wrongly.
func (e *expander[P, M]) reports() {
	if e.detector == DetectorOff || e.down|e.paused == 0 && !e.cutting && e.granted[budgetSuspicions] == 0 {
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
func (e *expander[P, M]) silent(pos, other int) bool {
	return e.detector == DetectorReach && (e.paused>>other&1 != 0 ||
		e.cutting && (e.severed(e.state, pos, other) || e.severed(e.state, other, pos)))
}

// watched returns the ids that the detector watches for a position.
func (e *expander[P, M]) watched(pos int) Set {
	return e.watchedBy(&e.procs[pos], e.ids[pos], e.belief[pos].Elected)
}

// watchedBy returns the ids that the detector watches for a process in state p,
// which takes elected for the coordinator.
func (w *world[P, M]) watchedBy(p *P, self, elected ID) Set {
	if w.watcher != nil {
		return w.watcher.Watches(p, self)
	}
	if elected != None && elected != Me {
		return SetOf(elected)
	}
	return 0
}
