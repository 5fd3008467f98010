package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"bullyproof/setting"
)

// This file is a second reading of the semantics: a slow and plain interpreter
// of protocols and settings, in structs, slices and maps, to which the world of
// this package is compared state by state (comparePlain). It shares with it
// the vocabulary and Net, which only notes what a handler asks for.

// plainWorld is a protocol in a setting.
type plainWorld struct {
	protocol plainProtocol
	s        setting.Setting
	// overfullStarts, where it is not nil, counts starts that links do not hold.
	overfullStarts *int
	// answer is what was enabled in the state that was asked about last, as one
	// state is asked about several times.
	asked  *plainState
	answer []plainTransition
}

// plainState is a state of the world.
type plainState struct {
	procs []plainProcess           // by position
	mail  []plainMessage           // in the order of sending
	order []plainTimer             // the timers that are set, in the order of setting
	left  map[string]int           // budgets
	text  string                   // the key, once it was asked for: the state is made then
	side  Set                      // of a cut
	cut   map[setting.CutLink]bool // links that are cut, one way each
}

type plainProcess struct {
	id      ID
	status  Status
	p       any
	pending bool        // has yet to begin the election that it is to initiate
	timers  map[int]int // of those that are set: the ticks left, or set to
	least   map[int]int // the ticks until they can expire, where clocks drift
	paused  bool
}

type plainMessage struct {
	to   int // position
	port Port
	m    Message
	due  int
}

// plainTimer is a timer of the process at a position.
type plainTimer struct{ process, timer int }

// plainTransition is an action and where it leads.
type plainTransition struct {
	action Action
	sent   []Envelope
	next   *plainState
	beyond bool // the bound
	chosen bool // an outcome of a choice that changes something
}

func (st *plainState) clone() *plainState {
	c := &plainState{
		procs: slices.Clone(st.procs), mail: slices.Clone(st.mail), order: slices.Clone(st.order),
		left: maps.Clone(st.left), side: st.side, cut: maps.Clone(st.cut),
	}
	for i := range c.procs {
		c.procs[i].timers = maps.Clone(c.procs[i].timers)
		c.procs[i].least = maps.Clone(c.procs[i].least)
	}
	return c
}

// position returns where process id is.
func (st *plainState) position(id ID) int {
	return slices.IndexFunc(st.procs, func(p plainProcess) bool { return p.id == id })
}

// source returns the position from which a message came: the sender's, or the
// neighbour's on a repaired ring.
func (st *plainState) source(m plainMessage) int {
	n := len(st.procs)
	switch m.port {
	case Next:
		return (m.to + 1) % n
	case Prev:
		return (m.to + n - 1) % n
	}
	return st.position(m.port.ID())
}

// severed reports whether a cut keeps messages of one process from another.
func (st *plainState) severed(from, to ID) bool {
	return st.side.Has(from) != st.side.Has(to) || st.cut[setting.CutLink{From: from, To: to}]
}

// held reports whether a message waits for a process that pauses.
func (st *plainState) held(m plainMessage) bool {
	return st.procs[m.to].paused && !st.across(m)
}

// across reports whether a message is to cross a cut.
func (st *plainState) across(m plainMessage) bool {
	return st.severed(st.procs[st.source(m)].id, st.procs[m.to].id)
}

// gone reports whether the process at a position can never be up again.
func (st *plainState) gone(i int) bool {
	return st.procs[i].status == Down && st.left["restarts"] == 0
}

// head reports whether message k is the first of its link, or channels have no
// order.
func (w *plainWorld) head(st *plainState, k int) bool {
	return !w.s.FIFO || !slices.ContainsFunc(st.mail[:k], func(m plainMessage) bool {
		return m.to == st.mail[k].to && m.port == st.mail[k].port
	})
}

func (w *plainWorld) deliverable(st *plainState, k int) bool {
	m := st.mail[k]
	return st.procs[m.to].status == Up && !st.procs[m.to].paused && !st.across(m) && w.head(st, k) && w.arrived(m)
}

func (w *plainWorld) droppable(st *plainState, k int) bool {
	m := st.mail[k]
	status := st.procs[m.to].status
	return (status == Down || status == Absent || st.across(m)) && w.head(st, k) && w.arrived(m)
}

// arrived reports whether a message has travelled as long as lockstep has it.
func (w *plainWorld) arrived(m plainMessage) bool {
	return w.s.Timing.Kind != setting.Lockstep || m.due == 0
}

