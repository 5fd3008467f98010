package ledger

import (
	"fmt"
	"slices"

	"bullyproof/model/setting"
)

// A Premise is something of the world that an algorithm may take for granted. A
// setting grants it or does not.
type Premise uint8

// The premises, those about messages first, then those about time, then those
// about processes.
const (
	// Reliable: no message between processes that are up is lost.
	Reliable Premise = iota
	// NoCopies: no message arrives twice.
	NoCopies
	// InOrder: the messages of a link arrive in the order of their sending.
	InOrder
	// Connected: whoever is up can reach whoever is up.
	Connected
	// BoundedDelays: a timer that is set to a round trip outlasts one.
	BoundedDelays
	// EqualDelays: every message takes the same time.
	EqualDelays
	// TrueClocks: all clocks run alike.
	TrueClocks
	// SameTime: all clocks show the same time.
	SameTime
	// NoPauses: a process that is up answers at once.
	NoPauses
	// RightReports: whoever is reported to be down is down.
	RightReports
	// NoFailures: no process crashes.
	NoFailures
	// OneFailure: no process crashes but one, which is the coordinator if that is
	// down from the start.
	OneFailure
	// NoReturns: a process that has crashed stays down.
	NoReturns
	// NoNewcomers: whoever takes part is there from the start.
	NoNewcomers
	// WholeBroadcasts: a process does not crash between two sends.
	WholeBroadcasts
	// SyncedWrites: no crash undoes a write to a disk, nor all of them.
	SyncedWrites
	// NoRequests: no operator asks a running process for anything.
	NoRequests

	premises
)

// premise is what there is to say of a premise.
type premise struct {
	name, lack string // what it is called, and what it is called if it is not granted
	holds      func(s *setting.Setting) bool
	grant      func(s *setting.Setting)
	deny       func(s *setting.Setting)
}

var premiseTable = [premises]premise{
	Reliable: {
		"reliable delivery", "a lost message",
		func(s *setting.Setting) bool { return s.Losses == 0 },
		func(s *setting.Setting) { s.Losses, s.Lossy = 0, nil },
		func(s *setting.Setting) { s.Losses = 1 },
	},
	NoCopies: {
		"no duplicates", "a message that arrives twice",
		func(s *setting.Setting) bool { return s.Duplications == 0 },
		func(s *setting.Setting) { s.Duplications = 0 },
		func(s *setting.Setting) { s.Duplications = 1 },
	},
	InOrder: {
		"channels in order", "channels without order",
		func(s *setting.Setting) bool { return s.FIFO },
		func(s *setting.Setting) { s.FIFO = true },
		func(s *setting.Setting) { s.FIFO = false },
	},
	Connected: {
		"no partition", "a cut of the network",
		func(s *setting.Setting) bool { return s.Cuts == 0 },
		func(s *setting.Setting) {
			s.Cuts, s.Heals, s.HealsOwed, s.CutBy, s.CutLinks = 0, 0, false, setting.CutSides, nil
		},
		func(s *setting.Setting) { s.Cuts = 1 },
	},
	BoundedDelays: {
		"bounded delays", "a timeout that comes too early",
		func(s *setting.Setting) bool { return s.Timing.Kind != setting.Asynchronous },
		func(s *setting.Setting) {
			if s.Timing.Kind == setting.Asynchronous {
				s.Timing = setting.Timing{}
			}
		},
		func(s *setting.Setting) {
			s.Timing, s.Clocks = setting.Timing{Kind: setting.Asynchronous, Premature: 1}, setting.Clocks{}
		},
	},
	EqualDelays: {
		"equal delays", "delays that differ",
		func(s *setting.Setting) bool { return s.Timing.Kind == setting.Lockstep },
		func(s *setting.Setting) { s.Timing, s.Drift = setting.Timing{Kind: setting.Lockstep}, 0 },
		func(s *setting.Setting) { s.Timing = setting.Timing{} },
	},
	TrueClocks: {
		"clocks that run alike", "clocks that differ by a tenth",
		func(s *setting.Setting) bool { return s.Drift == 0 },
		func(s *setting.Setting) { s.Drift = 0 },
		func(s *setting.Setting) { s.Drift = 10 },
	},
	SameTime: {
		"clocks that show the same time", "clocks that differ by a tick",
		func(s *setting.Setting) bool { return s.Skew == 0 && s.ClockSteps == 0 },
		func(s *setting.Setting) { s.Clocks = setting.Clocks{Drift: s.Drift} },
		func(s *setting.Setting) { s.Skew = 1 },
	},
	NoPauses: {
		"no pauses", "a process that pauses",
		func(s *setting.Setting) bool { return s.Pauses == 0 },
		func(s *setting.Setting) { s.Pauses, s.Pausers = 0, 0 },
		func(s *setting.Setting) { s.Pauses = 1 },
	},
	RightReports: {
		"accurate failure detection", "a wrong report of a failure",
		func(s *setting.Setting) bool { return s.Suspicions == 0 },
		func(s *setting.Setting) { s.Suspicions = 0 },
		func(s *setting.Setting) { s.Suspicions = 1 },
	},
	NoFailures: {
		"no failures", "a crash",
		func(s *setting.Setting) bool { return s.Crashes == 0 && s.Start != setting.CoordinatorDown },
		func(s *setting.Setting) {
			if s.Start == setting.CoordinatorDown {
				s.Start = setting.SettledStart
			}
			calm(s)
		},
		func(s *setting.Setting) { s.Crashes++ },
	},
	OneFailure: {
		"one failure at most", "a second crash",
		func(s *setting.Setting) bool { return s.Crashes <= oneFailure(s) },
		func(s *setting.Setting) {
			if s.Crashes = oneFailure(s); s.Crashes == 0 {
				calm(s)
			}
		},
		func(s *setting.Setting) { s.Crashes = oneFailure(s) + 1 },
	},
	NoReturns: {
		"no return after a crash", "a return after a crash",
		func(s *setting.Setting) bool { return s.Restarts == 0 },
		func(s *setting.Setting) { s.Restarts, s.RestartsOwed, s.LostWrites, s.LostDisks = 0, false, 0, 0 },
		func(s *setting.Setting) {
			if s.Restarts = 1; s.Start != setting.CoordinatorDown {
				s.Crashes = max(s.Crashes, 1)
			}
		},
	},
	NoNewcomers: {
		"no newcomers", "a newcomer",
		func(s *setting.Setting) bool { return s.Joins == 0 },
		func(s *setting.Setting) { s.Joins, s.Joiners = 0, 0 },
		func(s *setting.Setting) { s.Joins = 1 },
	},
	WholeBroadcasts: {
		"whole broadcasts", "a crash between two sends",
		func(s *setting.Setting) bool { return !s.MidSend },
		func(s *setting.Setting) { s.MidSend = false },
		func(s *setting.Setting) { s.Crashes, s.MidSend = max(s.Crashes, 1), true },
	},
	SyncedWrites: {
		"synced writes", "a write that a crash undoes",
		func(s *setting.Setting) bool { return s.LostWrites == 0 && s.LostDisks == 0 },
		func(s *setting.Setting) { s.LostWrites, s.LostDisks = 0, 0 },
		func(s *setting.Setting) {
			s.Crashes, s.Restarts, s.LostWrites = max(s.Crashes, 1), max(s.Restarts, 1), 1
		},
	},
	NoRequests: {
		"no requests", "a request of an operator",
		func(s *setting.Setting) bool { return s.Requests == 0 },
		func(s *setting.Setting) { s.Requests = 0 },
		func(s *setting.Setting) { s.Requests = 1 },
	},
}

