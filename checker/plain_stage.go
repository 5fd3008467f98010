package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A plainStage makes one search of the system as it is.
type plainStage struct {
	*Stage
	opt        Options
	given      *model.System // that is checked
	sys        *model.System // the given one with the monitors of all properties
	remembered []*Property
	before     time.Duration // what searches of reduced systems took
	judging    context.Context
}

// asItIs makes the searches of the system as it is, one after the other: for what the report
// of those of reduced systems, if there were any, leaves open.
func (pl planner) asItIs(ctx context.Context, p *Plan, props []*Property, small *Report) (found []part, err error) {
	before, stages := time.Duration(0), p.Stages
	if small != nil {
		if props = slices.DeleteFunc(slices.Clone(props), func(p *Property) bool { return small.Finding(p.Name) != nil }); len(props) == 0 {
			return nil, nil
		}
		before = small.Duration
		pl.Options, pl.at = pl.remaining(before), pl.at.Plain()
	}
	if len(p.reduced()) > 0 {
		if stages, _, err = pl.plain(props); err != nil {
			return nil, err
		}
	}
	sys, err := Remembered(pl.sys, props...)
	if err != nil {
		return nil, err
	}
	judging := ctx
	if pl.MaxTime > 0 {
		var cancel context.CancelFunc
		judging, cancel = context.WithTimeout(ctx, pl.MaxTime)
		defer cancel()
	}
	var spent time.Duration
	known := small.broken()
	for _, s := range stages {
		p := &plainStage{Stage: s, opt: pl.remaining(spent), given: pl.sys, sys: sys, remembered: props, before: before, judging: judging}
		p.opt.Disk.Dir, p.opt.Disk.Resume = s.Disk, s.resume
		p.opt.Progress = besides(known, p.opt.Progress)
		next, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		spent += next.report.Duration
		maps.Copy(known, next.report.broken())
		found = append(found, next)
	}
	return found, nil
}

// run searches, and returns what was found.
func (p *plainStage) run(ctx context.Context) (found part, err error) {
	search := p.inMemory
	if p.Disk != "" {
		search = p.beyondMemory
	}
	s, err := search(ctx)
	if err != nil {
		return part{}, err
	}
	s.before = p.before
	r, err := s.report(p.judging)
	return part{report: r, turned: s.turn}, errors.Join(err, s.Close())
}

// subject returns what the stage searches, which keeps the graph if that is asked for.
func (p *plainStage) subject(graph bool) (sub *subject, err error) {
	if graph {
		sub, err = newGraphSubject(p.sys, p.opt, p.Stage)
	} else {
		sub = newSubject(p.sys, p.opt, p.Stage)
	}
	sub.remembered = p.remembered
	return sub, err
}

// inMemory searches in memory. If the graph gets too large, the search goes on without it.
func (p *plainStage) inMemory(ctx context.Context) (*search, error) {
	sub, err := p.subject(p.Graph)
	if err != nil {
		return nil, err
	}
	if p.Beyond > 0 {
		sub.turn = &turn{given: p.given, beyond: p.Beyond}
	}
	s, err := sub.run(ctx, p.opt)
	if err != nil {
		return nil, err
	}
	switch most := p.opt.MaxGraphStates; s.NoGraph {
	case 0:
		s.noGraph = p.NoGraph
	case explore.StateLimit:
		s.noGraph = fmt.Sprintf("it takes the graph of all states, which is kept for at most %s (MaxGraphStates, --max-graph-states)", quantity.Plural(most, "state"))
		s.gaveUp = fmt.Sprintf("liveness was given up at %s (MaxGraphStates, --max-graph-states)", quantity.Plural(most, "state"))
	case explore.TimeLimit, explore.Cancelled:
		s.noGraph = "all states were seen, and there was no time left to make their graph"
	default:
		s.noGraph = "it takes the graph of all states, which does not fit in memory"
		s.gaveUp = "liveness was given up where the graph of all states took half of the memory"
	}
	return s, nil
}

// beyondMemory searches where Disk says, or an engine. Graphs are in memory: where one gets too
// large, a second search begins, on disk and without it.
func (p *plainStage) beyondMemory(ctx context.Context) (*search, error) {
	sub, err := p.subject(p.Graph)
	if err != nil {
		return nil, err
	}
	opt := p.opt
	if sub.labels == nil {
		s, err := sub.run(ctx, opt)
		s.noGraph = p.NoGraph
		return s, err
	}
	var first *explore.Result
	if !opt.Disk.Resume {
		limited := opt
		limited.MaxStates = opt.graphLimit()
		s, err := sub.run(ctx, limited)
		if err != nil {
			return nil, err
		}
		tooMany := s.Reason == explore.StateLimit && limited.MaxStates != opt.MaxStates
		if !tooMany && s.Reason != explore.ByteLimit && s.Reason != explore.MachineLimit {
			return s, nil
		}
		if opt.Engine == nil {
			if err := opt.Disk.Prepare(); err != nil { // it was there when the check began
				s.Reason, s.DiskError = explore.DiskFailure, err
				return s, nil
			}
		}
		// The second search gets the memory of the first.
		first = &explore.Result{Reason: s.Reason, Duration: s.Duration, PeakBytes: s.PeakBytes}
	}
	return p.withoutGraph(ctx, first)
}

// withoutGraph makes the search on disk after a first one, which kept the graph and got too
// large; nil: that was before the checkpoint from which this one goes on.
func (p *plainStage) withoutGraph(ctx context.Context, first *explore.Result) (*search, error) {
	if first != nil {
		p.opt = p.opt.remaining(first.Duration)
	}
	sub, err := p.subject(false)
	if err != nil {
		return nil, err
	}
	opt := p.opt
	if first != nil {
		opt.Progress = after(first, opt.Progress, "again, without liveness")
	}
	s, err := sub.run(ctx, opt)
	if err != nil {
		return nil, err
	}
	most := quantity.Plural(opt.graphLimit(), "state")
	// A search that is resumed does not know which of the limits it was.
	s.noGraph = fmt.Sprintf("it takes the graph of all states, which is kept for at most %s and in memory alone (MaxGraphStates, --max-graph-states; MaxBytes, --max-bytes)", most)
	s.gaveUp = "liveness was given up where the search left memory"
	if first != nil {
		if opt.Engine != nil && first.Reason == explore.StateLimit {
			s.gaveUp += fmt.Sprintf(", at %s (MaxGraphStates, --max-graph-states)", most)
		}
		s.spent, s.peak = first.Duration, first.PeakBytes
	}
	return s, nil
}
