package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/checker/conform"
	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// A subject is a system with the properties asked of it, as a search takes it.
// The targets of the search are the properties, then one that tells whether
// any state is settled, then misuse.
type subject struct {
	opt      Options
	sys      *model.System
	watched  *model.Watched
	props    []*Property
	startErr error

	// Properties that are decided on the graph, and where in the marks of states
	// their bits begin; labels is nil, and noGraph says why, if none is kept.
	temporal []*Property
	bits     []int
	labels   *model.Labels
	noGraph  string
	stage    *Stage
	quiet    int  // the bit of states in which nothing is enabled but faults, within the bound or beyond; -1 if there is none
	cut      bool // a bound has left transitions out of the graph

	turn *turn // to reduced systems in the middle of the search; nil if there is none
	// The system that is checked, where the one that is searched has a bit of history
	// besides; nil where it is sys.
	origin *model.System

	// The time and the states before, if this is the second search, on disk and
	// without the graph that the first one gave up.
	gaveUp string
	spent  time.Duration
	peak   int64

	before     time.Duration // what searches of reduced systems took before this one
	remembered []*Property   // those whose monitors the system has that is searched

	occasions *occasions
}

// newSubject returns the subject of a stage that keeps no graph.
func newSubject(sys *model.System, opt Options, s *Stage) *subject {
	c := emptySubject(sys, opt, s)
	c.watched = sys.Watched(c.watches()...)
	return c
}

// newGraphSubject returns the subject of a stage that keeps the graph.
func newGraphSubject(sys *model.System, opt Options, s *Stage) (c *subject, err error) {
	c = emptySubject(sys, opt, s)
	watches := c.addTemporal(c.watches())
	if c.quiet = -1; bounded(sys) && len(watches) < maxMarks {
		c.quiet = len(watches)
		watches = append(watches, model.Watch{State: func(v *model.View) bool { return v.Over }, MarkOnly: true})
	}
	if c.labels, err = sys.Labelled(watches...); err == nil {
		c.watched = c.labels.Watched
	}
	return c, err
}

// bounded reports whether a bound may leave states out of a search of a system.
func bounded(sys *model.System) bool {
	return sys.Setting().Capacity > 0 ||
		slices.ContainsFunc(sys.Optional(), func(m model.OptionalMethod) bool { return m.Method == "Beyond" && m.Has })
}

func emptySubject(sys *model.System, opt Options, s *Stage) *subject {
	if opt.Algorithm == "" {
		opt.Algorithm = naming.Unnamed
	}
	return &subject{
		opt: opt, sys: sys, props: s.States, temporal: s.Runs, stage: s,
		occasions: newOccasions(sys.Setting().N, s.properties()...),
	}
}

// watches returns the watches of the properties that states and steps decide,
// and the one for settled states, which looks for the occasions of all as well.
func (c *subject) watches() []model.Watch {
	watches := make([]model.Watch, len(c.props), len(c.props)+1)
	for i, p := range c.props {
		watches[i] = p.Watch()
	}
	return append(watches, c.occasions.watch())
}

// NewExpander returns an expander that watches (explore.System).
func (c *subject) NewExpander() explore.Expander {
	if c.labels != nil {
		return c.labels.NewExpander()
	}
	return c.watched.NewExpander()
}

// Initial yields the initial states (explore.System). A handler that fails
// before there is a state to begin in leaves no run to show: that is an error.
func (c *subject) Initial(yield func(state []byte) bool) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *explore.PanicError:
			panic(r)
		case error:
			c.startErr = fmt.Errorf("no initial state: %w", r)
		default:
			panic(r)
		}
	}()
	c.watched.Initial(yield)
}

// show makes the trace of a hit by executing the system again.
func (c *subject) show(f *Finding, target int, result *explore.Result) error {
	path, err := result.Path(target)
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, c.unsteady(err))
	}
	if path, err = c.watched.Restored(path); err == nil {
		path, err = c.original(path)
	}
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, c.unsteady(err))
	}
	if err := c.showSteps(f, path, 0); err != nil {
		return fmt.Errorf("property %q, %w", f.Property.Name, c.unsteady(err))
	}
	return nil
}

// unsteady returns what is wrong with the handlers of a system one of whose runs
// was seen and cannot be shown; the error itself where nothing is found that is.
func (c *subject) unsteady(err error) error {
	for range probes {
		if culprit := conform.System(c.sys, conform.Thoroughly().Misused()); culprit != nil {
			return fmt.Errorf("a run was found, and cannot be shown, since the handlers are not deterministic: %w", culprit)
		}
	}
	return err
}

// probes is how often handlers are looked at that are not deterministic: they may happen to do
// the same again.
const probes = 20

// given returns the system that is checked.
func (c *subject) given() *model.System {
	if c.origin != nil {
		return c.origin
	}
	return c.sys
}

// showSteps makes the trace of the steps that a search took. From the step of
// number lasso on they repeat without end, unless that is 0.
func (c *subject) showSteps(f *Finding, path []explore.PathStep, lasso int) error {
	run, err := trace.Follow(c.given(), path)
	if err != nil {
		return err
	}
	f.Run = run
	f.Trace = run.Record(trace.Header{
		Algorithm: c.opt.Algorithm, Variant: c.opt.Variant,
		Property: f.Property.Name, Kind: f.Property.traceKind(),
	})
	f.Trace.Lasso = lasso
	f.Explanation = explain(f)
	return f.Trace.Validate()
}

