package typed

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/internal/test/casecount"
)

var deep = flag.Bool("deep", false, "compare twenty times as many random models with a plain checker")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// A tangle is a model given by its transitions, for comparison with what is
// computed from the definitions. States are the numbers of its lists.
type tangle struct {
	initial []uint8
	next    [][]tangleEdge
}

type tangleEdge struct{ to, action uint8 }

func (m tangle) Initial(yield func(uint8) bool) {
	for _, s := range m.initial {
		if !yield(s) {
			return
		}
	}
}

func (m tangle) Next(s uint8, yield func(uint8, uint8) bool) {
	for _, e := range m.next[s] {
		if !yield(e.action, e.to) {
			return
		}
	}
}

// A spec is what is asked about a tangle, and assumed of it, by sets of states
// and of actions as bits.
type spec struct {
	p, q, within uint8
	bounded      bool
	fair         []fairSet
}

type fairSet struct {
	strength liveness.Strength
	actions  uint8
	onlyFrom uint8 // the states from which they count
}

func (f fairSet) has(from, action, to uint8) bool {
	return from != to && f.actions>>action&1 != 0 && f.onlyFrom>>from&1 != 0
}

func in(set uint8) func(uint8) bool { return func(s uint8) bool { return set>>s&1 != 0 } }

// assumptions returns the assumptions as formulas.
func (s spec) assumptions() (list []Formula[uint8]) {
	for i, f := range s.fair {
		list = append(list, Fair(f.strength, fmt.Sprint("fair ", i), func(from, action, to uint8) bool {
			// Self-loops are left to the package to leave out.
			return f.actions>>action&1 != 0 && f.onlyFrom>>from&1 != 0
		}))
	}
	if s.bounded {
		list = append(list, Constraint("within", in(s.within)))
	}
	return list
}

// A plainModel judges a tangle by the definitions.
type plainModel struct {
	m     tangle
	s     spec
	edges []plainEdge // those that change the state, between states within
	from  []uint8     // the states that can be reached within
	leave bool        // some transition leads outside
}

type plainEdge struct{ from, action, to uint8 }

func newPlainModel(m tangle, s spec) *plainModel {
	c := &plainModel{m: m, s: s}
	c.from = c.reach(m.initial, 0xff)
	for _, from := range c.from {
		for _, e := range m.next[from] {
			if !c.inside(e.to) {
				c.leave = true
			} else if e.to != from {
				c.edges = append(c.edges, plainEdge{from, e.action, e.to})
			}
		}
	}
	for _, s := range m.initial {
		c.leave = c.leave || !c.inside(s)
	}
	return c
}

func (c *plainModel) inside(s uint8) bool { return !c.s.bounded || in(c.s.within)(s) }

