package command

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/model"
	"bullyproof/setting"
	"bullyproof/simulate"
)

// huntFlags are the flags of check that are of hunting.
type huntFlags struct {
	on    bool
	steps count
	seed  seed
}

// add declares the flags.
func (h *huntFlags) add(flags *pflag.FlagSet) {
	h.steps = simulate.DefaultHunt
	flags.BoolVar(&h.on, "hunt", false, "look for violations where there are too many states to visit all; nothing is shown to hold")
	flags.Var(&h.steps, "steps", "with --hunt: end after this many steps, like 20M")
	flags.Var(&h.seed, "seed", "with --hunt: seed of the schedules")
}

// hunting are the flags of check that a hunt takes, beside those of the setting.
var hunting = []string{
	"setting", "hunt", "steps", "seed", "property", "max-depth", "workers", "max-time", "quiet", "brief", "json", "save", "junit",
	"github", "color", "ascii", "width",
}

// fit returns an error where flags were given that do not go together.
func (h *huntFlags) fit(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		of := slices.ContainsFunc(settingFlags, func(s setting.Word) bool { return s.Key == f.Name })
		switch {
		case err != nil:
		case h.on && !of && !slices.Contains(hunting, f.Name):
			err = fmt.Errorf("flag --%s is for a search that sees all states: leave it out, or --hunt", f.Name)
		case !h.on && (f.Name == "steps" || f.Name == "seed"):
			err = fmt.Errorf("flag --%s is for a hunt: add --hunt, or leave it out", f.Name)
		}
	})
	return err
}

// hunt looks for what breaks the properties of one subject.
func (a *app) hunt(cmd *cobra.Command, s *subject, f *checkFlags) error {
	in, err := walkSettingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	opt := simulate.HuntOptions{
		Algorithm: s.algorithm, Variant: s.variant, Seed: uint64(f.hunt.seed), Steps: uint64(f.hunt.steps), MaxSteps: int(f.maxDepth),
		Workers: int(f.workers.number), MaxTime: time.Duration(f.maxTime),
	}
	if opt.Properties, err = s.asked(f.properties, in); err != nil {
		return err
	}
	if err := canSave(f.save); err != nil {
		return err
	}
	if err := canWrite(f.junit); err != nil {
		return err
	}
	r, err := walking(a, s, in, "schedules", f.quiet, func(sys *model.System, progress walksFunc) (*simulate.HuntReport, error) {
		opt.Progress = progress
		return simulate.Hunt(cmd.Context(), sys, opt)
	})
	if err != nil {
		return err
	}
	return a.tellHunt(r, f)
}

// tellHunt writes the report, then the runs, and what can be done with them.
func (a *app) tellHunt(r *simulate.HuntReport, f *checkFlags) error {
	checked := r.Checked()
	saved, failed := save(checked, f.save)
	if f.json {
		if err := a.writeJSON(r, savedJSON{a.runJSON(), saved, text(failed)}); err != nil {
			return err
		}
	} else if err := a.tellHunted(r, f, saved); err != nil {
		return err
	}
	if failed != nil {
		a.complain("cannot save: %s", oneLine(failed.Error()))
	}
	if err := a.reportCI(checked, f, saved); err != nil {
		a.complain("cannot report: %s", oneLine(err.Error()))
	}
	// What was not found decides nothing, so that there is no status for all is well.
	return exit(statusOf(checked))
}

// tellHunted writes the report for people.
func (a *app) tellHunted(r *simulate.HuntReport, f *checkFlags, saved []string) error {
	if err := r.WriteText(a.out); err != nil {
		return err
	}
	return a.tellRuns(r, f.text(a), f.brief, saved)
}
