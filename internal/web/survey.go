package web

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// mostSurveyed is how many states a survey of a world has at most, and mostNear one of what
// lies ahead of a moment. mostArcs is about how many steps either has: 16 processes can be cut
// in two in 32,767 ways.
const (
	mostSurveyed = 200_000
	mostNear     = 60_000
	mostArcs     = 4_000_000
)

// never is the distance to what cannot happen any more, and of what a survey has no other.
const never = -1

// A survey is the states that can be reached from one, the nearest first, with every step
// between them.
type survey struct {
	*world
	states [][]byte
	index  map[string]int32
	depth  []int32
	first  []int32 // the state from which each was found
	arcs   []arc
	last   []int32 // the last arc into each
	looks  *looks  // what is believed in each
	// here has, for each safety property of the world, the states that break it, and after
	// those from which a step does. broken has bit k set where one breaks property k in a
	// state or in a step to it, and wrong are the states from which a step is a misuse.
	here, after [][]int32
	broken      map[int32]uint64
	wrong       []int32
	cuts        uint64 // what bounds of the setting left out
	// far is up to how many steps the survey has every state, and never where it has all.
	far     int32
	stopped bool // by who asked for it, and not at a limit
	err     error

	merging sync.Mutex
	merged  [5]*quotient // by levels
	seeing  sync.Once
	steps   [][]int32 // distances
}

// An arc is a transition into a state, and what was before it in the list of those.
type arc struct{ from, next int32 }

// newSurvey finds the states that are nearest to one, at most so many. It ends where it has so
// many steps.
func newSurvey(w *world, root []byte, most, arcs int) *survey {
	return surveyUntil(context.Background(), w, root, most, arcs, func(int) {})
}

// surveyUntil is newSurvey until a context is done: then the survey has what is found so far. It
// says from time to time how many states that are.
func surveyUntil(ctx context.Context, w *world, root []byte, most, arcs int, hear func(states int)) *survey {
	n := len(w.safety)
	s := &survey{
		world: w, index: make(map[string]int32), far: never, broken: make(map[int32]uint64),
		here: make([][]int32, n), after: make([][]int32, n), looks: newLooks(),
	}
	watches := make([]model.Watch, n+1)
	for k, p := range w.safety {
		watches[k] = p.Watch()
	}
	watches[n].State = s.looks.see
	s.add(root, never)
	expander, out := w.sys.Watched(watches...).NewExpander(), new(explore.Successors)
	for i := int32(0); int(i) < len(s.states); i++ {
		out.Reset()
		expander.Expand(s.states[i], out)
		s.err = out.Err()
		s.judge(i, out)
		s.goOn(i, out, most)
		if i%surveyPart == surveyPart-1 {
			hear(len(s.states))
			if runtime.GOOS == "js" {
				time.Sleep(time.Millisecond) // a page hears of nothing before that waits
			}
		}
		stop := i%surveyPart == surveyPart-1 && ctx.Err() != nil
		if len(s.arcs) >= arcs || s.err != nil || stop {
			s.stopped = stop && int(i) < len(s.states)-1
			s.keep(i + 1)
		}
	}
	return s
}

// surveyPart is after how many states a survey says how far it is, and looks whether it is to
// end.
const surveyPart = 256

// keep forgets all states but the first ones, of which alone it is known where they lead.
func (s *survey) keep(n int32) {
	if int(n) == len(s.states) {
		return
	}
	if far := s.depth[n] - 1; s.far == never || far < s.far {
		s.far = far
	}
	for i := n; int(i) < len(s.states); i++ {
		delete(s.index, string(s.states[i]))
		delete(s.broken, i)
	}
	s.states, s.depth, s.first, s.last = s.states[:n], s.depth[:n], s.first[:n], s.last[:n]
}

// judge notes what a state and the steps from it break.
func (s *survey) judge(i int32, out *explore.Successors) {
	s.cuts |= out.Cuts()
	for k := range s.here {
		if out.HitIn(k, -1) {
			s.here[k] = append(s.here[k], i)
			s.broken[i] |= 1 << k
		} else if out.IsHit(k) {
			s.after[k] = append(s.after[k], i)
		}
	}
	if out.IsHit(len(s.here) + 1) {
		s.wrong = append(s.wrong, i)
	}
}

