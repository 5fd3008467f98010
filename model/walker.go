package model

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/setting"
)

// A Walker takes single steps of a system: it lists what is enabled without
// trying it, and carries out the one thing that it is told to. A walk thus costs
// what its own steps cost, where an expander makes every successor of every
// state on the way. It is for one goroutine.
//
// What it lists are actions as a scheduler sees them. What else decides where an
// action leads (what handlers choose, whether a process crashes between its
// sends, on which side of a cut a process is) it asks of a Draw. An action with
// one answer to each question is a transition of Expand, in the same order, or is
// none: it changes nothing, leads beyond a limit, or is a misuse (Taken). What
// changes nothing is no step here, whatever another outcome of the action does.
type Walker interface {
	// Begin puts the walk into an initial state. Errors are those of New, of
	// initial states that it did not try.
	Begin(draw Draw) error
	// Origin returns the setting narrowed to where the walk began, and what
	// handlers chose before (System.Narrow). It is good after Begin.
	Origin() (setting.Setting, []int)
	// Put puts the walk into an encoded state; nothing is sent on the way.
	Put(state []byte)
	// State returns where the walk is, encoded. It is good until the next step.
	State() []byte
	// Owing returns how many actions are enabled that are no faults, or are owed
	// all the same. They come first.
	Owing() int
	// Faults returns how many actions follow: those that the world may take but
	// for wrong suspicions and for timers that expire too early, which are among
	// the others.
	Faults() int
	// At returns action i of these.
	At(i int) Enabled
	// Key tells action i from others wherever they are enabled, but not how soon a
	// message is due. Equal messages in flight have equal keys; other actions that
	// have are as rare as collisions of 64-bit hashes.
	Key(i int) uint64
	// Take has action i of these happen.
	Take(i int, draw Draw) Taken
	// Sent returns what the last step sent, or the beginning.
	Sent() Traffic
	// SentKinds returns how many messages of each kind (an index into the Kinds of
	// System.Names) those were. It is good until the next step.
	SentKinds() []int
	// Quiet reports whether no owed action is enabled, those of periodic timers
	// aside, and Settled whether nobody takes part in an election, either
	// (View.Quiet, View.Settled).
	Quiet() bool
	Settled() bool
	// Hits says of each watch whether the last step, or the state, hits it.
	Hits() []bool
	// Record has Last say what happened, which takes time.
	Record(on bool)
	// Last returns the action that was taken last. It is good while the walk
	// records.
	Last() Action
	// View returns what properties see of the state, Settled included.
	View() *View
}

// Walker returns a walker that watches. It has to Begin before anything else, or
// be Put somewhere.
func (s *System) Walker(watches ...Watch) Walker { return s.impl.walker(watches) }

// A Fork is a question that decides where an action leads.
type Fork uint8

const (
	// ForkStart: which of the initial states, or which part of one.
	ForkStart Fork = iota
	// ForkChoice: an outcome of Net.Choose or Net.Pick.
	ForkChoice
	// ForkCrash: 0 is no crash between the sends of a handler, i is one in its
	// i-th operation.
	ForkCrash
	// ForkPart: which part of a broadcast is out when a process crashes in it.
	ForkPart
	// ForkSide: how the processes are divided.
	ForkSide
)

// A Draw answers a question that has so many answers (1 or more), with a number
// from 0. A nil Draw answers 0.
type Draw func(f Fork, answers uint64) uint64

// An Enabled is an action that is enabled, as a scheduler sees it.
type Enabled struct {
	// Kind is what kind of thing happens.
	Kind ActionKind
	// Process is where it happens, None for what happens at no process.
	Process ID
	// Fault says that it takes from a budget of the setting.
	Fault bool
	// Strand is what the action is the next one of: the messages on a link, the
	// expiries of a timer, the reports to a process, time. It is the same for
	// actions of the same strand everywhere in a system.
	Strand uint32
}

// A Taken is what came of an action.
type Taken struct {
	// Changed says that the walk is in another state. The other fields say why it
	// is not; none of them is set where the action changes nothing.
	Changed bool
	// Misuse says what a handler did that no world can carry out.
	Misuse string
	// LeftOut is 1 + the reason (System.CutReason) for which what the action
	// leads to is beyond a limit, 0 where it is not.
	LeftOut int
}

// Traffic is how much is sent.
type Traffic struct {
	// Messages counts every message to one process; Operations counts a
	// broadcast as one.
	Messages, Operations int
}

