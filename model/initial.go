package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"bullyproof/explore"
	"bullyproof/model/internal/origin"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// ErrBeyondAtStart says that a process begins in a state that the protocol's own bound excludes
// (Beyond).
var ErrBeyondAtStart = errors.New("its state is beyond the bound already")

// open returns what the setting leaves open.
func (w *world) open() *origin.Open {
	return &origin.Open{Setting: &w.setting, IDs: w.firstIDs, Vary: w.IDsOff >= 0, Clocks: len(w.clocks) > 0}
}

// starts yields the initial states of every origin, and counts what runs before
// them.
func (w *world) starts(yield func(s start) bool, cover *coverage) {
	b, more := starter{w.newExpander(nil)}, true
	b.e.cover = cover
	for o := range w.open().All() {
		if err := b.initial(o, func(s start) bool { more = yield(s); return more }); err != nil {
			panic(err)
		}
		if !more {
			return
		}
	}
}

// startsBy yields the initial states, one of each origin at most, in which handlers
// choose these; where there are no choices, those in which they choose whatever they
// may.
func (w *world) startsBy(choices []int, yield func(s start) bool) error {
	if len(choices) == 0 {
		w.starts(yield, new(coverage))
		return nil
	}
	b := starter{w.newExpander(nil)}
	for o := range w.open().All() {
		s, ok, err := b.chosenStart(o, choices)
		if err != nil {
			return err
		}
		if ok && !yield(s) {
			break
		}
	}
	return nil
}

// A start is an initial state, what was sent on the way to it (see sendings),
// and what handlers chose there, in order.
type start struct {
	state   []byte
	sent    []byte
	choices []int
	chosen  []string // the choices in words
	odds    Odds     // of what chance chose
	freely  bool     // something else was chosen
	origin  origin.Origin
}

// A starter makes initial states, by steps of an expander.
type starter struct{ e *expander }

// initial yields the initial states of an origin: one, or more where handlers make
// choices. They are made one after the other, since of n processes that toss a coin
// there are 2^n. An error ends them.
func (b starter) initial(o origin.Origin, yield func(s start) bool) error {
	s, acts, err := b.prelude(o)
	if err != nil {
		return err
	}
	_, err = b.unfold(s, acts, yield)
	return err
}

// prelude returns where an origin begins, and what happens before an initial state,
// in order.
func (b starter) prelude(o origin.Origin) (start, []act, error) {
	e := b.e
	e.now.setIDs(o.IDs)
	s := start{state: b.blank(o), origin: o, odds: protocol.Certain}
	var acts []act
	var err error
	each := func(kind ActionKind, of Set) {
		for pos, id := range e.now.ids {
			if of.Has(id) {
				acts = append(acts, act{kind: kind, pos: pos, msg: -1, budget: -1})
			}
		}
	}
	there := Upto(ID(e.N)) &^ o.Absent
	switch in := e.setting; in.Start {
	case setting.ColdStart:
		each(Boots, there)
		if !in.Initiators.Lazy {
			each(Starts, o.Initiators)
		}
	case setting.SettledStart, setting.CoordinatorDown:
		err = b.settle(s.state, there)
		if in.Start == setting.CoordinatorDown {
			each(Crashes, SetOf(e.has.Wanted(there)))
		}
	}
	return s, acts, err
}

// unfold yields the initial states that have these actions still before them. It
// reports whether more are wanted.
func (b starter) unfold(s start, acts []act, yield func(s start) bool) (more bool, err error) {
	if len(acts) == 0 {
		return yield(s), nil
	}
	states, err := b.advance(s, acts[0])
	if err != nil {
		return false, err
	}
	for _, s := range states {
		if more, err = b.unfold(s, acts[1:], yield); !more || err != nil {
			return more, err
		}
	}
	return true, nil
}

// mostOverfull is how often choices that put more on a link than it holds are drawn
// anew, before all that a handler may choose is looked at.
const mostOverfull = 64

// drawnStart returns one initial state of an origin: handlers choose by draw, of
// what leads to one. It makes no other than it has to. Where links are too full for what
// was drawn, it is the first of the origin, and where that has none, the first of all.
func (b starter) drawnStart(o origin.Origin, draw func(k int) uint8, one func(of int) int) (start, error) {
	s, acts, err := b.prelude(o)
	if err != nil {
		return s, err
	}
	for _, a := range acts {
		var states []start
		for tries := 0; len(states) == 0 && tries < mostOverfull; tries++ {
			if states, err = b.advanceBy(s, a, draw); err != nil {
				return s, err
			}
		}
		if len(states) == 0 {
			if states, err = b.advance(s, a); err != nil {
				return s, err
			}
		}
		if len(states) == 0 {
			return b.firstStart(o)
		}
		s = states[one(len(states))]
	}
	return s, nil
}

