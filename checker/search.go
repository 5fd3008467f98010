package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A search is one that was made of a subject, with what it found.
type search struct {
	*subject
	*explore.Result

	noGraph string        // why it kept no graph, where properties of whole runs were asked
	before  time.Duration // what searches of reduced systems took before this one

	// The time and the memory of a first search, if this is the second one, without the
	// graph that the first one gave up, and the reason.
	gaveUp string
	spent  time.Duration
	peak   int64
}

// run searches. A system that cannot begin is an error.
func (s *subject) run(ctx context.Context, opt Options) (*search, error) {
	how := opt.explore(s.watched.Targets(), len(s.props))
	if s.labels != nil {
		how.Graph = true
		how.GraphOptional, how.MaxGraphStates = opt.Disk.Dir == "", opt.MaxGraphStates
	}
	if s.turn != nil {
		how.Reconsider.At = s.turn.beyond
		how.Reconsider.Ask = func(soFar *explore.Result) (explore.Course, error) { return s.turn.reconsider(ctx, s, soFar) }
	}
	how.Progress = s.telling(opt.Progress)
	s.growing = newGrowing(s.watched.System, opt)
	how.Inspect = s.growing.look
	if opt.Values {
		s.valued = new(valued)
	}
	s.tallying = newTallying(opt.Tallies)
	if opt.FailFast {
		how.StopWhenAny = []int{s.watched.Targets() - 1}
		for i, p := range s.props {
			if !p.kind.witness() {
				how.StopWhenAny = append(how.StopWhenAny, i)
			}
		}
	}
	by := s.inMemory
	switch beyond := opt.Disk.Dir != "" && s.labels == nil; { // graphs are in memory
	case beyond && opt.Engine != nil:
		by = s.elsewhere
	case beyond:
		by = s.onDisk
	}
	result, err := by(ctx, opt, how)
	return &search{subject: s, Result: result}, errors.Join(err, s.startErr)
}

func (s *subject) inMemory(ctx context.Context, _ Options, how explore.Options) (*explore.Result, error) {
	return explore.Search(ctx, s, how)
}

// onDisk goes to a directory when memory is full.
func (s *subject) onDisk(ctx context.Context, opt Options, how explore.Options) (*explore.Result, error) {
	how.Disk = opt.Disk
	how.Disk.Identity = s.identity()
	return explore.Search(ctx, s, how)
}

// telling has the snapshots of a search say what has been found: "uniqueness violated in
// 7 steps", and of several the one with the fewest; and what grows most.
func (s *subject) telling(show func(explore.Progress)) func(explore.Progress) {
	if show == nil {
		return nil
	}
	return func(now explore.Progress) {
		now.Broken = s.broken(now.Hits)
		now.Found = violated(now.Broken)
		if all := s.growing.growths(); len(all) > 0 {
			now.Growing = all[0].String()
		}
		show(now)
	}
}

// broken returns the steps to each property that is violated by the hits of a search.
func (s *subject) broken(hits []int) map[string]int {
	list := make(map[string]int)
	for i, p := range s.props {
		if i < len(hits) && hits[i] >= 0 && !p.kind.witness() {
			list[p.Name] = hits[i]
		}
	}
	return list
}

// violated says which properties are violated: "uniqueness violated in 7 steps", and of several
// the one with the fewest.
func violated(broken map[string]int) string {
	best := ""
	for _, name := range slices.Sorted(maps.Keys(broken)) {
		if best == "" || broken[name] < broken[best] {
			best = name
		}
	}
	switch len(broken) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s violated in %s", best, quantity.Plural(broken[best], "step"))
	}
	return fmt.Sprintf("%d violated, %s in %s", len(broken), best, quantity.Plural(broken[best], "step"))
}

// besides has the snapshots of a search tell also what searches before it have found.
func besides(before map[string]int, show func(explore.Progress)) func(explore.Progress) {
	if show == nil || len(before) == 0 {
		return show
	}
	before = maps.Clone(before) // which grows for the searches after this one
	return func(now explore.Progress) {
		all := maps.Clone(before)
		maps.Copy(all, now.Broken)
		now.Broken, now.Found = all, violated(all)
		show(now)
	}
}

