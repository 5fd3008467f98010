//go:build !js

package command

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/internal/wholefile"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// A simulateCommand is the command simulate with its flags.
type simulateCommand struct {
	app *app
	look
	properties []string
	walks      count
	steps      count
	seed       seed
	walk       seed
	pct        number
	workers    workers
	maxTime    span
	brief      bool
	json       bool
	quiet      bool
	svg        string
	save       string
}

// A seed is a flag that takes any number of 64 bits.
type seed uint64

func (s *seed) String() string { return strconv.FormatUint(uint64(*s), 10) }
func (s *seed) Type() string   { return "number" }

func (s *seed) Set(text string) error {
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a whole number of 0 or more, below 2^64")
	}
	*s = seed(v)
	return nil
}

func (c *simulateCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate ALGO[/VARIANT]",
		Short: "walk through the runs of an algorithm at random, with up to 64 processes",
		Long: "Simulate makes random walks, or walks by changing priorities (PCT), through the runs of an algorithm that\n" +
			"has too many for check. It shrinks a run that breaks a property, draws it, and says how many messages\n" +
			"elections send and how long they take. It does not judge properties of whole runs; it reports how many\n" +
			"walks were not settled in time.\n\n" +
			"A property that no walk breaks may still break: simulate never shows that one holds. The walks depend on\n" +
			"the seed, on their number and on the setting, and not on the number of workers.\n\n" +
			"Exit status: 0 all walks were made and broke nothing, 1 a property is violated, 3 it ended early and\n" +
			"nothing was broken by then, 2 bad usage or input.",
		Example: c.app.examples("simulate ALGO -n 16", "simulate ALGO/VARIANT -n 5 --pct 3 --walks 100k --seed 7",
			"simulate ALGO --seed 7 --walk 1234 --save found", "simulate ALGO -n 64 --svg costs.svg"),
		Args:              wantArgs(1, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.add(flags)
	addSettingFlags(flags)
	flags.Lookup("n").Usage = "number of processes, 2 to 64"
	return cmd
}

// add declares the flags of simulate except for those of the setting.
func (c *simulateCommand) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&c.properties, "property", nil, "watch for these properties only (`NAME`, or several with commas)")
	c.walks, c.steps = simulate.DefaultWalks, simulate.DefaultSteps
	flags.Var(&c.walks, "walks", "how many walks to make, like 100k; 0 is 10000")
	flags.Var(&c.steps, "steps", "end a walk after this many steps, like 2k; 0 is 1000")
	flags.Var(&c.seed, "seed", "seed of the walks")
	flags.Var(&c.walk, "walk", "repeat only the walk with this number")
	flags.Var(&c.pct, "pct", "walk by priorities that change one time fewer than this (from 2 to 5 is best); 0 walks at random")
	flags.Var(&c.workers, "workers", "goroutines; 0 is one per processor")
	flags.Var(&c.maxTime, "max-time", "end after this time, like 90s; 0 is no limit")
	flags.BoolVar(&c.brief, "brief", false, "draw no runs")
	flags.BoolVar(&c.json, "json", false, "write the report as JSON, which help json describes")
	flags.StringVar(&c.svg, "svg", "", "draw the histograms of elections as a picture in `FILE`")
	flags.StringVar(&c.save, "save", "", "save each run as JSON and as text in `DIR`, replacing no file")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "report no progress")
	c.look.add(flags)
}

// run walks through one subject.
func (c *simulateCommand) run(cmd *cobra.Command, name string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	in, err := walkSettingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	opt, err := c.options(s, in, cmd.Flags().Changed("walk"))
	if err != nil {
		return err
	}
	if err := errors.Join(canSave(c.save), canWrite("svg", c.svg)); err != nil {
		return err
	}
	r, err := walking(c.app, s, in, "walks", c.quiet, func(sys *model.System, progress walksFunc) (*simulate.Report, error) {
		opt.Progress = progress
		return simulate.Run(cmd.Context(), sys, opt)
	})
	if err != nil {
		return err
	}
	return c.tell(r)
}

// A walksFunc is told how far walks are.
type walksFunc = func(walks, steps uint64, elapsed time.Duration)

// walking has run walk through the system that a subject is in a setting, and tells
// how far it is; what is what the walks are called.
func walking[R any](
	a *app, s *subject, in setting.Setting, what string, quiet bool, run func(sys *model.System, progress walksFunc) (R, error),
) (r R, err error) {
	sys, err := s.build(in)
	if err == nil {
		p := a.progress()
		a.searching.Store(true)
		r, err = run(sys, a.walksProgress(p, what, quiet))
		p.end()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", s.name(), err)
	}
	return r, err
}

// options returns what the flags ask for.
func (c *simulateCommand) options(s *subject, in setting.Setting, alone bool) (simulate.Options, error) {
	opt := simulate.Options{
		Algorithm: s.algorithm, Variant: s.variant, Seed: uint64(c.seed), Walks: uint64(c.walks), MaxSteps: int(c.steps),
		Depth: int(c.pct), Workers: int(c.workers.number), MaxTime: time.Duration(c.maxTime),
	}
	if alone {
		opt.First, opt.Walks = uint64(c.walk), 1
	}
	var err error
	opt.Properties, err = s.asked(c.properties, in)
	return opt, err
}

// walksProgress returns what tells how far walks are, or what else they are called,
// in lines that come as often as those of a search.
func (a *app) walksProgress(p *progress, what string, quiet bool) walksFunc {
	if quiet {
		return nil
	}
	due := a.pace()
	return func(walks, steps uint64, elapsed time.Duration) {
		if due(elapsed) {
			p.write(elapsed, func(columns int) string { return walksLine(what, walks, steps, elapsed, columns) })
		}
	}
}

// tell writes the report, then the runs, and what can be done with them.
func (c *simulateCommand) tell(r *simulate.Report) error {
	findings := &checker.Report{}
	for _, found := range r.Findings {
		findings.Findings = append(findings.Findings, found.Finding)
	}
	saved, failed := save(findings, c.save)
	if c.svg != "" && failed == nil {
		failed = wholefile.Fill(c.svg, r.WriteSVG)
	}
	if c.json {
		if err := c.app.writeJSON(r, savedJSON{Run: c.app.runJSON(), Saved: saved, SaveError: text(failed)}); err != nil {
			return err
		}
	} else if err := c.tellText(r, saved); err != nil {
		return err
	}
	if failed != nil {
		c.app.complain("cannot save: %s", oneLine(failed.Error()))
	}
	switch {
	case r.Violated():
		return exit(statusBad)
	case failed != nil:
		return exit(statusUsage)
	case r.Stopped != "":
		return exit(statusIncomplete)
	}
	return nil
}

// tellText writes the report for people.
func (c *simulateCommand) tellText(r *simulate.Report, saved []string) error {
	if err := r.WriteText(c.app.out, c.text(c.app).Width); err != nil {
		return err
	}
	return c.app.tellRuns(r, c.text(c.app), c.brief, saved)
}

// tellRuns draws the runs of a report for people, and says which were saved.
func (a *app) tellRuns(r interface {
	WriteTraces(w io.Writer, opt render.TextOptions) error
}, opt render.TextOptions, brief bool, saved []string) error {
	if !brief {
		if err := r.WriteTraces(a.out, opt); err != nil {
			return err
		}
	}
	if len(saved) > 0 {
		fmt.Fprintln(a.out)
		a.tellSaved(saved)
	}
	return nil
}
