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

// A messagesCommand is the command messages with its flags.
type messagesCommand struct {
	app *app
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

func (c *messagesCommand) command() *cobra.Command {
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
		Example:           c.app.examples("messages ALGO --detect 1", "messages ALGO/VARIANT -n 4 --trace worst", "messages ALGO -n 4 --json"),
		Args:              wantArgs(1, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	c.add(flags)
	addSettingFlags(flags)
	flags.Lookup("n").Usage = "number of processes, 2 to 16; 5 unless --setting says otherwise"
	return cmd
}

// add declares the flags of messages except for those of the setting.
func (c *messagesCommand) add(flags *pflag.FlagSet) {
	flags.Var(&c.detect, "detect", "only these processes begin elections; all is the default")
	c.draw = choice{"none", []string{"none", "best", "worst", "both", "endless", "stuck"}}
	flags.Var(&c.draw, "trace", "draw a run: the cheapest, the dearest, one that never ends, or one that gets stuck")
	c.measure = choice{"messages", []string{"messages", "live", "operations", "ticks", "turnaround"}}
	flags.Var(&c.measure, "by", "the cost that is least or most in such a run: live is messages to processes that are up")
	flags.StringVar(&c.save, "save", "", "save the runs as JSON in `DIR`, replacing no file")
	c.limits.add(flags)
	flags.BoolVar(&c.json, "json", false, "write the report as JSON, which help json describes")
	c.look.add(flags)
}

// run computes the costs of one subject.
func (c *messagesCommand) run(cmd *cobra.Command, name string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	setting, err := c.setting(cmd.Flags(), s)
	if err != nil {
		return err
	}
	if c.save != "" && c.draw.value == "none" {
		return fmt.Errorf("flag --save is %q, and no run is asked for: want --trace best, worst, both, endless or stuck, too", c.save)
	}
	if err := canSave(c.save); err != nil {
		return err
	}
	p := c.app.progress()
	opt := c.options(s)
	opt.Progress, opt.ProgressEvery = c.report(c.app, p)
	c.app.searching.Store(true)
	report, err := cost.OfElection(cmd.Context(), s.build, setting, s.figures, opt)
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return c.tell(report)
}

// setting returns the setting in which to count.
func (c *messagesCommand) setting(flags *pflag.FlagSet, s *subject) (setting.Setting, error) {
	usual := cost.Setting(s.setting)
	usual.N = 5
	in, err := settingOf(flags, usual)
	if err != nil || !c.detect.given {
		return in, err
	}
	if flags.Changed("detectors") || flags.Changed("initiators") {
		return in, fmt.Errorf("flag --detect says the same as --detectors and --initiators: want one of them")
	}
	if most := c.detect.set.Max(); int(most) > in.N {
		return in, fmt.Errorf("flag --detect is %q: there is no process %v among %d", &c.detect, most, in.N)
	}
	if c.detect.set != 0 {
		in = cost.BegunBy(in, c.detect.set)
	}
	return in, in.Validate()
}

func (c *messagesCommand) options(s *subject) cost.Options {
	return cost.Options{
		Algorithm: s.algorithm, Variant: s.variant, Workers: int(c.workers.number), Exact: c.exact,
		MaxStates: uint64(c.maxStates), MaxBytes: int64(c.maxBytes), MaxTime: time.Duration(c.maxTime),
	}
}

// tell writes the report and the runs that were asked for.
func (c *messagesCommand) tell(r *cost.Report) error {
	var runs []witness
	var failed error
	if r.Why == "" {
		runs, failed = c.witnesses(r)
	}
	if c.json {
		return c.tellJSON(r, runs, failed)
	}
	if err := r.WriteText(c.app.out, c.text(c.app)); err != nil {
		return err
	}
	if r.Why != "" {
		return exit(statusIncomplete)
	}
	if failed != nil {
		return failed
	}
	for i := range runs {
		if err := c.tellRun(&runs[i]); err != nil {
			return err
		}
	}
	return nil
}

// tellJSON writes the report for programs. Runs are in the files that it
// names.
func (c *messagesCommand) tellJSON(r *cost.Report, runs []witness, failed error) error {
	if failed != nil {
		return failed
	}
	more := savedJSON{Run: c.app.runJSON()}
	var err error
	for i := range runs {
		if c.save == "" {
			break
		}
		var name string
		if name, err = runs[i].Trace.SaveAs(c.save, runs[i].name); err != nil {
			c.app.complain("cannot save: %s", oneLine(err.Error()))
			break
		}
		more.Saved = append(more.Saved, name)
	}
	more.SaveError = text(err)
	if err := c.app.writeJSON(r, more); err != nil {
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
func (c *messagesCommand) witnesses(r *cost.Report) (runs []witness, err error) {
	m, ok := map[string]cost.Measure{
		"live": {Live: true}, "operations": {Unit: cost.Operations}, "ticks": {Unit: cost.Ticks}, "turnaround": {Unit: cost.Ticks},
	}[c.measure.value]
	if ok && c.measure.value == "turnaround" {
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
	if c.draw.value == "best" || c.draw.value == "both" {
		w, failed := r.Run(m, cost.BestCase)
		add("best-"+c.measure.value, w, failed)
	}
	if c.draw.value == "worst" || c.draw.value == "both" {
		w, failed := r.Run(m, cost.WorstCase)
		add("worst-"+c.measure.value, w, failed)
	}
	if c.draw.value == "endless" {
		w, failed := r.EndlessRun()
		add("endless", w, failed)
	}
	if c.draw.value == "stuck" {
		w, failed := r.StuckRun()
		add("stuck", w, failed)
	}
	return runs, err
}

// tellRun draws a run, and saves it if that is asked for.
func (c *messagesCommand) tellRun(w *witness) error {
	l, err := trace.Lay(w.Trace, w.Run.Run)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.app.out)
	if err := render.Text(c.app.out, l, c.text(c.app)); err != nil || c.save == "" {
		return err
	}
	name, err := w.Trace.SaveAs(c.save, w.name)
	if err != nil {
		c.app.complain("cannot save: %s", oneLine(err.Error()))
		return exit(statusUsage)
	}
	fmt.Fprintf(c.app.out, "\nSaved %s\n", name)
	return nil
}