// broken returns the steps to each property that a report has as violated.
func (r *Report) broken() map[string]int {
	list := make(map[string]int)
	if r == nil {
		return list
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict == Violated && f.Trace != nil {
			list[f.Property.Name] = len(f.Trace.Steps)
		}
	}
	return list
}

// identity says what is searched, for checkpoints: a search goes on only
// from one of its own. The states with which it begins stand for how states are
// encoded.
func (s *subject) identity() string {
	subject := s.opt.Algorithm
	if s.opt.Variant != "" {
		subject += "/" + s.opt.Variant
	}
	const some = 1000
	hash, n := xxh3.New(), 0
	s.watched.System.Initial(func(state []byte) bool {
		_, _ = hash.Write(state) // a hasher does not fail
		n++
		return n < some
	})
	reduced := ""
	if r := s.watched.Reductions(); r != 0 {
		reduced = fmt.Sprintf("; reduced by %s, reading %d", strings.Join(r.Names(), ","), s.watched.Reads())
	}
	return fmt.Sprintf("%s, %s; %s; exhaustive=%t%s; layout %016x", subject, s.watched.Setting(), strings.Join(namesOf(s.props), " "), s.opt.Exhaustive, reduced, hash.Sum64())
}

// report returns the report of this search alone.
func (s *search) report(ctx context.Context) (r *Report, err error) {
	r = s.newReport()
	for i, p := range s.props {
		f := s.turn.finding(p)
		if _, hit := s.Hit(i); f == nil || hit {
			if f, err = s.finding(p, i); err != nil {
				return nil, err
			}
		}
		r.Findings = append(r.Findings, *f)
	}
	for i, p := range s.temporal {
		f := s.turn.finding(p)
		if f == nil {
			if f, err = s.decide(ctx, i); err != nil {
				return nil, err
			}
		}
		r.share(ctx, f)
		r.Findings = append(r.Findings, *f)
	}
	misuse, err := s.finding(Misuse, s.watched.Targets()-1)
	if err != nil {
		return nil, err
	}
	if misuse.Verdict == Violated {
		r.Findings = append(r.Findings, *misuse)
	}
	r.Gaps = s.gaps(r)
	return r, nil
}

func (s *search) newReport() *Report {
	r := &Report{
		Algorithm: s.opt.Algorithm, Variant: s.opt.Variant, Setting: s.watched.Setting(),
		Why: s.whyIncomplete(), Bound: s.bound(), GaveUp: s.gaveUp, Optional: s.sys.Optional(), Coverage: s.watched.Coverage(),
		Measures: Measures{
			Reason: s.Reason, Order: s.opt.Order, Workers: s.opt.workers(),
			Distinct: s.Distinct, Generated: s.Generated, CompleteDepth: s.completeDepth(),
			Depth: s.Depth, Levels: s.Levels, OutDegree: s.OutDegree(),
			Duration: s.spent + s.Duration, PeakBytes: max(s.peak, s.PeakBytes),
			Exact: s.Exact, CollisionProbability: s.CollisionProbability(), Collisions: s.Collisions,
		},
		undone: undone{
			periodic: periodic(s.sys), resume: s.opt.place().Resumable(s.Reason), seen: s.CompleteDepth,
			files: s.opt.Disk.Dir == "" && s.opt.Order == explore.BreadthFirst && !s.opt.Exact,
		},
	}
	if r.Why != "" {
		r.Growth = s.growing.growths()
	}
	r.Values, r.Tallies = s.valued.values(), s.tallying.tallied()
	return r
}

// finding answers one property, which is a target of the search.
func (s *search) finding(p *Property, target int) (*Finding, error) {
	f, why := &Finding{Property: p}, s.whyIncomplete()
	_, hit := s.Hit(target)
	switch {
	case hit:
		f.Verdict = Violated
		if p.kind.witness() {
			f.Verdict = Found
		}
		// A level that was abandoned half-way cannot hide a shorter trace: one
		// property is hit by states alone or by steps alone.
		f.Shortest = s.opt.Order == explore.BreadthFirst
		return f, s.show(f, target)
	case why != "":
		f.Verdict, f.Why, f.known = Incomplete, why, s.completeDepth()
	case p.kind.witness():
		f.Verdict = NotFound
	default:
		s.holds(f)
		if p.step != nil && f.Verdict == Holds && s.OutDegree() == 0 {
			f.Verdict, f.Why = Vacuous, "a step"
		}
	}
	return f, nil
}

