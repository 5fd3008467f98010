package reduce

import (
	"encoding/binary"

	"bullyproof/model/internal/layout"
)

// This file runs handlers ahead of the search.
//
// Handlers are deterministic and see no more than their own process, so what a
// message does to a process is a function of the process's state and the message:
// it is computed once and kept. From states in which no fault can happen any
// more, that function is all there is to the future: which processes are down is
// settled, and so are the reports of the detector that can come, and what mail is
// lost.

// A local state is the state of one process as its handlers and the detector
// see it: status, timers, P, its id and whether it has yet to begin.
type local struct {
	pos      int
	key      string
	together uint64 // what is read of it along with the other processes
	alone    uint32 // what is read of it alone
	timers   []uint8
	own      []int32 // reports and starts that are enabled
	effects  []*foreseen
}

// A foreseen effect is what an event does in a local state.
type foreseen struct {
	next  int32
	sends []sending // sorted by receiver; on FIFO channels in the order of sending, otherwise by event
	sent  int32     // the number of these sends
	sets  bool      // a timer is set
	bad   bool      // the handler fails, chooses or goes beyond a bound: it is not foreseen
}

// A sending is a message event that comes to be possible at a position.
type sending struct {
	to    int32
	event int32
}

// id returns the id of the process, which the key ends with.
func (l *local) id() ID { return ID(l.key[len(l.key)-1]) }

// lookAt fills in what a local state means; down are the ids that are down, or may be
// before it is over.
func (e *effects) lookAt(l *local, down Set, left faultsLeft) {
	w, id := e.facts, l.id()
	if l.key[0] != layout.Up {
		if left.rising.Has(id) && e.flaws&FlawBack == 0 {
			l.own = append(l.own, e.event(Event{Kind: Restarts}))
		}
		return
	}
	what := e.handlers.Look(l.pos, l.key)
	l.together, l.alone = e.read(id, what.Elected, what.Participant)
	l.together |= e.readMore(l, what.Elected == id, what.Epoch) << 16
	l.timers = []uint8(l.key[w.TimerOff:])[:len(w.Timers):len(w.Timers)]
	if left.rising != 0 && left.falling.Has(id) && e.flaws&FlawAgain == 0 {
		l.own = append(l.own, e.event(Event{Kind: Crashes}))
	}
	if l.key[w.ProcSize] != 0 && w.Setting.Initiators.Lazy {
		l.own = append(l.own, e.event(Event{Kind: Starts}))
	}
	for t := what.Watches & down; t != 0; t &= t - 1 {
		if who := t.Min(); who != id {
			l.own = append(l.own, e.event(Event{Kind: Suspects, Who: who}))
		}
	}
}

// read returns what the reduction reads of a process, along with others and alone.
func (e *effects) read(id, elected ID, participant bool) (together uint64, alone uint32) {
	reads := e.reads
	if reads&ReadsLeaders != 0 && elected == id {
		together |= 1
	}
	if reads&ReadsElected != 0 {
		together |= uint64(elected) << 8
	}
	if reads&ReadsParticipants != 0 && participant {
		together |= 2
	}
	if reads&ReadsEachElected != 0 {
		alone = uint32(elected)
	}
	return together, alone
}

// readMore returns a number for what the reduction reads of a process that is no belief
// about others: the same for the same.
func (e *effects) readMore(l *local, leads bool, epoch uint64) uint64 {
	var text []byte
	if e.reads&ReadsEpochs != 0 && leads {
		text = binary.LittleEndian.AppendUint64(text, epoch)
	}
	if e.reads&ReadsStates != 0 {
		text = append(append(text, 's'), l.key[e.facts.POff:e.facts.ProcSize]...)
	}
	if len(text) == 0 {
		return 0
	}
	if e.numbers == nil {
		e.numbers = map[string]uint64{}
	}
	number, ok := e.numbers[string(text)]
	if !ok {
		number = uint64(len(e.numbers)) + 1
		e.numbers[string(text)] = number
	}
	return number
}

// effects are what events do in local states. A handler is run once, and its effect is kept.
type effects struct {
	facts    *Facts
	handlers Handlers
	reads    Reads
	flaws    Flaw
	fifo     bool
	numbers  map[string]uint64 // of what is read that takes more room than a number
	*handled
	mailKey []byte
	evs     []int32
}

