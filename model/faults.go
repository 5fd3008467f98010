package model

import (
	"slices"

	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
)

// faults has the world do what the setting grants it.
func (e *expander) faults() {
	e.crashes()
	if !e.setting.RestartsOwed {
		e.comebacks(Restarts, Down, layout.BudgetRestarts)
	}
	e.comebacks(Joins, Absent, layout.BudgetJoins)
	e.losses()
	if e.Left(e.now.state, layout.BudgetDuplications) > 0 {
		e.now.eachMessage(Duplicates, layout.BudgetDuplications, e.duplicate)
	}
	e.pauses()
	e.clockSteps()
	e.now.eachRequest(e.run)
	e.cuts()
	if !e.setting.HealsOwed {
		e.heals()
	}
}

// happen carries out an action that runs no handler.
func (e *expander) happen(a act) {
	switch a.kind {
	case Drops, Loses:
		e.quiet(a)
	case Duplicates:
		e.duplicate(a)
	case Ticks:
		e.passing(a)
	case Crashes, Forgets, Wipes:
		e.crash(a)
	case Pauses, Resumes:
		e.pause(a)
	case SetsClock:
		e.setClock(a)
	case CutsOff, Heals:
		e.divide(a)
	}
}

// losses has messages be lost.
func (e *expander) losses() {
	if e.Left(e.now.state, layout.BudgetLosses) == 0 {
		return
	}
	budget := layout.BudgetLosses
	if e.wrap.losesFreely {
		budget = -1
	}
	e.now.eachMessage(Loses, budget, func(a act) {
		if e.setting.Lossy == nil || e.setting.Lossy.Has(e.now.ids[e.now.sender(e.now.record(a.msg))], e.now.ids[a.pos]) {
			e.quiet(a)
		}
	})
}

// crashes has processes crash.
func (e *expander) crashes() {
	if e.Left(e.now.state, layout.BudgetCrashes) == 0 {
		return
	}
	for pos := range e.N {
		if e.now.up>>pos&1 != 0 && e.now.mayCrash(pos) {
			e.crash(act{kind: Crashes, pos: pos, msg: -1, budget: layout.BudgetCrashes})
			if e.OldOff >= 0 && e.Undoes(e.now.state, pos, e.kept(e.now.procs.at(pos))) {
				e.crash(act{kind: Forgets, pos: pos, msg: -1, budget: layout.BudgetLostWrites})
			}
			if e.has.Stable && e.MayLoseDisks(e.now.state) && !empty(e.kept(e.now.procs.at(pos))) {
				e.crash(act{kind: Wipes, pos: pos, msg: -1, budget: layout.BudgetLostDisks})
			}
		}
	}
}

// empty reports whether a disk holds what that of a new process holds.
func empty(disk []byte) bool {
	return !slices.ContainsFunc(disk, func(b byte) bool { return b != 0 })
}

// mayCrash reports whether the process at a position is one that crashes.
func (now *decoded) mayCrash(pos int) bool {
	return now.setting.Crashers == 0 || now.setting.Crashers.Has(now.ids[pos])
}

// crash has a process crash between two of its steps.
func (e *expander) crash(a act) {
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.now.state[:e.MsgOff]...)
	next := b[base:]
	if a.budget >= 0 {
		next[e.Budget[a.budget]]--
	}
	e.now.procs.set(e.act.cur, e.now.procs.at(a.pos))
	if a.kind != Crashes {
		next[e.Budget[layout.BudgetCrashes]]--
	}
	switch a.kind {
	case Forgets:
		e.planP.Get(e.act.cur, e.Proc(e.now.state, a.pos)[e.OldOff:])
	case Wipes:
		e.now.procs.zero(e.act.cur)
	}
	e.goDown(next, a.pos)
	e.accept(append(b, e.filter(next, -1, -1)...), base)
}

// crashesBetween reports whether the process of the action under way may crash
// between its sends.
func (e *expander) crashesBetween() bool {
	return e.Left(e.now.state, layout.BudgetCrashes) > 0 && e.now.mayCrash(e.act.pos)
}

// crashMidSend emits the successors in which the process crashes between the
// sends that its handler asked for: those before some operation are out, of
// the operation itself, if it is a broadcast, any part, and none after it.
func (e *expander) crashMidSend() {
	if !e.crashesBetween() {
		return
	}
	for first := 0; first < len(e.act.call.Sends); {
		last := e.act.operation(first)
		for part := range e.act.partsOf(first, last) {
			e.partly(first, last, part)
		}
		first = last
	}
}

// operation returns where the operation ends whose first send has a number.
func (u *underway) operation(first int) (last int) {
	sends := u.call.Sends
	last = first + 1
	for sends[first].Group != 0 && last < len(sends) && sends[last].Group == sends[first].Group {
		last++
	}
	return last
}

