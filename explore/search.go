package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/explore/internal/fingerprint"
	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/visited"
)

// Search visits the states of a system. An error means misuse (an option out
// of range, a hit of a target that does not exist); what the search finds, and that it
// ended early, is in the Result.
//
// A panic in an expander is raised again on the goroutine that called Search,
// as a *PanicError that has the stack of the worker, the state that was expanded
// and the way to it.
func Search(ctx context.Context, sys System, opt Options) (*Result, error) {
	opt, err := opt.check()
	if err != nil {
		return nil, err
	}
	s := newSearch(sys, opt)
	if opt.Disk.Dir != "" {
		if left, why := s.meter.fits(0); why == ByteLimit {
			return nil, fmt.Errorf("explore: MaxBytes is %d, and the process takes %d bytes before the search: want more, for what is in memory beside the disk", opt.MaxBytes, s.meter.limit-left)
		}
		if s.disk, err = openDisk(s); err != nil {
			return nil, err
		}
	}
	returned := false
	defer func() {
		if !returned { // a panic
			s.disk.close()
		}
	}()
	s.run(ctx)
	if returned = true; s.err != nil {
		s.disk.close()
		return nil, s.err
	}
	return s.result(), nil
}

// A PanicError is the panic of an expander, raised again by the search.
type PanicError struct {
	Value any        // what the expander panicked with
	Stack []byte     // of the goroutine that panicked
	State []byte     // that was expanded; nil if none was
	Path  []PathStep // to the state; nil where it is not known
}

// Error returns the value, the state and the stack.
func (p *PanicError) Error() string {
	at := ""
	if p.State != nil {
		at = fmt.Sprintf(" (state %s was expanded", shown(p.State))
		if p.Path != nil {
			at += fmt.Sprintf(", at depth %d", len(p.Path)-1)
		}
		at += ")"
	}
	return fmt.Sprintf("explore: an expander panicked: %v%s\n\n%s", p.Value, at, p.Stack)
}

// Unwrap returns the value if it is an error, and nil otherwise.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// A search is the state that the workers of one search share.
type search struct {
	sys    System
	opt    Options
	needed []int // targets that end the search when all are hit
	pool   frontier.Pool
	stores
	tallies
	ending
	paused atomic.Bool // workers return when they have expanded what they have claimed

	workers   []*worker
	start     time.Time
	disk      *disk   // nil except for searches with Options.Disk
	elsewhere Origins // nil except for those of an Elsewhere

	accounts
	graphing
	outlook
	back     retracing
	excerpts excerpts
}

// Stores are where the visited states are.
type stores struct {
	set   visited.Set           // that of the next three which there is
	table *visited.Table        // nil in the cases of the other two
	exact *visited.States       // in exact mode
	bare  *visited.Fingerprints // where origins are not remembered
}

// Tallies are for the Result of a search, which explains them.
type tallies struct {
	hits     []Hit
	levels   []uint64
	initial  uint64 // initial states generated
	deepest  int
	complete int           // the depth up to which all states are there and expanded
	cuts     atomic.Uint64 // that the system reported
	expanded uint64        // states, when the search is over
}

// An ending is why a search does not go on.
type ending struct {
	stopped  atomic.Uint32 // the Reason to stop for, 0 while the search goes on
	beyond   atomic.Bool   // a state beyond MaxDepth was left out
	mu       sync.Mutex
	err      error
	panicked *PanicError
}

// Accounts are those of memory.
type accounts struct {
	meter    meter
	nextLook atomic.Int64 // bytes on the accounts at which the process is measured next
	peak     atomic.Int64 // of them
}

// A graphing is what a search keeps for its graph.
type graphing struct {
	graph      *Graph
	graphBytes atomic.Int64  // of the graph, or of the logs of which it is made
	wantGraph  bool          // Options.Graph, until that is reconsidered
	graphless  atomic.Uint32 // the Reason for which the graph was given up, 0 if it was not
	graphRoom  int64         // the most bytes that it may take; 0: not known yet
}

