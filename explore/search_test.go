package explore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A counter counts from 0 to end (without end if that is negative), and hits
// target 0 at a number. Where each is set, it calls a function at each state.
type counter struct {
	end, target int64
	at          func(n int64, out *Successors)
}

func (c counter) Initial(yield func([]byte) bool) { yield(make([]byte, 8)) }
func (c counter) NewExpander() Expander           { return c }

func (c counter) Expand(state []byte, out *Successors) {
	n := int64(binary.LittleEndian.Uint64(state))
	if c.at != nil {
		c.at(n, out)
	}
	if n == c.target {
		out.Hit(0, 0)
	}
	if n != c.end {
		out.End(binary.LittleEndian.AppendUint64(out.Begin(), uint64(n+1)), 0)
	}
}

// A grid is all pairs of numbers below side, each of which may grow by 1.
type grid struct {
	side byte
	pad  int // bytes that make states longer
	at   func(out *Successors)
}

func (g grid) Initial(yield func([]byte) bool) { yield(make([]byte, 2+g.pad)) }
func (g grid) NewExpander() Expander           { return g }

func (g grid) Expand(state []byte, out *Successors) {
	if g.at != nil {
		g.at(out)
	}
	for i := range 2 {
		if state[i]+1 < g.side {
			b := append(out.Begin(), state...)
			b[len(b)-len(state)+i]++
			out.End(b, Code(i))
		}
	}
}

func mustSearch(t require.TestingT, sys System, opt Options) *Result {
	r, err := Search(context.Background(), sys, opt)
	require.NoError(t, err)
	return r
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name string
		opt  Options
		want Reason
	}{
		{"none", Options{}, Complete},
		{"states", Options{MaxStates: 500}, StateLimit},
		{"more states than there are", Options{MaxStates: 1 << 40}, Complete},
		{"depth", Options{MaxDepth: 20}, DepthLimit},
		{"depth reached exactly", Options{MaxDepth: 198}, Complete},
		{"depth one less", Options{MaxDepth: 197}, DepthLimit},
		{"bytes", Options{MaxBytes: 90_000}, ByteLimit},
		{"bytes enough", Options{MaxBytes: 100_000_000}, Complete},
		{"bytes for nothing", Options{MaxBytes: 1}, ByteLimit},
		{"time", Options{MaxTime: 1}, TimeLimit},
	}
	for _, test := range tests {
		for _, order := range []Order{BreadthFirst, DepthFirst} {
			for _, exact := range []bool{false, true} {
				t.Run(fmt.Sprint(test.name, "/", order, "/exact=", exact), func(t *testing.T) {
					var first string
					for _, workers := range []int{1, 2, 8} {
						opt := test.opt
						opt.Order, opt.Exact, opt.Workers, opt.memory = order, exact, workers, &plenty{}
						sys := grid{side: 100}
						if opt.MaxTime > 0 {
							// No state is expanded before the time is long over.
							over := make(chan struct{})
							time.AfterFunc(20_000_000*opt.MaxTime, func() { close(over) })
							sys.at = func(*Successors) { <-over }
						}
						r := mustSearch(t, sys, opt)
						require.Equal(t, test.want, r.Reason)
						require.Equal(t, r.Reason == Complete, r.Complete())
						if r.Complete() {
							require.EqualValues(t, 100*100, r.Distinct)
						} else {
							require.Less(t, r.Distinct, uint64(100*100))
						}
						if test.want == ByteLimit || test.want == TimeLimit {
							continue
						}
						if first == "" {
							first = summary(t, r)
						}
						require.Equal(t, first, summary(t, r))
					}
				})
			}
		}
	}
}

func TestBytesStayWithinTheLimit(t *testing.T) {
	for _, workers := range []int{1, 4} {
		r := mustSearch(t, grid{side: 250}, Options{MaxBytes: 1_000_000, Workers: workers, inside: inside{memory: &plenty{}}})
		assert.Equal(t, ByteLimit, r.Reason)
		assert.LessOrEqual(t, r.PeakBytes, int64(1_000_000*17/16))
		assert.Greater(t, r.Distinct, uint64(10_000))
	}
}

