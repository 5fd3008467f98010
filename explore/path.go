package explore

import (
	"bytes"
	"fmt"

	"bullyproof/explore/internal/visited"
)

// A PathStep is one state on a path with the code of the transition that led to
// it. The first step is an initial state, and its Code means nothing. The last
// step of the trace of a dead end has a code and a nil State.
type PathStep struct {
	Code  Code
	State []byte
}

// Path returns the trace of a target that was hit: an initial state, the
// states that lead to the one that hit the target, and the transition or dead
// end that did, where it was not the state. It is rebuilt by executing the
// system again, which takes as long as expanding each state on it once. Of
// several transitions that lead to the same state it has the first.
//
// An error means that the target was not hit, or that the system is not
// deterministic: expanded again, a state had other transitions.
func (r *Result) Path(target int) ([]PathStep, error) {
	h, ok := r.Hit(target)
	if !ok {
		return nil, notHit(target, len(r.hits))
	}
	steps, err := r.PathTo(h.State)
	if err != nil {
		return nil, err
	}
	return finish(r.search.sys.NewExpander(), steps, &h)
}

// finish appends the transition or dead end of a hit to the path to its state.
func finish(exp Expander, steps []PathStep, h *Hit) ([]PathStep, error) {
	switch h.kind {
	case deadEndHit:
		return append(steps, PathStep{Code: h.Code}), nil
	case stepHit:
		var out Successors
		exp.Expand(h.State, &out)
		if h.ordinal >= out.Len() || out.Code(h.ordinal) != h.Code {
			return nil, fmt.Errorf("explore: state %s has other transitions when it is expanded again: the system is not deterministic", shown(h.State))
		}
		return append(steps, PathStep{Code: h.Code, State: bytes.Clone(out.State(h.ordinal))}), nil
	}
	return steps, nil
}

// PathTo returns a path from an initial state to a state that was visited: in
// a breadth-first search a shortest one, and always the same. Errors are those
// of Path, and that the state was not visited.
func (r *Result) PathTo(state []byte) ([]PathStep, error) {
	s := r.search
	fp := s.fingerprint(state)
	if s.bare != nil {
		var err error
		if s, err = s.follow(fp, state); err != nil {
			return nil, err
		}
	}
	meta := s.meta(fp, state)
	if meta == 0 {
		return nil, notVisited(state)
	}
	cone := visited.Cone(s.origins(), visited.Entry{FP: fp, Meta: meta})
	p := pathfinder{s: s, exp: s.sys.NewExpander(), goal: state, cone: cone, failed: make(map[string]bool)}
	if steps := p.find(); steps != nil {
		return steps, nil
	}
	return nil, fmt.Errorf("explore: no path found to state %s, which was visited: the system is not deterministic, or fingerprints collided", shown(state))
}

// meta returns where the state came from, or 0 where it was not visited.
func (s *search) meta(fp uint64, state []byte) uint64 {
	if o := s.origins(); o != nil {
		return o.Find(fp, state)
	}
	return s.bare.Find(fp, state)
}

// origins returns the visited states with their origins, nil where these are not
// remembered.
func (s *search) origins() visited.Origins {
	switch {
	case s.exact != nil:
		return s.exact
	case s.disk != nil:
		return s.disk
	case s.elsewhere != nil:
		return outside{s.elsewhere}
	case s.bare != nil:
		return nil
	}
	return s.table
}

// A pathfinder searches forward, within the cone of its goal, from the initial
// states. Where no prefix is ambiguous it has one way to go.
type pathfinder struct {
	s      *search
	exp    Expander
	goal   []byte
	cone   map[uint64]bool
	out    Successors
	frames []frame
	failed map[string]bool // states tried before
}

// A frame is a state on the path and what may follow it.
type frame struct {
	step PathStep
	rest []PathStep
}

// find returns the path, or nil where there is none.
func (p *pathfinder) find() []PathStep {
	var root frame
	p.s.sys.Initial(func(state []byte) bool {
		if fp := p.s.fingerprint(state); p.cone[fp] && visited.Depth(p.s.meta(fp, state)) == 0 {
			root.rest = append(root.rest, PathStep{State: bytes.Clone(state)})
		}
		return true
	})
	p.frames = append(p.frames, root)
	for len(p.frames) > 0 {
		top := &p.frames[len(p.frames)-1]
		if len(top.rest) == 0 {
			p.frames = p.frames[:len(p.frames)-1]
			continue
		}
		step := top.rest[0]
		top.rest = top.rest[1:]
		if p.failed[string(step.State)] {
			continue
		}
		p.failed[string(step.State)] = true
		if bytes.Equal(step.State, p.goal) {
			return p.steps(step)
		}
		p.frames = append(p.frames, frame{step: step, rest: p.after(step.State)})
	}
	return nil
}

// after returns the successors of a state that its entry precedes.
func (p *pathfinder) after(state []byte) (steps []PathStep) {
	fp := p.s.fingerprint(state)
	x := visited.Entry{FP: fp, Meta: p.s.meta(fp, state)}
	p.out.Reset()
	p.exp.Expand(state, &p.out)
	for i := range p.out.Len() {
		next := p.out.State(i)
		fp := p.s.fingerprint(next)
		if !p.cone[fp] {
			continue
		}
		if meta := p.s.meta(fp, next); meta != 0 && x.Precedes(visited.Entry{FP: fp, Meta: meta}) {
			steps = append(steps, PathStep{Code: p.out.Code(i), State: bytes.Clone(next)})
		}
	}
	return steps
}

// steps returns the path through the frames to the last step.
func (p *pathfinder) steps(last PathStep) []PathStep {
	var steps []PathStep
	for _, f := range p.frames[1:] {
		steps = append(steps, f.step)
	}
	return append(steps, last)
}
