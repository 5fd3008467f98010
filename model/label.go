package model

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/reduce"
)

// A Label says of a transition what liveness and costs want to know: whom
// fairness owes it, and what it sends. Equal labels have equal numbers.
type Label struct {
	// Kind is the kind of its action.
	Kind ActionKind
	// Class names what fairness is about: the process that boots or starts, the
	// timer, the report (observer and suspect), the FIFO link, or the message
	// on an unordered link. It is empty for what nobody is owed.
	Class string
	// Mends says that it is a heal or a restart, which the setting owes.
	Mends bool
	// Crash says that the process crashes between the sends of its handler,
	// which is a fault whatever the action is.
	Crash bool
	// Premature says that a timer expires too early, at the cost of a budget:
	// nobody is owed that.
	Premature bool
	// Periodic says that a periodic timer expires.
	Periodic bool
	// Times is how many equal messages are in flight of the one that it delivers
	// or drops on an unordered channel, each of which it stands for; otherwise 1.
	Times int
	// Ways is over how many outcomes of Net.Choose its action divides, if each
	// choice is as likely as another: this one has 1/Ways of it. It is 1 where
	// the handler chooses nothing.
	Ways int
	// Outcomes are those of Net.Pick in it, each with where it is chosen:
	// "timeout=long of position 2".
	Outcomes []string
	// Sent is what it sends, by kind.
	Sent []Sending
	// Odds are those that chance has this outcome of its action (Net.Toss), and Freely says that
	// something else was chosen in it, of more than one outcome.
	Odds   Odds
	Freely bool
	// Odd tells an action from the next one of the same state, and Counted has a bit for each
	// step that is counted, where Labels are to say so (Telling).
	Odd     bool
	Counted uint8
}

// Owed reports whether somebody is owed the transition: its action is, no crash
// comes with it, and it does not come too early.
func (l *Label) Owed() bool { return (l.Kind.Owed() || l.Mends) && !l.Crash && !l.Premature }

// A Sending is how much of one kind of message a transition sends.
type Sending struct {
	// Kind is the kind, an index into the protocol's Names.
	Kind int
	// Messages counts every message to one process; Operations counts a
	// broadcast as one.
	Messages, Operations int
	// ToDown counts those of Messages whose receiver is not up as they are sent,
	// and Needless those of Operations that go to such receivers alone.
	ToDown, Needless int
}

// labels numbers the labels of a search. Their numbers depend on the run, their
// contents do not.
type labels struct {
	mu    sync.Mutex
	byKey map[string]uint32
	list  []Label
	tell  Telling

	orbits bool // Telling.Orbits, where it changes something
}

// orbitsOf returns what finds the state that stands for another one, nil if each stands for itself.
func (l *labels) orbitsOf(w *world) *reduce.Orbits {
	if !l.orbits {
		return nil
	}
	return w.facts().Orbits(0)
}

// A Telling is what labels say besides, and where a search ends. The zero value asks for nothing.
type Telling struct {
	// Apart has labels tell an action from the next one of the same state (Label.Odd): the
	// outcomes of one action are transitions in a row.
	Apart bool
	// Counted are at most eight questions about steps, whose answers are bits of Label.Counted.
	// They need a watch.
	Counted []func(e *Event) bool
	// Until has states that hit one of these watches, a bit each, lead nowhere.
	Until uint64
	// Bound, one bit, marks a state in which a process is beyond the protocol's bound
	// (Optional.Beyond), which leads nowhere. It is for a system without that bound
	// (System.Unbounded), and minds no Rounds.
	Bound uint64
	// Rounds has no state be marked in which a message or a timer is due. It is for lockstep:
	// states are looked at between rounds.
	Rounds bool
	// Alone has an event happen at once, and nothing beside it, where the order makes no difference
	// to what runs come to in states in which nobody is owed anything, and with Rounds to marks
	// (alone.go): on a FIFO ring without timers and in lockstep, both without faults. It changes
	// nothing elsewhere. It is wrong where a label says Freely.
	Alone bool
	// Orbits has one state stand for all that differ from it by a rotation of an anonymous ring, or
	// by a permutation of processes whose ids decide nothing (package reduce). It is for marks that
	// name nobody (Reduction.Blind), and changes something where Alone does, unless processes begin
	// lazily: no run without end starves anybody there, so that fairness names nobody either. On a
	// ring, messages come to an end if one link keeps them; in lockstep a tick waits for all that is
	// due. A path is none of the system, and classes of labels say nothing.
	Orbits bool
}