func TestStateLimitCutsAtTheEndOfALevel(t *testing.T) {
	r := mustSearch(t, grid{side: 100}, Options{MaxStates: 50})
	assert.Equal(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, r.Levels)
	assert.EqualValues(t, 55, r.Distinct)
	assert.Equal(t, 9, r.Depth)
	assert.EqualValues(t, 45, r.Expanded)
	assert.InDelta(t, 2, r.OutDegree(), 0)
}

func TestCancelKeepsWhatWasFound(t *testing.T) {
	for _, order := range []Order{BreadthFirst, DepthFirst} {
		for _, limit := range []time.Duration{0, time.Hour} {
			ctx, cancel := context.WithCancel(context.Background())
			sys := counter{end: -1, target: 100, at: func(n int64, _ *Successors) {
				if n == 1000 {
					cancel()
				}
			}}
			r, err := Search(ctx, sys, Options{Order: order, Targets: 1, Exhaustive: true, MaxTime: limit, MaxDepth: 1})
			require.NoError(t, err)
			require.Equal(t, DepthLimit, r.Reason, "the limit comes first")

			r, err = Search(ctx, sys, Options{Order: order, Targets: 1, Exhaustive: true, MaxTime: limit})
			require.NoError(t, err)
			require.Equal(t, Cancelled, r.Reason)
			require.GreaterOrEqual(t, r.Distinct, uint64(1000))
			steps, err := r.Path(0)
			require.NoError(t, err)
			require.Len(t, steps, 101)
		}
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := Search(done, counter{end: -1}, Options{})
	require.NoError(t, err)
	require.Equal(t, Cancelled, r.Reason)
	w, err := Walk(done, counter{end: -1, target: -1}, WalkOptions{})
	require.NoError(t, err)
	require.Equal(t, Cancelled, w.Reason)

	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	r, err = Search(late, counter{end: -1}, Options{})
	require.NoError(t, err)
	require.Equal(t, TimeLimit, r.Reason)
}

func TestCuts(t *testing.T) {
	sys := counter{end: 1000, target: -1, at: func(n int64, out *Successors) {
		if n == 17 {
			out.Cut(0)
			out.Cut(63)
		}
	}}
	for _, order := range []Order{BreadthFirst, DepthFirst} {
		r := mustSearch(t, sys, Options{Order: order})
		assert.Equal(t, CutBySystem, r.Reason)
		assert.Equal(t, uint64(1<<63|1), r.Cuts)
		assert.False(t, r.Complete())
		r = mustSearch(t, sys, Options{Order: order, MaxStates: 20})
		assert.Equal(t, StateLimit, r.Reason)
		assert.Equal(t, uint64(1<<63|1), r.Cuts)
	}
	w, err := Walk(context.Background(), sys, WalkOptions{Walks: 1})
	require.NoError(t, err)
	assert.Equal(t, uint64(1<<63|1), w.Cuts)
}

func TestStopsWhenAllNeededTargetsAreHit(t *testing.T) {
	at := func(n int64, out *Successors) {
		if n == 30 {
			out.Hit(1, 0)
		}
	}
	sys := counter{end: 100, target: 10, at: at}
	tests := []struct {
		opt  Options
		want uint64
	}{
		{Options{Targets: 2}, 32},
		{Options{Targets: 2, StopWhenAll: []int{0}}, 12},
		{Options{Targets: 2, StopWhenAll: []int{}}, 101},
		{Options{Targets: 2, Exhaustive: true}, 101},
		{Options{Targets: 3}, 101},
	}
	for _, test := range tests {
		r := mustSearch(t, sys, test.opt)
		assert.Equal(t, test.want, r.Distinct)
		assert.Equal(t, test.want == 101, r.Complete())
		if test.want < 101 {
			assert.Equal(t, TargetsHit, r.Reason)
		}
	}
}

func TestMisuse(t *testing.T) {
	tests := []struct {
		sys  System
		opt  Options
		want string
	}{
		{counter{}, Options{Workers: -1}, "-1 workers"},
		{counter{}, Options{Workers: 1025}, "1025 workers; from 1 to 1024 are possible"},
		{counter{}, Options{Order: 7}, "order 7"},
		{counter{}, Options{Targets: -1}, "-1 targets"},
		{counter{}, Options{MaxDepth: 65_535}, "depth limit 65535 is out of range 0 to 65534"},
		{counter{}, Options{MaxDepth: -1}, "depth limit -1"},
		{counter{}, Options{MaxBytes: -1}, "byte limit -1"},
		{counter{}, Options{MaxTime: -1}, "time limit -1ns"},
		{counter{}, Options{Targets: 1, StopWhenAll: []int{1}}, "names target 1"},
		{counter{}, Options{}, "hit of target 0"},
	}
	for _, test := range tests {
		for _, order := range []Order{BreadthFirst, DepthFirst} {
			if test.opt.Order != 7 {
				test.opt.Order = order
			}
			_, err := Search(context.Background(), test.sys, test.opt)
			assert.ErrorContains(t, err, test.want)
		}
	}
	_, err := Walk(context.Background(), counter{}, WalkOptions{Walks: 1})
	assert.ErrorContains(t, err, "hit of target 0")
	_, err = Walk(context.Background(), counter{}, WalkOptions{Workers: -1})
	assert.ErrorContains(t, err, "-1 workers")
	_, err = Walk(context.Background(), counter{}, WalkOptions{Workers: 1 << 30})
	assert.ErrorContains(t, err, "1073741824 workers")
}

// TestSmallSearchesStaySmall holds searches of a few states to some pages of
// memory: explorers and tests make thousands of them.
func TestSmallSearchesStaySmall(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		r := mustSearch(t, grid{side: 9}, Options{Workers: workers})
		assert.EqualValues(t, 81, r.Distinct)
		assert.LessOrEqual(t, r.PeakBytes, int64(32<<10), "%d workers", workers)
	}
}