func (w *plainWorld) anyDeliverable(st *plainState) bool {
	for k := range st.mail {
		if w.deliverable(st, k) {
			return true
		}
	}
	return false
}

// lost reports whether the network drops a message as soon as it is sent.
func (w *plainWorld) lost(st *plainState, m plainMessage) bool {
	status := st.procs[m.to].status
	return st.gone(m.to) ||
		w.s.MailDownLost && (status == Down || status == Absent) ||
		st.across(m) && st.left["heals"] == 0 && !w.s.HealsOwed
}

// sweep drops what can never arrive and clears what no longer counts.
func (w *plainWorld) sweep(st *plainState) {
	st.mail = slices.DeleteFunc(st.mail, func(m plainMessage) bool { return w.lost(st, m) })
	for i := range st.procs {
		if st.gone(i) {
			st.procs[i].p, st.procs[i].pending = w.protocol.zero(), false
		}
	}
}

// bound returns D, or 1 without synchrony.
func (w *plainWorld) bound() int { return max(w.s.Timing.D, 1) }

func (w *plainWorld) synchronous() bool { return w.s.Timing.Kind.Discrete() }

// --- initial states

// initial returns the initial states, each once.
func (w *plainWorld) initial() []*plainState {
	byKey := make(map[string]*plainState)
	for _, ring := range w.arrangements() {
		for _, absent := range w.absences() {
			for _, initiators := range w.initiatorSets(Upto(ID(w.s.N)) &^ absent) {
				for _, st := range w.initialOf(ring, absent, initiators) {
					if !w.overfull(st) {
						byKey[w.key(st)] = st
					} else if w.overfullStarts != nil {
						*w.overfullStarts++
					}
				}
			}
		}
	}
	var all []*plainState
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		all = append(all, byKey[key])
	}
	return all
}

func (w *plainWorld) arrangements() [][]ID {
	if w.s.Topology == setting.Complete || w.s.Anonymous {
		return [][]ID{slices.Collect(Upto(ID(w.s.N)).All())}
	}
	if len(w.s.Arrangement) > 0 {
		return [][]ID{w.s.Arrangement}
	}
	var all [][]ID
	for _, rest := range permutations(slices.Collect(Upto(ID(w.s.N)).All())[1:]) {
		all = append(all, append([]ID{1}, rest...))
	}
	return all
}

func permutations(ids []ID) [][]ID {
	if len(ids) == 0 {
		return [][]ID{nil}
	}
	var all [][]ID
	for i, id := range ids {
		rest := slices.Concat(ids[:i], ids[i+1:])
		for _, p := range permutations(rest) {
			all = append(all, append([]ID{id}, p...))
		}
	}
	return all
}

// absences returns the choices of processes that are absent at the start.
func (w *plainWorld) absences() []Set {
	from := w.s.Joiners
	if from.Empty() {
		from = Upto(ID(w.s.N))
	}
	var all []Set
	for s := Set(0); s <= Upto(ID(w.s.N)); s++ {
		if s&^from == 0 && s.Len() == w.s.Joins {
			all = append(all, s)
		}
	}
	return all
}

// initiatorSets returns the choices of initiators among the present processes.
func (w *plainWorld) initiatorSets(present Set) []Set {
	if w.s.Start >= setting.SettledStart {
		return []Set{0}
	}
	var all []Set
	switch w.s.Initiators.Which {
	case setting.Everyone:
		return []Set{present}
	case setting.These:
		return []Set{w.s.Initiators.Set & present}
	case setting.EachOne:
		for id := range present.All() {
			all = append(all, SetOf(id))
		}
	case setting.AnySome:
		for s := Set(1); s <= present; s++ {
			if s&^present == 0 {
				all = append(all, s)
			}
		}
	}
	return all
}

