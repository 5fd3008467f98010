package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// A recorder keeps what an expansion finds in terms that people read, or tells
// it to each, if that is set.
type recorder struct {
	found   []Transition
	each    func(Transition)
	sent    []Envelope
	dropped []Envelope
	beyond  string // why a transition was left out, or leads beyond the bound
}

func (r *recorder) reset() { r.sent, r.dropped = nil, nil }

func (r *recorder) note(t Transition) {
	t.Sent, t.Dropped = r.sent, r.dropped
	r.reset()
	if r.each != nil {
		r.each(t)
		return
	}
	if t.Next != nil {
		t.Next = append([]byte(nil), t.Next...)
	}
	r.found = append(r.found, t)
}

// transitions expands a state with everything recorded, and tells each
// transition; Next is good until the next one.
func (w *world) transitions(state []byte, each func(Transition)) {
	e := w.newExpander(nil)
	e.wrap.rec = &recorder{each: each}
	e.Expand(state, new(explore.Successors))
}

// survey decodes a state and finds what is owed in it. The other actions of
// the world, which can be many, are left out.
func (w *world) survey(state []byte) *expander {
	e := w.newExpander(nil)
	e.decode(state)
	e.out, e.act.code, e.now.owed, e.now.beats = new(explore.Successors), 0, 0, false
	if len(e.monitors) > 0 {
		e.fillView(&e.asked.from)
	}
	e.owing()
	return e
}

// action returns the action under way in terms that mean the same everywhere.
func (e *expander) action() Action {
	a := &e.act
	out := Action{Kind: a.kind, Who: a.who, Premature: a.hasty, Crash: e.act.mid}
	if a.pos >= 0 {
		out.Process = e.now.ids[a.pos]
	}
	if a.msg >= 0 {
		env := e.envelope(e.now.record(a.msg))
		out.Port, out.Message, out.Due = env.Port, env.Text, env.Due
	}
	if a.kind == Expires {
		out.Timer = e.names.Timers[a.timer].Name
	}
	if a.kind == CutsOff {
		out.Side = e.now.toIDs(a.side)
	}
	if a.kind == SetsClock {
		out.Ahead = int(a.which)
	}
	if a.kind == Requests {
		out.Request = e.names.Asked()[a.which]
	}
	if a.link != [2]uint8{} {
		out.Link = e.now.link(a.link[0], a.link[1])
	}
	for _, c := range e.act.call.Choices {
		out.Choices = append(out.Choices, int(c))
	}
	out.Outcomes = e.act.call.Outcomes()
	if e.act.mid {
		out.Out = append([]int{}, e.draft.order...)
	}
	return out
}

func (u *underway) ruleNames() []string {
	var rules []string
	for r, name := range u.names.Rules {
		if u.call.Rules>>r&1 != 0 {
			rules = append(rules, name)
		}
	}
	return rules
}

// envelope returns a message record in terms that people read. Its sender is
// None on a repaired ring, where a record does not tell.
func (e *expander) envelope(rec []byte) Envelope {
	m := e.act.message(rec)
	env := Envelope{
		To: e.now.ids[rec[0]], Port: Port(rec[1]), Kind: e.names.Kinds[e.protocol.Kind(m)], Text: e.protocol.Text(m),
	}
	if !e.setting.Repaired {
		env.From = e.now.ids[e.now.sender(rec)]
	}
	if len(e.Dates.Sent) > 0 {
		env.Later = e.textLater(rec, env.Text)
	}
	if e.DueOff >= 0 {
		env.Due = int(rec[e.DueOff])
	}
	return env
}

// toIDs turns a set of positions into the set of the ids there.
func (now *decoded) toIDs(positions Set) Set {
	if !now.ring {
		return positions
	}
	var s Set
	for pos, id := range now.ids {
		if positions>>pos&1 != 0 {
			s = s.With(id)
		}
	}
	return s
}

