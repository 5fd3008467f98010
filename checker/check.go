package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/naming"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/setting"
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

	// Reduce says whether properties are decided on a reduced system, and by which
	// reductions; 0 decides all on the system as it is. It is for searches that do
	// not end otherwise: counts of a reduced system are its own.
	Reduce model.Reductions
	// ReduceBeyond, if it is not 0, has Reduce apply only where a search of the
	// system as it is has visited so many states and not ended, where the reduced
	// system has at least four times fewer to the same depth, and where nothing
	// is asked for that a reduction does not have: all properties can be decided on
	// the reduced system, and neither Exhaustive, Exact, MaxDepth nor Disk is set, nor
	// another order than breadth first.
	ReduceBeyond uint64

	// MaxStates, MaxDepth, MaxBytes and MaxTime end the search early; 0 is no
	// limit, and of MaxBytes what the machine has left.
	// They are those of explore.Options.
	MaxStates uint64
	MaxDepth  int
	MaxBytes  int64
	MaxTime   time.Duration

	// Disk is the directory to which a search goes that does not fit in memory,
	// and where its checkpoints are, one every CheckpointEvery (0 stands for five
	// minutes) and one where a limit or the context ends it; empty for none. Resume
	// goes on from there. They are those of explore.Disk. Properties of whole runs
	// are decided in memory all the same, or not at all.
	Disk            string
	Resume          bool
	CheckpointEvery time.Duration

	// MaxGraphStates is how many states the graph of a search may have, which
	// takes 8 bytes for each of its transitions and about 20 for each of its
	// states beside the search. Properties of whole runs are decided on it; where
	// there are more states they stay undecided. 0 stands for
	// DefaultGraphStates.
	MaxGraphStates uint64

	// Progress, where it is not nil, is called about every ProgressEvery (0
	// stands for a second) while the search runs.
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
}

// Check explores a system and decides every property in one search, those of
// whole runs on the graph of all states. (More of these than fit the 64 bits
// that a graph keeps of a state take a search of their own.) What it finds, and
// that it ended early, is in the report; an error means that it was
// asked for something impossible: an option out of range, a property that is
// incomplete or there twice or asks a monitor that it does not name, a system of more than model.MaxExhaustive
// processes, one whose initial states cannot be made, or one that is not
// deterministic, so that a run that was seen cannot be shown (TestSystem finds
// out where).
func Check(ctx context.Context, sys *model.System, opt Options) (r *Report, err error) {
	defer lacksMonitor(&err)
	props, err := opt.properties(sys.Setting())
	if err != nil {
		return nil, err
	}
	if err := sys.Setting().Exhaustive(); err != nil {
		return nil, err
	}
	switch {
	case opt.Reduce == 0:
		return opt.check(ctx, sys, props)
	case opt.ReduceBeyond > 0:
		return opt.beyond(ctx, sys, props)
	}
	return opt.reduce(ctx, sys, props)
}

// reduce decides properties, on a reduced system those that can be.
func (o Options) reduce(ctx context.Context, sys *model.System, props []*Property) (r *Report, err error) {
	small, rest, why, err := reduced(ctx, sys, o, props)
	if err != nil {
		return nil, err
	}
	if small != nil && len(rest) == 0 {
		small.sort(props)
		return small, nil
	}
	if small == nil {
		if r, err = o.check(ctx, sys, rest); err == nil {
			r.Reduction = &Reduction{Refused: why}
		}
		return r, err
	}
	r, err = o.remaining(small.Duration).plainPart().check(ctx, sys, rest)
	if err != nil {
		return nil, err
	}
	if r = small.with(r); r.resume != "" {
		r.resume = o.resumable(r.Reason)
	}
	r.sort(props)
	return r, nil
}

// check decides properties on a system as it is.
func (o Options) check(ctx context.Context, sys *model.System, props []*Property) (r *Report, err error) {
	opt := o
	if sys, err = Remembered(sys, props...); err != nil {
		return nil, err
	}
	all, err := batches(props, sys.Setting().N)
	if err != nil {
		return nil, err
	}
	judging := ctx
	if opt.MaxTime > 0 {
		var cancel context.CancelFunc
		judging, cancel = context.WithTimeout(ctx, opt.MaxTime)
		defer cancel()
	}
	var spent time.Duration
	for i, b := range all {
		if r != nil {
			spent = r.Duration
		}
		c, result, err := explored(ctx, sys, opt.remaining(spent).nth(i, len(all)), b)
		if err != nil {
			return nil, err
		}
		next, err := c.report(judging, result)
		if err = errors.Join(err, result.Close()); err != nil {
			return nil, err
		}
		r = r.and(next)
	}
	r.sort(props)
	return r, nil
}

// and returns the report with the findings of another search.
func (r *Report) and(next *Report) *Report {
	if r == nil {
		return next
	}
	for _, f := range next.Findings {
		if f.Property != Misuse {
			r.Findings = append(r.Findings, f)
		}
	}
	r.Duration += next.Duration
	r.PeakBytes = max(r.PeakBytes, next.PeakBytes)
	r.CompleteDepth = min(r.CompleteDepth, next.CompleteDepth)
	if r.GaveUp == "" {
		r.GaveUp = next.GaveUp
	}
	if r.Why == "" {
		r.Why = next.Why
	}
	return r
}

