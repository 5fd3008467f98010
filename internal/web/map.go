package web

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// mostDrawn is how many states a map shows at most: more take longer to lay out than
// anybody would wait, and nobody could read them.
const mostDrawn = 300

// verbFolded asks for the map of the reduced system.
const verbFolded = "folded"

// A mapPage shows all states of a setting as a graph.
type mapPage struct {
	frame
	Subject, World string
	At             int
	Why            string // it is not drawn
	Merged         int    // so many dots, each of which stands for states
	Counted        string
	Fold           *fold
	Data           template.JS
	Layers         []layer
	Explore        string
	Check          string // the search of what is not drawn; empty where all is
	Setting        settingForm
}

// A fold leads to the map before or after a reduction; Why says why there is none.
type fold struct{ Link, Text, Doc, Why string }

// A layer is how many states are as many steps from the start, and what they are.
type layer struct{ States, Settled, Bad int }

// A stateMap is what the script draws.
type stateMap struct {
	States []mapState `json:"states"`
	Steps  []mapStep  `json:"steps"`
}

// A mapState is a dot: its kind is "bad", "settled" or empty.
type mapState struct {
	Depth int    `json:"depth"`
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Link  string `json:"link,omitempty"`
	Here  bool   `json:"here,omitempty"` // on the run of the link
}

// A mapStep is a line: its kind is "lit", "loop" or empty.
type mapStep struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Kind string `json:"kind"`
}

// chart answers with the map of all states that can be reached from the beginning of
// the run of a link.
func (s *Server) chart(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbFolded)
	if !ok {
		return
	}
	if v.root == nil {
		s.starts(a, v, query)
		return
	}
	here := *v.link
	p := &mapPage{
		Subject: v.algorithm + "/" + v.variant, World: sentenceCase(v.setting.InWords()), At: v.at,
		Explore: here.url(), Setting: newSettingForm(v.subject, v.setting.String(), nil),
	}
	p.frame = v.frame("Map")
	p.Drawn, p.Setting.Watches = true, v.watches
	known := v.reach()
	switch {
	case known == nil:
		near := look(v.root)
		p.Counted, p.Layers = near.text(), near.layers
		p.Check = Check(v.algorithm, v.variant, v.setting)
		merged := v.byBelief(near)
		if merged == nil {
			p.Why = fmt.Sprintf("This setting has more states than a drawing has room for (%d), also when they are merged. Try fewer processes or faults.", mostDrawn)
			break
		}
		p.Merged = len(merged.States)
		data, err := json.Marshal(merged) // which escapes < and >
		if err != nil {
			s.fail(a, statusFailed, err)
			return
		}
		p.Data = template.JS(data)
	default:
		drawn := known.drawn()
		folded, err := known.fold()
		p.Fold = v.foldOf(known, folded, err, query.Has(verbFolded))
		if query.Has(verbFolded) && err == nil {
			drawn = folded
		}
		p.Counted, p.Layers = drawn.count()
		data, err := json.Marshal(drawn) // which escapes < and >
		if err != nil {
			s.fail(a, statusFailed, err)
			return
		}
		p.Data = template.JS(data)
	}
	s.write(a, statusOK, "map.html", p)
}

// Map returns the address, within the server, of the map of all states that can be reached
// from where a run of a variant begins, and how many those are; an empty one if there are
// too many to draw.
func Map(algorithm, variant string, t *trace.Trace, sys *model.System) (address string, states int, err error) {
	state, err := begin(sys, t.Choices)
	if err != nil {
		return "", 0, err
	}
	root := newRoot(sys, state, nil)
	all := (&visit{root: root, now: root}).reach()
	if all == nil {
		return "", 0, nil
	}
	return ending(algorithm, variant, t).chart(), len(all.list), nil
}

// chart returns the address, within the server, of the map that a link leads to.
func (l *link) chart() string { return strings.Replace(l.url(), "/explore/", "/map/", 1) }

// A reached is all states that can be reached, each by a shortest run.
type reached struct {
	*visit
	list  []*moment
	index map[string]int
	steps [][]int // where each leads, without repetition
	bad   []bool  // something breaks in the state, in a step to it, or in a run that ends there
}

// reach finds all states; nil if there are too many.
func (v *visit) reach() *reached {
	k := &reached{visit: v, list: []*moment{v.root}, index: map[string]int{string(v.root.state): 0}, bad: []bool{v.root.broken != 0}}
	for i := 0; i < len(k.list); i++ {
		var to []int
		m := k.list[i]
		m.sys.EachTransition(m.state, func(t model.Transition) {
			if t.Misuse != "" || len(k.list) > mostDrawn {
				return
			}
			next := m.take(&t)
			n, known := k.index[string(next.state)]
			if !known {
				n = len(k.list)
				k.list, k.bad, k.index[string(next.state)] = append(k.list, next), append(k.bad, false), n
			}
			k.bad[n] = k.bad[n] || next.broken != 0
			if !slices.Contains(to, n) {
				to = append(to, n)
			}
		})
		if len(k.list) > mostDrawn {
			return nil
		}
		k.steps = append(k.steps, to)
		// A run that ends here may break a property of whole runs.
		k.bad[i] = k.bad[i] || m.ended() && slices.ContainsFunc(m.ruleWhole(), func(r ruling) bool { return r.standing == breaks })
	}
	return k
}

// drawn returns the map of all states.
func (k *reached) drawn() *stateMap {
	g := &stateMap{Steps: []mapStep{}}
	for i, m := range k.list {
		g.States = append(g.States, mapState{Depth: m.depth, Kind: k.kind(i), Text: beliefsAt(m), Link: k.linkTo(m)})
	}
	for m := k.now; m != nil; m = m.before {
		if i, ok := k.index[string(m.state)]; ok && k.at > 0 {
			g.States[i].Here = true
		}
	}
	g.connect(k.steps)
	return g
}