func (w *plainWorld) initialOf(ring []ID, absent, initiators Set) []*plainState {
	st := &plainState{cut: map[setting.CutLink]bool{}, left: map[string]int{
		"losses": w.s.Losses, "duplications": w.s.Duplications, "cuts": w.s.Cuts, "heals": w.s.Heals,
		"premature": w.s.Timing.Premature, "crashes": w.s.Crashes, "restarts": w.s.Restarts,
		"joins": w.s.Joins, "suspicions": w.s.Suspicions, "pauses": w.s.Pauses,
	}}
	for _, id := range ring {
		p := plainProcess{id: id, p: w.protocol.zero(), status: Up, timers: map[int]int{}, least: map[int]int{}}
		switch {
		case absent.Has(id):
			p.status = Absent
		case w.s.Start == setting.ColdInterleaved:
			p.status = Unbooted
		}
		p.pending = initiators.Has(id) && (w.s.Start == setting.ColdInterleaved || w.s.Initiators.Lazy)
		st.procs = append(st.procs, p)
	}
	switch w.s.Start {
	case setting.ColdStart:
		return w.coldStart(st, initiators)
	case setting.SettledStart, setting.CoordinatorDown:
		w.settledStart(st)
	}
	w.sweep(st)
	return []*plainState{st}
}

// coldStart runs Init at each process, then Start at each eager initiator.
func (w *plainWorld) coldStart(st *plainState, initiators Set) []*plainState {
	states := []*plainState{st}
	run := func(i int, handler plainHandler) {
		var next []*plainState
		for _, s := range states {
			for _, o := range w.outcomes(s, i, 0, handler) {
				next = append(next, w.whole(s, i, o).next)
			}
		}
		states = next
	}
	for i, p := range st.procs {
		if p.status == Up {
			run(i, plainHandler{handler: plainInit, why: Cold})
		}
	}
	for i, p := range st.procs {
		if p.status == Up && initiators.Has(p.id) && !w.s.Initiators.Lazy {
			run(i, plainHandler{handler: plainStart})
		}
	}
	return states
}

func (w *plainWorld) settledStart(st *plainState) {
	var live Set
	for _, p := range st.procs {
		if p.status == Up {
			live = live.With(p.id)
		}
	}
	coordinator := w.wanted(live)
	for i := range st.procs {
		if p := &st.procs[i]; p.status == Up {
			p.p = w.protocol.settle(p.p, p.id, coordinator, live)
		}
	}
	if w.s.Start == setting.CoordinatorDown {
		w.crash(st, st.position(coordinator))
	}
}

func (w *plainWorld) wanted(live Set) ID {
	if live.Empty() {
		return None
	}
	return w.protocol.wanted(live)
}

// --- handlers

// plainOutcome is what handlers that ran one after the other did.
type plainOutcome struct {
	p       any
	timers  []uint8 // what they did to each: the last of them counts
	sends   []plainSend
	choices []int
	named   []string
}

// A plainSend is a send with its message.
type plainSend struct {
	send
	m Message
}

// outcomes runs handlers at the process at position i once for each sequence of
// choices.
func (w *plainWorld) outcomes(st *plainState, i int, from Port, handlers ...plainHandler) []plainOutcome {
	var all []plainOutcome
	script := []uint8{}
	for {
		asked := net{
			self: st.procs[i].id, n: ID(w.s.N), bound: w.bound(), from: from,
			ring: w.s.Topology != setting.Complete, oneWay: w.s.Topology == setting.Ring, mostTicks: maxTicks * (100 - w.s.Drift) / 100, ids: !w.s.Anonymous, named: w.protocol.Names().Choices,
			script: script, kinds: len(w.protocol.Names().Kinds), ruleCount: len(w.protocol.Names().Rules), timers: slices.Repeat([]uint8{timerKept}, len(w.protocol.Names().Timers)),
		}
		asked.wasSet = func(t Timer) bool {
			_, set := st.procs[i].timers[int(t)]
			return set
		}
		p, net, sent := w.protocol.run(st.procs[i].p, asked, handlers)
		o := plainOutcome{p: p, timers: net.timers}
		for i, s := range net.sends {
			o.sends = append(o.sends, plainSend{s, sent[i]})
		}
		for _, c := range net.choices {
			o.choices = append(o.choices, int(c))
			o.named = append(o.named, fmt.Sprint(c))
		}
		names, unnamed := w.protocol.Names().Choices, true
		for i, c := range net.picked {
			if c > 0 {
				unnamed = false
				o.named[i] = names[c-1].Name + "=" + names[c-1].Outcomes[o.choices[i]]
			}
		}
		if unnamed {
			o.named = nil
		}
		all = append(all, o)

		// The next script: the last choice that can be higher is, and what
		// came after it starts anew.
		script = slices.Clone(net.choices)
		for len(script) > 0 && script[len(script)-1]+1 == net.widths[len(script)-1] {
			script = script[:len(script)-1]
		}
		if len(script) == 0 {
			return all
		}
		script[len(script)-1]++
	}
}

