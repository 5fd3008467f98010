package checker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/trace"
)

// A kind says what it takes for a property to hold.
type kind uint8

const (
	// kindInvariant properties hold if every reachable state satisfies them.
	kindInvariant kind = iota
	// kindStepInvariant properties hold if every reachable step satisfies them.
	kindStepInvariant
	// kindWitness properties are found if some reachable state satisfies them.
	kindWitness
	// kindStepWitness properties are found if some reachable step satisfies them.
	kindStepWitness
	// kindHandler is the kind of Misuse alone: handlers do only what a world can
	// carry out.
	kindHandler

	// kindGuarantee properties hold if every run satisfies them at some time.
	kindGuarantee
	// kindRecurrence properties hold if every run satisfies them again and again.
	kindRecurrence
	// kindPersistence properties hold if every run satisfies them from some time on.
	kindPersistence
	// kindResponse properties hold if in every run whatever triggers them leads to
	// what they demand.
	kindResponse
	// kindRecoverability properties hold if from every reachable state one that
	// satisfies them can be reached.
	kindRecoverability
	// kindOutcome is the kind of E1 alone: what is named in a run is what the run
	// ends with.
	kindOutcome
)

var kindNames = []string{
	"invariant", "step invariant", "witness", "step witness", "handler property",
	"eventually", "always eventually", "eventually always", "leads to", "can always reach", "outcome",
}

// String returns the kind in words: "invariant".
func (k kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// witness reports whether properties of the kind ask for a run rather than
// forbid one.
func (k kind) witness() bool { return k == kindWitness || k == kindStepWitness }

// temporal reports whether it takes the graph of all states to decide properties
// of the kind.
func (k kind) temporal() bool { return k >= kindGuarantee && k <= kindOutcome }

// fair reports whether properties of the kind are about runs without end.
func (k kind) fair() bool { return k >= kindGuarantee && k <= kindResponse }

// A Property is a question that a check answers. Make one with Always,
// AlwaysStep, Sometimes, SometimesStep, Eventually, EventuallyAlways,
// AlwaysEventually, LeadsTo, one of the latter four with Each before it, or
// CanAlwaysReach.
type Property struct {
	// Name is a word in lower case by which reports, files and the command line
	// know the property: "uniqueness".
	Name string
	// Doc says in a sentence or two what it demands, or what run it asks for. Where
	// a constructor is given none, it is the name.
	Doc  string
	kind kind

	state   func(v *model.View) bool
	step    func(e *model.Event) bool
	explain func(v *model.View) string
	tell    func(e *model.Event) string

	temporal *temporal   // of the kinds that Kind.temporal tells
	given    *occasion   // nil where the question always arises
	reads    model.Reads // 0 where the property does not say (Reading)
	blind    bool        // see Blind
	asks     string      // see Asking
	monitors []model.Memory
	owes     *model.Obligation // what the trigger and the goal say of one process; nil where they do not
}

// Always returns the property that holds is true in every reachable state. The
// function is called from several goroutines, has no side effects, and does not
// keep v.
func Always(name, doc string, holds func(v *model.View) bool) *Property {
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kindInvariant, state: holds}
}

// AlwaysStep returns the property that holds is true of every step between
// reachable states. Settled is false in both views, whatever the states are. The
// function is called from several goroutines, has no side effects, and does not
// keep its argument.
func AlwaysStep(name, doc string, holds func(e *model.Event) bool) *Property {
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kindStepInvariant, step: holds}
}

// Sometimes returns the property that met is true in some reachable state; the
// answer is a shortest run to it.
func Sometimes(name, doc string, met func(v *model.View) bool) *Property {
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kindWitness, state: met}
}

// SometimesStep returns the property that met is true of some step between
// reachable states. Settled is false in both views, whatever the states are.
func SometimesStep(name, doc string, met func(e *model.Event) bool) *Property {
	return &Property{Name: name, Doc: cmp.Or(doc, name), kind: kindStepWitness, step: met}
}

// Explained returns the property with words for what is wrong in a state that
// violates it (or what is the matter where a witness ends), such as "1 and 2
// both believe themselves coordinator". For a step it is asked about its end.
func (p *Property) Explained(explain func(v *model.View) string) *Property {
	q := *p
	q.explain = explain
	return &q
}

// ExplainedStep is Explained for a property of steps, with words for the step
// that breaks it, or is met: who did what.
func (p *Property) ExplainedStep(tell func(e *model.Event) string) *Property {
	q := *p
	q.tell = tell
	return &q
}

// Explain says what is wrong in a state that violates the property, or at the
// end of a step that does; of a witness, what is the matter there. It is empty
// where the property has no words for it.
func (p *Property) Explain(v *model.View) string {
	if p.explain == nil {
		return ""
	}
	return p.explain(v)
}