// goOn notes where the steps from a state lead.
func (s *survey) goOn(i int32, out *explore.Successors, most int) {
	for n := range out.Len() {
		to, known := s.index[string(out.State(n))]
		switch {
		case known:
		case len(s.states) == most:
			if s.far == never {
				s.far = s.depth[i]
			}
			continue
		default:
			to = s.add(slices.Clone(out.State(n)), i)
		}
		s.arcs = append(s.arcs, arc{i, s.last[to]})
		s.last[to] = int32(len(s.arcs) - 1)
		for k := range s.here {
			if out.HitIn(k, n) {
				s.broken[to] |= 1 << k
			}
		}
	}
}

// add adds a state that was found from another one.
func (s *survey) add(state []byte, from int32) int32 {
	n := int32(len(s.states))
	depth := int32(0)
	if from != never {
		depth = s.depth[from] + 1
	}
	s.states, s.depth, s.first, s.last = append(s.states, state), append(s.depth, depth), append(s.first, from), append(s.last, never)
	s.index[string(state)] = n
	return n
}

// whole reports whether the survey has every state.
func (s *survey) whole() bool { return s.far == never }

// size says how many states it has.
func (s *survey) size() string {
	if s.whole() {
		return quantity.Plural(len(s.states), "state")
	}
	return "The first " + quantity.Plural(len(s.states), "state")
}

// stepsTo returns, for each safety property and each state, how many steps it takes at
// least to break it.
func (s *survey) stepsTo() [][]int32 {
	s.seeing.Do(func() {
		s.steps = make([][]int32, len(s.here))
		for k := range s.steps {
			s.steps[k] = distances(len(s.states), s.here[k], s.after[k], s.arcs, s.last)
		}
	})
	return s.steps
}

// by returns the states merged by a level.
func (s *survey) by(level int) *quotient {
	s.merging.Lock()
	defer s.merging.Unlock()
	if s.merged[level] == nil {
		s.merged[level] = s.divide(level)
	}
	return s.merged[level]
}

// step returns a transition between two states of the survey.
func (s *survey) step(from, to int32) (found model.Transition) {
	s.sys.EachTransition(s.states[from], func(t model.Transition) {
		if found.Next == nil && t.Misuse == "" && bytes.Equal(t.Next, s.states[to]) {
			t.Next = s.states[to]
			found = t
		}
	})
	return found
}

// way returns the actions of a shortest run to a state.
func (s *survey) way(to int32) []model.Action {
	path := make([]model.Action, s.depth[to])
	for i := len(path) - 1; i >= 0; i-- {
		t := s.step(s.first[to], to)
		path[i], to = t.Action, s.first[to]
	}
	return path
}

// A surveying is a survey of a world that goes on, or has ended.
type surveying struct {
	world *world
	stop  context.CancelFunc
	ended chan struct{} // closed once the survey is there
	found *survey
	so    atomic.Int64 // states so far
}

// beginSurvey surveys a world from its beginning.
func beginSurvey(m *moment) *surveying {
	g := &surveying{world: m.world, ended: make(chan struct{})}
	var ctx context.Context
	ctx, g.stop = context.WithCancel(context.Background()) // which pages share
	go func() {
		defer close(g.ended)
		defer g.stop()
		defer func() {
			if p := recover(); p != nil {
				g.found = &survey{world: m.world, err: fmt.Errorf("the explorer cannot survey this: %v", p)}
			}
		}()
		g.found = surveyUntil(ctx, m.world, m.state, mostSurveyed, mostArcs, func(states int) { g.so.Store(int64(states)) })
	}()
	return g
}

// surveys keeps the last survey of a world, and the last of what lies ahead of a moment: they
// take long and much room.
type surveys struct {
	mu   sync.Mutex
	last *surveying
	near *survey
}

// going returns the survey of the world of a run, which may go on. It ends that of another one.
func (k *surveys) going(m *moment) *surveying {
	for m.before != nil {
		m = m.before
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.last == nil || k.last.world != m.world {
		if k.last != nil {
			k.last.stop()
		}
		k.last = beginSurvey(m)
	}
	return k.last
}

// of returns the survey of the world of a run, once it has ended.
func (k *surveys) of(m *moment) *survey {
	g := k.going(m)
	<-g.ended
	return g.found
}

// ahead returns the survey that sees farther from a moment on: that of its world, or one of what
// lies ahead of it.
func (k *surveys) ahead(m *moment) *survey {
	all := k.of(m)
	i, known := all.index[string(m.state)]
	if all.whole() || m.over() || i == 0 && known {
		return all
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.near == nil || k.near.world != m.world || !bytes.Equal(k.near.states[0], m.state) {
		k.near = newSurvey(m.world, m.state, mostNear, mostArcs)
	}
	if known && !k.near.whole() && all.sees(i) >= k.near.far {
		return all
	}
	return k.near
}