// whole carries out all that an outcome asks for.
func (w *plainWorld) whole(st *plainState, i int, o plainOutcome) plainTransition {
	t := plainTransition{next: st.clone()}
	t.next.procs[i].p = o.p
	w.setTimers(t.next, i, o.timers)
	for _, s := range o.sends {
		t.sent = append(t.sent, w.send(t.next, i, s))
	}
	w.sweep(t.next)
	return t
}

// partly carries out an outcome up to a crash after the sends numbered out.
func (w *plainWorld) partly(st *plainState, i int, o plainOutcome, out []int) plainTransition {
	t := plainTransition{next: st.clone()}
	t.next.procs[i].p = o.p
	t.next.left["crashes"]--
	w.crash(t.next, i)
	for _, k := range out {
		t.sent = append(t.sent, w.send(t.next, i, o.sends[k]))
	}
	return t
}

// partlyOut returns which sends may be out when a process crashes between them:
// all operations before some operation, and a proper part of that one.
func partlyOut(sends []plainSend) [][]int {
	var all [][]int
	for first := 0; first < len(sends); {
		end := first + 1
		for sends[first].group != 0 && end < len(sends) && sends[end].group == sends[first].group {
			end++
		}
		for part := 0; part < 1<<(end-first)-1; part++ {
			var out []int
			for k := 0; k < first; k++ {
				out = append(out, k)
			}
			for k := first; k < end; k++ {
				if part>>(k-first)&1 != 0 {
					out = append(out, k)
				}
			}
			all = append(all, out)
		}
		first = end
	}
	return all
}

// run returns the transitions of an action that changes the state and then runs
// handlers at the process at position i.
func (w *plainWorld) run(st *plainState, a Action, i int, change func(*plainState), handlers ...plainHandler) []plainTransition {
	var all []plainTransition
	from := st
	st = st.clone()
	change(st)
	for _, o := range w.outcomes(st, i, a.Port, handlers...) {
		t := w.whole(st, i, o)
		t.action = a
		t.action.Choices, t.action.Outcomes = o.choices, o.named
		t.beyond = w.protocol.beyond(o.p) != ""
		all = append(all, t)
		if !w.s.MidSend || st.left["crashes"] == 0 || !w.mayCrash(st.procs[i].id) {
			continue
		}
		for _, out := range partlyOut(o.sends) {
			t := w.partly(st, i, o, out)
			t.action = a
			t.action.Choices, t.action.Outcomes, t.action.Crash, t.action.Out = o.choices, o.named, true, out
			t.beyond = w.protocol.beyond(o.p) != ""
			all = append(all, t)
		}
	}
	w.markChosen(from, all)
	return all
}

// markChosen marks, among the transitions of one action, those that are taken
// although they change nothing: the other outcomes of a choice of which one does.
func (w *plainWorld) markChosen(from *plainState, all []plainTransition) {
	if len(all) == 0 || len(all[0].action.Choices) == 0 {
		return
	}
	before := w.key(from)
	whole := func(t plainTransition) bool { return !t.action.Crash }
	if slices.ContainsFunc(all, func(t plainTransition) bool { return whole(t) && w.key(t.next) != before }) {
		for i := range all {
			all[i].chosen = whole(all[i])
		}
	}
}

func (w *plainWorld) mayCrash(id ID) bool { return w.s.Crashers.Empty() || w.s.Crashers.Has(id) }

func (w *plainWorld) setTimers(st *plainState, i int, timers []uint8) {
	for t, ticks := range timers {
		if ticks != timerKept {
			unset(st, i, t)
		}
	}
	for t, ticks := range timers {
		if ticks == timerKept || ticks == timerStopped {
			continue
		}
		st.procs[i].timers[t] = int(ticks)
		if w.s.Drift > 0 {
			fast, slow := 1+float64(w.s.Drift)/100, 1-float64(w.s.Drift)/100
			st.procs[i].least[t] = max(1, int(float64(ticks)/fast+1e-9))
			st.procs[i].timers[t] = int(math.Ceil(float64(ticks)/slow - 1e-9))
		}
		if w.s.Timing.Kind == setting.Asynchronous || w.s.Timing.Kind == setting.Patient {
			st.procs[i].timers[t] = 0
		}
		st.order = append(st.order, plainTimer{i, t})
	}
}

