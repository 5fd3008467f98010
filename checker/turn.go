package checker

import (
	"context"
	"slices"
	"time"

	"bullyproof/explore"
	"bullyproof/model"
)

// A turn decides properties on reduced systems while the search of the system
// as it is pauses.
type turn struct {
	given  *model.System
	beyond uint64 // how many states the search visits before; see Stage.Beyond

	report *Report // with what was decided; nil if nothing was
	open   int     // how many properties were open when that was tried
	left   []Unreduced
	over   bool // nothing is left for the other search
}

// reconsider decides on reduced systems the properties that the search has left open so
// far, and says how the search goes on.
func (s *turn) reconsider(ctx context.Context, sub *subject, soFar *explore.Result) (course explore.Course, err error) {
	hit := func(p *Property) bool {
		_, hit := soFar.Hit(slices.Index(sub.props, p))
		return hit
	}
	open := slices.DeleteFunc(slices.Concat(sub.props, sub.temporal), hit)
	opt := sub.opt.remaining(soFar.Duration)
	if opt.MaxTime > 0 { // the rest is for what is left
		if part := opt.MaxTime / 2; vast(soFar) {
			opt.MaxTime -= part / 4
		} else {
			opt.MaxTime = max(1, part)
		}
	}
	opt.Progress = sub.tellingAlso(soFar, opt.Progress)
	pl := planner{Options: opt, sys: s.given} // which has no place: a check of one turns to nothing
	stages, left := pl.reducible(open)
	small, err := pl.reduced(ctx, stages, soFar)
	if err != nil {
		return course, err
	}
	r := small.report
	if s.open, s.left = len(open), slices.Concat(left, small.left); r != nil {
		for i := range r.Findings {
			if f := &r.Findings[i]; f.Verdict == Incomplete {
				s.left = without(s.left, "on the reduced system "+r.Why, f.Property)
			}
		}
		r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return f.Verdict == Incomplete })
		s.report = r
	}
	s.over = !slices.ContainsFunc(open, func(p *Property) bool { return s.finding(p) == nil })
	course.Over = s.over
	course.Graph = slices.ContainsFunc(sub.temporal, func(p *Property) bool { return s.finding(p) == nil })
	course.StopWhenAll = []int{}
	for i, p := range sub.props {
		if s.finding(p) == nil {
			course.StopWhenAll = append(course.StopWhenAll, i)
		}
	}
	return course, nil
}

// tellingAlso has the snapshots of searches of reduced systems count from the beginning of the one
// that pauses, and tell what that has found.
func (s *subject) tellingAlso(soFar *explore.Result, show func(explore.Progress)) func(explore.Progress) {
	hits := make([]int, len(s.props))
	for i := range hits {
		hits[i] = -1
		if h, ok := soFar.Hit(i); ok {
			hits[i] = h.Depth
		}
	}
	return besides(s.broken(hits), after(soFar, show, "reduced"))
}

// finding returns the finding on a property, nil if it was not decided.
func (s *turn) finding(p *Property) *Finding {
	if s == nil || s.report == nil {
		return nil
	}
	return s.report.Finding(p.Name)
}

// after has the snapshots of the searches that follow a first one count from the beginning
// of that, and bear a name.
func after(first *explore.Result, show func(explore.Progress), name explore.Phase) func(explore.Progress) {
	if show == nil {
		return nil
	}
	begin := time.Now()
	return func(s explore.Progress) {
		s.Elapsed = first.Duration + time.Since(begin)
		if s.Phase == explore.PhaseSearch {
			s.Phase = name
		}
		show(s)
	}
}
