package checker

import (
	"fmt"
	"strings"
	"sync"

	"bullyproof/explore"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A search without any limit of its own is given up if it has so many states or is so deep, and
// something has taken so many values that become larger and larger: it may have no end, and more
// time would not decide what is open.
const (
	givenUpFrom  = 200_000
	givenUpDepth = 1_000
	endlessFrom  = 32
)

// A growing looks at some states of each level of a search, for what takes ever larger values.
type growing struct {
	endless bool // a search in which something grows without an end in sight is given up

	mu     sync.Mutex // held for what follows: progress is told meanwhile
	census *model.Census
	next   int // the depth from which on the census is asked again
	found  []model.Growth
}

// newGrowing returns the growing of a search of a system with some options.
func newGrowing(sys *model.System, opt Options) *growing {
	limited := opt.MaxStates > 0 || opt.MaxDepth > 0 || opt.MaxBytes > 0 || opt.MaxTime > 0
	return &growing{census: sys.NewCensus(), endless: !limited && !opt.Exhaustive && opt.Disk.Dir == ""}
}

// look takes some states of a level, and reports whether the search is to go on
// (explore.Options, Inspect).
func (g *growing) look(depth int, distinct uint64, states [][]byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, state := range states {
		g.census.Note(depth, state)
	}
	if depth >= g.next { // seldom in a deep search, in which it takes long
		g.next = depth + 1 + depth/32
		g.found = g.census.Growing()
	}
	early := distinct < givenUpFrom && depth < givenUpDepth
	return !g.endless || early || len(g.found) == 0 || g.found[0].Distinct < endlessFrom
}

// growths returns what grows as far as is known.
func (g *growing) growths() []model.Growth {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.found
}

// A valued counts the values of all states that are expanded, with a census for each expander.
type valued struct {
	mu       sync.Mutex
	censuses []*model.Census
}

// A valuer is an expander that counts values.
type valuer struct {
	explore.Expander
	census *model.Census
}

func (v *valued) expander(sys *model.System, x explore.Expander) explore.Expander {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := sys.NewCensus()
	v.censuses = append(v.censuses, c)
	return valuer{x, c}
}

// Expand implements explore.Expander.
func (v valuer) Expand(state []byte, out *explore.Successors) {
	v.census.Note(0, state)
	v.Expander.Expand(state, out)
}

// values returns what was counted when the search is over.
func (v *valued) values() []model.Values {
	if v == nil || len(v.censuses) == 0 {
		return nil
	}
	for _, c := range v.censuses[1:] {
		v.censuses[0].Merge(c)
	}
	v.censuses = v.censuses[:1]
	return v.censuses[0].Values()
}

// writeValues writes a line for each field, timer and link that took more than one value.
func (r *Report) writeValues(p *prose.Printer) {
	if len(r.Values) == 0 {
		return
	}
	p.Line(2, "Values in the states that were expanded:", "")
	for i := 0; i < len(r.Values); {
		first := &r.Values[i]
		least, greatest := first.Least, first.Greatest
		var whose []string
		for ; i < len(r.Values) && r.Values[i].Of == first.Of && (r.Values[i].Name == first.Name || first.Of == model.CountedLink); i++ {
			v := &r.Values[i]
			least, greatest = min(least, v.Least), max(greatest, v.Greatest)
			whose = append(whose, strings.TrimSpace(v.Whose()+" "+quantity.Count(uint64(v.Distinct))))
		}
		p.Hanging(4, "", fmt.Sprintf("%s: %s (%d to %d)", first.Thing(), strings.Join(whose, ", "), least, greatest), "")
	}
}

// mostGrowths is how many things that grow are named: the others follow from them as a rule.
const mostGrowths = 3

// growthText says what grows and what would bound it; "" where nothing does.
func (r *Report) growthText() string {
	if len(r.Growth) == 0 {
		return ""
	}
	var all []string
	for _, g := range r.Growth[:min(len(r.Growth), mostGrowths)] {
		all = append(all, g.String())
	}
	text := "It grows with the depth: " + strings.Join(all, "; ")
	if n := len(r.Growth) - mostGrowths; n > 0 {
		text += fmt.Sprintf("; and %d more", n)
	}
	return text + fmt.Sprintf(" (in some states of each level, to depth %s). %s.", quantity.Count(r.Growth[0].Newest), prose.Capital(r.Growth[0].Bound))
}