// stepping is what an expander knows of the Walker whose step it takes.
type stepping struct {
	listing bool // actions are listed and not carried out
	acts    []act
	mail    []uint32 // where messages begin that are delivered or dropped, between mailAt acts and the rest
	mailAt  int
	lasting bool // of the tick listed last: other timers than periodic ones, or messages, wait for it
	hits    []bool
	misuse  string
	leftOut int // 1 + reason
}

func (s *stepping) list(a act) { s.acts = append(s.acts, a) }

func (s *stepping) hit(watch int) {
	if s.hits != nil {
		s.hits[watch] = true
	}
}

// listDeliveries is deliveries where they are only listed, and nothing keeps a
// message but its receiver: with hundreds in flight, most of the work of a step.
func (e *expander) listDeliveries() (anyDeliverable, anyDue bool) {
	area, width, due := e.area, e.width, e.dueOff
	same := width
	if e.setting.FIFO {
		same = 2
	}
	s := &e.step
	s.mailAt = len(s.acts)
	mail := slices.Grow(s.mail[:0], len(area)/width)[:len(area)/width]
	here, before, n := e.up|e.waiting, uint64(0), 0
	var reached Set
	if same == 4 { // of small messages there may be very many
		n, reached, anyDue = listWords(mail, area, here, due == 3)
		area = area[:0]
	}
	for at := 0; at+width <= len(area); at += width {
		var head uint64
		switch same {
		case 4:
			head = uint64(binary.LittleEndian.Uint32(area[at:]))
		case 2:
			head = uint64(binary.LittleEndian.Uint16(area[at:]))
		case 8:
			head = binary.LittleEndian.Uint64(area[at:])
		default:
			head = before + 1
			if at > 0 && string(area[at-width:at]) == string(area[at:at+width]) {
				head = before
			}
		}
		if due >= 0 && area[at+due] == 0 {
			anyDue = true
		}
		if head == before && at > 0 {
			continue
		}
		before = head
		bit := Set(1) << (area[at] & 63)
		mail[n] = uint32(at)
		if here&bit != 0 {
			reached |= bit
			n++
		}
	}
	s.mail = mail[:n]
	return e.up&reached != 0, anyDue
}

// listWords writes to mail where the records of four bytes begin in area that are
// for one of the positions here, of equal ones the first, and returns how many
// they are, for which positions, and, where the last byte is the delay, whether
// one is due.
func listWords(mail []uint32, area []byte, here Set, timed bool) (n int, reached Set, anyDue bool) {
	least, before := ^uint32(0), uint32(0)
	for i := range mail {
		rec := binary.LittleEndian.Uint32(area[4*i:])
		if rec == before && i > 0 {
			continue
		}
		before = rec
		least = min(least, rec>>24)
		mail[n] = uint32(4 * i)
		if bit := Set(1) << (rec & 63); here&bit != 0 {
			reached |= bit
			n++
		}
	}
	return n, reached, timed && least == 0
}

// listed returns action i of those listed.
func (e *expander) listed(i int) act {
	s := &e.step
	switch at := i - s.mailAt; {
	case at < 0:
		return s.acts[i]
	case at >= len(s.mail):
		return s.acts[i-len(s.mail)]
	default:
		rec := e.area[s.mail[at]:]
		a := act{kind: Delivers, pos: int(rec[0]), msg: int(s.mail[at]) / e.width, port: Port(rec[1]), budget: -1}
		if e.waiting>>a.pos&1 != 0 {
			a.kind = Drops
		}
		return a
	}
}

// leaveOut notes that the successor under way exists and is left out.
func (e *expander) leaveOut(reason int) {
	e.step.leftOut = reason + 1
	e.out.Cut(reason)
}

// mostStarts is how many initial states a walk keeps; where there are more it
// makes each as it needs it.
const mostStarts = 512

// A walk is a Walker of a world.
type walk struct {
	e      *expander
	state  []byte
	out    explore.Successors
	probe  explore.Successors
	probed coverage

	starts  []start // nil where there are too many
	counted bool
	begun   start
	sent    Traffic
	kinds   []int // messages sent, by kind

	owing, faults  int // of the actions listed; negative: not listed
	asked          bool
	quiet, settled bool
	draw           Draw
	key            []byte
	last           Action
	hits           []bool
}

