package web

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
)

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

// sees returns up to how many steps from a state a survey has everything, never where that has
// no end.
func (s *survey) sees(state int32) int32 {
	if s.whole() {
		return never
	}
	return max(0, s.far-s.depth[state])
}

// within says up to how far a survey looks from a state; nothing where that has no end.
func (s *survey) within(state int32) string {
	if s.whole() {
		return ""
	}
	return "within " + quantity.Plural(int(s.sees(state)), "step")
}

// breaking returns in how many steps from a state a property can break, as far as the survey
// sees from there: 0 or less if not.
func (s *survey) breaking(property int, state int32) int32 {
	d := s.stepsTo()[property][state]
	if far := s.sees(state); far != never && d > far {
		return never
	}
	return d
}

// prospects returns what can break from a moment on that has not broken before it, the
// nearest first.
func (s *survey) prospects(m *moment) (list []prospect) {
	i, ok := s.index[string(m.state)]
	if !ok || m.over() {
		return nil
	}
	for k, p := range m.safety {
		d := s.breaking(k, i)
		if d <= 0 || (m.broken|m.brokenBefore)>>k&1 != 0 {
			continue
		}
		list = append(list, prospect{p.Name, quantity.Plural(int(d), "step"), d})
	}
	slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(a.steps, b.steps) })
	return list
}

// said says in brief what a choice leads to.
func (s *survey) said(m *moment) string {
	i, ok := s.index[string(m.state)]
	if !ok && !m.over() {
		return "" // there are more choices than the survey has room for
	}
	list, within := s.prospects(m), ""
	if !m.over() && !s.whole() {
		within = s.within(i) + ": "
	}
	switch {
	case len(list) == 0 && m.broken|m.brokenBefore != 0:
		return within + "nothing more can break"
	case len(list) == 0 && within != "":
		return within + "nothing can break"
	case len(list) == 0:
		return "from here on, nothing can break"
	case len(list) == 1:
		return fmt.Sprintf("%s%s can break %s from here", within, list[0].Name, list[0].Words)
	}
	more := "one more property"
	if len(list) > 2 {
		more = fmt.Sprintf("%d more properties", len(list)-1)
	}
	return fmt.Sprintf("%s%s can break %s from here, %s later", within, list[0].Name, list[0].Words, more)
}

// way returns the link to where a property breaks, by a shortest way from the moment
// that is shown.
func (s *Server) way(v *visit, property string) (*link, error) {
	ahead := s.surveys.ahead(v.now)
	k := slices.IndexFunc(v.now.safety, func(p *checker.Property) bool { return p.Name == property })
	if k < 0 || v.now.over() {
		return nil, fmt.Errorf("%s=%q: no property that can be looked for from here", verbWay, property)
	}
	to := v.link
	for m := v.now; ; {
		d := ahead.breaking(k, ahead.index[string(m.state)])
		if d <= 0 && m == v.now {
			return nil, fmt.Errorf("%s=%q: it cannot break from here %s", verbWay, property, cmp.Or(ahead.within(ahead.index[string(m.state)]), "on"))
		}
		if d <= 0 {
			return to, nil
		}
		next := s.nearer(ahead, m, k, d)
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
func (s *Server) nearer(ahead *survey, m *moment, k int, steps int32) *moment {
	for _, n := range s.tree.ahead(m).moments {
		if n.broken>>k&1 != 0 {
			return n
		}
		if at, known := ahead.index[string(n.state)]; known && !n.over() && steps > 1 && ahead.breaking(k, at) == steps-1 {
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
	ahead := s.surveys.ahead(v.now)
	p.Ahead.Prospects = ahead.prospects(v.now)
	if !v.now.over() {
		p.Ahead.Within = ahead.within(ahead.index[string(v.now.state)])
	}
	if len(p.Ahead.Prospects) == 0 {
		p.Ahead.Clear = prose.Capital(strings.TrimSpace(p.Ahead.Within + " nothing more can break from here, in a state or a step."))
	}
	return ahead.said
}

// An ahead is what a page says of what can break.
type ahead struct {
	Toggle    string // the page that says it, or no longer does
	On        bool
	Within    string // so many steps; empty where it looks to the end
	Prospects []prospect
	Clear     string // nothing can break
}
