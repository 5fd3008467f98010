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
	c := newSubject(sys, opt, s)
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
