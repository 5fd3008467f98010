package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/model"
)

const (
	// ReduceAuto decides properties of states that say what they read
	// (Property.Reading) on the reduced system, where the setting allows for one,
	// and the others in a search of their own on the system as it is. So do single
	// reductions, which are parts of it.
	ReduceAuto = model.AllReductions

	// DefaultReduceBeyond is a good number of states for Options.ReduceBeyond: a
	// search of as many takes a few seconds.
	DefaultReduceBeyond = 200_000
)

// A Reduction says which verdicts of a report are those of a reduced system.
type Reduction struct {
	// Refused says why nothing was reduced; empty where something was. Left are the
	// properties that were not decided on a reduced system, by the reason, of those that
	// were open.
	Refused string
	Left    []Unreduced
	// Made are the reductions that were made.
	Made model.Reductions
	// Properties are the names of those decided on the reduced system, and
	// Distinct the number of its states that were visited, all of them if Complete
	// is set.
	Properties []string
	Distinct   uint64
	Complete   bool
	// Beyond is the number of states at which the search of the system as it is was
	// given up for the reduced one (Options.ReduceBeyond); 0 if there was none.
	Beyond uint64
	// Alone says that the report has no other search: its counts, and its
	// coverage, which is not all that can run, are of the reduced system.
	Alone bool
}

// Reading returns the property with a list of the values that it and its occasion
// read of states that are not settled; model.ReadsSettled stands for none. A check
// can then decide it on a reduced system (Options.Reduce), if it is one of states. If
// a property reads more, the value may be wrong there, and nobody finds out.
func (p *Property) Reading(r model.Reads) *Property {
	q := *p
	q.reads = r | model.ReadsSettled
	return &q
}

// Blind returns the property, said not to ask about any process by its id: if all
// change places, and with them whom they name, the answer is the same. A check can
// then visit one of the states of an anonymous ring that differ by a rotation, and
// where ids decide nothing (model.Optional) one of those that differ by a permutation.
func (p *Property) Blind() *Property {
	q := *p
	q.blind = true
	return &q
}

// Reducible reports whether the property can be decided on a reduced system.
func (p *Property) Reducible() bool {
	return p.reads != 0 && p.state != nil && !p.kind.temporal() && len(p.monitors) == 0 && (p.given == nil || p.given.step == nil)
}

// payingFactor is how many times fewer states a reduced search has to have for it to
// pay, to some depth or at that depth: each takes several times longer.
const (
	payingFactor = 4
	quarter      = "quarter"
)

// stepsOfATick is how many steps of the system one of whole ticks stands for, at
// least, most of the time.
const stepsOfATick = 3

// saves says why it does not pay to search a reduced system, "" if it does: if it has so
// many times fewer states than the system as it is, to the depth to which a search of that
// has come, or at that depth: the factor grows with the depth, where states have much to
// leave out.
func (o Options) saves(ctx context.Context, sys *model.System, how model.Reduction, soFar *explore.Result) (why string, err error) {
	all := uint64(0)
	for depth, states := range soFar.Levels {
		if depth <= soFar.CompleteDepth {
			all += states
		}
	}
	watched, err := sys.Watched().Reduced(how)
	if err != nil {
		return "", err
	}
	more := fmt.Sprintf("the reduced system (%s) has more than a %s of the states to depth %d; --reduce auto takes it whatever it has",
		strings.Join(watched.Reductions().Names(), ", "), quarter, soFar.CompleteDepth)
	if all < payingFactor || soFar.CompleteDepth < 1 {
		return more, nil
	}
	search := o.explore(watched.Targets(), 0)
	search.StopWhenAll, search.Exhaustive = nil, true
	search.MaxDepth, search.MaxStates = soFar.CompleteDepth, all*2/payingFactor
	if watched.Reductions()&model.WholeTicks != 0 {
		search.MaxDepth, search.MaxStates = max(1, soFar.CompleteDepth/stepsOfATick), all/payingFactor
	}
	result, err := explore.Search(ctx, watched, search)
	if o.turnsInVain(err) {
		how.Only &^= model.Rotations
		return o.saves(ctx, sys, how, soFar)
	}
	if err != nil {
		return "", err
	}
	if err := result.Close(); err != nil {
		return "", err
	}
	switch result.Reason {
	case explore.Complete, explore.CutBySystem, explore.DepthLimit:
		if result.Distinct <= all/payingFactor || len(result.Levels) <= search.MaxDepth ||
			result.Levels[search.MaxDepth] <= soFar.Levels[search.MaxDepth]/payingFactor {
			return "", nil
		}
	case explore.StateLimit:
	default:
		o.before = 0
		return "whether the reduced system has fewer states was not found out: " + (&check{opt: o}).whyIncomplete(result), nil
	}
	return more, nil
}

