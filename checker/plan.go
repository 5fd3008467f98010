package checker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/internal/outcome"
	"bullyproof/checker/internal/place"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Plan says what a check is going to do: which search decides which property, on what
// system, in which order. It is made from what is asked alone; no search is made for it.
// Checks follow it.
type Plan struct {
	// Algorithm, Variant and Setting are those of the check.
	Algorithm, Variant string
	Setting            setting.Setting
	// Stages are the searches, one after the other. A later one is not asked about a
	// property that an earlier one has decided.
	Stages []*Stage
	// Unreduced are the properties that no reduced system decides, by the reason.
	Unreduced []Unreduced

	opt   Options
	asked int
}

// A Stage is one search of a plan.
type Stage struct {
	// States are the properties that it decides where a state or a step breaks them, and
	// Runs those of whole runs.
	States, Runs []*Property
	// Reductions are those of the system that is searched; 0: it is the system as it is. On
	// a reduced system properties of whole runs are decided where runs are over, and are
	// left open where that does not do.
	Reductions model.Reductions
	// Graph says that the search keeps the graph of all states, on which properties of whole
	// runs are decided. NoGraph says why it does not although there are such properties:
	// they stay undecided.
	Graph   bool
	NoGraph string
	// Beyond, if it is not 0, is the number of states from which on Turns are made, each if
	// its system has many times fewer states. The search then goes on with what they leave
	// open.
	Beyond uint64
	Turns  []*Stage
	// Disk is the directory to which the search goes where it does not fit in memory; empty
	// for none. A search that needs the graph of a reduced system is in memory and ends at
	// Most states where others go to a directory; 0: at those of the check.
	Disk string
	Most uint64

	resume bool
	engine string // where it is made beyond memory; "" for here
}

// Unreduced says why properties are not decided on a reduced system.
type Unreduced struct {
	Properties []string
	Why        string
}

// PlanOf returns the plan of a check. Its errors are those of Check that it takes no
// search to find.
func PlanOf(sys *model.System, opt Options) (*Plan, error) {
	opt.tallies()
	props, err := opt.asked(sys)
	if err != nil {
		return nil, err
	}
	return planner{Options: opt, sys: sys, at: opt.place().Look()}.plan(props)
}

// A planner makes the plan of a check of a system. It searches nothing, and reads no files:
// the place knows which checkpoints there are.
type planner struct {
	Options
	sys *model.System
	at  place.Place
}

func (pl planner) plan(props []*Property) (*Plan, error) {
	if _, err := Remembered(pl.sys, props...); err != nil {
		return nil, err
	}
	p := &Plan{Algorithm: cmp.Or(pl.Algorithm, naming.Unnamed), Variant: pl.Variant, Setting: pl.sys.Setting(), opt: pl.Options, asked: len(props)}
	if pl.reducesFirst() {
		p.Stages, p.Unreduced = pl.reducible(props)
		if len(p.Stages) > 0 {
			if props = slices.DeleteFunc(slices.Clone(props), p.surely); len(props) == 0 {
				return p, nil
			}
			pl.at = pl.at.Plain()
		}
	}
	plain, left, err := pl.plain(props)
	if err != nil {
		return nil, err
	}
	p.Stages = append(p.Stages, plain...)
	switch why := pl.staysPlain(); {
	case pl.Reduce == 0 || pl.reducesFirst():
	case why != "":
		p.Unreduced = []Unreduced{{Properties: namesOf(props), Why: why}}
	default:
		p.Unreduced = left
	}
	return p, nil
}

// reduced returns the searches of reduced systems with which the plan begins.
func (p *Plan) reduced() []*Stage {
	return slices.DeleteFunc(slices.Clone(p.Stages), func(s *Stage) bool { return s.Reductions == 0 })
}

// surely reports whether a reduced stage decides a property, except for limits: of
// whole runs it may leave one open.
func (p *Plan) surely(q *Property) bool {
	return slices.ContainsFunc(p.Stages, func(s *Stage) bool { return slices.Contains(s.States, q) })
}

func namesOf(props []*Property) (names []string) {
	for _, p := range props {
		names = append(names, p.Name)
	}
	return names
}

// properties returns what a stage is to decide.
func (s *Stage) properties() []*Property { return slices.Concat(s.States, s.Runs) }

