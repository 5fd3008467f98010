//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/checker/induction"
	"bullyproof/checker/relation"
	"bullyproof/internal/quantity"
	"bullyproof/internal/wholefile"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A proveCommand is the command prove with its flags.
type proveCommand struct {
	app              *app
	solver, export   choice
	literals, things number
	out              string
	maxBytes         size
	json, quiet      bool
}

func (c *proveCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "prove ALGO[/VARIANT]",
		Short: "prove properties of an algorithm for every number of processes",
		Long: "Prove reads relations.txt of an algorithm: its states as relations over processes, and its steps. First it\n" +
			"compares them with the protocol, step by step and both ways, in all states of small instances. From these\n" +
			"states it takes short sentences that are true in all of them, and asks a solver, z3 or cvc5, which of them\n" +
			"every step keeps, for any number of processes. With these a property is proved, or else a step is drawn that\n" +
			"a proof does not get past: no run needs to lead there.\n\n" +
			"A solver has to be installed: apt install z3, or pip install z3-solver. Without one the proofs that are kept\n" +
			"can be written as SMT-LIB with --out. A mutant, like ALGO/MUTANT, is compared with the description of the\n" +
			"algorithm.\n\n" +
			"Exit status: 0 all properties are proved, 1 one is violated or the protocol is not as described, 2 bad usage\n" +
			"or input, 3 one is not proved.",
		Example:           c.app.examples("prove changroberts", "prove changroberts --out obligations", "prove changroberts --export ivy"),
		Args:              wantArgs(1, 1, "one algorithm"),
		ValidArgsFunction: c.complete,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0]) },
	}
	c.solver = choice{"any", slices.Concat([]string{"any"}, induction.SolverNames(), []string{"none"})}
	c.export = choice{"none", slices.Concat([]string{"none"}, induction.Languages)}
	c.literals, c.things = 3, 4
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&c.solver, "solver", "the solver that is asked; none: compare the protocol with its description alone")
	flags.Var(&c.literals, "literals", "try sentences of up to so many literals, 1 to 4")
	flags.Var(&c.things, "things", "about up to so many processes and other things, 1 to 5")
	flags.Var(&c.maxBytes, "max-bytes", "end when the states of an instance take this much memory, like 2GiB, undecided; 0 is what the machine has left")
	flags.StringVar(&c.out, "out", "", "write what the solver has to decide of each proof into `DIR`, as SMT-LIB")
	flags.Var(&c.export, "export", "write the description and the proofs that are kept in the language of another tool, and end")
	flags.BoolVar(&c.json, "json", false, "write JSON, which help json describes")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "report no progress")
	return cmd
}

// described names the algorithms that have relations.
func (c *proveCommand) described() (names []string) {
	for _, of := range c.app.Algorithms {
		if of.Relations != nil {
			names = append(names, of.Name)
		}
	}
	return names
}

// complete offers the algorithms that are described to a shell.
func (c *proveCommand) complete(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return c.described(), cobra.ShellCompDirectiveNoFileComp
}

func (c *proveCommand) run(ctx context.Context, name string) error {
	switch {
	case c.literals < 1 || c.literals > 4:
		return fmt.Errorf("flag --literals %d: want 1 to 4", c.literals)
	case c.things < 1 || c.things > 5:
		return fmt.Errorf("flag --things %d: want 1 to 5", c.things)
	}
	of, m, err := c.model(name)
	if err != nil {
		return err
	}
	proofs, err := of.Proofs()
	if err != nil {
		return err
	}
	kept, err := induction.ReadProofs(m.Description, proofs)
	if err != nil {
		return fmt.Errorf("%s/proofs.txt: %w", of.Name, err)
	}
	if c.export.value != "none" {
		text, err := induction.Export(m.Description, of.Name, kept, c.export.value)
		if err == nil {
			fmt.Fprint(c.app.out, text)
		}
		return err
	}
	solver, err := c.installed(ctx)
	if err != nil {
		return err
	}
	if err := canSave(c.out); err != nil {
		return err
	}
	r, err := c.decide(ctx, m, solver)
	var apart *relation.Disagreement
	var limit *relation.LimitError
	switch {
	case errors.As(err, &apart):
		return c.tellApart(name, apart)
	case errors.As(err, &limit):
		c.app.complain("nothing is decided: " + limit.Error())
		return exit(statusIncomplete)
	case ctx.Err() != nil:
		c.app.complain("interrupted: nothing is decided")
		return exit(statusIncomplete)
	case err != nil:
		return err
	}
	if err := c.save(m.Description, r, kept); err != nil {
		return err
	}
	if c.json {
		if err := c.app.writeJSON(proveReport(name, m, r), savedJSON{Run: c.app.runJSON()}); err != nil {
			return err
		}
		return exit(c.status(r))
	}
	c.tell(name, m, r)
	return exit(c.status(r))
}

// model returns the description of an algorithm, with the protocol of the variant or mutant.
func (c *proveCommand) model(name string) (*ledger.Algorithm, *relation.Model, error) {
	s, err := c.app.findSubject(name)
	if err != nil {
		return nil, nil, err
	}
	m, err := ledger.Described(s.of)
	if errors.Is(err, ledger.ErrNoRelations) {
		return nil, nil, fmt.Errorf("%w; %s have one", err, strings.Join(c.described(), ", "))
	}
	if err == nil && strings.Contains(name, "/") {
		m.Systems = []func(setting.Setting) (*model.System, error){s.build}
	}
	return s.of, m, err
}