// Asking returns the property with a text that says all that it asks, and how it is asked again:
// "always leaders <= 1". Reports and traces have it in place of the name, since another property
// may have the name the next time.
func (p *Property) Asking(text string) *Property {
	q := *p
	q.asks = text
	return &q
}

// Label is what reports and traces call the property: the text of Asking, or its name.
func (p *Property) Label() string { return cmp.Or(p.asks, p.Name) }

// Kind says in words what it takes for the property to hold: "invariant", "leads
// to".
func (p *Property) Kind() string { return p.kind.String() }

// Witness reports whether the property asks for a run rather than forbid one.
func (p *Property) Witness() bool { return p.kind.witness() }

// Temporal reports whether the property is about runs as a whole: it takes the
// graph of all states to decide it.
func (p *Property) Temporal() bool { return p.kind.temporal() }

// OfStates reports whether single states break the property, or meet it.
func (p *Property) OfStates() bool { return p.state != nil && !p.kind.temporal() }

// Watch returns what a search, or a replay, watches for: it hits where the
// property is violated, or where a witness is met. Of a property of whole runs
// it judges runs.
func (p *Property) Watch() model.Watch {
	w := model.Watch{Demand: p.Doc, Met: p.kind.witness()}
	switch p.kind {
	case kindInvariant:
		w.State = func(v *model.View) bool { return !p.inState(v) }
	case kindStepInvariant:
		w.Step = func(e *model.Event) bool { return !p.ofStep(e) }
	case kindWitness:
		w.State = p.inState
	case kindStepWitness:
		w.Step = p.ofStep
	}
	if p.kind.temporal() {
		w.Run = func(sys *model.System, states [][]byte, steps []model.Transition, loop int) error {
			return p.judge(context.Background(), sys, states, steps, loop)
		}
	}
	return w
}

func (p *Property) inState(v *model.View) bool { defer p.blame(); return p.state(v) }

func (p *Property) ofStep(e *model.Event) bool { defer p.blame(); return p.step(e) }

// blame has a panic of the property about what is nil say whose it is, and what that is as a rule.
func (p *Property) blame() {
	value := recover()
	if value == nil {
		return
	}
	if err, ok := value.(runtime.Error); ok && strings.Contains(err.Error(), "nil pointer") {
		value = fmt.Sprintf("property %s: %v: model.State is nil for a process that is not up, and for the process of a step at none, as a tick is", p.Name, err)
	}
	panic(value)
}

// traceKind says what a trace about the property is evidence of.
func (p *Property) traceKind() trace.Kind {
	if p.kind.witness() {
		return trace.Witness
	}
	return trace.Violation
}

func (p *Property) validate() error {
	if p == nil {
		return errors.New("a property is nil")
	}
	err := errors.Join(naming.Valid(p.Name), naming.Filled("Doc", p.Doc))
	if err == nil && strings.ContainsAny(p.Doc, "\n\r") {
		err = errors.New("field Doc has a line break")
	}
	if err == nil && p.kind.temporal() {
		err = p.validateTemporal()
	} else if err == nil && p.state == nil && p.step == nil && p.kind != kindHandler {
		err = fmt.Errorf("it asks nothing: make it with Always, AlwaysStep, Sometimes or SometimesStep")
	}
	if err == nil {
		err = p.validateGiven()
	}
	if err != nil {
		return fmt.Errorf("property %q: %w", p.Name, err)
	}
	return nil
}

func (p *Property) validateGiven() error {
	switch g := p.given; {
	case g == nil:
		return nil
	case p.kind.witness() || p.kind == kindHandler:
		return fmt.Errorf("it is a %s, which takes no occasion: leave Given out", p.kind)
	case g.when == nil && g.step == nil:
		return errors.New("Given: the function is nil")
	default:
		return naming.Filled("Given", g.what)
	}
}

// Remembering returns the property with the monitors that it asks (Monitor.Of),
// in its own function or in its Explained: a check takes them into the system by
// itself, as do Verify and whatever replays a trace. A check of a property that
// asks another one is an error.
func (p *Property) Remembering(monitors ...model.Memory) *Property {
	q := *p
	q.monitors = slices.Concat(p.monitors, monitors)
	return &q
}

// Remembered returns the system with the monitors that the properties ask, the
// system itself where they ask none. It fails if a monitor's value is not flat.
func Remembered(sys *model.System, props ...*Property) (*model.System, error) {
	var all []model.Memory
	for _, p := range props {
		if i := slices.Index(p.monitors, nil); i >= 0 {
			return nil, fmt.Errorf("property %q: monitor %d of its Remembering is nil", p.Name, i+1)
		}
		all = append(all, p.monitors...)
	}
	if len(all) == 0 {
		return sys, nil
	}
	return sys.Monitored(all...)
}

