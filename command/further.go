//go:build !js

package command

import (
	"context"
	"fmt"
	"io"

	"bullyproof/checker"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// A furtherRuns is what --runs found beside the run of one property.
type furtherRuns struct {
	Property string       `json:"property"`
	Runs     []furtherRun `json:"runs"`
	// All says that no more differ.
	All bool `json:"all"`
	// Why says why none was looked for; empty if some were.
	Why string `json:"why,omitempty"`

	first *checker.Finding // from which they differ
	found []checker.Finding
}

// A furtherRun is one of them.
type furtherRun struct {
	Steps       int          `json:"steps"`
	FirstFault  string       `json:"first_fault,omitempty"`
	Explanation string       `json:"explanation,omitempty"`
	Trace       *trace.Trace `json:"trace"`
}

// further looks for further runs to each violation, and to each state that was looked for.
func (c *checkCommand) further(ctx context.Context, sys *model.System, opt checker.Options, r *checker.Report) (all []furtherRuns, err error) {
	if c.runs <= 1 {
		return nil, nil
	}
	opt.Properties, opt.Tallies, opt.Progress = nil, nil, nil
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Run == nil || f.Property == checker.Misuse {
			continue
		}
		one := furtherRuns{Property: f.Property.Label(), Runs: []furtherRun{}, first: f}
		if f.Property.Temporal() || !f.Property.OfStates() {
			one.Why = "only runs to a state can differ"
			all = append(all, one)
			continue
		}
		if one.found, one.All, err = checker.Further(ctx, sys, opt, f, int(c.runs)-1); err != nil {
			return nil, err
		}
		for i := range one.found {
			g := &one.found[i]
			one.Runs = append(one.Runs, furtherRun{len(g.Trace.Steps), g.FirstFault(), g.Explanation, g.Trace})
		}
		all = append(all, one)
	}
	return all, nil
}

// tellFurther writes further runs.
func (c *checkCommand) tellFurther(all []furtherRuns) error {
	for i := range all {
		a := &all[i]
		text := fmt.Sprintf("\nRuns of %s:\n  1. %s\n", a.Property, runLine(a.first))
		for k := range a.found {
			text += fmt.Sprintf("  %d. %s\n", k+2, runLine(&a.found[k]))
		}
		switch {
		case a.Why != "":
			text += "  No others were looked for: " + a.Why + ".\n"
		case a.All:
			text += "  No more runs differ in their first fault, or in who is concerned.\n"
		case len(a.Runs) < int(c.runs)-1:
			text += "  There may be more: the search for them did not see all.\n"
		}
		if _, err := io.WriteString(c.app.out, text); err != nil {
			return err
		}
		for k := range a.found {
			if c.brief {
				break
			}
			if _, err := io.WriteString(c.app.out, "\n"); err != nil {
				return err
			}
			if err := a.found[k].WriteText(c.app.out, c.text(c.app)); err != nil {
				return err
			}
		}
	}
	return nil
}

// runLine says what one of several runs is.
func runLine(f *checker.Finding) string {
	text := quantity.Plural(len(f.Trace.Steps), "step")
	if fault := f.FirstFault(); fault != "" {
		text += "; first fault: " + fault
	}
	if f.Explanation != "" {
		text += "; " + f.Explanation
	}
	return text
}
