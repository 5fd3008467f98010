package liveness

import "cmp"

// A judge tells which components of a region have fair cycles.
type judge struct {
	r  *region
	fs *FairRuns

	unconditional []int32 // the classes of that strength

	// at is that of the connector: leftOut for nodes that are on no fair cycle,
	// the number of its component for a node that is.
	at       []uint32
	accepted uint32
	again    []uint32 // nodes of the next round
	err      error    // of the context, in the midst of a component
	scan     scan
}

// A scan is what the transitions out of the nodes of one component come to.
type scan struct {
	touched []int32  // classes of transitions out of its nodes
	enabled []uint32 // by class: in how many of the nodes
	last    []uint32 // by class: the node that was counted last, plus 1
	taken   []bool   // by class: by a transition within the component
	inside  bool     // there is a transition within the component
	take    bool     // there is one within that Take asks for
	visit   bool     // there is a node that Visit asks for
}

func newJudge(r *region) *judge {
	classes := len(r.q.Fairness.Strength)
	j := &judge{r: r, fs: &r.q.Fairness, scan: scan{
		enabled: make([]uint32, classes),
		last:    make([]uint32, classes),
		taken:   make([]bool, classes),
	}}
	for class, s := range j.fs.Strength {
		if s == Unconditional {
			j.unconditional = append(j.unconditional, int32(class))
		}
	}
	return j
}

// components finds the components with fair cycles. A component may have to be
// searched again without nodes that no fair cycle of it can visit; components
// that are searched in the same round cannot be joined to each other.
func (j *judge) components() error {
	j.at = make([]uint32, j.r.g.Nodes())
	for n, parent := range j.r.parent {
		if parent == unseen || parent == outside {
			j.at[n] = leftOut
		}
	}
	k := connector{ctx: j.r.ctx, g: j.r.g, at: j.at, emit: j.emit}
	nodes := j.r.order
	for len(nodes) > 0 {
		for _, n := range nodes {
			if err := cmp.Or(k.from(n), j.err); err != nil {
				return err
			}
		}
		nodes, j.again = j.again, nil
		for _, n := range nodes {
			j.at[n] = 0
		}
	}
	return nil
}

// fair reports whether a fair cycle leads through a node of the region.
func (j *judge) fair(n uint32) bool { return j.at[n] != leftOut }

// deadEnd reports whether a run may end in a node of the region.
func (j *judge) deadEnd(n uint32) bool {
	if may := j.r.q.MayEnd; may != nil && !may(n) {
		return false
	}
	if j.r.q.Take != nil {
		return false
	}
	for _, e := range j.r.g.Out(n) {
		if !j.fs.optional(e) {
			return false
		}
	}
	return j.r.q.Visit == nil || j.r.q.Visit(n)
}

// emit judges a component.
func (j *judge) emit(nodes []uint32) {
	id := leftOut - 1 - j.accepted
	j.set(nodes, id)
	j.look(nodes, id)
	switch {
	case j.err != nil: // it is not known
		return
	case !j.possible(len(nodes)):
		j.set(nodes, leftOut)
	case j.starved():
		for _, n := range nodes {
			if !j.starves(n) {
				j.again = append(j.again, n)
			}
		}
		j.set(nodes, leftOut)
	default:
		j.accepted++
	}
	j.forget()
}

func (j *judge) set(nodes []uint32, at uint32) {
	for _, n := range nodes {
		j.at[n] = at
	}
}

// look scans a component.
func (j *judge) look(nodes []uint32, id uint32) {
	s, q := &j.scan, j.r.q
	for i, n := range nodes {
		if i%pause == pause-1 && j.r.ctx.Err() != nil {
			j.err = j.r.ctx.Err()
			return
		}
		s.visit = s.visit || q.Visit == nil || q.Visit(n)
		for _, e := range j.r.g.Out(n) {
			inside := j.at[e.To] == id
			s.inside = s.inside || inside
			s.take = s.take || inside && (q.Take == nil || q.Take(n, e))
			for _, class := range j.fs.classes(e) {
				if s.last[class] == 0 {
					s.touched = append(s.touched, class)
				}
				if s.last[class] != n+1 {
					s.last[class] = n + 1
					s.enabled[class]++
				}
				s.taken[class] = s.taken[class] || inside
			}
		}
	}
}

// forget prepares the scan for the next component.
func (j *judge) forget() {
	s := &j.scan
	for _, class := range s.touched {
		s.enabled[class], s.last[class], s.taken[class] = 0, 0, false
	}
	s.touched, s.inside, s.take, s.visit = s.touched[:0], false, false, false
}

// possible reports whether a part of the component that was scanned may have a
// fair cycle: what the whole of so many nodes does not take no part of it does,
// and what is enabled in all of its nodes is enabled in those of any part.
func (j *judge) possible(nodes int) bool {
	s := &j.scan
	if !s.inside || !s.take || !s.visit {
		return false
	}
	for _, class := range j.unconditional {
		if !s.taken[class] {
			return false
		}
	}
	for _, class := range s.touched {
		if j.fs.Strength[class] != Unfair && !s.taken[class] && int(s.enabled[class]) == nodes {
			return false
		}
	}
	return true
}

// starved reports whether the component that was scanned has nodes in which a
// class of strength Strong is enabled that it never takes.
func (j *judge) starved() bool {
	for _, class := range j.scan.touched {
		if j.fs.Strength[class] == Strong && !j.scan.taken[class] {
			return true
		}
	}
	return false
}

// starves reports whether node n is one of them.
func (j *judge) starves(n uint32) bool {
	for _, e := range j.r.g.Out(n) {
		for _, class := range j.fs.classes(e) {
			if j.fs.Strength[class] == Strong && !j.scan.taken[class] {
				return true
			}
		}
	}
	return false
}
