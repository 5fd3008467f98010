package explore

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/visited"
	"bullyproof/internal/test/casecount"
)

// A graph is a small transition system that is all there in memory. Its states
// are numbers, encoded in a length that depends on the number.
type graph struct {
	initial []int
	edges   [][]edge
	hits    []mark
}

// An edge leads to a state, or nowhere if to is -1: a dead end. It may hit a
// target.
type edge struct {
	to     int
	action Code
	target int // -1 for none
	rank   uint32
}

// A mark is a hit of a target by a state.
type mark struct {
	state, target int
	rank          uint32
}

func encode(n int) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(n))
	return append(b, make([]byte, n%5)...)
}

func decode(b []byte) int { return int(binary.BigEndian.Uint16(b)) }

func (g *graph) Initial(yield func([]byte) bool) {
	for _, n := range g.initial {
		if !yield(encode(n)) {
			return
		}
	}
}

func (g *graph) NewExpander() Expander { return g }

func (g *graph) Expand(state []byte, out *Successors) {
	n := decode(state)
	for _, m := range g.hits {
		if m.state == n {
			out.Hit(m.target, m.rank)
		}
	}
	for _, e := range g.edges[n] {
		if e.to < 0 {
			out.HitDeadEnd(e.target, e.rank, e.action)
			continue
		}
		out.Add(encode(e.to), e.action)
		if e.target >= 0 {
			out.HitStep(e.target, e.rank)
		}
	}
}

const graphTargets = 3

// graphs generates small transition systems.
func graphs() *rapid.Generator[*graph] {
	return rapid.Custom(func(t *rapid.T) *graph {
		n := rapid.IntRange(1, 60).Draw(t, "states")
		state := rapid.IntRange(0, n-1)
		target, rank := rapid.IntRange(0, graphTargets-1), rapid.Uint32Range(0, 2)
		g := &graph{initial: rapid.SliceOfN(state, 1, 4).Draw(t, "initial"), edges: make([][]edge, n)}
		unhit := rapid.SampledFrom([]int{2, 20, 100}).Draw(t, "edges without a hit")
		for range rapid.IntRange(0, 3*n).Draw(t, "edges") {
			from := state.Draw(t, "from")
			e := edge{to: state.Draw(t, "to"), target: -1, action: Code(rapid.Uint64Range(0, 3).Draw(t, "action"))}
			switch rapid.IntRange(0, unhit).Draw(t, "kind") {
			case 0:
				e.target, e.rank = target.Draw(t, "target"), rank.Draw(t, "rank")
			case 1:
				e.to, e.target, e.rank = -1, target.Draw(t, "target"), rank.Draw(t, "rank")
			}
			g.edges[from] = append(g.edges[from], e)
		}
		for range rapid.IntRange(0, 4).Draw(t, "hits") {
			g.hits = append(g.hits, mark{state.Draw(t, "state"), target.Draw(t, "target"), rank.Draw(t, "rank")})
		}
		return g
	})
}

// A reference is what the plain search finds.
type reference struct {
	depth     map[string]int
	levels    []uint64
	generated uint64
	beyond    bool
	hits      map[int]Hit
}

// plain searches with a map of whole states and a queue. It stops after the
// level in which the last of the needed targets is hit, and does not follow
// states at the depth limit, where that is not negative.
func plain(sys System, maxDepth int, needed []int, fingerprint func([]byte) uint64) *reference {
	r := &reference{depth: map[string]int{}, hits: map[int]Hit{}}
	var queue [][]byte
	visit := func(state []byte, depth int) bool {
		r.generated++
		if _, ok := r.depth[string(state)]; ok {
			return true
		}
		if maxDepth >= 0 && depth > maxDepth {
			r.beyond = true
			return true
		}
		if depth == len(r.levels) {
			r.levels = append(r.levels, 0)
		}
		r.levels[depth]++
		r.depth[string(state)] = depth
		queue = append(queue, bytes.Clone(state))
		return true
	}
	sys.Initial(func(state []byte) bool { return visit(state, 0) })
	exp, level := sys.NewExpander(), 0
	for ; len(queue) > 0; queue = queue[1:] {
		var out Successors
		state := queue[0]
		depth := r.depth[string(state)]
		if depth > level {
			if level = depth; len(needed) > 0 && !slices.ContainsFunc(needed, func(t int) bool { _, ok := r.hits[t]; return !ok }) {
				return r
			}
		}
		exp.Expand(state, &out)
		r.judge(state, depth, &out, fingerprint)
		for i := range out.Len() {
			visit(out.State(i), depth+1)
		}
	}
	return r
}

