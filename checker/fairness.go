package checker

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/class"
	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// Fairness is what is assumed of runs that go on for ever: who is not passed
// over for ever in them. It is about classes of transitions (package class). The zero
// value is NoFairness.
//
// Whatever it is, a run does not end while something is owed, and lets time pass
// where there are ticks. Nobody owes a fault, or what mends one, unless the
// setting says so (heals=owed) or the fairness names it (Heals, Restarts): a run
// may end, or go on for ever, without.
type Fairness struct {
	rest       explore.Strength
	exceptions []exception
}

// An exception is a strength for some classes.
type exception struct {
	strength explore.Strength
	to       class.Class
}

// The kinds of fairness, the same to all classes.
var (
	// NoFairness assumes nothing: a message may be passed over for ever.
	NoFairness = Fairness{}
	// WeakFairness assumes that whatever stays enabled happens sooner or later:
	// a message in flight arrives, a timer that has run out expires. It is what a
	// reliable network and a scheduler give, and the default.
	WeakFairness = Fairness{rest: explore.Weak}
	// StrongFairness assumes that whatever is enabled again and again happens,
	// even if it is disabled in between: more than most systems give.
	StrongFairness = Fairness{rest: explore.Strong}
)

// But returns the fairness with another strength for some classes:
//
//	checker.WeakFairness.But(explore.Strong, class.Reports())
//
// Later exceptions go before earlier ones. A check refuses classes of which the
// system has none.
func (f Fairness) But(strength explore.Strength, to class.Class) Fairness {
	f.exceptions = append(slices.Clip(f.exceptions), exception{strength, to})
	return f
}

// of returns the strength for a class.
func (f Fairness) of(m class.Member) explore.Strength {
	for _, e := range slices.Backward(f.exceptions) {
		if e.to.Has(m) {
			return e.strength
		}
	}
	if m.Extra {
		return explore.Unfair
	}
	return f.rest
}

var strengthNames = map[explore.Strength]string{
	explore.Unfair: "no", explore.Weak: "weak", explore.Strong: "strong", explore.Unconditional: "unconditional",
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
func (f Fairness) known(classes []class.Member) error {
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

// on returns the fairness in terms of a graph's labels.
func (f Fairness) on(labels *model.Labels) (explore.FairRuns, error) {
	classes, of := classesOf(labels)
	if err := f.known(classes); err != nil {
		return explore.FairRuns{}, err
	}
	out := explore.FairRuns{Classes: of, Optional: make([]bool, len(of))}
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
		if clock < 0 { // time never passes: no run goes on for ever
			clock = len(classes)
			out.Strength = append(out.Strength, explore.Unfair)
		}
		out.Strength[clock] = explore.Unconditional
	}
	return out, nil
}

// fair says why a cycle of a run is not fair, nil if it is. The cycle begins in
// states[loop] and ends, where it began, after the last step.
func (f Fairness) fair(sys *model.System, states [][]byte, steps []model.Transition, loop int) error {
	taken := make(map[class.Member]bool)
	ticks := false
	for i := range steps[loop:] {
		for _, m := range class.OfTransition(&steps[loop+i]) {
			taken[m] = true
			ticks = ticks || m.Kind == model.Ticks
		}
	}
	if sys.Setting().Timing.Kind.Discrete() && !ticks {
		return fmt.Errorf("no time passes between step %d and the last, again and again", loop+1)
	}
	length := len(steps) - loop
	times := make(map[class.Member]int) // in how many states of the cycle a class is enabled
	for _, state := range states[loop : loop+length] {
		for m := range enabledIn(sys, state) {
			times[m]++
		}
	}
	var passed []string
	for m, n := range times {
		strength := f.of(m)
		if !taken[m] && (strength >= explore.Strong || strength == explore.Weak && n == length) {
			passed = append(passed, m.Name)
		}
	}
	if len(passed) > 0 {
		slices.Sort(passed)
		return fmt.Errorf("under %s it does not go on like this: %q is passed over for ever", f, passed[0])
	}
	return nil
}

// over says why a run does not end in a state, nil if nothing is owed there.
func (f Fairness) over(sys *model.System, state []byte) error {
	for _, t := range sys.Transitions(state) {
		for _, m := range class.OfTransition(&t) {
			if s := f.of(m); !m.Extra || s == explore.Weak || s == explore.Strong {
				return fmt.Errorf("the run does not end there: %q is owed", m.Name)
			}
		}
	}
	return nil
}

// enabledIn returns the classes of which a transition is enabled in a state.
func enabledIn(sys *model.System, state []byte) map[class.Member]bool {
	here := make(map[class.Member]bool)
	for _, t := range sys.Transitions(state) {
		if t.Misuse != "" {
			continue
		}
		for _, m := range class.OfTransition(&t) {
			here[m] = true
		}
	}
	return here
}
