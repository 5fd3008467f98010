package model

// faults has the world do what the setting grants it.
func (e *expander) faults() {
	e.crashes()
	e.comebacks(Restarts, Down, budgetRestarts)
	e.comebacks(Joins, Absent, budgetJoins)
	e.losses()
	if e.left(e.state, budgetDuplications) > 0 {
		e.eachMessage(Duplicates, budgetDuplications, e.duplicate)
	}
	e.pauses()
	e.cuts()
	if !e.setting.HealsOwed {
		e.heals()
	}
}

// losses has messages be lost.
func (e *expander) losses() {
	if e.left(e.state, budgetLosses) > 0 {
		e.eachMessage(Loses, budgetLosses, e.quiet)
	}
}

// crashes has processes crash.
func (e *expander) crashes() {
	if e.left(e.state, budgetCrashes) == 0 {
		return
	}
	for pos := range e.n {
		if e.up>>pos&1 != 0 && e.mayCrash(pos) {
			e.crash(act{kind: Crashes, pos: pos, msg: -1, budget: budgetCrashes})
		}
	}
}

// mayCrash reports whether the process at a position is one that crashes.
func (e *expander) mayCrash(pos int) bool {
	return e.setting.Crashers == 0 || e.setting.Crashers.Has(e.ids[pos])
}

// crash has a process crash between two of its steps.
func (e *expander) crash(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff]...)
	next := b[base:]
	if a.budget >= 0 {
		next[e.budget[a.budget]]--
	}
	e.procs.set(e.cur, e.procs.at(a.pos))
	e.goDown(next, a.pos)
	e.accept(append(b, e.filter(next, -1, -1)...), base)
}

// crashesBetween reports whether the process of the action under way may crash
// between its sends.
func (e *expander) crashesBetween() bool {
	return e.left(e.state, budgetCrashes) > 0 && e.mayCrash(e.act.pos)
}

// crashMidSend emits the successors in which the process crashes between the
// sends that its handler asked for: those before some operation are out, of
// the operation itself, if it is a broadcast, any part, and none after it.
func (e *expander) crashMidSend() {
	if !e.crashesBetween() {
		return
	}
	for first := 0; first < len(e.net.sends); {
		last := e.operation(first)
		for part := range e.partsOf(first, last) {
			e.partly(first, last, part)
		}
		first = last
	}
}

// operation returns where the operation ends whose first send has a number.
func (e *expander) operation(first int) (last int) {
	sends := e.net.sends
	last = first + 1
	for sends[first].group != 0 && last < len(sends) && sends[last].group == sends[first].group {
		last++
	}
	return last
}

// partsOf returns how many parts of an operation may be out when its process
// crashes in it.
func (e *expander) partsOf(first, last int) int {
	if e.net.sends[first].group != 0 {
		return 1<<(last-first) - 1
	}
	return 1
}

// partly emits the successor in which the process crashes with a part of an
// operation out, and all sends before it.
func (e *expander) partly(first, last, part int) {
	e.order = e.order[:0]
	for i := range last {
		if i < first || part>>(i-first)&1 != 0 {
			e.order = append(e.order, i)
		}
	}
	e.emit(true)
}

// comebacks has processes of a status come up.
func (e *expander) comebacks(kind ActionKind, of Status, budget int) {
	if e.left(e.state, budget) == 0 {
		return
	}
	for pos := range e.n {
		if Status(e.proc(e.state, pos)[0]) == of {
			e.run(act{kind: kind, pos: pos, msg: -1, budget: budget})
		}
	}
}

// eachMessage does something to each message in flight, to equal ones of a
// link once.
func (e *expander) eachMessage(kind ActionKind, budget int, do func(act)) {
next:
	for i := range len(e.area) / e.width {
		rec := e.record(i)
		for j := i - 1; j >= 0 && sameLink(e.record(j), rec); j-- {
			if e.same(e.record(j), rec) {
				continue next
			}
		}
		do(act{kind: kind, pos: int(rec[0]), msg: i, port: Port(rec[1]), budget: budget})
	}
}

// duplicate puts a second copy of a message into the network: on a FIFO
// channel at the end of the link, as if it had just been sent.
func (e *expander) duplicate(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	e.recs = append(e.recs[:0], e.record(a.msg)...)
	if e.setting.FIFO && e.dueOff >= 0 {
		e.recs[e.dueOff] = byte(e.net.bound)
	}
	if c := e.setting.Capacity; c > 0 && e.onLink(e.area, -1, e.recs) >= c {
		e.leaveOut(int(e.hands.kind(e.message(e.recs))))
		return
	}
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff]...)
	b[base+e.budget[a.budget]]--
	e.accept(e.merge(b, e.recs, e.area, -1, 0), base)
}
