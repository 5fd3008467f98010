// Package conform looks at whether the code of a protocol does what searches rely on: that
// its handlers are deterministic, and that its methods do what they are for. Package
// checker has it for tests (TestSystem, TestProtocol) and for what goes wrong.
package conform

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bullyproof/explore"
	"bullyproof/internal/survey"
	"bullyproof/model"
	"bullyproof/trace"
)

// An Extent says how much of a system is looked at.
type Extent struct {
	survey.Extent
	misuse bool // handlers may be misused: a search reports that
}

// Thoroughly looks at some thousand states, those at which a search looks before it relies on
// what a protocol declares.
func Thoroughly() Extent { return Extent{Extent: survey.Thoroughly()} }

// Briefly is for what is going to be searched anyway.
func Briefly() Extent { return Extent{Extent: survey.Briefly(), misuse: true} }

// Misused returns the extent in which handlers may be misused.
func (e Extent) Misused() Extent {
	e.misuse = true
	return e
}

// System returns an error, which names the action and the state, unless the same state
// always has the same transitions and no handler is misused, as far as an extent goes.
func System(sys *model.System, e Extent) error {
	c := newConformance(sys, e)
	if err := c.run(); err != nil {
		return err
	}
	c.atOnce()
	return nil
}

func newConformance(sys *model.System, e Extent) *conformance {
	return &conformance{sys: sys, extent: e, long: sys.NewExpander(), index: make(map[string]int)}
}

// A conformance test of one system.
type conformance struct {
	sys    *model.System
	extent Extent
	long   explore.Expander // used from the first state to the last
	states [][]byte         // visited, in order
	first  []expansion      // what each did when it was met
	index  map[string]int   // where a state stands there

	// Further checks of a state: of what happened while it was expanded, and,
	// once it is known that expansions agree, of its outcome.
	during func() error
	after  func(state []byte, found expansion) error
}

// An expansion is the outcome of expanding a state: the label of each
// transition before the state it leads to.
type expansion struct {
	actions []explore.Code
	states  [][]byte
}

func expand(exp explore.Expander, state []byte) expansion {
	var out explore.Successors
	exp.Expand(slices.Clone(state), &out)
	var e expansion
	for i := range out.Len() {
		e.actions = append(e.actions, out.Code(i))
		e.states = append(e.states, slices.Clone(out.State(i)))
	}
	return e
}

func (e expansion) equal(f expansion) bool {
	return slices.Equal(e.actions, f.actions) && slices.EqualFunc(e.states, f.states, bytes.Equal)
}

// afterOthers says when two expansions of a state differ that the same expander made.
const afterOthers = "when it was expanded again after other states: something is kept or shared between calls"

// run visits states, and then visits them again the other way round.
func (c *conformance) run() error {
	visit := func(state []byte) ([][]byte, error) {
		found, err := c.visit(state)
		return found.states, err
	}
	if err := c.extent.Of(c.sys.Initial, visit); err != nil {
		return err
	}
	for i, state := range slices.Backward(c.states) {
		if again := expand(c.long, state); !again.equal(c.first[i]) {
			return c.differ(state, c.first[i], again, afterOthers)
		}
	}
	return nil
}

// visit expands a state by several expanders and compares what they say. A state that
// has been visited is expanded once more and compared with what it did then.
func (c *conformance) visit(state []byte) (expansion, error) {
	found := expand(c.long, state)
	if i, ok := c.index[string(state)]; ok {
		if !found.equal(c.first[i]) {
			return found, c.differ(state, c.first[i], found, afterOthers)
		}
		return found, nil
	}
	if c.during != nil {
		if err := c.during(); err != nil {
			return found, fmt.Errorf("%w\n\tin state %s", err, c.describe(state))
		}
	}
	for range 2 {
		if again := expand(c.sys.NewExpander(), state); !again.equal(found) {
			return found, c.differ(state, found, again, "when it was expanded again")
		}
	}
	var told expansion
	for _, t := range c.sys.Transitions(state) {
		if t.Misuse != "" && c.extent.misuse {
			continue
		}
		if t.Misuse != "" {
			return found, fmt.Errorf("%s: %s\n\tin state %s", trace.ActionText(t.Action), t.Misuse, c.describe(state))
		}
		told.actions = append(told.actions, t.Code)
		told.states = append(told.states, t.Next)
	}
	if !told.equal(found) {
		return found, c.differ(state, found, told, "when its transitions were listed")
	}
	if a := c.sys.Asymmetry(state); a != nil {
		return found, c.asymmetric(a)
	}
	if c.after != nil {
		if err := c.after(state, found); err != nil {
			for range 20 { // that explains anything
				if again := expand(c.sys.NewExpander(), state); !again.equal(found) {
					return found, c.differ(state, found, again, "when it was expanded again")
				}
			}
			return found, fmt.Errorf("%w\n\tin state %s", err, c.describe(state))
		}
	}
	c.index[string(state)] = len(c.states)
	c.states, c.first = append(c.states, state), append(c.first, found)
	return found, nil
}

