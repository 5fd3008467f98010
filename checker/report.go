package checker

import (
	"fmt"
	"slices"
	"time"

	"bullyproof/explore"
	"bullyproof/explore/typed"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A Verdict is the answer to a question.
type Verdict = typed.Verdict

// The verdicts. Those on a property that is violated or a witness that is found
// come with a trace. Vacuous is a property whose occasion (Property.Given) never
// came up.
const (
	Incomplete = typed.Incomplete
	Holds      = typed.Holds
	Violated   = typed.Violated
	Found      = typed.Found
	NotFound   = typed.NotFound
	Vacuous    = typed.Vacuous
)

// A Report is what a check found.
type Report struct {
	// Algorithm and Variant are the names that the check was given.
	Algorithm, Variant string
	// Setting is the world in which the verdicts are true, and no other.
	Setting setting.Setting

	// Findings has the answer to each question, in the order of asking, and
	// after them Misuse if it is violated.
	Findings []Finding
	// Why says what the search did not see; empty where it saw everything, or
	// decided everything that it was asked before that.
	Why string
	// Bound says what a bound left out that the setting (capacity) or the protocol
	// (model.Optional) declares; empty where it left out nothing. The bound is a part of
	// the scope: what holds then holds within it.
	Bound string
	// Growth is what took ever larger values in a search that ended early, that with the most
	// first: such a search may have no end.
	Growth []model.Growth
	// Values are what each field, timer and link took in the states that were expanded, if that
	// was asked for (Options.Values).
	Values []model.Values
	// Tallies are what was counted in the states that were expanded (Options.Tallies).
	Tallies []Tallied
	// Gaps are the things that could have run and did not. A verdict says
	// nothing about them.
	Gaps []Gap

	// Measures are those of the search, whose field names a report has as its own.
	Measures
	// GaveUp says why the search was made a second time, without the graph that
	// properties of whole runs take; empty where it was not. Duration and
	// PeakBytes are of both.
	GaveUp string
	// Optional are the methods that a protocol may have beside those of
	// model.Protocol, and which of them this one has.
	Optional []model.OptionalMethod
	// Reduction says what was decided on a reduced system; nil if that was not
	// asked for (Options.Reduce).
	Reduction *Reduction
	// Coverage counts what ran.
	Coverage model.Coverage

	undone
}

// Measures are what a search counted, and what it took.
type Measures struct {
	// Reason says why the search ended, Order in which order it went, and
	// Workers by how many workers.
	Reason  explore.Reason
	Order   explore.Order
	Workers int
	// Distinct is the number of distinct states found, and Generated that of
	// all states generated, with repetitions.
	Distinct, Generated uint64
	// CompleteDepth says what is known of a search that ended early: every run of
	// up to so many steps was looked at. It is -1 where not even the initial
	// states were, and for a depth-first search that did not see everything.
	CompleteDepth int
	// Depth is the largest depth of a state, and Levels the number of states at each
	// depth from 0, Distinct in all (nil for a depth-first search). Where the search ended
	// within a level, the last number is a part of the next one.
	Depth  int
	Levels []uint64
	// OutDegree is the mean number of transitions out of a state.
	OutDegree float64
	// Duration is the time that the search took, and PeakBytes the most memory
	// that states took.
	Duration  time.Duration
	PeakBytes int64
	// Exact says that whole states were compared. Otherwise
	// CollisionProbability is an upper bound of the probability that two
	// states were taken for one, and states missed. Collisions is how often
	// fingerprints agreed where an exact search saw through it.
	Exact                bool
	CollisionProbability float64
	Collisions           uint64
}

// undone is what a report knows of what could still be done.
type undone struct {
	periodic  []string // the timers that are periodic
	resume    string   // how a search on disk that ended early goes on
	reducible string   // what is undecided and could be decided on a reduced system
	files     bool     // the search could go on in files
	seen      int      // to which depth every state of the system that was searched is known
	less      *Report  // of a reduced system whose search ended early
}

// A Finding is the answer to one question.
type Finding struct {
	Property *Property
	Verdict  Verdict
	// Why says what an incomplete search did not see; of a vacuous answer, what
	// never came up.
	Why string
	// Explanation says in words what is the matter at the end of the trace.
	Explanation string
	// Trace is the counterexample, or the witness; nil where there is none.
	Trace *trace.Trace
	// Run is the execution that Trace records.
	Run *trace.Run
	// Shortest says that no trace has fewer steps. It is false after a
	// depth-first search, which does not know, and of runs without end: there it
	// is the way to what is repeated that is shortest.
	Shortest bool

	unseen bool   // undecided, for the search did not see everything
	remedy string // of what is undecided although everything was seen
	known  int    // what is undecided is neither broken nor met in so many steps; -1: nothing is known
}

// A Gap is something that could have run in the setting, and did not.
type Gap struct {
	// Kind is "rule", "message", "action" or "state".
	Kind string
	// Name says which one; for actions and states in words.
	Name string
	// What says what did not happen to it: "never ran".
	What string
	// Action is the name by which Coverage counts an action, empty for others.
	Action string
}

// String returns the gap in words: `rule "answers" never ran`.
func (g Gap) String() string {
	switch g.Kind {
	case "rule":
		return fmt.Sprintf("rule %q %s", g.Name, g.What)
	case "message":
		return fmt.Sprintf("message %s %s", g.Name, g.What)
	}
	return g.Name + " " + g.What
}

// Verdict is the verdict on everything asked: Violated if any property is (or a
// witness was not found), otherwise Incomplete if any is, otherwise Vacuous if any
// is, otherwise Holds.
func (r *Report) Verdict() Verdict {
	verdict := Holds
	for i := range r.Findings {
		switch r.Findings[i].Verdict {
		case Violated, NotFound:
			return Violated
		case Incomplete:
			verdict = Incomplete
		case Vacuous:
			if verdict == Holds {
				verdict = Vacuous
			}
		}
	}
	if r.Why != "" {
		return Incomplete // misuse, which is always asked
	}
	return verdict
}

// Complete reports whether every reachable state was visited that is within Bound.
func (r *Report) Complete() bool {
	return (r.Reason == explore.Complete || r.Reason == explore.CutBySystem) && r.Why == ""
}

// Finding returns the answer to the question of a name, nil if it was not
// asked (of Misuse: if it is not violated).
func (r *Report) Finding(property string) *Finding {
	for i := range r.Findings {
		if r.Findings[i].Property.Name == property {
			return &r.Findings[i]
		}
	}
	return nil
}

// Subject names what was checked: "bully/coulouris".
func (r *Report) Subject() string {
	if r.Variant == "" {
		return r.Algorithm
	}
	return r.Algorithm + "/" + r.Variant
}

// Rate returns distinct and generated states per second.
func (r *Report) Rate() (distinct, generated float64) {
	s := max(r.Duration, time.Microsecond).Seconds()
	return float64(r.Distinct) / s, float64(r.Generated) / s
}

// Gaps lists what could have run in a setting and by the coverage did not:
// rules, kinds of messages and kinds of actions.
func Gaps(c *model.Coverage, s setting.Setting, names model.Names) []Gap {
	gaps := gapsIn(c)
	for _, e := range missed(c, s, names) {
		gaps = append(gaps, Gap{"action", e.who, e.what, e.kind.String()})
	}
	return gaps
}

// gapsIn lists the rules and messages of a protocol that never ran.
func gapsIn(c *model.Coverage) (gaps []Gap) {
	for _, rule := range c.Rules {
		if rule.Times == 0 {
			gaps = append(gaps, Gap{Kind: "rule", Name: rule.Name, What: "never ran"})
		}
	}
	for i, sent := range c.Sent {
		switch received := c.Received[i].Times; {
		case sent.Times == 0 && received == 0:
			gaps = append(gaps, Gap{Kind: "message", Name: sent.Name, What: "was never sent"})
		case received == 0:
			gaps = append(gaps, Gap{Kind: "message", Name: sent.Name, What: "was sent and never received"})
		}
	}
	return gaps
}

// missed lists what was expected of a setting and did not happen.
func missed(c *model.Coverage, s setting.Setting, names model.Names) []expectation {
	return slices.DeleteFunc(expected(s, names), func(e expectation) bool {
		return slices.ContainsFunc(c.Actions, func(a model.Count) bool { return a.Name == e.kind.String() && a.Times > 0 })
	})
}

// An expectation is a kind of action that a setting makes room for, and what
// to say if it does not happen.
type expectation struct {
	kind      model.ActionKind
	who, what string
}

// expected lists the kinds of actions that ought to happen somewhere in the
// states of a setting: those that run a handler, if there is an occasion, and
// the faults for which there is a budget. That mail is dropped, or that time
// passes, says nothing about a protocol.
func expected(s setting.Setting, names model.Names) []expectation {
	cold := s.Start <= setting.ColdInterleaved
	initiators := s.Initiators.Which != setting.These || !s.Initiators.Set.Empty()
	all := []struct {
		room bool
		expectation
	}{
		{s.Start == setting.ColdInterleaved, expectation{model.Boots, "a process", "never booted"}},
		{cold && initiators && s.Initiators.Lazy, expectation{model.Starts, "an initiator", "never began an election"}},
		{len(names.Timers) > 0, expectation{model.Expires, "a timer", "never expired"}},
		{
			s.Detector != setting.DetectorOff &&
				(s.Crashes > 0 || s.Start == setting.CoordinatorDown || s.Cuts > 0 && s.Detector != setting.DetectorPerfect),
			expectation{model.Suspects, "a process", "never acted on a report of the failure detector"},
		},
		{s.Crashes > 0, expectation{model.Crashes, "a process", "never crashed"}},
		{s.Pauses > 0, expectation{model.Pauses, "a process", "never paused"}},
		{s.Restarts > 0, expectation{model.Restarts, "a process", "never restarted"}},
		{s.Joins > 0, expectation{model.Joins, "a process", "never joined"}},
		{s.Losses > 0, expectation{model.Loses, "a message", "was never lost"}},
		{s.Duplications > 0, expectation{model.Duplicates, "a message", "was never duplicated"}},
		{s.Cuts > 0, expectation{model.CutsOff, "the network", "was never cut"}},
		{s.Heals > 0 || s.HealsOwed, expectation{model.Heals, "the network", "never healed"}},
		{s.Suspicions > 0, expectation{model.Misreports, "a process", "never acted on a wrong report of the failure detector"}},
	}
	var out []expectation
	said := make(map[model.ActionKind]bool)
	for _, e := range all {
		if said[e.kind] = true; e.room {
			out = append(out, e.expectation)
		}
	}
	return append(out, faultsIn(s, said)...)
}

// faultsIn lists the faults for which a setting has a budget, except some.
func faultsIn(s setting.Setting, except map[model.ActionKind]bool) (out []expectation) {
	for _, k := range model.ActionKinds() {
		for _, b := range setting.Budgets() {
			if b.Key == k.Budget() && *b.Of(&s) > 0 && !except[k] {
				out = append(out, expectation{k, "a " + k.String(), "never happened"})
			}
		}
	}
	return out
}

// Sampled returns the report, without findings yet, of what saw about so many
// states and not all: walks and hunts.
func Sampled(algorithm, variant string, in setting.Setting, distinct uint64, took time.Duration) *Report {
	return &Report{
		Algorithm: algorithm, Variant: variant, Setting: in, Why: "it saw a sample of the runs",
		Measures: Measures{Reason: explore.Sampled, CompleteDepth: -1, Distinct: distinct, Generated: distinct, Duration: took},
	}
}

// Undecided returns the finding of a property that was not violated, or met, in a
// sample, and why that decides nothing.
func (p *Property) Undecided(why string) Finding {
	return Finding{Property: p, Verdict: Incomplete, Why: why, known: -1}
}
