package checker_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/explore/liveness"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// dice is a protocol made at random: what a process does in each of its modes
// is in tables.
type dice struct {
	model.Passive[dicer, roll]
	on    [4][modes][rolls]face // by process, mode and message
	start [4]face
	doubt [4][modes]face // sends nothing
}

const (
	modes = 3
	rolls = 3
)

type dicer struct {
	Mode    uint8
	Elected model.ID
}

type roll uint8

// A face is what a process does: its new mode and belief, and what it sends to
// whom, if anything (never to itself).
type face struct {
	mode    uint8
	elected model.ID
	send    roll
	to      model.ID
}

func throw(r *rand.Rand, n int, self model.ID) face {
	f := face{mode: uint8(r.IntN(modes)), elected: model.ID(r.IntN(n + 1)), send: roll(r.IntN(rolls)), to: model.ID(1 + r.IntN(n))}
	if f.to == self || r.IntN(4) == 0 {
		f.to = model.None
	}
	return f
}

func newDice(r *rand.Rand, n int) *dice {
	d := &dice{}
	for id := model.ID(1); int(id) <= n; id++ {
		d.start[id] = throw(r, n, id)
		for m := range modes {
			d.doubt[id][m] = throw(r, n, id)
			for k := range rolls {
				d.on[id][m][k] = throw(r, n, id)
			}
		}
	}
	return d
}

func (f face) apply(p *dicer, net *model.Net[roll], sends bool) {
	p.Mode, p.Elected = f.mode, f.elected
	if sends && f.to != model.None {
		net.SendTo(f.to, f.send)
	}
}

func (d *dice) Start(p *dicer, net *model.Net[roll]) { d.start[net.Self()].apply(p, net, true) }

func (d *dice) Init(p *dicer, net *model.Net[roll], why model.Boot) {
	if why == model.Restart {
		d.start[net.Self()].apply(p, net, true)
	}
}

func (d *dice) Receive(p *dicer, net *model.Net[roll], _ model.Port, m roll) {
	d.on[net.Self()][p.Mode][m].apply(p, net, true)
}

func (d *dice) Suspect(p *dicer, net *model.Net[roll], _ model.ID) {
	d.doubt[net.Self()][p.Mode].apply(p, net, false)
}

func (d *dice) Belief(p *dicer) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode == 1}
}

func (d *dice) Names() model.Names { return model.Names{Kinds: []string{"A", "B", "C"}} }

func (m roll) Kind() model.Kind { return model.Kind(m) }

func (m roll) String() string { return "ABC"[m : m+1] }

// A naive graph is made by asking for the transitions of each state.
type naive struct {
	setting setting.Setting
	initial []int
	view    []model.View // by state; what can be asked of a process's state is not there
	edges   [][]naiveEdge
}

type naiveEdge struct {
	to    int
	class string
}

func newNaive(sys *model.System) *naive {
	g := &naive{setting: sys.Setting()}
	number := make(map[string]int)
	var states [][]byte
	add := func(s []byte) int {
		n, ok := number[string(s)]
		if !ok {
			n = len(states)
			number[string(s)] = n
			states = append(states, append([]byte(nil), s...))
			g.view = append(g.view, *sys.View(s))
		}
		return n
	}
	sys.Initial(func(s []byte) bool { g.initial = append(g.initial, add(s)); return true })
	for i := 0; i < len(states); i++ {
		var out []naiveEdge
		for _, t := range sys.Transitions(states[i]) {
			out = append(out, naiveEdge{add(t.Next), t.Class})
		}
		g.edges = append(g.edges, out)
	}
	return g
}

