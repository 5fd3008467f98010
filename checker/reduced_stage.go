package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/model"
)

// reducedFirst makes the searches of reduced systems with which a plan begins, if it does.
func (pl planner) reducedFirst(ctx context.Context, p *Plan) (part, error) {
	first := p.reduced()
	if len(first) == 0 {
		return part{left: p.Unreduced}, nil
	}
	if len(first) < len(p.Stages) {
		pl.MaxTime -= pl.MaxTime / 2 // the other half is for what is left
	}
	found, err := pl.reduced(ctx, first, nil)
	found.left = slices.Concat(p.Unreduced, found.left)
	return found, err
}

// reduced searches reduced systems. soFar is the search of the system as it is, if there is
// one: a reduced system is then searched only if it is smaller, or if that search is vast.
// The shortest runs come last.
func (pl planner) reduced(ctx context.Context, stages []*Stage, soFar *explore.Result) (all part, err error) {
	begin := time.Now()
	var found []part
	known := make(map[string]int)
	for i, s := range stages {
		one := &reducedStage{Stage: s, opt: pl.remaining(time.Since(begin)), sys: pl.sys, soFar: soFar}
		if one.opt.MaxTime > 0 { // the others have their share
			one.opt.MaxTime = max(1, one.opt.MaxTime/time.Duration(len(stages)-i))
		}
		one.opt.Disk.Dir, one.opt.Disk.Resume = s.Disk, s.resume
		one.opt.Progress = besides(known, one.opt.Progress)
		next, err := one.run(ctx)
		if err != nil {
			return part{}, err
		}
		all.left = slices.Concat(all.left, next.left)
		found = append(found, next)
		maps.Copy(known, next.report.broken())
	}
	if all.report = together(found); all.report == nil {
		return all, nil
	}
	if err := shorten(ctx, pl.sys, pl.remaining(time.Since(begin)), all.report); err != nil {
		return part{}, err
	}
	for _, p := range found {
		if p.ends == nil {
			continue
		}
		if err := p.ends.shorten(ctx, pl.remaining(time.Since(begin)), all.report); err != nil {
			return part{}, err
		}
	}
	return all, nil
}

// remaining returns the options of a search after one that took so long.
func (o Options) remaining(spent time.Duration) Options {
	if o.MaxTime > 0 {
		o.MaxTime = max(o.MaxTime-spent, 1)
	}
	return o
}

// A reducedStage makes one search of a reduced system.
type reducedStage struct {
	*Stage
	opt   Options
	sys   *model.System   // without reduction
	soFar *explore.Result // of the search of the system as it is; nil if there is none
}

// run searches, if that pays, and returns what was found.
func (r *reducedStage) run(ctx context.Context) (part, error) {
	left := r.believe()
	if len(r.properties()) == 0 {
		return part{left: left}, nil
	}
	if r.soFar != nil && !vast(r.soFar) {
		if why, err := r.saves(ctx, r.reduction(r.opt.Reduce)); err != nil || why != "" {
			return part{left: without(left, why, r.properties()...)}, err
		}
	}
	search := r.states
	if len(r.Runs) > 0 {
		search = r.runs
	}
	found, err := search(ctx)
	found.left = slices.Concat(left, found.left)
	return found, err
}

// believe takes the properties from the stage that cannot be decided there, since what they
// or the protocol declare is false, and returns them.
func (r *reducedStage) believe() (left []Unreduced) {
	w, err := r.sys.Watched().Reduced(r.reduction(r.opt.Reduce))
	var irreducible *model.IrreducibleError
	if errors.As(err, &irreducible) {
		left = without(nil, irreducible.Why, r.properties()...)
		r.Stage = &Stage{}
		return left
	}
	believed := *r.Stage
	r.Stage = &believed
	if err != nil || len(r.States) == 0 {
		return nil
	}
	r.Reductions, r.States = w.Reductions(), slices.Clone(r.States)
	for _, q := range tried(r.sys, r.Reductions&model.Symmetries != 0, slices.Clone(r.States)...) {
		if why := q.refuted(); why != "" && slices.Contains(r.States, q.p) {
			left = without(left, why, q.p)
			r.States = slices.DeleteFunc(r.States, func(p *Property) bool { return p == q.p })
		}
	}
	return left
}

// states decides properties of states on their reduced system.
func (r *reducedStage) states(ctx context.Context) (found part, err error) {
	sub := newSubject(r.sys, r.opt, r.Stage)
	if sub.watched, err = sub.watched.Reduced(r.reduction(r.opt.Reduce)); err != nil {
		return part{}, err
	}
	s, err := sub.run(ctx, r.opt)
	if r.turnsInVain(err) {
		r.opt.Reduce &^= model.Rotations
		return r.states(ctx)
	}
	if err != nil {
		return part{}, err
	}
	report, err := s.report(ctx)
	if err = errors.Join(err, s.Close()); err != nil {
		return part{}, err
	}
	report.noteReduction(sub.watched.Reductions())
	return part{report: report}, nil
}

// noteReduction has a report of a reduced system say so.
func (r *Report) noteReduction(made model.Reductions) {
	r.Reduction = &Reduction{Made: made, Properties: r.answered(), Distinct: r.Distinct, Complete: r.Complete(), Alone: true}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Shortest = f.Trace != nil && len(f.Trace.Steps) == 0
	}
	// It is unknown what never ran, and known whether a state is settled.
	r.Gaps = slices.DeleteFunc(r.Gaps, func(g Gap) bool { return g.Kind != "state" })
}

// turnsInVain reports whether a search ended because processes name each other by id,
// and can do without rotations.
func (r *reducedStage) turnsInVain(err error) bool {
	var named *model.NamedError
	return errors.As(err, &named) && r.opt.Reduce != model.Rotations
}

// runs decides properties of whole runs, and those that read only the states in which runs
// are over.
func (r *reducedStage) runs(ctx context.Context) (part, error) {
	e, err := endingsOf(r.sys, r.opt, r.Stage)
	if err != nil {
		return part{}, err
	}
	if err := e.search(ctx); err != nil {
		return part{}, err
	}
	report, err := e.found.report(ctx)
	if err != nil {
		return part{}, err
	}
	found, left, err := e.decide(ctx)
	if err = errors.Join(err, e.found.Close()); err != nil {
		return part{}, err
	}
	for _, f := range found {
		report.share(ctx, f)
		report.Findings = append(report.Findings, *f)
	}
	if len(report.Findings) == 0 {
		return part{left: left}, nil
	}
	report.noteReduction(e.watched.Reductions())
	return part{report: report, left: left, ends: e}, nil
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
	limits := r.opt.explore(watched.Targets(), 0)
	limits.StopWhenAll, limits.Exhaustive = nil, true
	limits.MaxDepth, limits.MaxStates = soFar.CompleteDepth, all*2/payingFactor
	if watched.Reductions()&model.WholeTicks != 0 {
		limits.MaxDepth, limits.MaxStates = max(1, soFar.CompleteDepth/stepsOfATick), all/payingFactor
	}
	result, err := explore.Search(ctx, watched, limits)
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
		if result.Distinct <= all/payingFactor || len(result.Levels) <= limits.MaxDepth ||
			result.Levels[limits.MaxDepth] <= soFar.Levels[limits.MaxDepth]/payingFactor {
			return "", nil
		}
	case explore.StateLimit:
	default:
		return "whether the reduced system has fewer states was not found out: " + (&search{subject: &subject{opt: r.opt}, Result: result}).whyIncomplete(), nil
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
