package liveness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
)

// chain returns a system with transitions given as from, to, label. It begins
// in state 0.
func chain(transitions ...[3]int) *labelled {
	l := &labelled{initial: []int{0}}
	for _, e := range transitions {
		for len(l.edges) <= max(e[0], e[1]) {
			l.edges = append(l.edges, nil)
		}
		l.edges[e[0]] = append(l.edges[e[0]], labelledEdge{e[1], uint32(e[2])})
	}
	return l
}

// lassoOf asks about a system by the numbers of its states, and returns the
// states of the lasso: nil for none.
func lassoOf(t *testing.T, l *labelled, q LassoQuery) (prefix, cycle []int) {
	g := mustGraph(t, l)
	lasso, err := FindLasso(context.Background(), g, byState(g, q))
	require.NoError(t, err)
	if lasso == nil {
		return nil, nil
	}
	steps, err := g.Steps(append(lasso.Prefix, lasso.Cycle...))
	require.NoError(t, err)
	for i, step := range steps {
		if i < len(lasso.Prefix) {
			prefix = append(prefix, decode(step.State))
		} else {
			cycle = append(cycle, decode(step.State))
		}
	}
	return prefix, cycle
}

// byState turns a query about states, as marked, into one about nodes.
func byState(g *explore.Graph, q LassoQuery) LassoQuery {
	of := func(f func(uint32) bool) func(uint32) bool {
		if f == nil {
			return nil
		}
		return func(n uint32) bool { return f(uint32(g.Mark(n) >> 40)) }
	}
	q.From, q.Within, q.Visit = of(q.From), of(q.Within), of(q.Visit)
	return q
}

func not(states ...uint32) func(uint32) bool {
	return func(n uint32) bool {
		for _, s := range states {
			if s == n {
				return false
			}
		}
		return true
	}
}

// each gives each of n labels a class of its own.
func each(n int, s Strength) (strengths []Strength, classes [][]int32) {
	for class := range n {
		strengths, classes = append(strengths, s), append(classes, []int32{int32(class)})
	}
	return strengths, classes
}

// Eventually state 2: a run can go round between 0 and 1 without end, but not
// a fair one, as the way out has a class of its own.
func TestUnfairCycleIsNoViolation(t *testing.T) {
	l := chain([3]int{0, 1, 0}, [3]int{1, 0, 1}, [3]int{0, 2, 2}, [3]int{1, 2, 2}, [3]int{2, 2, 3})
	q := LassoQuery{From: func(n uint32) bool { return n == 0 }, Within: not(2)}
	prefix, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{0}, prefix)
	assert.Equal(t, []int{1, 0}, cycle, "without fairness it is one")

	q.Fairness.Strength, q.Fairness.Classes = each(4, Weak)
	prefix, _ = lassoOf(t, l, q)
	assert.Nil(t, prefix)

	// The way out only from 1: it is disabled again and again, which is too
	// little for weak fairness and enough for strong fairness.
	l = chain([3]int{0, 1, 0}, [3]int{1, 0, 1}, [3]int{1, 2, 2}, [3]int{2, 2, 3})
	_, cycle = lassoOf(t, l, q)
	assert.Equal(t, []int{1, 0}, cycle)
	q.Fairness.Strength, q.Fairness.Classes = each(4, Strong)
	prefix, _ = lassoOf(t, l, q)
	assert.Nil(t, prefix)
}

// A component of a hundred states has a fair cycle of two.
func TestCycleIsNotAWholeComponent(t *testing.T) {
	const n = 100
	var list [][3]int
	for i := range n {
		list = append(list, [3]int{i, (i + 1) % n, i % 3})
	}
	list = append(list, [3]int{1, 0, 4})
	q := LassoQuery{}
	q.Fairness.Strength, q.Fairness.Classes = each(5, Strong)
	prefix, cycle := lassoOf(t, chain(list...), q)
	assert.Equal(t, []int{0}, prefix)
	assert.Len(t, cycle, n+2, "both ways on from 1 have to be taken where fairness is strong")

	q.Fairness.Strength, q.Fairness.Classes = each(5, Weak)
	prefix, cycle = lassoOf(t, chain(list...), q)
	assert.Equal(t, []int{0}, prefix)
	assert.Equal(t, []int{1, 0}, cycle)
}

