package class

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore/liveness"
	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// Fairness is an assumption about runs without end: it says who is not passed
// over for good. It is about classes of transitions (Class). The zero value
// is NoFairness.
//
// Under any fairness, a run does not end while something is owed, and lets time
// pass where there are ticks. Nobody owes a fault, or what mends one, unless the
// setting says so (heals=owed) or the fairness names it (Heals, Restarts): a run
// may do without them.
type Fairness struct {
	rest       liveness.Strength
	exceptions []exception
}

// An exception is a strength for some classes.
type exception struct {
	strength liveness.Strength
	to       Class
}

// The kinds of fairness, the same to all classes.
var (
	// NoFairness assumes nothing: a message may be passed over for good.
	NoFairness = Fairness{}
	// WeakFairness assumes that whatever stays enabled happens sooner or later:
	// a message in flight arrives, a timer that has run out expires. It is what a
	// reliable network and a scheduler give, and the default.
	WeakFairness = Fairness{rest: liveness.Weak}
	// StrongFairness assumes that whatever is enabled again and again happens,
	// even if it is disabled in between: more than most systems give.
	StrongFairness = Fairness{rest: liveness.Strong}
)

// But returns the fairness with another strength for some classes:
//
//	checker.WeakFairness.But(liveness.Strong, class.Reports())
//
// Later exceptions go before earlier ones. A check refuses classes of which the
// system has none.
func (f Fairness) But(strength liveness.Strength, to Class) Fairness {
	f.exceptions = append(slices.Clip(f.exceptions), exception{strength, to})
	return f
}

// Excepts reports whether the strength is another one for some classes.
func (f Fairness) Excepts() bool { return len(f.exceptions) > 0 }

// Rest returns the strength for all classes without one of their own.
func (f Fairness) Rest() liveness.Strength { return f.rest }

// of returns the strength for a class.
func (f Fairness) of(m Member) liveness.Strength {
	for _, e := range slices.Backward(f.exceptions) {
		if e.to.Has(m) {
			return e.strength
		}
	}
	if m.Extra {
		return liveness.Unfair
	}
	return f.rest
}

var strengthNames = map[liveness.Strength]string{
	liveness.Unfair: "no", liveness.Weak: "weak", liveness.Strong: "strong", liveness.Unconditional: "unconditional",
}

// String returns the fairness in words: "weak fairness, strong to reports".
func (f Fairness) String() string {
	var b strings.Builder
	b.WriteString(strengthNames[f.rest] + " fairness")
	for _, e := range f.exceptions {
		fmt.Fprintf(&b, ", %s to %s", strings.Replace(strengthNames[e.strength], "no", "none", 1), e.to.String())
	}
	return b.String()
}

// known checks that the classes that the fairness names are there.
func (f Fairness) known(classes []Member) error {
	for _, e := range f.exceptions {
		if slices.ContainsFunc(classes, e.to.Has) {
			continue
		}
		names := make([]string, len(classes))
		for i, m := range classes {
			names[i] = m.Name
		}
		if e.to.Single() {
			return nearest.Unknown("fairness class", e.to.String(), names)
		}
		return fmt.Errorf("no fairness class is one of %q: want some of %s", nearest.Clip(e.to.String()), nearest.Clip(strings.Join(names, ", ")))
	}
	return nil
}

// On returns the fairness in terms of a graph's labels.
func (f Fairness) On(labels *model.Labels) (liveness.FairRuns, error) {
	classes, of := All(labels)
	if err := f.known(classes); err != nil {
		return liveness.FairRuns{}, err
	}
	out := liveness.FairRuns{Classes: of, Optional: make([]bool, len(of))}
	for i := range of {
		out.Optional[i] = labels.Label(uint32(i)).Class == ""
	}
	clock := -1
	for i, m := range classes {
		out.Strength = append(out.Strength, f.of(m))
		if m.Kind == model.Ticks {
			clock = i
		}
	}
	if labels.Setting().Timing.Kind.Discrete() {
		if clock < 0 { // time never passes: every run ends
			clock = len(classes)
			out.Strength = append(out.Strength, liveness.Unfair)
		}
		out.Strength[clock] = liveness.Unconditional
	}
	return out, nil
}

// Fair says why a cycle of a run is not fair, nil if it is. The cycle begins in
// states[loop] and ends, where it began, after the last step.
func (f Fairness) Fair(sys *model.System, states [][]byte, steps []model.Transition, loop int) error {
	taken := make(map[Member]bool)
	ticks := false
	for i := range steps[loop:] {
		for _, m := range OfTransition(&steps[loop+i]) {
			taken[m] = true
			ticks = ticks || m.Kind == model.Ticks
		}
	}
	if sys.Setting().Timing.Kind.Discrete() && !ticks {
		return fmt.Errorf("no time passes between step %d and the last, again and again", loop+1)
	}
	length := len(steps) - loop
	times := make(map[Member]int) // in how many states of the cycle a class is enabled
	for _, state := range states[loop : loop+length] {
		for m := range enabledIn(sys, state) {
			times[m]++
		}
	}
	var passed []string
	for m, n := range times {
		strength := f.of(m)
		if !taken[m] && (strength >= liveness.Strong || strength == liveness.Weak && n == length) {
			passed = append(passed, m.Name)
		}
	}
	if len(passed) > 0 {
		slices.Sort(passed)
		return fmt.Errorf("under %s it does not go on like this: %q is passed over without end", f, passed[0])
	}
	return nil
}

// Over says why a run does not end in a state, nil if nothing is owed there.
func (f Fairness) Over(sys *model.System, state []byte) error {
	for _, t := range sys.Transitions(state) {
		for _, m := range OfTransition(&t) {
			if s := f.of(m); !m.Extra || s == liveness.Weak || s == liveness.Strong {
				return fmt.Errorf("the run does not end there: %q is owed", m.Name)
			}
		}
	}
	return nil
}

// enabledIn returns the classes of which a transition is enabled in a state.
func enabledIn(sys *model.System, state []byte) map[Member]bool {
	here := make(map[Member]bool)
	for _, t := range sys.Transitions(state) {
		if t.Misuse != "" {
			continue
		}
		for _, m := range OfTransition(&t) {
			here[m] = true
		}
	}
	return here
}

// All numbers the fairness classes of a system's labels, sorted by name,
// and says which each label is of.
func All(labels *model.Labels) (classes []Member, of [][]int32) {
	lists := make([][]Member, labels.Len())
	for i := range lists {
		l := labels.Label(uint32(i))
		lists[i] = OfLabel(&l)
		classes = append(classes, lists[i]...)
	}
	slices.SortFunc(classes, func(a, b Member) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	classes = slices.Compact(classes)
	number := make(map[Member]int32, len(classes))
	for i, m := range classes {
		number[m] = int32(i)
	}
	of = make([][]int32, len(lists))
	for i, list := range lists {
		for _, m := range list {
			of[i] = append(of[i], number[m])
		}
	}
	return classes, of
}
