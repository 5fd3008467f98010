package web

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// mostForeseen is how many states a setting has at most of which the explorer says
// what they lead to.
const mostForeseen = 60_000

// never is the distance to what cannot happen any more.
const never = -1

// A foresight is what can still break from each state of a world.
type foresight struct {
	states map[string]int32
	// steps has, for each safety property of the world, how many steps it takes from
	// each state to break it, at least.
	steps [][]int32
}

// An arc is a transition into a state, and what was before it in the list of those.
type arc struct{ from, next int32 }

// foreseen keeps the last foresight, which takes long to find out and much room.
type foreseen struct {
	mu   sync.Mutex
	of   *world
	last *foresight // nil where there are too many states
}

// find returns the foresight of the world of a run; nil where it has too many states.
func (f *foreseen) find(m *moment) *foresight {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of != m.world {
		root := m
		for root.before != nil {
			root = root.before
		}
		f.of, f.last = m.world, foresee(root)
	}
	return f.last
}

// foresee finds every state that can be reached from the beginning of runs, and what
// it leads to.
func foresee(root *moment) *foresight {
	w := root.world
	watches := make([]model.Watch, len(w.safety))
	for k, p := range w.safety {
		watches[k] = p.Watch()
	}
	expander, out := w.sys.Watched(watches...).NewExpander(), new(explore.Successors)
	f := &foresight{states: map[string]int32{string(root.state): 0}, steps: make([][]int32, len(watches))}
	list, last := [][]byte{root.state}, []int32{never} // states, and the last arc into each
	var arcs []arc
	here, after := make([][]int32, len(watches)), make([][]int32, len(watches))
	for i := int32(0); int(i) < len(list); i++ {
		if len(list) > mostForeseen {
			return nil
		}
		out.Reset()
		expander.Expand(list[i], out)
		for k := range watches {
			switch {
			case !out.IsHit(k):
			case watches[k].State != nil && watches[k].State(w.sys.View(list[i])):
				here[k] = append(here[k], i)
			default: // it is a step from here that breaks the property
				after[k] = append(after[k], i)
			}
		}
		for n := range out.Len() {
			to, known := f.states[string(out.State(n))]
			if !known {
				to = int32(len(list))
				list, last = append(list, slices.Clone(out.State(n))), append(last, never)
				f.states[string(list[to])] = to
			}
			arcs = append(arcs, arc{i, last[to]})
			last[to] = int32(len(arcs) - 1)
		}
	}
	for k := range watches {
		f.steps[k] = distances(len(list), here[k], after[k], arcs, last)
	}
	return f
}

// distances returns how many steps it takes from each of n states to one of some, or
// to what is a step after some others. The arcs into a state are linked from the last.
func distances(n int, here, after []int32, arcs []arc, last []int32) []int32 {
	far := make([]int32, n)
	for i := range far {
		far[i] = never
	}
	level := here
	for d := int32(0); d < 2 || len(level) > 0; d++ {
		if d == 1 {
			level = append(level, after...)
		}
		var next []int32
		for _, i := range level {
			if far[i] != never {
				continue
			}
			far[i] = d
			for at := last[i]; at != never; at = arcs[at].next {
				next = append(next, arcs[at].from)
			}
		}
		level = next
	}
	return far
}

// A prospect is how many steps it takes to break a property, at least.
type prospect struct {
	Name, Words string
	steps       int32
}

// from returns what can break from a moment on that has not broken before it, the
// nearest first.
func (f *foresight) from(m *moment) (list []prospect) {
	i, ok := f.states[string(m.state)]
	if !ok || m.over() {
		return nil
	}
	for k, p := range m.safety {
		d := f.steps[k][i]
		if d <= 0 || (m.broken|m.brokenBefore)>>k&1 != 0 {
			continue
		}
		list = append(list, prospect{p.Name, quantity.Plural(int(d), "step"), d})
	}
	slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(a.steps, b.steps) })
	return list
}

// said says in brief what a choice leads to.
func (f *foresight) said(m *moment) string {
	list := f.from(m)
	switch {
	case len(list) == 0 && m.broken|m.brokenBefore != 0:
		return "nothing more can break"
	case len(list) == 0:
		return "from here on, nothing can break"
	case len(list) == 1:
		return fmt.Sprintf("%s can break %s from here", list[0].Name, list[0].Words)
	}
	more := "one more property"
	if len(list) > 2 {
		more = fmt.Sprintf("%d more properties", len(list)-1)
	}
	return fmt.Sprintf("%s can break %s from here, %s later", list[0].Name, list[0].Words, more)
}

// way returns the link to where a property breaks, by a shortest way from the moment
// that is shown.
func (s *Server) way(v *visit, property string) (*link, error) {
	f := s.foreseen.find(v.now)
	k := slices.IndexFunc(v.now.safety, func(p *checker.Property) bool { return p.Name == property })
	if f == nil || k < 0 {
		return nil, fmt.Errorf("%s=%q: no property that can be looked for from here", verbWay, property)
	}
	to := v.link
	for m := v.now; ; {
		d := f.steps[k][f.states[string(m.state)]]
		if d <= 0 {
			return to, nil
		}
		next := s.nearer(f, m, k, d)
		if next == nil {
			return nil, fmt.Errorf("%s=%q: the way there is not among the choices that are shown", verbWay, property)
		}
		to, m = to.taking(next.step.Action), next
		if m.broken>>k&1 != 0 {
			return to, nil
		}
	}
}

// nearer returns a next moment at which a property that is so many steps away breaks,
// or from which it is one step less.
func (s *Server) nearer(f *foresight, m *moment, k int, steps int32) *moment {
	for _, n := range s.tree.ahead(m).moments {
		if n.broken>>k&1 != 0 || !n.over() && f.steps[k][f.states[string(n.state)]] == steps-1 && steps > 1 {
			return n
		}
	}
	return nil
}

// takeWay leads to where a property breaks.
func (s *Server) takeWay(a *Answer, v *visit, property string) {
	to, err := s.way(v, property)
	if err != nil {
		s.refuse(a, v, err)
		return
	}
	a.lead(to.url())
}

// look has a page say what its choices lead to, if the link asks for that.
func (s *Server) look(p *runPage, v *visit) func(*moment) string {
	other := *v.link
	other.ahead = !v.ahead
	p.Ahead = ahead{Toggle: other.url(), On: v.ahead}
	if !v.ahead {
		return nil
	}
	f := s.foreseen.find(v.now)
	if f == nil {
		p.Ahead.Why = fmt.Sprintf("This setting has more than %s states, too many to look ahead. A smaller one may do.", quantity.Count(mostForeseen))
		return nil
	}
	p.Ahead.Prospects = f.from(v.now)
	p.Ahead.Clear = len(p.Ahead.Prospects) == 0
	return f.said
}

// An ahead is what a page says of what can break.
type ahead struct {
	Toggle    string // the page that says it, or no longer does
	On        bool
	Why       string // it is not known
	Prospects []prospect
	Clear     bool // nothing can break
}
