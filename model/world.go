package model

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"bullyproof/internal/flat"
	"bullyproof/model/internal/layout"
	"bullyproof/model/protocol"
	"bullyproof/model/setting"
)

// world is a protocol in a setting.
type world struct {
	layout.Layout
	protocol protocol.Code
	has      protocol.Optionals
	typeP    reflect.Type // of states of processes
	typeM    reflect.Type // of messages
	setting  setting.Setting
	names    Names
	firstIDs []ID // by position; where they vary, those of the first initial state
	planP    flat.Plan
	planM    flat.Plan
	ring     bool
	detector setting.Detector // the default made out
	monitors []*monitor
	periodic uint16    // timers
	clocks   []uintptr // where a state of a process has its clock
	// unbounded: what leads beyond the protocol's bound is no less a step.
	unbounded bool

	asymmetry func() string // why no state is permuted, as far as trying shows; once
}

// New returns the system that p is in setting s. It fails if s contradicts
// itself, if P or M is not flat (the error names the field), if the vocabulary
// of p does not fit an encoding, or if p has a method by the name of an optional
// one (System.Optional) that is another one.
func New[P any, M Message](p Protocol[P, M], s setting.Setting) (*System, error) {
	return newSystem(protocol.CodeOf(p), s)
}

// instead says which flat type does what one does that is not flat.
func instead(err error) string {
	var not *flat.Error
	if !errors.As(err, &not) {
		return ""
	}
	has := map[reflect.Kind]string{
		reflect.Map:     "a model.ByID has a value for each process, and a model.Set is a set of processes",
		reflect.Slice:   "list.Of (package model/list) is a list",
		reflect.String:  "a number with a method String is shown as its text",
		reflect.Struct:  "clock.Instant (package model/clock) is a time",
		reflect.Pointer: "a model.ID stands for a process, and an index for an element of an array",
		reflect.Float64: "a number may count hundredths",
		reflect.Float32: "a number may count hundredths",
	}[not.Type.Kind()]
	if has != "" {
		has += "; "
	}
	return ": " + has + "package checker/shipped checks code that keeps any values"
}

func newSystem(c protocol.Code, s setting.Setting) (*System, error) {
	w, err := newWorld(c, s)
	if err != nil {
		return nil, err
	}
	s = w.setting
	if !w.has.Settler && (s.Start == setting.SettledStart || s.Start == setting.CoordinatorDown) {
		return nil, fmt.Errorf("start %q: protocol %T has no Settle method; use a cold start", s.Start, c.Protocol())
	}
	if w.planP, err = flat.Of(w.typeP, w.trim); err != nil {
		return nil, fmt.Errorf("state of a process: %w%s", err, instead(err))
	}
	if w.planM, err = flat.Of(w.typeM, w.trim); err != nil {
		return nil, fmt.Errorf("message: %w%s", err, instead(err))
	}
	if err := w.date(); err != nil {
		return nil, err
	}
	w.place()
	if err := w.tryStarts(); err != nil {
		return nil, err
	}
	sys := &System{impl: w, setting: s, names: w.names}
	w.asymmetry = sync.OnceValue(sys.tryPermutations)
	return sys, nil
}

func (w *world) in(s setting.Setting) (*System, error) {
	sys, err := newSystem(w.protocol, s)
	if err == nil {
		sys.impl = sys.impl.monitored(w.monitors)
		sys.impl.unbounded = w.unbounded
	}
	return sys, err
}

// NewFrom is New with the setting as a text (setting.Parse): "n=3 crashes=1".
func NewFrom[P any, M Message](p Protocol[P, M], text string) (*System, error) {
	s, err := setting.Parse(text)
	if err != nil {
		return nil, err
	}
	return New(p, s)
}

// newWorld returns the world of a protocol and a setting, without what concerns
// encodings.
func newWorld(c protocol.Code, s setting.Setting) (*world, error) {
	s = s.Normal()
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if c == nil {
		return nil, errors.New("no protocol: want a value that has its handlers")
	}
	has, err := c.Optional()
	if err != nil {
		return nil, err
	}
	if has.Fitter != nil {
		if err := has.Fitter.Fits(s); err != nil {
			return nil, err
		}
	}
	w := &world{protocol: c, has: has, setting: s, names: c.Names()}
	w.N, w.Clock = s.N, layout.ClockOf(&s)
	w.typeP, w.typeM = c.Types()
	w.ring = s.Topology != setting.Complete
	w.detector = s.Detects()
	for t, name := range w.names.Timers {
		if name.Periodic {
			w.periodic |= 1 << t
		}
	}
	return w, protocol.Check(c, &has)
}

// tryStarts shows whether the protocol comes up at all: in the first so many
// initial states, which are all that most settings have.
func (w *world) tryStarts() error {
	b, tries := starter{w.newExpander(nil)}, 4096
	if w.N > setting.MaxExhaustive { // each takes long
		tries = 64
	}
	for o := range w.open().All() {
		if err := b.initial(o, func(start) bool { tries--; return tries > 0 }); err != nil || tries <= 0 {
			return err
		}
	}
	return nil
}

// trim tells the plan which bytes of sets and of arrays by process count.
func (w *world) trim(t reflect.Type) (int, bool) {
	if t == reflect.TypeFor[Set]() {
		return (w.N + 7) / 8, true
	}
	if elem, ok := protocol.PerProcess(t); ok {
		// An element that is not flat, or has padding, is left to the plan.
		if plan, err := flat.Of(elem, w.trim); err == nil && plan.Size() == int(elem.Size()) {
			return w.N * plan.Size(), true
		}
	}
	return 0, false
}

// place lays out the states.
func (w *world) place() {
	monitors := 0
	for _, m := range w.monitors {
		monitors += m.size
	}
	w.Layout = layout.Of(layout.Parts{
		Setting: &w.setting, Timers: len(w.names.Timers), P: w.planP.Size(), Message: w.planM.Size(), Monitor: monitors,
		Stable: w.has.Stable, Dates: w.Dates,
	})
	w.firstIDs = w.setting.Arrangement
	if len(w.firstIDs) == 0 {
		for id := range w.N {
			w.firstIDs = append(w.firstIDs, ID(id+1))
		}
	}
}