// installed returns the solver to ask, nil if none is installed and none is named.
func (c *proveCommand) installed(ctx context.Context) (*induction.Solver, error) {
	if c.solver.value == "none" {
		return nil, nil
	}
	for _, s := range induction.Solvers(ctx) {
		if c.solver.value == "any" || c.solver.value == s.Name {
			return &s, nil
		}
	}
	if c.solver.value != "any" {
		return nil, fmt.Errorf("flag --solver %[1]s: no %[1]s is installed", c.solver.value)
	}
	return nil, nil
}

func (c *proveCommand) decide(ctx context.Context, m *relation.Model, solver *induction.Solver) (*induction.Report, error) {
	p := c.app.progress()
	opt := induction.Options{Solver: solver, Sizes: induction.Sizes{Literals: int(c.literals), Things: int(c.things)}}
	if due := c.app.pace(); !c.quiet {
		opt.Progress = func(doing string, took time.Duration) {
			if due(took) {
				p.write(took, func(columns int) string { return fitted(columns, clock(took)+" ", doing) })
			}
		}
	}
	m.MaxBytes = int64(c.maxBytes)
	c.app.searching.Store(true)
	r, err := induction.Decide(ctx, m, opt)
	p.end()
	return r, err
}

func (c *proveCommand) status(r *induction.Report) int {
	status := statusFine
	for _, a := range r.Answers {
		switch {
		case a.Verdict == induction.Violated:
			return statusBad
		case a.Verdict == induction.Holds:
			status = statusIncomplete
		}
	}
	return status
}

// tellApart says where a protocol is not as it is described.
func (c *proveCommand) tellApart(name string, d *relation.Disagreement) error {
	if c.json {
		if err := c.app.writeJSON(apartReport(name, d), savedJSON{Run: c.app.runJSON()}); err != nil {
			return err
		}
		return exit(statusBad)
	}
	w := c.app.out
	fmt.Fprintf(w, "%s is not as relations.txt says, in %s:\n", name, d.Setting)
	for i, action := range d.Run {
		fmt.Fprintf(w, "%5d  %s\n", i+1, action)
	}
	fmt.Fprintf(w, "  before: %s\n", d.Before)
	if d.Step != "" {
		fmt.Fprintf(w, "  step %s can happen now, and no transition of the protocol is it\n", d.Step)
	} else {
		fmt.Fprintf(w, "  action: %s\n  after:  %s\n  No step does that.\n", d.Action, d.After)
	}
	return exit(statusBad)
}

// reachText says what becomes of a step that a proof does not get past.
var reachText = map[induction.Reach]string{
	induction.Reached:   "Runs of these instances come to such a state. No sentence about so few processes bars the step.",
	induction.Unreached: "No run of these instances comes to such a state. Longer sentences (--literals, --things) or a lemma may bar it.",
	induction.Beyond:    "These instances have fewer processes than that, and do not say whether runs come to such a state.",
}

func (c *proveCommand) tell(name string, m *relation.Model, r *induction.Report) {
	w := c.app.out
	fmt.Fprintf(w, "%s is as relations.txt says in %s and %s:\n", name, quantity.Plural(r.States, "state"), quantity.Plural(r.Transitions, "transition"))
	for _, s := range m.Settings {
		fmt.Fprintf(w, "  %s\n", s)
	}
	if r.Result != nil {
		fmt.Fprintf(w, "%d of %s are true for every number of processes: %s %s, %s\n", r.Result.Kept, quantity.Plural(r.Result.Tried, "sentence"),
			r.Solver.Name, r.Solver.Version, quantity.Count(r.Result.Queries)+" queries")
	}
	for _, a := range r.Answers {
		fmt.Fprintln(w)
		switch a.Verdict {
		case induction.Proved:
			fmt.Fprintf(w, "%s: proved for every N\n", a.Property.Name)
			for i := range a.Proof.Sentences {
				fmt.Fprintf(w, "    %s\n", m.Text(&a.Proof.Sentences[i]))
			}
		case induction.Violated:
			fmt.Fprintf(w, "%s: violated, in a state of %s\n", a.Property.Name, a.State)
		case induction.Holds:
			fmt.Fprintf(w, "%s: holds in these instances, not proved\n", a.Property.Name)
			if a.Open != nil {
				fmt.Fprintf(w, "  a step that no sentence bars breaks\n  %s\n", a.Open.Text())
				if text := reachText[a.Open.Reached]; text != "" {
					fmt.Fprintf(w, "  %s\n", text)
				}
			}
		}
	}
	if r.Solver == nil && c.solver.value != "none" {
		c.app.complain("nothing is proved, since neither z3 nor cvc5 is installed: apt install z3, or pip install z3-solver")
	}
}

// save writes the obligations of the proofs that were found, or without a solver of those
// that are kept.
func (c *proveCommand) save(d *relation.Description, r *induction.Report, kept []induction.Proof) error {
	if c.out == "" {
		return nil
	}
	if r.Result != nil {
		kept = r.Result.Proofs
	}
	if err := os.MkdirAll(c.out, 0o777); err != nil {
		return err
	}
	for i := range kept {
		for _, o := range induction.Obligations(d, &kept[i]) {
			if err := wholefile.Write(filepath.Join(c.out, o.Name+".smt2"), []byte(o.Whole())); err != nil {
				return err
			}
		}
	}
	return nil
}
