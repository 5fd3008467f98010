package model

import (
	"iter"
	"slices"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
)

// A View is what properties see of a state: who is up and what each process
// believes. It is good during the call that receives it.
type View struct {
	// N is the number of processes.
	N ID
	// Up are the processes that are up; Present those that are neither absent
	// nor unbooted, up or down.
	Up, Present Set
	// Leaders are the processes that are up and believe themselves coordinator.
	Leaders Set
	// Participants are the processes that are up and are in an election.
	Participants Set
	// Wanted is the process that ought to win among those that are up: the
	// highest unless the protocol says otherwise, None if nobody is up.
	Wanted ID
	// Settled says that no owed action is enabled (those of periodic timers
	// aside) and nobody is in an election. Watches of states know it; to watches
	// of steps it is false in both views.
	Settled bool
	// Quiet says that no owed action is enabled (those of periodic timers
	// aside): only faults can change anything, though somebody may wait for what
	// will never come. It is known where Settled is.
	Quiet bool
	// Over says that nothing is enabled but faults: no owed action, and none that a
	// periodic timer begins. Transitions that a bound leaves out count as enabled. It is
	// known where Settled is, except to walkers.
	Over bool
	// Side is the part of the processes that a cut separates from the rest; empty
	// without one, and where links are cut one by one (Severed).
	Side Set

	// Paused are the processes that pause: they are up, and do nothing for a while.
	Paused Set

	layout *layout.Layout // of state, where the setting has cuts
	state  []byte

	elected [MaxID]ID
	procs   procs

	monitors []*monitor
	history  []byte // their values
}

// Elected returns the process that process id takes for the coordinator (its
// own id where it believes itself coordinator), None where it knows of none or
// is not up. That of None, which is nobody, is None.
func (v *View) Elected(id ID) ID {
	if id == None {
		return None
	}
	return v.elected[id-1]
}

// Severed reports whether a cut keeps messages of one process from another.
func (v *View) Severed(from, to ID) bool {
	switch {
	case v.layout == nil || from == to:
		return false
	case v.layout.LinksOff >= 0:
		return v.layout.Severed(v.state, int(from)-1, int(to)-1)
	}
	return v.Side.Has(from) != v.Side.Has(to)
}

// Reached returns those of a set with which process id exchanges messages. It reaches itself.
func (v *View) Reached(id ID, among Set) (s Set) {
	for other := range among.All() {
		if !v.Severed(id, other) && !v.Severed(other, id) {
			s = s.With(other)
		}
	}
	return s
}

// Epoch returns the number of the election in which process id is
// (Belief.Epoch), 0 where the protocol numbers none or the process is not up.
func (v *View) Epoch(id ID) uint64 {
	if !v.Up.Has(id) {
		return 0
	}
	return v.procs.epoch(id)
}

// Owes reports whether process id owes what the system is about (System.Owing). It is
// false in every other system, and of a process that is not up.
func (v *View) Owes(id ID) bool { return v.Up.Has(id) && v.procs.owes(id) }

// State returns the state of process id in a system whose processes have state
// P, or nil where P is another type or the process is not up.
func State[P any](v *View, id ID) *P {
	if !v.Up.Has(id) {
		return nil
	}
	p, _ := v.procs.process(id).(*P)
	return p
}

// InFlight returns how many messages are in flight.
func (v *View) InFlight() int { return v.procs.inFlight() }

// Mail yields the messages in flight with their ways: of one link, where
// channels keep the order, in that order. M has to be the message type of the
// protocol.
func Mail[M Message](v *View) iter.Seq2[Link, M] {
	return func(yield func(Link, M) bool) { eachLetter(v, yield) }
}

func eachLetter[M Message](v *View, yield func(Link, M) bool) {
	pointed[M](v.procs.noLetter()) // even where nothing is in flight
	for i := range v.InFlight() {
		if link, m := v.procs.letter(i); !yield(link, *pointed[M](m)) {
			return
		}
	}
}

// StateOf returns the state of process id as State does, for whoever does not know its
// type: as a *P, or nil where the process is not up. It is good until the next call.
func (v *View) StateOf(id ID) any {
	if !v.Up.Has(id) {
		return nil
	}
	return v.procs.process(id)
}

// A Mailed is a message in flight as those see it who do not know its type.
type Mailed struct {
	Link
	Kind Kind
	// Message is a *M, good until the next one is asked for.
	Message any
	// Due is in how many ticks it arrives at the latest; -1 where no time passes.
	Due int
}

// Mailed returns message i in flight, 0 to InFlight-1, in the order of Mail.
func (v *View) Mailed(i int) Mailed {
	l := Mailed{}
	l.Link, l.Message = v.procs.letter(i)
	l.Kind, l.Due = v.procs.stamp(i)
	return l
}

// Left returns the ticks until a timer of process id expires (at the latest, where clocks
// drift): its duration under timing=last-resort, 0 where no time passes. It is -1 where the
// timer is not set.
func (v *View) Left(id ID, t Timer) int { return v.procs.left(id, t) }

// Budget returns what is left of a budget, by its place in setting.Budgets; 0 where the
// setting grants nothing.
func (v *View) Budget(i int) int { return v.procs.budget(i) }

// Stored returns what a process has on its disk: of one that is down what its
// crash has left, and of one that is up what a crash would leave. It is zero
// without stable storage, and of a process that has yet to come up or never can
// again. P has to be the state of the protocol's processes.
func Stored[P any](v *View, id ID) P {
	return *pointed[P](v.procs.stored(id))
}

