package model

// pauses has processes pause.
func (e *expander) pauses() {
	if e.left(e.state, budgetPauses) == 0 {
		return
	}
	for pos := range e.n {
		if (e.up&^e.paused)>>pos&1 != 0 && (e.setting.Pausers == 0 || e.setting.Pausers.Has(e.ids[pos])) {
			e.pause(act{kind: Pauses, pos: pos, msg: -1, budget: budgetPauses})
		}
	}
}

// resumes has processes that pause go on.
func (e *expander) resumes() {
	for pos := range e.n {
		if e.paused>>pos&1 != 0 {
			e.pause(act{kind: Resumes, pos: pos, msg: -1, budget: -1})
		}
	}
}

// pause has a process pause or go on.
func (e *expander) pause(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state...)
	next := b[base:]
	if a.budget >= 0 {
		next[e.budget[a.budget]]--
	}
	e.putPositions(next, e.pausedOff, e.paused^1<<a.pos)
	e.accept(b, base)
}

// held reports whether a message waits for its receiver to go on: nobody else
// waits for it then, and neither does time.
func (e *expander) held(rec []byte) bool {
	to := int(rec[0])
	return e.paused>>to&1 != 0 && !(e.cutting && e.severed(e.state, e.sender(rec), to))
}