func unset(st *plainState, i, t int) {
	delete(st.procs[i].timers, t)
	delete(st.procs[i].least, t)
	st.order = slices.DeleteFunc(st.order, func(o plainTimer) bool { return o == plainTimer{i, t} })
}

// send puts a message into the network, or loses it at once.
func (w *plainWorld) send(st *plainState, i int, s plainSend) Envelope {
	m := plainMessage{m: s.m}
	if w.synchronous() {
		m.due = w.bound()
	}
	if w.s.Topology == setting.Complete {
		m.to, m.port = st.position(s.port.ID()), Peer(st.procs[i].id)
	} else {
		step := 1
		if s.port == Prev {
			step = w.s.N - 1
		}
		m.to, m.port = (i+step)%w.s.N, s.port.Opposite()
		for w.s.Repaired && m.to != i && st.procs[m.to].status != Up {
			m.to = (m.to + step) % w.s.N
		}
	}
	lost := w.lost(st, m)
	if !lost {
		st.mail = append(st.mail, m)
	}
	e := w.envelope(st, i, m)
	e.Broadcast, e.Lost = int(s.group), lost
	return e
}

func (w *plainWorld) envelope(st *plainState, from int, m plainMessage) Envelope {
	return Envelope{
		From: st.procs[from].id, To: st.procs[m.to].id, Port: m.port,
		Kind: w.protocol.Names().Kinds[m.m.Kind()], Text: m.m.String(), Due: m.due,
	}
}

// crash takes the process at position i down.
func (w *plainWorld) crash(st *plainState, i int) {
	p := &st.procs[i]
	p.status, p.paused = Down, false
	for t := range w.protocol.Names().Timers {
		unset(st, i, t)
	}
	p.p = w.protocol.keep(p.p)
	w.sweep(st)
}

// --- actions

// next returns the transitions that are enabled and whose states fit the
// capacity of links.
func (w *plainWorld) next(st *plainState) []plainTransition {
	return slices.DeleteFunc(slices.Clone(w.enabled(st)), func(t plainTransition) bool { return t.beyond || w.overfull(t.next) })
}

// enabled returns all transitions that change something.
func (w *plainWorld) enabled(st *plainState) []plainTransition {
	if w.asked == st {
		return w.answer
	}
	all := slices.Concat(w.deliveries(st), w.expiries(st), w.comings(st), w.reports(st), w.networkFaults(st), w.ticks(st))
	before := w.key(st)
	w.asked, w.answer = st, slices.DeleteFunc(all, func(t plainTransition) bool { return w.key(t.next) == before && !t.chosen })
	return w.answer
}

// overfull reports whether a link holds more than its capacity.
func (w *plainWorld) overfull(st *plainState) bool {
	type link struct {
		to   int
		port Port
	}
	held := make(map[link]int)
	for _, m := range st.mail {
		held[link{m.to, m.port}]++
	}
	for _, n := range held {
		if w.s.Capacity > 0 && n > w.s.Capacity {
			return true
		}
	}
	return false
}

// onMessage returns the action of a kind with message k.
func (w *plainWorld) onMessage(kind ActionKind, st *plainState, k int) Action {
	m := st.mail[k]
	return Action{Kind: kind, Process: st.procs[m.to].id, Port: m.port, Message: m.m.String(), Due: m.due}
}

func (w *plainWorld) deliveries(st *plainState) []plainTransition {
	var all []plainTransition
	seen := make(map[string]bool)
	for k, m := range st.mail {
		a := w.onMessage(Delivers, st, k)
		if seen[fmt.Sprint(a)] {
			continue
		}
		takeOut := func(st *plainState) { st.mail = slices.Delete(st.mail, k, k+1) }
		switch {
		case w.deliverable(st, k):
			seen[fmt.Sprint(a)] = true
			all = append(all, w.run(st, a, m.to, func(st *plainState) {
				takeOut(st)
				st.procs[m.to].pending = false
			}, plainHandler{handler: plainReceive, port: m.port, m: m.m})...)
		case w.droppable(st, k):
			seen[fmt.Sprint(a)] = true
			a.Kind = Drops
			all = append(all, w.change(st, a, takeOut))
		}
	}
	return all
}