// Telling returns the system with labels that say more. It is to be called before a search.
func (l *Labels) Telling(t Telling) *Labels {
	l.labels.tell = t
	l.labels.orbits = t.Orbits && l.Alone() && l.symmetric()
	return l
}

// symmetric reports whether states have orbits of which one state can stand for all.
func (l *Labels) symmetric() bool {
	r := Reduction{Only: Symmetries, Blind: true, Reads: ReadsAll}
	reduced, err := l.Reduced(r)
	return err == nil && reduced.Reductions() != 0 && !l.setting.Initiators.Lazy
}

// Labels is a system whose transitions carry labels and whose states carry
// marks, for a search that keeps the graph: bit i of a state's mark says that
// it hits watch i.
type Labels struct {
	*Watched
	labels labels
}

// Labelled returns the system with labels on its transitions and with marks of
// at most 64 watches on its states.
func (s *System) Labelled(watches ...Watch) (*Labels, error) {
	if len(watches) > 64 {
		return nil, fmt.Errorf("%d watches: a state's mark has room for 64", len(watches))
	}
	return &Labels{Watched: s.Watched(watches...), labels: labels{byKey: map[string]uint32{}}}, nil
}

// NewExpander returns an expander that watches, labels and marks
// (explore.System).
func (l *Labels) NewExpander() explore.Expander { return l.newExpander(&l.labels) }

// Alone reports whether an event happens alone anywhere (Telling).
func (l *Labels) Alone() bool { return l.labels.tell.Alone && mayBeAlone(l.impl) }

// Orbits reports whether one state stands for several anywhere (Telling).
func (l *Labels) Orbits() bool { return l.labels.orbits }

// Initial yields the initial states (explore.System).
func (l *Labels) Initial(yield func(state []byte) bool) {
	l.initial(l.labels.orbitsOf(l.impl), yield)
}

// Label returns the label of a number.
func (l *Labels) Label(number uint32) Label { return l.labels.list[number] }

// Len returns how many labels there are. It may be called when the search is
// over.
func (l *Labels) Len() int { return len(l.labels.list) }

// A Lot is an initial state, with what comes before it.
type Lot struct {
	State []byte
	// Sent is what the handlers send that run before it: of eager initiators, and of processes
	// that boot.
	Sent []Sending
	// Odds are its share of the initial states of its origin, and Freely says that something
	// else was chosen on the way, of more than one outcome.
	Odds   Odds
	Freely bool
	// Origin numbers what the setting leaves open, from 0: an arrangement of a ring, say.
	Origin int
}

// Lots yields the initial states in the order of Initial, those of one origin in a row. The odds
// of one whose numbers grow beyond 2^53 are zero. It fails as the search does for which there are
// none.
func (l *Labels) Lots(yield func(Lot) bool) error {
	b, number := starter{l.impl.newExpander(nil)}, 0
	orbits := l.labels.orbitsOf(l.impl)
	for o := range l.impl.open().All() {
		more := true
		if err := b.initial(o, func(s start) bool {
			if orbits != nil {
				s.state = orbits.Stand(nil, s.state)
			}
			more = yield(Lot{s.state, sendings(s.sent), s.odds, s.freely, number})
			return more
		}); err != nil || !more {
			return err
		}
		number++
	}
	return nil
}

