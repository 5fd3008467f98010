package checker

import (
	"context"
	"errors"
	"fmt"
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

// asItIs makes searches of the system as it is, which decide properties, one after the
// other. Those of reduced systems took some time before.
func (pl planner) asItIs(ctx context.Context, stages []*Stage, props []*Property, before time.Duration) (r *Report, err error) {
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
	for _, s := range stages {
		if r != nil {
			spent = r.Duration
		}
		p := &plainStage{Stage: s, opt: pl.remaining(spent), given: pl.sys, sys: sys, remembered: props, before: before, judging: judging}
		p.opt.Disk.Dir, p.opt.Disk.Resume = s.Disk, s.resume
		next, err := p.run(ctx)
		if err != nil {
			return nil, err
		}
		r = r.beside(next)
	}
	r.sort(props)
	return r, nil
}

// run searches, and reports what was found.
func (p *plainStage) run(ctx context.Context) (*Report, error) {
	search := p.inMemory
	if p.Disk != "" {
		search = p.onDisk
	}
	c, result, err := search(ctx)
	if err != nil {
		return nil, err
	}
	r, err := c.report(p.judging, result)
	return r, errors.Join(err, result.Close())
}

// subject returns what the stage searches, which keeps the graph if that is asked for.
func (p *plainStage) subject(graph bool) (c *subject, err error) {
	if graph {
		c, err = newGraphSubject(p.sys, p.opt, p.Stage)
	} else {
		c = newSubject(p.sys, p.opt, p.Stage)
		c.noGraph = p.NoGraph
	}
	c.before, c.remembered = p.before, p.remembered
	return c, err
}

// inMemory searches in memory. If the graph gets too large, the search goes on without it.
func (p *plainStage) inMemory(ctx context.Context) (c *subject, result *explore.Result, err error) {
	if c, err = p.subject(p.Graph); err != nil {
		return nil, nil, err
	}
	if p.Beyond > 0 {
		c.turn = &turn{given: p.given, beyond: p.Beyond}
	}
	if result, err = c.run(ctx, p.opt); err != nil {
		return nil, nil, err
	}
	switch most := p.opt.MaxGraphStates; result.NoGraph {
	case 0:
	case explore.StateLimit:
		c.noGraph = fmt.Sprintf("it takes the graph of all states, which is kept for at most %s (MaxGraphStates, --max-graph-states)", quantity.Plural(most, "state"))
		c.gaveUp = fmt.Sprintf("liveness was given up at %s (MaxGraphStates, --max-graph-states)", quantity.Plural(most, "state"))
	case explore.TimeLimit, explore.Cancelled:
		c.noGraph = "all states were seen, and there was no time left to make their graph"
	default:
		c.noGraph = "it takes the graph of all states, which does not fit in memory"
		c.gaveUp = "liveness was given up where the graph of all states took half of the memory"
	}
	return c, result, nil
}

// onDisk searches where Disk says, or an engine. Graphs are in memory: where one gets too
// large, a second search begins, on disk and without it.
func (p *plainStage) onDisk(ctx context.Context) (*subject, *explore.Result, error) {
	c, err := p.subject(p.Graph)
	if err != nil {
		return nil, nil, err
	}
	if c.labels == nil {
		result, err := c.run(ctx, p.opt)
		return c, result, err
	}
	opt := p.opt
	var first *explore.Result
	if !opt.Disk.Resume {
		limited := opt
		limited.MaxStates = opt.graphLimit()
		result, err := c.run(ctx, limited)
		tooMany := result != nil && result.Reason == explore.StateLimit && limited.MaxStates != opt.MaxStates
		if err != nil || !tooMany && result.Reason != explore.ByteLimit && result.Reason != explore.MachineLimit {
			return c, result, err
		}
		if opt.Engine == nil {
			if err := opt.Disk.Prepare(); err != nil { // it was there when the check began
				result.Reason, result.DiskError = explore.DiskFailure, err
				return c, result, nil
			}
		}
		// The second search gets the memory of the first.
		first = &explore.Result{Reason: result.Reason, Duration: result.Duration, PeakBytes: result.PeakBytes}
	}
	return p.withoutGraph(ctx, first)
}

// withoutGraph makes the search on disk after a first one, which kept the graph and got too
// large; nil: that was before the checkpoint from which this one goes on.
func (p *plainStage) withoutGraph(ctx context.Context, first *explore.Result) (*subject, *explore.Result, error) {
	if first != nil {
		p.opt = p.opt.remaining(first.Duration)
	}
	c, err := p.subject(false)
	if err != nil {
		return nil, nil, err
	}
	most := quantity.Plural(p.opt.graphLimit(), "state")
	// A search that is resumed does not know which of the limits it was.
	c.noGraph = fmt.Sprintf("it takes the graph of all states, which is kept for at most %s and in memory alone (MaxGraphStates, --max-graph-states; MaxBytes, --max-bytes)", most)
	c.gaveUp = "liveness was given up where the search left memory"
	opt := p.opt
	if first != nil {
		if opt.Engine != nil && first.Reason == explore.StateLimit {
			c.gaveUp += fmt.Sprintf(", at %s (MaxGraphStates, --max-graph-states)", most)
		}
		c.spent, c.peak = first.Duration, first.PeakBytes
		opt.Progress = after(first, opt.Progress, "again, without liveness")
	}
	result, err := c.run(ctx, opt)
	return c, result, err
}