func (w *world) walker(watches []Watch) Walker {
	k := &walk{e: w.newExpander(watches)}
	k.e.net.draw = k.choose
	k.hits = make([]bool, len(watches))
	k.kinds = make([]int, len(w.names.Kinds))
	k.e.step.hits = k.hits
	k.e.out = &k.out
	return k
}

// ask answers a question.
func (k *walk) ask(f Fork, answers uint64) uint64 {
	if k.draw == nil || answers < 2 {
		return 0
	}
	return min(k.draw(f, answers), answers-1)
}

// choose makes a choice of a handler.
func (k *walk) choose(of int) uint8 { return uint8(k.ask(ForkChoice, uint64(of))) }

// Begin implements Walker.
func (k *walk) Begin(draw Draw) error {
	k.draw = draw
	if !k.counted {
		k.counted = true
		if err := k.collectStarts(); err != nil {
			return err
		}
	}
	states := k.starts
	if states == nil {
		var err error
		if states, err = k.make(k.origin()); err != nil {
			return err
		}
	}
	if len(states) == 0 {
		return errors.New("model: no initial state to walk from: each start puts more on a link than its capacity")
	}
	k.begun = states[k.ask(ForkStart, uint64(len(states)))]
	k.Put(k.begun.state)
	k.sent = traffic(k.begun.sent, k.kinds)
	return nil
}

// collectStarts keeps the initial states if they are few.
func (k *walk) collectStarts() error {
	most := mostStarts
	if k.e.n > setting.MaxExhaustive { // each takes long
		most /= 4
	}
	for range k.e.origins() {
		if most--; most < 0 {
			return nil
		}
	}
	for o := range k.e.origins() {
		states, err := k.make(o)
		if err != nil {
			return err
		}
		k.starts = append(k.starts, states...)
	}
	return nil
}

// make returns the initial states of an origin: all that handlers choose.
func (k *walk) make(o origin) ([]start, error) {
	e := k.e
	hook, hits, out, cover, rec := e.net.draw, e.step.hits, e.out, e.cover, e.rec
	e.net.draw, e.step.hits, e.cover = nil, nil, new(coverage)
	defer func() { e.net.draw, e.step.hits, e.out, e.cover, e.rec = hook, hits, out, cover, rec }()
	states, err := e.initial(o)
	for i := range states {
		states[i].origin = o
	}
	return states, err
}

// origin draws an origin.
func (k *walk) origin() origin {
	e, s := k.e, &k.e.setting
	o := origin{ids: slices.Clone(e.world.ids)}
	if e.idsOff >= 0 {
		rest := o.ids[1:]
		for i := len(rest) - 1; i > 0; i-- {
			j := k.ask(ForkStart, uint64(i+1))
			rest[i], rest[j] = rest[j], rest[i]
		}
	}
	joiners := s.Joiners
	if joiners == 0 {
		joiners = Upto(ID(e.n))
	}
	for range s.Joins {
		o.absent = o.absent.With(k.member(joiners &^ o.absent))
	}
	there := Upto(ID(e.n)) &^ o.absent
	o.initiators = there
	switch i := s.Initiators; {
	case s.Start > setting.ColdInterleaved:
		o.initiators = 0
	case i.Which == setting.EachOne:
		o.initiators = SetOf(k.member(there))
	case i.Which == setting.AnySome:
		one := k.member(there)
		o.initiators = SetOf(one)
		for id := range there.All() {
			if id != one && k.ask(ForkStart, 2) == 1 {
				o.initiators = o.initiators.With(id)
			}
		}
	case i.Which == setting.These:
		o.initiators = i.Set & there
	}
	return o
}

// member draws one of a set that is not empty.
func (k *walk) member(s Set) ID {
	for skip := k.ask(ForkStart, uint64(s.Len())); skip > 0; skip-- {
		s &= s - 1
	}
	return s.Min()
}

// Origin implements Walker.
func (k *walk) Origin() (setting.Setting, []int) {
	return k.e.narrowed(k.begun.origin), k.begun.choices
}

// Put implements Walker.
func (k *walk) Put(state []byte) {
	k.state = append(k.state[:0], state...)
	k.e.decode(k.state)
	k.sent = Traffic{}
	clear(k.kinds)
	clear(k.hits)
	k.arrived()
}

// State implements Walker.
func (k *walk) State() []byte { return k.state }