// change returns the transition of an action that runs no handler.
func (w *plainWorld) change(st *plainState, a Action, change func(*plainState)) plainTransition {
	next := st.clone()
	change(next)
	w.sweep(next)
	return plainTransition{action: a, next: next}
}

func (w *plainWorld) expiries(st *plainState) []plainTransition {
	var all []plainTransition
	for _, o := range st.order {
		premature := w.s.Timing.Kind == setting.Asynchronous && w.anyDeliverable(st)
		budgeted := premature && w.s.Timing.Premature > 0
		if !w.mayExpire(st, o) || budgeted && st.left["premature"] == 0 {
			continue
		}
		a := Action{
			Kind: Expires, Process: st.procs[o.process].id,
			Timer: w.protocol.Names().Timers[o.timer].Name, Premature: premature,
		}
		all = append(all, w.run(st, a, o.process, func(st *plainState) {
			unset(st, o.process, o.timer)
			if budgeted {
				st.left["premature"]--
			}
		}, plainHandler{handler: plainTimeout, timer: o.timer})...)
	}
	return all
}

// mayExpire reports whether the timing lets a timer that is set expire.
func (w *plainWorld) mayExpire(st *plainState, o plainTimer) bool {
	if st.procs[o.process].paused {
		return false
	}
	ticks := st.procs[o.process].timers[o.timer]
	if w.s.Drift > 0 {
		ticks = st.procs[o.process].least[o.timer]
	}
	switch w.s.Timing.Kind {
	case setting.Synchronous, setting.Lockstep:
		return ticks == 0 && !slices.ContainsFunc(st.mail, func(m plainMessage) bool { return m.due == 0 && !st.held(m) })
	case setting.Asynchronous:
		return true
	case setting.Patient:
		return !w.anyDeliverable(st)
	}
	if w.anyDeliverable(st) {
		return false
	}
	first := o
	for _, other := range st.order {
		if st.procs[other.process].paused {
			continue
		}
		if st.procs[other.process].timers[other.timer] == st.procs[first.process].timers[first.timer] &&
			slices.Index(st.order, other) < slices.Index(st.order, first) {
			first = other
		}
		if st.procs[other.process].timers[other.timer] < st.procs[first.process].timers[first.timer] {
			first = other
		}
	}
	return o == first
}

func (w *plainWorld) ticks(st *plainState) []plainTransition {
	if !w.synchronous() || len(st.mail) == 0 && len(st.order) == 0 {
		return nil
	}
	next := st.clone()
	for k := range next.mail {
		if next.mail[k].due == 0 && !st.held(next.mail[k]) {
			return nil
		}
		next.mail[k].due = max(next.mail[k].due-1, 0)
	}
	for _, p := range next.procs {
		for t, left := range p.timers {
			if left == 0 && !p.paused {
				return nil
			}
			p.timers[t] = max(left-1, 0)
			if w.s.Drift > 0 {
				p.least[t] = max(p.least[t]-1, 0)
			}
		}
	}
	return []plainTransition{{action: Action{Kind: Ticks}, next: next}}
}

// comings are the actions by which processes come up, begin and go down.
func (w *plainWorld) comings(st *plainState) []plainTransition {
	var all []plainTransition
	for i, p := range st.procs {
		boot := func(why Boot) plainHandler { return plainHandler{handler: plainInit, why: why} }
		start := plainHandler{handler: plainStart}
		act := func(kind ActionKind) Action { return Action{Kind: kind, Process: p.id} }
		spend := func(budget string) func(st *plainState) {
			return func(st *plainState) {
				st.left[budget]--
				st.procs[i].status = Up
			}
		}
		switch {
		case p.status == Up:
			switch {
			case p.paused:
				all = append(all, w.change(st, act(Resumes), func(st *plainState) { st.procs[i].paused = false }))
			case st.left["pauses"] > 0 && (w.s.Pausers.Empty() || w.s.Pausers.Has(p.id)):
				all = append(all, w.change(st, act(Pauses), func(st *plainState) {
					st.left["pauses"]--
					st.procs[i].paused = true
				}))
			}
			if p.pending && !p.paused {
				all = append(all, w.run(st, act(Starts), i, func(st *plainState) { st.procs[i].pending = false }, start)...)
			}
			if st.left["crashes"] > 0 && w.mayCrash(p.id) {
				all = append(all, w.change(st, act(Crashes), func(st *plainState) {
					st.left["crashes"]--
					w.crash(st, i)
				}))
			}
		case p.status == Unbooted:
			handlers := []plainHandler{boot(Cold)}
			eager := p.pending && !w.s.Initiators.Lazy
			if eager {
				handlers = append(handlers, start)
			}
			all = append(all, w.run(st, act(Boots), i, func(st *plainState) {
				st.procs[i].status = Up
				st.procs[i].pending = p.pending && !eager
			}, handlers...)...)
		case p.status == Absent && st.left["joins"] > 0:
			all = append(all, w.run(st, act(Joins), i, spend("joins"), boot(Join))...)
		case p.status == Down && st.left["restarts"] > 0:
			all = append(all, w.run(st, act(Restarts), i, func(st *plainState) {
				spend("restarts")(st)
				if w.s.MailOldLost {
					st.mail = slices.DeleteFunc(st.mail, func(m plainMessage) bool { return st.source(m) == i })
				}
				w.sweep(st)
			}, boot(Restart))...)
		}
	}
	return all
}

