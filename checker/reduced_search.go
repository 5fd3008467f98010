package checker

import (
	"context"
	"errors"
	"slices"
	"time"

	"bullyproof/explore"
	"bullyproof/model"
)

// A reducedSearch decides properties on reduced systems while the search of the system
// as it is pauses.
type reducedSearch struct {
	given  *model.System
	beyond uint64 // how many states the search visits before; see Stage.Beyond

	report *Report // with what was decided; nil if nothing was
	open   int     // how many properties were open when that was tried
	left   []Unreduced
	over   bool // nothing is left for the other search
}

// reduceFirst follows a plan that begins with searches of reduced systems.
func (o Options) reduceFirst(ctx context.Context, sys *model.System, p *Plan, props []*Property) (r *Report, err error) {
	small, left := (*Report)(nil), p.Unreduced
	if first := slices.DeleteFunc(slices.Clone(p.Stages), func(s *Stage) bool { return s.Reductions == 0 }); len(first) > 0 {
		reduced := o
		if len(first) < len(p.Stages) {
			reduced.MaxTime -= reduced.MaxTime / 2 // the other half is for what is left
		}
		var open []Unreduced
		if small, open, err = reduced.reduced(ctx, sys, first, nil); err != nil {
			return nil, err
		}
		left = slices.Concat(left, open)
	}
	if small == nil {
		if r, err = o.check(ctx, sys, props); err == nil {
			r.Reduction = &Reduction{Left: left, Refused: refusal(left, len(props))}
		}
		return r, err
	}
	small.Reduction.Left = left
	rest := slices.DeleteFunc(slices.Clone(props), func(p *Property) bool { return small.Finding(p.Name) != nil })
	if len(rest) == 0 {
		small.sort(props)
		return small, nil
	}
	o.before = small.Duration
	r, err = o.remaining(small.Duration).at(o.place().Plain()).check(ctx, sys, rest)
	if err != nil {
		return nil, err
	}
	if r = small.with(r); r.resume != "" {
		r.resume = o.place().Resumable(r.Reason)
	}
	r.sort(props)
	return r, nil
}

// reduced searches reduced systems. It returns the findings, nil if there are none, and
// the properties that stay open. soFar is the search of the system as it is, if there is
// one: a reduced system is then searched only if it is smaller, or if that search is vast.
// The shortest runs come last.
func (o Options) reduced(ctx context.Context, sys *model.System, stages []*Stage, soFar *explore.Result) (r *Report, left []Unreduced, err error) {
	begin := time.Now()
	var ends []*endings
	for i, s := range stages {
		opt := o.remaining(time.Since(begin))
		if opt.MaxTime > 0 { // the others have their share
			opt.MaxTime = max(1, opt.MaxTime/time.Duration(len(stages)-i))
		}
		opt.Disk.Dir, opt.Disk.Resume = s.Disk, s.resume
		next, e, open, err := opt.reducedStage(ctx, sys, s, soFar)
		if err != nil {
			return nil, nil, err
		}
		left = slices.Concat(left, open)
		if next != nil {
			r = r.beside(next)
		}
		if e != nil {
			ends = append(ends, e)
		}
	}
	if r == nil {
		return nil, left, nil
	}
	if err := shorten(ctx, sys, o.remaining(time.Since(begin)), r); err != nil {
		return nil, nil, err
	}
	for _, e := range ends {
		if err := e.shorten(ctx, o.remaining(time.Since(begin)), r); err != nil {
			return nil, nil, err
		}
	}
	return r, left, nil
}

// reducedStage makes one of these searches. It also returns one of whole runs.
func (o Options) reducedStage(ctx context.Context, sys *model.System, s *Stage, soFar *explore.Result) (r *Report, e *endings, left []Unreduced, err error) {
	if s, left = o.believed(sys, s); len(s.properties()) == 0 {
		return nil, nil, left, nil
	}
	if soFar != nil && !vast(soFar) {
		why, err := o.saves(ctx, sys, s.reduction(o.Reduce), soFar)
		if err != nil || why != "" {
			return nil, nil, without(left, why, s.properties()...), err
		}
	}
	if len(s.Runs) == 0 {
		r, err = o.reducedStates(ctx, sys, s)
		return r, nil, left, err
	}
	r, e, open, err := o.reducedRuns(ctx, sys, s)
	return r, e, slices.Concat(left, open), err
}

// reducedStates decides properties of states on their reduced system.
func (o Options) reducedStates(ctx context.Context, sys *model.System, s *Stage) (*Report, error) {
	c := newCheck(sys, o, s)
	var err error
	if c.watched, err = c.watched.Reduced(s.reduction(o.Reduce)); err != nil {
		return nil, err
	}
	result, err := c.run(ctx, o)
	if o.turnsInVain(err) {
		o.Reduce &^= model.Rotations
		return o.reducedStates(ctx, sys, s)
	}
	if err != nil {
		return nil, err
	}
	r, err := c.report(ctx, result)
	if err = errors.Join(err, result.Close()); err != nil {
		return nil, err
	}
	r.noteReduction(c)
	return r, nil
}

// reducedRuns decides properties of whole runs, and those that read only the states in
// which runs are over. It also returns the properties that it leaves open.
func (o Options) reducedRuns(ctx context.Context, sys *model.System, s *Stage) (r *Report, e *endings, left []Unreduced, err error) {
	if e, err = endingsOf(sys, o, s); err != nil {
		return nil, nil, nil, err
	}
	if err := e.search(ctx); err != nil {
		return nil, nil, nil, err
	}
	if r, err = e.report(ctx, e.found); err != nil {
		return nil, nil, nil, err
	}
	found, left, err := e.decide(ctx)
	if err = errors.Join(err, e.found.Close()); err != nil {
		return nil, nil, nil, err
	}
	for _, f := range found {
		r.share(ctx, f)
		r.Findings = append(r.Findings, *f)
	}
	if len(r.Findings) == 0 {
		return nil, nil, left, nil
	}
	r.noteReduction(e.check)
	return r, e, left, nil
}

// reconsider decides on reduced systems the properties that the search has left open so
// far, and says how the search goes on.
func (s *reducedSearch) reconsider(ctx context.Context, c *check, soFar *explore.Result) (course explore.Course, err error) {
	hit := func(p *Property) bool {
		_, hit := soFar.Hit(slices.Index(c.props, p))
		return hit
	}
	open := slices.DeleteFunc(slices.Concat(c.props, c.temporal), hit)
	opt := c.opt.remaining(soFar.Duration)
	if opt.MaxTime > 0 { // the rest is for what is left
		if part := opt.MaxTime / 2; vast(soFar) {
			opt.MaxTime -= part / 4
		} else {
			opt.MaxTime = max(1, part)
		}
	}
	opt.Progress = after(soFar, opt.Progress, "reduced")
	stages, left := opt.reducible(s.given, open)
	r, more, err := opt.reduced(ctx, s.given, stages, soFar)
	if err != nil {
		return course, err
	}
	if s.open, s.left = len(open), slices.Concat(left, more); r != nil {
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
	course.Graph = slices.ContainsFunc(c.temporal, func(p *Property) bool { return s.finding(p) == nil })
	course.StopWhenAll = []int{}
	for i, p := range c.props {
		if s.finding(p) == nil {
			course.StopWhenAll = append(course.StopWhenAll, i)
		}
	}
	return course, nil
}

// finding returns the finding on a property, nil if it was not decided.
func (s *reducedSearch) finding(p *Property) *Finding {
	if s == nil || s.report == nil {
		return nil
	}
	return s.report.Finding(p.Name)
}