// firstStart returns the first initial state of an origin, or else of all.
func (b starter) firstStart(o origin.Origin) (first start, err error) {
	found := false
	take := func(s start) bool {
		first, found = s, true
		return false
	}
	if err = b.initial(o, take); err != nil || found {
		return first, err
	}
	for o := range b.e.open().All() {
		if err = b.initial(o, take); err != nil || found {
			return first, err
		}
	}
	return first, errors.New("no initial state to walk from: each start puts more on a link than its capacity")
}

// chosenStart returns the initial state of an origin in which handlers choose these,
// and whether there is one.
func (b starter) chosenStart(o origin.Origin, choices []int) (start, bool, error) {
	s, acts, err := b.prelude(o)
	if err != nil {
		return s, false, err
	}
	wrong := false
	draw := func(k int) uint8 {
		if len(choices) == 0 || choices[0] < 0 || choices[0] >= k {
			wrong = true
			return 0
		}
		c := choices[0]
		choices = choices[1:]
		return uint8(c)
	}
	for _, a := range acts {
		states, err := b.advanceBy(s, a, draw)
		switch {
		case wrong:
			return s, false, nil
		case err != nil || len(states) == 0:
			return s, false, err
		}
		s = states[0]
	}
	return s, len(choices) == 0, nil
}

// blank returns the state of an origin before anything has happened.
func (b starter) blank(o origin.Origin) []byte {
	e := b.e
	state := make([]byte, e.MsgOff)
	for i, off := range e.Budget {
		if off >= 0 {
			state[off] = e.Granted[i]
		}
	}
	at := state[e.MonitorOff:]
	for _, m := range e.monitors {
		at = at[copy(at, m.start):]
	}
	var pending Set
	for pos, id := range e.now.ids {
		if e.IDsOff >= 0 {
			state[e.IDsOff+pos] = byte(id)
		}
		status := Up
		switch {
		case o.Absent.Has(id):
			status = Absent
		case e.setting.Start == setting.ColdInterleaved:
			status = Unbooted
		}
		e.Proc(state, pos)[0] = byte(status)
		if len(o.Ahead) > 0 {
			e.SetClock(state, pos, uint8(o.Ahead[id-1]))
		}
		if o.Initiators.Has(id) {
			pending |= 1 << pos
		}
	}
	if e.PendingOff >= 0 {
		e.PutPositions(state, e.PendingOff, pending)
	}
	return state
}

// advance takes one step, one that initial states have behind them, and returns all
// that it leads to.
func (b starter) advance(s start, a act) ([]start, error) {
	found, err := b.take(s, a)
	if err == nil && len(found) == 0 { // steps that change nothing are found as well
		err = fmt.Errorf("start of process %v: it sends more than links hold, capacity=%d", b.e.now.ids[a.pos], b.e.setting.Capacity)
	}
	return b.afterwards(s, found), err
}

// advanceBy takes the step of advance in which handlers choose by draw. It leads to
// one state, or to none where a link does not hold what is sent.
func (b starter) advanceBy(s start, a act, draw func(k int) uint8) ([]start, error) {
	b.e.act.call.Draw = draw
	found, err := b.take(s, a)
	b.e.act.call.Draw = nil
	return b.afterwards(s, found), err
}

// take takes a step from a start.
func (b starter) take(s start, a act) ([]Transition, error) {
	e := b.e
	var succ explore.Successors
	e.decode(s.state)
	e.out, e.wrap.rec, e.wrap.inits = &succ, &recorder{}, true
	if len(e.monitors) > 0 {
		e.fillView(&e.asked.from)
	}
	switch {
	case a.kind == Crashes:
		e.crash(a)
	case e.act.call.Draw != nil:
		b.once(a)
	default:
		e.run(a)
	}
	found := e.wrap.rec.found
	e.wrap.rec, e.wrap.inits = nil, false
	if len(e.cover.Beyond) > 0 {
		return nil, fmt.Errorf("start of process %v: %w: %s", e.now.ids[a.pos], ErrBeyondAtStart, e.cover.Beyond[0])
	}
	for _, t := range found {
		if t.Misuse != "" {
			return nil, fmt.Errorf("start of process %v (%v): %s", t.Action.Process, a.kind, t.Misuse)
		}
	}
	return found, nil
}

