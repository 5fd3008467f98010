package checker

import (
	"context"
	"errors"
	"fmt"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// maxMarks is how many bits the mark of a state has.
const maxMarks = 64

// DefaultGraphStates is Options.MaxGraphStates where that is 0: enough for a
// graph of about half a gigabyte.
const DefaultGraphStates = 4_000_000

// A batch is what one search decides.
type batch struct {
	plain    []*Property // by its targets
	temporal []*Property // on its graph
}

// marks returns how many bits the batch takes in the mark of a state.
func (b *batch) marks(n int) int {
	sum := len(b.plain) + 1 // and whether it is settled
	for _, p := range b.temporal {
		sum += len(p.marks(n))
	}
	return sum
}

// batches divides properties into as few searches as there have to be, in order:
// one, unless that would take more than 64 marks.
func batches(props []*Property, n int) ([]*batch, error) {
	all := []*batch{{}}
	for _, p := range props {
		if !p.kind.temporal() {
			all[0].plain = append(all[0].plain, p)
		}
	}
	for _, p := range props {
		if !p.kind.temporal() {
			continue
		}
		if own := (&batch{temporal: []*Property{p}}).marks(n); own > maxMarks && p.kind != kindOutcome {
			return nil, fmt.Errorf("property %q: it asks %d things of each state; %d are possible", p.Name, own-1, maxMarks-1)
		}
		last := all[len(all)-1]
		last.temporal = append(last.temporal, p)
		if len(last.plain)+len(last.temporal) > 1 && last.marks(n) > maxMarks {
			last.temporal = last.temporal[:len(last.temporal)-1]
			all = append(all, &batch{temporal: []*Property{p}})
		}
	}
	return all, nil
}

// newTemporal adds to the watches of a check those of the properties that are
// decided on its graph.
func (c *check) addTemporal(watches []model.Watch) []model.Watch {
	for _, p := range c.temporal {
		c.bits = append(c.bits, len(watches))
		for _, m := range p.marks(c.sys.Setting().N) {
			watches = append(watches, model.Watch{State: m, MarkOnly: true})
		}
	}
	return watches
}

// whyNoGraph says why a check cannot keep the graph that it needs, "" if it can.
func whyNoGraph(sys *model.System, opt *Options, b *batch) string {
	n := sys.Setting().N
	switch {
	case opt.Order == explore.DepthFirst:
		return "it takes the graph of all states, which a depth-first search does not keep"
	case b.marks(n) > maxMarks:
		return fmt.Sprintf("the beliefs of %d processes are more than a graph keeps: of at most %d", n, mostOutcomes)
	}
	return ""
}

// explored runs the search that decides a batch of properties. Where the graph
// gets too large, it searches again without.
func explored(ctx context.Context, sys *model.System, opt Options, b *batch) (*check, *explore.Result, error) {
	why := ""
	var first *explore.Result
	if len(b.temporal) > 0 {
		why = whyNoGraph(sys, &opt, b)
	}
	if why == "" && len(b.temporal) > 0 && opt.Resume && opt.Disk != "" {
		why = tooManyStates(opt.graphLimit())
	}
	if len(b.temporal) > 0 && why == "" {
		c, err := newGraphCheck(sys, opt, b)
		if err != nil {
			return nil, nil, err
		}
		limited := opt
		limited.MaxStates = opt.graphLimit()
		result, err := c.run(ctx, limited)
		tooMany := result != nil && result.Reason == explore.StateLimit && limited.MaxStates != opt.MaxStates
		if err != nil || !tooMany && !opt.beyondMemory(result.Reason) {
			return c, result, err
		}
		if why = tooManyStates(limited.MaxStates); !tooMany {
			why = "it takes the graph of all states, which does not fit in memory"
		}
		// What the first search has in memory is for the second one.
		if first = (&explore.Result{Reason: result.Reason, Duration: result.Duration, PeakBytes: result.PeakBytes}); opt.MaxTime > 0 {
			opt.MaxTime = max(opt.MaxTime-result.Duration, 1)
		}
	}
	c := newCheck(sys, opt, b)
	c.noGraph = why
	if first != nil {
		c.gaveUp = fmt.Sprintf("liveness was given up at %s (MaxGraphStates, --max-graph-states)", quantity.Plural(opt.graphLimit(), "state"))
		if first.Reason != explore.StateLimit {
			c.gaveUp = "liveness was given up where memory was full"
		}
		c.spent, c.peak = first.Duration, first.PeakBytes
		opt.Progress = afterwards(opt.Progress, first)
	}
	result, err := c.run(ctx, opt)
	return c, result, err
}

// tooManyStates says why there is no graph of a search that met its limit.
func tooManyStates(limit uint64) string {
	return fmt.Sprintf("it takes the graph of all states, which is kept for at most %s (MaxGraphStates, --max-graph-states)", quantity.Plural(limit, "state"))
}

// afterwards has the snapshots of a second search count from the beginning of the
// first one, which gave liveness up.
func afterwards(show func(explore.Progress), first *explore.Result) func(explore.Progress) {
	if show == nil {
		return nil
	}
	return func(s explore.Progress) {
		s.Elapsed += first.Duration
		if s.Phase == explore.PhaseSearch {
			s.Phase = "again, without liveness"
		}
		show(s)
	}
}

// graphLimit returns the limit on states of a search that keeps the graph.
func (o *Options) graphLimit() uint64 {
	limit := o.MaxGraphStates
	if limit == 0 {
		limit = DefaultGraphStates
	}
	if o.MaxStates > 0 {
		limit = min(limit, o.MaxStates)
	}
	return limit
}

// decide answers a property on the graph of a search.
func (c *check) decide(ctx context.Context, i int, result *explore.Result, why string) (*Finding, error) {
	p := c.temporal[i]
	f := &Finding{Property: p, unseen: why != ""}
	if _, misused := result.Hit(c.watched.Targets() - 1); misused && why == "" {
		why = "a handler does what no world can carry out, and where a run would go on from there cannot be said"
	}
	if why == "" && result.Graph == nil {
		why = c.noGraph + c.graphSize(result)
	}
	if why != "" {
		f.Verdict, f.Why = Incomplete, why
		if c.gaveUp != "" && f.unseen {
			f.Why, f.unseen = c.gaveUp, false
		}
		return f, nil
	}
	if c.opt.Progress != nil {
		c.opt.Progress(explore.Progress{
			Phase: explore.Phase("judging " + p.Name), Distinct: result.Distinct, Generated: result.Generated,
			Depth: result.Depth, Bytes: result.PeakBytes, Elapsed: result.Duration,
		})
	}
	c.holds(f)
	err := c.refute(ctx, f, c.bits[i], result.Graph)
	if cause := ctx.Err(); err != nil && cause != nil && errors.Is(err, cause) {
		f.Verdict, f.Why = Incomplete, "the graph was there, and the time to look through it was not"
		return f, nil
	}
	if err != nil {
		err = fmt.Errorf("property %q: %w", p.Name, err)
	}
	return f, err
}

// refute makes a finding one of a violation, if there is one in a graph.
func (c *check) refute(ctx context.Context, f *Finding, bit int, g *explore.Graph) error {
	p := f.Property
	switch p.kind {
	case kindRecoverability:
		if n, found := outOfReach(g, bit); found {
			f.Shortest = true
			return c.showHops(f, g, g.PathTo(n), nil)
		}
		return nil
	case kindOutcome:
		o, err := outcomes(ctx, g, bit, c.sys.Setting())
		if o == nil || err != nil {
			return err
		}
		f.Shortest = true
		return c.showHops(f, g, o.path(g), nil)
	}
	fairness, err := p.temporal.fairness.on(c.labels)
	if err != nil {
		return err
	}
	var best *explore.Lasso
	for range p.temporal.ids(c.sys.Setting().N) {
		q := p.query(g, bit)
		q.Fairness = fairness
		bit += p.temporal.width()
		l, err := g.FindLasso(ctx, q)
		if err != nil {
			return err
		}
		if l != nil && (best == nil || len(l.Prefix)+len(l.Cycle) < len(best.Prefix)+len(best.Cycle)) {
			best = l
		}
	}
	if best == nil {
		return nil
	}
	return c.showHops(f, g, best.Prefix, best.Cycle)
}

// showHops makes the trace of a violation: a path from an initial state, and
// what is repeated for ever after that. It is executed again, and judged, before
// anybody sees it.
func (c *check) showHops(f *Finding, g *explore.Graph, path, cycle []explore.Hop) error {
	steps, err := g.Steps(append(path[:len(path):len(path)], cycle...))
	if err != nil {
		return c.unsteady(err)
	}
	lasso := 0
	if len(cycle) > 0 {
		lasso = len(steps) - len(cycle)
	}
	f.Verdict, f.Why = Violated, ""
	if err := c.showSteps(f, steps, lasso); err != nil {
		return c.unsteady(err)
	}
	if err := f.Property.judge(c.sys, f.Run.States, f.Run.Steps, lasso-1); err != nil {
		return c.unsteady(fmt.Errorf("the run that the search found is no violation when it is executed again (%w): the handlers are not deterministic (see TestSystem)", err))
	}
	return nil
}

// ExplainRun says what is the matter with a run that breaks the property: one
// that is over, or goes on for ever with the step of number lasso. It is empty
// where the property has no words for it.
func (p *Property) ExplainRun(run *trace.Run, lasso int) string {
	end := len(run.States) - 1
	if p.kind == kindOutcome {
		return explainOutcome(run)
	}
	if p.tell != nil && p.step != nil && end > 0 {
		said := ""
		w := model.Watch{Step: func(e *model.Event) bool {
			said = p.tell(e)
			return true
		}}
		w.HitsStep(run.System, run.States[end-1], &run.Steps[end-1])
		return said
	}
	if !p.kind.fair() || p.temporal.say == nil {
		return p.Explain(run.System.View(run.States[end]))
	}
	loop := lasso - 1
	if loop < 0 {
		loop = end
	}
	for _, id := range p.temporal.ids(run.System.Setting().N) {
		if p.breaks(run.System, run.States, loop, id) {
			return p.temporal.say(run.System.View(run.States[end]), id)
		}
	}
	return ""
}

// share has a finding show the run of another one of the report, where that is
// as long and shows the same: a reader has one run less to read.
func (r *Report) share(f *Finding) {
	if f.Trace == nil || f.Trace.Lasso > 0 {
		return
	}
	for i := range r.Findings {
		g := &r.Findings[i]
		if g.Trace == nil || g.Trace.Lasso > 0 || len(g.Trace.Steps) != len(f.Trace.Steps) || g.Property.kind.witness() ||
			f.Property.judge(g.Run.System, g.Run.States, g.Run.Steps, -1) != nil {
			continue
		}
		t := *g.Trace
		t.Header = f.Trace.Header
		f.Trace, f.Run = &t, g.Run
		f.Explanation = explain(f)
		return
	}
}