// reach returns the states in a set to which ways within the set and the
// constraint lead.
func (c *plainModel) reach(from []uint8, set uint8) (list []uint8) {
	seen := map[uint8]bool{}
	for _, s := range from {
		if in(set)(s) && c.inside(s) && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for i := 0; i < len(list); i++ {
		for _, e := range c.m.next[list[i]] {
			if in(set)(e.to) && c.inside(e.to) && !seen[e.to] {
				seen[e.to] = true
				list = append(list, e.to)
			}
		}
	}
	return list
}

// enabled reports whether a fair set has a transition out of a state, wherever
// that leads.
func (c *plainModel) enabled(f fairSet, s uint8) bool {
	for _, e := range c.m.next[s] {
		if f.has(s, e.action, e.to) {
			return true
		}
	}
	return false
}

// fair reports whether a behavior is that visits states, and takes transitions,
// again and again.
func (c *plainModel) fair(states []uint8, taken []plainEdge) bool {
	for _, f := range c.s.fair {
		always, ever, takes := true, false, false
		for _, s := range states {
			on := c.enabled(f, s)
			always, ever = always && on, ever || on
		}
		for _, e := range taken {
			takes = takes || f.has(e.from, e.action, e.to)
		}
		if !takes && (f.strength == liveness.Weak && always || f.strength == liveness.Strong && ever) {
			return false
		}
	}
	return true
}

// ends calls f with each set of states in which a fair behavior can stay, while
// it visits all of them, within a set.
func (c *plainModel) ends(set uint8, f func(states []uint8) bool) bool {
	for _, s := range c.from {
		if in(set)(s) && c.fair([]uint8{s}, nil) && f([]uint8{s}) {
			return true
		}
	}
	var edges []plainEdge
	for _, e := range c.edges {
		if in(set)(e.from) && in(set)(e.to) {
			edges = append(edges, e)
		}
	}
	for some := 1; some < 1<<len(edges); some++ {
		var taken []plainEdge
		var touched uint64
		for i, e := range edges {
			if some>>i&1 != 0 {
				taken = append(taken, e)
				touched |= 1<<e.from | 1<<e.to
			}
		}
		if !connected(taken, touched) {
			continue
		}
		var states []uint8
		for s := range uint8(8) {
			if touched>>s&1 != 0 {
				states = append(states, s)
			}
		}
		if c.fair(states, taken) && f(states) {
			return true
		}
	}
	return false
}

// connected reports whether the transitions strongly connect the states, so that some
// closed walk takes each of them.
func connected(edges []plainEdge, states uint64) bool {
	for start := states; start != 0; start &= start - 1 {
		seen := start & -start
		for before := uint64(0); before != seen; {
			before = seen
			for _, e := range edges {
				if seen>>e.from&1 != 0 {
					seen |= 1 << e.to
				}
			}
		}
		if seen != states {
			return false
		}
	}
	return true
}

// broken reports whether a fair behavior within the constraint breaks a formula.
func (c *plainModel) broken(k kind) bool {
	notP, notQ := ^c.s.p, ^c.s.q
	reaches := func(from []uint8, set uint8) func([]uint8) bool {
		to := c.reach(from, set)
		return func(states []uint8) bool {
			for _, s := range to {
				if s == states[0] {
					return true
				}
			}
			return false
		}
	}
	switch k {
	case guarantee:
		return c.ends(notP, reaches(c.m.initial, notP))
	case persistence:
		return c.ends(0xff, func(states []uint8) bool {
			for _, s := range states {
				if in(notP)(s) {
					return true
				}
			}
			return false
		})
	case recurrence:
		return c.ends(notP, func([]uint8) bool { return true })
	}
	var from []uint8
	for _, s := range c.from {
		if in(c.s.p & notQ)(s) {
			from = append(from, s)
		}
	}
	return c.ends(notQ, reaches(from, notQ))
}

func tangles(t *rapid.T) tangle {
	n := rapid.IntRange(1, 6).Draw(t, "states")
	state := rapid.Uint8Range(0, uint8(n-1))
	m := tangle{initial: rapid.SliceOfN(state, 1, 2).Draw(t, "initial"), next: make([][]tangleEdge, n)}
	for range rapid.IntRange(0, 10).Draw(t, "transitions") {
		from := state.Draw(t, "from")
		m.next[from] = append(m.next[from], tangleEdge{state.Draw(t, "to"), rapid.Uint8Range(0, 3).Draw(t, "action")})
	}
	return m
}

func specs(t *rapid.T) (s spec) {
	s.p, s.q = rapid.Uint8().Draw(t, "p"), rapid.Uint8().Draw(t, "q")
	if s.bounded = rapid.IntRange(0, 3).Draw(t, "bounded") == 0; s.bounded {
		s.within = rapid.Uint8().Draw(t, "within") | rapid.Uint8().Draw(t, "within too")
	}
	for range rapid.IntRange(0, 3).Draw(t, "fair sets") {
		f := fairSet{liveness.Weak, rapid.Uint8Range(0, 15).Draw(t, "actions"), 0xff}
		if rapid.Bool().Draw(t, "strong") {
			f.strength = liveness.Strong
		}
		if rapid.IntRange(0, 3).Draw(t, "some states") == 0 {
			f.onlyFrom = rapid.Uint8().Draw(t, "from")
		}
		s.fair = append(s.fair, f)
	}
	return s
}

func TestTemporalFormulasAgreeWithTheirDefinitions(t *testing.T) {
	casecount.Many(t, *deep, 3000)
	found := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		m, s := tangles(t), specs(t)
		plain := newPlainModel(m, s)
		formulas := append(s.assumptions(),
			Eventually("eventually", in(s.p)), EventuallyAlways("eventually always", in(s.p)),
			AlwaysEventually("always eventually", in(s.p)), LeadsTo("leads to", in(s.p), in(s.q)))
		r, err := Check(context.Background(), m, explore.Options{Workers: 2}, formulas...)
		require.NoError(t, err)
		require.Equal(t, plain.leave, r.Bounded)
		require.EqualValues(t, len(plain.from), r.Distinct)
		triggered := false
		for _, state := range plain.from {
			triggered = triggered || in(s.p)(state)
		}
		for _, a := range r.Answers {
			want := Holds
			switch {
			case plain.broken(a.Formula.kind):
				want = Violated
			case plain.leave:
				want = Incomplete
			case len(plain.from) == 0 || a.Formula.kind == response && !triggered:
				want = Vacuous
			}
			require.Equal(t, want, a.Verdict, a.Formula.Name)
			found[want.String()]++
			if want == Violated {
				plain.requireBroken(t, a.Formula.kind, a.Behavior)
			}
		}
	})
	t.Log(found)
	require.Greater(t, len(found), 3)
}

