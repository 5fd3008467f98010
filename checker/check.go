package checker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// Options say what to check and how far to go. The zero value asks for the
// standard properties of an election and visits every state, breadth first, by
// as many workers as there are processors.
type Options struct {
	// Algorithm and Variant are the names that the report and its traces have.
	// An empty Algorithm stands for "protocol"; Variant may be empty.
	Algorithm, Variant string

	// Properties are the questions, in the order of the report; nil stands for
	// Election(). Misuse is always checked and need not be among them.
	Properties []*Property

	// Order is the order of the search. Depth first takes less memory and one
	// worker, and its traces are not the shortest.
	Order explore.Order

	// Workers is the number of goroutines; 0 stands for one per processor.
	Workers int

	// Exact compares whole states, not fingerprints: several times the memory,
	// and no doubt left.
	Exact bool

	// Exhaustive goes on to the last state although every property is decided,
	// so that the counts are those of the whole scope.
	Exhaustive bool

	// MaxStates, MaxDepth, MaxBytes and MaxTime end the search early; 0 is no
	// limit. They are those of explore.Options.
	MaxStates uint64
	MaxDepth  int
	MaxBytes  int64
	MaxTime   time.Duration

	// Progress, where it is not nil, is called about every ProgressEvery (0
	// stands for a second) while the search runs.
	Progress      func(explore.Snapshot)
	ProgressEvery time.Duration
}

// Check explores a system and decides every property in one search. What it
// finds, and that it ended early, is in the report; an error means that it was
// asked for something impossible: an option out of range, a property that is
// incomplete or there twice, a system of more than model.MaxExhaustive
// processes, one whose initial states cannot be made, or one that is not
// deterministic, so that a run that was seen cannot be shown (TestSystem finds
// out where).
func Check(ctx context.Context, sys *model.System, opt Options) (*Report, error) {
	props, err := opt.properties()
	if err != nil {
		return nil, err
	}
	if n := sys.Setting().N; n > model.MaxExhaustive {
		return nil, fmt.Errorf("n=%d: an exhaustive search takes from 2 to %d processes", n, model.MaxExhaustive)
	}
	c := newCheck(sys, opt, props)
	search := opt.explore(c.watched.Targets(), len(props))
	result, err := explore.Search(ctx, c, search)
	if err = errors.Join(err, c.startErr); err != nil {
		return nil, err
	}
	return c.report(result)
}

// properties returns the properties asked for, without Misuse.
func (o *Options) properties() ([]*Property, error) {
	props := o.Properties
	if props == nil {
		props = Election()
	}
	props = slices.DeleteFunc(slices.Clone(props), func(p *Property) bool { return p == Misuse })
	names := make([]string, len(props))
	for i, p := range props {
		if err := p.validate(); err != nil {
			return nil, err
		}
		if p.Name == Misuse.Name {
			return nil, fmt.Errorf("property %q: the name is taken by the property of that name that is always checked", p.Name)
		}
		names[i] = p.Name
	}
	if twice := repeated(names); len(twice) > 0 {
		return nil, fmt.Errorf("property %q is asked for twice", twice[0])
	}
	return props, nil
}

// explore returns the options of the search, the first asked of whose targets
// are the properties.
func (o *Options) explore(targets, asked int) explore.Options {
	all := make([]int, asked)
	for i := range all {
		all[i] = i
	}
	return explore.Options{
		Order: o.Order, Workers: o.Workers, Exact: o.Exact, Exhaustive: o.Exhaustive,
		Targets: targets, StopWhenAll: all,
		MaxStates: o.MaxStates, MaxDepth: o.MaxDepth, MaxBytes: o.MaxBytes, MaxTime: o.MaxTime,
		Progress: o.Progress, ProgressEvery: o.ProgressEvery,
	}
}

// A check is a system with the properties asked of it, as a search takes it.
// The targets of the search are the properties, then one that tells whether
// any state is settled, then misuse.
type check struct {
	opt      Options
	watched  *model.Watched
	props    []*Property
	startErr error
}

func newCheck(sys *model.System, opt Options, props []*Property) *check {
	watches := make([]model.Watch, len(props), len(props)+1)
	for i, p := range props {
		watches[i] = p.Watch()
	}
	watches = append(watches, model.Watch{State: func(v *model.View) bool { return v.Settled }})
	if opt.Algorithm == "" {
		opt.Algorithm = "protocol"
	}
	return &check{opt: opt, watched: sys.Watched(watches...), props: props}
}