// An outlook is for snapshots, which are taken meanwhile.
type outlook struct {
	telling   sync.Mutex // held while one tells how far the search is
	searching atomic.Bool
	building  atomic.Bool // the graph
	depth     atomic.Int64
	frontier  atomic.Uint64
	falling   atomic.Bool
}

// A retracing is for paths where origins are not remembered.
type retracing struct {
	trailing sync.Mutex
	trail    *trail
}

func newSearch(sys System, opt Options) *search {
	s := &search{
		sys:    sys,
		opt:    opt,
		needed: opt.needed(sys),
		start:  time.Now(),
	}
	s.hits, s.complete, s.wantGraph = newHits(opt.Targets), -1, opt.Graph
	s.meter.memory, s.meter.limit = opt.memory, opt.MaxBytes
	if opt.Disk.Dir != "" { // what it reads and writes comes on top
		s.meter.limit -= opt.MaxBytes / 16
	}
	if s.meter.memory == nil {
		s.meter.memory = newProcess(s.mapped)
	}
	// With a limit on bytes, the latest chunks may be too much by a part of it.
	if s.pool.Chunk = frontier.MaxChunkBytes; opt.MaxBytes > 0 {
		s.pool.Chunk = int(min(frontier.MaxChunkBytes, opt.MaxBytes/16/int64(opt.Workers)))
	} else {
		s.nextLook.Store(minMeasured)
	}
	switch {
	case opt.Exact:
		s.exact = visited.NewStates(s.fingerprint)
		s.set = s.exact
	case !s.bounded() && !opt.origins:
		s.bare = visited.NewFingerprints(s.initialBuckets(), opt.inPlaceFrom)
		s.set = s.bare
	default:
		s.table = visited.NewTable(s.initialBuckets(), opt.inPlaceFrom)
		s.table.Solo = opt.Workers == 1
		s.set = s.table
	}
	for i := range opt.Workers {
		s.workers = append(s.workers, newWorker(s, i))
	}
	if opt.Disk.Dir == "" {
		s.within(0)
	}
	return s
}

// run searches until there is a reason to stop.
func (s *search) run(ctx context.Context) {
	defer s.watch(ctx)()
	defer s.report()()
	if s.disk != nil {
		s.disk.search(ctx)
		return
	}
	s.addInitial()
	if s.opt.Order == DepthFirst {
		s.depthFirst(ctx)
	} else {
		s.breadthFirst(ctx)
	}
	if why := Reason(s.stopped.Load()); s.keepsGraph() && (why == Complete || why == CutBySystem && s.opt.GraphOptional) {
		s.buildGraph(ctx)
	}
}

// initialBuckets returns the buckets that a table segment starts with. Without
// ExpectStates they are few even where MaxBytes allows many: growing is cheap,
// and a table much larger than needed costs a page of memory for each state.
func (s *search) initialBuckets() int {
	if s.opt.buckets > 0 {
		return s.opt.buckets
	}
	buckets := visited.BucketsFor(s.opt.ExpectStates)
	left := s.opt.MaxBytes
	if buckets > visited.BucketsIn(minMeasured) {
		if left, _ = s.meter.fits(0); s.opt.MaxBytes == 0 {
			left -= left / 4 // what the machine has left changes while it is used
		}
	} else if left == 0 {
		return buckets
	}
	return min(buckets, visited.BucketsIn(max(0, left)*3/4))
}

// fingerprint returns the fingerprint of a state, which is never 0.
func (s *search) fingerprint(state []byte) uint64 {
	if s.opt.hash != nil {
		return max(1, s.opt.hash(state))
	}
	return fingerprint.Of(state)
}

// stop ends the search for a reason; the first reason counts.
func (s *search) stop(r Reason) { s.stopped.CompareAndSwap(0, uint32(r)) }

func (s *search) running() bool { return s.stopped.Load() == 0 }

