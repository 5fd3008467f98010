package model

import (
	"bytes"
	"fmt"
	"math/bits"
	"reflect"
	"sync"

	"bullyproof/explore"
	"bullyproof/model/internal/reduce"
	"bullyproof/model/setting"
)

// A System is a protocol in a setting: a transition system.
type System struct {
	impl    *world
	setting setting.Setting
	names   Names
}

// Setting returns the setting.
func (s *System) Setting() setting.Setting { return s.setting }

// In returns the same protocol in another setting, with the same monitors.
// Errors are those of New.
func (s *System) In(other setting.Setting) (*System, error) { return s.impl.in(other) }

// Unbounded returns the system without the bound of its protocol (Optional.Beyond), which is
// one of searches: for whoever follows what a system did, however far it went. Its states are
// encoded alike.
func (s *System) Unbounded() *System {
	w := *s.impl
	w.unbounded = true
	return &System{impl: &w, setting: s.setting, names: s.names}
}

// Names returns the vocabulary of the protocol.
func (s *System) Names() Names { return s.names }

// Types returns the types of the protocol's states of processes and of its messages.
func (s *System) Types() (state, message reflect.Type) { return s.impl.typeP, s.impl.typeM }

// Initial yields the initial states, encoded (explore.System).
func (s *System) Initial(yield func(state []byte) bool) {
	s.impl.starts(func(s start) bool { return yield(s.state) }, new(coverage))
}

// NewExpander returns an expander that watches nothing (explore.System).
func (s *System) NewExpander() explore.Expander {
	e, _ := s.impl.expander(nil, nil)
	return e
}

// Narrow returns the setting narrowed to one of its initial states: a list
// stands where the setting leaves arrangement, initiators or absent processes
// open, so that the narrowed setting has this initial state alone (and those
// in which handlers chose otherwise as they came up). Narrow also returns the
// choices of handlers, in order.
func (s *System) Narrow(initial []byte) (setting.Setting, []int) { return s.impl.narrow(initial) }

// An Origin is an initial state and how it comes about.
type Origin struct {
	// State is the state, encoded.
	State []byte
	// Setting and Choices are what Narrow says of it (or, where several origins
	// have one state, of any of them).
	Setting setting.Setting
	Choices []int
	// Chosen says the Choices in words, a text for each: "2 chooses coin=heads".
	Chosen []string
}

// Origins yields the initial states in the order of Initial.
func (s *System) Origins(yield func(o Origin) bool) {
	s.impl.starts(func(b start) bool {
		return yield(Origin{b.state, s.impl.open().Narrowed(b.origin), b.choices, b.chosen})
	}, new(coverage))
}

// Begin returns the one initial state of a narrowed setting in which handlers
// chose these as they came up; nil stands for whatever they may choose. With what
// Narrow returned it is the state that Narrow was given.
func (s *System) Begin(choices []int) ([]byte, error) {
	var states [][]byte
	chosen := false
	err := s.impl.startsBy(choices, func(b start) bool {
		chosen = chosen || len(b.choices) > 0
		if len(states) == 0 || !bytes.Equal(states[0], b.state) {
			states = append(states, b.state)
		}
		return len(states) < 2
	})
	switch {
	case err != nil:
		return nil, err
	case len(states) == 1:
		return states[0], nil
	case len(states) > 1 && chosen && len(choices) == 0:
		return nil, fmt.Errorf("%q has to have one initial state, and has several: processes choose as they come up, and nothing says what", s.setting)
	case len(states) > 1:
		return nil, fmt.Errorf("%q has to have one initial state, and has several", s.setting)
	}
	return nil, fmt.Errorf("%q has no initial state in which the processes have chosen %v", s.setting, choices)
}

// View returns what properties see of an encoded state, Settled included.
func (s *System) View(state []byte) *View { return s.impl.view(state) }

