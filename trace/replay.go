package trace

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Lookup finds the system that an algorithm's variant is in setting s, and
// the watch of a property: one that hits exactly the states or steps in which
// the property breaks (or, for a witness, is met), or that judges whole runs.
// The property is empty for traces that need no watch. Errors name what is
// unknown.
type Lookup func(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error)

// Replay executes a trace again, step by step, and returns the run. It fails,
// naming the step, if an action is not enabled; if a step does something else
// than was recorded; if the property does not break at the end, or breaks
// before; if a lasso does not close; where the property is about whole runs, if
// its watch says that this one does not break it (since a lasso's cycle is not
// fair, say).
//
// That no trace is shorter is not for replay to say. Redo goes on where a step does something
// else.
func Replay(t *Trace, lookup Lookup) (*Run, error) {
	r, watch, err := redoBy(t, lookup)
	if err != nil {
		return nil, err
	}
	return r.asRecorded(t, watch)
}

// ReplayIn is Replay for whoever has the system in hand and what the trace is
// evidence of (checker.Property.Watch): names of algorithms and variants mean
// nothing to it. The system is in the setting of the trace.
func ReplayIn(t *Trace, sys *model.System, watch model.Watch) (*Run, error) {
	r, err := redoIn(t, sys, watch)
	if err != nil {
		return nil, err
	}
	return r.asRecorded(t, watch)
}

// redoBy follows the actions of a trace in the system that lookup has.
func redoBy(t *Trace, lookup Lookup) (*Redone, model.Watch, error) {
	if err := t.Validate(); err != nil {
		return nil, model.Watch{}, err
	}
	property := t.Property
	if property == Misuse {
		property = ""
	}
	sys, watch, err := lookup(t.Algorithm, t.Variant, property, t.Origin)
	if err != nil {
		return nil, watch, &UnknownError{err}
	}
	if err := t.matches(watch); err != nil {
		return nil, watch, err
	}
	initial, err := sys.Begin(t.Choices)
	if err != nil {
		return nil, watch, fmt.Errorf("trace: origin %w", err)
	}
	return t.redo(sys, initial, watch), watch, nil
}

// redoIn follows the actions of a trace in a system.
func redoIn(t *Trace, sys *model.System, watch model.Watch) (*Redone, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	if !t.Setting.Equal(sys.Setting()) {
		return nil, fmt.Errorf("trace: its setting is %q, and that of the system %q", t.Setting, sys.Setting())
	}
	if err := t.matches(watch); err != nil {
		return nil, err
	}
	initial := Origin(t, sys)
	if initial == nil {
		return nil, fmt.Errorf("trace: the system has no initial state %q", t.Origin)
	}
	return t.redo(sys, initial, watch), nil
}

// Origin returns the initial state of a system in which a trace begins, encoded;
// nil if there is none.
func Origin(t *Trace, sys *model.System) (state []byte) {
	sys.Origins(func(o model.Origin) bool {
		if o.Setting.Equal(t.Origin) && slices.Equal(o.Choices, t.Choices) {
			state = slices.Clone(o.State)
		}
		return state == nil
	})
	return state
}

// An UnknownError is what Replay returns of a trace that is not about anything
// that its Lookup has: it is not that the run went otherwise.
type UnknownError struct{ err error }

// Error says what is unknown.
func (e *UnknownError) Error() string { return "trace: " + e.err.Error() }

// Unwrap returns what the Lookup said.
func (e *UnknownError) Unwrap() error { return e.err }

// matches checks that a trace is of the kind that evidence of its property is of.
func (t *Trace) matches(watch model.Watch) error {
	if met := t.Kind == Witness; met != watch.Met && t.Kind != Plain {
		return &UnknownError{kindError(t.Property, watch.Met)}
	}
	return nil
}

// kindError says which kind a trace about a property is of.
func kindError(property string, met bool) error {
	if property == Misuse || !met {
		return fmt.Errorf("%s is a property that breaks, and the trace is a witness, of one that is met: want kind \"violation\"", property)
	}
	return fmt.Errorf("%s is a property that is met, and the trace is a violation, of one that breaks: want kind \"witness\"", property)
}