func TestStatesOfAllLengths(t *testing.T) {
	for _, pad := range []int{0, 125, 126, 127, 5000, MaxStateBytes - 2} {
		r := mustSearch(t, grid{side: 12, pad: pad}, Options{})
		assert.True(t, r.Complete())
		assert.EqualValues(t, 144, r.Distinct)
	}
}

// A search ends at a state that is too long, and keeps what it found.
func TestStateThatIsTooLong(t *testing.T) {
	long := grid{side: 2, pad: MaxStateBytes}
	for _, opt := range []Options{{}, {Exact: true}, {Order: DepthFirst}} {
		r := mustSearch(t, long, opt)
		assert.Equal(t, SizeLimit, r.Reason)
		assert.Negative(t, r.CompleteDepth)
		assert.Zero(t, r.Distinct)
	}
	r := mustSearch(t, lengthening{}, Options{Targets: 1, Exhaustive: true})
	assert.Equal(t, SizeLimit, r.Reason)
	assert.Equal(t, 15, r.CompleteDepth)
	path, err := r.Path(0)
	require.NoError(t, err)
	assert.Len(t, path, 4)
}

// A lengthening has states that become twice as long in each step. That of eight bytes is a target.
type lengthening struct{}

func (l lengthening) NewExpander() Expander { return l }

func (lengthening) Initial(yield func([]byte) bool) { yield([]byte{1}) }

func (lengthening) Expand(state []byte, out *Successors) {
	if len(state) == 8 {
		out.Hit(0, 0)
	}
	out.End(append(append(out.Begin(), state...), state...), 0)
}

func TestNoStates(t *testing.T) {
	r := mustSearch(t, &graph{}, Options{Targets: 1})
	assert.True(t, r.Complete())
	assert.Zero(t, r.Distinct)
	assert.Zero(t, r.CollisionProbability())
	assert.Zero(t, r.OutDegree())
	_, err := r.Path(0)
	assert.ErrorContains(t, err, "target 0 was not hit")
	_, err = r.Path(1)
	assert.ErrorContains(t, err, "no target 1")
	_, err = r.PathTo([]byte("x"))
	assert.ErrorContains(t, err, "state 78 was not visited")
}

// TestStateOfNoBytes has a system whose only state is the empty one.
func TestStateOfNoBytes(t *testing.T) {
	r := mustSearch(t, empty{}, Options{Targets: 1})
	assert.EqualValues(t, 1, r.Distinct)
	assert.EqualValues(t, 2, r.Generated)
	steps, err := r.Path(0)
	require.NoError(t, err)
	assert.Len(t, steps, 1)
}

type empty struct{}

func (e empty) Initial(yield func([]byte) bool) { yield(nil) }
func (e empty) NewExpander() Expander           { return e }
func (e empty) Expand(_ []byte, out *Successors) {
	out.Hit(0, 0)
	out.Add(nil, 0)
}

