package reduce

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
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
	// Permutations: on a complete graph where ids decide nothing, of the states that
	// differ by a permutation of the processes one is visited.
	Permutations

	// Symmetries are those that visit one state of each orbit.
	Symmetries = Rotations | Permutations
	// AllReductions are all of them.
	AllReductions = PersistentSets | LeastDueFirst | Postponing | DeadMessages | WholeTicks | Symmetries
)

// reductionNames are the names of the reductions, by bit.
var reductionNames = []string{"persistent", "least-due", "postpone", "dead", "ticks", "rotation", "permutation"}

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

// Parse reads what String writes, names in any order. An error says
// which name is none, and which names there are.
func Parse(text string) (Reductions, error) {
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
func (w *Facts) reductions() Reductions {
	var r Reductions
	switch {
	case w.unordered() != "":
	case w.Setting.Cuts > 0:
		r = w.partialOrders() &^ WholeTicks
	default:
		if r = w.partialOrders(); w.unturnable() == "" {
			r |= Rotations
		}
	}
	if w.unpermutable() == "" {
		r |= Permutations
	}
	return r
}

// partialOrders returns those except for Symmetries.
func (w *Facts) partialOrders() Reductions {
	s := &w.Setting
	switch {
	case w.Periodic != 0 && s.Timing.Kind == setting.Lockstep:
		return PersistentSets
	case w.Periodic != 0 && s.FIFO:
		return PersistentSets | DeadMessages
	case w.Periodic != 0:
		return PersistentSets | LeastDueFirst | DeadMessages
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
	return AllReductions &^ (WholeTicks | Symmetries)
}

// Reads are the values that properties read of the states in which something that is owed can
// still happen, beside who is up and who is present. (Settled states are the same under a
// reduction.) A sum of Reads is for several properties.
type Reads uint8

const (
	// ReadsSettled: nothing but settled states. It adds nothing to others.
	ReadsSettled Reads = 1 << iota
	// ReadsLeaders: who believes itself coordinator, of all processes at one
	// instant.
	ReadsLeaders
	// ReadsElected: whom the processes name, of all at one instant.
	ReadsElected
	// ReadsParticipants: who is in an election, of all at one instant.
	ReadsParticipants
	// ReadsEachElected: whom a process names, of one process at a time. A property
	// of this kind says that no process ever names somebody, or is in a state of
	// which its naming somebody tells.
	ReadsEachElected
	// ReadsEpochs: who believes itself coordinator, and of which epoch, of all at one
	// instant.
	ReadsEpochs
	// ReadsStates: the states of processes that are up (State), of all at one instant:
	// whatever is asked of them, and no messages.
	ReadsStates

	// ReadsAll is whatever a View says by itself, except for the epochs.
	ReadsAll = ReadsSettled | ReadsLeaders | ReadsElected | ReadsParticipants | ReadsEachElected
)

// A Reduction says how a world is reduced.
type Reduction struct {
	// Reads is what is asked.
	Reads Reads
	// Blind says that what is asked of a state has the same answer if all processes
	// change places.
	Blind bool
	// Only are the reductions that are made; 0 stands for all of them.
	Only Reductions
	// Flaws are the conditions that are dropped, for tests.
	Flaws Flaw
}

// Of returns the reductions that are made of a world.
func (r Reduction) Of(w *Facts) Reductions {
	all := w.reductions()
	if r.Only != 0 {
		all &= r.Only
	}
	if !r.Blind || all&WholeTicks != 0 {
		all &^= Symmetries
	}
	return all
}

// Refused says why a world is not reduced, "" if it is.
func (r Reduction) Refused(w *Facts) string {
	switch {
	case w.Monitor != "":
		return fmt.Sprintf("the system has the monitor %q, which sees the order of steps, and a reduction changes that; a system without monitors is reduced", w.Monitor)
	case r.Only == Permutations && w.unpermutable() != "":
		return w.unpermutable()
	case r.Only == Rotations && w.unordered() == "" && w.unturnable() != "":
		return w.unturnable()
	case (r.Only == Rotations || r.Only == Permutations) && w.reductions()&r.Only != 0 && !r.Blind:
		return r.Only.String() + ": a property that is asked tells processes apart by their ids (Property.Blind); the other reductions do not mind"
	case r.Of(w) != 0:
		return ""
	case w.unordered() != "":
		return w.unordered()
	}
	return fmt.Sprintf("--reduce %v: that is not made in this setting, but %s; auto makes all of these", r.Only, strings.Join(w.reductions().Names(), ", "))
}

// dated says why no reduction is made where processes read clocks.
const dated = "processes read clocks (model/clock): a tick changes every state that holds an instant, and no argument for a reduction is known then"

// named says why no reduction is made where faults happen to some links.
const named = "the setting says by name which links lose messages or are cut (lossy, cut-links), and the arguments for reductions are about all of them"

// unordered says why no reduction but Permutations is made of a world, "" if some are.
func (w *Facts) unordered() string {
	s := &w.Setting
	switch {
	case w.Dated():
		return dated
	case w.Periodic != 0 && !s.Timing.Kind.Discrete():
		return fmt.Sprintf("the timer %q is periodic, and only where time passes in ticks is it known what waits for it (timing=sync:K or timing=lockstep)", w.Timers[bits.TrailingZeros16(w.Periodic)])
	case s.Capacity > 0:
		return fmt.Sprintf("capacity=%d: whether a link is full depends on the order of steps, and a reduction changes that; a setting without capacity is reduced", s.Capacity)
	case w.unargued(argued) != "":
		return w.unargued(argued)
	case len(s.Lossy)+len(s.CutLinks) > 0:
		return named
	case s.RestartsOwed:
		return "restarts=owed: the arguments about restarts are about faults, which may fail to happen; a setting with restarts=K is reduced"
	case s.Drift > 0:
		return fmt.Sprintf("drift=%d: no argument for a reduction with clocks that drift is known; a setting with drift=0 is reduced", s.Drift)
	case s.Repaired:
		return "topology=ring:repaired: where a message arrives depends on who is up, and a reduction changes when it is sent; a ring that is not repaired is reduced"
	}
	return ""
}

// argued are the faults for which arguments are known, of all reductions; and of Permutations
// alone those of pauses, of writes and disks that are lost, and of requests.
const (
	argued = 1<<layout.BudgetCrashes | 1<<layout.BudgetRestarts | 1<<layout.BudgetJoins | 1<<layout.BudgetLosses | 1<<layout.BudgetDuplications |
		1<<layout.BudgetCuts | 1<<layout.BudgetHeals | 1<<layout.BudgetPremature | 1<<layout.BudgetSuspicions
	permuted = argued | 1<<layout.BudgetPauses | 1<<layout.BudgetLostWrites | 1<<layout.BudgetLostDisks | 1<<layout.BudgetRequests
)

// unargued names a fault that is not among those argued for, "" if the setting has none.
// One that is new is not until somebody argues.
func (w *Facts) unargued(argued int) string {
	for i, b := range setting.Budgets() {
		if w.Granted[i] > 0 && argued>>i&1 == 0 {
			return fmt.Sprintf("%s=%d: no argument for a reduction with %[1]s is known; a setting with %[1]s=0 is reduced", b.Key, w.Granted[i])
		}
	}
	return ""
}
