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

// reducedFirst follows a plan that begins with searches of reduced systems. The system as it
// is comes after them, for the properties that they leave open.
func (pl planner) reducedFirst(ctx context.Context, p *Plan, props []*Property) (r *Report, err error) {
	small, left := (*Report)(nil), p.Unreduced
	if first := slices.DeleteFunc(slices.Clone(p.Stages), func(s *Stage) bool { return s.Reductions == 0 }); len(first) > 0 {
		reduced := pl
		if len(first) < len(p.Stages) {
			reduced.MaxTime -= reduced.MaxTime / 2 // the other half is for what is left
		}
		var open []Unreduced
		if small, open, err = reduced.reduced(ctx, first, nil); err != nil {
			return nil, err
		}
		left = slices.Concat(left, open)
	}
	if small == nil {
		if r, err = pl.unreducedFor(ctx, props, 0); err == nil {
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
	plain := planner{pl.remaining(small.Duration).at(pl.place().Plain()), pl.sys}
	if r, err = plain.unreducedFor(ctx, rest, small.Duration); err != nil {
		return nil, err
	}
	if r = small.with(r); r.resume != "" {
		r.resume = pl.place().Resumable(r.Reason)
	}
	r.sort(props)
	return r, nil
}

// unreducedFor makes the searches of the system as it is that some properties take.
func (pl planner) unreducedFor(ctx context.Context, props []*Property, before time.Duration) (*Report, error) {
	stages, _, err := pl.plain(props)
	if err != nil {
		return nil, err
	}
	return pl.asItIs(ctx, stages, props, before)
}

// reduced searches reduced systems. It returns the findings, nil if there are none, and
// the properties that stay open. soFar is the search of the system as it is, if there is
// one: a reduced system is then searched only if it is smaller, or if that search is vast.
// The shortest runs come last.
func (pl planner) reduced(ctx context.Context, stages []*Stage, soFar *explore.Result) (r *Report, left []Unreduced, err error) {
	begin := time.Now()
	var ends []*endings
	for i, s := range stages {
		one := &reducedStage{Stage: s, opt: pl.remaining(time.Since(begin)), sys: pl.sys, soFar: soFar}
		if one.opt.MaxTime > 0 { // the others have their share
			one.opt.MaxTime = max(1, one.opt.MaxTime/time.Duration(len(stages)-i))
		}
		one.opt.Disk.Dir, one.opt.Disk.Resume = s.Disk, s.resume
		next, err := one.run(ctx)
		if err != nil {
			return nil, nil, err
		}
		left = slices.Concat(left, one.left)
		if next != nil {
			r = r.beside(next)
		}
		if one.ends != nil {
			ends = append(ends, one.ends)
		}
	}
	if r == nil {
		return nil, left, nil
	}
	if err := shorten(ctx, pl.sys, pl.remaining(time.Since(begin)), r); err != nil {
		return nil, nil, err
	}
	for _, e := range ends {
		if err := e.shorten(ctx, pl.remaining(time.Since(begin)), r); err != nil {
			return nil, nil, err
		}
	}
	return r, left, nil
}

// A reducedStage makes one search of a reduced system.
type reducedStage struct {
	*Stage
	opt   Options
	sys   *model.System   // without reduction
	soFar *explore.Result // of the search of the system as it is; nil if there is none
	left  []Unreduced     // what it leaves open
	ends  *endings        // nil if it decides no whole runs
}

// run searches, if that pays, and reports what was found; nil if that is nothing.
func (r *reducedStage) run(ctx context.Context) (*Report, error) {
	if r.believe(); len(r.properties()) == 0 {
		return nil, nil
	}
	if r.soFar != nil && !vast(r.soFar) {
		if why, err := r.saves(ctx, r.reduction(r.opt.Reduce)); err != nil || why != "" {
			r.left = without(r.left, why, r.properties()...)
			return nil, err
		}
	}
	if len(r.Runs) == 0 {
		return r.states(ctx)
	}
	return r.runs(ctx)
}

// believe takes the properties from the stage that cannot be decided there, since what they
// or the protocol declare is false.
func (r *reducedStage) believe() {
	w, err := r.sys.Watched().Reduced(r.reduction(r.opt.Reduce))
	var irreducible *model.IrreducibleError
	if errors.As(err, &irreducible) {
		r.left = without(nil, irreducible.Why, r.properties()...)
		r.Stage = &Stage{}
		return
	}
	believed := *r.Stage
	r.Stage = &believed
	if err != nil || len(r.States) == 0 {
		return
	}
	r.Reductions, r.States = w.Reductions(), slices.Clone(r.States)
	for _, q := range tried(r.sys, r.Reductions&model.Symmetries != 0, slices.Clone(r.States)...) {
		if why := q.refuted(); why != "" && slices.Contains(r.States, q.p) {
			r.left = without(r.left, why, q.p)
			r.States = slices.DeleteFunc(r.States, func(p *Property) bool { return p == q.p })
		}
	}
}

// states decides properties of states on their reduced system.
func (r *reducedStage) states(ctx context.Context) (*Report, error) {
	c := newSubject(r.sys, r.opt, r.Stage)
	var err error
	if c.watched, err = c.watched.Reduced(r.reduction(r.opt.Reduce)); err != nil {
		return nil, err
	}
	result, err := c.run(ctx, r.opt)
	if r.turnsInVain(err) {
		r.opt.Reduce &^= model.Rotations
		return r.states(ctx)
	}
	if err != nil {
		return nil, err
	}
	report, err := c.report(ctx, result)
	if err = errors.Join(err, result.Close()); err != nil {
		return nil, err
	}
	report.noteReduction(c)
	return report, nil
}

// turnsInVain reports whether a search ended because processes name each other by id,
// and can do without rotations.
func (r *reducedStage) turnsInVain(err error) bool {
	var named *model.NamedError
	return errors.As(err, &named) && r.opt.Reduce != model.Rotations
}

// runs decides properties of whole runs, and those that read only the states in which runs
// are over.
func (r *reducedStage) runs(ctx context.Context) (*Report, error) {
	e, err := endingsOf(r.sys, r.opt, r.Stage)
	if err != nil {
		return nil, err
	}
	if err := e.search(ctx); err != nil {
		return nil, err
	}
	report, err := e.report(ctx, e.found)
	if err != nil {
		return nil, err
	}
	found, left, err := e.decide(ctx)
	if err = errors.Join(err, e.found.Close()); err != nil {
		return nil, err
	}
	r.left = slices.Concat(r.left, left)
	for _, f := range found {
		report.share(ctx, f)
		report.Findings = append(report.Findings, *f)
	}
	if len(report.Findings) == 0 {
		return nil, nil
	}
	report.noteReduction(e.subject)
	r.ends = e
	return report, nil
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
func (r *reducedStage) saves(ctx context.Context, how model.Reduction) (why string, err error) {
	soFar := r.soFar
	all := uint64(0)
	for depth, states := range soFar.Levels {
		if depth <= soFar.CompleteDepth {
			all += states
		}
	}
	watched, err := r.sys.Watched().Reduced(how)
	if err != nil {
		return "", err
	}
	more := fmt.Sprintf("the reduced system (%s) has more than a %s of the states to depth %d; --reduce auto takes it whatever it has",
		strings.Join(watched.Reductions().Names(), ", "), quarter, soFar.CompleteDepth)
	if all < payingFactor || soFar.CompleteDepth < 1 {
		return more, nil
	}
	search := r.opt.explore(watched.Targets(), 0)
	search.StopWhenAll, search.Exhaustive = nil, true
	search.MaxDepth, search.MaxStates = soFar.CompleteDepth, all*2/payingFactor
	if watched.Reductions()&model.WholeTicks != 0 {
		search.MaxDepth, search.MaxStates = max(1, soFar.CompleteDepth/stepsOfATick), all/payingFactor
	}
	result, err := explore.Search(ctx, watched, search)
	if r.turnsInVain(err) {
		how.Only &^= model.Rotations
		return r.saves(ctx, how)
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
		return "whether the reduced system has fewer states was not found out: " + (&subject{opt: r.opt}).whyIncomplete(result), nil
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
