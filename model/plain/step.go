package plain

import (
	"math"
	"slices"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// effects runs handlers at the process at position i, once for each sequence of
// choices that they can make.
func (w *World) effects(st *State, i int, handlers ...handler) (all []effect) {
	p := &st.procs[i]
	for script := []int{}; ; {
		e := w.processes[p.id].run(p.p, p.timers, script, handlers)
		if e.misuse == "" {
			e.p = w.onClockOf(*p, e.p) // no handler sets a clock
		}
		all = append(all, e)
		// The last choice that can be higher is, and what came after it starts anew.
		script = slices.Clone(e.choices)
		for len(script) > 0 && script[len(script)-1]+1 == e.widths[len(script)-1] {
			script = script[:len(script)-1]
		}
		if len(script) == 0 {
			return all
		}
		script[len(script)-1]++
	}
}

// run returns the transitions of an action that changes the state and then runs
// handlers at the process at position i: one for each sequence of choices, and, if
// processes crash between their sends, one for each part of the sends that may be out.
func (w *World) run(st *State, a model.Action, i int, change func(*State), handlers ...handler) (all []Transition) {
	from := st
	st = st.clone()
	change(st)
	for _, e := range w.effects(st, i, handlers...) {
		a := a
		a.Choices, a.Outcomes = e.choices, e.texts
		if e.misuse != "" {
			all = append(all, Transition{action: a, rules: e.rules, misuse: e.misuse})
			continue
		}
		ways := []Transition{w.whole(st, i, e)}
		ways[0].action = a
		if w.s.MidSend && w.mayCrash(st, st.procs[i].id) {
			for _, out := range partlyOut(e.sends) {
				t := w.partly(st, i, e, out)
				t.action, t.action.Crash, t.action.Out = a, true, out
				ways = append(ways, t)
			}
		}
		for k := range ways {
			ways[k].rules, ways[k].beyond, ways[k].odds = e.rules, w.protocol.beyond(e.p), e.odds
		}
		all = append(all, ways...)
	}
	w.markChosen(from, all)
	return all
}

// markChosen marks, among the transitions of one action, those that are taken
// although they change nothing: the other outcomes of a choice of which one does.
func (w *World) markChosen(from *State, all []Transition) {
	if len(all) == 0 || len(all[0].action.Choices) == 0 {
		return
	}
	whole := func(t Transition) bool { return !t.action.Crash && t.misuse == "" }
	if slices.ContainsFunc(all, func(t Transition) bool {
		return t.misuse != "" || whole(t) && !w.idle(from, t)
	}) {
		for i := range all {
			all[i].chosen = whole(all[i])
		}
	}
}

// whole carries out all that handlers asked for.
func (w *World) whole(st *State, i int, e effect) Transition {
	t := Transition{next: st.clone()}
	w.write(&t.next.procs[i], e.p)
	w.setTimers(t.next, i, e.changes)
	for _, s := range e.sends {
		t.sent = append(t.sent, w.send(t.next, i, s))
	}
	w.sweep(t.next)
	return t
}

// partly carries out what handlers asked for up to a crash after the sends numbered
// out. The writes of the handlers to stable storage are there: they come first.
func (w *World) partly(st *State, i int, e effect, out []int) Transition {
	t := Transition{next: st.clone()}
	t.next.procs[i].p = e.p
	t.next.left["crashes"]--
	w.crash(t.next, i)
	for _, k := range out {
		t.sent = append(t.sent, w.send(t.next, i, e.sends[k]))
	}
	return t
}

// partlyOut returns which sends may be out when a process crashes between them:
// all operations before some operation, and a proper part of that one. A broadcast is
// one operation, and any other send is.
func partlyOut(sends []send) (all [][]int) {
	for first := 0; first < len(sends); {
		end := first + 1
		for sends[first].broadcast != 0 && end < len(sends) && sends[end].broadcast == sends[first].broadcast {
			end++
		}
		for part := 0; part < 1<<(end-first)-1; part++ {
			out := []int{}
			for k := range end {
				if k < first || part>>(k-first)&1 != 0 {
					out = append(out, k)
				}
			}
			all = append(all, out)
		}
		first = end
	}
	return all
}

// setTimers does to the timers of a process what its handlers asked for. Those that
// they set are set anew, in the order of their numbers.
func (w *World) setTimers(st *State, i int, changes []change) {
	for _, c := range changes {
		unset(st, i, c.timer)
	}
	p := &st.procs[i]
	for _, c := range changes {
		if c.ticks == 0 {
			continue
		}
		p.timers[c.timer] = c.ticks
		if w.s.Drift > 0 { // a fast clock has it expire early, a slow one late
			fast, slow := 1+float64(w.s.Drift)/100, 1-float64(w.s.Drift)/100
			p.least[c.timer] = max(1, int(float64(c.ticks)/fast+1e-9))
			p.timers[c.timer] = int(math.Ceil(float64(c.ticks)/slow - 1e-9))
		}
		if w.s.Timing.Kind == setting.Asynchronous || w.s.Timing.Kind == setting.Patient {
			p.timers[c.timer] = 0 // nobody knows to what it was set
		}
		st.order = append(st.order, timer{i, c.timer})
	}
}

// unset makes a timer no longer set, if it was.
func unset(st *State, i int, t model.Timer) {
	delete(st.procs[i].timers, t)
	delete(st.procs[i].least, t)
	st.order = slices.DeleteFunc(st.order, func(o timer) bool { return o == timer{i, t} })
}

// send puts a message into the network, or loses it at once.
func (w *World) send(st *State, i int, s send) model.Envelope {
	m := message{m: s.m}
	if w.discrete() {
		m.due = w.bound()
	}
	m.to, m.port = w.target(st, i, s.port)
	lost := w.lost(st, m)
	if !lost {
		st.mail = append(st.mail, m)
	}
	e := w.envelope(st, i, m)
	e.Broadcast, e.Lost = s.broadcast, lost
	return e
}

// target returns where a message arrives that leaves position i by a port, and by
// which port. On a repaired ring it passes by whoever is not up.
func (w *World) target(st *State, i int, by model.Port) (to int, port model.Port) {
	if w.s.Topology == setting.Complete {
		return st.position(by.ID()), model.Peer(st.procs[i].id)
	}
	step := 1
	if by == model.Prev {
		step = w.s.N - 1
	}
	to = (i + step) % w.s.N
	for w.s.Repaired && to != i && st.procs[to].status != model.Up {
		to = (to + step) % w.s.N
	}
	return to, by.Opposite()
}

// envelope returns a message in terms that people read.
func (w *World) envelope(st *State, from int, m message) model.Envelope {
	e := model.Envelope{
		From: st.procs[from].id, To: st.procs[m.to].id, Port: m.port,
		Kind: w.protocol.Names().Kinds[w.protocol.kind(m.m)], Text: w.protocol.text(m.m), Due: m.due,
	}
	if later := w.protocol.text(w.older(m.m)); later != e.Text {
		e.Later = later
	}
	return e
}

// crash takes the process at position i down: it loses its timers, and of its state
// what is not stable. It also no longer pauses.
func (w *World) crash(st *State, i int) {
	p := &st.procs[i]
	p.status, p.paused = model.Down, false
	for t := range w.protocol.Names().Timers {
		unset(st, i, model.Timer(t))
	}
	p.p = w.onClockOf(*p, w.protocol.keep(p.p))
	w.sweep(st)
}

// write has a step of a process leave it in a state. If that changes what its disk
// holds, the disk may come back with what it held before.
func (w *World) write(p *processState, state any) {
	before := withClock(p.p, clock.Clock{}) // which a process that comes up has found
	if p.old != nil {
		before = w.disk(p.p)
	}
	if p.old == nil || before != w.disk(state) {
		p.old = before
	}
	p.p = state
}

// lost reports whether the network drops a message at once: its receiver can never
// be up again, or is away and mail does not wait for it, or a cut is in its way that
// can never heal.
func (w *World) lost(st *State, m message) bool {
	status := st.procs[m.to].status
	return st.gone(m.to) ||
		w.s.MailDownLost && (status == model.Down || status == model.Absent) ||
		st.across(m) && st.left["heals"] == 0 && !w.s.HealsOwed
}

// sweep drops messages that can never arrive, and clears what no longer counts of
// processes that can never be up again.
func (w *World) sweep(st *State) {
	for i := range st.procs {
		if p := &st.procs[i]; p.status != model.Up || st.left["lost-writes"] == 0 || st.left["restarts"] == 0 || !w.mayCrash(st, p.id) {
			p.old = nil
		}
	}
	st.mail = slices.DeleteFunc(st.mail, func(m message) bool { return w.lost(st, m) })
	for i := range st.procs {
		if st.gone(i) {
			st.procs[i].p, st.procs[i].pending = w.protocol.zero(), false
		}
	}
}

// bound returns D, or 1 without synchrony.
func (w *World) bound() int { return max(w.s.Timing.D, 1) }

// discrete reports whether time passes in ticks.
func (w *World) discrete() bool { return w.s.Timing.Kind.Discrete() }
