package cost

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A wired is a system given by its transitions: to[n] lists those out of state n
// and marks[n] says what is true of it. States from 0 on are initial.
type wired struct {
	initial int
	to      [][]explore.Edge
	marks   []uint64
}

func (w *wired) Initial(yield func([]byte) bool) {
	for n := range w.initial {
		yield(binary.BigEndian.AppendUint32(nil, uint32(n)))
	}
}

func (w *wired) NewExpander() explore.Expander { return w }

func (w *wired) Expand(state []byte, out *explore.Successors) {
	n := binary.BigEndian.Uint32(state)
	out.Mark(w.marks[n]<<32 | uint64(n)) // the number finds the node again
	for i, e := range w.to[n] {
		out.Add(binary.BigEndian.AppendUint32(nil, e.To), explore.Code(i))
		out.Label(e.Label)
	}
}

const (
	wiredSettled = 1 << 32
	wiredNumber  = 1<<32 - 1
)

// flowOf returns the flow of a wired system whose sources are its initial
// states, and the node of each state that was visited.
func flowOf(t testing.TB, w *wired, labels []model.Label, odds []float64) (*flow, map[uint32]uint32) {
	r, err := explore.Search(context.Background(), w, explore.Options{Graph: true})
	require.NoError(t, err)
	require.NotNil(t, r.Graph)
	f := &flow{g: r.Graph, settled: wiredSettled, labels: labels, odds: odds}
	for _, n := range f.g.Initial() {
		f.sources = append(f.sources, source{node: n})
	}
	require.NoError(t, f.arrange(context.Background()))
	nodes := make(map[uint32]uint32)
	for n := range uint32(f.g.Nodes()) {
		nodes[uint32(f.g.Mark(n)&wiredNumber)] = n
	}
	return f, nodes
}

// random returns a small system: states and labels, with what labels cost and
// their odds. Labels cost something as often as given.
func random(rng *rand.Rand, costly float64, acyclic bool) (w *wired, weight []int32, odds []float64) {
	n := 2 + rng.IntN(8)
	w = &wired{initial: 1 + rng.IntN(2), to: make([][]explore.Edge, n), marks: make([]uint64, n)}
	for range 6 {
		cost := int32(0)
		if rng.Float64() < costly {
			cost = int32(1 + rng.IntN(3))
		}
		weight = append(weight, cost)
		odds = append(odds, float64(rng.IntN(4)))
	}
	weight[0], odds[0] = 0, 1
	for i := range n {
		if rng.IntN(5) == 0 {
			w.marks[i] = 1
		}
		for range rng.IntN(4) {
			to := rng.IntN(n)
			if acyclic && to <= i {
				continue
			}
			w.to[i] = append(w.to[i], explore.Edge{To: uint32(to), Label: uint32(rng.IntN(6))})
		}
	}
	return w, weight, odds
}

// A plainCost is the costs from a state by the definitions. best is nil where no
// run settles, worst where it is unbounded, and mean where it is infinite.
type plainCost struct{ best, worst, mean *big.Rat }

func (c plainCost) String() string { return fmt.Sprint(c.best, " ", c.worst, " ", c.mean) }

func (w *wired) out(n int) []explore.Edge {
	if w.marks[n] != 0 {
		return nil
	}
	return w.to[n]
}

// plainCosts computes costs with no regard to order or components: best and
// worst by as many rounds of relaxation as there are states, means by exact
// elimination.
func plainCosts(w *wired, weight []int32, odds []float64) []plainCost {
	n := len(w.to)
	best, worst := make([]int, n), make([]int, n)
	const no = math.MaxInt / 2
	for i := range n {
		if best[i] = no; w.marks[i] != 0 {
			best[i] = 0
		}
	}
	for range n + 1 {
		for i := range n {
			for _, e := range w.out(i) {
				best[i] = min(best[i], int(weight[e.Label])+best[e.To])
				worst[i] = max(worst[i], int(weight[e.Label])+worst[e.To])
			}
		}
	}
	reach := w.reach(func(explore.Edge) bool { return true })
	for i := range n {
		for j := range n {
			for _, e := range w.out(j) {
				if reach[i][j] && weight[e.Label] > 0 && reach[e.To][j] {
					worst[i] = no
				}
			}
		}
	}
	means := plainMeans(w, weight, odds)
	costs := make([]plainCost, n)
	for i := range n {
		costs[i].mean = means[i]
		if best[i] < no {
			costs[i].best = big.NewRat(int64(best[i]), 1)
		}
		if worst[i] < no {
			costs[i].worst = big.NewRat(int64(worst[i]), 1)
		}
	}
	return costs
}

