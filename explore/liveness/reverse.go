package liveness

import (
	"context"

	"bullyproof/explore"
)

// A Reverse has the edges of a graph by where they lead.
type Reverse struct {
	g     *explore.Graph
	first []uint64 // of each node, and one more
	from  []uint32
}

// Reversed returns the graph the other way round. The error is that of the context, if that
// ends it.
func Reversed(ctx context.Context, g *explore.Graph) (*Reverse, error) {
	r := &Reverse{g: g, first: make([]uint64, g.Nodes()+1), from: make([]uint32, g.Edges())}
	each := func(f func(from, to uint32)) error {
		return g.Each(ctx, func(n uint32) {
			for _, e := range g.Out(n) {
				f(n, e.To)
			}
		})
	}
	if err := each(func(_, to uint32) { r.first[to+1]++ }); err != nil {
		return nil, err
	}
	for n := range g.Nodes() {
		r.first[n+1] += r.first[n]
	}
	next := append([]uint64(nil), r.first...)
	return r, each(func(from, to uint32) {
		r.from[next[to]] = from
		next[to]++
	})
}

// in returns the nodes with an edge to n, one for each edge.
func (r *Reverse) in(n uint32) []uint32 { return r.from[r.first[n]:r.first[n+1]] }

// Far is the distance of what is out of reach.
const Far = ^uint32(0)

// Distances returns how many edges lead from each node to the nearest of
// those that are ends, by nodes that pass from the second on; Far where there is none. The
// error is that of the context, if that ends it.
func (r *Reverse) Distances(ctx context.Context, ends, pass func(n uint32) bool) ([]uint32, error) {
	dist := make([]uint32, r.g.Nodes())
	var queue []uint32
	err := r.g.Each(ctx, func(n uint32) {
		dist[n] = Far
		if ends(n) {
			dist[n] = 0
			queue = append(queue, n)
		}
	})
	for i := 0; i < len(queue) && err == nil; i++ {
		if i%pause == 0 {
			err = ctx.Err()
		}
		for _, m := range r.in(queue[i]) {
			if dist[m] == Far && pass(m) {
				dist[m] = dist[queue[i]] + 1
				queue = append(queue, m)
			}
		}
	}
	return dist, err
}

// Cyclic reports whether the graph has a cycle: nodes that nothing leads to any more are
// taken away, again and again. Where the context ends that, the error is that of the
// context, and the graph may have one.
func Cyclic(ctx context.Context, g *explore.Graph) (bool, error) {
	into := make([]uint32, g.Nodes())
	err := g.Each(ctx, func(n uint32) {
		for _, e := range g.Out(n) {
			into[e.To]++
		}
	})
	var free []uint32
	for n, count := range into {
		if count == 0 {
			free = append(free, uint32(n))
		}
	}
	left := len(into)
	for ; len(free) > 0 && err == nil; left-- {
		n := free[len(free)-1]
		free = free[:len(free)-1]
		for _, e := range g.Out(n) {
			if into[e.To]--; into[e.To] == 0 {
				free = append(free, e.To)
			}
		}
		if left%pause == 0 {
			err = ctx.Err()
		}
	}
	return left > 0 || err != nil, err
}
