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

// Options say what to check and how far to go. The zero value asks for the
// standard properties of an election and visits every state, breadth first, by
// as many workers as there are processors.
type Options struct {
	// Algorithm and Variant are the names that the report and its traces have.
	// An empty Algorithm stands for "protocol"; Variant may be empty.
	Algorithm, Variant string

	// Properties are the questions, in the order of the report; nil stands for
	// the standard ones in the system's setting (InSetting). Misuse is always checked and need not be among them.
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

	// FailFast ends the search where a property is violated, so that the others stay
	// undecided: breadth first with the states of as many steps.
	FailFast bool

	// Reduce says whether properties are decided on reduced systems, and by which
	// reductions; 0 decides all on the system as it is. Counts of a reduced system are its
	// own.
	Reduce model.Reductions
	// ReduceBeyond, if it is not 0, has the search of the system as it is come first.
	// Where it has visited so many states and not ended, what is open is decided on reduced
	// systems that have at least four times fewer states to the same depth; the search goes
	// on for the rest. It does not turn to reduced systems where Exhaustive, Exact, MaxDepth
	// or Disk is set, or in another order than breadth first.
	ReduceBeyond uint64

	// MaxStates, MaxDepth, MaxBytes and MaxTime end the search early; 0 is no
	// limit, and of MaxBytes what the machine has left.
	// They are those of explore.Options.
	MaxStates uint64
	MaxDepth  int
	MaxBytes  int64
	MaxTime   time.Duration

	// Disk says to which directory a search goes that does not fit in memory, how often it
	// leaves a checkpoint there, and whether it goes on from one; without a Dir it takes
	// memory alone. The check says itself what is searched (Disk.Identity). Properties of
	// whole runs are decided in memory nevertheless, or not at all.
	Disk explore.Disk

	// Engine, if it is not nil, makes the searches beyond memory, with all their files in
	// Disk, which it needs. A search that keeps the graph is made in memory first, as with
	// Disk alone. States do not turn to rotations there.
	Engine Engine

	// MaxGraphStates is how many states the graph of a search may have, which
	// takes 8 bytes for each of its transitions and about 20 for each of its
	// states beside the search. Properties of whole runs are decided on it, if not on a
	// reduced system; where there are more states they stay undecided. 0 stands for as
	// many as half of the memory takes, and with Disk for DefaultGraphStates.
	MaxGraphStates uint64

	// Progress, where it is not nil, is called about every ProgressEvery (0
	// stands for a second) while the search runs.
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
}

// Check explores a system and decides every property in one search, those of
// whole runs on the graph of all states. (More of these than fit the 64 bits
// that a graph keeps of a state take a search of their own.) The report has the findings, and says
// whether the search ended early. An error means that the question is impossible: an option out of
// range, a property that is incomplete, is there twice or asks a monitor that it does not name, a
// system of more than model.MaxExhaustive processes, one whose initial states cannot be made, or
// one that is not deterministic, so that a run that was seen cannot be shown (TestSystem finds out
// where).
func Check(ctx context.Context, sys *model.System, opt Options) (r *Report, err error) {
	defer lacksMonitor(&err)
	props, err := opt.asked(sys)
	if err != nil {
		return nil, err
	}
	if opt.Engine != nil {
		if opt.Disk.Dir == "" || opt.Order != explore.BreadthFirst || opt.Exact {
			return nil, errors.New("checker: an Engine searches breadth first, compares fingerprints, and has its files in Disk")
		}
		opt.Reduce &^= model.Rotations // which a search may have to do without half-way
	}
	release, err := opt.place().Prepare()
	if err != nil {
		return nil, err
	}
	defer release()
	pl := planner{opt, sys}
	plan, err := pl.plan(props)
	if err != nil {
		return nil, err
	}
	if pl.reducesFirst() {
		return pl.reducedFirst(ctx, plan, props)
	}
	r, err = pl.asItIs(ctx, plan.Stages, props, 0)
	if err == nil && opt.Reduce != 0 && r.Reduction == nil {
		r.suggest(pl)
	}
	return r, err
}

