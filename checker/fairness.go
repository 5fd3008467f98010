package checker

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// Fairness is what is assumed of runs that go on for ever: who is not passed
// over for ever in them. It is about classes of transitions (model.Label): each
// message, timer, report of the failure detector, and process that is to boot
// or to start is one, with FIFO channels each link. The zero value is
// NoFairness.
//
// Whatever it is, a run does not end while something is owed, takes no fault
// for ever (nobody owes those, and their budgets are finite), and lets time
// pass where there are ticks.
type Fairness struct {
	rest       explore.Strength
	exceptions []exception
}

// An exception is a strength for some classes: the one of a name, or those
// that match.
type exception struct {
	strength explore.Strength
	what     string
	match    func(class string) bool // nil: the class whose name is what
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

// But returns the fairness with another strength for one class, by its name:
// "report of 3 to position 1". A check refuses a class that the system lacks.
func (f Fairness) But(strength explore.Strength, class string) Fairness {
	f.exceptions = append(slices.Clip(f.exceptions), exception{strength: strength, what: class})
	return f
}

// Where returns the fairness with another strength for the classes whose names
// match. What says in a few words which these are: "reports". Later exceptions
// go before earlier ones.
func (f Fairness) Where(strength explore.Strength, what string, match func(class string) bool) Fairness {
	f.exceptions = append(slices.Clip(f.exceptions), exception{strength, what, match})
	return f
}

// Of returns the strength for the class of a name.
func (f Fairness) Of(class string) explore.Strength {
	for _, e := range slices.Backward(f.exceptions) {
		if e.match == nil && e.what == class || e.match != nil && e.match(class) {
			return e.strength
		}
	}
	return f.rest
}

var strengthNames = map[explore.Strength]string{explore.Unfair: "no", explore.Weak: "weak", explore.Strong: "strong"}

// String returns the fairness in words: "weak fairness, strong to reports".
func (f Fairness) String() string {
	var b strings.Builder
	b.WriteString(strengthNames[f.rest] + " fairness")
	for _, e := range f.exceptions {
		fmt.Fprintf(&b, ", %s to %s", strings.Replace(strengthNames[e.strength], "no", "none", 1), e.what)
	}
	return b.String()
}

// known checks that the classes that the fairness names are there.
func (f Fairness) known(classes []string) error {
	for _, e := range f.exceptions {
		if e.match == nil && !slices.Contains(classes, e.what) {
			return nearest.Unknown("fairness class", e.what, classes)
		}
		if e.match != nil && !slices.ContainsFunc(classes, e.match) {
			return fmt.Errorf("no fairness class matches %q: want some of %s", nearest.Clip(e.what), nearest.Clip(strings.Join(classes, ", ")))
		}
	}
	return nil
}

// theClock is the class of the passing of time.
const theClock = "time"

// classesOf numbers the fairness classes of a system's labels, sorted by name.
func classesOf(labels *model.Labels) (names []string, of []int32) {
	of = make([]int32, labels.Len())
	for i := range of {
		if l := labels.Label(uint32(i)); l.Class != "" {
			names = append(names, l.Class)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for i := range of {
		of[i] = -1
		if l := labels.Label(uint32(i)); l.Class != "" {
			at, _ := slices.BinarySearch(names, l.Class)
			of[i] = int32(at)
		}
	}
	return names, of
}

// on returns the fairness in terms of a graph's labels.
func (f Fairness) on(labels *model.Labels) (explore.FairRuns, error) {
	names, class := classesOf(labels)
	if err := f.known(names); err != nil {
		return explore.FairRuns{}, err
	}
	out := explore.FairRuns{Classes: make([][]int32, len(class)), Optional: make([]bool, len(class))}
	for i := range class {
		if class[i] >= 0 {
			out.Classes[i] = class[i : i+1]
		}
		out.Optional[i] = class[i] < 0
	}
	for _, name := range names {
		out.Strength = append(out.Strength, f.Of(name))
	}
	if labels.Setting().Timing.Kind.Discrete() {
		at, found := slices.BinarySearch(names, theClock)
		if !found { // time never passes: no run goes on for ever
			at = len(names)
			out.Strength = append(out.Strength, explore.Unfair)
		}
		out.Strength[at] = explore.Unconditional
	}
	return out, nil
}

// fair says why a cycle of a run is not fair, nil if it is. The cycle begins in
// states[loop] and ends, where it began, after the last step.
func (f Fairness) fair(sys *model.System, states [][]byte, steps []model.Transition, loop int) error {
	taken := make(map[string]bool)
	for _, s := range steps[loop:] {
		taken[s.Class] = true
	}
	if sys.Setting().Timing.Kind.Discrete() && !taken[theClock] {
		return fmt.Errorf("no time passes between step %d and the last, again and again", loop+1)
	}
	length := len(steps) - loop
	times := make(map[string]int) // in how many states of the cycle a class is enabled
	for _, state := range states[loop : loop+length] {
		here := make(map[string]bool)
		for _, t := range sys.Transitions(state) {
			if t.Class != "" && t.Misuse == "" && !here[t.Class] {
				here[t.Class] = true
				times[t.Class]++
			}
		}
	}
	var passed []string
	for class, n := range times {
		strength := f.Of(class)
		if !taken[class] && (strength == explore.Strong || strength == explore.Weak && n == length) {
			passed = append(passed, class)
		}
	}
	if len(passed) > 0 {
		slices.Sort(passed)
		return fmt.Errorf("under %s it does not go on like this: %q is passed over for ever", f, passed[0])
	}
	return nil
}

// over says why a run does not end in a state, nil if nothing is owed there.
func over(sys *model.System, state []byte) error {
	for _, t := range sys.Transitions(state) {
		if t.Class != "" {
			return fmt.Errorf("the run does not end there: %q is owed", t.Class)
		}
	}
	return nil
}
