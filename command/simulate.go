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

// simulateFlags are the flags of simulate except for those of the setting.
type simulateFlags struct {
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

func (a *app) simulateCommand() *cobra.Command {
	var f simulateFlags
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
		Example: a.examples("simulate ALGO -n 16", "simulate ALGO/VARIANT -n 5 --pct 3 --walks 100k --seed 7",
			"simulate ALGO --seed 7 --walk 1234 --save found", "simulate ALGO -n 64 --svg costs.svg"),
		Args:              wantArgs(1, 1, "one "+a.subjects()),
		ValidArgsFunction: a.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.simulate(cmd, args[0], &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.add(flags)
	addSettingFlags(flags)
	flags.Lookup("n").Usage = "number of processes, 2 to 64"
	return cmd
}

// add declares the flags of simulate except for those of the setting.
func (f *simulateFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.properties, "property", nil, "watch for this property only (`NAME`); may be repeated")
	f.walks, f.steps = simulate.DefaultWalks, simulate.DefaultSteps
	flags.Var(&f.walks, "walks", "how many walks to make, like 100k; 0 is 10000")
	flags.Var(&f.steps, "steps", "end a walk after this many steps, like 2k; 0 is 1000")
	flags.Var(&f.seed, "seed", "seed of the walks")
	flags.Var(&f.walk, "walk", "repeat only the walk with this number")
	flags.Var(&f.pct, "pct", "walk by priorities that change one time fewer than this (from 2 to 5 is best); 0 walks at random")
	flags.Var(&f.workers, "workers", "goroutines; 0 is one per processor")
	flags.Var(&f.maxTime, "max-time", "end after this time, like 90s; 0 is no limit")
	flags.BoolVar(&f.brief, "brief", false, "draw no runs")
	flags.BoolVar(&f.json, "json", false, "write the report as JSON, which help json describes")
	flags.StringVar(&f.svg, "svg", "", "draw the histograms of elections as a picture in `FILE`")
	flags.StringVar(&f.save, "save", "", "save each run as JSON and as text in `DIR`, replacing no file")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "report no progress")
	f.look.add(flags)
}

// simulate walks through one subject.
func (a *app) simulate(cmd *cobra.Command, name string, f *simulateFlags) error {
	s, err := a.findSubject(name)
	if err != nil {
		return err
	}
	in, err := walkSettingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	opt, err := f.options(s, in, cmd.Flags().Changed("walk"))
	if err != nil {
		return err
	}
	if err := errors.Join(canSave(f.save), canWrite("svg", f.svg)); err != nil {
		return err
	}
	r, err := walking(a, s, in, "walks", f.quiet, func(sys *model.System, progress walksFunc) (*simulate.Report, error) {
		opt.Progress = progress
		return simulate.Run(cmd.Context(), sys, opt)
	})
	if err != nil {
		return err
	}
	return a.tellSimulation(r, f)
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
func (f *simulateFlags) options(s *subject, in setting.Setting, alone bool) (simulate.Options, error) {
	opt := simulate.Options{
		Algorithm: s.algorithm, Variant: s.variant, Seed: uint64(f.seed), Walks: uint64(f.walks), MaxSteps: int(f.steps),
		Depth: int(f.pct), Workers: int(f.workers.number), MaxTime: time.Duration(f.maxTime),
	}
	if alone {
		opt.First, opt.Walks = uint64(f.walk), 1
	}
	var err error
	opt.Properties, err = s.asked(f.properties, in)
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

// tellSimulation writes the report, then the runs, and what can be done with them.
func (a *app) tellSimulation(r *simulate.Report, f *simulateFlags) error {
	findings := &checker.Report{}
	for _, found := range r.Findings {
		findings.Findings = append(findings.Findings, found.Finding)
	}
	saved, failed := save(findings, f.save)
	if f.svg != "" && failed == nil {
		failed = wholefile.Fill(f.svg, r.WriteSVG)
	}
	if f.json {
		if err := a.writeJSON(r, savedJSON{a.runJSON(), saved, text(failed)}); err != nil {
			return err
		}
	} else if err := a.tellWalks(r, f, saved); err != nil {
		return err
	}
	if failed != nil {
		a.complain("cannot save: %s", oneLine(failed.Error()))
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

// tellWalks writes the report for people.
func (a *app) tellWalks(r *simulate.Report, f *simulateFlags, saved []string) error {
	if err := r.WriteText(a.out, f.text(a).Width); err != nil {
		return err
	}
	return a.tellRuns(r, f.text(a), f.brief, saved)
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
