//go:build !js

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/checker/chance"
	"bullyproof/checker/class"
	"bullyproof/checker/expression"
	"bullyproof/checker/simulate"
	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
	"bullyproof/model"
	"bullyproof/trace"
)

// A chanceCommand is the command chance with its flags.
type chanceCommand struct {
	app *app
	look
	until, curve, drn string
	within            bound
	walks             count
	fairness          choice
	fractions, draw   bool
	limits
	json bool
}

// A bound is a flag that takes a number and what it counts: 10ticks.
type bound struct {
	most int
	unit string
}

var boundForm = regexp.MustCompile(`^([1-9][0-9]{0,5}) ?([a-z]*)$`)

func (f *bound) String() string {
	if f.most == 0 {
		return ""
	}
	return strconv.Itoa(f.most) + f.unit
}

func (f *bound) Type() string { return "BOUND" }

func (f *bound) Set(s string) error {
	m := boundForm.FindStringSubmatch(s)
	if m == nil {
		return errors.New("want a number from 1 to 999999 and what it counts, like 10ticks or 20steps")
	}
	f.most, _ = strconv.Atoi(m[1])
	f.unit = m[2]
	return nil
}

func (c *chanceCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "chance ALGO[/VARIANT]",
		Short: "say how likely an election comes to its end, and what it costs on average",
		Long: "Chance explores an algorithm whose processes toss coins (net.Toss, and choices with weights) until it has\n" +
			"settled, and computes how likely that is, and how many messages, ticks and steps it takes on average: for\n" +
			"the schedulers for which that is least and most. A scheduler chooses which message arrives and who crashes;\n" +
			"it sees everything that was tossed, and is fair. Nothing is sampled. Where runs do not go round through\n" +
			"too many states the numbers are exact fractions, elsewhere they are right to six digits.\n\n" +
			"The setting is the one that the variant's source assumes (see list). Flags change it. --until says where a\n" +
			"run has come to its end, as an expression (help expressions).\n\n" +
			"Exit status: 0 the chances are known, 3 incomplete, 2 bad usage or input.",
		Example:           c.app.examples("chance itairodeh", "chance itairodeh/fokkink-pang -n 4 --within 40steps", "chance ALGO --until 'leaders == 1' --json"),
		Args:              wantArgs(1, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	c.fairness = choice{"weak", []string{"weak", "none"}}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.until, "until", "", "the end of a run: the first states in which `EXPR` is true; otherwise those that are settled")
	flags.Var(&c.within, "within", "also the probability within so many steps, ticks or epochs, like 10ticks, and within less")
	flags.StringVar(&c.curve, "curve", "", "draw the probability over that bound as SVG into `FILE`")
	flags.BoolVar(&c.fractions, "exact", false, "compute exact fractions however long that takes, for up to 100,000 states that runs go round through")
	flags.Var(&c.fairness, "fairness", "what a scheduler owes; none: it may pass anybody over for good")
	flags.Var(&c.walks, "walks", "also the averages of so many random walks, like 10k, beside the computed ones, with 95 % confidence")
	flags.BoolVar(&c.draw, "trace", false, "draw the most likely run that does not come to its end, for the scheduler that is worst")
	flags.StringVar(&c.drn, "drn", "", "write the decision process into `FILE`, for the model checker Storm")
	c.addBounds(flags)
	c.addQuiet(flags)
	flags.BoolVar(&c.json, "json", false, "write the report as JSON, which help json describes")
	c.look.add(flags)
	addSettingFlags(flags)
	return cmd
}

