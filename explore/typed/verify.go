package typed

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullyproof/explore"
)

// Verify checks a model in a Go test. The test fails unless every verdict is
// good news (Holds or Found), or what Formula.Expect says; a verdict that is
// Incomplete or Vacuous is not good news. A violated formula is shown with the
// behavior that violates it, the one that comes first whole.
//
// Before it searches, Verify has a part of the model answer twice, and fails if
// the answers differ.
func Verify[S, A any](t testing.TB, m Model[S, A], opt explore.Options, formulas ...Formula[S]) *Checked[S, A] {
	t.Helper()
	c, err := verify(t.Context(), m, opt, formulas)
	if err != nil {
		t.Fatal(err)
	}
	if faults := c.faults(); faults != "" {
		t.Error(faults)
		return c
	}
	t.Log(c.summary())
	return c
}

func verify[S, A any](ctx context.Context, m Model[S, A], opt explore.Options, formulas []Formula[S]) (*Checked[S, A], error) {
	names := make(map[string]bool)
	questions := 0
	for i := range formulas {
		if formulas[i].kind.assumption() {
			continue
		}
		if questions++; names[formulas[i].Name] {
			return nil, fmt.Errorf("explore: two formulas are named %q", formulas[i].Name)
		}
		names[formulas[i].Name] = true
	}
	if questions == 0 {
		return nil, fmt.Errorf("explore: none of %d formulas asks anything: there is nothing to verify", len(formulas))
	}
	e, err := Encode(m)
	if err != nil {
		return nil, err
	}
	if err := e.deterministic(); err != nil {
		return nil, err
	}
	return Check(ctx, m, opt, formulas...)
}

// good reports whether a verdict is what is expected of a formula.
func (f *Formula[S]) good(v Verdict) bool {
	if f.expects {
		return v == f.expected
	}
	return v == Holds || v == Found
}

// faults says what is not as expected, "" if everything is.
func (c *Checked[S, A]) faults() string {
	var out strings.Builder
	shown := false
	for i := range c.Answers {
		a := &c.Answers[i]
		if a.Formula.good(a.Verdict) {
			continue
		}
		fmt.Fprintf(&out, "%s: %s", a.Formula.Name, a.Verdict)
		if a.Formula.expects {
			fmt.Fprintf(&out, ", where %s was expected", a.Formula.expected)
		}
		switch {
		case len(a.Behavior.Steps) > 0 && !shown:
			fmt.Fprintf(&out, ", in %d steps:\n%s", a.Behavior.Len(), a.Behavior)
			shown = true
			continue
		case len(a.Behavior.Steps) > 0:
			fmt.Fprintf(&out, ", in %d steps", a.Behavior.Len())
		case a.Verdict == Incomplete:
			out.WriteString(": " + c.undecided(a.Formula.kind))
		case a.Verdict == Vacuous:
			out.WriteString(": nothing breaks it, and what it is about never comes up")
		}
		out.WriteString("\n")
	}
	if out.Len() == 0 {
		return ""
	}
	return "\n" + out.String() + c.summary()
}

// undecided says why a question is, and what is known nevertheless.
func (c *Checked[S, A]) undecided(k kind) string {
	if c.Complete() {
		return "no behavior within the constraint breaks it, and some lead outside"
	}
	text := "the search ended early (" + c.Reason.String()
	if c.MemoryLimit != "" {
		text += ": " + c.MemoryLimit
	}
	text += ")"
	switch {
	case k.temporal():
		text += "; it takes all states to answer a question about infinite behaviors"
	case c.CompleteDepth >= 0 && k == witness:
		text += fmt.Sprintf("; no behavior of up to %d steps gets there", c.CompleteDepth)
	case c.CompleteDepth >= 0:
		text += fmt.Sprintf("; no behavior of up to %d steps breaks it", c.CompleteDepth)
	}
	return text
}

// summary says in a line what was searched.
func (c *Checked[S, A]) summary() string {
	text := fmt.Sprintf("%s: %d distinct states, %d generated, depth %d", c.Reason, c.Distinct, c.Generated, c.Depth)
	if c.Bounded {
		text += "; some transitions lead outside the constraint, and what holds does so within it"
	}
	for _, name := range c.unfair() {
		text += fmt.Sprintf("; no transition is in the set %q, to which behaviors are said to be fair", name)
	}
	return text
}

// unfair returns the names of the sets of fair actions that no transition of the
// system is in. Where not all were seen nobody knows.
func (c *Checked[S, A]) unfair() (names []string) {
	if c.Graph == nil || !c.Complete() {
		return nil
	}
	var taken uint64
	for _, in := range c.system.sets.all() {
		taken |= in
	}
	for i, f := range c.system.fair {
		if taken>>i&1 == 0 && f.f != nil {
			names = append(names, c.system.formulas[f.target].Name)
		}
	}
	return names
}

// probed is the number of states that Verify has a model answer for twice.
const probed = 1000

// initialStates returns the encoded initial states.
func (e *Encoded[S, A]) initialStates() (states [][]byte) {
	e.Initial(func(state []byte) bool {
		states = append(states, bytes.Clone(state))
		return true
	})
	return states
}

// deterministic has the first states of a model expanded twice, by expanders of
// their own, and returns an error if that makes a difference.
func (e *Encoded[S, A]) deterministic() error {
	first, again := e.initialStates(), e.initialStates()
	if !slices.EqualFunc(first, again, bytes.Equal) {
		return fmt.Errorf("explore: the model is not deterministic: asked twice, it has other initial states (%d, then %d)", len(first), len(again))
	}
	known := make(map[string]bool)
	a, b := e.NewExpander(), e.NewExpander()
	for queue := first; len(queue) > 0 && len(known) < probed; queue = queue[1:] {
		if state := queue[0]; !known[string(state)] {
			known[string(state)] = true
			next, err := e.twice(state, a, b)
			if err != nil {
				return err
			}
			queue = append(queue, next...)
		}
	}
	return nil
}

// twice expands a state twice, and returns what follows it. A panic is left to
// the search, which says where it is.
func (e *Encoded[S, A]) twice(state []byte, a, b explore.Expander) (next [][]byte, err error) {
	defer func() { _ = recover() }()
	var one, two explore.Successors
	a.Expand(state, &one)
	b.Expand(state, &two)
	for i := range max(one.Len(), two.Len()) {
		if i >= one.Len() || i >= two.Len() || !bytes.Equal(one.State(i), two.State(i)) {
			return nil, fmt.Errorf("explore: the model is not deterministic: asked twice, %s has another transition number %d (of %d, then of %d)",
				describe(e.Decode(state)), i, one.Len(), two.Len())
		}
		next = append(next, bytes.Clone(one.State(i)))
	}
	return next, nil
}
