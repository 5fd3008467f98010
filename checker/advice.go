package checker

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model/setting"
)

// Remedy says what would decide what is open, the best first: which flag or option to set,
// which limit to raise, and what in the setting to lower; empty where everything is decided.
func (r *Report) Remedy() string {
	var ways []string
	add := func(way string) {
		if way != "" && !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	open := slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Verdict == Incomplete })
	switch {
	case r.resume != "":
		return r.resume
	case r.Reason == explore.GivenUp:
		return "bound what grows (" + r.Growth[0].Bound + "), or give the search a limit to have it go on (--max-time, --max-states)"
	case r.Reason == explore.FirstHit && r.Why != "":
		return "leave FailFast (--fail-fast) out"
	case r.Why == "" && !open:
		return ""
	case r.Why == "" && r.GaveUp != "":
		add("raise MaxGraphStates (--max-graph-states) or MaxBytes (--max-bytes)")
		add("lower " + r.budgets())
	case r.Why == "":
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Verdict == Incomplete {
				add(f.remedy)
			}
		}
	default:
		if r.reducible != "" {
			add("decide " + r.reducible + " on fewer states (--reduce auto)")
		}
		add(map[explore.Reason]string{
			explore.StateLimit: "raise MaxStates (--max-states)", explore.DepthLimit: "raise MaxDepth (--max-depth)",
			explore.ByteLimit: "raise MaxBytes (--max-bytes)", explore.TimeLimit: "raise MaxTime (--max-time; of a test, checker.Within)",
			explore.Cancelled: "give it more time",
		}[r.Reason])
		if r.files && (r.Reason == explore.ByteLimit || r.Reason == explore.MachineLimit) {
			add("go on in files (Disk, --disk)")
		}
		add("lower " + r.budgets())
	}
	return strings.Join(ways, ", or ")
}

// budgets names what makes the setting as large as it is: "n, crashes or losses".
func (r *Report) budgets() string {
	s := &r.Setting
	names := []string{}
	if s.N > 2 {
		names = append(names, "n")
	}
	for _, b := range setting.Budgets() {
		if *b.Of(s) > 0 {
			names = append(names, b.Name)
		}
	}
	switch last := len(names) - 1; {
	case last < 0:
		return "what the protocol counts"
	case last == 0:
		return names[0]
	default:
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
}

// mostEstimated is where an estimate says no more than that there are many states.
const mostEstimated = 1e12

// Estimate returns about how many states there are where a breadth-first search ended
// early, by the growth of its levels: a line through the logarithms of the ratios of the
// latest ones is taken to go on. It is a rough number, within a factor of ten from a fifth
// of the states on as a rule, and a guess before. It reports false where nothing can be said: the search was
// complete, or has too few levels, or these grow as fast as ever.
func (r *Report) Estimate() (states uint64, ok bool) {
	levels := r.Levels
	if r.Reason != explore.DepthLimit {
		levels = levels[:max(0, min(len(levels), r.seen+2))] // the last one may lack states
	}
	if r.Complete() {
		return 0, false
	}
	sum := estimated(levels)
	if sum == 0 || math.IsInf(sum, 1) {
		return 0, false
	}
	return max(uint64(sum), r.Distinct), sum < mostEstimated
}

// estimated returns about how many states there are, with so many on the levels of a search
// so far, at most about mostEstimated: without end where they grow as fast as ever, 0 where
// they are too few to tell.
func estimated(levels []uint64) (sum float64) {
	const window = 7
	if len(levels) < window {
		return 0
	}
	for _, n := range levels {
		sum += float64(n)
	}
	// The line through the points (i, ln of the i-th ratio), by least squares.
	const n = window - 1
	last := levels[len(levels)-window:]
	var mean, slope float64
	for i := range n {
		mean += math.Log(float64(last[i+1])/float64(last[i])) / n
	}
	const middle, squares = (n - 1) / 2.0, n * (n*n - 1) / 12.0
	for i := range n {
		slope += (float64(i) - middle) * (math.Log(float64(last[i+1])/float64(last[i])) - mean) / squares
	}
	if slope >= 0 && mean >= 0 {
		return math.Inf(1)
	}
	slope = min(slope, 0)
	level := float64(last[n])
	for i := n; level >= 1 && sum < mostEstimated; i++ {
		level *= math.Exp(mean + slope*(float64(i)-middle))
		sum += level
	}
	return sum
}

// estimateText says about how many states a system has, and how long they would take; ""
// where nothing can be said.
func (r *Report) estimateText(system string) string {
	states, ok := r.Estimate()
	if !ok {
		return ""
	}
	text := "Estimate: the " + system + " has about " + quantity.Short(float64(states)) + " states"
	if rate, _ := r.Rate(); r.Duration >= 100*time.Millisecond && rate > 0 {
		text += fmt.Sprintf(", %s at this rate", quantity.Duration(time.Duration(float64(states)/rate*float64(time.Second))))
	}
	return text + "."
}