// requireBroken checks a behavior against the definitions.
func (c *plainModel) requireBroken(t *rapid.T, k kind, b Behavior[uint8, uint8]) {
	require.Contains(t, c.m.initial, b.Steps[0].State)
	for i, step := range b.Steps {
		require.True(t, c.inside(step.State))
		if i > 0 {
			require.Contains(t, c.m.next[b.Steps[i-1].State], tangleEdge{step.State, step.Action})
		}
	}
	last := len(b.Steps) - 1
	require.Equal(t, b.Steps[b.Loop].State, b.Steps[last].State)
	var taken []plainEdge
	states := []uint8{b.Steps[last].State}
	open, always, ever := false, true, false // p is owed its q; p in all of the cycle; p somewhere in it
	everBefore := false
	for i, step := range b.Steps {
		p, q := in(c.s.p)(step.State), in(c.s.q)(step.State)
		open = (open || p) && !q
		everBefore = everBefore || p
		if i >= b.Loop {
			always, ever = always && p, ever || p
		}
		if i > b.Loop {
			taken = append(taken, plainEdge{b.Steps[i-1].State, step.Action, step.State})
			states = append(states, step.State)
		}
	}
	require.True(t, c.fair(states, taken), "the behavior is fair")
	switch k {
	case guarantee:
		require.False(t, everBefore)
	case persistence:
		require.False(t, always)
	case recurrence:
		require.False(t, ever)
	case response:
		require.True(t, open)
		for _, step := range b.Steps[b.Loop:] {
			require.False(t, in(c.s.q)(step.State))
		}
	}
}

// TestStateFormulasAgreeWithTheirDefinitions compares what is said about states
// and transitions with a loop over them, and counts with those of TLC: a state
// outside is generated and judged, but neither distinct nor followed.
func TestStateFormulasAgreeWithTheirDefinitions(t *testing.T) {
	casecount.Many(t, *deep, 1000)
	rapid.Check(t, func(t *rapid.T) {
		m, s := tangles(t), specs(t)
		plain := newPlainModel(m, s)
		generated := len(m.initial)
		always, step, stuck, some := true, true, false, false
		judge := func(state uint8) {
			always = always && in(s.p)(state)
			some = some || in(s.q)(state)
		}
		allowed := func(from, action, to uint8) bool { return from <= to || action == 0 }
		for _, from := range plain.from {
			judge(from)
			for _, e := range m.next[from] {
				judge(e.to)
				generated++
				step = step && allowed(from, e.action, e.to)
			}
			stuck = stuck || len(m.next[from]) == 0 && !in(s.q)(from)
		}
		formulas := append(s.assumptions(), Always("always", in(s.p)), AlwaysStep("step", allowed),
			NoDeadlock("deadlock", in(s.q)), Sometimes("some", in(s.q)))
		opt := explore.Options{Workers: 2, Exhaustive: true, Exact: rapid.Bool().Draw(t, "exact"), Graph: rapid.Bool().Draw(t, "graph")}
		r, err := Check(context.Background(), m, opt, formulas...)
		require.NoError(t, err)
		require.EqualValues(t, generated, r.Generated)
		require.EqualValues(t, len(plain.from), r.Distinct)
		require.EqualValues(t, len(plain.from), r.Expanded)
		sum := uint64(0)
		for _, level := range r.Levels {
			sum += level
		}
		require.Equal(t, r.Distinct, sum)
		want := map[string]bool{"always": always, "step": step, "deadlock": !stuck, "some": some}
		for name, good := range want {
			a := r.Answer(name)
			require.Equal(t, !good, a.Verdict == Violated || a.Verdict == NotFound, name)
			for i, step := range a.Behavior.Steps {
				if i > 0 {
					require.Contains(t, m.next[a.Behavior.Steps[i-1].State], tangleEdge{step.State, step.Action})
				}
			}
			if last := a.Behavior.Len(); len(a.Behavior.Steps) > 0 {
				end := a.Behavior.Steps[last]
				switch name {
				case "always":
					require.False(t, in(s.p)(end.State))
				case "some":
					require.True(t, in(s.q)(end.State))
				case "step":
					require.False(t, allowed(a.Behavior.Steps[last-1].State, end.Action, end.State))
				case "deadlock":
					require.Empty(t, m.next[end.State])
				}
			}
		}
		if opt.Graph {
			var states []uint8
			require.NoError(t, r.States(func(_ uint32, s uint8) bool { states = append(states, s); return true }))
			require.ElementsMatch(t, plain.from, states)
		}
	})
}