func TestPanicIsRaisedAgain(t *testing.T) {
	cause := errors.New("boom")
	sys := grid{side: 100, at: func(out *Successors) {
		if out.Len() > 50 {
			panic(cause)
		}
	}}
	chain := counter{end: -1, target: -1, at: func(n int64, _ *Successors) {
		if n == 10 {
			panic(cause)
		}
	}}
	for name, run := range map[string]func(){
		"one worker":  func() { _, _ = Search(context.Background(), sys, Options{Workers: 1}) },
		"workers":     func() { _, _ = Search(context.Background(), sys, Options{Workers: 4}) },
		"depth-first": func() { _, _ = Search(context.Background(), chain, Options{Order: DepthFirst}) },
		"walk":        func() { _, _ = Walk(context.Background(), chain, WalkOptions{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p, ok := recover().(*PanicError)
				require.True(t, ok)
				require.ErrorIs(t, p, cause)
				require.Contains(t, p.Error(), "boom")
				require.Contains(t, p.Error(), "Expand", "the stack of the worker")
				require.NotEmpty(t, p.Path, "the way to the state")
				require.Equal(t, p.State, p.Path[len(p.Path)-1].State)
			}()
			run()
			t.Error("no panic")
		})
	}
}

func TestGoexitInAnExpanderIsNotLost(t *testing.T) {
	// With this many initial states the workers have goroutines of their own.
	sys := &graph{edges: make([][]edge, 1000)}
	for n := range sys.edges {
		sys.initial = append(sys.initial, n)
	}
	defer func() {
		p, ok := recover().(*PanicError)
		require.True(t, ok)
		require.Contains(t, p.Error(), "Goexit")
	}()
	_, _ = Search(context.Background(), exiting{sys}, Options{Workers: 2})
	t.Error("no panic")
}

// A noFive panics where the first coordinate is 5.
type noFive struct{ grid }

func (f noFive) NewExpander() Expander { return f }
func (f noFive) Expand(state []byte, out *Successors) {
	if state[0] == 5 {
		panic("five")
	}
	f.grid.Expand(state, out)
}

// A walk that panics says which way it went.
func TestPanicOnAWalk(t *testing.T) {
	way := func(sys System) (p *PanicError) {
		defer func() { p, _ = recover().(*PanicError) }()
		_, _ = Walk(context.Background(), sys, WalkOptions{Seed: 3, Workers: 2})
		return nil
	}
	sys := grid{side: 9}
	broken := noFive{sys}
	p := way(broken)
	require.Equal(t, "five", p.Value)
	require.Len(t, p.State, len(p.Path[0].State))
	require.Greater(t, len(p.Path), 5)
	for i, step := range p.Path[1:] { // each a transition of the one before
		var out Successors
		sys.NewExpander().Expand(p.Path[i].State, &out)
		codes := map[Code]string{}
		for k := range out.Len() {
			codes[out.Code(k)] = string(out.State(k))
		}
		require.Equal(t, string(step.State), codes[step.Code], "step %d", i+1)
	}
	p = way(exiting{&graph{initial: []int{0}, edges: make([][]edge, 1)}})
	require.Contains(t, p.Error(), "Goexit")
	require.Len(t, p.Path, 1)
}

// An exiting system ends the goroutine that expands it, as t.FailNow does.
type exiting struct{ *graph }

func (e exiting) NewExpander() Expander      { return e }
func (e exiting) Expand([]byte, *Successors) { runtime.Goexit() }

func TestNondeterminismIsNoticed(t *testing.T) {
	var off atomic.Bool
	r := mustSearch(t, changing{counter{end: -1, target: 50}, &off}, Options{Targets: 1})
	_, err := r.Path(0)
	require.NoError(t, err)
	off.Store(true)
	_, err = r.Path(0)
	require.ErrorContains(t, err, "not deterministic")
}

// A changing system loses its transitions at some time.
type changing struct {
	counter
	off *atomic.Bool
}

func (c changing) NewExpander() Expander { return c }
func (c changing) Expand(state []byte, out *Successors) {
	if !c.off.Load() {
		c.counter.Expand(state, out)
	}
}