// vastStates is an estimated number of states from which on a search of the system as it
// is has so little prospect that a reduced one is made whatever it has, and has most of
// the time.
const vastStates = 1e10

// vast reports whether a system seems to have so many states.
func vast(soFar *explore.Result) bool {
	return estimated(soFar.Levels[:min(len(soFar.Levels), soFar.CompleteDepth+1)]) >= vastStates
}

// turnsInVain reports whether a search ended because processes name each other by id,
// and can do without rotations.
func (o Options) turnsInVain(err error) bool {
	var named *model.NamedError
	return errors.As(err, &named) && o.Reduce != model.Rotations
}

// ReductionFor returns the reduction that decides some properties, all of which are
// Reducible.
func ReductionFor(props []*Property) model.Reduction { return reductionOf(props, ReduceAuto) }

// reductionOf returns the reduction for some properties.
func reductionOf(props []*Property, only model.Reductions) model.Reduction {
	blind := !slices.ContainsFunc(props, func(p *Property) bool { return !p.blind })
	return model.Reduction{Reads: readsOf(props), Blind: blind, Only: only}
}

// readsOf returns what properties that say so read of states.
func readsOf(props []*Property) model.Reads {
	reads := model.ReadsSettled
	for _, p := range props {
		reads |= p.reads
	}
	return reads
}

// shortestStates is how many states a search visits for shorter runs than those that a
// reduced search has found.
const shortestStates = 2_000_000

// forShortest returns the search for runs of at most so many steps.
func (o Options) forShortest(targets, wanted, depth int) explore.Options {
	search := o.explore(targets, wanted)
	search.MaxDepth, search.Exhaustive = depth, false
	if search.MaxStates == 0 || search.MaxStates > shortestStates {
		search.MaxStates = shortestStates
	}
	return search
}

// shorten has findings of reduced searches about states show the runs that a search
// without reduction finds, to the depth of those that there are: the shortest. Where
// that search meets a limit, a run stays as it is, perhaps not the shortest.
func shorten(ctx context.Context, sys *model.System, opt Options, r *Report) error {
	s := &Stage{}
	misused, depth := false, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Trace == nil || f.Property.kind.temporal() {
			continue
		}
		depth = max(depth, len(f.Trace.Steps))
		if f.Property == Misuse {
			misused = true
		} else {
			s.States = append(s.States, f.Property)
		}
	}
	if depth == 0 || opt.Order != explore.BreadthFirst {
		return nil
	}
	c := newCheck(sys, opt, s)
	search := opt.forShortest(c.watched.Targets(), len(c.props), depth)
	if misused {
		search.StopWhenAll = append(search.StopWhenAll, c.watched.Targets()-1)
	}
	result, err := explore.Search(ctx, c, search)
	if err != nil {
		return err
	}
	r.Duration += result.Duration
	r.PeakBytes = max(r.PeakBytes, result.PeakBytes)
	for i := range r.Findings {
		f := &r.Findings[i]
		target := slices.Index(c.props, f.Property)
		if f.Property == Misuse {
			target = c.watched.Targets() - 1
		}
		if f.Trace == nil || target < 0 {
			continue
		}
		if _, hit := result.Hit(target); !hit {
			continue
		}
		found, err := c.finding(f.Property, target, result, "")
		if err != nil {
			return err
		}
		*f = *found
	}
	return result.Close()
}

// remaining returns the options of a search after one that took so long.
func (o Options) remaining(spent time.Duration) Options {
	if o.MaxTime > 0 {
		o.MaxTime = max(o.MaxTime-spent, 1)
	}
	return o
}
