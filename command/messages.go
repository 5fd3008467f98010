//go:build !js

package command

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker/cost"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// messagesFlags are the flags of messages.
type messagesFlags struct {
	look
	detect  ids
	draw    choice
	measure choice
	save    string
	limits
	json bool
}

// ids is a flag that takes processes: 1,3.
type ids struct {
	set   model.Set
	given bool
}

func (f *ids) String() string {
	if !f.given {
		return ""
	}
	return f.set.String()
}

func (f *ids) Type() string { return "ID,..." }

func (f *ids) Set(s string) error {
	f.set, f.given = 0, true
	if s == "all" {
		return nil
	}
	for _, word := range strings.Split(s, ",") {
		id, err := strconv.ParseUint(word, 10, 8)
		if err != nil || id < 1 || id > uint64(model.MaxID) {
			return fmt.Errorf("want all, or ids from 1 to %d like 1,3", model.MaxID)
		}
		f.set = f.set.With(model.ID(id))
	}
	return nil
}

func (a *app) messagesCommand() *cobra.Command {
	var f messagesFlags
	cmd := &cobra.Command{
		Use:   "messages ALGO[/VARIANT]",
		Short: "say what an election costs: messages and time, best, worst and on average",
		Long: "Messages explores every state of an algorithm and computes what its elections cost until they have\n" +
			"settled. It shows what publications say beside that. Costs are exact: nothing is sampled.\n\n" +
			"The setting is the one that the variant's source assumes (see list), with five processes and without\n" +
			"faults; where it starts settled, the coordinator has just crashed. Flags change it. With --detect only\n" +
			"those processes begin elections: only they detect the crash, or start at a cold start.\n\n" +
			"mean is the average over the initial states (the arrangements of a ring) with equal weight. random run is\n" +
			"the average over runs in which all possible next steps are equally likely and no fault happens.\n\n" +
			"Exit status: 0 the costs are known, 3 incomplete, 2 bad usage or input.",
		Example:           a.examples("messages ALGO --detect 1", "messages ALGO/VARIANT -n 4 --trace worst", "messages ALGO -n 4 --json"),
		Args:              wantArgs(1, 1, "one "+a.subjects()),
		ValidArgsFunction: a.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.messages(cmd, args[0], &f) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.add(flags)
	addSettingFlags(flags)
	flags.Lookup("n").Usage = "number of processes, 2 to 16; 5 unless --setting says otherwise"
	return cmd
}

// add declares the flags of messages except for those of the setting.
func (f *messagesFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.detect, "detect", "only these processes begin elections; all is the default")
	f.draw = choice{"none", []string{"none", "best", "worst", "both", "endless", "stuck"}}
	flags.Var(&f.draw, "trace", "draw a run: the cheapest, the dearest, one that never ends, or one that gets stuck")
	f.measure = choice{"messages", []string{"messages", "live", "operations", "ticks", "turnaround"}}
	flags.Var(&f.measure, "by", "the cost that is least or most in such a run: live is messages to processes that are up")
	flags.StringVar(&f.save, "save", "", "save the runs as JSON in `DIR`, replacing no file")
	f.limits.add(flags)
	flags.BoolVar(&f.json, "json", false, "write the report as JSON, which help json describes")
	f.look.add(flags)
}

// messages computes the costs of one subject.
func (a *app) messages(cmd *cobra.Command, name string, f *messagesFlags) error {
	s, err := a.findSubject(name)
	if err != nil {
		return err
	}
	setting, err := f.setting(cmd.Flags(), s)
	if err != nil {
		return err
	}
	if f.save != "" && f.draw.value == "none" {
		return fmt.Errorf("flag --save is %q, and no run is asked for: want --trace best, worst, both, endless or stuck, too", f.save)
	}
	if err := canSave(f.save); err != nil {
		return err
	}
	p := a.progress()
	opt := f.options(s)
	opt.Progress, opt.ProgressEvery = f.report(a, p)
	a.searching.Store(true)
	report, err := cost.OfElection(cmd.Context(), s.build, setting, s.figures, opt)
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return a.tellCosts(report, f)
}

