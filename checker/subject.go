package checker

import (
	"encoding/json"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/model"
)

// A subject is a system with the properties asked of it, as a search takes it.
// The targets of the search are the properties, then one that tells whether
// any state is settled, then misuse.
type subject struct {
	opt      Options
	sys      *model.System
	watched  *model.Watched
	stage    *Stage
	props    []*Property
	startErr error

	// Properties that are decided on the graph, and where in the marks of states
	// their bits begin; labels is nil if none is kept.
	temporal []*Property
	bits     []int
	labels   *model.Labels
	quiet    int // the bit of states in which nothing is enabled but faults, within the bound or beyond; -1 if there is none

	turn *turn // to reduced systems in the middle of the search; nil if there is none
	// The system that is checked, where the one that is searched has a bit of history
	// besides; nil where it is sys.
	origin     *model.System
	remembered []*Property // those whose monitors the system has that is searched

	occasions *occasions
	growing   *growing  // of the latest search
	valued    *valued   // nil unless Options.Values asks for it
	tallying  *tallying // likewise of Options.Tallies, of the latest search
}

// newSubject returns the subject of a stage that keeps no graph.
func newSubject(sys *model.System, opt Options, stage *Stage) *subject {
	s := emptySubject(sys, opt, stage)
	s.watched = sys.Watched(s.watches()...)
	return s
}

// newGraphSubject returns the subject of a stage that keeps the graph.
func newGraphSubject(sys *model.System, opt Options, stage *Stage) (s *subject, err error) {
	s = emptySubject(sys, opt, stage)
	watches := s.addTemporal(s.watches())
	if s.quiet = -1; bounded(sys) && len(watches) < maxMarks {
		s.quiet = len(watches)
		watches = append(watches, model.Watch{State: func(v *model.View) bool { return v.Over }, MarkOnly: true})
	}
	if s.labels, err = sys.Labelled(watches...); err == nil {
		s.watched = s.labels.Watched
	}
	return s, err
}

// bounded reports whether a bound may leave states out of a search of a system.
func bounded(sys *model.System) bool {
	return sys.Setting().Capacity > 0 ||
		slices.ContainsFunc(sys.Optional(), func(m model.OptionalMethod) bool { return m.Method == "Beyond" && m.Has })
}

func emptySubject(sys *model.System, opt Options, stage *Stage) *subject {
	if opt.Algorithm == "" {
		opt.Algorithm = naming.Unnamed
	}
	return &subject{
		opt: opt, sys: sys, props: stage.States, temporal: stage.Runs, stage: stage,
		occasions: newOccasions(sys.Setting().N, stage.properties()...),
	}
}

// watches returns the watches of the properties that states and steps decide,
// and the one for settled states, which looks for the occasions of all as well.
func (s *subject) watches() []model.Watch {
	watches := make([]model.Watch, len(s.props), len(s.props)+1)
	for i, p := range s.props {
		watches[i] = p.Watch()
	}
	last := s.occasions.watch()
	if len(s.opt.Tallies) > 0 {
		look := last.State
		last.State = func(v *model.View) bool {
			s.tallying.look(v)
			return look(v)
		}
	}
	return append(watches, last)
}

// addTemporal adds to the watches of a subject those of the properties that are
// decided on its graph.
func (s *subject) addTemporal(watches []model.Watch) []model.Watch {
	for _, p := range s.temporal {
		s.bits = append(s.bits, len(watches))
		for _, m := range p.marks(s.sys.Setting().N) {
			watches = append(watches, model.Watch{State: m, MarkOnly: true})
		}
	}
	return watches
}

// NewExpander returns an expander that watches (explore.System).
func (s *subject) NewExpander() explore.Expander {
	x := s.watched.NewExpander
	if s.labels != nil {
		x = s.labels.NewExpander
	}
	if s.valued != nil {
		return s.valued.expander(s.watched.System, x())
	}
	return x()
}

// Initial yields the initial states (explore.System). A handler that fails
// before there is a state to begin in leaves no run to show: that is an error.
func (s *subject) Initial(yield func(state []byte) bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *explore.PanicError:
			panic(r)
		case error:
			s.startErr = fmt.Errorf("no initial state: %w", r)
		default:
			panic(r)
		}
	}()
	s.watched.Initial(yield)
}

// gathered is what a subject gathers beside what the search knows.
type gathered struct {
	Ran   json.RawMessage `json:"ran"`
	Met   []bool          `json:"met"`
	Steps []bool          `json:"steps"`
}

// Keep returns what ran and which occasions came up (explore.Keeper).
func (s *subject) Keep() ([]byte, error) {
	ran, err := s.watched.Keep()
	if err != nil {
		return nil, err
	}
	return json.Marshal(gathered{ran, met(s.occasions.list), met(s.occasions.steps)})
}

func met(list []*meeting) []bool {
	out := make([]bool, len(list))
	for i, m := range list {
		out[i] = m.met.Load()
	}
	return out
}

// Recall adds what Keep returned (explore.Keeper).
func (s *subject) Recall(kept []byte) error {
	var g gathered
	if err := json.Unmarshal(kept, &g); err != nil {
		return fmt.Errorf("what a check gathered: %w", err)
	}
	o := s.occasions
	if len(g.Met) != len(o.list) || len(g.Steps) != len(o.steps) {
		return fmt.Errorf("it has the occasions of %d properties, and %d are asked", len(g.Met)+len(g.Steps), len(o.list)+len(o.steps))
	}
	for i, m := range o.list {
		if g.Met[i] && m.met.CompareAndSwap(false, true) {
			o.missing.Add(-1)
		}
	}
	for i, m := range o.steps {
		if g.Steps[i] {
			m.met.Store(true)
		}
	}
	return s.watched.Recall(g.Ran)
}

var _ explore.Keeper = (*subject)(nil)

var _ explore.Keeper = (*model.Watched)(nil)