func TestProgress(t *testing.T) {
	var snapshots []Progress
	searching, enough := 0, make(chan struct{})
	sys := counter{end: 20, target: -1, at: func(n int64, _ *Successors) {
		if n == 10 {
			<-enough // until there has been a snapshot
		}
	}}
	r := mustSearch(t, sys, Options{ProgressEvery: time.Microsecond, Progress: func(s Progress) {
		snapshots = append(snapshots, s)
		if s.Phase == PhaseSearch {
			if searching++; searching == 3 {
				close(enough)
			}
		}
	}})
	require.GreaterOrEqual(t, len(snapshots), 3)
	last := snapshots[len(snapshots)-1]
	assert.Equal(t, PhaseSearch, last.Phase)
	assert.LessOrEqual(t, last.Distinct, r.Distinct)
	assert.Positive(t, last.Distinct)
	assert.Positive(t, last.Bytes)
	assert.EqualValues(t, 1, last.Frontier)
	for i, s := range snapshots[1:] {
		assert.GreaterOrEqual(t, s.Distinct, snapshots[i].Distinct)
		assert.Greater(t, s.Elapsed, snapshots[i].Elapsed)
	}
}

func TestExactFindsEveryStateWithATerribleHash(t *testing.T) {
	six := func(b []byte) uint64 { return uint64(b[0]^b[1]*7) & 63 << 58 }
	var first string
	for _, workers := range []int{1, 2, 8} {
		r := mustSearch(t, grid{side: 40}, Options{Workers: workers, Exact: true, inside: inside{hash: six}})
		assert.True(t, r.Complete())
		assert.EqualValues(t, 1600, r.Distinct)
		assert.EqualValues(t, 1600-64, r.Collisions)
		assert.Zero(t, r.CollisionProbability())
		steps, err := r.PathTo([]byte{39, 39})
		require.NoError(t, err)
		assert.Len(t, steps, 79)
		if first == "" {
			first = fmt.Sprint(steps)
		}
		assert.Equal(t, first, fmt.Sprint(steps))
	}
	r := mustSearch(t, grid{side: 40}, Options{inside: inside{hash: six}})
	assert.LessOrEqual(t, r.Distinct, uint64(64), "fingerprints alone lose states")
	r = mustSearch(t, grid{side: 40}, Options{Exact: true})
	assert.Zero(t, r.Collisions)
}

func TestCollisionProbability(t *testing.T) {
	r := &Result{Distinct: 1 << 20}
	assert.InEpsilon(t, math.Pow(2, -25), r.CollisionProbability(), 1e-5)
	r.Distinct = math.MaxUint64
	assert.InDelta(t, 1, r.CollisionProbability(), 0)
}

// TestManyStates grows the table many times, with workers in each other's way.
func TestManyStates(t *testing.T) {
	var first string
	for _, opt := range []Options{{Workers: 1}, {Workers: 2}, {Workers: 8, inside: inside{buckets: 1}}, {Workers: 8, ExpectStates: 1 << 18}} {
		r := mustSearch(t, grid{side: 250}, opt)
		require.EqualValues(t, 250*250, r.Distinct)
		require.LessOrEqual(t, r.TableBytes, int64(max(32*r.Distinct, 1<<23)))
		steps, err := r.PathTo([]byte{200, 249})
		require.NoError(t, err)
		require.Len(t, steps, 450)
		s := summary(t, r) + fmt.Sprint(steps)
		if first == "" {
			first = s
		}
		require.Equal(t, first, s)
	}
}

func TestTableTakesLittleMemory(t *testing.T) {
	r := mustSearch(t, counter3{}, Options{Workers: 2})
	require.EqualValues(t, 1<<18, r.Distinct)
	assert.LessOrEqual(t, r.TableBytes, int64(32<<18))
}

// A counter3 has every number below 1<<18 as a state, two ways out of each.
type counter3 struct{}

func (c counter3) Initial(yield func([]byte) bool) { yield(make([]byte, 4)) }
func (c counter3) NewExpander() Expander           { return c }
func (c counter3) Expand(state []byte, out *Successors) {
	n := binary.LittleEndian.Uint32(state)
	for i := range uint32(2) {
		out.End(binary.LittleEndian.AppendUint32(out.Begin(), (2*n+i)%(1<<18)), Code(i))
	}
}

