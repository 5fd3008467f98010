package model

import "bullyproof/explore"

// A System is a protocol in a setting: a transition system.
type System struct {
	impl interface {
		Initial(yield func(state []byte) bool)
		newExpander(watches []Watch) explore.Expander
		transitions(state []byte) []Transition
		snapshot(state []byte) Snapshot
		narrow(initial []byte) Setting
		view(state []byte) *View
		cutReason(reason int) string
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

// Narrow returns the setting narrowed to one of its initial states: a list
// stands where the setting leaves arrangement, initiators or absent processes
// open, so that the narrowed setting has this initial state alone.
func (s *System) Narrow(initial []byte) Setting { return s.impl.narrow(initial) }

// View returns what properties see of an encoded state, Settled included.
func (s *System) View(state []byte) *View { return s.impl.view(state) }

// Watched returns the transition system with watches: target i of a search
// over it is watches[i]. The last target, number len(watches), is misuse: a
// handler that panics or sends to nobody.
func (s *System) Watched(watches ...Watch) explore.System { return watched{s, watches} }

type watched struct {
	*System
	watches []Watch
}

func (w watched) NewExpander() explore.Expander { return w.impl.newExpander(w.watches) }

// CutReason says what Successors.Cut with a number means for a system's
// searches: "capacity of 2 messages on a link (ELECTION)".
func (s *System) CutReason(reason int) string { return s.impl.cutReason(reason) }

// Transitions returns every transition enabled in an encoded state, in the
// order of expansion, with its effects. It is for traces and people: slow.
func (s *System) Transitions(state []byte) []Transition { return s.impl.transitions(state) }

// Snapshot returns an encoded state in terms that people read.
func (s *System) Snapshot(state []byte) Snapshot { return s.impl.snapshot(state) }
