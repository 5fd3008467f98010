package simulate

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// HuntOptions say how to hunt. The zero value takes 5,000,000 steps.
type HuntOptions struct {
	// Algorithm, Variant, Properties, Workers and MaxTime are as in Options.
	Algorithm, Variant string
	Properties         []*checker.Property
	Workers            int
	MaxTime            time.Duration

	// Seed selects the schedules.
	Seed uint64

	// Steps is how many steps are taken at most, of all schedules together and
	// without what shrinking takes; 0 stands for 5,000,000. The hunt ends before
	// where all is broken, or met.
	Steps uint64

	// MaxSteps is after how many steps a schedule ends, 1 to trace.MaxSteps; 0
	// stands for 1000.
	MaxSteps int

	// Progress, where it is not nil, is told now and then how many schedules and
	// steps have been made.
	Progress func(schedules, steps uint64, elapsed time.Duration)
}

// DefaultHunt is how many steps a hunt takes at most, by default.
const DefaultHunt = 5_000_000

// firstQuota is how many steps each strategy takes in the first round. A round has
// twice the steps of the one before, up to lastQuota.
const (
	firstQuota = 1 << 12
	lastQuota  = 1 << 17
)

// A HuntReport is what a hunt found, and what it covered. It decides nothing but
// what it found: what no schedule breaks may break nevertheless.
type HuntReport struct {
	// Algorithm and Variant are those of the options, and Setting that of the
	// system.
	Algorithm, Variant string
	Setting            setting.Setting
	// Seed, Budget (HuntOptions.Steps) and MaxSteps are those of the hunt.
	Seed, Budget uint64
	MaxSteps     int
	// Schedules is how many were made, Steps what they took together, and Longest
	// the longest.
	Schedules, Steps uint64
	Longest          int
	// Distinct estimates how many different states they saw, within about one
	// percent.
	Distinct uint64
	// Bounded says, once each, why actions were left out.
	Bounded []string
	// Stopped says why fewer steps were taken than were asked for, other than that
	// nothing was left to hunt for; empty otherwise.
	Stopped string
	// Duration is how long it took.
	Duration time.Duration
	// Strategies are the ways in which schedules were made.
	Strategies []Strategy
	// Findings are of what was broken, or met, in the order of the properties.
	Findings []*Finding
	// Unbroken are the properties that no schedule broke, or met.
	Unbroken []*checker.Property
	// Unjudged are those of whole runs, which schedules cannot decide.
	Unjudged []*checker.Property
}

// A Strategy is a way to make schedules, and its outcome.
type Strategy struct {
	// Name is a word or two, and Text says what it does.
	Name, Text string
	// Schedules and Steps are how many it made and took.
	Schedules, Steps uint64
	// Broke is how many properties it broke or met, whoever was first.
	Broke int
	// Deviates says that schedules deviate from a default. Complete is then the
	// number of deviations up to which all were made, -1 where not even those
	// without any.
	Deviates bool
	Complete int
}

// strategies are what a hunt does, in equal shares.
var strategies = []struct {
	name, text string
	style      style
	depth      int
	order      order
	deviates   bool
}{
	{name: "random", text: "any action"},
	{name: "solo", text: "one process at a time", style: solo},
	{name: "scarce", text: "few messages on their way", style: scarce},
	{name: "prompt", text: "time passes when nothing else can happen", style: prompt},
	{name: "pct-2", text: "priorities that change once", style: byPriority, depth: 2},
	{name: "pct-4", text: "priorities that change three times", style: byPriority, depth: 4},
	{name: "ascending", text: "messages at once, low ids first, and deviations", order: ascending, deviates: true},
	{name: "descending", text: "messages at once, high ids first, and deviations", order: descending, deviates: true},
	{name: "late", text: "messages as late as can be, and deviations", order: late, deviates: true},
	{name: "shuffled", text: "fixed priorities, and deviations", order: shuffled, deviates: true},
}

// A lane follows a strategy.
type lane interface {
	// advance makes schedules until so many steps have been taken, and never
	// more than most. It reports whether there are schedules left.
	advance(ctx context.Context, steps, most uint64) bool
	// counts returns what was counted.
	counts() *tally
	// remake makes the run of a hit once more.
	remake(h *hit, target int) (run, error)
}

func (o HuntOptions) filled() (Options, uint64, error) {
	opt := Options{
		Algorithm: o.Algorithm, Variant: o.Variant, Properties: o.Properties, Seed: o.Seed, MaxSteps: o.MaxSteps,
		Workers: o.Workers, MaxTime: o.MaxTime,
	}
	opt, err := opt.filled()
	return opt, cmp.Or(o.Steps, DefaultHunt), err
}

// A hunt is what Hunt does.
type hunt struct {
	simulation
	lanes  []lane
	active []int // lanes that have schedules left
	left   uint64
}

// Hunt looks for what breaks the properties of a system of which no search sees all
// states. It makes schedules in several ways, cheap and bounded ones; all of them
// are runs of the system. A run that breaks a property is shrunk and replayed. The
// same options find the same, whatever the number of workers, unless time ends it.
// Errors are those of Run.
func Hunt(ctx context.Context, sys *model.System, o HuntOptions) (*HuntReport, error) {
	opt, budget, err := o.filled()
	if err != nil {
		return nil, err
	}
	h := &hunt{simulation: simulation{opt: opt, start: time.Now()}, left: budget}
	if err := h.ask(sys); err != nil {
		return nil, err
	}
	if opt.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.MaxTime, errTime)
		defer cancel()
	}
	h.setOut()
	if err := h.run(ctx, o.Progress); err != nil {
		return nil, err
	}
	if err := h.tell(ctx); err != nil {
		return nil, err
	}
	return h.report(budget), nil
}