// reports are the failure detector's, right and wrong.
func (w *plainWorld) reports(st *plainState) []plainTransition {
	var all []plainTransition
	for i, p := range st.procs {
		busy := p.paused || w.protocol.belief(p.p).Participant && !w.s.ReportsAlways
		if w.s.Detector == setting.DetectorOff || p.status != Up || !w.s.Detectors.Empty() && !w.s.Detectors.Has(p.id) || busy {
			continue
		}
		for who := range w.watches(p).All() {
			k := st.position(who)
			if k < 0 || k == i {
				continue
			}
			suspect := plainHandler{handler: plainSuspect, who: who}
			a := Action{Kind: Suspects, Process: p.id, Who: who}
			switch {
			case st.procs[k].status == Down, st.procs[k].status == Up && w.silent(st, p.id, who):
				all = append(all, w.run(st, a, i, func(*plainState) {}, suspect)...)
			case st.procs[k].status == Up && st.left["suspicions"] > 0:
				a.Kind = Misreports
				all = append(all, w.run(st, a, i, func(st *plainState) { st.left["suspicions"]-- }, suspect)...)
			}
		}
	}
	return all
}

// silent reports whether somebody who is up is as good as down to the failure
// detector.
func (w *plainWorld) silent(st *plainState, observer, who ID) bool {
	return w.s.Detector != setting.DetectorPerfect && (st.procs[st.position(who)].paused || st.severed(observer, who) || st.severed(who, observer))
}

func (w *plainWorld) watches(p plainProcess) Set {
	if watched, says := w.protocol.watches(p.p, p.id); says {
		return watched
	}
	elected := w.protocol.belief(p.p).Elected
	if elected == None || elected == Me || elected == p.id {
		return 0
	}
	return SetOf(elected)
}

func (w *plainWorld) networkFaults(st *plainState) []plainTransition {
	var all []plainTransition
	seen := make(map[string]bool)
	for k := range st.mail {
		a := w.onMessage(Loses, st, k)
		if seen[fmt.Sprint(a)] {
			continue
		}
		seen[fmt.Sprint(a)] = true
		if st.left["losses"] > 0 {
			all = append(all, w.change(st, a, func(st *plainState) {
				st.left["losses"]--
				st.mail = slices.Delete(st.mail, k, k+1)
			}))
		}
		if st.left["duplications"] > 0 {
			a.Kind = Duplicates
			all = append(all, w.change(st, a, func(st *plainState) {
				st.left["duplications"]--
				double := st.mail[k]
				if w.s.FIFO && w.synchronous() {
					double.due = w.bound()
				}
				st.mail = append(st.mail, double)
			}))
		}
	}
	if w.s.CutBy != setting.CutSides {
		return append(all, w.linkFaults(st)...)
	}
	if st.side.Empty() && st.left["cuts"] > 0 {
		for side := Set(1); side < Upto(ID(w.s.N)); side++ {
			if !side.Has(st.procs[0].id) {
				all = append(all, w.change(st, Action{Kind: CutsOff, Side: side}, func(st *plainState) {
					st.left["cuts"]--
					st.side = side
				}))
			}
		}
	}
	if !st.side.Empty() && (w.s.HealsOwed || st.left["heals"] > 0) {
		all = append(all, w.change(st, Action{Kind: Heals}, func(st *plainState) {
			w.payHeal(st)
			st.side = 0
		}))
	}
	return all
}

