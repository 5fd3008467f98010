package model

import (
	"bytes"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/internal/survey"
	"bullyproof/model/internal/reduce"
	"bullyproof/model/setting"
)

// Reductions is a set of reductions (docs/reductions.md). Its Names are those of --reduce,
// and its String is what ParseReductions reads.
type Reductions = reduce.Reductions

const (
	// PersistentSets: of the actions that are enabled, a set is carried out of
	// which nothing else depends.
	PersistentSets = reduce.PersistentSets
	// LeastDueFirst: of several copies of a message, the one with the least time
	// left is delivered.
	LeastDueFirst = reduce.LeastDueFirst
	// Postponing: deliveries that can wait until after a tick do wait.
	Postponing = reduce.Postponing
	// DeadMessages: messages whose delivery does nothing are dropped.
	DeadMessages = reduce.DeadMessages
	// WholeTicks: in lockstep, states between the beginning and the end of a
	// tick are left out.
	WholeTicks = reduce.WholeTicks
	// Rotations: on an anonymous ring, of the states that differ by a rotation one
	// is visited.
	Rotations = reduce.Rotations
	// Permutations: on a complete graph where ids decide nothing, of the states that
	// differ by a permutation of the processes one is visited.
	Permutations = reduce.Permutations

	// Symmetries are those that visit one state of each orbit.
	Symmetries = reduce.Symmetries
	// AllReductions are all of them.
	AllReductions = reduce.AllReductions
)

// ParseReductions reads what Reductions.String writes, names in any order. An error says
// which name is none, and which names there are.
func ParseReductions(text string) (Reductions, error) { return reduce.Parse(text) }

// Reads are the values that properties read of the states in which something that is owed can
// still happen, beside who is up and who is present. (Settled states are the same under a
// reduction.) A sum of Reads is for several properties.
type Reads = reduce.Reads

const (
	// ReadsSettled: nothing but settled states. It adds nothing to others.
	ReadsSettled = reduce.ReadsSettled
	// ReadsLeaders: who believes itself coordinator, of all processes at one
	// instant.
	ReadsLeaders = reduce.ReadsLeaders
	// ReadsElected: whom the processes name, of all at one instant.
	ReadsElected = reduce.ReadsElected
	// ReadsParticipants: who is in an election, of all at one instant.
	ReadsParticipants = reduce.ReadsParticipants
	// ReadsEachElected: whom a process names, of one process at a time. A property
	// of this kind says that no process ever names somebody, or is in a state of
	// which its naming somebody tells.
	ReadsEachElected = reduce.ReadsEachElected
	// ReadsEpochs: who believes itself coordinator, and of which epoch, of all at one
	// instant.
	ReadsEpochs = reduce.ReadsEpochs
	// ReadsStates: the states of processes that are up (State), of all at one instant:
	// whatever is asked of them, and no messages.
	ReadsStates = reduce.ReadsStates

	// ReadsAll is whatever a View says by itself, except for the epochs.
	ReadsAll = reduce.ReadsAll
)

// A Reduction says how a system is reduced. The zero value reduces for
// properties of settled states.
type Reduction struct {
	// Reads is what is asked.
	Reads Reads
	// Blind says that what is asked of a state has the same answer if all processes
	// change places, on a ring by a rotation, on a complete graph by a permutation: no
	// process is asked about by its id.
	Blind bool
	// Only are the reductions that are made; 0 stands for all of them.
	Only Reductions

	flaws reduce.Flaw // for tests: which conditions are dropped
}

// of returns the reduction in the words of package reduce.
func (r *Reduction) of() reduce.Reduction {
	return reduce.Reduction{Reads: r.Reads, Blind: r.Blind, Only: r.Only, Flaws: r.flaws}
}

// An IrreducibleError says why a system is not reduced.
type IrreducibleError struct {
	// Setting is the setting of the system, and Why what stands in the way, with
	// what is known of it.
	Setting setting.Setting
	Why     string
}

// Error names the setting, and says why it is not reduced.
func (e *IrreducibleError) Error() string {
	return fmt.Sprintf("no reduction for %q: %s", e.Setting, e.Why)
}

// A NamedError says that a process on an anonymous ring names another one by its id,
// which no rotation of it does: such a system is not reduced by rotations.
type NamedError struct {
	// Process and Names are who names whom.
	Process, Names ID
}