// reach says from where to where transitions lead, in none or more steps.
func (w *wired) reach(takes func(e explore.Edge) bool) [][]bool {
	n := len(w.to)
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
		for _, e := range w.out(i) {
			if takes(e) {
				reach[i][e.To] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	return reach
}

// plainMeans solves the equations of the means exactly, by elimination.
func plainMeans(w *wired, weight []int32, odds []float64) []*big.Rat {
	n := len(w.to)
	owed := func(e explore.Edge) bool { return odds[e.Label] > 0 }
	reach := w.reach(owed)
	// Where a run comes back to again and again: from wherever it gets to.
	returns := make([]bool, n)
	for i := range n {
		returns[i] = true
		for j := range n {
			returns[i] = returns[i] && (!reach[i][j] || reach[j][i])
		}
	}
	infinite := make([]bool, n)
	for i := range n {
		for j := range n {
			for _, e := range w.out(j) {
				infinite[i] = infinite[i] || reach[i][j] && returns[j] && owed(e) && weight[e.Label] > 0
			}
		}
	}
	// Unknown i is the mean of state i; those that are known have an equation
	// that says so.
	rows := make([][]*big.Rat, n)
	for i := range n {
		rows[i] = make([]*big.Rat, n+1)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
		rows[i][i].SetInt64(1)
		if returns[i] || infinite[i] {
			continue
		}
		sum := new(big.Rat)
		for _, e := range w.out(i) {
			sum.Add(sum, new(big.Rat).SetFloat64(odds[e.Label]))
		}
		for _, e := range w.out(i) {
			share := new(big.Rat).SetFloat64(odds[e.Label])
			share.Quo(share, sum)
			rows[i][e.To].Sub(rows[i][e.To], share)
			rows[i][n].Add(rows[i][n], share.Mul(share, big.NewRat(int64(weight[e.Label]), 1)))
		}
	}
	eliminate(rows)
	means := make([]*big.Rat, n)
	for i := range n {
		if !infinite[i] {
			means[i] = rows[i][n]
		}
	}
	return means
}

// eliminate brings rows into the form in which each unknown is known.
func eliminate(rows [][]*big.Rat) {
	for k := range rows {
		p := k
		for rows[p][k].Sign() == 0 {
			p++
		}
		rows[k], rows[p] = rows[p], rows[k]
		by := new(big.Rat).Inv(rows[k][k])
		for j := range rows[k] {
			rows[k][j].Mul(rows[k][j], by)
		}
		for i := range rows {
			if i == k || rows[i][k].Sign() == 0 {
				continue
			}
			by := new(big.Rat).Set(rows[i][k])
			for j := range rows[i] {
				rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(by, rows[k][j]))
			}
		}
	}
}

func TestCostsOfRandomGraphs(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 500
	}
	seen := make(map[string]int)
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w, weight, odds := random(rng, []float64{0, 0.2, 0.7}[seed%3], seed%4 == 0)
		f, nodes := flowOf(t, w, make([]model.Label, len(weight)), odds)
		p := f.newPass()
		require.NoError(t, p.run(context.Background(), weight))
		want := plainCosts(w, weight, odds)
		for state, n := range nodes {
			if f.component[n] == liveness.NoComponent {
				continue // behind a settled state
			}
			c := want[state]
			msg := fmt.Sprintf("seed %d, state %d of %v, marks %v, weights %v, odds %v: want %v", seed, state, w.to, w.marks, weight, odds, c)
			if c.best == nil {
				require.EqualValues(t, noSettling, p.cells[n].best, msg)
				seen["never settles"]++
			} else {
				require.Equal(t, c.best.RatString(), fmt.Sprint(p.cells[n].best), msg)
			}
			if c.worst == nil {
				require.EqualValues(t, unbounded, p.cells[n].worst, msg)
				seen["unbounded"]++
			} else {
				require.Equal(t, c.worst.RatString(), fmt.Sprint(p.cells[n].worst), msg)
			}
			if c.mean == nil {
				require.True(t, math.IsInf(p.cells[n].mean, 1), msg)
				seen["infinite"]++
				continue
			}
			mean, _ := c.mean.Float64()
			require.InEpsilon(t, mean+1, p.cells[n].mean+1, 1e-9, msg)
			if f.place != nil && mean > 0 {
				seen["cyclic"]++
			}
		}
	}
	for _, what := range []string{"never settles", "unbounded", "infinite", "cyclic"} {
		require.Greater(t, seen[what], rounds/20, what)
	}
}