// run computes the chances of one subject.
func (c *chanceCommand) run(cmd *cobra.Command, name string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	in, err := settingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	if c.walks > 0 && c.until != "" {
		return fmt.Errorf("flag --walks is %d with --until %q: walks go on until all has settled (want one of the two)", c.walks, nearest.Clip(c.until))
	}
	if c.curve != "" && c.within.most == 0 {
		return fmt.Errorf("flag --curve is %q, and no bound is given: want --within, too", c.curve)
	}
	sys, err := s.build(in)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	opt, err := c.options(sys, s)
	if err != nil {
		return err
	}
	p := c.app.progress()
	opt.Progress, opt.ProgressEvery = c.report(c.app, p)
	c.app.searching.Store(true)
	r, err := chance.Of(cmd.Context(), sys, opt)
	p.end()
	if err == nil && r.Why == "" && c.walks > 0 {
		err = c.walk(cmd.Context(), sys, r)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return c.tell(cmd, r)
}

// walk puts the averages of random walks beside the computed ones.
func (c *chanceCommand) walk(ctx context.Context, sys *model.System, r *chance.Report) error {
	w, err := simulate.Run(ctx, sys, simulate.Options{
		Algorithm: r.Algorithm, Variant: r.Variant, Properties: []*checker.Property{}, Walks: uint64(c.walks), MaxSteps: trace.MaxSteps,
		Workers: int(c.workers.number), MaxTime: time.Duration(c.maxTime),
	})
	if err != nil {
		return err
	}
	if w.Unsettled > 0 || w.Stopped != "" {
		return fmt.Errorf("%d of %d walks were not settled after %d steps: want no --walks, or an election that ends", w.Unsettled, w.Walks, w.MaxSteps)
	}
	note := func(unit string, s *simulate.Sample) {
		if s.Len() > 0 {
			mean, deviation := s.Mean()
			r.Estimate(unit, s.Len(), mean, deviation)
		}
	}
	e := &w.Elections
	note("messages", &e.Messages)
	for i := range e.Kinds {
		note(e.Kinds[i].Kind, &e.Kinds[i].Sample)
	}
	note("steps", &e.Steps)
	note("ticks", &e.Ticks)
	return nil
}

// options returns what the flags ask of a system.
func (c *chanceCommand) options(sys *model.System, s *subject) (chance.Options, error) {
	opt := chance.Options{
		Algorithm: s.algorithm, Variant: s.variant, Within: c.within.most, Unit: c.within.unit, Workers: int(c.workers.number),
		MaxStates: uint64(c.maxStates), MaxBytes: int64(c.maxBytes), MaxTime: time.Duration(c.maxTime),
	}
	if c.fractions {
		opt.ExactStates = 100_000
	}
	if c.fairness.value == "none" {
		opt.Fairness = &class.NoFairness
	}
	if c.until == "" {
		return opt, nil
	}
	x, err := expression.Condition(sys, c.until)
	if err != nil {
		return opt, fmt.Errorf("flag --until is %q: %w", nearest.Clip(c.until), err)
	}
	opt.GoalText, opt.Blind = c.until, x.Blind()
	opt.Goal = func(v *model.View) bool {
		is, err := x.Is(v)
		return err == nil && is
	}
	return opt, nil
}

// tell writes the report, and the files that were asked for.
func (c *chanceCommand) tell(cmd *cobra.Command, r *chance.Report) error {
	if c.json {
		if err := c.app.writeJSON(r, savedJSON{Run: c.app.runJSON()}); err != nil {
			return err
		}
	} else if err := r.WriteText(c.app.out, c.text(c.app)); err != nil {
		return err
	}
	if r.Why != "" {
		return exit(statusIncomplete)
	}
	if !c.json && c.until == "" && r.Reached.Most.Low == 0 {
		fmt.Fprint(c.app.out, "\n  Nothing settles for sure here: timers or messages go on without end. Say what\n  the end is, like --until 'leaders == 1'.\n")
	}
	if c.draw && !c.json {
		if err := c.drawFailure(cmd, r); err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name  string
		write func(w io.Writer) error
	}{{c.curve, r.WriteSVG}, {c.drn, r.WriteDRN}} {
		if f.name == "" {
			continue
		}
		if err := wholefile.Fill(f.name, f.write); err != nil {
			return err
		}
	}
	return nil
}

// drawFailure draws a run that does not come to its end.
func (c *chanceCommand) drawFailure(cmd *cobra.Command, r *chance.Report) error {
	run, err := r.Failure(cmd.Context())
	if errors.Is(err, chance.ErrNoRun) {
		fmt.Fprintf(c.app.out, "\n  No run: %v.\n", err)
		return nil
	}
	if err != nil {
		return err
	}
	return c.draws(c.app, fmt.Sprintf("The most likely run that does not, with probability %.6g:", run.Odds), run.Trace, run.Run)
}
