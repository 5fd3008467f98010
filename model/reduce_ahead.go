package model

import "bullyproof/setting"

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
	together uint32 // what is read of it along with the other processes
	apart    uint32 // what is read of it alone
	timers   []uint8
	own      []int32 // reports and starts that are enabled
	effects  []*foreseen
}

// An event is an action as its process sees it: of a message that is delivered,
// the port and the text, and not how long it has been under way.
type event struct {
	kind    ActionKind
	timer   Timer
	who     ID
	message string // its record from the port on, without its delay
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

// A lab runs the handlers of a world ahead. Local states are given by their keys,
// and good until the next call.
type lab struct {
	*expander
	r     Reduction
	buf   []byte // a state, as far as handlers see it
	keyed []byte
	rec   []byte
}

// at has the handlers see a state of the system; the ids are by position.
func (b *lab) at(state []byte, ids []ID) {
	b.buf = append(b.buf[:0], state[:b.msgOff]...)
	b.state = b.buf
	if b.idsOff >= 0 {
		b.setIDs(ids)
	}
}

// key returns the key of the local state of a position in that state.
func (b *lab) key(pos int) []byte {
	b.keyed = append(b.keyed[:0], b.proc(b.buf, pos)...)
	if b.setting.Timing.Kind == setting.LastResort { // handlers do not see ranks
		for at := b.timerOff; at < b.pOff; at += 2 {
			b.keyed[at+1] = min(b.keyed[at+1], 1)
		}
	}
	pending := byte(0)
	if b.pendingOff >= 0 {
		pending = byte(b.positions(b.buf, b.pendingOff) >> pos & 1)
	}
	b.keyed = append(b.keyed, pending, byte(b.ids[pos]))
	return b.keyed
}

// id returns the id of the process, which the key ends with.
func (l *local) id() ID { return ID(l.key[len(l.key)-1]) }

// put makes a local state that of its position in the lab's state, and decodes it.
func (b *lab) put(l *local) {
	copy(b.proc(b.buf, l.pos), l.key[:b.procSize])
	if b.pendingOff >= 0 {
		pending := b.positions(b.buf, b.pendingOff) &^ (1 << l.pos)
		if l.key[b.procSize] != 0 {
			pending |= 1 << l.pos
		}
		b.putPositions(b.buf, b.pendingOff, pending)
	}
	b.ids[l.pos] = l.id()
	if Status(l.key[0]) == Up {
		b.planP.Get(b.procs.at(l.pos), b.proc(b.buf, l.pos)[b.pOff:])
	}
}

// look fills in what a local state means; down are the ids that are down, or may be
// before it is over.
func (b *lab) look(l *local, down Set, left faultsLeft, number func(event) int32) {
	if Status(l.key[0]) != Up {
		if left.rising.Has(l.id()) && b.r.flaws&flawBack == 0 {
			l.own = append(l.own, number(event{kind: Restarts}))
		}
		return
	}
	b.put(l)
	p, id := b.procs.at(l.pos), b.ids[l.pos]
	belief := b.hands.belief(p)
	elected := belief.Elected
	if elected == Me {
		elected = id
	}
	l.together, l.apart = b.read(id, elected, belief.Participant)
	for t := range b.names.Timers {
		l.timers = append(l.timers, b.timersOf(b.buf, l.pos)[t])
	}
	if left.rising != 0 && left.falling.Has(l.id()) && b.r.flaws&flawAgain == 0 {
		l.own = append(l.own, number(event{kind: Crashes}))
	}
	if l.key[b.procSize] != 0 && b.setting.Initiators.Lazy {
		l.own = append(l.own, number(event{kind: Starts}))
	}
	s := &b.setting
	if b.detector == setting.DetectorOff || belief.Participant && !s.ReportsAlways || s.Detectors != 0 && !s.Detectors.Has(id) {
		return
	}
	for t := b.watchedBy(b.hands, p, id, belief.Elected) & down; t != 0; t &= t - 1 {
		if who := t.Min(); who != id {
			l.own = append(l.own, number(event{kind: Suspects, who: who}))
		}
	}
}

// read returns what the reduction reads of a process, along with others and alone.
func (b *lab) read(id, elected ID, participant bool) (together, apart uint32) {
	reads := b.r.Reads
	if reads&ReadsLeaders != 0 && elected == id {
		together |= 1
	}
	if reads&ReadsElected != 0 {
		together |= uint32(elected) << 8
	}
	if reads&ReadsParticipants != 0 && participant {
		together |= 2
	}
	if reads&ReadsEachElected != 0 {
		apart = uint32(elected)
	}
	return together, apart
}

// run runs the handler of an event; unreachable positions get nothing.
func (b *lab) run(l *local, ev *event, unreachable Set, send func(to int, message []byte)) (next []byte, sets, ok bool) {
	b.put(l)
	e := b.expander
	if ev.kind == Crashes {
		e.procs.set(e.cur, e.procs.at(l.pos))
		e.goDown(b.buf, l.pos)
		return b.key(l.pos), false, true
	}
	a := act{kind: ev.kind, pos: l.pos, msg: -1, timer: ev.timer, who: ev.who, budget: -1}
	if ev.kind == Delivers {
		a.msg, a.port = 0, Port(ev.message[0])
		b.rec = append(b.rec[:0], e.zeros...)
		b.rec[0] = byte(l.pos)
		copy(b.rec[1:], ev.message)
		e.area = b.rec
	}
	e.act, e.net.script = a, e.net.script[:0]
	if e.handle() != "" || len(e.net.choices) > 0 || e.whyBeyond() != "" {
		return nil, false, false
	}
	for i := range e.net.sends {
		s := &e.net.sends[i]
		to, port := e.target(b.buf, l.pos, s.port)
		if unreachable>>to&1 != 0 {
			continue
		}
		e.recs = append(e.recs[:0], e.zeros...)
		e.recs[1] = byte(port)
		e.planM.Put(e.recs[e.mOff:], e.hands.sent(i))
		end := e.width
		if e.dueOff >= 0 {
			end = e.dueOff
		}
		send(to, e.recs[1:end])
	}
	if e.net.timed {
		for _, t := range e.net.timers {
			sets = sets || t != timerKept && t != timerStopped
		}
	}
	e.writeAction(b.buf)
	e.planP.Put(e.proc(b.buf, l.pos)[e.pOff:], e.cur)
	e.applyTimers(b.buf, l.pos)
	return b.key(l.pos), sets, true
}

// tables keep what handlers do, of the states in which the same processes are down.
type tables struct {
	locals   []*local
	byKey    []map[string]int32 // of each position
	events   []event
	messages map[string]int32
	others   map[event]int32
	commutes map[[4]int32]bool
	roots    roots // of closures, by what they begin from
	kept     int   // effects
	mailings mailings
	stages   stages

	prospects prospects
	shipments shipments
}

func newTables(n int) *tables {
	t := &tables{messages: map[string]int32{}, others: map[event]int32{}, commutes: map[[4]int32]bool{}, roots: newRoots()}
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
	lab   *lab
	kinds Reductions
	flaws flaw

	all  map[downs]*tables
	down downs
	*tables

	// The state.
	up       Set
	fifo     bool
	lockstep bool
	losing   bool    // messages may be lost (reduce_losses.go)
	here     []int32 // local states by position
	mail     []flying

	marks          marks
	under          growth // the closure under way
	keyed          []byte
	now            [2]*root // of the state: of due messages, and of all
	whole, partial *closure // of the state, and where some positions do nothing
	evs            []int32
	mailKey        []byte
	best, trial    []int // actions
	in             []int32
	concerns       [][]concern // by position
	morgue         morgue
	cycles         recurrence
}

// A flying message is one in flight in the state.
type flying struct {
	to    int
	port  Port
	event int32
	due   int
}

func (f *foresight) init(n int, lab *lab, flaws flaw) {
	f.n, f.lab, f.flaws = n, lab, flaws
	f.all, f.here = map[downs]*tables{}, make([]int32, n)
	f.under.init(n)
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
	if f.flaws&flawReports != 0 {
		reported = f.down.ids
	}
	f.lab.look(l, reported, f.down.faultsLeft, f.event)
	return x
}

// event returns the number of an event that is no delivery.
func (f *foresight) event(ev event) int32 {
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
	ev := event{kind: Delivers, message: string(text)}
	f.events = append(f.events, ev)
	f.messages[ev.message] = i
	return i
}

// port returns where the message of a delivery comes in.
func (f *foresight) port(ev int32) Port { return Port(f.events[ev].message[0]) }

// of returns the event of an enabled action.
func (f *foresight) of(a *act) int32 {
	switch a.kind {
	case Delivers, Loses, Drops: // a message that is lost is known by what it would do
		return f.mail[a.msg].event
	case Ticks:
		return -1
	}
	return f.event(event{kind: a.kind, timer: a.timer, who: a.who})
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
	if what.kind == Delivers && Status(l.key[0]) != Up {
		return r // it is dropped
	}
	next, sets, ok := f.lab.run(l, &what, f.down.positions, func(to int, message []byte) {
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
			to = append(to, f.event(event{kind: Expires, timer: Timer(t)}))
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