// Kept returns the state of a process that is up, and what is on the disk of one that is down
// (Stored): after a step in which a process crashes, what the step leaves of it.
func Kept[P any](v *View, id ID) P {
	if v.Up.Has(id) {
		return *State[P](v, id)
	}
	return Stored[P](v, id)
}

// procs gives access to what is in a state: to states of processes by pointers to
// them (*P), and to messages by pointers, too (*M).
type procs interface {
	process(id ID) any
	stored(id ID) any
	epoch(id ID) uint64
	owes(id ID) bool
	inFlight() int
	letter(i int) (Link, any)
	noLetter() any // nil, of the type of others
	stamp(i int) (Kind, int)
	left(id ID, t Timer) int
	budget(i int) int
}

// A Watch is a question asked of each state or of each step of a search.
type Watch struct {
	// State reports whether a state hits the watch. Nil: no state does.
	State func(v *View) bool
	// Step reports whether a step hits the watch. Nil: no step does.
	Step func(e *Event) bool
	// Demand says for people what is watched for: "At no instant ...". It may be
	// empty.
	Demand string
	// Met says that what hits the watch is what was looked for, and not what must
	// not be.
	Met bool
	// MarkOnly has states that hit the watch marked (Labels) and not reported
	// as hits of a target.
	MarkOnly bool
	// Run, where a question is about runs as a whole, says why a run is no
	// answer to it, nil if it is one (a run that breaks the property). It goes
	// through states by steps, and then without end through those from
	// states[loop] on, where loop is not negative; otherwise it ends in the last
	// state, and nothing that is owed happens there any more. States are encoded
	// ones of sys; states[i+1] is where steps[i] leads.
	Run func(sys *System, states [][]byte, steps []Transition, loop int) error
}

// An Event is a step as properties of steps and monitors see it: what happened,
// and the views before and after. It is good during the call that receives it.
// Received and Sends have the messages of a protocol.
type Event struct {
	// Kind is what happened, and Process where; None for what happens at none.
	Kind    ActionKind
	Process ID
	// Port is where the message comes in of a step that is about one.
	Port Port
	// Timer is the timer that expires, where one does.
	Timer Timer
	// Who is the process that is reported to be down, where one is.
	Who ID
	// Request is what the process is asked for, where it is (Requests).
	Request Request
	// Crash says that the process crashes in the middle of its sends.
	Crash bool
	// From and To are the views before and after; Settled and Quiet are false in
	// both. Monitors see no monitors in To: they are being brought up to date.
	From, To *View

	step *expander // in which it is under way
}

// A Link is the way of a message. From is None where the message does not tell:
// on a repaired ring.
type Link struct{ From, To ID }

// Action returns what happened with all its texts. It allocates: properties that
// are asked often ask the fields.
func (e *Event) Action() Action { return e.step.action() }

// Ran reports whether the handler applied rule r of its source.
func (e *Event) Ran(r Rule) bool { return e.step.act.ran(r) }

// Received returns the message that a step delivers, and whether it delivers
// one. M has to be the message type of the protocol.
func Received[M Message](e *Event) (m M, ok bool) {
	if e.Kind != Delivers {
		return m, false
	}
	return *pointed[M](e.step.protocol.Message(e.step.act.message(e.step.now.record(e.step.act.msg)))), true
}

// Sends yields the messages that a step sends, in order, with their ways. Those
// that the network drops at once are among them. M has to be the message type
// of the protocol.
func Sends[M Message](e *Event) iter.Seq2[Link, M] {
	return func(yield func(Link, M) bool) { eachSent(e, yield) }
}

// eachSent calls yield by itself, as eachLetter does, so that the body of a loop
// is not allocated.
func eachSent[M Message](e *Event, yield func(Link, M) bool) {
	from := e.step
	pointed[M](from.protocol.Message(nil)) // even where nothing is sent
	for i := range from.act.call.Sends {
		if link, ok := from.sent(i); ok && !yield(link, *pointed[M](from.protocol.Message(from.hands.Sent(i)))) {
			return
		}
	}
}

func (u *underway) ran(r Rule) bool { return r < 64 && u.call.Rules>>r&1 != 0 }

// sent returns the way of send i of the step under way, and whether it is out.
func (e *expander) sent(i int) (link Link, ok bool) {
	if e.act.mid && !slices.Contains(e.draft.order, i) {
		return link, false
	}
	s := &e.act.call.Sends[i]
	to, _ := e.now.target(e.asked.after.state, e.act.pos, s.Port)
	return Link{e.now.ids[e.act.pos], e.now.ids[to]}, true
}

// event makes e.ev the event of the step under way, which leads to next.
func (e *expander) event(next []byte) *Event {
	e.viewAfter(&e.asked.to, next)
	a := &e.act
	e.asked.ev = Event{Kind: a.kind, Port: a.port, Timer: a.timer, Who: a.who, Crash: e.act.mid, From: &e.asked.from, To: &e.asked.to, step: e}
	if a.pos >= 0 {
		e.asked.ev.Process = e.now.ids[a.pos]
	}
	if a.kind == Requests {
		e.asked.ev.Request = Request(a.which)
	}
	return &e.asked.ev
}

// HitsStep reports whether a transition out of an encoded state is a step that
// hits the watch, as searches ask it. It is for replays: slow.
func (w *Watch) HitsStep(s *System, state []byte, t *Transition) bool {
	hit := false
	if w.Step != nil && t.Misuse == "" {
		s.impl.see(state, t.Code, func(e *Event) { hit = w.Step(e) })
	}
	return hit
}

// see shows the step of a code out of a state.
func (w *world) see(state []byte, code explore.Code, show func(e *Event)) {
	e := w.newExpander(nil)
	e.asked.show, e.asked.showCode = show, code
	e.Expand(state, new(explore.Successors))
}