// sort puts the findings in the order of asking, with Misuse last.
func (r *Report) sort(props []*Property) {
	at := func(f Finding) int {
		i := slices.Index(props, f.Property)
		if i < 0 {
			i = len(props)
		}
		return i
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return at(a) - at(b) })
}

// run searches. A system that cannot begin is an error.
func (c *check) run(ctx context.Context, opt Options) (*explore.Result, error) {
	search := opt.explore(c.watched.Targets(), len(c.props))
	if c.labels != nil {
		search.Graph, search.Exhaustive = true, true
	}
	if opt.Disk != "" && c.labels == nil {
		search.Disk = explore.Disk{Dir: opt.Disk, Identity: c.identity(), Resume: opt.Resume, Every: opt.CheckpointEvery}
	}
	result, err := explore.Search(ctx, c, search)
	return result, errors.Join(err, c.startErr)
}

// properties returns the properties asked for in a setting, without Misuse.
func (o *Options) properties(s setting.Setting) ([]*Property, error) {
	props := o.Properties
	if props == nil {
		props = InSetting(Standard(), s)
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
	return result, c.whyIncomplete(result), nil
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

	// What came before, where the search is the second one, without the graph that
	// the first one gave up.
	gaveUp string
	spent  time.Duration
	peak   int64

	occasions *occasions
}

// newCheck returns the check of a batch of properties that keeps no graph.
func newCheck(sys *model.System, opt Options, b *batch) *check {
	c := emptyCheck(sys, opt, b)
	c.watched = sys.Watched(c.watches()...)
	return c
}

// newGraphCheck returns the check of a batch of properties that keeps the graph.
func newGraphCheck(sys *model.System, opt Options, b *batch) (c *check, err error) {
	c = emptyCheck(sys, opt, b)
	if c.labels, err = sys.Labelled(c.addTemporal(c.watches())...); err == nil {
		c.watched = c.labels.Watched
	}
	return c, err
}

func emptyCheck(sys *model.System, opt Options, b *batch) *check {
	if opt.Algorithm == "" {
		opt.Algorithm = naming.Unnamed
	}
	return &check{
		opt: opt, sys: sys, props: b.plain, temporal: b.temporal,
		occasions: newOccasions(sys.Setting().N, slices.Concat(b.plain, b.temporal)...),
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

// report makes the report of a search.
func (c *check) report(ctx context.Context, result *explore.Result) (*Report, error) {
	why := c.whyIncomplete(result)
	r := newReport(c, result)
	for i, p := range c.props {
		f, err := c.finding(p, i, result, why)
		if err != nil {
			return nil, err
		}
		r.Findings = append(r.Findings, *f)
	}
	for i := range c.temporal {
		f, err := c.decide(ctx, i, result, why)
		if err != nil {
			return nil, err
		}
		r.share(f)
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
		if p.kind.witness() {
			f.Verdict = Found
		}
		// A level that was abandoned half-way cannot hide a shorter trace: one
		// property is hit by states alone or by steps alone.
		f.Shortest = c.opt.Order == explore.BreadthFirst
		return f, c.show(f, target, result)
	case why != "":
		f.Verdict, f.Why, f.known = Incomplete, why, c.completeDepth(result)
		f.within = result.Reason == explore.CutBySystem
	case p.kind.witness():
		f.Verdict = NotFound
	default:
		c.holds(f)
	}
	return f, nil
}

// completeDepth returns to which depth a search is complete: on a reduced system to
// none, since what it leaves out may come in fewer steps.
func (c *check) completeDepth(result *explore.Result) int {
	if c.watched.Reductions() != 0 && !result.Complete() {
		return -1
	}
	return result.CompleteDepth
}

// holds makes a finding one of a property that nothing breaks: it holds, unless
// what it is about never came up.
func (c *check) holds(f *Finding) {
	f.Verdict = Holds
	if f.Why = c.occasions.absent(f.Property); f.Why != "" {
		f.Verdict = Vacuous
	}
}

// show makes the trace of a hit by executing the system again.
func (c *check) show(f *Finding, target int, result *explore.Result) error {
	path, err := result.Path(target)
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, c.unsteady(err))
	}
	if path, err = c.watched.Restored(path); err != nil {
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
	if culprit := testSystem(c.sys, thoroughly.misused()); culprit != nil {
		return fmt.Errorf("a run was found, and cannot be shown, since the handlers are not deterministic: %w", culprit)
	}
	return err
}

// showSteps makes the trace of the steps that a search took. From the step of
// number lasso on they are repeated for ever, unless that is 0.
func (c *check) showSteps(f *Finding, path []explore.PathStep, lasso int) error {
	run, err := trace.Follow(c.sys, path)
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
	return f.Property.ExplainRun(f.Run, f.Trace.Lasso)
}

// took says how long a search took, and of a second one how long each did.
func (c *check) took(last time.Duration) string {
	text := quantity.Duration(c.spent + last)
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
	case explore.TargetsHit:
		return ""
	case explore.Complete, explore.CutBySystem:
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
	for reason := range 64 {
		if r.Cuts>>reason&1 != 0 {
			parts = append(parts, c.watched.CutReason(reason))
		}
	}
	return strings.Join(parts, "; ")
}