// judge keeps the best hits by the documented order, written out once more.
func (r *reference) judge(state []byte, depth int, out *Successors, fingerprint func([]byte) uint64) {
	for _, h := range out.hits {
		hit := Hit{Target: h.target, Depth: depth, Rank: h.rank, State: state, source: fingerprint(state)}
		if h.dead {
			hit.kind, hit.Depth, hit.Code = deadEndHit, depth+1, h.code
		} else if h.step >= 0 {
			hit.kind, hit.Depth, hit.Code = stepHit, depth+1, out.Code(h.step)
			hit.successor, hit.ordinal = fingerprint(out.State(h.step)), h.step
		}
		old, ok := r.hits[h.target]
		if !ok || less(hit, old) {
			r.hits[h.target] = hit
		}
	}
}

func less(a, b Hit) bool {
	switch {
	case a.level() != b.level():
		return a.level() < b.level()
	case (a.kind == stateHit) != (b.kind == stateHit):
		return a.kind == stateHit
	case a.Rank != b.Rank:
		return a.Rank < b.Rank
	case a.source != b.source:
		return a.source < b.source
	case !bytes.Equal(a.State, b.State):
		return bytes.Compare(a.State, b.State) < 0
	case a.kind != b.kind:
		return a.kind < b.kind
	case a.successor != b.successor:
		return a.successor < b.successor
	case a.ordinal != b.ordinal:
		return a.ordinal < b.ordinal
	}
	return a.Code < b.Code
}

// depthsOf returns all states with their depths.
func depthsOf(r *Result, sys System) map[string]int {
	found := map[string]int{}
	s, exp := r.search, sys.NewExpander()
	var todo []string
	add := func(state []byte) bool {
		if meta := s.meta(s.fingerprint(state), state); meta != 0 {
			if _, ok := found[string(state)]; !ok {
				found[string(state)] = visited.Depth(meta)
				todo = append(todo, string(state))
			}
		}
		return true
	}
	sys.Initial(add)
	for ; len(todo) > 0; todo = todo[1:] {
		var out Successors
		exp.Expand([]byte(todo[0]), &out)
		for i := range out.Len() {
			add(out.State(i))
		}
	}
	return found
}

// requireLeastPredecessors checks that each state has as its predecessor that
// one of the states a level before with a transition to it whose fingerprint
// has the least prefix.
func requireLeastPredecessors(t require.TestingT, r *Result, sys System, want *reference) {
	s, exp, least := r.search, sys.NewExpander(), map[string]uint64{}
	for state, depth := range want.depth {
		var out Successors
		exp.Expand([]byte(state), &out)
		prefix := s.fingerprint([]byte(state)) >> visited.PrefixShift
		for i := range out.Len() {
			next := string(out.State(i))
			if d, ok := want.depth[next]; !ok || d != depth+1 {
				continue
			}
			if old, ok := least[next]; !ok || prefix < old {
				least[next] = prefix
			}
		}
	}
	for state, depth := range want.depth {
		meta := s.meta(s.fingerprint([]byte(state)), []byte(state))
		require.Equal(t, depth, visited.Depth(meta))
		require.Equal(t, least[state], visited.Prefix(meta))
	}
}

// requirePath checks that steps are a path of the system to the hit.
func requirePath(t require.TestingT, sys System, steps []PathStep, h Hit) {
	require.NotEmpty(t, steps)
	initial := false
	sys.Initial(func(state []byte) bool { initial = initial || bytes.Equal(state, steps[0].State); return true })
	require.True(t, initial, "the path begins in an initial state")
	exp := sys.NewExpander()
	for i, step := range steps[1:] {
		var out Successors
		exp.Expand(steps[i].State, &out)
		if h.kind == deadEndHit && i == len(steps)-2 {
			require.Nil(t, step.State)
			require.True(t, slices.ContainsFunc(out.hits, func(o hit) bool {
				return o.dead && o.target == h.Target && o.code == step.Code
			}))
			return
		}
		found := false
		for j := range out.Len() {
			found = found || out.Code(j) == step.Code && bytes.Equal(out.State(j), step.State)
		}
		require.True(t, found, "step %d is a transition", i+1)
	}
	if h.kind == stateHit {
		require.Equal(t, h.State, steps[len(steps)-1].State)
	} else {
		require.Equal(t, h.State, steps[len(steps)-2].State)
	}
}