// NewExpander returns an expander that watches (explore.System).
func (c *check) NewExpander() explore.Expander { return c.watched.NewExpander() }

// Initial yields the initial states (explore.System). A handler that fails
// before there is a state to begin in leaves no run to show: that is an error.
func (c *check) Initial(yield func(state []byte) bool) {
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

// report makes the report of a search.
func (c *check) report(result *explore.Result) (*Report, error) {
	why := c.whyIncomplete(result)
	r := newReport(c, result)
	for i, p := range c.props {
		f, err := c.finding(p, i, result, why)
		if err != nil {
			return nil, err
		}
		r.Findings = append(r.Findings, *f)
	}
	misuse, err := c.finding(Misuse, c.watched.Targets()-1, result, why)
	if err != nil {
		return nil, err
	}
	if misuse.Verdict == Violated {
		r.Findings = append(r.Findings, *misuse)
	}
	r.Why = why
	r.Gaps = c.gaps(r, result)
	return r, nil
}

// finding answers one property, which is a target of the search.
func (c *check) finding(p *Property, target int, result *explore.Result, why string) (*Finding, error) {
	f := &Finding{Property: p}
	_, hit := result.Hit(target)
	switch {
	case hit:
		f.Verdict = Violated
		if p.Kind.witness() {
			f.Verdict = Found
		}
		// A level that was abandoned half-way cannot hide a shorter trace: one
		// property is hit by states alone or by steps alone.
		f.Shortest = c.opt.Order == explore.BreadthFirst
		return f, c.show(f, target, result)
	case why != "":
		f.Verdict, f.Why = Incomplete, why
	case p.Kind.witness():
		f.Verdict = NotFound
	default:
		f.Verdict = Holds
	}
	return f, nil
}

// show makes the trace of a hit by executing the system again.
func (c *check) show(f *Finding, target int, result *explore.Result) error {
	path, err := result.Path(target)
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, err)
	}
	run := trace.Begin(c.watched.System, path[0].State)
	for i, step := range path[1:] {
		if err := take(run, step); err != nil {
			return fmt.Errorf("property %q, step %d: %w", f.Property.Name, i+1, err)
		}
	}
	f.Run = run
	f.Trace = run.Record(trace.Header{
		Algorithm: c.opt.Algorithm, Variant: c.opt.Variant,
		Property: f.Property.Name, Kind: f.Property.traceKind(),
	})
	f.Explanation = explain(f)
	return f.Trace.Validate()
}

// take has a run take a step that a search took.
func take(run *trace.Run, step explore.Step) error {
	for _, t := range run.Enabled() {
		if t.Code == step.Action && bytes.Equal(t.Next, step.State) {
			run.Take(t)
			return nil
		}
	}
	return errors.New("the search took a transition that is not there now: the handlers are not deterministic (see TestSystem)")
}

// explain says what is the matter at the end of a trace.
func explain(f *Finding) string {
	if steps := f.Run.Steps; len(steps) > 0 && steps[len(steps)-1].Misuse != "" {
		last := steps[len(steps)-1]
		return trace.ActionText(last.Action) + ": " + last.Misuse
	}
	states := f.Run.States
	return f.Property.Explain(f.Run.System.View(states[len(states)-1]))
}

// whyIncomplete says what a search did not see; "" where it saw everything, or
// all that it was asked for.
func (c *check) whyIncomplete(r *explore.Result) string {
	var parts []string
	switch r.Reason {
	case explore.TargetsHit:
		return ""
	case explore.Complete, explore.CutBySystem:
	case explore.StateLimit:
		parts = append(parts, fmt.Sprintf("the search ended at the limit of %s states", quantity.Count(c.opt.MaxStates)))
	case explore.DepthLimit:
		parts = append(parts, fmt.Sprintf("runs of more than %s steps were not followed", quantity.Count(r.Depth)))
	case explore.ByteLimit:
		parts = append(parts, fmt.Sprintf("the search ended at the limit of %s of memory", quantity.Bytes(c.opt.MaxBytes)))
	case explore.TimeLimit:
		parts = append(parts, fmt.Sprintf("the search ended at the limit of time, after %s", quantity.Duration(r.Duration)))
	case explore.Cancelled:
		parts = append(parts, "the search was cancelled")
	default:
		parts = append(parts, fmt.Sprintf("the search ended early: %s", r.Reason))
	}
	for reason := range 64 {
		if r.Cuts>>reason&1 != 0 {
			parts = append(parts, c.watched.CutReason(reason))
		}
	}
	return strings.Join(parts, "; ")
}
