package model

import "bullyproof/explore"

// A System is a protocol in a setting: a transition system.
type System struct {
	impl interface {
		Initial(yield func(state []byte) bool)
		newExpander(watches []Watch) explore.Expander
		transitions(state []byte) []Transition
		snapshot(state []byte) Snapshot
	}
	setting Setting
	names   Names
}

// New returns the system that p is in setting s. It fails if s contradicts
// itself or if P or M is not flat; the error names the field.
func New[P, M any](p Protocol[P, M], s Setting) (*System, error) { panic("being written") }

// Setting returns the setting.
func (s *System) Setting() Setting { return s.setting }

// Names returns the vocabulary of the protocol.
func (s *System) Names() Names { return s.names }

// Initial yields the initial states, encoded (explore.System).
func (s *System) Initial(yield func(state []byte) bool) { s.impl.Initial(yield) }

// NewExpander returns an expander that watches nothing (explore.System).
func (s *System) NewExpander() explore.Expander { return s.impl.newExpander(nil) }

// Transitions returns every transition enabled in an encoded state, in the
// order of expansion, with its effects. It is for traces and people: slow.
func (s *System) Transitions(state []byte) []Transition { return s.impl.transitions(state) }

// Snapshot returns an encoded state in terms that people read.
func (s *System) Snapshot(state []byte) Snapshot { return s.impl.snapshot(state) }
