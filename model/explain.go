package model

import (
	"fmt"
	"reflect"
	"unsafe"

	"bullyproof/explore"
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
	e.rec = &recorder{each: each}
	e.Expand(state, new(explore.Successors))
}

// survey decodes a state and finds what is owed in it. The other actions of
// the world, which can be many, are left out.
func (w *world) survey(state []byte) *expander {
	e := w.newExpander(nil)
	e.decode(state)
	e.out, e.code, e.owed, e.beats = new(explore.Successors), 0, 0, false
	if len(e.monitors) > 0 {
		e.fillView(&e.from)
	}
	e.owing()
	return e
}

// action returns the action under way in terms that mean the same everywhere.
func (e *expander) action() Action {
	a := &e.act
	out := Action{Kind: a.kind, Who: a.who, Premature: a.hasty, Crash: e.mid}
	if a.pos >= 0 {
		out.Process = e.ids[a.pos]
	}
	if a.msg >= 0 {
		env := e.envelope(e.record(a.msg))
		out.Port, out.Message, out.Due = env.Port, env.Text, env.Due
	}
	if a.kind == Expires {
		out.Timer = e.names.Timers[a.timer].Name
	}
	if a.kind == CutsOff {
		out.Side = e.toIDs(a.side)
	}
	if a.kind == SetsClock {
		out.Ahead = int(a.ahead)
	}
	if a.link != [2]uint8{} {
		out.Link = e.link(a.link[0], a.link[1])
	}
	for _, c := range e.call.Choices {
		out.Choices = append(out.Choices, int(c))
	}
	out.Outcomes = e.call.Outcomes()
	if e.mid {
		out.Out = append([]int{}, e.order...)
	}
	return out
}

func (e *expander) ruleNames() []string {
	var rules []string
	for r, name := range e.names.Rules {
		if e.call.Rules>>r&1 != 0 {
			rules = append(rules, name)
		}
	}
	return rules
}