// arrived lists nothing yet of the state that has been decoded, and judges it.
func (k *walk) arrived() {
	e := k.e
	e.fillView(&e.from)
	k.owing, k.faults, k.asked = -1, -1, false
	for i := range e.watches {
		if w := &e.watches[i]; w.State != nil {
			e.from.Quiet, e.from.Settled = k.Quiet(), k.Settled()
			if w.State(&e.from) {
				k.hits[i] = true
			}
		}
	}
	e.from.Quiet, e.from.Settled = false, false
}

// View implements Walker.
func (k *walk) View() *View {
	v := k.e.from
	v.Quiet, v.Settled = k.Quiet(), k.Settled()
	return &v
}

// Hits implements Walker.
func (k *walk) Hits() []bool { return k.hits }

// Sent implements Walker.
func (k *walk) Sent() Traffic { return k.sent }

// Owing implements Walker.
func (k *walk) Owing() int {
	if k.owing < 0 {
		s := &k.e.step
		s.listing, s.acts, s.mail, s.mailAt, s.lasting = true, s.acts[:0], s.mail[:0], 0, false
		k.e.owing()
		s.listing, k.owing = false, len(s.acts)+len(s.mail)
	}
	return k.owing
}

// Faults implements Walker.
func (k *walk) Faults() int {
	owing := k.Owing()
	if k.faults < 0 {
		s := &k.e.step
		s.listing = true
		k.e.faultsLeft()
		s.listing, k.faults = false, len(s.acts)+len(s.mail)-owing
	}
	return k.faults
}

// faultsLeft is faults where a budget is left.
func (e *expander) faultsLeft() {
	for _, off := range e.budget {
		if off >= 0 && e.state[off] > 0 {
			e.faults()
			return
		}
	}
}

// At implements Walker.
func (k *walk) At(i int) Enabled {
	e, a := k.e, k.e.listed(i)
	n := Enabled{Kind: a.kind, Fault: a.budget >= 0}
	if a.pos >= 0 {
		n.Process = e.ids[a.pos]
	}
	kind, lane := a.kind, uint8(a.who)
	switch a.kind {
	case Delivers, Drops:
		kind, lane = Delivers, uint8(a.port)
	case Expires:
		lane = uint8(a.timer)
	}
	n.Strand = uint32(kind)<<16 | uint32(uint8(a.pos))<<8 | uint32(lane)
	return n
}

// Key implements Walker.
func (k *walk) Key(i int) uint64 {
	e, a := k.e, k.e.listed(i)
	k.key = append(k.key[:0], byte(a.kind), byte(a.pos), byte(a.port), byte(a.timer), byte(a.who), a.link[0], a.link[1])
	if a.msg >= 0 {
		end := e.width
		if e.dueOff >= 0 {
			end = e.dueOff
		}
		k.key = append(k.key, e.record(a.msg)[:end]...)
	}
	return xxh3.Hash(k.key)
}

// Take implements Walker.
func (k *walk) Take(i int, draw Draw) Taken {
	e := k.e
	a := e.listed(i)
	k.draw, k.sent = draw, Traffic{}
	clear(k.kinds)
	clear(k.hits)
	k.out.Reset()
	e.out, e.code, e.owed = &k.out, 0, 0
	e.step.misuse, e.step.leftOut = "", 0
	if e.rec != nil {
		e.rec.found = e.rec.found[:0]
	}
	if k.do(a); k.out.Len() == 0 {
		if e.rec != nil && len(e.rec.found) > 0 {
			k.last = e.rec.found[0].Action
		}
		return Taken{Misuse: e.step.misuse, LeftOut: e.step.leftOut}
	}
	k.sent = e.traffic(k.kinds)
	if e.rec != nil {
		k.last = e.rec.found[0].Action
	}
	k.state = append(k.state[:0], k.out.State(0)...)
	if a.pos >= 0 {
		not := ^(Set(1) << a.pos)
		e.up, e.down, e.waiting, e.parts = e.up&not, e.down&not, e.waiting&not, e.parts&not
		e.decodeProcess(k.state, a.pos)
	}
	e.decodeRest(k.state)
	k.arrived()
	return Taken{Changed: true}
}

// do carries out an action.
func (k *walk) do(a act) {
	e := k.e
	switch a.kind {
	case Drops, Loses:
		e.quiet(a)
	case Duplicates:
		e.duplicate(a)
	case Ticks:
		e.passing(a)
	case Crashes:
		e.crash(a)
	case Pauses, Resumes:
		e.pause(a)
	case CutsOff, Heals:
		if a.kind == CutsOff && e.linksOff < 0 {
			a.side = 2 + 2*Set(k.ask(ForkSide, 1<<(e.n-1)-1))
		}
		e.divide(a)
	default:
		k.run(a)
	}
}