// Watched returns the system with questions asked of it: target i of a search
// over it is watches[i]. One more target, number len(watches), is misuse: a
// handler that panics or sends to nobody.
func (s *System) Watched(watches ...Watch) *Watched { return &Watched{System: s, watches: watches} }

// Watched is a System that watches states and steps, and counts what runs.
type Watched struct {
	*System
	watches []Watch
	mu      sync.Mutex
	covers  []*coverage
	started bool

	reduction *Reduction // nil if it is not reduced
}

// Targets returns the number of targets: the watches, and misuse.
func (w *Watched) Targets() int { return len(w.watches) + 1 }

// Questions returns the number of watches (explore.Questioner): nobody waits for
// misuse.
func (w *Watched) Questions() int { return len(w.watches) }

var _ explore.Questioner = (*Watched)(nil)

// Initial yields the initial states (explore.System). Handlers that run before
// them are counted the first time.
func (w *Watched) Initial(yield func(state []byte) bool) {
	var o *reduce.Orbits
	if w.Reductions()&Symmetries != 0 {
		o = w.impl.facts().Orbits(w.reduction.flaws)
	}
	w.initial(o, yield)
}

// initial yields the initial states, or those that stand for them.
func (w *Watched) initial(o *reduce.Orbits, yield func(state []byte) bool) {
	cover := new(coverage)
	w.impl.starts(func(s start) bool {
		if o != nil {
			return yield(o.Stand(nil, s.state))
		}
		return yield(s.state)
	}, cover)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.started {
		w.started, w.covers = true, append(w.covers, cover)
	}
}

// NewExpander returns an expander that watches (explore.System).
func (w *Watched) NewExpander() explore.Expander { return w.newExpander(nil) }

func (w *Watched) newExpander(l *labels) explore.Expander {
	e, cover := explore.Expander(nil), (*coverage)(nil)
	if w.reduction != nil {
		x := w.impl.reducer(w.watches, *w.reduction)
		e, cover = x, x.expander.cover
	} else {
		e, cover = w.impl.expander(w.watches, l)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.covers = append(w.covers, cover)
	return e
}

// Coverage returns what has run in the expansions so far. It may be called
// when the search is over.
func (w *Watched) Coverage() Coverage {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := w.ran()
	named := named(&sum, w.names)
	if r, ok := As[Remarked](w.impl.protocol.Protocol()); ok {
		named.Remark = r.Remark()
	}
	return named
}

// CutReason says what Successors.Cut with a number means for a system's
// searches: "capacity=2: a link was full when ELECTION was to be sent".
func (s *System) CutReason(reason int) string { return s.impl.cutReason(reason) }

// CutReasons returns what was left out where bits of a number are set (explore.Result.Cuts): what
// CutReason of a System or of a Watched says of each.
func CutReasons(of interface{ CutReason(reason int) string }, cuts uint64) (list []string) {
	for ; cuts != 0; cuts &= cuts - 1 {
		list = append(list, of.CutReason(bits.TrailingZeros64(cuts)))
	}
	return list
}

// Dated reports whether processes read clocks, or states or messages hold instants (package clock).
func (s *System) Dated() bool { return s.impl.Dated() }

// Transitions returns every transition enabled in an encoded state, in the
// order of expansion, with its effects. It is for traces and people: slow.
func (s *System) Transitions(state []byte) []Transition {
	var list []Transition
	s.EachTransition(state, func(t Transition) {
		if t.Next != nil {
			t.Next = append([]byte(nil), t.Next...)
		}
		list = append(list, t)
	})
	return list
}

// EachTransition is Transitions for states in which very many are enabled (16
// processes can be cut in two in 32,767 ways): it tells one after the other and
// keeps none. Next is good until the next call.
func (s *System) EachTransition(state []byte, each func(Transition)) { s.impl.transitions(state, each) }

// Snapshot returns an encoded state in terms that people read.
func (s *System) Snapshot(state []byte) Snapshot { return s.impl.snapshot(state) }