func (w *plainWorld) payHeal(st *plainState) {
	if !w.s.HealsOwed {
		st.left["heals"]--
	}
}

// linkFaults are cuts and heals of single links.
func (w *plainWorld) linkFaults(st *plainState) []plainTransition {
	var all []plainTransition
	for from := ID(1); from <= ID(w.s.N); from++ {
		for to := ID(1); to <= ID(w.s.N); to++ {
			link, back := setting.CutLink{From: from, To: to}, setting.CutLink{From: to, To: from}
			a := Action{Link: setting.CutLink{From: from, To: to, Both: w.s.CutBy == setting.CutLinks}}
			switch {
			case from == to, a.Link.Both && from > to:
			case st.cut[link] && (w.s.HealsOwed || st.left["heals"] > 0):
				a.Kind = Heals
				all = append(all, w.change(st, a, func(st *plainState) {
					w.payHeal(st)
					delete(st.cut, link)
					if a.Link.Both {
						delete(st.cut, back)
					}
				}))
			case !st.cut[link] && st.left["cuts"] > 0:
				a.Kind = CutsOff
				all = append(all, w.change(st, a, func(st *plainState) {
					st.left["cuts"]--
					st.cut[link] = true
					if a.Link.Both {
						st.cut[back] = true
					}
				}))
			}
		}
	}
	return all
}

// settled reports whether nothing is left to happen by itself, periodic timers
// aside, and nobody takes part in an election.
func (w *plainWorld) settled(st *plainState) bool {
	periodic := make(map[string]bool)
	for _, t := range w.protocol.Names().Timers {
		periodic[t.Name] = t.Periodic
	}
	for _, t := range w.enabled(st) {
		switch a := t.action; {
		case !a.Kind.Owed() && !(a.Kind == Heals && w.s.HealsOwed):
		case a.Kind == Expires && periodic[a.Timer] && (w.s.Timing.Kind == setting.Asynchronous || w.s.Timing.Kind == setting.Patient || !w.lasting(st)):
			// Other than here, a timer that is not periodic waits its turn.
		case a.Kind == Ticks && len(st.mail) == 0 && !w.lasting(st):
		default:
			return false
		}
	}
	return !slices.ContainsFunc(st.procs, func(p plainProcess) bool {
		return p.status == Up && w.protocol.belief(p.p).Participant
	})
}

// lasting reports whether a timer is set that is not periodic.
func (w *plainWorld) lasting(st *plainState) bool {
	return slices.ContainsFunc(st.order, func(o plainTimer) bool {
		return !w.protocol.Names().Timers[o.timer].Periodic
	})
}

// --- what a state is

// key returns the canonical text of a state: equal for equal states only.
func (w *plainWorld) key(st *plainState) string {
	if st.text != "" {
		return st.text
	}
	var b strings.Builder
	for _, p := range st.procs {
		fmt.Fprintf(&b, "%d %v %+v pending=%v timers=%v least=%v paused=%v\n", p.id, p.status, p.p, p.pending, p.timers, p.least, p.paused)
	}
	for _, m := range w.sortedMail(st) {
		fmt.Fprintf(&b, "to %d by %v: %+v due %d\n", m.to, m.port, m.m, m.due)
	}
	if w.s.Timing.Kind == setting.LastResort {
		byTicks := make(map[int][]plainTimer)
		for _, o := range st.order {
			ticks := st.procs[o.process].timers[o.timer]
			byTicks[ticks] = append(byTicks[ticks], o)
		}
		fmt.Fprintf(&b, "order %v\n", byTicks)
	}
	fmt.Fprintf(&b, "left %v side %v cut %v", st.left, st.side, st.cut)
	st.text = b.String()
	return st.text
}

// sortedMail returns the messages by link, on each in order of sending where
// channels have an order.
func (w *plainWorld) sortedMail(st *plainState) []plainMessage {
	sorted := slices.Clone(st.mail)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		if a.to != b.to || a.port != b.port {
			return a.to < b.to || a.to == b.to && a.port < b.port
		}
		if w.s.FIFO {
			return false
		}
		return fmt.Sprintf("%+v %d", a.m, a.due) < fmt.Sprintf("%+v %d", b.m, b.due)
	})
	return sorted
}
