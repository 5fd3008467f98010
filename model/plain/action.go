package plain

import (
	"iter"
	"slices"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Transition is an action and what it does.
type Transition struct {
	action model.Action
	sent   []model.Envelope
	rules  []model.Rule
	next   *State // nil of a misuse
	misuse string // what a handler did that no world can carry out
	beyond bool   // the protocol's bound
	chosen bool   // it counts although it may change nothing: see markChosen
	odds   model.Odds
}

// Next returns the transitions out of a state: those that are enabled, except for
// those that lead beyond the protocol's bound, or where a link holds more than its
// capacity.
func (w *World) Next(st *State) []Transition {
	return slices.DeleteFunc(slices.Clone(w.enabled(st)), func(t Transition) bool {
		return t.misuse == "" && (t.beyond || w.overfull(t.next))
	})
}

// enabled returns all actions that can happen in a state. One that would change
// nothing cannot.
func (w *World) enabled(st *State) []Transition {
	if w.asked == st {
		return w.answer
	}
	all := slices.Concat(
		w.boots(st), w.begins(st), w.deliveries(st), w.drops(st), w.expiries(st), w.suspicions(st), w.ticks(st),
		w.crashes(st), w.forgets(st), w.wipes(st), w.restarts(st), w.joins(st), w.losses(st), w.duplications(st),
		w.cuts(st), w.heals(st), w.misreports(st), w.pauses(st), w.resumes(st), w.clockSteps(st), w.requests(st),
	)
	w.asked, w.answer = st, slices.DeleteFunc(all, func(t Transition) bool {
		return t.misuse == "" && !t.chosen && w.idle(st, t)
	})
	return w.answer
}

// idle reports whether a transition changes nothing. The cost of a request does not count.
func (w *World) idle(st *State, t Transition) bool {
	next := t.next
	if t.action.Kind == model.Requests {
		next = next.clone()
		next.left["requests"]++
	}
	return w.key(next) == w.key(st)
}

// change returns the transition of an action that runs no handler.
func (w *World) change(st *State, a model.Action, change func(*State)) Transition {
	next := st.clone()
	change(next)
	w.sweep(next)
	return Transition{action: a, next: next}
}

// pay returns what takes one from a budget, and then makes a change.
func pay(budget string, change func(*State)) func(*State) {
	return func(st *State) {
		st.left[budget]--
		change(st)
	}
}

// up yields the processes that are up and do not pause, by position.
func (st *State) up(yield func(i int, p processState) bool) {
	for i, p := range st.procs {
		if p.status == model.Up && !p.paused && !yield(i, p) {
			return
		}
	}
}

// A process comes up for the first time, at a moment of its own. An eager initiator
// begins its election at once.
func (w *World) boots(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.status != model.Unbooted {
			continue
		}
		handlers, eager := []handler{{which: onInit, why: model.Cold}}, p.pending && !w.s.Initiators.Lazy
		if eager {
			handlers = append(handlers, handler{which: onStart})
		}
		all = append(all, w.run(st, model.Action{Kind: model.Boots, Process: p.id}, i, func(st *State) {
			st.procs[i].status = model.Up
			st.procs[i].pending = p.pending && !eager
		}, handlers...)...)
	}
	return all
}

// A lazy initiator begins its election, unless a message has reached it before.
func (w *World) begins(st *State) (all []Transition) {
	for i, p := range st.up {
		if p.pending {
			all = append(all, w.run(st, model.Action{Kind: model.Starts, Process: p.id}, i, func(st *State) {
				st.procs[i].pending = false
			}, handler{which: onStart})...)
		}
	}
	return all
}

// messages yields the messages in flight, of equal ones of a link the first, each with
// the action of a kind that takes it out of the network.
func (w *World) messages(st *State, kind model.ActionKind) iter.Seq2[int, model.Action] {
	return func(yield func(int, model.Action) bool) {
		for k, m := range st.mail {
			a := model.Action{Kind: kind, Process: st.procs[m.to].id, Port: m.port, Message: w.protocol.text(m.m), Due: m.due}
			if slices.Index(st.mail, m) == k && !yield(k, a) {
				return
			}
		}
	}
}