// Error says who names whom, and how to do without.
func (e *NamedError) Error() string {
	return fmt.Sprintf("%s names %s by id on an anonymous ring, and is no rotation of others then: leave out the reduction rotation", e.Process.Name(), e.Names.Name())
}

// Reduced returns the system reduced: a search of it visits fewer states and
// answers the questions alike, as long as they read no more than r says. Of
// each state with several actions enabled, it may leave some out that lead to
// nothing but what the others lead to as well (docs/reductions.md). A run of
// the reduced system is one of the system (Restored). It has
//
//   - the same settled states, and other states in which nothing is enabled,
//   - every value that a state can have of what is read, and
//   - misuse where the system has,
//
// and it need not have the shortest runs to them, the same coverage, or the same
// cycles. The choice depends on the state alone.
//
// It fails with an *IrreducibleError where no reduction is known to be sound.
//
// The symmetry that the protocol declares is first tried in some thousand states
// (Asymmetry), as in a conformance test; if they refute it, no state is permuted.
func (w *Watched) Reduced(r Reduction) (*Watched, error) {
	if err := w.refused(r, w.impl.facts()); err != nil {
		return nil, err
	}
	return &Watched{System: w.System, watches: w.watches, reduction: &r}, nil
}

// Reducible returns the reductions that Reduced makes unless a declaration of the protocol is
// false. It takes that at its word, and fails as Reduced does.
func (w *Watched) Reducible(r Reduction) (Reductions, error) {
	facts := w.impl.facts()
	facts.Asymmetry = func() string { return "" }
	if err := w.refused(r, facts); err != nil {
		return 0, err
	}
	return r.of().Of(facts), nil
}

func (w *Watched) refused(r Reduction, facts *reduce.Facts) error {
	why := r.of().Refused(facts)
	for i := range w.watches {
		if w.watches[i].Step != nil {
			why = "it is asked about steps, and a reduction leaves steps out; what is asked of states is reduced"
		}
	}
	if why != "" {
		return &IrreducibleError{w.setting, why}
	}
	return nil
}

// Reductions returns the reductions that are made of the system: those that were
// asked for and that there are in its setting.
func (w *Watched) Reductions() Reductions {
	if w.reduction == nil {
		return 0
	}
	return w.reduction.of().Of(w.impl.facts())
}

// Reads returns what the questions read that the reduction is for.
func (w *Watched) Reads() Reads {
	if w.reduction == nil {
		return 0
	}
	return w.reduction.Reads
}

// Restored returns a run of the system for one of the reduced system, with the
// deliveries of dead messages that the reduction has dropped: as late as can be,
// and all of them where it ends in a state that owes nothing. A system that is
// not reduced has the run as it is. It fails where the path is none of the reduced
// system.
func (w *Watched) Restored(path []explore.PathStep) ([]explore.PathStep, error) {
	if w.reduction == nil || len(path) == 0 {
		return path, nil
	}
	return reduce.Restored(restorable{w}, path)
}

// restorable is a reduced system as it is asked to restore its runs.
type restorable struct{ *Watched }

// Initial yields the initial states as they are without a reduction.
func (r restorable) Initial(yield func(state []byte) bool) { r.System.Initial(yield) }

// Owes reports whether something is owed in a state.
func (r restorable) Owes(state []byte) bool { return !r.View(state).Quiet }

// Reducer returns a reducer of the system.
func (r restorable) Reducer() *reduce.Reducer { return r.impl.reducer(r.watches, *r.reduction).by }

// Steps returns where a state leads.
func (r restorable) Steps(state []byte) (steps []reduce.Step) {
	for _, t := range r.Transitions(state) {
		a := &t.Action
		steps = append(steps, reduce.Step{
			Code: t.Code, Next: t.Next, Kind: arguedKinds[a.Kind], Process: a.Process, Who: a.Who, Port: uint8(a.Port), Message: a.Message,
			Due: a.Due, Timer: a.Timer, Choices: a.Choices, Out: a.Out, Crash: a.Crash,
		})
	}
	return steps
}

// An Asymmetry is how a state and what it is when two processes change places differ by
// more than that, although the protocol says that ids decide nothing (Optional.Symmetric).
type Asymmetry struct {
	// Swapped are the two processes.
	Swapped [2]ID
	// State is the state, encoded, and After the state with the two swapped.
	State, After []byte
	// Action leads from one of them to where nothing leads from the other except for the
	// change of places: from After where InAfter is set. It is nil where the states differ by
	// what the processes believe.
	Action  *Action
	InAfter bool
}