// In state 1 only a fault is possible: a run may stop there, and that takes no
// transition, so it is no fair run to a class that is enabled.
func TestStutterStepTakesNothing(t *testing.T) {
	l := chain([3]int{0, 1, 0}, [3]int{1, 2, 1}, [3]int{2, 2, 0})
	q := LassoQuery{Within: not(2)}
	q.Fairness.Optional = []bool{false, true}
	prefix, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{0, 1}, prefix, "stuck although a fault is possible")
	assert.Empty(t, cycle)

	q.Fairness.Classes, q.Fairness.Strength = [][]int32{nil, {0}}, []Strength{Weak}
	prefix, _ = lassoOf(t, l, q)
	assert.Nil(t, prefix, "the class would be enabled for ever and never taken")

	q.Fairness = FairRuns{}
	prefix, _ = lassoOf(t, l, q)
	assert.Nil(t, prefix, "a transition that is not optional keeps a run from stopping")

	q = LassoQuery{Take: func(uint32, explore.Edge) bool { return true }}
	prefix, cycle = lassoOf(t, chain([3]int{0, 1, 0}), q)
	assert.Nil(t, prefix, "a dead end takes nothing")
	assert.Nil(t, cycle)
}

// A transition out of a component and back into it, and one between its nodes
// that is not in the region, are not taken by cycles of it; and a node alone is
// no cycle.
func TestComponentIsJudgedByItsEdges(t *testing.T) {
	// Class 1 is enabled in all nodes of the cycle 0 1, and leads to 2, from
	// where there is a way back; with 2 out of the region it is never taken.
	l := chain([3]int{0, 1, 0}, [3]int{1, 0, 0}, [3]int{0, 2, 1}, [3]int{1, 2, 1}, [3]int{2, 0, 0})
	q := LassoQuery{Within: not(2)}
	q.Fairness.Strength, q.Fairness.Classes = each(2, Weak)
	prefix, _ := lassoOf(t, l, q)
	assert.Nil(t, prefix)
	q.Within = nil
	prefix, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{0}, prefix)
	assert.Contains(t, cycle, 2)

	// All of the states in a row are met, and none again.
	l = chain([3]int{0, 1, 0}, [3]int{1, 2, 0}, [3]int{2, 3, 0})
	prefix, _ = lassoOf(t, l, LassoQuery{Within: not(3)})
	assert.Nil(t, prefix)

	// Two transitions between the same nodes: the cycle needs both labels.
	l = chain([3]int{0, 1, 0}, [3]int{0, 1, 1}, [3]int{1, 0, 2})
	q = LassoQuery{}
	q.Fairness.Strength, q.Fairness.Classes = each(3, Strong)
	_, cycle = lassoOf(t, l, q)
	assert.Equal(t, []int{1, 0, 1, 0}, cycle)
}

// Without a tick a cycle is not one: runs that take infinitely many steps in no
// time do not count.
func TestCycleTakesTime(t *testing.T) {
	l := chain([3]int{0, 1, 0}, [3]int{1, 0, 0}, [3]int{1, 2, 1}, [3]int{2, 3, 0}, [3]int{3, 2, 1})
	q := LassoQuery{Fairness: FairRuns{Classes: [][]int32{{0}, {1}}, Strength: []Strength{Unfair, Unconditional}}}
	prefix, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{0, 1, 2}, prefix)
	assert.Equal(t, []int{3, 2}, cycle)
	q.Within = not(3)
	prefix, _ = lassoOf(t, l, q)
	assert.Nil(t, prefix)
}

// A run that never takes class 0 breaks "eventually 2" where nothing is said of
// class 0. (The zero value of what named the clock once made it class 0.)
func TestZeroFairnessHidesNothing(t *testing.T) {
	l := chain([3]int{0, 1, 1}, [3]int{1, 0, 1}, [3]int{0, 2, 0}, [3]int{2, 2, 1})
	q := LassoQuery{Within: not(2), Fairness: FairRuns{Classes: [][]int32{{0}, {1}}, Strength: []Strength{Unfair, Weak}}}
	prefix, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{0}, prefix)
	assert.Equal(t, []int{1, 0}, cycle)
}