// envelope returns a message record in terms that people read. Its sender is
// None on a repaired ring, where a record does not tell.
func (e *expander) envelope(rec []byte) Envelope {
	m := e.message(rec)
	env := Envelope{
		To: e.ids[rec[0]], Port: Port(rec[1]), Kind: e.names.Kinds[e.hands.Kind(m)], Text: e.hands.Text(m),
	}
	if !e.setting.Repaired {
		env.From = e.ids[e.sender(rec)]
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
func (e *expander) toIDs(positions Set) Set {
	if !e.ring {
		return positions
	}
	var s Set
	for pos, id := range e.ids {
		if positions>>pos&1 != 0 {
			s = s.With(id)
		}
	}
	return s
}

func (w *world) snapshot(state []byte) Snapshot {
	e := w.survey(state)
	out := Snapshot{Side: e.toIDs(e.Positions(state, e.SideOff)), Links: e.links(), Settled: e.owed == 0 && e.parts == 0}
	for pos := range e.N {
		out.Processes = append(out.Processes, e.processSnapshot(pos))
	}
	for i := range len(e.area) / e.Width {
		out.InFlight = append(out.InFlight, e.envelope(e.record(i)))
	}
	for i, b := range setting.Budgets() {
		if off := e.Budget[i]; off >= 0 {
			out.Budgets = append(out.Budgets, Count{b.Key, int64(state[off])})
		}
	}
	return out
}

func (e *expander) processSnapshot(pos int) ProcessSnapshot {
	proc := e.Proc(e.state, pos)
	out := ProcessSnapshot{ID: e.ids[pos], Status: Status(proc[0]), Paused: e.paused>>pos&1 != 0, Belief: e.belief[pos]}
	if out.Belief.Elected == Me {
		out.Belief.Elected = out.ID
	}
	p := reflect.New(e.typeP)
	e.planP.Get(p.UnsafePointer(), proc[e.POff:])
	out.Fields = protocol.Fields(e.protocol, p, e.N)
	for t, name := range e.names.Timers {
		at := proc[e.TimerOff+t*e.TimerLen]
		if at == 0 {
			continue
		}
		ts := TimerSnapshot{Name: name.Name}
		switch e.setting.Timing.Kind {
		case setting.Synchronous, setting.Lockstep:
			ts.Ticks = int(at) - 1
			if e.setting.Drift > 0 {
				ts.Least = int(proc[e.TimerOff+t*e.TimerLen+1])
			}
		case setting.LastResort:
			ts.Ticks = int(at)
		}
		out.Timers = append(out.Timers, ts)
	}
	return out
}

func (w *world) view(state []byte) *View {
	e := w.survey(state)
	e.fillView(&e.from)
	e.from.Quiet = e.owed == 0
	e.from.Over = e.from.Quiet && !e.beats
	e.from.Settled = e.from.Quiet && e.parts == 0
	e.out = nil // the view keeps the expander, and nothing needs its successors
	return &e.from
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

func (v *stateView) process(id ID) any { return v.e.hands.State(v.at(id)) }

// at returns where the state of a process is.
func (v *stateView) at(id ID) unsafe.Pointer {
	pos := v.e.at[id-1]
	if pos == v.acted {
		return v.e.cur
	}
	return v.e.procs.at(pos)
}

func (v *stateView) owes(id ID) bool {
	return protocol.Owes(v.e.protocol, v.at(id))
}

func (v *stateView) epoch(id ID) uint64 {
	pos := v.e.at[id-1]
	if pos == v.acted {
		return v.now
	}
	return v.e.belief[pos].Epoch
}

func (v *stateView) inFlight() int { return (len(v.state) - v.e.MsgOff) / v.e.Width }

func (v *stateView) noLetter() any { return v.e.hands.Message(nil) }

func (v *stateView) letter(i int) (Link, any) {
	e := v.e
	rec := v.state[e.MsgOff+i*e.Width:]
	link := Link{To: e.ids[rec[0]]}
	if !e.setting.Repaired {
		link.From = e.ids[e.sender(rec)]
	}
	return link, e.hands.Message(e.message(rec[:e.Width]))
}

func (v *stateView) stored(id ID) any {
	e := v.e
	proc := e.Proc(v.state, e.at[id-1])
	e.planP.Get(e.disk, proc[e.POff:])
	if Status(proc[0]) == Up {
		e.keep(e.disk)
	}
	e.putClock(e.disk, 0)
	return e.hands.State(e.disk)
}

// fillView makes v the view of the state under expansion.
func (e *expander) fillView(v *View) {
	e.before = stateView{e: e, state: e.state, acted: -1}
	v.N, v.procs = ID(e.N), &e.before
	v.monitors, v.history = e.monitors, e.state[e.MonitorOff:e.MsgOff]
	v.Up, v.Present, v.Participants = e.toIDs(e.up), e.toIDs(e.up|e.down), e.toIDs(e.parts)
	e.viewCuts(v, e.state)
	v.Leaders = 0
	for pos, id := range e.ids {
		e.believe(v, id, e.belief[pos].Elected)
	}
	v.Wanted = e.has.Wanted(v.Up)
}

// viewCuts makes what is cut in a state part of v, and who pauses.
func (e *expander) viewCuts(v *View, state []byte) {
	if e.CutsOff >= 0 {
		v.Side = e.toIDs(e.Positions(state, e.SideOff))
		v.layout, v.state = &e.Layout, state
	}
	if e.PausedOff >= 0 {
		v.Paused = e.toIDs(e.Positions(state, e.PausedOff))
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
	*v = e.from
	e.after = stateView{e: e, state: next, acted: e.act.pos}
	v.procs, v.history = &e.after, next[e.MonitorOff:e.MsgOff]
	e.viewCuts(v, next)
	pos := e.act.pos
	if pos < 0 {
		return
	}
	id, belief := e.ids[pos], Belief{}
	v.Up, v.Participants = v.Up.Without(id), v.Participants.Without(id)
	switch Status(e.Proc(next, pos)[0]) {
	case Up:
		v.Up, v.Present = v.Up.With(id), v.Present.With(id)
		belief = e.belief[pos]
		if e.acts() {
			belief = e.hands.Belief(e.cur)
			e.after.now = belief.Epoch
		} else {
			e.after.acted = -1
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
func (e *expander) acts() bool { return e.act.kind.Has(WithHandler) }
