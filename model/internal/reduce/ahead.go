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
func (f *foresight) lookAt(l *local, down Set, left faultsLeft) {
	w, id := f.facts, l.id()
	if l.key[0] != layout.Up {
		if left.rising.Has(id) && f.flaws&FlawBack == 0 {
			l.own = append(l.own, f.event(Event{Kind: Restarts}))
		}
		return
	}
	what := f.world.Look(l.pos, l.key)
	l.together, l.alone = f.read(id, what.Elected, what.Participant)
	l.together |= f.readMore(l, what.Elected == id, what.Epoch) << 16
	l.timers = []uint8(l.key[w.TimerOff:])[:len(w.Timers):len(w.Timers)]
	if left.rising != 0 && left.falling.Has(id) && f.flaws&FlawAgain == 0 {
		l.own = append(l.own, f.event(Event{Kind: Crashes}))
	}
	if l.key[w.ProcSize] != 0 && w.Setting.Initiators.Lazy {
		l.own = append(l.own, f.event(Event{Kind: Starts}))
	}
	for t := what.Watches & down; t != 0; t &= t - 1 {
		if who := t.Min(); who != id {
			l.own = append(l.own, f.event(Event{Kind: Suspects, Who: who}))
		}
	}
}

// read returns what the reduction reads of a process, along with others and alone.
func (f *foresight) read(id, elected ID, participant bool) (together uint64, alone uint32) {
	reads := f.r.Reads
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
func (f *foresight) readMore(l *local, leads bool, epoch uint64) uint64 {
	var text []byte
	if f.r.Reads&ReadsEpochs != 0 && leads {
		text = binary.LittleEndian.AppendUint64(text, epoch)
	}
	if f.r.Reads&ReadsStates != 0 {
		text = append(append(text, 's'), l.key[f.facts.POff:f.facts.ProcSize]...)
	}
	if len(text) == 0 {
		return 0
	}
	if f.numbers == nil {
		f.numbers = map[string]uint64{}
	}
	number, ok := f.numbers[string(text)]
	if !ok {
		number = uint64(len(f.numbers)) + 1
		f.numbers[string(text)] = number
	}
	return number
}

// tables keep what handlers do, of the states in which the same processes are down.
type tables struct {
	locals   []*local
	byKey    []map[string]int32 // of each position
	events   []Event
	messages map[string]int32
	others   map[Event]int32
	commutes map[[4]int32]bool
	roots    roots // of closures, by what they begin from
	kept     int   // effects
	mailings mailings
	stages   stages

	prospects prospects
	shipments shipments
}

func newTables(n int) *tables {
	t := &tables{messages: map[string]int32{}, others: map[Event]int32{}, commutes: map[[4]int32]bool{}, roots: newRoots()}
	t.mailings = mailings{lists: [][]sending{nil}, numbers: map[string]int32{}, joined: map[[2]int32]int32{}}
	for range n {
		t.byKey = append(t.byKey, map[string]int32{})
	}
	return t
}

// downs says who is down, by id and, if mail to them is lost, by position; and who may crash or
// restart yet, by id.
type downs struct {
	ids, positions Set
	faultsLeft
}

// maxKept is how many effects are kept before all are forgotten.
const maxKept = 1 << 20

// A foresight sees what can follow a state before time passes.
type foresight struct {
	n     int
	facts *Facts
	world Handlers
	r     Reduction
	kinds Reductions
	flaws Flaw

	numbers map[string]uint64 // of what is read that takes more room than a number

	all map[downs]*tables
	*tables
	start
	attempt
	scratch
}

// start is the state from which a foresight looks.
type start struct {
	down     downs
	up       Set
	fifo     bool
	lockstep bool
	losing   bool    // messages may be lost (losses.go)
	here     []int32 // local states by position
	mail     []inFlight
	now      [2]*root // of due messages, and of all
}

// attempt is a set of actions that is looked for.
type attempt struct {
	whole, partial *closure    // of the state, and where some positions do nothing
	best, trial    []int       // actions
	concerns       [][]concern // by position
	deadMessages   deadMessages
	cycles         recurrence
}

// scratch has the buffers of a look ahead.
type scratch struct {
	marks          marks
	under          growth // the closure under way
	keyed, mailKey []byte
	evs, in        []int32
}

// An inFlight is a message in flight in the state.
type inFlight struct {
	to    int
	port  Port
	event int32
	due   int
}

func (f *foresight) init(w *Facts, r Reduction, world Handlers) {
	f.n, f.facts, f.world, f.r, f.kinds, f.flaws = w.N, w, world, r, r.Of(w), r.Flaws
	f.all, f.here = map[downs]*tables{}, make([]int32, w.N)
	f.under.init(w.N)
}

// begin forgets the last state.
func (f *foresight) begin(down downs, up Set, fifo, lockstep bool) {
	f.down = down
	f.up, f.fifo, f.lockstep = up, fifo, lockstep
	f.mail = f.mail[:0]
	f.rooted()
	f.tables = f.all[f.down]
	if f.tables == nil || f.kept > maxKept || f.mailings.size > maxMailed {
		f.tables = newTables(f.n)
		f.all[f.down] = f.tables
	}
}

// localOf returns the number of a local state of a position.
func (f *foresight) localOf(pos int, key []byte) int32 {
	if x, ok := f.byKey[pos][string(key)]; ok {
		return x
	}
	l := &local{pos: pos, key: string(key)}
	x := int32(len(f.locals))
	f.locals = append(f.locals, l)
	f.byKey[pos][l.key] = x
	reported := f.down.ids | f.down.falling
	if f.flaws&FlawReports != 0 {
		reported = f.down.ids
	}
	f.lookAt(l, reported, f.down.faultsLeft)
	return x
}

// event returns the number of an event that is no delivery.
func (f *foresight) event(ev Event) int32 {
	if i, ok := f.others[ev]; ok {
		return i
	}
	i := int32(len(f.events))
	f.events = append(f.events, ev)
	f.others[ev] = i
	return i
}

// message returns the number of the event that a message is delivered.
func (f *foresight) message(text []byte) int32 {
	if i, ok := f.messages[string(text)]; ok {
		return i
	}
	i := int32(len(f.events))
	ev := Event{Kind: Delivers, Message: string(text)}
	f.events = append(f.events, ev)
	f.messages[ev.Message] = i
	return i
}

// port returns where the message of a delivery comes in.
func (f *foresight) port(ev int32) Port { return Port(f.events[ev].Message[0]) }

// of returns the event of an enabled action.
func (f *foresight) of(a *Act) int32 {
	switch a.Kind {
	case Delivers, Loses, Drops: // a message that is lost is known by what it would do
		return f.mail[a.Msg].event
	case Ticks:
		return -1
	}
	return f.event(Event{Kind: a.Kind, Timer: a.Timer, Who: a.Who})
}

// effect returns what an event does in a local state.
func (f *foresight) effect(x, ev int32) *foreseen {
	l := f.locals[x]
	for int(ev) >= len(l.effects) {
		l.effects = append(l.effects, nil)
	}
	if r := l.effects[ev]; r != nil {
		return r
	}
	r := &foreseen{next: x}
	l.effects[ev] = r
	f.kept++
	what := f.events[ev]
	if what.Kind == Delivers && l.key[0] != layout.Up {
		return r // it is dropped
	}
	next, sets, ok := f.world.Run(l.pos, l.key, &what, f.down.positions, func(to int, message []byte) {
		r.sends = append(r.sends, sending{int32(to), f.message(message)})
	})
	if !ok {
		r.bad = true
		return r
	}
	f.sort(r.sends)
	r.sent = f.mailing(r.sends)
	r.next, r.sets = f.localOf(l.pos, next), sets
	return r
}

// timersUpTo appends the expiries of the timers of a local state that have so
// many ticks left at most; due ones have 0. With a negative number there are none.
func (f *foresight) timersUpTo(l *local, ticks int, to []int32) []int32 {
	for t, v := range l.timers {
		if v != 0 && int(v) <= ticks+1 {
			to = append(to, f.event(Event{Kind: Expires, Timer: Timer(t)}))
		}
	}
	return to
}

// own appends the events that can happen in a local state without a message.
func (f *foresight) own(x int32, ticks int, to []int32) []int32 {
	l := f.locals[x]
	to = append(to, l.own...)
	if ticks >= 0 {
		to = f.timersUpTo(l, ticks, to)
	}
	return to
}