// A labeler is one worker's view of the labels of a search.
type labeler struct {
	shared *labels
	known  map[string]uint32
	key    []byte
	times  int
	last   act  // the action of the last transition of the state
	odd    byte // flagOdd, or 0
	counts byte // Label.Counted
	alone  bool // Telling.Alone, where it changes something
}

// Flags of a label's key.
const (
	flagMid = 1 << iota
	flagPremature
	flagOdd
	flagFreely
)

// begin has the labels of a state depend on nothing that was before it.
func (l *labeler) begin() { l.last, l.odd = act{pos: -2}, 0 }

// beyond reports whether a process that is up is beyond the bound in the state under expansion, where
// that is asked.
func (l *labeler) beyond(e *expander) bool {
	if l.shared.tell.Bound == 0 || !e.has.Bounder {
		return false
	}
	for pos := range e.N {
		if e.now.up>>pos&1 != 0 && e.protocol.Beyond(e.now.procs.at(pos)) != "" {
			return true
		}
	}
	return false
}

// look notes of the transition under way, which leads to next, what is told besides.
func (l *labeler) look(e *expander, next []byte) {
	tell := &l.shared.tell
	if tell.Apart && e.act.act != l.last {
		l.last = e.act.act
		l.odd ^= flagOdd
	}
	if l.counts = 0; len(tell.Counted) == 0 {
		return
	}
	ev := e.event(next)
	for i, counts := range tell.Counted {
		if counts(ev) {
			l.counts |= 1 << i
		}
	}
}

// labelNumber returns the number of the label of the transition under way.
func (e *expander) labelNumber() uint32 {
	l := e.wrap.label
	e.labelKey()
	if n, ok := l.known[string(l.key)]; ok {
		return n
	}
	s := l.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.byKey[string(l.key)]
	if !ok {
		n = uint32(len(s.list))
		s.list = append(s.list, e.makeLabel())
		s.byKey[string(l.key)] = n
	}
	l.known[string(l.key)] = n
	return n
}

// labelKey writes into the labeler's key what tells the label of the
// transition under way from others, in bytes.
func (e *expander) labelKey() {
	a, l := &e.act, e.wrap.label
	kind := a.kind
	if kind == Drops { // fairness to a message is fairness to either
		kind = Delivers
	}
	l.key = append(l.key[:0], byte(kind), byte(a.kind), byte(a.pos), byte(a.port), byte(a.timer), byte(a.who))
	if e.LinksOff >= 0 {
		l.key = append(l.key, a.link[0], a.link[1])
	}
	if kind == Delivers && !e.setting.FIFO {
		end := e.Width
		if e.DueOff >= 0 {
			end = e.DueOff
		}
		l.key = append(l.key, e.now.record(a.msg)[e.MOff:end]...)
	}
	l.times = 1
	if kind == Delivers && !e.setting.FIFO {
		for i := a.msg + 1; i < len(e.now.area)/e.Width && e.Same(e.now.record(i-1), e.now.record(i)); i++ {
			l.times++
		}
	}
	flags := l.odd
	if e.act.mid {
		flags |= flagMid
	}
	if a.budget == layout.BudgetPremature {
		flags |= flagPremature
	}
	odds := e.act.call.Odds
	if e.act.call.Freely {
		flags |= flagFreely
	}
	l.key = append(l.key, byte(l.times), flags, l.counts)
	l.key = binary.AppendUvarint(binary.AppendUvarint(l.key, odds.Ways), odds.Of)
	if len(e.names.Choices) > 0 {
		for i, p := range e.act.call.Picked {
			if p > 0 {
				l.key = append(l.key, p, e.act.call.Choices[i])
			}
		}
		l.key = append(l.key, 0)
	}
	l.key = append(append(l.key, e.act.call.Widths...), 0)
	for i := range e.act.call.Sends {
		if e.act.mid && !slices.Contains(e.draft.order, i) {
			continue
		}
		s := &e.act.call.Sends[i]
		up := byte(0)
		if to, _ := e.now.target(e.now.state, a.pos, s.Port); e.now.up>>to&1 != 0 {
			up = 1
		}
		l.key = append(l.key, byte(s.Kind), s.Group, up)
	}
}

