package liveness

import (
	"errors"

	"bullyproof/explore"
)

// A walk is a part of a cycle within a fair component, and what the cycle still
// lacks.
type walk struct {
	j    *judge
	id   uint32 // at of the component
	here uint32 // where the walk has come to
	hops []explore.Hop

	visit, take bool // lacks the visit, the transition

	// Of the classes that have never been taken, weak has those of strength Weak
	// that have been enabled in every node, and owed those of strength Strong
	// that have been enabled and all of strength Unconditional. taken has the
	// classes that have been taken.
	weak, owed, taken map[int32]bool
}

var errNoCycle = errors.New("liveness: a fair component without a fair cycle: this is a defect of package liveness, or a function of the query does not always answer the same")

// cycle returns a short fair cycle through a node of a fair component. It
// overwrites the parents in the region.
func (j *judge) cycle(start uint32) ([]explore.Hop, error) {
	b := &bridge{j: j, parent: j.r.parent}
	for n := range b.parent {
		b.parent[n] = unseen
	}
	w := j.newWalk(start)
	if err := w.close(b, start); err != nil {
		return nil, err
	}
	if !w.lacks() {
		return w.hops, nil
	}
	w = j.newWalk(start)
	for w.lacks() || w.here != start || len(w.hops) == 0 {
		if !w.lacks() {
			if err := w.close(b, start); err != nil {
				return nil, err
			}
			continue
		}
		hops, err := b.nearest(w.id, w.here, w.helps)
		if err != nil {
			return nil, err
		}
		w.follow(hops)
	}
	return w.hops, nil
}

// newWalk returns the walk that stands still at a node.
func (j *judge) newWalk(start uint32) *walk {
	q := j.r.q
	w := &walk{
		j: j, id: j.at[start], here: start,
		visit: q.Visit != nil, take: q.Take != nil,
		weak: map[int32]bool{}, owed: map[int32]bool{}, taken: map[int32]bool{},
	}
	for _, class := range j.unconditional {
		w.owed[class] = true
	}
	for _, e := range j.r.g.Out(start) {
		for _, class := range j.fs.classes(e) {
			if j.fs.Strength[class] == Weak {
				w.weak[class] = true
			}
		}
	}
	w.arrive(start)
	return w
}

// lacks reports whether the walk is not yet what a fair cycle needs.
func (w *walk) lacks() bool {
	return w.visit || w.take || len(w.weak) > 0 || len(w.owed) > 0
}

// close goes back to the start.
func (w *walk) close(b *bridge, start uint32) error {
	hops, err := b.nearest(w.id, w.here, func(_ uint32, e explore.Edge) bool { return e.To == start })
	w.follow(hops)
	return err
}

// follow goes along transitions.
func (w *walk) follow(hops []explore.Hop) {
	for _, hop := range hops {
		w.pass(w.here, explore.Edge(hop))
		w.arrive(hop.To)
		w.hops = append(w.hops, hop)
		w.here = hop.To
	}
}

// pass notes that a transition is taken.
func (w *walk) pass(from uint32, e explore.Edge) {
	if w.take && w.j.r.q.Take(from, e) {
		w.take = false
	}
	for _, class := range w.j.fs.classes(e) {
		w.taken[class] = true
		delete(w.weak, class)
		delete(w.owed, class)
	}
}

// arrive notes that a node is visited.
func (w *walk) arrive(n uint32) {
	if w.visit && w.j.r.q.Visit(n) {
		w.visit = false
	}
	for class := range w.weak {
		if !w.enabled(n, class) {
			delete(w.weak, class)
		}
	}
	for _, e := range w.j.r.g.Out(n) {
		for _, class := range w.j.fs.classes(e) {
			if w.j.fs.Strength[class] == Strong && !w.taken[class] {
				w.owed[class] = true
			}
		}
	}
}

func (w *walk) enabled(n uint32, class int32) bool {
	for _, e := range w.j.r.g.Out(n) {
		if w.j.fs.in(e, class) {
			return true
		}
	}
	return false
}

// helps reports whether a transition, or the node that it leads to, is one that
// the walk lacks.
func (w *walk) helps(from uint32, e explore.Edge) bool {
	for _, class := range w.j.fs.classes(e) {
		if w.weak[class] || w.owed[class] {
			return true
		}
	}
	if w.take && w.j.r.q.Take(from, e) || w.visit && w.j.r.q.Visit(e.To) {
		return true
	}
	for class := range w.weak {
		if !w.enabled(e.To, class) {
			return true
		}
	}
	return false
}

// A bridge finds shortest paths within a component.
type bridge struct {
	j      *judge
	parent []uint32 // unseen for all nodes between searches
	order  []uint32
}

// nearest returns the shortest path, of at least one transition, that begins at
// a node of a component and ends with a transition that is asked for.
func (b *bridge) nearest(id, start uint32, wanted func(from uint32, e explore.Edge) bool) ([]explore.Hop, error) {
	defer func() {
		for _, n := range b.order {
			b.parent[n] = unseen
		}
	}()
	b.order = append(b.order[:0], start)
	b.parent[start] = entered
	for i := 0; i < len(b.order); i++ {
		if i%pause == 0 && b.j.r.ctx.Err() != nil {
			return nil, b.j.r.ctx.Err()
		}
		n := b.order[i]
		for _, e := range b.j.r.g.Out(n) {
			if b.j.at[e.To] != id {
				continue
			}
			if wanted(n, e) {
				return append(b.pathTo(n), explore.Hop(e)), nil
			}
			if b.parent[e.To] == unseen {
				b.parent[e.To] = n
				b.order = append(b.order, e.To)
			}
		}
	}
	return nil, errNoCycle
}

// pathTo returns the path to a node from where the search began.
func (b *bridge) pathTo(n uint32) []explore.Hop {
	depth := 0
	for m := n; b.parent[m] != entered; m = b.parent[m] {
		depth++
	}
	hops := make([]explore.Hop, depth)
	for ; depth > 0; depth-- {
		e, _ := b.j.r.g.EdgeTo(b.parent[n], n)
		hops[depth-1] = explore.Hop(e)
		n = b.parent[n]
	}
	return hops
}