// atOnce has two goroutines expand all states, for the race detector.
func (c *conformance) atOnce() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			exp := c.sys.NewExpander()
			for _, state := range c.states {
				expand(exp, state)
			}
		})
	}
	wg.Wait()
}

// differ is the error for a state with two different expansions.
func (c *conformance) differ(state []byte, one, other expansion, when string) error {
	const culprits = "handlers have to be deterministic: map order, time, random numbers and what the protocol value remembers are the usual culprits"
	i := 0
	for i < min(len(one.states), len(other.states)) && one.actions[i] == other.actions[i] && bytes.Equal(one.states[i], other.states[i]) {
		i++
	}
	var what string
	switch {
	case i < len(one.states) && i < len(other.states) && one.actions[i] == other.actions[i]:
		what = fmt.Sprintf("%s leads to %s, and to %s", c.action(state, one.actions[i]), c.describe(one.states[i]), c.describe(other.states[i]))
	case i < len(one.states) && (i == len(other.states) || !slices.Contains(other.actions, one.actions[i])):
		what = fmt.Sprintf("%s leads to %s, and then nowhere", c.action(state, one.actions[i]), c.describe(one.states[i]))
	default:
		what = fmt.Sprintf("%s leads nowhere, and then to %s", c.action(state, other.actions[i]), c.describe(other.states[i]))
	}
	return fmt.Errorf("a state has other transitions %s: %s\n\tin state %s\n\t%s", when, what, c.describe(state), culprits)
}

// asymmetric is the error for a protocol in which ids decide something although it says
// that they do not.
func (c *conformance) asymmetric(a *model.Asymmetry) error {
	in, other := a.State, a.After
	if a.InAfter {
		in, other = other, in
	}
	what := "the processes believe something else"
	if a.Action != nil {
		what = fmt.Sprintf("%q leads elsewhere, or nowhere", trace.ActionText(*a.Action))
	}
	return fmt.Errorf("method Symmetric says that ids decide nothing, and where %s and %s change places %s\n\tin state %s\n\tand not in state %s",
		a.Swapped[0].Name(), a.Swapped[1].Name(), what, c.describe(in), c.describe(other))
}

// action names the action of a label. One that comes and goes may take several
// looks to be seen.
func (c *conformance) action(state []byte, label explore.Code) string {
	for range 100 {
		for _, t := range c.sys.Transitions(state) {
			if t.Code == label {
				return fmt.Sprintf("%q", trace.ActionText(t.Action))
			}
		}
	}
	return "a transition"
}

// describe returns a state in one line: "1 up {Elected:3} 3 down; in flight:
// 2->1 ELECTION".
func (c *conformance) describe(state []byte) string {
	s := c.sys.Snapshot(state)
	var parts []string
	for _, p := range s.Processes {
		var fields []string
		for _, f := range p.Fields {
			fields = append(fields, f.Name+":"+f.Value)
		}
		for _, t := range p.Timers {
			fields = append(fields, fmt.Sprintf("%s in %d", t.Name, t.Ticks))
		}
		parts = append(parts, fmt.Sprintf("%s %s {%s}", p.ID.Name(), p.Status, strings.Join(fields, " ")))
	}
	text := strings.Join(parts, " ")
	for i, m := range s.InFlight {
		intro := ", "
		if i == 0 {
			intro = "; in flight: "
		}
		text += fmt.Sprintf("%s%s->%s %s", intro, m.From.Name(), m.To.Name(), m.Text)
	}
	return text
}