// holds makes a finding one of a property that nothing breaks: it holds, unless
// what it is about never came up.
func (s *subject) holds(f *Finding) {
	f.Verdict = Holds
	if f.Why = s.occasions.absent(f.Property); f.Why != "" {
		f.Verdict = Vacuous
	}
}

// whyIncomplete says what a search did not see; "" where it saw everything, or
// all that it was asked for.
func (s *search) whyIncomplete() string {
	switch s.Reason {
	case explore.TargetsHit, explore.Reconsidered, explore.Complete, explore.CutBySystem:
		return ""
	case explore.FirstHit:
		return "the search ended at the first violation (FailFast, --fail-fast)"
	case explore.StateLimit:
		return "the search ended at the limit of " + quantity.Plural(s.opt.MaxStates, "state")
	case explore.DepthLimit:
		return fmt.Sprintf("runs of more than %s steps were not followed", quantity.Count(s.Depth))
	case explore.ByteLimit:
		return fmt.Sprintf("the search ended at the limit of %s of memory", quantity.Bytes(s.opt.MaxBytes))
	case explore.MachineLimit:
		return fmt.Sprintf("the search ended where too little was left of %s", s.MemoryLimit)
	case explore.TimeLimit:
		return "the search ended at the limit of time, after " + s.took()
	case explore.Cancelled:
		return "the search was cancelled"
	case explore.SizeLimit:
		return fmt.Sprintf("the search ended at a state of more than %s bytes", quantity.Count(explore.MaxStateBytes))
	case explore.GivenUp:
		return "the search was given up, since it may have no end: " + s.growing.growths()[0].String()
	case explore.DiskFailure:
		return fmt.Sprintf("the search ended since the disk failed it: %v", s.DiskError)
	}
	return fmt.Sprintf("the search ended early: %s", s.Reason)
}

// took says how long a search took, and of a second one how long each did.
func (s *search) took() string {
	text := quantity.Duration(s.before + s.spent + s.Duration)
	if s.gaveUp != "" {
		text += fmt.Sprintf(" (%s with liveness, %s without)", quantity.Duration(s.spent), quantity.Duration(s.Duration))
	}
	return text
}

// bound says what the bounds of the setting and of the protocol left out of a search; ""
// where that is nothing.
func (s *search) bound() string { return strings.Join(model.CutReasons(s.watched, s.Cuts), "; ") }

// completeDepth returns to which depth a search is complete: on a reduced system to
// none, since what it leaves out may come in fewer steps.
func (s *search) completeDepth() int {
	if s.watched.Reductions() != 0 && !s.Complete() {
		return -1
	}
	return s.CompleteDepth
}

// gaps lists what could have run in the setting and did not.
func (s *search) gaps(r *Report) []Gap {
	gaps := Gaps(&r.Coverage, r.Setting, s.watched.Names())
	if _, settled := s.Hit(len(s.props)); !settled {
		gaps = append(gaps, Gap{Kind: "state", Name: "a settled state", What: "was never reached: no state was judged by the demands on settled states"})
	}
	return gaps
}

// share shows a run that the report already has in place of a finding's own, if it is
// as long and violates the property: a reader then has one run less to read.
func (r *Report) share(ctx context.Context, f *Finding) {
	if !f.showsEnd() {
		return
	}
	for i := range r.Findings {
		other := &r.Findings[i]
		if !other.showsEnd() || other.Property.kind.witness() || len(other.Trace.Steps) != len(f.Trace.Steps) {
			continue
		}
		run := other.Run
		if noViolation := f.Property.judge(ctx, run.System, run.States, run.Steps, -1); noViolation != nil {
			continue
		}
		shared := *other.Trace
		shared.Header = f.Trace.Header
		f.Trace, f.Run = &shared, run
		f.Explanation = explain(f)
		return
	}
}

// showsEnd reports whether a finding shows a run that ends.
func (f *Finding) showsEnd() bool { return f.Trace != nil && f.Trace.Lasso == 0 }