// reducesFirst reports whether a check begins with reduced systems.
func (pl planner) reducesFirst() bool { return pl.Reduce != 0 && pl.ReduceBeyond == 0 }

// staysPlain says why a check of many states, which is asked to turn to reduced systems,
// does not; "" if it does.
func (pl planner) staysPlain() string {
	why := ""
	switch {
	case pl.Exhaustive:
		why = "Exhaustive (--exhaustive) visits every state of the system as it is"
	case pl.Exact:
		why = "Exact (--exact) compares the states of the system as it is"
	case pl.MaxDepth != 0:
		why = "MaxDepth (--max-depth) counts the steps of the system as it is"
	case pl.Disk.Dir != "":
		why = "a search that may go to Disk (--disk) does not turn to another system"
	case pl.Order != explore.BreadthFirst:
		why = "a search in the order depth first (--order dfs) does not turn to another system"
	default:
		return ""
	}
	return why + "; --reduce auto begins with a reduced one"
}

// unreduced says why a property is decided on no reduced system of a check; "" if it is
// on one, where there is one.
func (pl planner) unreduced(p *Property) string {
	lasting := p.kind.fair()
	switch {
	case p.kind == kindOutcome:
		return "who is named on the way to the end of an election counts, and a reduction leaves such states out"
	case p.kind == kindRecoverability:
		return "what can be reached from each state counts, and a reduction leaves states and actions out"
	case p.step != nil && p.state == nil && !p.kind.temporal():
		return "it is about steps, and a reduction leaves steps out; what is about states can be reduced (Always, Sometimes)"
	case len(p.monitors) > 0:
		return "a monitor is asked, which sees the order of steps, and a reduction changes that; what processes keep in their own state can be asked instead"
	case p.given != nil && p.given.step != nil:
		return "the occasion is a step (GivenStep), and a reduction leaves steps out; where it is a state that can be reduced (Given)"
	case lasting && p.temporal.fairness.Excepts():
		return "the fairness makes exceptions for some steps (Fairness.But), and a reduction leaves steps out"
	case lasting && len(periodic(pl.sys)) > 0:
		return "where a timer is periodic (" + prose.List(periodic(pl.sys)) + ") runs go on without end, and whether they are fair takes the graph of the system as it is"
	case lasting && pl.Order != explore.BreadthFirst:
		return "whether a run can go on without end takes the graph of the reduced system, which a depth-first search (--order dfs) does not keep"
	case !lasting && p.reads == 0:
		return "what it reads of states is not said (Property.Reading)"
	}
	return ""
}

// reducible divides properties into those that searches of reduced systems decide, and
// the rest, with the reasons. Whole runs are decided on the smallest reduced system, where
// settled states alone are read; it also decides properties of states that read no more.
func (pl planner) reducible(props []*Property) (stages []*Stage, left []Unreduced) {
	s := &Stage{}
	for _, p := range props {
		switch why := pl.unreduced(p); {
		case why != "":
			left = without(left, why, p)
		case p.kind.temporal():
			s.Runs = append(s.Runs, p)
		default:
			s.States = append(s.States, p)
		}
	}
	for _, s := range pl.divided(s) {
		made, err := pl.sys.Watched().Reducible(s.reduction(pl.Reduce))
		var irreducible *model.IrreducibleError
		if errors.As(err, &irreducible) {
			left = without(left, irreducible.Why, s.properties()...)
			continue
		}
		s.Reductions = made
		if len(s.Runs) > 0 && pl.Disk.Dir != "" {
			s.Most = pl.graphLimit()
		} else {
			at := pl.at
			if len(s.States) < len(props) {
				at = at.Reduced()
			}
			s.Disk, s.resume, s.engine = at.Dir, at.Resume, pl.engine()
		}
		stages = append(stages, s)
	}
	return stages, left
}

// without adds properties to those that are left, by their reasons.
func without(left []Unreduced, why string, props ...*Property) []Unreduced {
	if len(props) == 0 {
		return left
	}
	i := slices.IndexFunc(left, func(u Unreduced) bool { return u.Why == why })
	if i < 0 {
		i = len(left)
		left = append(left, Unreduced{Why: why})
	}
	left[i].Properties = slices.Concat(left[i].Properties, namesOf(props))
	return left
}