// oneFailure is the budget of crashes with which one process crashes at most.
func oneFailure(s *setting.Setting) int {
	if s.Start == setting.CoordinatorDown {
		return 0
	}
	return 1
}

// calm takes crashes out of a setting, and what there is with crashes alone.
func calm(s *setting.Setting) {
	s.Crashes, s.Crashers, s.MidSend, s.LostWrites, s.LostDisks = 0, 0, false, 0, 0
	if s.Start != setting.CoordinatorDown {
		s.Restarts, s.RestartsOwed = 0, false
	}
}

// Premises returns all premises.
func Premises() []Premise {
	all := make([]Premise, premises)
	for i := range all {
		all[i] = Premise(i)
	}
	return all
}

// String returns the premise in words: "reliable delivery".
func (p Premise) String() string {
	if p < premises {
		return premiseTable[p].name
	}
	return fmt.Sprintf("Premise(%d)", uint8(p))
}

// Lack returns in words what there is where the premise is not granted: "a lost
// message".
func (p Premise) Lack() string {
	if p < premises {
		return premiseTable[p].lack
	}
	return "not " + p.String()
}

// MarshalText returns what String does.
func (p Premise) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// HoldsIn reports whether a setting grants the premise.
func (p Premise) HoldsIn(s setting.Setting) bool { return premiseTable[p].holds(&s) }

// GrantedIn returns a setting as changed by as little as grants the premise: a
// budget of losses becomes 0.
func (p Premise) GrantedIn(s setting.Setting) setting.Setting {
	if !premiseTable[p].holds(&s) {
		premiseTable[p].grant(&s)
	}
	return s.Normal()
}

// DeniedIn returns a setting as changed by as little as takes the premise away:
// one message may be lost. The error says why that cannot be said of the setting:
// the links of a repaired ring cannot be cut.
func (p Premise) DeniedIn(s setting.Setting) (setting.Setting, error) {
	if premiseTable[p].holds(&s) {
		premiseTable[p].deny(&s)
	}
	return s.Normal(), s.Validate()
}

// An Assumption is a premise that an algorithm is built on.
type Assumption struct {
	Premise Premise
	// Place says where the source says it: "section 15.3". It is empty where the
	// source takes it for granted without a word, or is known by what others tell
	// of it alone.
	Place string
}

// Said returns premises that a source states, and where.
func Said(place string, list ...Premise) []Assumption {
	said := make([]Assumption, len(list))
	for i, p := range list {
		said[i] = Assumption{p, place}
	}
	return said
}

// Tacit returns premises without a place: see Assumption.
func Tacit(list ...Premise) []Assumption { return Said("", list...) }

// AssumptionsOf returns what a variant, or a mutant, takes for granted: its own
// assumptions or else the algorithm's.
func (a *Algorithm) AssumptionsOf(name string) []Assumption {
	if m, err := a.Mutant(name); err == nil {
		name = m.Of
	}
	if v, err := a.Variant(name); err == nil && v.Assumptions != nil {
		return slices.Clone(v.Assumptions)
	}
	return slices.Clone(a.Assumptions)
}

// validAssumptions checks that each premise is one, and is there once.
func validAssumptions(list []Assumption) error {
	var seen [premises]bool
	for _, a := range list {
		switch {
		case a.Premise >= premises:
			return fmt.Errorf("field Assumptions has %v: want a number below %d", a.Premise, premises)
		case seen[a.Premise]:
			return fmt.Errorf("field Assumptions has %q twice", a.Premise)
		}
		seen[a.Premise] = true
	}
	return nil
}