// fail ends the search with an error; the first error counts.
func (s *search) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	s.stop(Cancelled)
}

// watch stops the search when the context or its time is over, until the
// function that it returns is called.
func (s *search) watch(ctx context.Context) (release func()) {
	s.checkContext(ctx)
	unhook := context.AfterFunc(ctx, func() { s.checkContext(ctx) })
	if s.opt.MaxTime == 0 {
		return func() { unhook() }
	}
	timer := time.AfterFunc(s.opt.MaxTime, func() { s.stop(TimeLimit) })
	return func() {
		unhook()
		timer.Stop()
	}
}

// checkContext stops the search if the context is done.
func (s *search) checkContext(ctx context.Context) {
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		s.stop(TimeLimit)
	case err != nil:
		s.stop(Cancelled)
	}
}

// grow makes room in the table for fp, and reports whether there is room now.
func (s *search) grow(fp uint64) bool {
	s.table.Lock()
	defer s.table.Unlock()
	if !s.table.LacksRoom(fp) || !s.table.Solo && s.disk == nil && s.growTogether() && !s.table.LacksRoom(fp) {
		return true
	}
	if !s.running() && s.disk == nil {
		return false
	}
	return s.enlarge(s.table, fp)
}

// growTogether makes room in all segments that lack it or will soon: where one
// grows, all workers wait, and it is better that they do so once, and take part.
// It reports false where there is too little memory for that.
func (s *search) growTogether() bool {
	g := s.table.NearlyFull(s.wanted)
	// Near the limit segments grow one by one: each time what the process takes is
	// looked at, and the graph grows in between.
	if s.beyondLimit(g.Bytes+s.opt.MaxBytes/4) || s.lacks(g.Bytes) != 0 {
		return false
	}
	return s.table.GrowTogether(g, len(s.workers), s.running) > 0
}

// A visited set that is growing does so by segments.
type growing interface {
	Buckets(fp uint64) int
	GrowBytes(fp uint64, buckets int) int64
	Grow(fp uint64, buckets int) bool
}

// enlarge makes room in the segment of fp, and reports whether there is room now,
// or will be (see disk.full).
func (s *search) enlarge(v growing, fp uint64) bool {
	n := v.Buckets(fp)
	buckets := visited.Grown(n, s.wanted(n))
	if s.beyondLimit(v.GrowBytes(fp, buckets)) {
		buckets = visited.Grown(n, 0)
	}
	more := v.GrowBytes(fp, buckets)
	switch {
	case s.disk != nil && s.disk.full(fp, more):
		return true
	case !s.within(more):
		return false
	case !v.Grow(fp, buckets):
		s.refused()
		return false
	}
	return true
}

// wanted returns how many buckets a table segment should have that has n: for the
// states there are and those still to come, where these are no more. Levels are
// taken to go on as they did last: the ratio of one to the one before goes down
// by the same factor each time. While they grow fast that is more than twice what
// there is, and one large step spares several.
func (s *search) wanted(n int) float64 {
	k := len(s.levels)
	if s.opt.Order == DepthFirst || k < 3 {
		return 1.5 * float64(n)
	}
	before, last, level := float64(s.levels[k-3]), float64(s.levels[k-2]), float64(s.levels[k-1])
	ratio := level / last
	bend := min(1, ratio*before/last)
	most := float64(s.distinct())
	toCome := -most // less what has been found of the next level
	for _, states := range s.levels {
		toCome += float64(states)
	}
	for level >= 1 && toCome < most {
		ratio *= bend
		level *= ratio
		toCome += level
	}
	return float64(n) * (1 + max(0, toCome)/most)
}

// addInitial inserts the initial states; the first worker gets the new ones.
func (s *search) addInitial() {
	w := s.workers[0]
	s.sys.Initial(func(state []byte) bool {
		w.out.Add(state, 0)
		s.initial++
		if w.out.Len() >= batchSuccessors {
			w.absorbInitial()
		}
		return s.running()
	})
	w.absorbInitial()
}