// setOut makes the lanes.
func (h *hunt) setOut() {
	for i, y := range strategies {
		if y.deviates {
			h.lanes = append(h.lanes, h.newDeviator(y.order))
		} else {
			h.lanes = append(h.lanes, h.newStroller(uint64(i), y.style, y.depth))
		}
		h.active = append(h.active, i)
	}
	h.remake = func(best *hit, target int) (run, error) { return h.lanes[best.lane].remake(best, target) }
	h.name = func(best *hit) (string, uint64) { return strategies[best.lane].name, best.walk & (1<<laneShift - 1) }
}

// run advances the lanes, in rounds.
func (h *hunt) run(ctx context.Context, progress func(schedules, steps uint64, elapsed time.Duration)) error {
	for quota := uint64(firstQuota); h.r.Stopped == "" && !h.done(); quota = min(2*quota, lastQuota) {
		most := h.left / uint64(max(len(h.active), 1))
		if most == 0 {
			break
		}
		h.round(ctx, min(quota, most), most)
		if err := h.collect(); err != nil {
			return err
		}
		h.r.Stopped = whyStopped(ctx)
		if progress != nil {
			progress(h.r.Walks, h.r.Steps, time.Since(h.start))
		}
	}
	h.r.Distinct = h.seen.estimate()
	h.r.Bounded = model.CutReasons(h.sys, h.cuts)
	return nil
}

// done reports whether all that was asked is broken or met, or no lane has any
// schedules left.
func (h *hunt) done() bool {
	asked := h.best[:len(h.watch)]
	return len(h.active) == 0 || len(asked) > 0 && !slices.ContainsFunc(asked, func(b hit) bool { return b.times == 0 })
}

// round advances each lane that has schedules left.
func (h *hunt) round(ctx context.Context, quota, most uint64) {
	more := make([]bool, len(h.lanes))
	next := make(chan int, len(h.active))
	for _, i := range h.active {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(h.opt.Workers, len(h.active)) {
		wg.Go(func() {
			for i := range next {
				h.lanes[i].counts().guard(func() { more[i] = h.lanes[i].advance(ctx, quota, most) })
			}
		})
	}
	wg.Wait()
	h.active = slices.DeleteFunc(h.active, func(i int) bool { return !more[i] })
}

// collect looks at what all lanes have counted.
func (h *hunt) collect() error {
	before := h.r.Steps
	h.r.Walks, h.r.Steps = 0, 0
	clear(h.best)
	for at, l := range h.lanes {
		t := l.counts()
		if t.panicked != nil {
			panic(t.panicked)
		}
		if t.err != nil {
			return t.err
		}
		for i := range t.hits {
			hit := t.hits[i]
			hit.lane = at
			times := h.best[i].times + hit.times
			if hit.better(&h.best[i]) {
				h.best[i] = hit
			}
			h.best[i].times = times
		}
		h.r.Walks += t.walks
		h.r.Steps += t.steps
		h.r.Longest = max(h.r.Longest, t.longest)
		h.cuts |= t.cuts
		h.seen.add(&t.seen)
	}
	h.left -= h.r.Steps - before
	return nil
}

// report makes the report.
func (h *hunt) report(budget uint64) *HuntReport {
	r := &HuntReport{
		Algorithm: h.r.Algorithm, Variant: h.r.Variant, Setting: h.r.Setting, Seed: h.r.Seed, Budget: budget, MaxSteps: h.r.MaxSteps,
		Schedules: h.r.Walks, Steps: h.r.Steps, Longest: h.r.Longest, Distinct: h.r.Distinct, Bounded: h.r.Bounded, Stopped: h.r.Stopped,
		Duration: time.Since(h.start), Findings: h.r.Findings, Unbroken: h.r.Unbroken, Unjudged: h.r.Unjudged,
	}
	for i, y := range strategies {
		t := h.lanes[i].counts()
		s := Strategy{Name: y.name, Text: y.text, Schedules: t.walks, Steps: t.steps, Deviates: y.deviates}
		for _, hit := range t.hits {
			if hit.times > 0 {
				s.Broke++
			}
		}
		if d, ok := h.lanes[i].(*deviator); ok {
			s.Complete = d.complete()
		}
		r.Strategies = append(r.Strategies, s)
	}
	return r
}

// Violated reports whether something was broken.
func (r *HuntReport) Violated() bool { return violated(r.Findings) }

// whyStopped says why a context is done, empty where it is not.
func whyStopped(ctx context.Context) string {
	switch {
	case ctx.Err() == nil:
		return ""
	case errors.Is(context.Cause(ctx), context.Canceled):
		return "interrupted"
	}
	return context.Cause(ctx).Error()
}

// A stroller is the lane of walks.
type stroller struct {
	*walker
	number uint64
}

// laneShift has the walks of each lane be others.
const laneShift = 56

func (h *hunt) newStroller(number uint64, y style, depth int) *stroller {
	opt := h.opt
	opt.Depth = depth
	w := h.newWalker()
	w.opt, w.plan.style = &opt, y
	return &stroller{w, number}
}

func (s *stroller) counts() *tally { return &s.tally }

func (s *stroller) advance(ctx context.Context, steps, most uint64) bool {
	end, last := s.steps+steps, s.steps+most
	for s.steps < end && ctx.Err() == nil && s.err == nil {
		s.most = int(min(uint64(s.opt.MaxSteps), last-s.steps))
		before := s.steps
		s.walk(ctx, s.number<<laneShift|s.walks)
		s.steps = max(s.steps, before+1) // the beginning is work, too
		s.elections.drop()
	}
	return s.err == nil
}

func (s *stroller) remake(h *hit, target int) (run, error) {
	w := *s.walker
	w.draw = w.answer
	return w.again(h, target)
}
