package compare

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A Trial is what one search found: a subject under a fault.
type Trial struct {
	Subject string
	Fault   Fault
	N       int
	// Setting is what the subject needs under the fault.
	Setting setting.Setting
	// Refused says why the fault cannot happen to the subject: there are no cells
	// then.
	Refused string
	// Outside are the assumptions of the subject that the fault breaks: what
	// follows is no reproach.
	Outside []ledger.Assumption
	// Cells has the answer to each property of the comparison that was asked.
	Cells []Cell
	// Why says what the search did not see, empty where it saw everything.
	Why string
	// States is how many distinct states there are, or were seen, and Depth the
	// largest depth of one.
	States uint64
	Depth  int
}

// A Cell is the answer of a subject to a property.
type Cell struct {
	Property string
	Verdict  checker.Verdict
	// Foreign says that the author of the subject does not ask this of it: that
	// everybody names the same coordinator, of an anonymous ring.
	Foreign bool
	// Steps is the length of the shortest run that violates the property. In a
	// run without end it is the steps before those that repeat.
	Steps   int
	Endless bool
	// Why says what never came up, or what was not seen.
	Why string
	// Explanation says what is wrong at the end of the run.
	Explanation string
	// Shown is the run; nil where there is none.
	Shown *Shown
}

// A Shown is a run that can be shown.
type Shown struct {
	Trace *trace.Trace
	Run   *trace.Run

	layout *trace.Layout // where there is more to it than the run: what clients do
}

// lay returns the run laid out.
func (s *Shown) lay() (*trace.Layout, error) {
	if s.layout != nil {
		return s.layout, nil
	}
	return trace.Lay(s.Trace, s.Run)
}

// Trial returns the trial of a subject under a fault among n processes, nil if
// there is none.
func (c *Comparison) Trial(subject string, f Fault, n int) *Trial {
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Subject == subject && t.Fault == f && t.N == n {
			return t
		}
	}
	return nil
}

// Cell returns the answer to a property, nil if it was not asked.
func (t *Trial) Cell(property string) *Cell {
	for i := range t.Cells {
		if t.Cells[i].Property == property {
			return &t.Cells[i]
		}
	}
	return nil
}

// trials asks every subject under every fault.
func (r *runner) trials(ctx context.Context) error {
	for _, f := range r.Faults {
		for _, n := range r.N {
			for i := range r.Subjects {
				t, err := r.trial(ctx, &r.Subjects[i], f, n)
				if err != nil {
					return err
				}
				r.Trials = append(r.Trials, *t)
			}
		}
	}
	return nil
}

// trial asks one subject.
func (r *runner) trial(ctx context.Context, s *Subject, f Fault, n int) (*Trial, error) {
	t := &Trial{Subject: s.Name(), Fault: f, N: n}
	in, err := s.Under(f, n)
	t.Setting = in
	if err != nil {
		t.Refused = reason(err)
		return t, nil
	}
	for _, a := range s.Assumptions {
		if !a.Premise.HoldsIn(in) {
			t.Outside = append(t.Outside, a)
		}
	}
	return t, r.ask(ctx, s, t, s.Name()+", "+f.Name+", n="+strconv.Itoa(n), r.asked(s))
}

// asked returns the properties that a subject is asked: the standard ones that
// any subject asks, and its own.
func (r *runner) asked(s *Subject) []*checker.Property {
	return slices.DeleteFunc(slices.Clone(r.Properties), func(p *checker.Property) bool {
		return s.foreign(p) && !slices.Contains(standard(), p)
	})
}

// foreign reports whether the author of a subject does not ask a property of it.
func (s *Subject) foreign(p *checker.Property) bool { return !slices.Contains(s.Questions, p) }

// ask asks properties of a subject in the setting of a trial.
func (r *runner) ask(ctx context.Context, s *Subject, t *Trial, what string, list []*checker.Property) error {
	list = checker.InSetting(list, t.Setting)
	if ctx.Err() != nil {
		t.Why = interrupted
		for _, p := range list {
			t.Cells = append(t.Cells, Cell{Property: p.Name, Verdict: checker.Incomplete, Foreign: s.foreign(p), Why: t.Why})
		}
		return nil
	}
	sys, err := s.In(t.Setting)
	if err != nil {
		t.Refused = reason(err)
		return nil
	}
	opt := r.options(s, what)
	opt.Properties, opt.Exhaustive = list, true
	report, err := checker.Check(ctx, sys, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	t.Why, t.States, t.Depth = report.Why, report.Distinct, report.Depth
	if report.Reason == explore.StateLimit && t.States > opt.MaxStates {
		t.Why += fmt.Sprintf(", with the whole of its last depth: %s", quantity.Count(t.States))
	}
	for i := range report.Findings {
		t.Cells = append(t.Cells, cellOf(&report.Findings[i], s))
	}
	return nil
}

// cellOf returns what a cell keeps of a finding.
func cellOf(f *checker.Finding, s *Subject) Cell {
	c := Cell{
		Property: f.Property.Name, Verdict: f.Verdict, Why: f.Why, Explanation: f.Explanation,
		Foreign: f.Property != checker.Misuse && s.foreign(f.Property),
	}
	if f.Trace != nil {
		c.Shown = &Shown{Trace: f.Trace, Run: f.Run}
		c.Steps = len(f.Trace.Steps)
		if f.Trace.Lasso > 0 {
			c.Steps, c.Endless = f.Trace.Lasso-1, true
		}
	}
	return c
}

// A Break is something that a subject breaks and the yardstick keeps.
type Break struct {
	Subject string
	Fault   Fault
	N       int
	Cell    *Cell
	// Outside says that the fault is one that the subject does not assume to
	// withstand.
	Outside bool
}

// Breaks returns what subjects break of what the first one keeps, in the order of
// trials. A question that its author does not ask is no part of it.
func (c *Comparison) Breaks() (list []Break) {
	for i := range c.Trials {
		t := &c.Trials[i]
		first := c.Trial(c.Subjects[0].Name(), t.Fault, t.N)
		for j := range t.Cells {
			cell := &t.Cells[j]
			kept := first.Cell(cell.Property)
			if bad(cell) && kept != nil && kept.Verdict == checker.Holds && !kept.Foreign {
				list = append(list, Break{t.Subject, t.Fault, t.N, cell, len(t.Outside) > 0})
			}
		}
	}
	return list
}

// bad reports whether a cell has a property violated that the author asks.
func bad(c *Cell) bool {
	return !c.Foreign && (c.Verdict == checker.Violated || c.Verdict == checker.NotFound)
}

// Undecided reports whether anything is: a search met a limit, or was
// interrupted.
func (c *Comparison) Undecided() bool {
	if c.Interrupted {
		return true
	}
	for i := range c.Trials {
		for j := range c.Trials[i].Cells {
			if c.Trials[i].Cells[j].Verdict == checker.Incomplete {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.Premises, func(w Without) bool { return w.Trial.Why != "" })
}