// handled keeps what handlers do, of the states in which the same processes are down.
type handled struct {
	down     downs
	locals   []*local
	byKey    []map[string]int32 // of each position
	events   []Event
	messages map[string]int32
	others   map[Event]int32
	commutes map[[4]int32]bool
	kept     int // effects
	mailings mailings
}

func newHandled(n int, down downs) handled {
	h := handled{down: down, messages: map[string]int32{}, others: map[Event]int32{}, commutes: map[[4]int32]bool{}}
	h.mailings = mailings{lists: [][]sending{nil}, numbers: map[string]int32{}, joined: map[[2]int32]int32{}}
	for range n {
		h.byKey = append(h.byKey, map[string]int32{})
	}
	return h
}

// full reports whether so much is kept that all is forgotten.
func (h *handled) full() bool { return h.kept > maxKept || h.mailings.size > maxMailed }

// downs says who is down, by id and, if mail to them is lost, by position; and who may crash or
// restart yet, by id.
type downs struct {
	ids, positions Set
	faultsLeft
}

// maxKept is how many effects are kept before all are forgotten.
const maxKept = 1 << 20

// localOf returns the number of a local state of a position.
func (e *effects) localOf(pos int, key []byte) int32 {
	if x, ok := e.byKey[pos][string(key)]; ok {
		return x
	}
	l := &local{pos: pos, key: string(key)}
	x := int32(len(e.locals))
	e.locals = append(e.locals, l)
	e.byKey[pos][l.key] = x
	reported := e.down.ids | e.down.falling
	if e.flaws&FlawReports != 0 {
		reported = e.down.ids
	}
	e.lookAt(l, reported, e.down.faultsLeft)
	return x
}

// event returns the number of an event that is no delivery.
func (e *effects) event(ev Event) int32 {
	if i, ok := e.others[ev]; ok {
		return i
	}
	i := int32(len(e.events))
	e.events = append(e.events, ev)
	e.others[ev] = i
	return i
}

// message returns the number of the event that a message is delivered.
func (e *effects) message(text []byte) int32 {
	if i, ok := e.messages[string(text)]; ok {
		return i
	}
	i := int32(len(e.events))
	ev := Event{Kind: Delivers, Message: string(text)}
	e.events = append(e.events, ev)
	e.messages[ev.Message] = i
	return i
}

// port returns where the message of a delivery comes in.
func (e *effects) port(ev int32) Port { return Port(e.events[ev].Message[0]) }

// of returns what an event does in a local state.
func (e *effects) of(x, ev int32) *foreseen {
	l := e.locals[x]
	for int(ev) >= len(l.effects) {
		l.effects = append(l.effects, nil)
	}
	if r := l.effects[ev]; r != nil {
		return r
	}
	r := &foreseen{next: x}
	l.effects[ev] = r
	e.kept++
	what := e.events[ev]
	if what.Kind == Delivers && l.key[0] != layout.Up {
		return r // it is dropped
	}
	next, sets, ok := e.handlers.Run(l.pos, l.key, &what, e.down.positions, func(to int, message []byte) {
		r.sends = append(r.sends, sending{int32(to), e.message(message)})
	})
	if !ok {
		r.bad = true
		return r
	}
	e.sort(r.sends)
	r.sent = e.mailing(r.sends)
	r.next, r.sets = e.localOf(l.pos, next), sets
	return r
}

// timersUpTo appends the expiries of the timers of a local state that have so
// many ticks left at most; due ones have 0. With a negative number there are none.
func (e *effects) timersUpTo(l *local, ticks int, to []int32) []int32 {
	for t, v := range l.timers {
		if v != 0 && int(v) <= ticks+1 {
			to = append(to, e.event(Event{Kind: Expires, Timer: Timer(t)}))
		}
	}
	return to
}

// own appends the events that can happen in a local state without a message.
func (e *effects) own(x int32, ticks int, to []int32) []int32 {
	l := e.locals[x]
	to = append(to, l.own...)
	if ticks >= 0 {
		to = e.timersUpTo(l, ticks, to)
	}
	return to
}
