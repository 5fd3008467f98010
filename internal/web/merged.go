package web

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// mostCounted is how many states are counted that are not drawn one by one.
const mostCounted = 30_000

// A survey is the states near the start of a world, level by level: all of them, or as many as
// are counted.
type survey struct {
	list   [][]byte
	from   []int  // from which state each was reached first
	depth  []int  // in how many steps
	bad    []bool // a property of states or steps breaks there, or in a step from there
	next   [][]int
	layers []layer
	whole  bool
}

// look surveys the states from the beginning of runs on.
func look(root *moment) *survey {
	w := root.world
	watches := make([]model.Watch, len(w.safety))
	for k, p := range w.safety {
		watches[k] = p.Watch()
	}
	expander, out := w.sys.Watched(watches...).NewExpander(), new(explore.Successors)
	s := &survey{list: [][]byte{root.state}, from: []int{-1}, depth: []int{0}}
	known := map[string]int{string(root.state): 0}
	for first := 0; first < len(s.list); {
		end := len(s.list)
		if end > mostCounted {
			s.list, s.from, s.depth = s.list[:first], s.from[:first], s.depth[:first]
			return s
		}
		l := layer{States: end - first}
		for i := first; i < end; i++ {
			out.Reset()
			expander.Expand(s.list[i], out)
			bad := false
			for k := range watches {
				bad = bad || out.IsHit(k)
			}
			if bad {
				l.Bad++
			}
			s.bad = append(s.bad, bad)
			var to []int
			for n := range out.Len() {
				at, ok := known[string(out.State(n))]
				if !ok {
					at = len(s.list)
					known[string(out.State(n))] = at
					s.list = append(s.list, slices.Clone(out.State(n)))
					s.from, s.depth = append(s.from, i), append(s.depth, len(s.layers)+1)
				}
				to = append(to, at)
			}
			s.next = append(s.next, to)
		}
		s.layers, first = append(s.layers, l), end
	}
	s.whole = true
	return s
}

// text says how many states there are, and where the rest is if there are more than are counted.
func (s *survey) text() string {
	if !s.whole {
		return fmt.Sprintf("There are more than %s. The table has the %s that are up to %s from the start. The rest is farther away.",
			quantity.Plural(mostCounted, "state"), quantity.Plural(len(s.list), "state"), quantity.Plural(len(s.layers)-1, "step"))
	}
	bad := 0
	for _, l := range s.layers {
		bad += l.Bad
	}
	return fmt.Sprintf("There are %s in %s. A property of states or steps breaks in %d.",
		quantity.Plural(len(s.list), "state"), quantity.Plural(len(s.layers), "layer"), bad)
}

// A believing is states in which the same processes are up and each follows the same one.
type believing struct {
	first  int // the nearest state
	shown  int // the nearest one in which something breaks, or else the first
	states int
	bad    bool
}

// byBelief returns the map of a survey with states merged by what is believed; nil if even so there
// are too many to draw.
func (v *visit) byBelief(s *survey) *stateMap {
	classes, class, index := []believing(nil), make([]int, len(s.list)), make(map[string]int)
	for i, state := range s.list {
		key := beliefKey(v.root.sys.View(state))
		n, known := index[key]
		if !known {
			if n = len(classes); n == mostDrawn {
				return nil
			}
			index[key], classes = n, append(classes, believing{first: i, shown: i})
		}
		c := &classes[n]
		c.states++
		if s.bad[i] && !c.bad {
			c.bad, c.shown = true, i
		}
		class[i] = n
	}
	moments := map[int]*moment{0: v.root}
	g := &stateMap{Steps: []mapStep{}}
	for n := range classes {
		c := &classes[n]
		m := s.moment(c.shown, moments)
		node := mapState{Depth: s.depth[c.first], Link: v.linkTo(m), Text: fmt.Sprintf("%s (%s)", beliefsIn(&m.snap), quantity.Plural(c.states, "state"))}
		if c.bad {
			node.Kind = "bad"
		}
		g.States = append(g.States, node)
	}
	for m := v.now; m != nil && v.at > 0; m = m.before {
		if n, ok := index[beliefKey(&m.view)]; ok {
			g.States[n].Here = true
		}
	}
	g.merge(s, class, classes)
	return g
}

// merge adds the steps between merged states. The way to the nearest state in which something
// breaks is lit.
func (g *stateMap) merge(s *survey, class []int, classes []believing) {
	lit := make(map[[2]int]bool)
	for i := slices.Index(s.bad, true); i > 0; i = s.from[i] {
		lit[[2]int{class[s.from[i]], class[i]}] = true
	}
	seen := make(map[[2]int]bool)
	for i := range s.list {
		for _, to := range s.next[i] {
			if to >= len(class) { // farther away than is counted
				continue
			}
			step := [2]int{class[i], class[to]}
			if step[0] == step[1] || seen[step] {
				continue
			}
			seen[step] = true
			kind := ""
			if lit[step] {
				kind = "lit"
			}
			g.Steps = append(g.Steps, mapStep{step[0], step[1], kind})
		}
	}
}

// moment returns a state of the survey at the end of a shortest run.
func (s *survey) moment(i int, known map[int]*moment) *moment {
	if m := known[i]; m != nil {
		return m
	}
	before := s.moment(s.from[i], known)
	var at *moment
	before.sys.EachTransition(before.state, func(t model.Transition) {
		if at == nil && t.Misuse == "" && string(t.Next) == string(s.list[i]) {
			at = before.take(&t)
		}
	})
	known[i] = at
	return at
}

// beliefKey tells two states apart in which somebody is up or believes otherwise.
func beliefKey(v *model.View) string {
	var b strings.Builder
	fmt.Fprint(&b, v.Up, v.Present, v.Paused)
	for id := range v.Up.All() {
		fmt.Fprint(&b, " ", v.Elected(id))
	}
	return b.String()
}

// beliefsIn says in a line what is believed.
func beliefsIn(snap *model.Snapshot) string {
	var parts []string
	for i := range snap.Processes {
		p := &snap.Processes[i]
		if text := statusText(p); p.Status != model.Up {
			parts = append(parts, p.ID.Name()+" is "+text)
			continue
		}
		parts = append(parts, p.ID.Name()+" "+belief(p))
	}
	return strings.Join(parts, ", ")
}
