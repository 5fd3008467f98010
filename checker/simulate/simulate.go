package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Options say how to walk. The zero value makes 10,000 walks at random.
type Options struct {
	// Algorithm and Variant are the names that traces have. An empty Algorithm
	// stands for "protocol".
	Algorithm, Variant string

	// Properties are what to watch for; nil stands for those of checker.Standard that are a question in the
	// system's setting. Those of whole runs are not judged: no walk is one.
	Properties []*checker.Property

	// Seed selects the walks.
	Seed uint64

	// First is the number of the first walk, and Walks how many there are; 0
	// stands for 10,000.
	First, Walks uint64

	// MaxSteps is after how many steps a walk ends, 1 to trace.MaxSteps; 0 stands
	// for 1000. It ends before where nothing can happen.
	MaxSteps int

	// Depth is the number of events whose order a fault takes that PCT is to
	// find: priorities change Depth-1 times on a walk. 0 has walks go at random.
	// At most 16.
	Depth int

	// Workers is the number of goroutines, at most 1024; 0 stands for one per
	// processor. The results are the same for any number.
	Workers int

	// MaxTime ends the walks early, and the shrinking of what they found; 0 is no
	// limit.
	MaxTime time.Duration

	// Progress, where it is not nil, is told now and then how many walks and steps
	// have been made.
	Progress func(walks, steps uint64, elapsed time.Duration)
}

// Limits and defaults of Options.
const (
	DefaultWalks = 10_000
	DefaultSteps = 1000
	maxSteps     = 100_000
	maxDepth     = 16
	maxWorkers   = 1024
)

// walkRound is the number of walks after which workers meet.
const walkRound = 512

func (o Options) filled() (Options, error) {
	switch {
	case o.MaxSteps < 0 || o.MaxSteps > maxSteps:
		return o, fmt.Errorf("simulate: walks of %d steps; want 1 to %d, or 0 for %d", o.MaxSteps, maxSteps, DefaultSteps)
	case o.Depth < 0 || o.Depth > maxDepth:
		return o, fmt.Errorf("simulate: schedules of depth %d; want 1 to %d, or 0 for random ones", o.Depth, maxDepth)
	case o.Workers < 0 || o.Workers > maxWorkers:
		return o, fmt.Errorf("simulate: %d workers; want 1 to %d, or 0 for one per processor", o.Workers, maxWorkers)
	case o.MaxTime < 0:
		return o, fmt.Errorf("simulate: a limit of %v; want a duration, or 0 for no limit", o.MaxTime)
	}
	o.Algorithm = cmp.Or(o.Algorithm, naming.Unnamed)
	o.Walks = cmp.Or(o.Walks, DefaultWalks)
	if o.First+o.Walks < o.First {
		return o, fmt.Errorf("simulate: %d walks from number %d on; their numbers are below 2^64", o.Walks, o.First)
	}
	o.MaxSteps = cmp.Or(o.MaxSteps, DefaultSteps)
	o.Workers = cmp.Or(o.Workers, min(runtime.GOMAXPROCS(0), maxWorkers))
	return o, nil
}

// A Report is what walks found.
type Report struct {
	// Algorithm and Variant are those of the options, and Setting that of the
	// system.
	Algorithm, Variant string
	Setting            setting.Setting
	// Seed, First, MaxSteps and Depth are those of the walks.
	Seed     uint64
	First    uint64
	MaxSteps int
	Depth    int
	// Walks is how many were made to their end, Steps what they took together,
	// and Longest the longest.
	Walks, Steps uint64
	Longest      int
	// Distinct estimates how many different states they saw, within about one
	// percent.
	Distinct uint64
	// Unsettled counts the walks on which processes were not all settled at the
	// end: of these, Stuck can do nothing any more except for faults, and the
	// others met the limit of steps. It says that something is not so within the
	// bound, and nothing about what comes after.
	Unsettled, Stuck uint64
	// Bounded says, once each, why actions were left out.
	Bounded []string
	// Stopped says why fewer walks were made than were asked for; empty if all
	// were.
	Stopped string
	// Duration is how long it took.
	Duration time.Duration
	// Findings are of what was broken, or met, in the order of the properties.
	Findings []*Finding
	// Unbroken are the properties that no walk broke, or met.
	Unbroken []*checker.Property
	// Unjudged are those of whole runs, which walks cannot decide.
	Unjudged []*checker.Property
	// Elections are statistics of what elections take.
	Elections Elections
}

// A Finding is a walk that broke a property, or met it.
type Finding struct {
	checker.Finding
	// Strategy is that of a hunt which it was found by, empty of Run.
	Strategy string
	// Walk is its number, of a hunt among the schedules of the strategy:
	// Options.First, with one walk, has it made again.
	Walk uint64
	// Length is how many steps it took before it was shrunk.
	Length int
	// Times is on how many walks the same happened.
	Times uint64
}

// Run walks through a system. The report has the findings, and says whether the
// walks ended early; an error means that the question is impossible: an option
// out of range, a property that asks a monitor it does not name, or initial
// states that cannot be made.
func Run(ctx context.Context, sys *model.System, opt Options) (r *Report, err error) {
	opt, err = opt.filled()
	if err != nil {
		return nil, err
	}
	s := &simulation{opt: opt, start: time.Now()}
	if err := s.ask(sys); err != nil {
		return nil, err
	}
	if opt.MaxTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.MaxTime, errTime)
		defer cancel()
	}
	s.remake = func(h *hit, target int) (run, error) { return s.newWalker().again(h, target) }
	if err := s.walkAll(ctx); err != nil {
		return nil, err
	}
	if err := s.tell(ctx); err != nil {
		return nil, err
	}
	s.r.Duration = time.Since(s.start)
	return &s.r, nil
}