// run is expander.run with the choices drawn.
func (k *walk) run(a act) {
	e := k.e
	e.act, e.net.script = a, e.net.script[:0]
	failure := e.handle()
	switch {
	case failure != "":
		e.fail(failure)
	case e.beyond():
	case e.setting.MidSend && len(e.net.sends) > 0 && e.crashesBetween():
		k.crashBetween()
	default:
		e.emit(false)
	}
}

// crashBetween draws whether the process crashes between the sends of its
// handler, and emits what comes of it.
func (k *walk) crashBetween() {
	e, operations := k.e, 0
	for first := 0; first < len(e.net.sends); first = e.operation(first) {
		operations++
	}
	at := k.ask(ForkCrash, uint64(operations+1))
	if at == 0 {
		e.emit(false)
		return
	}
	first := 0
	for ; at > 1; at-- {
		first = e.operation(first)
	}
	last := e.operation(first)
	e.partly(first, last, int(k.ask(ForkPart, uint64(e.partsOf(first, last)))))
}

// traffic returns what the step under way has sent, and counts the messages of
// each kind.
func (e *expander) traffic(kinds []int) (t Traffic) {
	switch e.act.kind {
	case Drops, Loses, Duplicates, Ticks, Crashes, Pauses, Resumes, CutsOff, Heals:
		return t
	}
	group := uint8(0)
	for i := range e.net.sends {
		if e.mid && !slices.Contains(e.order, i) {
			continue
		}
		t.Messages++
		kinds[e.net.sends[i].kind]++
		if g := e.net.sends[i].group; g == 0 || g != group {
			t.Operations++
			group = g
		}
	}
	return t
}

// traffic returns what has been sent before an initial state (start.sent), and
// counts the messages of each kind.
func traffic(sent []byte, kinds []int) (t Traffic) {
	for _, s := range sendings(sent) {
		kinds[s.Kind] += s.Messages
		t.Messages += s.Messages
		t.Operations += s.Operations
	}
	return t
}

// SentKinds implements Walker.
func (k *walk) SentKinds() []int { return k.kinds }

// Quiet implements Walker.
func (k *walk) Quiet() bool {
	if !k.asked {
		k.asked, k.quiet = true, !k.surelyOwes() && !k.owes()
		k.settled = k.quiet && k.e.parts == 0
	}
	return k.quiet
}

// Settled implements Walker.
func (k *walk) Settled() bool { return k.Quiet() && k.settled }

// surelyOwes reports whether an owed action is listed that no trial is needed of.
func (k *walk) surelyOwes() bool {
	e := k.e
	if k.Owing(); len(e.step.mail) > 0 && !e.setting.Repaired {
		return true
	}
	for i := range e.step.acts[:k.owing-len(e.step.mail)] {
		switch e.step.acts[i].kind {
		case Boots, Starts, Drops, Resumes, Heals:
			return true
		case Delivers:
			if !e.setting.Repaired {
				return true
			}
		case Ticks:
			if e.step.lasting && e.paused == 0 {
				return true
			}
		}
	}
	return false
}

// owes tries the actions that are listed, as Expand does.
func (k *walk) owes() bool {
	e := k.e
	cover, rec, hits, asks := e.cover, e.rec, e.step.hits, e.stepWatches
	e.cover, e.rec, e.step.hits, e.stepWatches, e.net.draw = &k.probed, nil, nil, nil, nil
	k.probe.Reset()
	e.out, e.code, e.owed = &k.probe, 0, 0
	act, mid := e.act, e.mid
	e.owing()
	e.act, e.mid = act, mid
	e.out, e.net.draw = &k.out, k.choose
	e.cover, e.rec, e.step.hits, e.stepWatches = cover, rec, hits, asks
	return e.owed > 0
}

// Record implements Walker.
func (k *walk) Record(on bool) {
	k.e.rec = nil
	if on {
		k.e.rec = &recorder{}
	}
}

// Last implements Walker.
func (k *walk) Last() Action { return k.last }

// Random returns a Draw that draws each answer with equal probability.
func Random(rng *rand.Rand) Draw {
	return func(_ Fork, answers uint64) uint64 { return rng.Uint64N(answers) }
}