// takeOut takes message k out of the network.
func takeOut(k int) func(*State) {
	return func(st *State) { st.mail = slices.Delete(st.mail, k, k+1) }
}

// A message arrives. Its receiver has no election to begin any more.
func (w *World) deliveries(st *State) (all []Transition) {
	for k, a := range w.messages(st, model.Delivers) {
		if m := st.mail[k]; w.deliverable(st, k) {
			all = append(all, w.run(st, a, m.to, func(st *State) {
				takeOut(k)(st)
				st.procs[m.to].pending = false
			}, handler{which: onReceive, port: m.port, m: m.m})...)
		}
	}
	return all
}

// deliverable reports whether message k can arrive: its receiver is up and does not
// pause, no cut is in its way, and it is next on its link.
func (w *World) deliverable(st *State, k int) bool {
	m := st.mail[k]
	to := st.procs[m.to]
	return to.status == model.Up && !to.paused && !st.across(m) && w.comes(st, k)
}

func (w *World) anyDeliverable(st *State) bool {
	for k := range st.mail {
		if w.deliverable(st, k) {
			return true
		}
	}
	return false
}

// A message arrives where nobody is, or at a cut, and is lost.
func (w *World) drops(st *State) (all []Transition) {
	for k, a := range w.messages(st, model.Drops) {
		m := st.mail[k]
		status := st.procs[m.to].status
		if (status == model.Down || status == model.Absent || st.across(m)) && w.comes(st, k) {
			all = append(all, w.change(st, a, takeOut(k)))
		}
	}
	return all
}

// comes reports whether message k comes next: on FIFO channels it is the first of its
// link, and in lockstep it has travelled the whole tick.
func (w *World) comes(st *State, k int) bool {
	m := st.mail[k]
	behind := w.s.FIFO && slices.ContainsFunc(st.mail[:k], func(o message) bool { return o.to == m.to && o.port == m.port })
	return !behind && (w.s.Timing.Kind != setting.Lockstep || m.due == 0)
}

// overfull reports whether a link holds more than its capacity.
func (w *World) overfull(st *State) bool {
	type link struct {
		to   int
		port model.Port
	}
	held := make(map[link]int)
	for _, m := range st.mail {
		held[link{m.to, m.port}]++
		if w.s.Capacity > 0 && held[link{m.to, m.port}] > w.s.Capacity {
			return true
		}
	}
	return false
}

// A timer expires.
func (w *World) expiries(st *State) (all []Transition) {
	for _, o := range st.order {
		premature := w.s.Timing.Kind == setting.Asynchronous && w.anyDeliverable(st)
		counted := premature && w.s.Timing.Premature > 0
		if st.procs[o.at].paused || !w.mayExpire(st, o) || counted && st.left["premature"] == 0 {
			continue
		}
		expire := func(st *State) { unset(st, o.at, o.t) }
		if counted {
			expire = pay("premature", expire)
		}
		a := model.Action{
			Kind: model.Expires, Process: st.procs[o.at].id,
			Timer: w.protocol.Names().Timers[o.t].Name, Premature: premature,
		}
		all = append(all, w.run(st, a, o.at, expire, handler{which: onTimeout, timer: o.t})...)
	}
	return all
}

// mayExpire reports whether the timing lets a timer expire that is set.
func (w *World) mayExpire(st *State, o timer) bool {
	p := st.procs[o.at]
	switch w.s.Timing.Kind {
	case setting.Asynchronous:
		return true
	case setting.Patient:
		return !w.anyDeliverable(st)
	case setting.LastResort:
		return !w.anyDeliverable(st) && o == w.firstTimer(st)
	}
	ran := p.timers[o.t] == 0
	if w.s.Drift > 0 {
		ran = p.least[o.t] == 0
	}
	return ran && !w.overdue(st)
}

