package model

import (
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/model/setting"
)

// A Walker takes single steps of a system: it lists what is enabled without
// trying it, and carries out the one thing that it is told to. A walk thus costs
// what its own steps cost, where an expander makes every successor of every
// state on the way. It is for one goroutine.
//
// It lists actions as a scheduler sees them. A Draw answers the other questions:
// what handlers choose, whether a process crashes between its sends, on which
// side of a cut a process is. An action with one answer to each question is a
// transition of Expand, in the same order, or is none: it changes nothing, leads
// beyond a limit, or is a misuse (Taken). An outcome that changes nothing is no
// step here, whatever another outcome of the action does.
type Walker interface {
	// Begin puts the walk into an initial state: one of those that the setting and
	// the choices of handlers allow, drawn a choice at a time. Errors are those of
	// New, of initial states that it did not try.
	Begin(draw Draw) error
	// Origin returns the setting narrowed to where the walk began, and what
	// handlers chose before (System.Narrow). It is good after Begin.
	Origin() (setting.Setting, []int)
	// Put puts the walk into an encoded state; nothing is sent on the way.
	Put(state []byte)
	// State returns where the walk is, encoded. It is good until the next step.
	State() []byte
	// Owing returns how many actions are enabled that are no faults, or are owed
	// nevertheless. They come first.
	Owing() int
	// Faults returns how many actions follow: those that the world may take
	// except for wrong suspicions and for timers that expire too early, which are
	// among the others.
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
	// aside, and Settled whether nobody is in an election, either (View.Quiet,
	// View.Settled).
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

// NewStart returns what draws initial states as a Walker does (explore.Starter).
func (s *System) NewStart() func(draw func(k uint64) uint64) ([]byte, error) {
	w := s.Walker()
	return func(draw func(k uint64) uint64) ([]byte, error) {
		err := w.Begin(func(_ Fork, answers uint64) uint64 { return draw(answers) })
		return w.State(), err
	}
}

var _ explore.Starter = (*System)(nil)

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

// A Taken is the outcome of an action.
type Taken struct {
	// Changed says that the walk is in another state. The other fields say why it
	// is not; none of them is set where the action changes nothing. A request that
	// changes nothing costs none of those that are left.
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
	lasting bool // of the tick listed last: other timers than periodic ones, messages or instants wait for it
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
	s, reached := &e.wrap.step, Set(0)
	s.mailAt = len(s.acts)
	s.mail, reached, anyDue = e.Heads(s.mail, e.now.area, e.now.up|e.now.waiting, e.setting.FIFO)
	return e.now.up&reached != 0, anyDue
}

// listed returns action i of those listed.
func (e *expander) listed(i int) act {
	s := &e.wrap.step
	switch at := i - s.mailAt; {
	case at < 0:
		return s.acts[i]
	case at >= len(s.mail):
		return s.acts[i-len(s.mail)]
	default:
		rec := e.now.area[s.mail[at]:]
		a := act{kind: Delivers, pos: int(rec[0]), msg: int(s.mail[at]) / e.Width, port: Port(rec[1]), budget: -1}
		if e.now.waiting>>a.pos&1 != 0 {
			a.kind = Drops
		}
		return a
	}
}

// leaveOut notes that the successor under way exists and is left out.
func (e *expander) leaveOut(reason int) {
	e.wrap.step.leftOut = reason + 1
	e.out.Cut(reason)
}

// A walk is a Walker of a world.
type walk struct {
	e      *expander
	state  []byte
	out    explore.Successors
	probe  explore.Successors
	probed coverage

	begun  start
	only   bool // there is no other initial state
	forked bool // a question had several answers
	sent   Traffic
	kinds  []int // messages sent, by kind

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
	k.e.act.call.Draw = k.choose
	k.hits = make([]bool, len(watches))
	k.kinds = make([]int, len(w.names.Kinds))
	k.e.wrap.step.hits = k.hits
	k.e.out = &k.out
	return k
}

// ask answers a question.
func (k *walk) ask(f Fork, answers uint64) uint64 {
	if answers < 2 {
		return 0
	}
	if k.forked = true; k.draw == nil {
		return 0
	}
	return min(k.draw(f, answers), answers-1)
}

// choose makes a choice of a handler.
func (k *walk) choose(of int) uint8 { return uint8(k.ask(ForkChoice, uint64(of))) }

// Begin implements Walker.
func (k *walk) Begin(draw Draw) error {
	if !k.only {
		k.draw, k.forked = draw, false
		if err := k.start(); err != nil {
			return err
		}
		k.only = !k.forked
	}
	k.Put(k.begun.state)
	k.sent = traffic(k.begun.sent, k.kinds)
	return nil
}

// start draws an initial state: an origin, and then what each handler chooses, as it
// comes to choose it. All answers to a question are equally likely, and no other
// initial state is made.
func (k *walk) start() (err error) {
	e := k.e
	hook, hits, out, cover, rec := e.act.call.Draw, e.wrap.step.hits, e.out, e.cover, e.wrap.rec
	e.act.call.Draw, e.wrap.step.hits, e.cover = nil, nil, new(coverage)
	defer func() { e.act.call.Draw, e.wrap.step.hits, e.out, e.cover, e.wrap.rec = hook, hits, out, cover, rec }()
	k.begun, err = starter{e}.drawnStart(e.open().Draw(func(answers uint64) uint64 { return k.ask(ForkStart, answers) }), k.choose, func(of int) int { return int(k.ask(ForkStart, uint64(of))) })
	return err
}

// Origin implements Walker.
func (k *walk) Origin() (setting.Setting, []int) {
	return k.e.open().Narrowed(k.begun.origin), k.begun.choices
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
	e.fillView(&e.asked.from)
	k.owing, k.faults, k.asked = -1, -1, false
	for i := range e.asked.watches {
		if w := &e.asked.watches[i]; w.State != nil {
			e.asked.from.Quiet, e.asked.from.Settled = k.Quiet(), k.Settled()
			if w.State(&e.asked.from) {
				k.hits[i] = true
			}
		}
	}
	e.asked.from.Quiet, e.asked.from.Settled = false, false
}

// View implements Walker.
func (k *walk) View() *View {
	v := k.e.asked.from
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
		s := &k.e.wrap.step
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
		s := &k.e.wrap.step
		s.listing = true
		k.e.faultsLeft()
		s.listing, k.faults = false, len(s.acts)+len(s.mail)-owing
	}
	return k.faults
}