// once is run with the choices that call.Draw makes, and without crashes.
func (b starter) once(a act) {
	e := b.e
	e.act.act = a
	if failure := e.handle(); failure != "" {
		e.fail(failure)
	} else if !e.beyond() {
		e.emit(false)
	}
}

// afterwards returns where a start is after transitions, those aside in which a process crashes
// between its sends.
func (b starter) afterwards(s start, found []Transition) (out []start) {
	for _, t := range found {
		if !t.Action.Crash {
			odds, ok := s.odds.And(t.Odds)
			if !ok {
				odds = Odds{} // out of range
			}
			out = append(out, start{
				state: t.Next, sent: b.e.now.addSent(s.sent, t.Sent), origin: s.origin, odds: odds, freely: s.freely || t.freely,
				choices: slices.Concat(s.choices, t.Action.Choices), chosen: slices.Concat(s.chosen, chosen(&t.Action)),
			})
		}
	}
	return out
}

// chosen says in words what a process chose, a text for each choice.
func chosen(a *Action) (texts []string) {
	for i, c := range a.Choices {
		what := strconv.Itoa(c)
		if len(a.Outcomes) > 0 {
			what = a.Outcomes[i]
		}
		texts = append(texts, fmt.Sprintf("%s chooses %s", a.Process.Name(), what))
	}
	return texts
}

// addSent returns sent with the sends of one more step.
func (now *decoded) addSent(sent []byte, more []Envelope) []byte {
	out, groups := slices.Clone(sent), byte(0)
	for i := 1; i < len(sent); i += 3 {
		groups = max(groups, sent[i])
	}
	for _, s := range more {
		group, up := byte(0), byte(0)
		if s.Broadcast > 0 {
			group = groups + byte(s.Broadcast)
		}
		if now.up>>now.at[s.To-1]&1 != 0 {
			up = 1
		}
		out = append(out, byte(slices.Index(now.names.Kinds, s.Kind)), group, up)
	}
	return out
}

// settle makes state one in which all processes of live agree.
func (b starter) settle(state []byte, live Set) error {
	e := b.e
	e.decode(state)
	e.wrap.settling = live
	defer func() { e.wrap.settling = 0 }()
	for pos, id := range e.now.ids {
		if !live.Has(id) {
			continue
		}
		e.act.act = act{kind: Boots, pos: pos, msg: -1, budget: -1}
		if failure := e.handle(); failure != "" {
			return fmt.Errorf("settled start of process %v: %s", id, failure)
		}
		if why := e.whyBeyond(); why != "" {
			return fmt.Errorf("settled start of process %v: %w: %s", id, ErrBeyondAtStart, why)
		}
		e.planP.Put(e.Proc(state, pos)[e.POff:], e.act.cur)
		if e.MayForget(state) && e.now.mayCrash(pos) {
			copy(e.Proc(state, pos)[e.OldOff:], e.kept(e.act.cur))
		}
		e.act.applyTimers(state, pos)
	}
	return nil
}

// wake makes e.act.cur the state of a process after an election among the processes
// of e.settling, and has it set its timers.
func (e *expander) wake() {
	e.now.procs.zero(e.act.cur)
	e.now.tellTime(e.act.cur, e.act.pos)
	e.hands.Settle(e.act.cur, e.has.Wanted(e.wrap.settling), e.wrap.settling)
	if !e.has.Waker {
		return
	}
	e.now.tellTime(e.act.cur, e.act.pos)
	e.hands.Wake(e.act.cur)
	if len(e.act.call.Sends) > 0 || len(e.act.call.Choices) > 0 {
		panic(protocol.Misuse("Wake: it is to set timers, and neither sends nor chooses"))
	}
}

func (w *world) narrow(initial []byte) (setting.Setting, []int) {
	b := starter{w.newExpander(nil)}
	for o := range w.open().All() {
		if w.IDsOff >= 0 && string(initial[w.IDsOff:w.IDsOff+w.N]) != string(asBytes(o.IDs)) {
			continue
		}
		var choices []int
		found := false
		err := b.initial(o, func(s start) bool {
			choices, found = s.choices, bytes.Equal(s.state, initial)
			return !found
		})
		if err == nil && found {
			return w.open().Narrowed(o), choices
		}
	}
	return w.setting, nil
}

func asBytes(ids []ID) []byte {
	b := make([]byte, len(ids))
	for i, id := range ids {
		b[i] = byte(id)
	}
	return b
}