// breadthFirst expands level after level.
func (s *search) breadthFirst(ctx context.Context) {
	s.searching.Store(true)
	for depth := 0; ; depth++ {
		l := frontier.NewLevel(depth)
		for _, w := range s.workers {
			l.Take(&w.next)
		}
		if l.States > 0 && s.running() { // it is whole
			s.levels = append(s.levels, l.States)
			s.deepest = depth
		}
		s.graphFits()
		s.dropGraph()
		if s.ended(ctx, l.States) {
			return
		}
		if s.reconsider(); !s.running() {
			return
		}
		s.depth.Store(int64(depth))
		s.falling.Store(l.States < s.frontier.Swap(l.States))
		whole := s.cuts.Load() == 0 // no state of this level is missing
		s.expand(l)
		if whole && s.running() {
			s.complete = depth
		}
		s.excerpts.show(depth, s)
	}
}

// ended stops the search where nothing is left to expand, or a limit that is
// looked at between states is reached, and reports whether it is stopped.
func (s *search) ended(ctx context.Context, left uint64) bool {
	if !s.running() {
		return true
	}
	s.checkContext(ctx)
	if s.opt.MaxTime > 0 && time.Since(s.start) >= s.opt.MaxTime { // the timer may come late
		s.stop(TimeLimit)
	}
	if !s.running() {
		return true
	}
	switch {
	case left == 0 && s.beyond.Load():
		s.stop(DepthLimit)
	case left == 0 && s.cuts.Load() != 0:
		s.stop(CutBySystem)
	case left == 0:
		s.stop(Complete)
	case anyHit(s.hits, s.opt.StopWhenAny):
		s.stop(FirstHit)
	case !s.keepsGraph() && allHit(s.hits, s.needed):
		s.stop(TargetsHit)
	case s.opt.MaxStates > 0 && s.distinct() >= s.opt.MaxStates:
		s.stop(StateLimit)
	case s.excerpts.enough:
		s.stop(GivenUp)
	}
	return !s.running()
}

// expand has the workers expand a level, and collects what they hit.
func (s *search) expand(l *frontier.Level) {
	n := min(len(s.workers), l.Blocks())
	if l.States <= frontier.BlockStates {
		n = 1 // too few to share
	}
	l.Divide(n)
	for _, w := range s.workers[:n] {
		w.begin(l.Depth)
	}
	if n == 1 {
		w := s.workers[0]
		s.guard(w.expanding, func() { w.run(l) })
	} else {
		var wg sync.WaitGroup
		for _, w := range s.workers[:n] {
			wg.Go(func() { s.guard(w.expanding, func() { w.run(l) }) })
		}
		wg.Wait()
	}
	s.raise()
	for _, w := range s.workers[:n] {
		w.handOver()
	}
}

// guard runs f, and keeps its panic for the goroutine that called Search, with
// the state that is expanding then. That f never returns because it ends its
// goroutine counts as a panic too: states would be missing from the search.
func (s *search) guard(expanding func() []byte, f func()) {
	returned := false
	defer func() {
		if returned {
			return
		}
		value := recover()
		if value == nil {
			value = "runtime.Goexit was called"
		}
		s.mu.Lock()
		if s.panicked == nil {
			s.panicked = &PanicError{Value: value, Stack: debug.Stack(), State: bytes.Clone(expanding())}
		}
		s.mu.Unlock()
		s.stop(Cancelled)
	}()
	f()
	returned = true
}

// raise panics if an expander has.
func (s *search) raise() {
	if s.panicked == nil {
		return
	}
	if p := s.panicked; p.State != nil && s.set != nil {
		s.expanded = s.workers[0].expanded
		p.Path = s.wayTo(p.State)
	}
	panic(s.panicked)
}

