package linear

import (
	"fmt"
	"slices"
	"sync"

	"bullyproof/explore"
	"bullyproof/model"
)

// A World is a system with clients: a transition system whose steps are those of
// the system and those of the clients. The system knows nothing of the clients, so
// that it does what it does without them.
type World struct {
	sys  *model.System
	work Workload
	layout

	mu    sync.Mutex
	known map[string]Verdict // of histories, by their encoding
}

// The targets of a search through a World.
const (
	targetBroken  = iota // a history is not linearizable
	targetMisuse         // a handler did what no network can carry out
	targetNoEpoch        // a token was to be an epoch, and there is none
	targets
)

// cutTokens is the reason of a cut for a token that is too high.
const cutTokens = 63

// maxToken is the highest token or epoch.
const maxToken = 250

// New returns a system with clients. The error says what is wrong with the
// workload.
func New(sys *model.System, work Workload) (*World, error) {
	work = work.Usual()
	if err := work.Validate(); err != nil {
		return nil, err
	}
	n := sys.Setting().N
	return &World{
		sys: sys, work: work, known: map[string]Verdict{},
		layout: layout{n: n, clients: work.Clients, store: work.store()},
	}, nil
}

// Workload returns what the clients do.
func (w *World) Workload() Workload { return w.work }

// questions returns how many operations are still to begin.
func (w *World) questions(a *area) int {
	left := w.work.Clients * w.work.Operations
	for _, b := range a.began {
		left -= int(b)
	}
	return left
}

// Initial yields the initial states (explore.System). Where everybody who is up
// agrees on a coordinator, the history begins with it; otherwise with nobody, and
// whoever leads is being elected.
func (w *World) Initial(yield func(state []byte) bool) {
	var b []byte
	w.sys.Initial(func(state []byte) bool {
		b = w.begin(b[:0], state)
		return yield(b)
	})
}

// NewStart returns what draws initial states (explore.Starter).
func (w *World) NewStart() func(draw func(k uint64) uint64) ([]byte, error) {
	start := w.sys.NewStart()
	return func(draw func(k uint64) uint64) ([]byte, error) {
		state, err := start(draw)
		if err != nil {
			return nil, err
		}
		return w.begin(nil, state), nil
	}
}

// begin appends the initial state in which the system is in a state.
func (w *World) begin(b, state []byte) []byte {
	a := &area{}
	if w.work.Spec == Leader {
		v := w.sys.View(state)
		if a.initial = byte(agreed(v)); a.initial == 0 {
			for id := range v.Leaders.All() {
				a.elected(id, w.questions(a))
			}
		}
	}
	return w.appendTo(append(b, state...), a)
}

// agreed returns whom everybody who is up takes for the coordinator, None where
// they do not agree.
func agreed(v *model.View) model.ID {
	who := model.None
	for id := range v.Up.All() {
		switch e := v.Elected(id); {
		case e == model.None, who != model.None && e != who:
			return model.None
		default:
			who = e
		}
	}
	return who
}

// Questions is one: whether every history is linearizable (explore.Questioner).
func (w *World) Questions() int { return 1 }

var (
	_ explore.Questioner = (*World)(nil)
	_ explore.Starter    = (*World)(nil)
)

// NewExpander returns an expander (explore.System).
func (w *World) NewExpander() explore.Expander {
	x := &expander{World: w}
	x.inner = w.sys.Watched(model.Watch{State: x.see, Step: x.follow}).NewExpander()
	return x
}

// A sight is what the clients see of a state: a copy of its View.
type sight struct {
	settled             bool
	up, paused, leaders model.Set
	elected             [model.MaxID]model.ID
	epochs              [model.MaxID]uint64
}

// An expander expands states of the system and of its clients.
type expander struct {
	*World
	inner explore.Expander
	tmp   explore.Successors
	now   sight
	after []sight // of the successors, by number: leaders and their epochs only
	key   []byte
}

// see copies what the clients see of the state that is expanded.
func (x *expander) see(v *model.View) bool {
	x.now = sight{settled: v.Settled, up: v.Up, paused: v.Paused, leaders: v.Leaders}
	for id := range v.Up.All() {
		x.now.elected[id-1] = v.Elected(id)
		x.now.epochs[id-1] = x.epoch(v, id)
	}
	return false
}

// epoch returns the epoch of a process, if anything depends on it.
func (x *expander) epoch(v *model.View, id model.ID) uint64 {
	if !x.work.Epochs {
		return 0
	}
	return v.Epoch(id)
}