// overdue reports whether a message has to arrive before anything else that takes
// time. One that waits for a process that pauses has not.
func (w *World) overdue(st *State) bool {
	return slices.ContainsFunc(st.mail, func(m message) bool { return m.due == 0 && !st.held(m) })
}

// firstTimer returns, under last resort, the timer that expires first: the shortest, and
// of those of one duration the one that was set first. Those of processes that pause
// wait.
func (w *World) firstTimer(st *State) timer {
	running := slices.DeleteFunc(slices.Clone(st.order), func(o timer) bool { return st.procs[o.at].paused })
	slices.SortStableFunc(running, func(a, b timer) int { return st.procs[a.at].timers[a.t] - st.procs[b.at].timers[b.t] })
	return running[0]
}

// A tick: one unit of time passes, if there is anything that it brings nearer, or makes older. Time
// waits for messages that are overdue and for timers that have run down, but not for
// processes that pause.
func (w *World) ticks(st *State) []Transition {
	mustExpire := func(o timer) bool { return st.procs[o.at].timers[o.t] == 0 && !st.procs[o.at].paused }
	if !w.discrete() || len(st.mail) == 0 && len(st.order) == 0 && !w.ages(st) || w.overdue(st) || slices.ContainsFunc(st.order, mustExpire) {
		return nil
	}
	return []Transition{w.change(st, model.Action{Kind: model.Ticks}, func(st *State) {
		for k := range st.mail {
			st.mail[k].due = max(st.mail[k].due-1, 0)
		}
		for _, o := range st.order {
			p := st.procs[o.at]
			p.timers[o.t] = max(p.timers[o.t]-1, 0)
			if w.s.Drift > 0 {
				p.least[o.t] = max(p.least[o.t]-1, 0)
			}
		}
		w.age(st)
	})}
}

// A process crashes between two of its steps. (One that crashes in the middle of a
// step is that step's: see partly.)
func (w *World) crashes(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.status == model.Up && w.mayCrash(st, p.id) {
			all = append(all, w.change(st, model.Action{Kind: model.Crashes, Process: p.id}, pay("crashes", func(st *State) { w.crash(st, i) })))
		}
	}
	return all
}

// A process crashes, and its disk comes back with what it held before the last step that
// changed it.
func (w *World) forgets(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.old == nil || p.old == w.stored(p) {
			continue
		}
		forget := func(st *State) {
			st.left["crashes"]--
			w.crash(st, i)
			st.procs[i].p = w.onClockOf(p, p.old)
		}
		all = append(all, w.change(st, model.Action{Kind: model.Forgets, Process: p.id}, pay("lost-writes", forget)))
	}
	return all
}

// A process crashes, and its disk comes back empty. (If it was empty, that is a crash.)
func (w *World) wipes(st *State) (all []Transition) {
	if st.left["lost-disks"] == 0 || st.left["restarts"] == 0 {
		return nil
	}
	for i, p := range st.procs {
		if p.status != model.Up || !w.mayCrash(st, p.id) || w.stored(p) == w.protocol.zero() {
			continue
		}
		wipe := func(st *State) {
			st.left["crashes"]--
			w.crash(st, i)
			st.procs[i].p = w.onClockOf(p, w.protocol.zero())
		}
		all = append(all, w.change(st, model.Action{Kind: model.Wipes, Process: p.id}, pay("lost-disks", wipe)))
	}
	return all
}

func (w *World) mayCrash(st *State, id model.ID) bool {
	return st.left["crashes"] > 0 && (w.s.Crashers.Empty() || w.s.Crashers.Has(id))
}

// A process that crashed comes back, with what its stable storage kept.
func (w *World) restarts(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.status != model.Down || st.left["restarts"] == 0 {
			continue
		}
		all = append(all, w.run(st, model.Action{Kind: model.Restarts, Process: p.id}, i, pay("restarts", func(st *State) {
			st.procs[i].status = model.Up
			if w.s.MailOldLost {
				st.mail = slices.DeleteFunc(st.mail, func(m message) bool { return st.source(m) == i })
			}
			w.sweep(st)
		}), handler{which: onInit, why: model.Restart})...)
	}
	return all
}