// summary is everything of a result that must not depend on the workers.
func summary(t require.TestingT, r *Result) string {
	s := fmt.Sprint(r.Reason, r.Cuts, r.Distinct, r.Generated, r.Expanded, r.Depth, r.Levels, r.Collisions)
	for target := range r.hits {
		if h, ok := r.Hit(target); ok {
			steps, err := r.Path(target)
			require.NoError(t, err)
			s += fmt.Sprint("\n", h, steps)
		}
	}
	return s
}

func TestBreadthFirstAgreesWithPlainSearch(t *testing.T) {
	ctx := context.Background()
	casecount.Many(t, *deep, 100)
	rapid.Check(t, func(t *rapid.T) {
		g := graphs().Draw(t, "graph")
		opt := Options{Targets: graphTargets, Exhaustive: rapid.Bool().Draw(t, "exhaustive")}
		if rapid.Bool().Draw(t, "some") {
			opt.StopWhenAll = rapid.SliceOfN(rapid.IntRange(0, graphTargets-1), 1, 2).Draw(t, "stop when all")
		}
		opt.MaxDepth = rapid.IntRange(0, 6).Draw(t, "max depth")
		opt.Exact = rapid.Bool().Draw(t, "exact")
		opt.buckets = rapid.IntRange(1, 5).Draw(t, "buckets")
		opt.inPlaceFrom = rapid.SampledFrom([]int{math.MaxInt, 1, 4, 9}).Draw(t, "in place from")
		opt.hash = rapid.SampledFrom(hashes(opt.Exact)).Draw(t, "hash")

		checked, err := opt.check()
		require.NoError(t, err)
		s := newSearch(g, checked)
		limit := opt.MaxDepth
		if limit == 0 {
			limit = -1
		}
		want := plain(g, limit, checked.needed(g), s.fingerprint)

		var first string
		for _, workers := range []int{1, 2, 3, 8} {
			opt.Workers = workers
			r, err := Search(ctx, g, opt)
			require.NoError(t, err)
			require.Equal(t, want.depth, depthsOf(r, g))
			if opt.Exhaustive {
				requireLeastPredecessors(t, r, g, want)
			}
			require.Equal(t, want.levels, r.Levels)
			require.EqualValues(t, len(want.depth), r.Distinct)
			require.Equal(t, want.generated, r.Generated)
			for target := range graphTargets {
				h, ok := r.Hit(target)
				wanted, hit := want.hits[target]
				require.Equal(t, hit, ok)
				if !ok {
					continue
				}
				require.Equal(t, wanted, h)
				steps, err := r.Path(target)
				require.NoError(t, err)
				require.Len(t, steps, h.Depth+1)
				requirePath(t, g, steps, h)
			}
			if r.Complete() {
				require.False(t, want.beyond)
			}
			if first == "" {
				first = summary(t, r)
			}
			require.Equal(t, first, summary(t, r), "%d workers", workers)
		}
	})
}

// hashes returns hash functions to replace the real one: good ones, one whose
// 48-bit prefixes are equal, and terrible ones that only an exact search
// survives.
func hashes(exact bool) []func([]byte) uint64 {
	number := func(b []byte) uint64 { return uint64(decode(b)) + 2 }
	list := []func([]byte) uint64{
		nil,
		number,
		func(b []byte) uint64 { return number(b)<<63 | number(b) },
		func(b []byte) uint64 { return ^number(b) },
		func(b []byte) uint64 { return 1<<63 - 1 - number(b)<<14 },
	}
	if exact {
		list = append(list,
			func(b []byte) uint64 { return number(b) & 7 },
			func(b []byte) uint64 { return (number(b) & 3) << 62 },
			func(b []byte) uint64 { return 0 },
		)
	}
	return list
}