// TestNoAllocationPerTransition compares searches of different sizes: what is
// allocated must not depend on the number of transitions.
func TestNoAllocationPerTransition(t *testing.T) {
	allocations := func(side byte) float64 {
		return testing.AllocsPerRun(2, func() {
			r := mustSearch(t, grid{side: side}, Options{Workers: 1, ExpectStates: 1 << 17})
			require.EqualValues(t, int(side)*int(side), r.Distinct)
		})
	}
	small, large := allocations(100), allocations(250)
	// A level costs a few (the longer search has 300 more), a transition none
	// (it has 105,000 more).
	assert.Less(t, large-small, 300.0*8)
}

func TestBatchDoesNotAllocate(t *testing.T) {
	opt, err := Options{Workers: 1}.check()
	require.NoError(t, err)
	s := newSearch(grid{side: 250}, opt)
	w := s.workers[0]
	w.begin(0)
	states := make([][]byte, 32)
	for i := range states {
		states[i] = []byte{byte(i), 7}
	}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		w.reset()
		for _, state := range states {
			w.expand(state, s.fingerprint(state))
		}
		if !w.absorb() {
			t.Error("stopped")
		}
	}))
}

func TestStrings(t *testing.T) {
	for r := Complete; r <= Sampled; r++ {
		assert.NotContains(t, r.String(), "Reason(")
	}
	assert.Equal(t, "Reason(0)", Reason(0).String())
	assert.Equal(t, "breadth-first depth-first Order(2)", strings.Join([]string{BreadthFirst.String(), DepthFirst.String(), Order(2).String()}, " "))
}

// BenchmarkTable inserts fingerprints in batches as a worker does, of which
// each comes about twelve times.
func BenchmarkTable(b *testing.B) {
	const states, batch = 1 << 20, 256
	fps := make([]uint64, 12*states)
	for i := range fps {
		n := uint64(i) * 0x9e3779b97f4a7c15 % states
		fps[i] = (n + 1) * 0xd6e8feb86659fd93
	}
	for _, expect := range []uint64{0, states} {
		b.Run(fmt.Sprint("expect=", expect), func(b *testing.B) {
			for b.Loop() {
				s := newSearch(nil, Options{Workers: 1, ExpectStates: expect, MaxDepth: maxDepth})
				w := s.workers[0]
				w.last, w.sourceFP = []int{batch}, []uint64{1}
				for i := 0; i < len(fps); i += batch {
					w.fps, w.fresh = fps[i:i+batch], w.fresh[:0]
					w.insert()
				}
				if n := s.distinct(); n != states {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(fps)), "ns/insert")
		})
	}
}

// TestCompleteDepth has searches end early in several ways: what they did not
// find up to the depth that they call complete is not there, and that depth is
// as large as it can be.
func TestCompleteDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := labelledGraphs(40, 80, 1).Draw(t, "system")
		target := rapid.IntRange(0, len(l.edges)-1).Draw(t, "target")
		opt := Options{Targets: 1, Workers: 2, MaxDepth: rapid.IntRange(0, 5).Draw(t, "depth"), MaxStates: rapid.Uint64Range(0, 30).Draw(t, "states")}
		r, err := Search(context.Background(), targeted{l, target}, opt)
		require.NoError(t, err)
		_, depth := plainNodes(l, r.search.fingerprint)
		_, hit := r.Hit(0)
		if d, there := depth[string(encode(target))]; there {
			require.Equal(t, d <= r.CompleteDepth, hit)
		}
		require.LessOrEqual(t, r.CompleteDepth, r.Depth)
		require.GreaterOrEqual(t, r.CompleteDepth, r.Depth-1, "a level is expanded when the next one is there")
		if r.Reason == Complete || r.Reason == DepthLimit {
			require.Equal(t, r.Depth, r.CompleteDepth)
		}
	})
	r := mustSearch(t, counter{end: 10, target: -1, at: func(n int64, out *Successors) {
		if n == 4 {
			out.Cut(0)
		}
	}}, Options{})
	assert.Equal(t, CutBySystem, r.Reason)
	assert.Equal(t, 4, r.CompleteDepth, "what was cut may lead to other states at depth 5")
}

// A targeted is a system in which one state is target 0.
type targeted struct {
	*labelled
	target int
}

func (s targeted) NewExpander() Expander { return s }

func (s targeted) Expand(state []byte, out *Successors) {
	s.labelled.Expand(state, out)
	if decode(state) == s.target {
		out.Hit(0, 0)
	}
}