// divided divides the properties of one stage, on reduced systems, into those of two,
// where one system does not do for all, or one may leave memory: the smaller one first.
func (pl planner) divided(s *Stage) []*Stage {
	runs, others := &Stage{Runs: s.Runs}, &Stage{}
	turns := pl.turns(s.States)
	for _, p := range s.States {
		if len(s.Runs) > 0 && p.reads == model.ReadsSettled && !turns && pl.Disk.Dir == "" {
			runs.States = append(runs.States, p)
		} else {
			others.States = append(others.States, p)
		}
	}
	return slices.DeleteFunc([]*Stage{runs, others}, func(s *Stage) bool { return len(s.properties()) == 0 })
}

// turns reports whether some properties of states are decided with symmetries, which
// whole runs are not.
func (pl planner) turns(states []*Property) bool {
	if len(states) == 0 {
		return false
	}
	made, err := pl.sys.Watched().Reducible(reductionOf(states, pl.Reduce))
	return err == nil && made&model.Symmetries != 0
}

// reduction returns how the system of a stage is reduced.
func (s *Stage) reduction(only model.Reductions) model.Reduction {
	if len(s.Runs) > 0 {
		return model.Reduction{Reads: model.ReadsSettled, Only: only &^ model.Symmetries}
	}
	return reductionOf(s.States, only)
}

// plain returns the searches of a system as it is that decide properties, in order:
// one, unless that would take more than 64 marks.
func (pl planner) plain(props []*Property) (all []*Stage, left []Unreduced, err error) {
	n := pl.sys.Setting().N
	all = []*Stage{{}}
	for _, p := range props {
		if !p.kind.temporal() {
			all[0].States = append(all[0].States, p)
		}
	}
	for _, p := range props {
		if !p.kind.temporal() {
			continue
		}
		if own := (&Stage{Runs: []*Property{p}}).marks(n); own > maxMarks && p.kind != kindOutcome {
			return nil, nil, fmt.Errorf("property %q: it asks %d things of each state; %d are possible", p.Name, own-1, maxMarks-1)
		}
		last := all[len(all)-1]
		last.Runs = append(last.Runs, p)
		if len(last.States)+len(last.Runs) > 1 && last.marks(n) > maxMarks {
			last.Runs = last.Runs[:len(last.Runs)-1]
			all = append(all, &Stage{Runs: []*Property{p}})
		}
	}
	for i, s := range all {
		at := pl.at.Nth(i, len(all))
		s.Disk, s.resume, s.engine = at.Dir, at.Resume, pl.engine()
		if len(s.Runs) > 0 {
			s.NoGraph = s.whyNoGraph(n, pl.Order)
			s.Graph = s.NoGraph == ""
		}
		if pl.Reduce != 0 && pl.ReduceBeyond > 0 && len(s.properties()) > 0 && pl.staysPlain() == "" {
			s.Beyond = pl.ReduceBeyond
			turns, more := pl.reducible(s.properties())
			s.Turns, left = turns, slices.Concat(left, more)
		}
	}
	return all, left, nil
}

// engine says where the engine of a check is, "" if it has none.
func (pl planner) engine() string {
	if pl.Engine == nil {
		return ""
	}
	return pl.Engine.Where()
}

// marks returns how many bits a stage takes in the mark of a state.
func (s *Stage) marks(n int) int {
	sum := len(s.States) + 1 // and whether it is settled
	for _, p := range s.Runs {
		sum += len(p.marks(n))
	}
	return sum
}

// whyNoGraph says why a stage cannot keep the graph that it needs, "" if it can.
func (s *Stage) whyNoGraph(n int, order explore.Order) string {
	switch {
	case order == explore.DepthFirst:
		return "it takes the graph of all states, which a depth-first search does not keep"
	case s.marks(n) > maxMarks:
		return fmt.Sprintf("the beliefs of %d processes are more than a graph keeps: of at most %d", n, outcome.MostProcesses)
	}
	return ""
}

// refusal says why some of so many properties are not decided on a reduced system; "" where
// none is left.
func refusal(left []Unreduced, asked int) string { return strings.Join(reasons(left, asked), ". ") }

func reasons(left []Unreduced, asked int) (all []string) {
	for _, u := range left {
		if len(u.Properties) == asked {
			return []string{u.Why}
		}
		all = append(all, fmt.Sprintf("%s, since %s", prose.List(u.Properties), u.Why))
	}
	return all
}