// lacksMonitor makes an error of the panic of a property that asks a monitor
// which it does not name. Use it deferred.
func lacksMonitor(err *error) {
	value := recover()
	if value == nil {
		return
	}
	asked, ok := value.(error)
	if !ok || !errors.Is(asked, model.ErrNoMonitor) {
		panic(value)
	}
	var raised *explore.PanicError
	if errors.As(asked, &raised) {
		asked = raised.Unwrap()
	}
	*err = fmt.Errorf("a property asks what it does not name by Remembering: %w", asked)
}

// An occasion is what has to come up somewhere for a property to be a question
// at all.
type occasion struct {
	what string
	// One of these: a state, or a step.
	when func(v *model.View) bool
	step func(e *model.Event) bool

	settled bool // it is a settled state
}

// givenSettled is Given with a settled state of which when is true.
func (p *Property) givenSettled(what string, when func(v *model.View) bool) *Property {
	q := p.Given("a settled state "+what, settledAnd(when))
	q.given.settled = true
	return q
}

// afterAll reports whether the question of a property arises in settled states alone.
func (p *Property) afterAll() bool { return p.given != nil && p.given.settled }

// Given returns the property with the occasion without which its question never
// arises: a state of which when is true. The text names it in a few words, for
// "there was never" to stand before: "a live process that believes itself
// coordinator". Where the property would hold, and no reachable state is such an
// occasion, the verdict is Vacuous. The function is called as those of Always
// are, with Settled as it is. Reading has to be called again.
//
// Properties made with LeadsTo and EachLeadsTo have an occasion without Given:
// their trigger. A witness takes none.
func (p *Property) Given(what string, when func(v *model.View) bool) *Property {
	q := *p
	q.given, q.reads = &occasion{what: what, when: when}, 0
	q.blind = false
	return &q
}

// GivenStep is Given with a step for an occasion: "a grant of the lock". The
// function is called as those of AlwaysStep are.
func (p *Property) GivenStep(what string, when func(e *model.Event) bool) *Property {
	q := *p
	q.given, q.reads = &occasion{what: what, step: when}, 0
	q.blind = false
	return &q
}

// occasion returns the occasion of a property among n processes, nil if it has
// none.
func (p *Property) occasion(n int) *occasion {
	switch {
	case p.given != nil:
		return p.given
	case p.kind != kindResponse:
		return nil
	}
	t := p.temporal
	ids := t.ids(n)
	return &occasion{what: "a state that triggers it", when: func(v *model.View) bool {
		for _, id := range ids {
			if t.trigger(v, id) {
				return true
			}
		}
		return false
	}}
}

// occasions notes which of the properties of a search have met their occasion.
// All workers of the search share it. Once all have, asking costs the reading of
// one number.
type occasions struct {
	missing atomic.Int32
	of      map[*Property]*meeting
	list    []*meeting
	steps   []*meeting
}

// A meeting says of one occasion whether it has come up.
type meeting struct {
	*occasion
	met atomic.Bool
}

func newOccasions(n int, props ...*Property) *occasions {
	o := &occasions{of: make(map[*Property]*meeting)}
	for _, p := range props {
		if given := p.occasion(n); given != nil {
			m := &meeting{occasion: given}
			o.of[p] = m
			if given.step != nil {
				o.steps = append(o.steps, m)
			} else {
				o.list = append(o.list, m)
			}
		}
	}
	o.missing.Store(int32(len(o.list)))
	return o
}

// watch returns the watch for settled states, which looks for occasions as well.
func (o *occasions) watch() model.Watch {
	w := model.Watch{State: func(v *model.View) bool {
		o.look(v)
		return v.Settled
	}}
	if len(o.steps) > 0 {
		w.Step = func(e *model.Event) bool {
			for _, m := range o.steps {
				if !m.met.Load() && m.step(e) {
					m.met.Store(true)
				}
			}
			return false
		}
	}
	return w
}

// look notes which occasions a state is. It may be called by several goroutines.
func (o *occasions) look(v *model.View) {
	if o.missing.Load() == 0 {
		return
	}
	for _, m := range o.list {
		if !m.met.Load() && m.when(v) && m.met.CompareAndSwap(false, true) {
			o.missing.Add(-1)
		}
	}
}

// absent says what a property would have taken and never came up; "" if it came
// up, or nothing had to.
func (o *occasions) absent(p *Property) string {
	if m := o.of[p]; m != nil && !m.met.Load() {
		return m.what
	}
	return ""
}
