package cost

import (
	"math"
	"slices"

	"bullyproof/explore"
)

// A knot is a component with cycles, as a pass sees it. Its nodes are numbered
// by their place in it.
type knot struct {
	*pass
	c     int
	nodes []uint32
	// The transitions within the component by their ends: those into node i are
	// into[first[i]:first[i+1]].
	first []uint32
	into  []backEdge
}

// A backEdge is a transition within a component, seen from its end.
type backEdge struct{ from, label uint32 }

// cycle computes the costs of a component that has cycles.
func (p *pass) cycle(c int, nodes []uint32) {
	k := &knot{pass: p, c: c, nodes: nodes}
	k.turn()
	k.worstOf()
	k.bestOf()
	k.meanOf()
}

// inside reports whether a transition stays in the component.
func (k *knot) inside(e explore.Edge) bool { return k.component[e.To] == uint32(k.c) }

// at returns the number of a node within the component.
func (k *knot) at(n uint32) uint32 { return k.place[n] - k.bounds[k.c] }

// turn lists the transitions within the component by their ends.
func (k *knot) turn() {
	k.first = make([]uint32, len(k.nodes)+1)
	for _, n := range k.nodes {
		for _, e := range k.out(n) {
			if k.inside(e) {
				k.first[k.at(e.To)+1]++
			}
		}
	}
	for i := range k.nodes {
		k.first[i+1] += k.first[i]
	}
	k.into = make([]backEdge, k.first[len(k.nodes)])
	next := slices.Clone(k.first)
	for i, n := range k.nodes {
		for _, e := range k.out(n) {
			if k.inside(e) {
				to := k.at(e.To)
				k.into[next[to]] = backEdge{uint32(i), e.Label}
				next[to]++
			}
		}
	}
}

// worstOf computes the worst costs, which are the same for all nodes: who can go
// round for nothing can leave anywhere, and who cannot need never stop.
func (k *knot) worstOf() {
	worst := int32(0)
	for _, n := range k.nodes {
		for _, e := range k.out(n) {
			switch {
			case !k.inside(e):
				worst = max(worst, k.plus(k.weight[e.Label], k.cells[e.To].worst))
			case k.weight[e.Label] > 0:
				worst = unbounded
			}
		}
	}
	for _, n := range k.nodes {
		k.cells[n].worst = worst
	}
}

// bestOf computes the best costs: shortest paths from the exits backward, with
// a bucket for each cost, as E. Dijkstra and R. Dial have it.
func (k *knot) bestOf() {
	var buckets [][]uint32
	put := func(i uint32, cost int32, least int32) {
		if at := int(cost - least); at < len(buckets) {
			buckets[at] = append(buckets[at], i)
			return
		}
		for len(buckets) <= int(cost-least) {
			buckets = append(buckets, nil)
		}
		buckets[cost-least] = append(buckets[cost-least], i)
	}
	least := int32(noSettling)
	for _, n := range k.nodes {
		k.cells[n].best = noSettling
		for _, e := range k.out(n) {
			if !k.inside(e) {
				k.cells[n].best = min(k.cells[n].best, k.plus(k.weight[e.Label], k.cells[e.To].best))
			}
		}
		least = min(least, k.cells[n].best)
	}
	if least == noSettling {
		return
	}
	for i, n := range k.nodes {
		if k.cells[n].best != noSettling {
			put(uint32(i), k.cells[n].best, least)
		}
	}
	for at := 0; at < len(buckets); at++ {
		for len(buckets[at]) > 0 {
			last := len(buckets[at]) - 1
			i := buckets[at][last]
			buckets[at] = buckets[at][:last]
			cost := least + int32(at)
			if k.cells[k.nodes[i]].best != cost {
				continue // was reached for less
			}
			for _, b := range k.into[k.first[i]:k.first[i+1]] {
				if c := k.plus(k.weight[b.label], cost); c < k.cells[k.nodes[b.from]].best {
					k.cells[k.nodes[b.from]].best = c
					put(b.from, c, least)
				}
			}
		}
	}
}

// meanOf computes the mean costs under the uniform scheduler.
func (k *knot) meanOf() {
	leaves := k.backward(k.canLeave)
	costly := k.backward(func(n uint32) bool {
		return slices.ContainsFunc(k.out(n), func(e explore.Edge) bool { return k.odds[e.Label] > 0 && k.weight[e.Label] > 0 })
	})
	// A run that cannot leave never ends: at no cost, or, if it cannot come to
	// where that is so, at one without limit; and so does a run that may get
	// there.
	free := func(n uint32) bool { return !leaves[k.at(n)] && !costly[k.at(n)] }
	ends := k.backward(func(n uint32) bool { return k.canLeave(n) || free(n) })
	endless := k.backward(func(n uint32) bool {
		return !ends[k.at(n)] || slices.ContainsFunc(k.out(n), func(e explore.Edge) bool {
			return k.odds[e.Label] > 0 && !k.inside(e) && math.IsInf(k.cells[e.To].mean, 1)
		})
	})
	var unknown []uint32
	for i, n := range k.nodes {
		k.cells[n].mean = 0
		if endless[i] {
			k.cells[n].mean = math.Inf(1)
		} else if !free(n) {
			unknown = append(unknown, n)
		}
	}
	k.relax(unknown)
}

// canLeave reports whether an owed transition leads out of the component, or
// there is none at all.
func (k *knot) canLeave(n uint32) bool {
	owed := false
	for _, e := range k.out(n) {
		if k.odds[e.Label] > 0 {
			owed = true
			if !k.inside(e) {
				return true
			}
		}
	}
	return !owed
}

// backward returns which nodes can get, by owed transitions within the
// component, to one that is among the seeds.
func (k *knot) backward(seed func(n uint32) bool) []bool {
	found := make([]bool, len(k.nodes))
	var todo []uint32
	for i, n := range k.nodes {
		if seed(n) {
			found[i] = true
			todo = append(todo, uint32(i))
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, b := range k.into[k.first[i]:k.first[i+1]] {
			if !found[b.from] && k.odds[b.label] > 0 {
				found[b.from] = true
				todo = append(todo, b.from)
			}
		}
	}
	return found
}

// Where an iteration ends: when no value differs from what its successors make
// it by more than that part of it, or after so many looks at a transition.
const (
	tolerance = 1e-13
	mostLooks = 2_000_000_000
)

// relax solves the equations of the mean costs of some nodes, whose others are
// known: Gauss and Seidel's method, which converges since all of them leave.
func (k *knot) relax(unknown []uint32) {
	for looks := 0; ; looks += len(k.into) + len(unknown) {
		off := 0.0
		for _, n := range unknown {
			if k.over() {
				return
			}
			value := k.expect(n, true)
			off = max(off, math.Abs(value-k.cells[n].mean)/max(1, math.Abs(value)))
			k.cells[n].mean = value
		}
		if off <= tolerance || looks > mostLooks {
			break
		}
	}
	for _, n := range unknown {
		k.residual = max(k.residual, math.Abs(k.expect(n, false)-k.cells[n].mean))
	}
}

// expect returns what the nodes behind a node make its mean cost. Where solve is
// set, transitions to the node itself are solved for.
func (k *knot) expect(n uint32, solve bool) float64 {
	sum, odds, stay := 0.0, 0.0, 0.0
	for _, e := range k.out(n) {
		o := k.odds[e.Label]
		if o == 0 {
			continue
		}
		odds += o
		if sum += o * float64(k.weight[e.Label]); e.To == n && solve {
			stay += o
		} else {
			sum += o * k.cells[e.To].mean
		}
	}
	if odds == stay {
		return 0
	}
	return sum / (odds - stay)
}