func (w *world) snapshot(state []byte) Snapshot {
	e := w.survey(state)
	out := Snapshot{Side: e.now.toIDs(e.Positions(state, e.SideOff)), Links: e.now.links(), Settled: e.now.owed == 0 && e.now.parts == 0}
	for pos := range e.N {
		out.Processes = append(out.Processes, e.now.processSnapshot(pos))
	}
	for i := range len(e.now.area) / e.Width {
		out.InFlight = append(out.InFlight, e.envelope(e.now.record(i)))
	}
	for i, b := range setting.Budgets() {
		if off := e.Budget[i]; off >= 0 {
			out.Budgets = append(out.Budgets, Count{b.Key, int64(state[off])})
		}
	}
	return out
}

func (now *decoded) processSnapshot(pos int) ProcessSnapshot {
	proc := now.Proc(now.state, pos)
	out := ProcessSnapshot{ID: now.ids[pos], Status: Status(proc[0]), Paused: now.paused>>pos&1 != 0, Belief: now.belief[pos]}
	if out.Belief.Elected == Me {
		out.Belief.Elected = out.ID
	}
	if len(now.clocks) > 0 {
		out.Ahead = int(now.ClockAt(now.state, pos))
	}
	p := reflect.New(now.typeP)
	now.planP.Get(p.UnsafePointer(), proc[now.POff:])
	out.Fields = protocol.Fields(now.protocol, p, now.N)
	for t, name := range now.names.Timers {
		at := proc[now.TimerOff+t*now.TimerLen]
		if at == 0 {
			continue
		}
		ts := TimerSnapshot{Name: name.Name, Ticks: ticks(&now.Layout, at)}
		if now.Timed && now.setting.Drift > 0 {
			ts.Least = int(proc[now.TimerOff+t*now.TimerLen+1])
		}
		out.Timers = append(out.Timers, ts)
	}
	return out
}

func (w *world) view(state []byte) *View {
	e := w.survey(state)
	e.fillView(&e.asked.from)
	e.asked.from.Quiet = e.now.owed == 0
	e.asked.from.Over = e.asked.from.Quiet && !e.now.beats
	e.asked.from.Settled = e.asked.from.Quiet && e.now.parts == 0
	e.out = nil // the view keeps the expander, and nothing needs its successors
	return &e.asked.from
}

func (w *world) cutReason(reason int) string {
	if reason == w.boundReason() && w.has.Bounder {
		return "states of processes beyond the protocol's bound were left out"
	}
	kind := "messages"
	if reason < len(w.names.Kinds) {
		kind = w.names.Kinds[reason]
	}
	return fmt.Sprintf("capacity=%d: a link was full when %s was to be sent", w.setting.Capacity, kind)
}

// A stateView gives properties access to what is in a state: the one under
// expansion, or the end of the step under way, in which one process has acted.
type stateView struct {
	e     *expander
	state []byte // encoded
	acted int    // position, or -1
	now   uint64 // epoch of the one that acted
}

func (v *stateView) process(id ID) any { return v.e.protocol.State(v.at(id)) }

// at returns where the state of a process is.
func (v *stateView) at(id ID) unsafe.Pointer {
	pos := v.e.now.at[id-1]
	if pos == v.acted {
		return v.e.act.cur
	}
	return v.e.now.procs.at(pos)
}

func (v *stateView) owes(id ID) bool {
	return protocol.Owes(v.e.protocol, v.at(id))
}

func (v *stateView) epoch(id ID) uint64 {
	pos := v.e.now.at[id-1]
	if pos == v.acted {
		return v.now
	}
	return v.e.now.belief[pos].Epoch
}

func (v *stateView) inFlight() int { return (len(v.state) - v.e.MsgOff) / v.e.Width }

func (v *stateView) noLetter() any { return v.e.protocol.Message(nil) }

func (v *stateView) letter(i int) (Link, any) {
	e := v.e
	rec := v.state[e.MsgOff+i*e.Width:]
	link := Link{To: e.now.ids[rec[0]]}
	if !e.setting.Repaired {
		link.From = e.now.ids[e.now.sender(rec)]
	}
	return link, e.protocol.Message(e.act.message(rec[:e.Width]))
}