// depths returns in how many steps each state is reached from some, -1 if it
// is not.
func (g *naive) depths(from []int, in func(int) bool) []int {
	depth := make([]int, len(g.edges))
	for i := range depth {
		depth[i] = -1
	}
	var queue []int
	for _, n := range from {
		if in(n) && depth[n] < 0 {
			depth[n] = 0
			queue = append(queue, n)
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, e := range g.edges[queue[i]] {
			if in(e.to) && depth[e.to] < 0 {
				depth[e.to] = depth[queue[i]] + 1
				queue = append(queue, e.to)
			}
		}
	}
	return depth
}

func everywhere(int) bool { return true }

// stuck returns the least depth of a state from which none that satisfies p can
// be reached, -1 if there is none.
func (g *naive) stuck(p func(v *model.View) bool) int {
	least := -1
	depth := g.depths(g.initial, everywhere)
	for n := range g.edges {
		escapes := false
		for m, d := range g.depths([]int{n}, everywhere) {
			escapes = escapes || d >= 0 && p(&g.view[m])
		}
		if !escapes && (least < 0 || depth[n] < least) {
			least = depth[n]
		}
	}
	return least
}

// offends returns the length of the shortest run that breaks E1, -1 if there is
// none: it follows all runs, and remembers who was named.
func (g *naive) offends() int {
	type node struct {
		state int
		named model.Set
	}
	taken := func(before, after *model.View) (s model.Set) {
		for id := range after.Up.All() {
			e := after.Elected(id)
			if e != model.None && (before == nil || !before.Up.Has(id) || before.Elected(id) != e) {
				s = s.With(e)
			}
		}
		return s
	}
	depth := make(map[node]int)
	var queue []node
	add := func(n node, d int) {
		if _, seen := depth[n]; !seen {
			depth[n] = d
			queue = append(queue, n)
		}
	}
	for _, n := range g.initial {
		var named model.Set
		if g.setting.Start <= setting.ColdInterleaved {
			named = taken(nil, &g.view[n])
		}
		add(node{n, named}, 0)
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		v := &g.view[n.state]
		if v.Settled {
			if !v.Up.Empty() && n.named.Without(v.Wanted) != 0 {
				return depth[n]
			}
			n.named = 0
			depth[n] = depth[queue[i]]
		}
		for _, e := range g.edges[n.state] {
			add(node{e.to, n.named | taken(v, &g.view[e.to])}, depth[queue[i]]+1)
		}
	}
	return -1
}

// endless reports whether some run from a state of from, by states of within,
// never ends, or is over, there: fairly, and with a state of visit in what is
// repeated.
func (g *naive) endless(from, within, visit func(v *model.View) bool, f checker.Fairness, initialOnly bool) bool {
	reachable := g.depths(g.initial, everywhere)
	var starts []int
	for n := range g.edges {
		if reachable[n] >= 0 && from(&g.view[n]) {
			starts = append(starts, n)
		}
	}
	if initialOnly {
		starts = g.initial
	}
	in := g.depths(starts, func(n int) bool { return within(&g.view[n]) })
	set := make(map[int]bool)
	for n, d := range in {
		if d < 0 {
			continue
		}
		set[n] = true
		owed := false
		for _, e := range g.edges[n] {
			owed = owed || e.class != ""
		}
		if !owed && visit(&g.view[n]) {
			return true
		}
	}
	return g.fairIn(set, visit, f)
}

// fairIn reports whether there is a fair cycle within a set of states.
func (g *naive) fairIn(set map[int]bool, visit func(v *model.View) bool, f checker.Fairness) bool {
	done := make(map[int]bool)
	for n := range set {
		if done[n] {
			continue
		}
		// Those from which one gets there and back, itself aside if it has no loop.
		component := make(map[int]bool)
		there := g.depths([]int{n}, func(m int) bool { return set[m] })
		for m, d := range there {
			if d >= 0 && g.depths([]int{m}, func(k int) bool { return set[k] })[n] >= 0 {
				component[m], done[m] = true, true
			}
		}
		taken, enabled := make(map[string]bool), make(map[string]int)
		cycle, visited := false, false
		for m := range component {
			here := make(map[string]bool)
			for _, e := range g.edges[m] {
				cycle = cycle || component[e.to]
				taken[e.class] = taken[e.class] || component[e.to]
				if !here[e.class] && e.class != "" {
					here[e.class] = true
					enabled[e.class]++
				}
			}
			visited = visited || visit(&g.view[m])
		}
		if !cycle || !visited {
			continue
		}
		fair, rest := true, make(map[int]bool)
		for m := range component {
			rest[m] = true
		}
		for class, times := range enabled {
			switch strength := strengthOf(f); {
			case taken[class] || strength == 0:
			case strength == weak && times == len(component):
				fair = false
			case strength == strong:
				for m := range component {
					for _, e := range g.edges[m] {
						if e.class == class {
							delete(rest, m)
						}
					}
				}
			}
		}
		if fair && len(rest) == len(component) || fair && len(rest) > 0 && g.fairIn(rest, visit, f) {
			return true
		}
	}
	return false
}

var (
	weak   = liveness.Weak
	strong = liveness.Strong
)

// strengthOf returns what a fairness without exceptions says of every class.
func strengthOf(f checker.Fairness) liveness.Strength {
	return map[string]liveness.Strength{"no fairness": liveness.Unfair, "weak fairness": weak, "strong fairness": strong}[f.String()]
}

// On protocols made at random, every kind of property has the verdict of a plain
// reading of its definition, and where that has a length, the shortest run.
func TestWholeRunsAgainstReference(t *testing.T) {
	const doc = "As its name says."
	first, second := named(1, 2), inElection(2)
	not := func(p func(v *model.View) bool) func(v *model.View) bool {
		return func(v *model.View) bool { return !p(v) }
	}
	all := func(*model.View) bool { return true }
	both := func(p, q func(v *model.View) bool) func(v *model.View) bool {
		return func(v *model.View) bool { return p(v) && q(v) }
	}
	settings := []string{
		"n=2 initiators=all timing=patient", "n=2 initiators=all timing=patient channels=fifo crashes=1", "n=3 initiators=1 timing=patient crashes=1",
		"n=2 initiators=1 timing=patient crashes=1 restarts=1", "n=2 initiators=any:lazy timing=patient losses=1",
	}
	counts := make(map[string]int)
	for seed := range casecount.Numbers(t, *deep, 48, 200) {
		r := rand.New(rand.NewPCG(seed, 8))
		for _, text := range settings {
			s, err := setting.Parse(text)
			require.NoError(t, err)
			build := built(newDice(r, s.N))
			sys, err := build(s)
			require.NoError(t, err)
			g := newNaive(sys)
			if len(g.edges) > 300 {
				continue // the reference takes long
			}
			props := []*checker.Property{checker.E1, checker.CanAlwaysReach("reach", doc, first)}
			settled := func(v *model.View) bool { return v.Settled && !v.Up.Empty() }
			want := []string{g.unless(length(g.offends()), settled), length(g.stuck(first))}
			for _, f := range []checker.Fairness{checker.NoFairness, checker.WeakFairness, checker.StrongFairness} {
				props = append(props, checker.Eventually("ev", doc, first).Under(f), checker.AlwaysEventually("ae", doc, first).Under(f),
					checker.EventuallyAlways("ea", doc, first).Under(f), checker.LeadsTo("lt", doc, second, first).Under(f))
				for _, broken := range []bool{
					g.endless(all, not(first), all, f, true), g.endless(all, not(first), all, f, false),
					g.endless(all, all, not(first), f, false), g.endless(both(second, not(first)), not(first), all, f, false),
				} {
					want = append(want, map[bool]string{true: "V", false: "H"}[broken])
				}
				want[len(want)-1] = g.unless(want[len(want)-1], second)
			}
			report := check(t, sys, checker.Options{Properties: props, Workers: 2})
			for i, p := range props {
				finding := report.Finding(p.Name)
				got := map[checker.Verdict]string{checker.Holds: "H", checker.Violated: "V", checker.Vacuous: "0"}[finding.Verdict]
				if i < 2 && finding.Trace != nil {
					got = length(len(finding.Trace.Steps))
				}
				assert.Equal(t, want[i], got, "%s, seed %d, %s", p.Name, seed, text)
				if finding.Trace != nil {
					replayed(t, build, finding)
				}
				counts[p.Name+" "+got[:1]]++
			}
		}
	}
	for _, p := range []string{"e1", "reach", "ev", "ae", "ea", "lt", "ev-strong"} {
		assert.Greater(t, counts[p+" H"], 1, p)
		assert.Greater(t, counts[p+" V"], 1, p)
	}
}

// unless returns what is to be answered, vacuous where that is that it holds and
// no reachable state is an occasion.
func (g *naive) unless(answer string, occasion func(v *model.View) bool) string {
	for n, depth := range g.depths(g.initial, everywhere) {
		if depth >= 0 && occasion(&g.view[n]) {
			return answer
		}
	}
	if answer == "H" {
		return "0"
	}
	return answer
}

func length(n int) string {
	if n < 0 {
		return "H"
	}
	return fmt.Sprintf("V %d", n)
}