// run searches. A system that cannot begin is an error.
func (c *check) run(ctx context.Context, opt Options) (*explore.Result, error) {
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
func (c *check) telling(show func(explore.Progress)) func(explore.Progress) {
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

// asked returns the properties asked of a system, without Misuse.
func (o *Options) asked(sys *model.System) ([]*Property, error) {
	if err := sys.Setting().Exhaustive(); err != nil {
		return nil, err
	}
	props := o.Properties
	if props == nil {
		props = InSetting(Standard(), sys.Setting())
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
	if twice := naming.Repeated(names); len(twice) > 0 {
		return nil, fmt.Errorf("property %q is asked for twice", twice[0])
	}
	return props, nil
}

// Graph explores a system that is labelled within the limits of opt, whose
// properties it leaves alone, and keeps the graph. For passes over it: why says
// what the search did not see, and that a handler does what no network can carry
// out; it is empty where the graph is whole. Errors are those of Check.
func Graph(ctx context.Context, labels *model.Labels, opt Options) (result *explore.Result, why string, err error) {
	if err := labels.Setting().Exhaustive(); err != nil {
		return nil, "", err
	}
	c := &check{opt: opt, labels: labels, watched: labels.Watched}
	if result, err = c.run(ctx, opt); err != nil {
		return nil, "", err
	}
	if _, hit := result.Hit(labels.Targets() - 1); hit {
		return result, "a handler does what no network can carry out (the property misuse)", nil
	}
	why = c.whyIncomplete(result)
	if why == "" {
		why = c.bound(result)
	}
	return result, why, nil
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

// newCheck returns the check of a stage that keeps no graph.
func newCheck(sys *model.System, opt Options, s *Stage) *check {
	c := emptyCheck(sys, opt, s)
	c.watched = sys.Watched(c.watches()...)
	return c
}

// newGraphCheck returns the check of a stage that keeps the graph.
func newGraphCheck(sys *model.System, opt Options, s *Stage) (c *check, err error) {
	c = emptyCheck(sys, opt, s)
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

func emptyCheck(sys *model.System, opt Options, s *Stage) *check {
	if opt.Algorithm == "" {
		opt.Algorithm = naming.Unnamed
	}
	return &check{
		opt: opt, sys: sys, props: s.States, temporal: s.Runs, stage: s,
		occasions: newOccasions(sys.Setting().N, s.properties()...),
	}
}

// watches returns the watches of the properties that states and steps decide,
// and the one for settled states, which looks for the occasions of all as well.
func (c *check) watches() []model.Watch {
	watches := make([]model.Watch, len(c.props), len(c.props)+1)
	for i, p := range c.props {
		watches[i] = p.Watch()
	}
	return append(watches, c.occasions.watch())
}

// NewExpander returns an expander that watches (explore.System).
func (c *check) NewExpander() explore.Expander {
	if c.labels != nil {
		return c.labels.NewExpander()
	}
	return c.watched.NewExpander()
}

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

// show makes the trace of a hit by executing the system again.
func (c *check) show(f *Finding, target int, result *explore.Result) error {
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
func (c *check) unsteady(err error) error {
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

// subject returns the system that is checked.
func (c *check) subject() *model.System {
	if c.origin != nil {
		return c.origin
	}
	return c.sys
}

// showSteps makes the trace of the steps that a search took. From the step of
// number lasso on they repeat without end, unless that is 0.
func (c *check) showSteps(f *Finding, path []explore.PathStep, lasso int) error {
	run, err := trace.Follow(c.subject(), path)
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
func (c *check) took(last time.Duration) string {
	text := quantity.Duration(c.before + c.spent + last)
	if c.gaveUp != "" {
		text += fmt.Sprintf(" (%s with liveness, %s without)", quantity.Duration(c.spent), quantity.Duration(last))
	}
	return text
}

// whyIncomplete says what a search did not see; "" where it saw everything, or
// all that it was asked for.
func (c *check) whyIncomplete(r *explore.Result) string {
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
func (c *check) bound(r *explore.Result) string {
	var parts []string
	for reason := range 64 {
		if r.Cuts>>reason&1 != 0 {
			parts = append(parts, c.watched.CutReason(reason))
		}
	}
	return strings.Join(parts, "; ")
}
