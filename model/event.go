package model

import (
	"iter"
	"slices"

	"bullyproof/explore"
)

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
func (e *Event) Ran(r Rule) bool { return e.step.ran(r) }

// Received returns the message that a step delivers, and whether it delivers
// one. M has to be the message type of the protocol.
func Received[M Message](e *Event) (m M, ok bool) {
	if e.Kind != Delivers {
		return m, false
	}
	return *pointed[M](e.step.hands.message(e.step.message(e.step.record(e.step.act.msg)))), true
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
	pointed[M](from.hands.message(nil)) // even where nothing is sent
	for i := range from.net.sends {
		if link, ok := from.sent(i); ok && !yield(link, *pointed[M](from.hands.message(from.hands.sent(i)))) {
			return
		}
	}
}

func (e *expander) ran(r Rule) bool { return r < 64 && e.net.rules>>r&1 != 0 }

// sent returns the way of send i of the step under way, and whether it is out.
func (e *expander) sent(i int) (link Link, ok bool) {
	if e.mid && !slices.Contains(e.order, i) {
		return link, false
	}
	s := &e.net.sends[i]
	to, _ := e.target(e.after.state, e.act.pos, s.port)
	return Link{e.ids[e.act.pos], e.ids[to]}, true
}

// event makes e.ev the event of the step under way, which leads to next.
func (e *expander) event(next []byte) *Event {
	e.viewAfter(&e.to, next)
	a := &e.act
	e.ev = Event{Kind: a.kind, Port: a.port, Timer: a.timer, Who: a.who, Crash: e.mid, From: &e.from, To: &e.to, step: e}
	if a.pos >= 0 {
		e.ev.Process = e.ids[a.pos]
	}
	return &e.ev
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
	e.show, e.showCode = show, code
	e.Expand(state, new(explore.Successors))
}