// partsOf returns how many parts of an operation may be out when its process
// crashes in it.
func (u *underway) partsOf(first, last int) int {
	if u.call.Sends[first].Group != 0 {
		return 1<<(last-first) - 1
	}
	return 1
}

// partly emits the successor in which the process crashes with a part of an
// operation out, and all sends before it.
func (e *expander) partly(first, last, part int) {
	e.draft.order = e.draft.order[:0]
	for i := range last {
		if i < first || part>>(i-first)&1 != 0 {
			e.draft.order = append(e.draft.order, i)
		}
	}
	e.emit(true)
}

// comebacks has processes of a status come up.
func (e *expander) comebacks(kind ActionKind, of Status, budget int) {
	if e.Left(e.now.state, budget) == 0 {
		return
	}
	for pos := range e.N {
		if Status(e.Proc(e.now.state, pos)[0]) == of {
			e.run(act{kind: kind, pos: pos, msg: -1, budget: budget})
		}
	}
}

// eachMessage does something to each message in flight, to equal ones of a
// link once.
func (now *decoded) eachMessage(kind ActionKind, budget int, do func(act)) {
next:
	for i := range len(now.area) / now.Width {
		rec := now.record(i)
		for j := i - 1; j >= 0 && layout.SameLink(now.record(j), rec); j-- {
			if now.Same(now.record(j), rec) {
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
	e.draft.recs = append(e.draft.recs[:0], e.now.record(a.msg)...)
	if e.setting.FIFO && e.DueOff >= 0 {
		e.draft.recs[e.DueOff] = byte(e.act.call.Bound)
	}
	if c := e.setting.Capacity; c > 0 && e.OnLink(e.now.area, -1, e.draft.recs) >= c {
		e.leaveOut(int(e.protocol.Kind(e.act.message(e.draft.recs))))
		return
	}
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.now.state[:e.MsgOff]...)
	b[base+e.Budget[a.budget]]--
	e.accept(e.Merge(b, e.draft.recs, e.now.area, -1, 0), base)
}

// pauses has processes pause.
func (e *expander) pauses() {
	if e.Left(e.now.state, layout.BudgetPauses) == 0 {
		return
	}
	for pos := range e.N {
		if (e.now.up&^e.now.paused)>>pos&1 != 0 && (e.setting.Pausers == 0 || e.setting.Pausers.Has(e.now.ids[pos])) {
			e.pause(act{kind: Pauses, pos: pos, msg: -1, budget: layout.BudgetPauses})
		}
	}
}

// eachRequest does something to each request that somebody may make, if the budget lasts.
func (now *decoded) eachRequest(do func(act)) {
	if now.Left(now.state, layout.BudgetRequests) == 0 {
		return
	}
	for pos := range now.N {
		if (now.up&^now.paused)>>pos&1 == 0 {
			continue
		}
		for r := range max(1, len(now.names.Requests)) {
			do(act{kind: Requests, pos: pos, msg: -1, which: uint8(r), budget: layout.BudgetRequests})
		}
	}
}

// resumes has processes that pause go on.
func (e *expander) resumes() {
	for pos := range e.N {
		if e.now.paused>>pos&1 != 0 {
			e.pause(act{kind: Resumes, pos: pos, msg: -1, budget: -1})
		}
	}
}

// pause has a process pause or go on.
func (e *expander) pause(a act) {
	if b, base, ok := e.copied(a); ok {
		e.PutPositions(b[base:], e.PausedOff, e.now.paused^1<<a.pos)
		e.accept(b, base)
	}
}

// copied begins an action that runs no handler and leaves messages where they are, unless it is
// set aside: a successor that is the state so far, except for what the action costs.
func (e *expander) copied(a act) (b []byte, base int, ok bool) {
	if e.aside(&a) {
		return nil, 0, false
	}
	e.begin(a)
	b = e.out.Begin()
	base = len(b)
	b = append(b, e.now.state...)
	if a.budget >= 0 {
		b[base+e.Budget[a.budget]]--
	}
	return b, base, true
}

// held reports whether a message waits for its receiver to go on: nobody else
// waits for it then, and neither does time.
func (now *decoded) held(rec []byte) bool {
	to := int(rec[0])
	return now.paused>>to&1 != 0 && !(now.cutting && now.Severed(now.state, now.sender(rec), to))
}

// link returns the link between two positions of a complete graph, as the
// setting cuts it.
func (now *decoded) link(a, b uint8) setting.CutLink {
	return setting.CutLink{From: now.ids[a], To: now.ids[b], Both: now.setting.CutBy == setting.CutLinks}
}

// mayHeal reports whether a cut of an encoded state can be mended.
func (e *expander) mayHeal(state []byte) bool {
	return e.setting.HealsOwed || e.Left(state, layout.BudgetHeals) > 0
}

// cuts has the network divide, or a link cut.
func (e *expander) cuts() {
	if e.Left(e.now.state, layout.BudgetCuts) == 0 {
		return
	}
	if e.LinksOff < 0 {
		if e.wrap.step.listing && !e.now.cutting {
			e.divide(act{kind: CutsOff, budget: layout.BudgetCuts}) // stands for all of them
			return
		}
		for side := Set(2); !e.now.cutting && side < 1<<e.N; side += 2 {
			e.divide(act{kind: CutsOff, budget: layout.BudgetCuts, side: side})
		}
		return
	}
	e.eachLink(false, act{kind: CutsOff, budget: layout.BudgetCuts})
}

// heals has the network be whole again, or a link.
func (e *expander) heals() {
	if !e.now.cutting || !e.mayHeal(e.now.state) {
		return
	}
	a := act{kind: Heals, budget: layout.BudgetHeals}
	if e.setting.HealsOwed {
		a.budget = -1
	}
	if e.LinksOff < 0 {
		e.divide(a)
		return
	}
	e.eachLink(true, a)
}

// eachLink has an action happen to each link that is severed, or that is not.
func (e *expander) eachLink(severed bool, a act) {
	for from := range e.N {
		for to := range e.N {
			if from == to || from > to && e.setting.CutBy == setting.CutLinks || e.Severed(e.now.state, from, to) != severed {
				continue
			}
			if !severed && !e.setting.CutLinks.Has(e.now.ids[from], e.now.ids[to]) {
				continue
			}
			a.link = [2]uint8{uint8(from), uint8(to)}
			e.divide(a)
		}
	}
}

// divide puts a cut in force, or ends one.
func (e *expander) divide(a act) {
	a.pos, a.msg = -1, -1
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.now.state[:e.MsgOff]...)
	next := b[base:]
	if a.budget >= 0 {
		next[e.Budget[a.budget]]--
	}
	if e.LinksOff < 0 {
		e.PutPositions(next, e.SideOff, a.side)
	} else {
		e.Flip(next, a.link[0], a.link[1])
		if e.setting.CutBy == setting.CutLinks {
			e.Flip(next, a.link[1], a.link[0])
		}
	}
	e.accept(append(b, e.filter(next, -1, -1)...), base)
}

// links lists the links that are cut in the state under expansion.
func (now *decoded) links() []setting.CutLink {
	var list []setting.CutLink
	for a := range now.N {
		for b := range now.N {
			if now.LinksOff >= 0 && now.Severed(now.state, a, b) && (a < b || now.setting.CutBy == setting.CutOneWay) {
				list = append(list, now.link(uint8(a), uint8(b)))
			}
		}
	}
	return list
}

// reports has the failure detector report, rightly and wrongly.
func (e *expander) reports() {
	if e.detector == setting.DetectorOff || e.now.down|e.now.paused == 0 && !e.now.cutting && e.Granted[layout.BudgetSuspicions] == 0 {
		return
	}
	s, wrong := &e.setting, e.Left(e.now.state, layout.BudgetSuspicions) > 0
	told := e.now.up &^ e.now.paused
	if !s.ReportsAlways {
		told &^= e.now.parts
	}
	for pos := range e.N {
		if told>>pos&1 == 0 || s.Detectors != 0 && !s.Detectors.Has(e.now.ids[pos]) {
			continue
		}
		for t := e.watched(pos); t != 0; t &= t - 1 {
			who := t.Min()
			if int(who) > e.N || who == e.now.ids[pos] {
				continue
			}
			a := act{kind: Suspects, pos: pos, msg: -1, who: who, budget: -1}
			switch at := e.now.at[who-1]; {
			case e.now.down>>at&1 != 0, e.now.up>>at&1 != 0 && e.now.silent(pos, at):
				e.run(a)
			case e.now.up>>at&1 != 0 && wrong:
				a.kind, a.budget = Misreports, layout.BudgetSuspicions
				e.run(a)
			}
		}
	}
}

// silent reports whether the failure detector of one position takes another,
// which is up, to be down.
func (now *decoded) silent(pos, other int) bool {
	return now.detector == setting.DetectorReach && (now.paused>>other&1 != 0 ||
		now.cutting && (now.Severed(now.state, pos, other) || now.Severed(now.state, other, pos)))
}

// watched returns the ids that the detector watches for a position.
func (e *expander) watched(pos int) Set {
	return e.has.Watched(e.protocol, e.now.procs.at(pos), e.now.ids[pos], e.now.belief[pos].Elected)
}