// kind returns the kind of a state.
func (k *reached) kind(i int) string {
	switch {
	case k.bad[i]:
		return "bad"
	case k.list[i].ended():
		return "settled"
	}
	return ""
}

// linkTo returns the page of a state, at the end of a shortest run.
func (v *visit) linkTo(m *moment) string {
	to := *v.link
	to.path, to.trace = nil, ""
	for _, n := range m.chain()[1:] {
		to.path = append(to.path, n.step.Action)
	}
	to.at = len(to.path)
	return to.url()
}

// beliefsAt says in a line what is believed at a moment.
func beliefsAt(m *moment) string {
	text := beliefsIn(&m.snap)
	for _, r := range m.rule() {
		if r.standing == breaks && (m.ended() || !r.property.Temporal()) {
			text += "; " + r.property.Name + " breaks"
		}
	}
	return text
}

// connect adds the steps: a shortest way to the first state in which something breaks is
// lit, and the steps of loops are marked.
func (g *stateMap) connect(steps [][]int) {
	lit := make(map[[2]int]bool)
	if end := slices.IndexFunc(g.States, func(s mapState) bool { return s.Kind == "bad" }); end >= 0 {
		for end > 0 {
			before := slices.IndexFunc(steps, func(to []int) bool { return slices.Contains(to, end) })
			lit[[2]int{before, end}] = true
			end = before
		}
	}
	back := make([][]bool, len(steps))
	for i := range steps {
		back[i] = reachable(steps, i)
	}
	for from, list := range steps {
		for _, to := range list {
			kind := ""
			switch {
			case back[to][from]:
				kind = "loop"
			case lit[[2]int{from, to}]:
				kind = "lit"
			}
			g.Steps = append(g.Steps, mapStep{from, to, kind})
		}
	}
}

// reachable returns which states can be reached from one.
func reachable(steps [][]int, from int) []bool {
	found := make([]bool, len(steps))
	found[from] = true
	for list := []int{from}; len(list) > 0; {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		for _, to := range steps[at] {
			if !found[to] {
				found[to] = true
				list = append(list, to)
			}
		}
	}
	return found
}

// count says how many states there are, and lists them by layers.
func (g *stateMap) count() (text string, layers []layer) {
	var all layer
	for _, s := range g.States {
		for len(layers) <= s.Depth {
			layers = append(layers, layer{})
		}
		l := &layers[s.Depth]
		l.States++
		switch s.Kind {
		case "settled":
			l.Settled, all.Settled = l.Settled+1, all.Settled+1
		case "bad":
			l.Bad, all.Bad = l.Bad+1, all.Bad+1
		}
	}
	loops := 0
	for _, s := range g.Steps {
		if s.Kind == "loop" {
			loops++
		}
	}
	text = fmt.Sprintf("%s and %s in %s. %d settled; a property breaks in %d; %s in loops.", quantity.Plural(len(g.States), "state"),
		quantity.Plural(len(g.Steps), "step"), quantity.Plural(len(layers), "layer"), all.Settled, all.Bad, quantity.Plural(loops, "step"))
	return text, layers
}

// fold returns the map of what a search with reductions visits, for the properties that
// it decides. A state that the full map has leads to the same page.
func (k *reached) fold() (*stateMap, error) {
	var asked []*checker.Property
	var watches []model.Watch
	for _, p := range k.root.safety {
		if p.Reducible() {
			asked, watches = append(asked, p), append(watches, p.Watch())
		}
	}
	reduced, err := k.sys.Watched(watches...).Reduced(checker.ReductionFor(asked))
	if err != nil {
		return nil, err
	}
	expander, out := reduced.NewExpander(), new(explore.Successors)
	g, index, steps := &stateMap{Steps: []mapStep{}}, map[string]int{}, [][]int{}
	var list [][]byte
	add := func(state []byte, depth int) int {
		n, known := index[string(state)]
		if !known {
			n = len(list)
			list, index[string(state)] = append(list, slices.Clone(state)), n
			s := mapState{Depth: depth, Text: "a state that stands for others"}
			if at, ok := k.index[string(state)]; ok {
				s.Text, s.Link = beliefsAt(k.list[at]), k.linkTo(k.list[at])
				s.Kind = k.kind(at)
			}
			g.States = append(g.States, s)
		}
		return n
	}
	for state := range reduced.Initial {
		add(state, 0)
	}
	for i := 0; i < len(list); i++ {
		out.Reset()
		expander.Expand(list[i], out)
		for w := range watches {
			if out.IsHit(w) {
				g.States[i].Kind = "bad"
			}
		}
		var to []int
		for n := range out.Len() {
			if at := add(out.State(n), g.States[i].Depth+1); !slices.Contains(to, at) {
				to = append(to, at)
			}
		}
		steps = append(steps, to)
	}
	g.connect(steps)
	return g, nil
}

// foldOf returns the link to the other map of two.
func (v *visit) foldOf(all *reached, folded *stateMap, err error, now bool) *fold {
	if err != nil {
		return &fold{Why: "No reduction: " + sentence(err) + "."}
	}
	if now {
		return &fold{
			Link: v.link.chart(), Text: fmt.Sprintf("Unfold it: all %d states", len(all.list)),
			Doc: "This is what a search with reductions visits. Runs that differ only in the order of independent steps are one run here.",
		}
	}
	return &fold{
		Link: v.link.chart() + "&" + verbFolded + "=1", Text: fmt.Sprintf("Fold it: %d of %d states", len(folded.States), len(all.list)),
		Doc: "what a search with reductions visits, with the same verdicts",
	}
}