// String says what differs, with no more of the action than its kind.
func (a *Asymmetry) String() string {
	what := "they believe something else"
	if a.Action != nil {
		what = fmt.Sprintf("%v at %s leads elsewhere", a.Action.Kind, a.Action.Process.Name())
	}
	return fmt.Sprintf("if %s and %s change places in a state that can be reached, %s", a.Swapped[0].Name(), a.Swapped[1].Name(), what)
}

// Asymmetry returns how ids decide something in an encoded state although the protocol
// says that they do not (Optional.Symmetric); nil where it does not say so, or is right.
func (s *System) Asymmetry(state []byte) *Asymmetry {
	if !s.Symmetric() {
		return nil
	}
	return s.asymmetry(s.impl.facts().Orbits(0), state, s.Transitions(state))
}

// Symmetric reports whether the protocol says that ids decide nothing in the setting
// (Optional.Symmetric).
func (s *System) Symmetric() bool {
	w := s.impl
	return !w.ring && w.has.Symmetric != nil && w.has.Symmetric.Symmetric(w.setting)
}

func (s *System) asymmetry(o *reduce.Orbits, state []byte, before []Transition) *Asymmetry {
	for one, other := range o.Swaps {
		if a := s.swap(o, state, before); a != nil {
			a.Swapped = [2]ID{ID(one) + 1, ID(other) + 1}
			return a
		}
	}
	return nil
}

// swap compares a state with the permutation of it that o.to says.
func (s *System) swap(o *reduce.Orbits, state []byte, before []Transition) *Asymmetry {
	a := &Asymmetry{State: state, After: o.Renamed(nil, state)}
	after := s.Transitions(a.After)
	if s.differ(o, a) {
		return a
	}
	same := func(t, renamed *Transition) bool {
		if t.Action.Kind != renamed.Action.Kind || t.Misuse == "" != (renamed.Misuse == "") || (t.Next == nil) != (renamed.Next == nil) {
			return false
		}
		return t.Next == nil || bytes.Equal(o.Renamed(nil, t.Next), renamed.Next)
	}
	for i := range before {
		if !slices.ContainsFunc(after, func(t Transition) bool { return same(&before[i], &t) }) {
			a.Action = &before[i].Action
			return a
		}
	}
	for i := range after {
		if !slices.ContainsFunc(before, func(t Transition) bool { return same(&t, &after[i]) }) {
			a.Action, a.InAfter = &after[i].Action, true
			return a
		}
	}
	return nil
}

// differ reports whether what processes believe differs by more than the permutation.
func (s *System) differ(o *reduce.Orbits, a *Asymmetry) bool {
	before, after := s.View(a.State), s.View(a.After)
	renamed := func(s Set) Set { return o.To.Set(s, o.N) }
	if after.Settled != before.Settled || after.Up != renamed(before.Up) || after.Leaders != renamed(before.Leaders) || after.Participants != renamed(before.Participants) {
		return true
	}
	for id := ID(1); int(id) <= o.N; id++ {
		to := ID(o.To[id-1]) + 1
		if after.Elected(to) != ID(o.To.ID(byte(before.Elected(id)), o.N)) || after.Epoch(to) != before.Epoch(id) {
			return true
		}
	}
	return false
}

// tryPermutations says why some state is not symmetric, of those at which a conformance test
// looks; "" if they all are.
func (s *System) tryPermutations() string {
	g := &glance{e: s.impl.newExpander(nil), o: s.impl.facts().Orbits(0)}
	err := survey.Thoroughly().Of(s.Initial, survey.Once(func(state []byte) ([][]byte, error) {
		next := g.before.of(g.e, state)
		if g.symmetric(state) {
			return next, nil
		}
		if a := s.Asymmetry(state); a != nil { // the same, with words
			return nil, fmt.Errorf("permutations: the protocol says that ids decide nothing (method Symmetric), and %v", a)
		}
		return next, nil
	}))
	if err != nil {
		return err.Error()
	}
	return ""
}

// A glance compares a state with its permutations as Asymmetry does, in less time: it asks for
// no actions, but where they lead.
type glance struct {
	e             *expander
	o             *reduce.Orbits
	before, after seen
	renamed       [][]byte
}

