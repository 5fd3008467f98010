package reduce

import "bullyproof/model/setting"

// A foresight sees what can follow a state before time passes. It has a part for each
// question, and a part has those that it asks.
type foresight struct {
	kinds  Reductions // that are made
	all    map[downs]*tables
	tables *tables // in use

	effects    effects
	start      start
	closures   closures
	dead       deadMessages
	stages     stages
	prospects  prospects
	shipments  *shipments
	finder     finder
	postponing postponing
}

// tables keep what the parts know of the states in which the same processes are down.
type tables struct {
	handled
	roots     roots // of closures, by what they begin from
	stages    keptStages
	prospects keptProspects
	shipments shipments
}

func (f *foresight) init(w *Facts, r Reduction, handlers Handlers) {
	f.kinds, f.all = r.Of(w), map[downs]*tables{}
	e, s, cs, flaws := &f.effects, &f.start, &f.closures, r.Flaws
	*e = effects{facts: w, handlers: handlers, reads: r.Reads, flaws: flaws, fifo: w.Setting.FIFO}
	*s = start{
		effects: e, flaws: flaws, lockstep: w.Setting.Timing.Kind == setting.Lockstep, copies: f.kinds&LeastDueFirst != 0,
		here: make([]int32, w.N),
	}
	*cs = closures{effects: e, start: s, flaws: flaws}
	cs.under.init(w.N)
	f.dead = deadMessages{effects: e, start: s, closures: cs, flaws: flaws}
	f.stages = stages{effects: e, start: s, flaws: flaws}
	f.prospects = prospects{effects: e, start: s, stages: &f.stages, flaws: flaws}
	f.finder = finder{kinds: f.kinds, effects: e, start: s, closures: cs, flaws: flaws, cycles: recurrence{effects: e, start: s}}
	f.postponing = postponing{kinds: f.kinds, effects: e, start: s, closures: cs, flaws: flaws}
}

// begin forgets the last state. It is told who is down, and at which positions processes can act.
func (f *foresight) begin(down downs, up Set) {
	f.start.up, f.start.mail = up, f.start.mail[:0]
	f.closures.rooted()
	t := f.all[down]
	if t == nil || t.full() {
		t = &tables{handled: newHandled(len(f.start.here), down), roots: newRoots()}
		f.all[down] = t
	}
	f.use(t)
}

// use gives the parts what tables have.
func (f *foresight) use(t *tables) {
	f.tables = t
	f.effects.handled, f.closures.roots, f.stages.kept = &t.handled, &t.roots, &t.stages
	f.prospects.kept, f.shipments = &t.prospects, &t.shipments
}

// start is the state from which a foresight looks, and what it says by itself.
type start struct {
	effects  *effects
	flaws    Flaw
	lockstep bool
	copies   bool // of copies of a message, the one with the least time left goes first

	up     Set
	losing bool    // messages may be lost (losses.go)
	here   []int32 // local states by position
	mail   []inFlight
	in     []int32 // events that are due somewhere (dueTo)
}

// An inFlight is a message in flight in the state.
type inFlight struct {
	to    int
	port  Port
	event int32
	due   int
}

// eventOf returns the event of an enabled action.
func (s *start) eventOf(a *Act) int32 {
	switch a.Kind {
	case Delivers, Loses, Drops: // a message that is lost is known by what it would do
		return s.mail[a.Msg].event
	case Ticks:
		return -1
	}
	return s.effects.event(Event{Kind: a.Kind, Timer: a.Timer, Who: a.Who})
}