// A process that was not there comes up.
func (w *World) joins(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.status == model.Absent && st.left["joins"] > 0 {
			all = append(all, w.run(st, model.Action{Kind: model.Joins, Process: p.id}, i, pay("joins", func(st *State) {
				st.procs[i].status = model.Up
			}), handler{which: onInit, why: model.Join})...)
		}
	}
	return all
}

// The failure detector reports, to a process that is up, a process that is down, or
// one that it does not reach.
func (w *World) suspicions(st *State) (all []Transition) {
	for o := range w.observations(st) {
		if o.down || o.silent {
			a := model.Action{Kind: model.Suspects, Process: o.by.id, Who: o.who}
			all = append(all, w.run(st, a, o.i, func(*State) {}, handler{which: onSuspect, who: o.who})...)
		}
	}
	return all
}

// The failure detector is wrong.
func (w *World) misreports(st *State) (all []Transition) {
	for o := range w.observations(st) {
		if o.up && !o.silent && st.left["suspicions"] > 0 {
			a := model.Action{Kind: model.Misreports, Process: o.by.id, Who: o.who}
			all = append(all, w.run(st, a, o.i, pay("suspicions", func(*State) {}), handler{which: onSuspect, who: o.who})...)
		}
	}
	return all
}

// An observation is what the failure detector of one process, at position i, may say of
// another one.
type observation struct {
	i        int
	by       processState
	who      model.ID
	up, down bool // both false of one that has yet to come up
	silent   bool // it is up, but pauses or is behind a cut
}

// observations yields the processes that are watched by those to whom the failure
// detector reports: to whom it is told to, unless they are in an election.
func (w *World) observations(st *State) iter.Seq[observation] {
	return func(yield func(observation) bool) {
		for i, p := range st.up {
			busy := w.protocol.belief(p.p).Participant && !w.s.ReportsAlways
			if busy || w.s.Detector == setting.DetectorOff || !w.s.Detectors.Empty() && !w.s.Detectors.Has(p.id) {
				continue
			}
			for who := range w.watched(p).All() {
				k := st.position(who)
				if k < 0 || k == i {
					continue
				}
				of := st.procs[k]
				unreached := of.paused || st.severed(p.id, who) || st.severed(who, p.id)
				o := observation{i: i, by: p, who: who, up: of.status == model.Up, down: of.status == model.Down}
				o.silent = o.up && unreached && w.s.Detector != setting.DetectorPerfect
				if !yield(o) {
					return
				}
			}
		}
	}
}

// watched returns whom the failure detector watches for a process: whom the protocol
// says, or else the coordinator that the process names.
func (w *World) watched(p processState) model.Set {
	if watched, says := w.protocol.watches(p.p, p.id); says {
		return watched
	}
	elected := w.protocol.belief(p.p).Elected
	if elected == model.None || elected == model.Me || elected == p.id {
		return 0
	}
	return model.SetOf(elected)
}

// The network loses a message.
func (w *World) losses(st *State) (all []Transition) {
	for k, a := range w.messages(st, model.Loses) {
		m := st.mail[k]
		if st.left["losses"] > 0 && (len(w.s.Lossy) == 0 || w.s.Lossy.Has(st.procs[st.source(m)].id, st.procs[m.to].id)) {
			all = append(all, w.change(st, a, pay("losses", takeOut(k))))
		}
	}
	return all
}

// The network doubles a message. The second one is on its way as the first one is; on
// a FIFO channel it is as if it had just been sent.
func (w *World) duplications(st *State) (all []Transition) {
	for k, a := range w.messages(st, model.Duplicates) {
		if st.left["duplications"] == 0 {
			continue
		}
		all = append(all, w.change(st, a, pay("duplications", func(st *State) {
			double := st.mail[k]
			if w.s.FIFO && w.discrete() {
				double.due = w.bound()
			}
			st.mail = append(st.mail, double)
		})))
	}
	return all
}