// explain says what is the matter at the end of a trace.
func explain(f *Finding) string {
	if steps := f.Run.Steps; len(steps) > 0 && steps[len(steps)-1].Misuse != "" {
		last := steps[len(steps)-1]
		return trace.ActionText(last.Action) + ": " + last.Misuse
	}
	text := f.Property.ExplainRun(f.Run, f.Trace.Lasso)
	if left := f.Run.Left(); left != "" && text != "" && f.Property.afterAll() {
		text += "; " + left
	}
	return text
}

// took says how long a search took, and of a second one how long each did.
func (c *subject) took(last time.Duration) string {
	text := quantity.Duration(c.before + c.spent + last)
	if c.gaveUp != "" {
		text += fmt.Sprintf(" (%s with liveness, %s without)", quantity.Duration(c.spent), quantity.Duration(last))
	}
	return text
}

// whyIncomplete says what a search did not see; "" where it saw everything, or
// all that it was asked for.
func (c *subject) whyIncomplete(r *explore.Result) string {
	var parts []string
	switch r.Reason {
	case explore.TargetsHit, explore.Reconsidered:
		return ""
	case explore.Complete, explore.CutBySystem:
	case explore.FirstHit:
		parts = append(parts, "the search ended at the first violation (FailFast, --fail-fast)")
	case explore.StateLimit:
		parts = append(parts, "the search ended at the limit of "+quantity.Plural(c.opt.MaxStates, "state"))
	case explore.DepthLimit:
		parts = append(parts, fmt.Sprintf("runs of more than %s steps were not followed", quantity.Count(r.Depth)))
	case explore.ByteLimit:
		parts = append(parts, fmt.Sprintf("the search ended at the limit of %s of memory", quantity.Bytes(c.opt.MaxBytes)))
	case explore.MachineLimit:
		parts = append(parts, fmt.Sprintf("the search ended where too little was left of %s", r.MemoryLimit))
	case explore.TimeLimit:
		parts = append(parts, "the search ended at the limit of time, after "+c.took(r.Duration))
	case explore.Cancelled:
		parts = append(parts, "the search was cancelled")
	case explore.DiskFailure:
		parts = append(parts, fmt.Sprintf("the search ended since the disk failed it: %v", r.DiskError))
	default:
		parts = append(parts, fmt.Sprintf("the search ended early: %s", r.Reason))
	}
	return strings.Join(parts, "; ")
}

// bound says what the bounds of the setting and of the protocol left out of a search; ""
// where that is nothing.
func (c *subject) bound(r *explore.Result) string {
	var parts []string
	for reason := range 64 {
		if r.Cuts>>reason&1 != 0 {
			parts = append(parts, c.watched.CutReason(reason))
		}
	}
	return strings.Join(parts, "; ")
}

// run searches. A system that cannot begin is an error.
func (c *subject) run(ctx context.Context, opt Options) (*explore.Result, error) {
	search := opt.explore(c.watched.Targets(), len(c.props))
	if c.labels != nil {
		search.Graph = true
		search.GraphOptional, search.MaxGraphStates = opt.Disk.Dir == "", opt.MaxGraphStates
	}
	if c.turn != nil {
		search.Reconsider.At = c.turn.beyond
		search.Reconsider.Ask = func(soFar *explore.Result) (explore.Course, error) { return c.turn.reconsider(ctx, c, soFar) }
	}
	search.Progress = c.telling(opt.Progress)
	if opt.FailFast {
		search.StopWhenAny = []int{c.watched.Targets() - 1}
		for i, p := range c.props {
			if !p.kind.witness() {
				search.StopWhenAny = append(search.StopWhenAny, i)
			}
		}
	}
	if opt.Engine != nil && c.labels == nil {
		result, err := c.elsewhere(ctx, search)
		return result, errors.Join(err, c.startErr)
	}
	if opt.Disk.Dir != "" && c.labels == nil {
		search.Disk = opt.Disk
		search.Disk.Identity = c.identity()
	}
	result, err := explore.Search(ctx, c, search)
	return result, errors.Join(err, c.startErr)
}

// telling has the snapshots of a search say what has been found: "uniqueness violated in
// 7 steps", and of several the one with the fewest.
func (c *subject) telling(show func(explore.Progress)) func(explore.Progress) {
	if show == nil {
		return nil
	}
	return func(s explore.Progress) {
		count, best := 0, -1
		for i, p := range c.props {
			if i < len(s.Hits) && s.Hits[i] >= 0 && !p.kind.witness() {
				if count++; best < 0 || s.Hits[i] < s.Hits[best] {
					best = i
				}
			}
		}
		switch {
		case count == 1:
			s.Found = fmt.Sprintf("%s violated in %s", c.props[best].Name, quantity.Plural(s.Hits[best], "step"))
		case count > 1:
			s.Found = fmt.Sprintf("%d violated, %s in %s", count, c.props[best].Name, quantity.Plural(s.Hits[best], "step"))
		}
		show(s)
	}
}