// Weak fairness to two sets of actions that overlap: a cycle that takes what
// both have in common is fair to both, and one that takes neither is to none.
func TestOverlappingClasses(t *testing.T) {
	l := chain([3]int{0, 1, 0}, [3]int{1, 0, 1}, [3]int{0, 2, 2}, [3]int{1, 2, 2})
	q := LassoQuery{Within: not(2)}
	q.Fairness.Strength = []Strength{Weak, Weak}
	q.Fairness.Classes = [][]int32{{0, 1}, nil, {1}}
	_, cycle := lassoOf(t, l, q)
	assert.Equal(t, []int{1, 0}, cycle, "label 0 is of both classes")
	q.Fairness.Classes = [][]int32{{0}, nil, {1}}
	prefix, _ := lassoOf(t, l, q)
	assert.Nil(t, prefix)
}

// Stateright misses an "eventually" that fails only on the second way into a
// state where ways join, since the state has been visited.
func TestViolationBehindAJoin(t *testing.T) {
	// Eventually odd: 0 2 4 6 is a run without, 1 and 4 join ways.
	l := chain([3]int{0, 1, 0}, [3]int{1, 4, 0}, [3]int{0, 2, 0}, [3]int{2, 4, 0}, [3]int{4, 6, 0})
	even := func(n uint32) bool { return n%2 == 0 }
	prefix, cycle := lassoOf(t, l, LassoQuery{From: func(n uint32) bool { return n == 0 }, Within: even})
	assert.Equal(t, []int{0, 2, 4, 6}, prefix)
	assert.Empty(t, cycle)
}

// Stateright misses an "eventually" that fails on a cycle.
func TestViolationOnACycle(t *testing.T) {
	l := chain([3]int{0, 2, 0}, [3]int{2, 4, 0}, [3]int{4, 2, 0}, [3]int{4, 5, 0})
	even := func(n uint32) bool { return n%2 == 0 }
	prefix, cycle := lassoOf(t, l, LassoQuery{From: func(n uint32) bool { return n == 0 }, Within: even})
	assert.Equal(t, []int{0, 2}, prefix)
	assert.Equal(t, []int{4, 2}, cycle)
}

// Any number of workers answers the same.
func TestWorkersLoseNoViolations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const n = 5000
	l := &labelled{initial: []int{0, 1}, edges: make([][]labelledEdge, n)}
	for i := range n {
		for range 1 + random.IntN(2) {
			to := min(n-1, i+random.IntN(40)-3)
			l.edges[i] = append(l.edges[i], labelledEdge{max(0, to), random.Uint32N(6)})
		}
	}
	strengths, classes := each(6, Weak)
	strengths[1], strengths[4] = Strong, Strong
	var want string
	for _, workers := range []int{1, 2, 8} {
		r := mustSearch(t, l, explore.Options{Graph: true, Workers: workers})
		g := r.Graph
		var got []any
		for k := range uint32(40) {
			q := LassoQuery{
				From:     func(n uint32) bool { return n%40 == k },
				Within:   func(n uint32) bool { return n%41 != k },
				Fairness: FairRuns{Strength: strengths, Classes: classes},
			}
			lasso, err := FindLasso(context.Background(), g, byState(g, q))
			require.NoError(t, err)
			got = append(got, lasso != nil)
			if lasso != nil {
				got = append(got, *lasso)
			}
		}
		if want == "" {
			want = fmt.Sprint(got)
			assert.Contains(t, want, "true")
		}
		assert.Equal(t, want, fmt.Sprint(got), "%d workers", workers)
	}
}

func TestLassoQueryMisuse(t *testing.T) {
	g := mustGraph(t, chain([3]int{0, 0, 0}))
	for want, f := range map[string]FairRuns{
		"label 1 has fairness class 2":  {Classes: [][]int32{{0}, {1, 2}}, Strength: []Strength{Weak, Weak}},
		"label 0 has fairness class -1": {Classes: [][]int32{{-1}}, Strength: []Strength{Weak}},
		"strength 4":                    {Strength: []Strength{4}},
	} {
		_, err := FindLasso(context.Background(), g, LassoQuery{Fairness: f})
		assert.ErrorContains(t, err, want)
	}
	assert.Equal(t, "unfair weak strong unconditional Strength(9)", fmt.Sprint(Unfair, Weak, Strong, Unconditional, Strength(9)))
}