// faultsLeft is faults where a budget is left.
func (e *expander) faultsLeft() {
	if !e.Calm(e.now.state) {
		e.faults()
	}
}

// At implements Walker.
func (k *walk) At(i int) Enabled {
	e, a := k.e, k.e.listed(i)
	n := Enabled{Kind: a.kind, Fault: a.budget >= 0}
	if a.pos >= 0 {
		n.Process = e.now.ids[a.pos]
	}
	kind, lane := a.kind, uint8(a.who)
	switch a.kind {
	case Delivers, Drops:
		kind, lane = Delivers, uint8(a.port)
	case Expires:
		lane = uint8(a.timer)
	case Requests:
		lane = a.which
	}
	n.Strand = uint32(kind)<<16 | uint32(uint8(a.pos))<<8 | uint32(lane)
	return n
}

// Key implements Walker.
func (k *walk) Key(i int) uint64 {
	e, a := k.e, k.e.listed(i)
	k.key = append(k.key[:0], byte(a.kind), byte(a.pos), byte(a.port), byte(a.timer), byte(a.who), a.link[0], a.link[1])
	if a.kind == SetsClock || a.kind == Requests {
		k.key = append(k.key, a.which)
	}
	if a.msg >= 0 {
		end := e.Width
		if e.DueOff >= 0 {
			end = e.DueOff
		}
		k.key = append(k.key, e.now.record(a.msg)[:end]...)
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
	e.out, e.act.code, e.now.owed = &k.out, 0, 0
	e.wrap.step.misuse, e.wrap.step.leftOut = "", 0
	if e.wrap.rec != nil {
		e.wrap.rec.found = e.wrap.rec.found[:0]
	}
	if k.do(a); k.out.Len() == 0 {
		if e.wrap.rec != nil && len(e.wrap.rec.found) > 0 {
			k.last = e.wrap.rec.found[0].Action
		}
		return Taken{Misuse: e.wrap.step.misuse, LeftOut: e.wrap.step.leftOut}
	}
	k.sent = e.traffic(k.kinds)
	if e.wrap.rec != nil {
		k.last = e.wrap.rec.found[0].Action
	}
	k.state = append(k.state[:0], k.out.State(0)...)
	switch {
	case a.kind == Ticks && e.Dated():
		e.decode(k.state)
	case a.pos >= 0:
		not := ^(Set(1) << a.pos)
		e.now.up, e.now.down, e.now.waiting, e.now.parts = e.now.up&not, e.now.down&not, e.now.waiting&not, e.now.parts&not
		e.decodeProcess(k.state, a.pos)
	}
	e.now.decodeRest(k.state)
	k.arrived()
	return Taken{Changed: true}
}

// do carries out an action.
func (k *walk) do(a act) {
	e := k.e
	if a.kind.Has(WithHandler) {
		k.run(a)
		return
	}
	if a.kind == CutsOff && e.LinksOff < 0 {
		a.side = 2 + 2*Set(k.ask(ForkSide, 1<<(e.N-1)-1))
	}
	e.happen(a)
}

// run is expander.run with the choices drawn.
func (k *walk) run(a act) {
	e := k.e
	e.act.act, e.act.call.Script = a, e.act.call.Script[:0]
	failure := e.handle()
	switch {
	case failure != "":
		e.fail(failure)
	case e.beyond():
	case e.setting.MidSend && len(e.act.call.Sends) > 0 && e.crashesBetween():
		k.crashBetween()
	default:
		e.emit(false)
	}
}

// crashBetween draws whether the process crashes between the sends of its
// handler, and emits the outcomes.
func (k *walk) crashBetween() {
	e, operations := k.e, 0
	for first := 0; first < len(e.act.call.Sends); first = e.act.operation(first) {
		operations++
	}
	at := k.ask(ForkCrash, uint64(operations+1))
	if at == 0 {
		e.emit(false)
		return
	}
	first := 0
	for ; at > 1; at-- {
		first = e.act.operation(first)
	}
	last := e.act.operation(first)
	e.partly(first, last, int(k.ask(ForkPart, uint64(e.act.partsOf(first, last)))))
}

// traffic returns what the step under way has sent, and counts the messages of
// each kind.
func (e *expander) traffic(kinds []int) (t Traffic) {
	if !e.act.acts() {
		return t
	}
	group := uint8(0)
	for i := range e.act.call.Sends {
		if e.act.mid && !slices.Contains(e.draft.order, i) {
			continue
		}
		t.Messages++
		kinds[e.act.call.Sends[i].Kind]++
		if g := e.act.call.Sends[i].Group; g == 0 || g != group {
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
		k.settled = k.quiet && k.e.now.parts == 0
	}
	return k.quiet
}

// Settled implements Walker.
func (k *walk) Settled() bool { return k.Quiet() && k.settled }

// surelyOwes reports whether an owed action is listed that no trial is needed of.
func (k *walk) surelyOwes() bool {
	e := k.e
	if k.Owing(); len(e.wrap.step.mail) > 0 && !e.setting.Repaired {
		return true
	}
	for i := range e.wrap.step.acts[:k.owing-len(e.wrap.step.mail)] {
		switch e.wrap.step.acts[i].kind {
		case Boots, Starts, Drops, Resumes, Heals:
			return true
		case Delivers:
			if !e.setting.Repaired {
				return true
			}
		case Ticks:
			if e.wrap.step.lasting && e.now.paused == 0 {
				return true
			}
		}
	}
	return false
}

// owes tries the actions that are listed, as Expand does.
func (k *walk) owes() bool {
	e := k.e
	cover, rec, hits, asks := e.cover, e.wrap.rec, e.wrap.step.hits, e.asked.stepWatches
	e.cover, e.wrap.rec, e.wrap.step.hits, e.asked.stepWatches, e.act.call.Draw = &k.probed, nil, nil, nil, nil
	k.probe.Reset()
	e.out, e.act.code, e.now.owed = &k.probe, 0, 0
	act, mid := e.act.act, e.act.mid
	e.owing()
	e.act.act, e.act.mid = act, mid
	e.out, e.act.call.Draw = &k.out, k.choose
	e.cover, e.wrap.rec, e.wrap.step.hits, e.asked.stepWatches = cover, rec, hits, asks
	return e.now.owed > 0
}

// Record implements Walker.
func (k *walk) Record(on bool) {
	k.e.wrap.rec = nil
	if on {
		k.e.wrap.rec = &recorder{}
	}
}

// Last implements Walker.
func (k *walk) Last() Action { return k.last }

// Random returns a Draw that draws each answer with equal probability.
func Random(rng *rand.Rand) Draw {
	return func(_ Fork, answers uint64) uint64 { return rng.Uint64N(answers) }
}
