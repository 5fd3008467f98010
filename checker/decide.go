package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/model"
	"bullyproof/trace"
)

// maxMarks is how many bits the mark of a state has.
const maxMarks = 64

// DefaultGraphStates is Options.MaxGraphStates of a search on disk where that is 0:
// enough for a graph of about half a gigabyte.
const DefaultGraphStates = 4_000_000

// addTemporal adds to the watches of a check those of the properties that are
// decided on its graph.
func (c *subject) addTemporal(watches []model.Watch) []model.Watch {
	for _, p := range c.temporal {
		c.bits = append(c.bits, len(watches))
		for _, m := range p.marks(c.sys.Setting().N) {
			watches = append(watches, model.Watch{State: m, MarkOnly: true})
		}
	}
	return watches
}

// decide answers a property on the graph of a search.
func (c *subject) decide(ctx context.Context, i int, result *explore.Result, why string) (*Finding, error) {
	p := c.temporal[i]
	f := &Finding{Property: p, unseen: why != ""}
	if why == "" {
		f.remedy = c.remedy(result)
	}
	if _, misused := result.Hit(c.watched.Targets() - 1); misused && why == "" {
		f.remedy, why = "", "a handler does what no world can carry out, and where a run would go on from there cannot be said"
	}
	switch {
	case why != "":
	case result.Cuts != 0 && (result.Graph == nil || c.quiet < 0 || p.kind == kindRecoverability):
		why = "it takes the runs beyond the bound (" + c.bound(result) + ")"
	case result.Graph == nil:
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
	c.cut = result.Cuts != 0
	err := c.refute(ctx, f, c.bits[i], result.Graph)
	if errors.Is(err, errBeyond) {
		*f = Finding{Property: p, Verdict: Incomplete, remedy: f.remedy, Why: errBeyond.Error() + " (" + c.bound(result) + ")"}
		return f, nil
	}
	if cause := ctx.Err(); err != nil && cause != nil && errors.Is(err, cause) {
		f.Verdict, f.Why = Incomplete, "the graph was there, and the time to look through it was not"
		return f, nil
	}
	if err != nil {
		err = fmt.Errorf("property %q: %w", p.Name, err)
	}
	return f, err
}

// remedy says what would decide a property of whole runs that is undecided although the
// search has ended.
func (c *subject) remedy(result *explore.Result) string {
	switch {
	case result.Cuts != 0:
		return "raise the bound (capacity, or the protocol's own)"
	case c.opt.Order == explore.DepthFirst:
		return "search breadth first (--order bfs)"
	case c.stage.NoGraph != "":
		return fmt.Sprintf("lower n to %d", outcome.MostProcesses)
	}
	return "raise MaxTime (--max-time; of a test, go test -timeout)"
}

// errBeyond is why a property is undecided within a bound: of a run without end, or with
// an end, the graph does not tell whether it may stay within.
var errBeyond = errors.New("a run that seems to break it has to leave the bound, and what it does there is not known")

// refute makes a finding one of a violation, if there is one in a graph.
func (c *subject) refute(ctx context.Context, f *Finding, bit int, g *explore.Graph) error {
	p := f.Property
	switch p.kind {
	case kindRecoverability:
		n, found, err := outcome.OutOfReach(ctx, g, bit)
		if !found || err != nil {
			return err
		}
		f.Shortest = true
		return c.showHops(ctx, f, g, g.PathTo(n), nil)
	case kindOutcome:
		o, err := outcome.Find(ctx, g, bit, c.sys.Setting())
		if o == nil || err != nil {
			return err
		}
		f.Shortest = true
		return c.showHops(ctx, f, g, o.Path(g), nil)
	}
	fairness, err := p.temporal.fairness.On(c.labels)
	if err != nil {
		return err
	}
	var best *liveness.Lasso
	for range p.temporal.ids(c.sys.Setting().N) {
		q := p.query(g, bit)
		if c.cut { // what is owed may have been left out
			q.MayEnd = func(n uint32) bool { return g.Mark(n)>>c.quiet&1 != 0 }
		}
		q.Fairness = fairness
		bit += p.temporal.width()
		l, err := liveness.FindLasso(ctx, g, q)
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
	return c.showHops(ctx, f, g, best.Prefix, best.Cycle)
}

// showHops makes the trace of a violation: a path from an initial state, and
// then a loop. It is executed again, and judged, before anybody sees it.
func (c *subject) showHops(ctx context.Context, f *Finding, g *explore.Graph, path, cycle []explore.Hop) error {
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
	err = f.Property.judge(ctx, c.sys, f.Run.States, f.Run.Steps, lasso-1)
	if c.cut && (err != nil || lasso > 0 && c.cuts(f.Run.States[lasso-1:])) {
		return errBeyond
	}
	if cause := ctx.Err(); err != nil && errors.Is(err, cause) {
		return cause
	}
	if err != nil {
		return c.unsteady(fmt.Errorf("the run that the search found is no violation when it is executed again (%w): the handlers are not deterministic (see TestSystem)", err))
	}
	return nil
}

// cuts reports whether the bound leaves out something that can happen in some states:
// a run that stays among them need not be fair to it.
func (c *subject) cuts(states [][]byte) bool {
	x := c.labels.NewExpander()
	return slices.ContainsFunc(states, func(state []byte) bool {
		var out explore.Successors
		x.Expand(state, &out)
		return out.Cuts() != 0
	})
}

// ExplainRun says what is the matter with a run that breaks the property: one
// that is over, or repeats from the step of number lasso on. It is empty where
// the property has no words for it.
func (p *Property) ExplainRun(run *trace.Run, lasso int) string {
	end := len(run.States) - 1
	if p.kind == kindOutcome {
		return outcome.Explain(run)
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