// makeLabel makes the label of the transition under way, from its key.
func (e *expander) makeLabel() Label {
	a := &e.act
	label := Label{
		Kind: a.kind, Class: e.class(), Crash: e.act.mid, Premature: a.budget == layout.BudgetPremature, Times: e.wrap.label.times, Ways: 1,
		Periodic: a.kind == Expires && e.periodic>>a.timer&1 != 0, Outcomes: e.act.outcomeLabels(),
		Mends: !a.kind.Owed() && a.kind.OwedIn(&e.setting),
		Odds:  e.act.call.Odds, Freely: e.act.call.Freely, Odd: e.wrap.label.odd != 0, Counted: e.wrap.label.counts,
	}
	for _, w := range e.act.call.Widths {
		label.Ways *= int(w)
	}
	var sends []byte
	for i := range e.act.call.Sends {
		if !e.act.mid || slices.Contains(e.draft.order, i) {
			sends = append(sends, 0, 0, 0)
		}
	}
	label.Sent = sendings(e.wrap.label.key[len(e.wrap.label.key)-len(sends):])
	return label
}

// sendings sums up sends given as kind, broadcast (0 for none) and whether the
// receiver is up, three bytes each.
func sendings(sends []byte) []Sending {
	var out []Sending
	for i := 0; i < len(sends); i += 3 {
		kind, group, up := int(sends[i]), sends[i+1], sends[i+2] != 0
		at := slices.IndexFunc(out, func(s Sending) bool { return s.Kind == kind })
		if at < 0 {
			at = len(out)
			out = append(out, Sending{Kind: kind})
		}
		s := &out[at]
		s.Messages++
		if !up {
			s.ToDown++
		}
		first, anyUp := true, up
		for j := 0; group != 0 && j < len(sends); j += 3 {
			if sends[j+1] == group {
				first = first && j >= i
				anyUp = anyUp || sends[j+2] != 0
			}
		}
		if first {
			s.Operations++
			if !anyUp {
				s.Needless++
			}
		}
	}
	slices.SortFunc(out, func(a, b Sending) int { return a.Kind - b.Kind })
	return out
}

// class names the fairness class of the transition under way.
func (e *expander) class() string {
	a := &e.act
	if e.act.mid || a.budget == layout.BudgetPremature {
		return ""
	}
	at := func() string { return fmt.Sprintf("position %d", a.pos+1) }
	switch a.kind {
	case Boots, Starts:
		return a.kind.String() + " " + at()
	case Delivers, Drops:
		if e.setting.FIFO {
			return fmt.Sprintf("link from %v to %s", a.port, at())
		}
		return fmt.Sprintf("%s from %v to %s", e.protocol.Text(e.act.message(e.now.record(a.msg))), a.port, at())
	case Expires:
		return fmt.Sprintf("timer %s of %s", e.names.Timers[a.timer].Name, at())
	case Suspects:
		return fmt.Sprintf("report of %v to %s", a.who, at())
	case Ticks:
		return "time"
	case Resumes:
		return "resume of " + at()
	case Restarts:
		if e.setting.RestartsOwed {
			return "restart of " + at()
		}
	case Heals:
		switch {
		case !e.setting.HealsOwed:
			return ""
		case e.LinksOff >= 0:
			return "heal of link " + e.now.link(a.link[0], a.link[1]).String()
		}
		return "heal"
	}
	return ""
}

// outcomeLabels returns the named outcomes of the transition under way, each
// with where it comes to be: "timeout=long of position 2".
func (u *underway) outcomeLabels() []string {
	var labels []string
	for i, text := range u.call.Outcomes() {
		if u.call.Picked[i] > 0 {
			labels = append(labels, fmt.Sprintf("%s of position %d", text, u.pos+1))
		}
	}
	return labels
}