// setting returns the setting in which to count.
func (f *messagesFlags) setting(flags *pflag.FlagSet, s *subject) (setting.Setting, error) {
	usual := cost.Setting(s.setting)
	usual.N = 5
	in, err := settingOf(flags, usual)
	if err != nil || !f.detect.given {
		return in, err
	}
	if flags.Changed("detectors") || flags.Changed("initiators") {
		return in, fmt.Errorf("flag --detect says the same as --detectors and --initiators: want one of them")
	}
	if most := f.detect.set.Max(); int(most) > in.N {
		return in, fmt.Errorf("flag --detect is %q: there is no process %v among %d", &f.detect, most, in.N)
	}
	if f.detect.set != 0 {
		in = cost.BegunBy(in, f.detect.set)
	}
	return in, in.Validate()
}

func (f *messagesFlags) options(s *subject) cost.Options {
	return cost.Options{
		Algorithm: s.algorithm, Variant: s.variant, Workers: int(f.workers.number), Exact: f.exact,
		MaxStates: uint64(f.maxStates), MaxBytes: int64(f.maxBytes), MaxTime: time.Duration(f.maxTime),
	}
}

// tellCosts writes the report and the runs that were asked for.
func (a *app) tellCosts(r *cost.Report, f *messagesFlags) error {
	var runs []witness
	var failed error
	if r.Why == "" {
		runs, failed = f.witnesses(r)
	}
	if f.json {
		return a.tellCostsJSON(r, runs, failed, f)
	}
	if err := r.WriteText(a.out, f.text(a)); err != nil {
		return err
	}
	if r.Why != "" {
		return exit(statusIncomplete)
	}
	if failed != nil {
		return failed
	}
	for i := range runs {
		if err := a.tellRun(&runs[i], f); err != nil {
			return err
		}
	}
	return nil
}

// tellCostsJSON writes the report for programs. Runs are in the files that it
// names.
func (a *app) tellCostsJSON(r *cost.Report, runs []witness, failed error, f *messagesFlags) error {
	if failed != nil {
		return failed
	}
	more := savedJSON{Run: a.runJSON()}
	var err error
	for i := range runs {
		if f.save == "" {
			break
		}
		var name string
		if name, err = runs[i].Trace.SaveAs(f.save, runs[i].name); err != nil {
			a.complain("cannot save: %s", oneLine(err.Error()))
			break
		}
		more.Saved = append(more.Saved, name)
	}
	more.SaveError = text(err)
	if err := a.writeJSON(r, more); err != nil {
		return err
	}
	switch {
	case r.Why != "":
		return exit(statusIncomplete)
	case err != nil:
		return exit(statusUsage)
	}
	return nil
}

// A witness is a run that costs the least or the most, or has no end of costs,
// and the name of its file.
type witness struct {
	*cost.Run
	name string
}

// witnesses returns the runs that the flags ask for.
func (f *messagesFlags) witnesses(r *cost.Report) (runs []witness, err error) {
	m, ok := map[string]cost.Measure{
		"live": {Live: true}, "operations": {Unit: cost.Operations}, "ticks": {Unit: cost.Ticks}, "turnaround": {Unit: cost.Ticks},
	}[f.measure.value]
	if ok && f.measure.value == "turnaround" {
		r = r.Lockstep
	}
	add := func(which string, w *cost.Run, failed error) {
		if failed != nil {
			err = cmp.Or(err, failed)
			return
		}
		base := strings.TrimSuffix(w.Trace.FileName(), "run.json")
		runs = append(runs, witness{w, base + which + ".json"})
	}
	if f.draw.value == "best" || f.draw.value == "both" {
		w, failed := r.Run(m, cost.BestCase)
		add("best-"+f.measure.value, w, failed)
	}
	if f.draw.value == "worst" || f.draw.value == "both" {
		w, failed := r.Run(m, cost.WorstCase)
		add("worst-"+f.measure.value, w, failed)
	}
	if f.draw.value == "endless" {
		w, failed := r.EndlessRun()
		add("endless", w, failed)
	}
	if f.draw.value == "stuck" {
		w, failed := r.StuckRun()
		add("stuck", w, failed)
	}
	return runs, err
}

// tellRun draws a run, and saves it if that is asked for.
func (a *app) tellRun(w *witness, f *messagesFlags) error {
	l, err := trace.Lay(w.Trace, w.Run.Run)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	if err := render.Text(a.out, l, f.text(a)); err != nil || f.save == "" {
		return err
	}
	name, err := w.Trace.SaveAs(f.save, w.name)
	if err != nil {
		a.complain("cannot save: %s", oneLine(err.Error()))
		return exit(statusUsage)
	}
	fmt.Fprintf(a.out, "\nSaved %s\n", name)
	return nil
}
