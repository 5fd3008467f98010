package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/internal/quantity"
)

// maxMarks is how many bits the mark of a state has.
const maxMarks = 64

// DefaultGraphStates is Options.MaxGraphStates of a search on disk where that is 0:
// enough for a graph of about half a gigabyte.
const DefaultGraphStates = 4_000_000

// decide answers a property on the graph of a search.
func (s *search) decide(ctx context.Context, i int) (*Finding, error) {
	p := s.temporal[i]
	why := s.whyIncomplete()
	f := &Finding{Property: p, unseen: why != ""}
	if why == "" {
		f.remedy = s.remedy()
	}
	if _, misused := s.Hit(s.watched.Targets() - 1); misused && why == "" {
		f.remedy, why = "", "a handler does what no world can carry out, and where a run would go on from there cannot be said"
	}
	switch {
	case why != "":
	case s.Cuts != 0 && (s.Graph == nil || s.quiet < 0 || p.kind == kindRecoverability):
		why = "it takes the runs beyond the bound (" + s.bound() + ")"
	case s.Graph == nil:
		why = s.noGraph + s.graphSize()
	}
	if why != "" {
		f.Verdict, f.Why = Incomplete, why
		if s.gaveUp != "" && f.unseen {
			f.Why, f.unseen = s.gaveUp, false
		}
		return f, nil
	}
	if s.opt.Progress != nil {
		s.opt.Progress(explore.Progress{
			Phase: explore.Phase("judging " + p.Name), Distinct: s.Distinct, Generated: s.Generated,
			Depth: s.Depth, Bytes: s.PeakBytes, Elapsed: s.Duration,
		})
	}
	s.holds(f)
	err := s.refute(ctx, f, s.bits[i], s.Graph)
	if errors.Is(err, errBeyond) {
		*f = Finding{Property: p, Verdict: Incomplete, remedy: f.remedy, Why: errBeyond.Error() + " (" + s.bound() + ")"}
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
func (s *search) remedy() string {
	switch {
	case s.Cuts != 0:
		return "raise the bound (capacity, or the protocol's own)"
	case s.opt.Order == explore.DepthFirst:
		return "search breadth first (--order bfs)"
	case s.stage.NoGraph != "":
		return fmt.Sprintf("lower n to %d", outcome.MostProcesses)
	}
	return "raise MaxTime (--max-time; of a test, checker.Within)"
}

// graphSize says how large the graph of a search would have been, where the search
// was on disk since memory did not do.
func (s *search) graphSize() string {
	if s.opt.Disk.Dir == "" || s.Reason != explore.Complete || s.noGraph == "" {
		return ""
	}
	bytes := 8*float64(s.Generated) + 20*float64(s.Distinct)
	return fmt.Sprintf("; that of these %s would take about %s of memory, beside the search", quantity.Plural(s.Distinct, "state"), quantity.Bytes(int64(bytes)))
}

// errBeyond is why a property is undecided within a bound: of a run without end, or with
// an end, the graph does not tell whether it may stay within.
var errBeyond = errors.New("a run that seems to break it has to leave the bound, and what it does there is not known")

// refute makes a finding one of a violation, if there is one in a graph.
func (s *search) refute(ctx context.Context, f *Finding, bit int, g *explore.Graph) error {
	p := f.Property
	switch p.kind {
	case kindRecoverability:
		n, found, err := outcome.OutOfReach(ctx, g, bit)
		if !found || err != nil {
			return err
		}
		f.Shortest = true
		return s.showHops(ctx, f, g, g.PathTo(n), nil)
	case kindOutcome:
		o, err := outcome.Find(ctx, g, bit, s.sys.Setting())
		if o == nil || err != nil {
			return err
		}
		f.Shortest = true
		return s.showHops(ctx, f, g, o.Path(g), nil)
	}
	fairness, err := p.temporal.fairness.On(s.labels)
	if err != nil {
		return err
	}
	var best *liveness.Lasso
	for range p.temporal.ids(s.sys.Setting().N) {
		q := p.query(g, bit)
		if s.Cuts != 0 { // what is owed may have been left out
			q.MayEnd = func(n uint32) bool { return g.Mark(n)>>s.quiet&1 != 0 }
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
	return s.showHops(ctx, f, g, best.Prefix, best.Cycle)
}

// showHops makes the trace of a violation: a path from an initial state, and
// then a loop. It is executed again, and judged, before anybody sees it.
func (s *search) showHops(ctx context.Context, f *Finding, g *explore.Graph, path, cycle []explore.Hop) error {
	steps, err := g.Steps(append(path[:len(path):len(path)], cycle...))
	if err != nil {
		return s.unsteady(err)
	}
	lasso := 0
	if len(cycle) > 0 {
		lasso = len(steps) - len(cycle)
	}
	f.Verdict, f.Why = Violated, ""
	if err := s.showSteps(f, steps, lasso); err != nil {
		return s.unsteady(err)
	}
	err = f.Property.judge(ctx, s.sys, f.Run.States, f.Run.Steps, lasso-1)
	if s.Cuts != 0 && (err != nil || lasso > 0 && s.cuts(f.Run.States[lasso-1:])) {
		return errBeyond
	}
	if cause := ctx.Err(); err != nil && errors.Is(err, cause) {
		return cause
	}
	if err != nil {
		return s.unsteady(fmt.Errorf("the run that the search found is no violation when it is executed again (%w): the handlers are not deterministic (see TestSystem)", err))
	}
	return nil
}

// cuts reports whether the bound leaves out something that can happen in some states:
// a run that stays among them need not be fair to it.
func (s *subject) cuts(states [][]byte) bool {
	x := s.labels.NewExpander()
	return slices.ContainsFunc(states, func(state []byte) bool {
		var out explore.Successors
		x.Expand(state, &out)
		return out.Cuts() != 0
	})
}