// wayTo returns the path to a state that was visited, nil if there is none: the
// system has panicked, and may do so again.
func (s *search) wayTo(state []byte) (steps []PathStep) {
	defer func() { _ = recover() }()
	steps, err := (&Result{found: found{search: s}}).PathTo(state)
	if err != nil {
		return nil
	}
	return steps
}

func (s *search) distinct() (n uint64) {
	for _, w := range s.workers {
		n += w.distinct.Load()
	}
	if s.disk != nil {
		n -= s.disk.dropped.Load()
	}
	return n
}

func (s *search) generated() (n uint64) {
	for _, w := range s.workers {
		n += w.generated.Load()
	}
	return n
}

func (s *search) result() *Result {
	s.disk.tally()
	r := s.soFar()
	r.addUnfinished()
	if s.disk != nil {
		r.DiskBytes, r.DiskError = s.disk.written, s.disk.err
		r.Duration += s.disk.before
	}
	// The memory that only the search needs is not worth keeping for traces.
	s.workers = nil
	s.pool.Release()
	return r
}

// soFar returns the result of the search as far as it has come.
func (s *search) soFar() *Result {
	r := &Result{
		Reason:    Reason(s.stopped.Load()),
		Cuts:      s.cuts.Load(),
		Distinct:  s.distinct(),
		Generated: s.generated(),
		Depth:     s.deepest,
		Levels:    s.levels,
		Duration:  time.Since(s.start),

		CompleteDepth: s.complete,
		ProcessBytes:  s.meter.most,
		PeakBytes:     s.peak.Load(),
		Exact:         s.opt.Exact,
		Graph:         s.graph,
		NoGraph:       Reason(s.graphless.Load()),
		found:         found{s.hits, s},
	}
	if r.Reason == MachineLimit {
		r.MemoryLimit = s.meter.what
	}
	if r.Reason == Complete {
		r.CompleteDepth = r.Depth
	}
	for _, w := range s.workers {
		r.Expanded += w.expanded
	}
	s.expanded = r.Expanded
	if r.TableBytes = s.set.Bytes(); s.exact != nil {
		r.Collisions = s.exact.Collisions()
	}
	return r
}

// report starts the goroutine that calls Options.Progress, and returns the
// function that ends it.
func (s *search) report() (end func()) {
	if s.opt.Progress == nil {
		return func() {}
	}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(s.opt.ProgressEvery)
		defer ticker.Stop()
		last := s.snapshot(Progress{})
		for {
			select {
			case <-done:
				return
			case <-ticker.C:
				if !s.telling.TryLock() {
					continue // it is reconsidered
				}
				last = s.snapshot(last)
				s.opt.Progress(last)
				s.telling.Unlock()
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// snapshot tells how far the search is, with the rate since the last one.
func (s *search) snapshot(last Progress) Progress {
	now := Progress{
		Phase:     PhaseInitial,
		Distinct:  s.distinct(),
		Generated: s.generated(),
		Depth:     int(s.depth.Load()),
		Frontier:  s.frontier.Load(),
		Falling:   s.falling.Load(),
		Bytes:     s.bytes(),
		Elapsed:   time.Since(s.start),
	}
	if s.disk != nil {
		now.Elapsed += s.disk.before
		now.Disk = s.disk.onDisk.Load()
	}
	if s.searching.Load() {
		now.Phase = PhaseSearch
	}
	if s.building.Load() {
		now.Phase = PhaseGraph
	}
	now.Hits = make([]int, len(s.hits))
	s.mu.Lock()
	for i := range s.hits {
		now.Hits[i] = -1
		if s.hits[i].Depth >= 0 {
			now.Hits[i] = s.hits[i].Depth
			if s.hits[i].kind != stateHit {
				now.Hits[i]++ // the step itself
			}
		}
	}
	s.mu.Unlock()
	if d := now.Elapsed - last.Elapsed; d > 0 {
		now.Rate = float64(now.Distinct-last.Distinct) / d.Seconds()
	}
	return now
}