// judge checks that the run shows what the trace says that it shows.
func (r *Run) judge(t *Trace, watch model.Watch) error {
	last := len(r.Steps)
	switch {
	case t.Lasso > 0 && (r.over() || !bytes.Equal(r.States[t.Lasso-1], r.States[last])):
		return fmt.Errorf("trace: the lasso does not close: the state after step %d is not the one before step %d", last, t.Lasso)
	case watch.Run != nil && !r.over() && t.Kind == Violation:
		if err := watch.Run(r.System, r.States, r.Steps, t.Lasso-1); err != nil {
			return fmt.Errorf("trace: %s is not broken: %w", t.Property, err)
		}
		return nil
	case t.Lasso > 0:
		return nil
	case t.Property == Misuse:
		if !r.over() {
			return fmt.Errorf("trace: the last step, number %d, is no misuse", last)
		}
		return nil
	case r.over():
		return fmt.Errorf("trace: step %d is a misuse (%s), which a trace about %q cannot end with", last, r.Steps[last-1].Misuse, t.Property)
	case t.Kind == Plain:
		return nil
	}
	if watch.State == nil && watch.Step == nil {
		return fmt.Errorf("trace: property %q has nothing to watch a trace for", t.Property)
	}
	verb := "broken"
	if t.Kind == Witness {
		verb = "met"
	}
	switch first := r.firstHit(watch); {
	case first < 0:
		return fmt.Errorf("trace: %s is not %s: nowhere in the %d steps", t.Property, verb, last)
	case first < last:
		return fmt.Errorf("trace: %s is %s after step %d already, want after the last, step %d", t.Property, verb, first, last)
	}
	return nil
}

// firstHit returns the number of the first step whose end, or which itself,
// hits the watch: 0 for the initial state, -1 if there is none.
func (r *Run) firstHit(watch model.Watch) int {
	for i, state := range r.States {
		if watch.State != nil && watch.State(r.System.View(state)) {
			return i
		}
		if i > 0 && watch.HitsStep(r.System, r.States[i-1], &r.Steps[i-1]) {
			return i
		}
	}
	return -1
}

// Refusal says that an action cannot happen, and what can, the nearest first:
// among so many processes, where these actions are enabled and more of which
// nothing is known.
func Refusal(a model.Action, processes int, enabled []model.Action, more int) string {
	const most = 12
	what := ActionText(a) + " cannot happen here"
	for _, id := range []model.ID{a.Process, a.Who} {
		if int(id) > processes {
			what = fmt.Sprintf("%s: there is no process %v, only 1 to %d", ActionText(a), id, processes)
		}
	}
	if len(enabled) == 0 {
		return what + ", and nothing else can"
	}
	near := slices.Clone(enabled)
	slices.SortStableFunc(near, func(x, y model.Action) int { return cmp.Compare(likeness(a, y), likeness(a, x)) })
	var texts []string
	for _, e := range near[:min(len(near), most)] {
		texts = append(texts, ActionText(e))
	}
	what += ". What can happen, the nearest first: " + strings.Join(texts, "; ")
	if n := len(near) + more - len(texts); n > 0 {
		what += fmt.Sprintf("; and %d more", n)
	}
	return what
}

// likeness says how much two actions have in common.
func likeness(a, b model.Action) int {
	n := 0
	for weight, same := range []bool{
		slices.Equal(a.Out, b.Out) && a.Crash == b.Crash && a.Premature == b.Premature,
		slices.Equal(a.Choices, b.Choices),
		a.Due == b.Due,
		a.Port == b.Port && a.Who == b.Who && a.Side == b.Side && a.Link == b.Link && a.Ahead == b.Ahead,
		a.Message == b.Message && a.Timer == b.Timer,
		a.Process == b.Process,
		a.Kind == b.Kind,
	} {
		if same {
			n += 1 << weight
		}
	}
	return n
}

// difference says that recorded is one thing, and what happens another.
func difference(what, want, got string) error {
	for _, s := range []*string{&want, &got} {
		if *s == "" {
			*s = "nothing"
		} else {
			*s = fmt.Sprintf("%q", *s)
		}
	}
	return fmt.Errorf("the %s differ: recorded is %s, and what happens is %s", what, want, got)
}

func messageText(m Message) string {
	s := fmt.Sprintf("%s->%s %s", m.From.Name(), m.To.Name(), m.Text)
	if m.Port >= model.Next {
		s += fmt.Sprintf(" by %s", m.Port)
	}
	if m.Due > 0 {
		s += fmt.Sprintf(" (due in %d)", m.Due)
	}
	if m.Broadcast > 0 {
		s += fmt.Sprintf(" (broadcast %d)", m.Broadcast)
	}
	if m.Lost {
		s += " (lost)"
	}
	return s
}

func changeText(c Change) string {
	return fmt.Sprintf("%s: %s %s -> %s", c.Process.Name(), c.Field, c.From, c.To)
}