// Every run of a system without cycles, one after the other.
func TestCostsOfAllRuns(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w, weight, odds := random(rng, 0.7, true)
		f, nodes := flowOf(t, w, make([]model.Label, len(weight)), odds)
		p := f.newPass()
		require.NoError(t, p.run(context.Background(), weight))
		for s := range uint32(w.initial) {
			best, worst, mean := int32(noSettling), int32(0), new(big.Rat)
			var walk func(n int, cost int32, likely *big.Rat)
			walk = func(n int, cost int32, likely *big.Rat) {
				sum := new(big.Rat)
				for _, e := range w.out(n) {
					sum.Add(sum, new(big.Rat).SetFloat64(odds[e.Label]))
				}
				for _, e := range w.out(n) {
					share := new(big.Rat)
					if sum.Sign() > 0 {
						share.Mul(likely, share.Quo(new(big.Rat).SetFloat64(odds[e.Label]), sum))
					}
					walk(int(e.To), cost+weight[e.Label], share)
				}
				if sum.Sign() == 0 { // the run may end
					mean.Add(mean, new(big.Rat).Mul(likely, big.NewRat(int64(cost), 1)))
					worst = max(worst, cost)
				}
				if w.marks[n] != 0 {
					best = min(best, cost)
				}
			}
			walk(int(s), 0, big.NewRat(1, 1))
			n := nodes[s]
			require.Equal(t, best, p.cells[n].best, "seed %d", seed)
			require.Equal(t, worst, p.cells[n].worst, "seed %d", seed)
			want, _ := mean.Float64()
			require.InDelta(t, want, p.cells[n].mean, 1e-9, "seed %d", seed)
		}
	}
}

// A looked context counts how often it is looked at, and is cancelled from the look of a
// number on.
type looked struct {
	context.Context
	end, looks int
}

