package checker

import (
	"context"
	"slices"

	"bullyproof/explore"
	"bullyproof/model"
)

// shortestStates is how many states a search visits for shorter runs than those that a
// reduced search has found.
const shortestStates = 2_000_000

// forShortest returns the search for runs of at most so many steps.
func (o Options) forShortest(targets, wanted, depth int) explore.Options {
	how := o.explore(targets, wanted)
	how.MaxDepth, how.Exhaustive = depth, false
	if how.MaxStates == 0 || how.MaxStates > shortestStates {
		how.MaxStates = shortestStates
	}
	return how
}

// shorten has findings of reduced searches about states show the runs that a search
// without reduction finds, to the depth of those that there are: the shortest. Where
// that search meets a limit, a run stays as it is, perhaps not the shortest.
func shorten(ctx context.Context, sys *model.System, opt Options, r *Report) error {
	stage := &Stage{}
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
			stage.States = append(stage.States, f.Property)
		}
	}
	if depth == 0 || opt.Order != explore.BreadthFirst {
		return nil
	}
	sub := newSubject(sys, opt, stage)
	how := opt.forShortest(sub.watched.Targets(), len(sub.props), depth)
	if misused {
		how.StopWhenAll = append(how.StopWhenAll, sub.watched.Targets()-1)
	}
	result, err := explore.Search(ctx, sub, how)
	if err != nil {
		return err
	}
	s := &search{subject: sub, Result: result}
	r.Duration += result.Duration
	r.PeakBytes = max(r.PeakBytes, result.PeakBytes)
	for i := range r.Findings {
		f := &r.Findings[i]
		target := slices.Index(sub.props, f.Property)
		if f.Property == Misuse {
			target = sub.watched.Targets() - 1
		}
		if f.Trace == nil || target < 0 {
			continue
		}
		if _, hit := s.Hit(target); !hit {
			continue
		}
		found, err := s.finding(f.Property, target)
		if err != nil {
			return err
		}
		*f = *found
	}
	return result.Close()
}