// A process does nothing for a while.
func (w *World) pauses(st *State) (all []Transition) {
	for i, p := range st.up {
		if st.left["pauses"] > 0 && (w.s.Pausers.Empty() || w.s.Pausers.Has(p.id)) {
			all = append(all, w.change(st, model.Action{Kind: model.Pauses, Process: p.id}, pay("pauses", func(st *State) { st.procs[i].paused = true })))
		}
	}
	return all
}

// Somebody asks a process for something: for what the protocol says, or to begin an election.
func (w *World) requests(st *State) (all []Transition) {
	names := w.protocol.Names().Requests
	if len(names) == 0 {
		names = []string{"begin an election"}
	}
	for i, p := range st.up {
		for r, text := range names {
			if st.left["requests"] > 0 {
				a := model.Action{Kind: model.Requests, Process: p.id, Request: text}
				all = append(all, w.run(st, a, i, pay("requests", func(*State) {}), handler{which: onRequest, asked: model.Request(r)})...)
			}
		}
	}
	return all
}

// A process that pauses goes on.
func (w *World) resumes(st *State) (all []Transition) {
	for i, p := range st.procs {
		if p.paused {
			all = append(all, w.change(st, model.Action{Kind: model.Resumes, Process: p.id}, func(st *State) { st.procs[i].paused = false }))
		}
	}
	return all
}

// The network divides in two: any part without the process at position 1 is cut off
// from the rest. Or a link is cut.
func (w *World) cuts(st *State) (all []Transition) {
	if st.left["cuts"] == 0 {
		return nil
	}
	if w.s.CutBy != setting.CutSides {
		for l := range w.links {
			if !st.cut[oneWay(l)] && w.s.CutLinks.Has(l.From, l.To) {
				all = append(all, w.change(st, model.Action{Kind: model.CutsOff, Link: l}, pay("cuts", func(st *State) { st.cutOff(l) })))
			}
		}
		return all
	}
	if !st.side.Empty() {
		return nil
	}
	for side := range subsets(model.Upto(model.ID(w.s.N)).Without(st.procs[0].id), 1, w.s.N) {
		all = append(all, w.change(st, model.Action{Kind: model.CutsOff, Side: side}, pay("cuts", func(st *State) { st.side = side })))
	}
	return all
}

// The network is whole again, or a link is.
func (w *World) heals(st *State) (all []Transition) {
	if !w.s.HealsOwed && st.left["heals"] == 0 {
		return nil
	}
	heal := func(a model.Action, mend func(*State)) {
		a.Kind = model.Heals
		if !w.s.HealsOwed {
			mend = pay("heals", mend)
		}
		all = append(all, w.change(st, a, mend))
	}
	if !st.side.Empty() {
		heal(model.Action{}, func(st *State) { st.side = 0 })
	}
	for l := range w.links {
		if st.cut[oneWay(l)] {
			heal(model.Action{Link: l}, func(st *State) { st.mend(l) })
		}
	}
	return all
}

// links yields the links that a cut can take, in both directions or in one.
func (w *World) links(yield func(setting.CutLink) bool) {
	both := w.s.CutBy == setting.CutLinks
	for from := range model.Upto(model.ID(w.s.N)).All() {
		for to := range model.Upto(model.ID(w.s.N)).Without(from).All() {
			if (!both || from < to) && !yield(setting.CutLink{From: from, To: to, Both: both}) {
				return
			}
		}
	}
}

// oneWay returns the first direction of a link.
func oneWay(l setting.CutLink) setting.CutLink { return setting.CutLink{From: l.From, To: l.To} }

// cutOff cuts a link.
func (st *State) cutOff(l setting.CutLink) {
	st.cut[oneWay(l)] = true
	if l.Both {
		st.cut[setting.CutLink{From: l.To, To: l.From}] = true
	}
}

// mend heals a link.
func (st *State) mend(l setting.CutLink) {
	delete(st.cut, oneWay(l))
	if l.Both {
		delete(st.cut, setting.CutLink{From: l.To, To: l.From})
	}
}