func (c *looked) Err() error {
	if c.looks++; c.end > 0 && c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// TestPassesAreLeft: what goes on for long looks at its context now and then, and ends with
// the first look at one that is cancelled: the way through the nodes, and the equations of
// a cycle that settle slowly.
func TestPassesAreLeft(t *testing.T) {
	const slow = 100
	walk := &wired{initial: 1, to: make([][]explore.Edge, slow+1), marks: make([]uint64, slow+1)}
	walk.marks[slow] = 1
	walk.to[0] = []explore.Edge{{To: 1}}
	for i := 1; i < slow; i++ {
		walk.to[i] = []explore.Edge{{To: uint32(i - 1)}, {To: uint32(i + 1)}}
	}
	f, _ := flowOf(t, walk, make([]model.Label, 2), []float64{1, 1})
	whole := &looked{Context: context.Background()}
	require.NoError(t, f.newPass().run(whole, []int32{1, 1}))
	require.Greater(t, whole.looks, 20)
	for end := 1; end < 10; end++ {
		ctx := &looked{Context: context.Background(), end: end}
		require.ErrorIs(t, f.newPass().run(ctx, []int32{1, 1}), context.Canceled)
		require.LessOrEqual(t, ctx.looks, end+1)
	}
	require.ErrorIs(t, f.arrange(&looked{Context: context.Background(), end: 1}), context.Canceled)
	p := f.newPass()
	p.ctx = &looked{Context: context.Background(), end: 1}
	for n := range 2 * stretch {
		require.Equal(t, n >= stretch-1, p.over(), n)
	}
}

// A long way to go, and one big cycle: no recursion, and what is slow to settle
// is told by the residual.
func TestCostsOfLongGraphs(t *testing.T) {
	const n = 60_000 // searches go no deeper
	line := &wired{initial: 1, to: make([][]explore.Edge, n+1), marks: make([]uint64, n+1)}
	for i := range n {
		line.to[i] = []explore.Edge{{To: uint32(i + 1), Label: 0}}
	}
	line.marks[n] = 1
	f, nodes := flowOf(t, line, make([]model.Label, 2), []float64{1, 1})
	p := f.newPass()
	require.NoError(t, p.run(context.Background(), []int32{3, 1}))
	require.EqualValues(t, 3*n, p.cells[nodes[0]].best)
	require.EqualValues(t, 3*n, p.cells[nodes[0]].worst)
	require.EqualValues(t, 3*n, p.cells[nodes[0]].mean)
	require.Error(t, p.run(context.Background(), []int32{1 << 20, 1}), "more than costs can be")

	// A walk between a wall and the end: n steps of distance take n² on average.
	walk := &wired{initial: 1, to: make([][]explore.Edge, 31), marks: make([]uint64, 31)}
	walk.marks[30] = 1
	walk.to[0] = []explore.Edge{{To: 1}}
	for i := 1; i < 30; i++ {
		walk.to[i] = []explore.Edge{{To: uint32(i - 1)}, {To: uint32(i + 1)}}
	}
	f, nodes = flowOf(t, walk, make([]model.Label, 2), []float64{1, 1})
	p = f.newPass()
	require.NoError(t, p.run(context.Background(), []int32{1, 1}))
	require.EqualValues(t, 30, p.cells[nodes[0]].best)
	require.EqualValues(t, unbounded, p.cells[nodes[0]].worst)
	require.InDelta(t, 900, p.cells[nodes[0]].mean, 1e-6)
	require.Less(t, p.residual, 1e-9)
}

// A lattice is a square of states with steps to the right and down, which cost
// 0 to 3 by where they are; one of four of the latter is no one's due.
type lattice uint32

func (l lattice) Initial(yield func([]byte) bool) { yield(make([]byte, 4)) }

func (l lattice) NewExpander() explore.Expander { return l }

func (l lattice) Expand(state []byte, out *explore.Successors) {
	at := binary.BigEndian.Uint32(state)
	x, y := at%uint32(l), at/uint32(l)
	step := func(to, label uint32) {
		out.End(binary.BigEndian.AppendUint32(out.Begin(), to), 0)
		out.Label(label)
	}
	out.Mark(0)
	if x+1 < uint32(l) {
		step(at+1, (x^y)%4)
	}
	if y+1 < uint32(l) {
		step(at+uint32(l), (x+y)%5)
	}
}

// One pass takes 16 bytes a state, and what is arranged before it 8 more.
func BenchmarkCosts(b *testing.B) {
	const side = 2_300 // 5,290,000 states, 10,575,400 transitions
	r, err := explore.Search(context.Background(), lattice(side), explore.Options{Graph: true, ExpectStates: side * side})
	require.NoError(b, err)
	f := &flow{g: r.Graph, settled: 1, labels: make([]model.Label, 5), odds: []float64{1, 1, 2, 1, 0}}
	f.sources = []source{{node: f.g.Initial()[0]}}
	b.Run("arrange", func(b *testing.B) {
		for b.Loop() {
			f.order, f.bounds = nil, nil
			require.NoError(b, f.arrange(context.Background()))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(f.g.Edges()), "ns/edge")
	})
	b.Run("pass", func(b *testing.B) {
		p := f.newPass()
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, p.run(context.Background(), []int32{0, 1, 2, 3, 1}))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(f.g.Edges()), "ns/edge")
	})
}

func TestCostSettings(t *testing.T) {
	s, err := setting.Parse("n=3 start=settled crashes=1 restarts=1 joins=1 timing=sync:2")
	require.NoError(t, err)
	s = Setting(s)
	assert.Equal(t, "n=3 start=coordinator-down channels=unordered timing=sync:2", s.String())
	assert.Equal(t, model.None, beginner(s))
	one := BegunBy(s, model.SetOf(2))
	assert.Equal(t, model.ID(2), beginner(one))
	assert.Equal(t, model.SetOf(2), one.Detectors)
	cold := BegunBy(setting.Must("n=3"), model.SetOf(1, 2))
	assert.Equal(t, model.SetOf(1, 2), cold.Initiators.Set)
	assert.Equal(t, model.None, beginner(cold))
}
