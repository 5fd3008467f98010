package model

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/setting"
)

// Reductions is a set of reductions (docs/reductions.md).
type Reductions uint8

const (
	// PersistentSets: of the actions that are enabled, a set is carried out of
	// which nothing else depends.
	PersistentSets Reductions = 1 << iota
	// LeastDueFirst: of several copies of a message, the one with the least time
	// left is delivered.
	LeastDueFirst
	// Postponing: deliveries that can wait until after a tick do wait.
	Postponing
	// DeadMessages: messages whose delivery does nothing are dropped.
	DeadMessages
	// WholeTicks: in lockstep, states between the beginning and the end of a
	// tick are left out.
	WholeTicks
	// Rotations: on an anonymous ring, of the states that differ by a rotation one
	// is visited.
	Rotations

	// AllReductions are all of them.
	AllReductions = PersistentSets | LeastDueFirst | Postponing | DeadMessages | WholeTicks | Rotations
)

// reductionNames are the names of the reductions, by bit.
var reductionNames = []string{"persistent", "least-due", "postpone", "dead", "ticks", "rotation"}

// Names returns the names of the reductions, in the order of the constants.
func (r Reductions) Names() (names []string) {
	for i, name := range reductionNames {
		if r>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String returns "none", "auto" for all of them, or else the names with commas
// between them.
func (r Reductions) String() string {
	switch r & AllReductions {
	case 0:
		return "none"
	case AllReductions:
		return "auto"
	}
	return strings.Join(r.Names(), ",")
}

// ParseReductions reads what String writes, names in any order. An error says
// which name is none, and which names there are.
func ParseReductions(text string) (Reductions, error) {
	switch text {
	case "none":
		return 0, nil
	case "auto":
		return AllReductions, nil
	}
	var r Reductions
	for _, name := range strings.Split(text, ",") {
		i := slices.Index(reductionNames, name)
		if i < 0 {
			return 0, fmt.Errorf("there is no reduction %q: %s", nearest.Clip(name), nearest.Hint(name, append([]string{"auto", "none"}, reductionNames...)))
		}
		r |= 1 << i
	}
	return r, nil
}

// reductions returns the reductions that there are in the setting of a world.
func (w *world) reductions() Reductions {
	r := w.partialOrders()
	if w.unturnable() == "" {
		r |= Rotations
	}
	return r
}

// partialOrders returns those but for Rotations.
func (w *world) partialOrders() Reductions {
	s := &w.setting
	switch {
	case !s.Timing.Kind.Discrete() && w.messageRing():
		return PersistentSets
	case s.Timing.Kind == setting.Asynchronous && s.Timing.Premature == 0:
		return PersistentSets
	case !s.Timing.Kind.Discrete():
		return PersistentSets | DeadMessages
	case s.Timing.Kind == setting.Lockstep:
		return PersistentSets | DeadMessages | WholeTicks
	case s.FIFO:
		return PersistentSets | DeadMessages
	}
	return AllReductions &^ (WholeTicks | Rotations)
}
