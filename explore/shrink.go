package explore

import (
	"bytes"
	"context"
	"fmt"
)

// shrinkExpansions bounds how many states Shrunk expands.
const shrinkExpansions = 200_000

// Shrunk returns a trace of a target that was hit, like Path, with steps left out
// that it does not take: shorter than the walk in most cases, though not the
// shortest there is. It leaves out parts of the walk, the largest first, takes
// the transitions with the codes of the rest as far as there are such, and keeps
// the steps that still hit the target. It takes a few seconds at most, less if
// the context ends; and always the same ones if the context does not.
//
// Errors are those of Path.
func (r *WalkResult) Shrunk(ctx context.Context, target int) ([]PathStep, error) {
	path, err := r.Path(target)
	if err != nil {
		return nil, err
	}
	s := &shrinker{ctx: context.Background(), exp: r.sys.NewExpander(), target: target, start: path[0].State, left: len(path) + 1}
	best, ok := s.play(path[1:])
	if !ok {
		return nil, fmt.Errorf("explore: the walk does not hit target %d when it is made again: the system is not deterministic", target)
	}
	s.ctx, s.left = ctx, shrinkExpansions
	for again := true; again; {
		before := len(best)
		for size := len(best) / 2; size > 0; size /= 2 {
			best = s.without(best, size)
		}
		again = len(best) < before
	}
	return best, nil
}

// A shrinker plays parts of a walk.
type shrinker struct {
	ctx    context.Context
	exp    Expander
	out    Successors
	target int
	start  []byte
	left   int // expansions
}

// without leaves out parts of so many steps, wherever it can.
func (s *shrinker) without(best []PathStep, size int) []PathStep {
	for at := 0; at+size < len(best); {
		list := best[1:]
		shorter, ok := s.play(append(list[:at:at], list[at+size:]...))
		if ok && len(shorter) < len(best) {
			best = shorter
		} else {
			at += size
		}
	}
	return best
}

// play takes the transitions with the codes of steps, passing over those that
// are not there, until the target is hit. It reports false if it is not.
func (s *shrinker) play(list []PathStep) (steps []PathStep, ok bool) {
	state := s.start
	steps = append(steps, PathStep{State: state})
	for {
		if s.left--; s.left < 0 || s.ctx.Err() != nil {
			return nil, false
		}
		s.out.Reset()
		s.exp.Expand(state, &s.out)
		if last, hit := s.hit(); hit {
			return append(steps, last...), true
		}
		i := -1
		for ; i < 0 && len(list) > 0; list = list[1:] {
			i = s.with(list[0])
		}
		if i < 0 {
			return nil, false
		}
		state = bytes.Clone(s.out.State(i))
		steps = append(steps, PathStep{Code: s.out.Code(i), State: state})
	}
}

// with returns the successor by a transition with the code of a step, the first
// one unless another leads to the state of the step; negative if there is none.
func (s *shrinker) with(step PathStep) int {
	first := -1
	for i := range s.out.Len() {
		if s.out.Code(i) != step.Code {
			continue
		}
		if bytes.Equal(s.out.State(i), step.State) {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}

// hit reports whether the state that was expanded hits the target, and the step
// that does if it is not the state itself.
func (s *shrinker) hit() (last []PathStep, hit bool) {
	for i := range s.out.hits {
		h := &s.out.hits[i]
		switch {
		case h.target != s.target:
		case h.dead:
			last, hit = []PathStep{{Code: h.code}}, true
		case h.step >= 0:
			last, hit = []PathStep{{Code: s.out.Code(h.step), State: bytes.Clone(s.out.State(h.step))}}, true
		default:
			return nil, true // no step is needed
		}
	}
	return last, hit
}