var errTime = errors.New("the limit of time was met")

// A simulation is what Run does.
type simulation struct {
	opt   Options
	start time.Time
	sys   *model.System
	asked []*checker.Property // what the watches are of
	watch []model.Watch
	best  []hit // of the watches, and of misuse
	seen  sketch
	cuts  uint64 // reasons
	r     Report

	remake func(h *hit, target int) (run, error)       // makes the run of a hit once more
	name   func(h *hit) (strategy string, walk uint64) // says which it was; nil of Run
}

// A hit is a walk that hits a watch.
type hit struct {
	walk  uint64
	depth int // of the step or state that does, in steps
	times uint64
	way   *deviation // of a deviator, how it came there
	lane  int        // of a hunt, which one it was
}

// better reports whether h is to be shown, and not g: a short walk is easier to
// shrink.
func (h *hit) better(g *hit) bool {
	return h.times > 0 && (g.times == 0 || cmp.Or(cmp.Compare(h.depth, g.depth), cmp.Compare(h.walk, g.walk)) < 0)
}

// ask sorts out the properties.
func (s *simulation) ask(sys *model.System) error {
	props := s.opt.Properties
	if props == nil {
		props = checker.InSetting(checker.Standard(), sys.Setting())
	}
	s.r = Report{
		Algorithm: s.opt.Algorithm, Variant: s.opt.Variant, Setting: sys.Setting(),
		Seed: s.opt.Seed, First: s.opt.First, MaxSteps: s.opt.MaxSteps, Depth: s.opt.Depth,
	}
	for _, p := range props {
		switch {
		case p == nil:
			return errors.New("simulate: a property is nil")
		case p == checker.Misuse:
		case p.Temporal():
			s.r.Unjudged = append(s.r.Unjudged, p)
		default:
			s.asked = append(s.asked, p)
			s.watch = append(s.watch, p.Watch())
		}
	}
	s.asked = append(s.asked, checker.Misuse)
	s.best = make([]hit, len(s.asked))
	var err error
	if s.sys, err = checker.Remembered(sys, props...); err != nil {
		return err
	}
	s.r.Elections = newElections(s.sys.Names().Kinds)
	return nil
}

// walkAll makes the walks, in rounds.
func (s *simulation) walkAll(ctx context.Context) error {
	workers := make([]*walker, min(uint64(s.opt.Workers), s.opt.Walks))
	for i := range workers {
		workers[i] = s.newWalker()
	}
	for done := uint64(0); done < s.opt.Walks && s.r.Stopped == ""; {
		last := min(done+walkRound, s.opt.Walks)
		var next atomic.Uint64
		next.Store(done)
		var wg sync.WaitGroup
		for _, w := range workers {
			wg.Go(func() {
				for ctx.Err() == nil && w.err == nil && w.panicked == nil {
					n := next.Add(1) - 1
					if n >= last {
						return
					}
					w.guard(func() { w.walk(ctx, s.opt.First+n) })
				}
			})
		}
		wg.Wait()
		if err := s.gather(workers); err != nil {
			return err
		}
		done = last
		s.r.Stopped = whyStopped(ctx)
		if s.opt.Progress != nil {
			s.opt.Progress(s.r.Walks, s.r.Steps, time.Since(s.start))
		}
	}
	s.r.Distinct = s.seen.estimate()
	s.r.Bounded = model.CutReasons(s.sys, s.cuts)
	return nil
}

// gather adds up what the workers found in a round.
func (s *simulation) gather(workers []*walker) error {
	full := s.r.Elections.Messages.Len() >= maxSamples
	for _, w := range workers {
		if w.err != nil {
			return w.err
		}
		if w.panicked != nil {
			panic(w.panicked)
		}
		for i := range w.hits {
			times := s.best[i].times + w.hits[i].times
			if w.hits[i].better(&s.best[i]) {
				s.best[i] = w.hits[i]
			}
			s.best[i].times, w.hits[i] = times, hit{}
		}
		s.r.Walks += w.walks
		s.r.Steps += w.steps
		s.r.Unsettled += w.unsettled
		s.r.Stuck += w.stuck
		s.r.Longest = max(s.r.Longest, w.longest)
		s.cuts |= w.cuts
		s.r.Elections.add(&w.elections, full)
		w.walks, w.steps, w.unsettled, w.stuck = 0, 0, 0, 0
		s.seen.add(&w.seen)
	}
	s.r.Elections.sort()
	return nil
}

// tell makes findings of what was hit.
func (s *simulation) tell(ctx context.Context) error {
	for i, p := range s.asked {
		h := &s.best[i]
		if h.times == 0 {
			if p != checker.Misuse {
				s.r.Unbroken = append(s.r.Unbroken, p)
			}
			continue
		}
		f, err := s.finding(ctx, i)
		if err != nil {
			return err
		}
		s.r.Findings = append(s.r.Findings, f)
	}
	return nil
}

// Violated reports whether something was broken.
func (r *Report) Violated() bool { return violated(r.Findings) }

func violated(list []*Finding) bool {
	return slices.ContainsFunc(list, func(f *Finding) bool { return f.Verdict == checker.Violated })
}