// follow notes who leads after a step of the system.
func (x *expander) follow(e *model.Event) bool {
	s := sight{leaders: e.To.Leaders}
	for id := range s.leaders.All() {
		s.epochs[id-1] = x.epoch(e.To, id)
	}
	x.after = append(x.after, s)
	return false
}

// Expand implements explore.Expander.
func (x *expander) Expand(state []byte, out *explore.Successors) {
	inner, a := x.split(state)
	rest := state[len(inner):]
	if x.over(a) {
		return // nobody will be answered any more
	}
	x.tmp.Reset()
	x.after = x.after[:0]
	x.inner.Expand(inner, &x.tmp)
	if x.tmp.IsHit(1) {
		out.Hit(targetMisuse, 0)
	}
	for i := range 64 {
		if x.tmp.Cuts()>>i&1 != 0 {
			out.Cut(i)
		}
	}
	for i := range x.tmp.Len() {
		if after := &x.after[i]; after.leaders == x.now.leaders && x.sameEpochs(after) {
			out.End(append(append(out.Begin(), x.tmp.State(i)...), rest...), x.tmp.Code(i))
			continue
		}
		next := a.clone()
		x.settle(next, &x.after[i])
		x.emit(out, x.tmp.State(i), next, x.tmp.Code(i))
	}
	x.clients(inner, a, out)
}

// sameEpochs reports whether who leads does so in the same epoch after a step.
func (x *expander) sameEpochs(after *sight) bool {
	if x.work.Epochs {
		for id := range after.leaders.All() {
			if after.epochs[id-1] != x.now.epochs[id-1] {
				return false
			}
		}
	}
	return true
}

// over reports whether every client has begun all its operations, and none can
// still return.
func (x *expander) over(a *area) bool {
	if x.questions(a) > 0 {
		return false
	}
	for c := range x.work.Clients {
		if a.pending[c].op != 0 {
			return false
		}
	}
	return true
}

// settle brings an area up to date after a step of the system.
func (x *expander) settle(a *area, after *sight) {
	if x.work.Spec == Leader {
		for id := range (after.leaders &^ x.now.leaders).All() {
			a.elected(id, x.questions(a))
		}
	}
	if !x.store {
		return
	}
	for i := range a.sessions[:x.n] {
		if a.sessions[i].open && (!after.leaders.Has(model.ID(i+1)) || after.epochs[i] != x.now.epochs[i]) {
			x.resign(a, byte(i+1))
		}
	}
	x.forget(a)
}

// resign ends the session of a coordinator. Its requests on the way to the
// store still arrive there, and nobody answers the client.
func (x *expander) resign(a *area, via byte) {
	a.sessions[via-1] = session{}
	for c := range a.pending {
		p := a.pending[c]
		if p.op == 0 || p.via != via {
			continue
		}
		a.pending[c], p.via = pending{}, 0
		at, _ := slices.BinarySearchFunc(a.late, p, pending.compare)
		a.late = slices.Insert(a.late, at, p)
	}
}

// forget forgets what nothing depends on any more: what the store will refuse
// and nobody waits for, and by how much tokens of the store differ.
func (x *expander) forget(a *area) {
	if x.work.Fence == NoFence {
		return
	}
	a.late = slices.DeleteFunc(a.late, func(p pending) bool { return x.refuses(a, p) })
	if !x.work.Epochs {
		a.rank(x.n)
	}
}

// emit appends a successor.
func (x *expander) emit(out *explore.Successors, inner []byte, a *area, c explore.Code) {
	out.End(x.appendTo(append(out.Begin(), inner...), a), c)
}

// judge reports the step that was emitted last where the history that it
// completes is not linearizable.
func (x *expander) judge(a *area, out *explore.Successors) {
	x.key = a.appendEvents(append(x.key[:0], a.initial))
	x.mu.Lock()
	v, ok := x.known[string(x.key)]
	x.mu.Unlock()
	if !ok {
		v = a.history(x.work.Spec).decide(0)
		x.mu.Lock()
		x.known[string(x.key)] = v
		x.mu.Unlock()
	}
	if v == NotLinearizable {
		out.HitStep(targetBroken, 0)
	}
}

// histories returns how many different histories were decided.
func (w *World) histories() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.known)
}

// cutReason says in words why transitions were left out.
func (w *World) cutReason(reason int) string {
	if reason == cutTokens {
		return fmt.Sprintf("a token was above %d", maxToken)
	}
	return w.sys.CutReason(reason)
}
