package model

import (
	"reflect"
	"slices"

	"bullyproof/explore"
	"bullyproof/internal/flat"
	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/reduce"
	"bullyproof/model/internal/renaming"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// This file is the world as package reduce asks it.

// arguedKinds are the kinds of which reductions speak, by kind. A new one stays out
// until somebody has an argument for it.
var arguedKinds = [actionKinds]reduce.Kind{
	Starts: reduce.Starts, Delivers: reduce.Delivers, Drops: reduce.Drops, Expires: reduce.Expires, Suspects: reduce.Suspects,
	Ticks: reduce.Ticks, Crashes: reduce.Crashes, Restarts: reduce.Restarts, Loses: reduce.Loses,
}

// facts returns what does not change about the world.
func (w *world) facts() *reduce.Facts {
	f := &reduce.Facts{
		Layout: &w.Layout, Setting: w.setting, IDs: w.firstIDs, Bound: protocol.Bound(&w.setting), Detector: w.detector,
		Periodic: w.periodic, Stable: w.has.Stable, Symmetric: w.has.Symmetric, Asymmetry: w.asymmetry,
		Names: func() (state, message *renaming.Names) {
			return w.namesOf(w.typeP, &w.planP), w.namesOf(w.typeM, &w.planM)
		},
	}
	for _, t := range w.names.Timers {
		f.Timers = append(f.Timers, t.Name)
	}
	if len(w.monitors) > 0 {
		f.Monitor = w.monitors[0].name
	}
	return f
}

// namesOf returns where the encoded values of a type name processes.
func (w *world) namesOf(t reflect.Type, plan *flat.Plan) *renaming.Names {
	return renaming.Of(t, plan, w.N, renaming.Kinds{Named: []reflect.Type{reflect.TypeFor[Port]()}, Elem: protocol.PerProcess})
}

// A reducer is an expander that leaves out what a reduction lets it.
//
// It goes over the enabled actions twice: once to list them, and, with a
// choice made, to carry out those that are chosen. Those left out are counted
// nevertheless, so that codes are those of the system.
type reducer struct {
	expander *expander
	by       *reduce.Reducer
	thin     thinning

	other, judges *expander // carry out faults, and judge states on the way
	found         explore.Successors
	hits          []int
}

func (w *world) reducer(watches []Watch, r Reduction) *reducer {
	x := &reducer{expander: w.newExpander(watches)}
	x.by = reduce.New(w.facts(), r.of(), &handlerRunner{e: w.newExpander(nil)}, x)
	x.expander.wrap.normal = x.by.Normal()
	if x.by.Kinds()&WholeTicks != 0 {
		x.other, x.judges = w.newExpander(nil), w.newExpander(watches)
	}
	return x
}

// Expand implements explore.Expander.
func (x *reducer) Expand(state []byte, out *explore.Successors) {
	e := x.expander
	e.decode(state)
	if x.by.Kinds()&Rotations != 0 {
		if err := e.now.naming(); err != nil {
			out.Fail(err)
			return
		}
	}
	if x.by.Expand(state, out) {
		e.out, e.act.code, e.now.owed = out, 0, 1
		if len(e.asked.watches) > 0 {
			e.fillView(&e.asked.from)
		}
		e.judge()
		return
	}
	if keep, ok := x.by.Keep(); ok {
		x.thin.keep, x.thin.at = keep, 0
		e.wrap.thin = &x.thin
	}
	e.expand(out)
	e.wrap.thin = nil
}

// naming says who names another process by id, nil if nobody does: on a ring no rotation does so.
func (now *decoded) naming() error {
	for pos := range now.N {
		if who := now.belief[pos].Elected; now.up>>pos&1 != 0 && who != None && who != Me {
			return &NamedError{now.ids[pos], who}
		}
	}
	return nil
}

// thinning is the state of an expander that leaves actions out.
type thinning struct {
	listing bool
	acts    []reduce.Act // enabled, in order
	keep    []bool       // which of them are carried out
	at      int
}

// aside lists an action, or reports whether it is left out.
func (t *thinning) aside(a *act, code *uint32) bool {
	if t.listing {
		t.acts = append(t.acts, reduce.Act{
			Kind: arguedKinds[a.kind], Pos: a.pos, Msg: a.msg, Port: uint8(a.port), Timer: uint8(a.timer), Who: a.who,
		})
		return true
	}
	t.at++
	if t.at > len(t.keep) || t.keep[t.at-1] {
		return false
	}
	// An action that may be left out has one outcome.
	*code++
	return true
}

// Enabled returns what is enabled in the state under expansion (reduce.World).
func (x *reducer) Enabled(crashes, restarts, losses bool) []reduce.Act {
	e, t := x.expander, &x.thin
	t.listing, t.acts = true, t.acts[:0]
	e.wrap.thin = t
	e.owing()
	if crashes {
		e.crashes()
	}
	if restarts {
		e.comebacks(Restarts, Down, layout.BudgetRestarts)
	}
	if losses {
		e.losses()
	}
	e.wrap.thin, t.listing = nil, false
	return t.acts
}

// Fault appends where a fault leads from a state (reduce.World).
func (x *reducer) Fault(state []byte, kind reduce.Kind, pos int, to *explore.Successors) {
	y := x.other
	y.decode(state)
	y.out, y.act.code = to, 0
	if kind == reduce.Crashes {
		y.crash(act{kind: Crashes, pos: pos, msg: -1, budget: layout.BudgetCrashes})
	} else {
		y.run(act{kind: Restarts, pos: pos, msg: -1, budget: layout.BudgetRestarts})
	}
}

// Hits returns which watches a state hits (reduce.World).
func (x *reducer) Hits(state []byte, owing bool) []int {
	y := x.judges
	if owing {
		y.decode(state)
		y.fillView(&y.asked.from)
	} else {
		x.found.Reset()
		y.Expand(state, &x.found)
	}
	x.hits = x.hits[:0]
	for i := range y.asked.watches {
		w := &y.asked.watches[i]
		if owing && w.State != nil && !w.MarkOnly && w.State(&y.asked.from) || !owing && x.found.IsHit(i) {
			x.hits = append(x.hits, i)
		}
	}
	return x.hits
}

// A handlerRunner runs the handlers of a world ahead of the search (reduce.Handlers).
//
// Handlers are deterministic and see no more than their own process, so what a
// message does to a process is a function of the process's state and the message.
type handlerRunner struct {
	e     *expander
	buf   []byte // a state, as far as handlers see it
	keyed []byte
	rec   []byte
}

// At has the handlers see a state of the system; the ids are by position.
func (h *handlerRunner) At(state []byte, ids []ID) {
	e := h.e
	h.buf = append(h.buf[:0], state[:e.MsgOff]...)
	e.now.state = h.buf
	if e.IDsOff >= 0 {
		e.now.setIDs(ids)
	}
}

// Key returns the key of the local state of a position in that state.
func (h *handlerRunner) Key(pos int) []byte {
	e := h.e
	h.keyed = append(h.keyed[:0], e.Proc(h.buf, pos)...)
	if e.setting.Timing.Kind == setting.LastResort { // handlers do not see ranks
		for at := e.TimerOff; at < e.POff; at += 2 {
			h.keyed[at+1] = min(h.keyed[at+1], 1)
		}
	}
	pending := byte(0)
	if e.PendingOff >= 0 {
		pending = byte(e.Positions(h.buf, e.PendingOff) >> pos & 1)
	}
	h.keyed = append(h.keyed, pending, byte(e.now.ids[pos]))
	return h.keyed
}

// put makes a local state that of its position in its state, and decodes it.
func (h *handlerRunner) put(pos int, key string) {
	e := h.e
	copy(e.Proc(h.buf, pos), key[:e.ProcSize])
	if e.PendingOff >= 0 {
		pending := e.Positions(h.buf, e.PendingOff) &^ (1 << pos)
		if key[e.ProcSize] != 0 {
			pending |= 1 << pos
		}
		e.PutPositions(h.buf, e.PendingOff, pending)
	}
	e.now.ids[pos] = ID(key[len(key)-1])
	if Status(key[0]) == Up {
		e.planP.Get(e.now.procs.at(pos), e.Proc(h.buf, pos)[e.POff:])
	}
}

// Look looks at a local state of a process that is up.
func (h *handlerRunner) Look(pos int, key string) reduce.Look {
	h.put(pos, key)
	e, s := h.e, &h.e.setting
	p, id := e.now.procs.at(pos), e.now.ids[pos]
	belief := e.protocol.Belief(p)
	l := reduce.Look{Elected: belief.Elected, Participant: belief.Participant, Epoch: belief.Epoch}
	if l.Elected == Me {
		l.Elected = id
	}
	silent := e.detector == setting.DetectorOff || belief.Participant && !s.ReportsAlways || s.Detectors != 0 && !s.Detectors.Has(id)
	if !silent {
		l.Watches = e.has.Watched(e.protocol, p, id, belief.Elected)
	}
	return l
}

// Run runs the handler of an event; unreachable positions get nothing.
func (h *handlerRunner) Run(pos int, key string, ev *reduce.Event, unreachable Set, send func(to int, message []byte)) (next []byte, sets, ok bool) {
	h.put(pos, key)
	e := h.e
	if ev.Kind == reduce.Crashes {
		e.now.procs.set(e.act.cur, e.now.procs.at(pos))
		e.goDown(h.buf, pos)
		return h.Key(pos), false, true
	}
	kind := ActionKind(slices.Index(arguedKinds[:], ev.Kind))
	a := act{kind: kind, pos: pos, msg: -1, timer: Timer(ev.Timer), who: ev.Who, budget: -1}
	if kind == Delivers {
		a.msg, a.port = 0, Port(ev.Message[0])
		h.rec = append(h.rec[:0], e.Zeros...)
		h.rec[0] = byte(pos)
		copy(h.rec[1:], ev.Message)
		e.now.area = h.rec
	}
	e.act.act, e.act.call.Script = a, e.act.call.Script[:0]
	if e.handle() != "" || len(e.act.call.Choices) > 0 || e.act.call.Looked || !e.unbounded && e.whyBeyond() != "" {
		return nil, false, false
	}
	h.tell(pos, unreachable, send)
	if e.act.call.Timed {
		for _, t := range e.act.call.Timers {
			sets = sets || t != protocol.TimerKept && t != protocol.TimerStopped
		}
	}
	e.act.writeAction(h.buf)
	e.planP.Put(e.Proc(h.buf, pos)[e.POff:], e.act.cur)
	e.act.applyTimers(h.buf, pos)
	return h.Key(pos), sets, true
}

// tell tells what the handler that has run sends.
func (h *handlerRunner) tell(pos int, unreachable Set, send func(to int, message []byte)) {
	e := h.e
	for i := range e.act.call.Sends {
		s := &e.act.call.Sends[i]
		to, port := e.now.target(h.buf, pos, s.Port)
		if unreachable>>to&1 != 0 {
			continue
		}
		e.draft.recs = append(e.draft.recs[:0], e.Zeros...)
		e.draft.recs[1] = byte(port)
		e.planM.Put(e.draft.recs[e.MOff:], e.hands.Sent(i))
		end := e.Width
		if e.DueOff >= 0 {
			end = e.DueOff
		}
		send(to, e.draft.recs[1:end])
	}
}

// Text returns the text of the message of an event.
func (h *handlerRunner) Text(ev *reduce.Event) string {
	rec := append([]byte{0}, ev.Message...)
	return h.e.protocol.Text(h.e.act.message(append(rec, 0)))
}