func (v *stateView) stamp(i int) (Kind, int) {
	e := v.e
	rec := v.state[e.MsgOff+i*e.Width:][:e.Width]
	due := -1
	if e.DueOff >= 0 {
		due = int(rec[e.DueOff])
	}
	return e.protocol.Kind(e.act.message(rec)), due
}

func (v *stateView) left(id ID, t Timer) int {
	e := v.e
	return ticks(&e.Layout, e.Proc(v.state, e.now.at[id-1])[e.TimerOff+int(t)*e.TimerLen])
}

// ticks says of the first byte of a timer what View.Left does.
func ticks(l *layout.Layout, at byte) int {
	switch {
	case at == 0:
		return -1
	case l.Ranked:
		return int(at)
	}
	return int(at) - 1
}

func (v *stateView) budget(i int) int { return v.e.Layout.Left(v.state, i) }

func (v *stateView) stored(id ID) any {
	e := v.e
	proc := e.Proc(v.state, e.now.at[id-1])
	e.planP.Get(e.asked.disk, proc[e.POff:])
	if Status(proc[0]) == Up {
		e.keep(e.asked.disk)
	}
	e.putClock(e.asked.disk, 0)
	return e.protocol.State(e.asked.disk)
}

// fillView makes v the view of the state under expansion.
func (e *expander) fillView(v *View) {
	e.asked.before = stateView{e: e, state: e.now.state, acted: -1}
	v.N, v.procs = ID(e.N), &e.asked.before
	v.monitors, v.history = e.monitors, e.now.state[e.MonitorOff:e.MsgOff]
	v.Up, v.Present, v.Participants = e.now.toIDs(e.now.up), e.now.toIDs(e.now.up|e.now.down), e.now.toIDs(e.now.parts)
	e.now.viewCuts(v, e.now.state)
	v.Leaders = 0
	for pos, id := range e.now.ids {
		e.believe(v, id, e.now.belief[pos].Elected)
	}
	v.Wanted = e.has.Wanted(v.Up)
}

// viewCuts makes what is cut in a state part of v, and who pauses.
func (now *decoded) viewCuts(v *View, state []byte) {
	if now.CutsOff >= 0 {
		v.Side = now.toIDs(now.Positions(state, now.SideOff))
		v.layout, v.state = &now.Layout, state
	}
	if now.PausedOff >= 0 {
		v.Paused = now.toIDs(now.Positions(state, now.PausedOff))
	}
}

// believe notes in v whom process id takes for the coordinator.
func (e *expander) believe(v *View, id, elected ID) {
	if elected == Me {
		elected = id
	}
	v.elected[id-1] = elected
	v.Leaders = v.Leaders.Without(id)
	if elected == id {
		v.Leaders = v.Leaders.With(id)
	}
}

// viewAfter makes v the view of the end of the step under way.
func (e *expander) viewAfter(v *View, next []byte) {
	if k := e.act.kind; e.Dated() && (k == Ticks || k == SetsClock) {
		e.viewLater(v, next)
		return
	}
	*v = e.asked.from
	e.asked.after = stateView{e: e, state: next, acted: e.act.pos}
	v.procs, v.history = &e.asked.after, next[e.MonitorOff:e.MsgOff]
	e.now.viewCuts(v, next)
	pos := e.act.pos
	if pos < 0 {
		return
	}
	id, belief := e.now.ids[pos], Belief{}
	v.Up, v.Participants = v.Up.Without(id), v.Participants.Without(id)
	switch Status(e.Proc(next, pos)[0]) {
	case Up:
		v.Up, v.Present = v.Up.With(id), v.Present.With(id)
		belief = e.now.belief[pos]
		if e.act.acts() {
			belief = e.protocol.Belief(e.act.cur)
			e.asked.after.now = belief.Epoch
		} else {
			e.asked.after.acted = -1
		}
	case Down:
		v.Present = v.Present.With(id)
	}
	if belief.Participant {
		v.Participants = v.Participants.With(id)
	}
	e.believe(v, id, belief.Elected)
	v.Wanted = e.has.Wanted(v.Up)
}

// acts reports whether the action under way runs a handler.
func (u *underway) acts() bool { return u.kind.Has(WithHandler) }