// The part of a state that a glance sees: the beliefs of processes, and the successors.
type seen struct {
	up, leaders, participants Set
	elected                   [MaxID]ID
	epoch                     [MaxID]uint64
	next                      [][]byte
}

// of looks at a state, and returns where it leads, in the order of expansion.
func (l *seen) of(e *expander, state []byte) [][]byte {
	var out explore.Successors
	e.Expand(state, &out)
	l.next = nil
	for i := range out.Len() {
		l.next = append(l.next, bytes.Clone(out.State(i)))
	}
	e.decode(state)
	e.fillView(&e.asked.from)
	v := &e.asked.from
	l.up, l.leaders, l.participants, l.elected = v.Up, v.Leaders, v.Participants, v.elected
	for id := ID(1); id <= v.N; id++ {
		l.epoch[id-1] = v.Epoch(id)
	}
	return l.next
}

// symmetric reports whether the state before has the same successors as each of its
// permutations, and the same beliefs, except for the permutation.
func (g *glance) symmetric(state []byte) bool {
	was, is, o := &g.before, &g.after, g.o
	for range o.Swaps {
		after := is.of(g.e, o.Renamed(nil, state))
		if is.up != o.To.Set(was.up, o.N) || is.leaders != o.To.Set(was.leaders, o.N) || is.participants != o.To.Set(was.participants, o.N) {
			return false
		}
		for pos := range o.N {
			if to := o.To[pos]; is.elected[to] != ID(o.To.ID(byte(was.elected[pos]), o.N)) || is.epoch[to] != was.epoch[pos] {
				return false
			}
		}
		g.renamed = g.renamed[:0]
		for _, next := range was.next {
			g.renamed = append(g.renamed, o.Renamed(nil, next))
		}
		slices.SortFunc(g.renamed, bytes.Compare)
		slices.SortFunc(after, bytes.Compare)
		if !slices.EqualFunc(g.renamed, after, bytes.Equal) {
			return false
		}
	}
	return true
}

// Alike returns views to which a blind question (Reduction.Blind) has the answer that it has to
// the view of an encoded state: on a complete graph two processes have changed places, with
// what they believe, and on an anonymous ring whose processes name nobody else it is the
// rotation that stands for it. There may be none.
func (s *System) Alike(state []byte) (views []*View) {
	w := s.impl
	v := s.View(state)
	names := func(id ID) bool { e := v.Elected(id); return e != None && e != id }
	switch o := w.facts().Orbits(0); {
	case w.Dated() || w.ring && (!s.setting.Anonymous || slices.ContainsFunc(w.firstIDs, names)):
	case w.ring:
		views = append(views, s.View(o.Stand(nil, state)))
	default:
		for range o.Swaps {
			views = append(views, s.View(o.Renamed(nil, state)).believing(v, o))
		}
	}
	return views
}

// believing returns the view of a permutation of a state in which processes believe what they
// do in the view of the state, although their beliefs may follow from ids.
func (v *View) believing(was *View, o *reduce.Orbits) *View {
	v.Settled, v.Quiet = was.Settled, was.Quiet
	v.Leaders, v.Participants = o.To.Set(was.Leaders, o.N), o.To.Set(was.Participants, o.N)
	for pos := range o.N {
		v.elected[o.To[pos]] = ID(o.To.ID(byte(was.elected[pos]), o.N))
	}
	return v
}

// Read returns what a question may tell of a state that reads no more than r: of all processes
// at one instant, and of one process at a time.
func (v *View) Read(r Reads) (together string, each []string) {
	b := fmt.Appendf(nil, "up %b present %b", v.Up, v.Present)
	if r&ReadsLeaders != 0 {
		b = fmt.Appendf(b, " leaders %b", v.Leaders)
	}
	if r&ReadsParticipants != 0 {
		b = fmt.Appendf(b, " participants %b", v.Participants)
	}
	for id := range v.Up.All() {
		if r&ReadsElected != 0 {
			b = fmt.Appendf(b, " %d names %d", id, v.Elected(id))
		}
		if r&ReadsEpochs != 0 && v.Leaders.Has(id) {
			b = fmt.Appendf(b, " %d leads %d", id, v.Epoch(id))
		}
		if r&ReadsStates != 0 {
			b = fmt.Appendf(b, " %d is %#v", id, v.procs.process(id))
		}
		if r&ReadsEachElected != 0 {
			each = append(each, fmt.Sprintf("%d names %d", id, v.Elected(id)))
		}
	}
	return string(b), each
}
