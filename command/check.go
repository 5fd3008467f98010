//go:build !js

package command

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullyproof/checker"
	"bullyproof/checker/simulate"
	"bullyproof/explore"
	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// A checkCommand is the command check with its flags.
type checkCommand struct {
	app *app
	look
	properties []string
	expressions
	sweeps []string
	runs   number
	limits
	maxGraph   count
	maxDepth   number
	disk       string
	resume     string
	checkpoint span
	engine     engineName
	order      choice
	explain    bool
	exhaustive bool
	values     bool
	failFast   bool
	reduce     reductions
	reporting
	hunt huntFlags
}

// reporting are the flags that say how a check is reported, and where.
type reporting struct {
	brief   bool
	verbose bool
	json    bool
	save    string
	junit   string
	github  bool
}

func (c *checkCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check ALGO[/VARIANT]",
		Short: "explore an algorithm and say what holds and what breaks",
		Long: "Check explores every state of an algorithm in a setting, which says what the world may do to it. It\n" +
			"decides all properties in one search and draws a shortest run to each violation. It checks the standard\n" +
			"properties and the algorithm's own (list ALGO shows them), unless --property names some.\n\n" +
			"Liveness is judged under weak fairness: a step that stays enabled happens sooner or later. The properties\n" +
			"e2-unfair and e2-strong (--property) judge it without fairness and under strong fairness.\n\n" +
			"The setting is the one that the variant's source assumes (see list), as changed by flags. A mutant is\n" +
			"checked like a variant: ALGO/MUTANT.\n\n" +
			"With --hunt it visits only some runs, of up to 64 processes: random schedules, schedules by priorities,\n" +
			"and schedules that deviate from a default more and more often. A property that breaks is really violated,\n" +
			"and its run is shrunk. A property that does not break is not shown to hold; the check is incomplete.\n" +
			"--max-depth limits the length of a schedule.\n\n" +
			"For continuous integration, --junit writes JUnit XML, which most servers read: a case for each property,\n" +
			"which fails where the property is violated and is skipped where it is undecided or vacuous. --github\n" +
			"writes workflow commands to the error stream, which point to the runs that --save keeps, and a summary to\n" +
			"the file that GITHUB_STEP_SUMMARY names. Only the flag turns this on; the environment alone changes\n" +
			"nothing.\n\n" +
			"After 200,000 states a check decides what it can on a reduced system, if that has far fewer, liveness too\n" +
			"where no run goes on without end; the report says so. --reduce none visits all states, as do --exhaustive,\n" +
			"--exact, --max-depth, --disk and --order dfs: say one of them to compare numbers of states with other tools.\n" +
			"--reduce auto begins with the reduced system.\n\n" +
			"With --disk a search that does not fit in memory continues in files. It writes a checkpoint every five\n" +
			"minutes, and when Ctrl-C or a limit ends it; --resume continues from the checkpoint.\n\n" +
			"The command of the module spark also has --engine spark: what does not fit in memory is then searched on\n" +
			"Apache Spark (docs/cluster.md).\n\n" +
			"--explain searches nothing, and says which search would decide what, and what cannot be reduced, and why.\n\n" +
			"Exit status: 0 all holds, 1 a property is violated, 3 incomplete or vacuous, 2 bad usage or input.",
		Example: c.app.examples("check ALGO", "check ALGO/VARIANT -n 4 --crashes 0 --restarts 0",
			"check ALGO --property PROPERTY --save found", "check ALGO -n 5 --max-time 1m --json",
			"check ALGO -n 16 --hunt --steps 2M --seed 7"),
		Args:              wantArgs(1, 1, "one "+c.app.subjects()),
		ValidArgsFunction: c.app.completeSubjects,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addSettingFlags(flags)
	c.add(flags, c.app.Engines)
	return cmd
}

// add declares the flags of check except for those of the setting.
func (c *checkCommand) add(flags *pflag.FlagSet, engines []Engine) {
	flags.StringSliceVar(&c.properties, "property", nil, "check these properties only (`NAME`, or several with commas)")
	c.expressions.add(flags)
	flags.Var(&c.runs, "runs", "show up to so many runs to each violation, which differ in their first fault, its process, or who violates the property")
	flags.StringArrayVar(&c.sweeps, "sweep", nil, "check each setting in which a number goes from one value to another, like `crashes=0..2`, and say where verdicts turn; twice for a table of rows and columns")
	c.order = choice{"bfs", []string{"bfs", "dfs"}}
	flags.Var(&c.order, "order", "breadth first, with shortest runs, or depth first, with less memory")
	flags.BoolVar(&c.explain, "explain", false, "search nothing: say which search would decide which property, on what system, in which order and within which limits")
	flags.BoolVar(&c.failFast, "fail-fast", false, "end at the first violation, and leave the other properties undecided")
	flags.BoolVar(&c.values, "values", false, "say how many values each field, timer and link takes; slower")
	flags.BoolVar(&c.exhaustive, "exhaustive", false, "visit every state even when every property is decided")
	c.reduce = largeReductions
	flags.Var(&c.reduce, "reduce", "auto: decide properties on a reduced system, with fewer states, where that is known to be sound; large: only where states are many; none; or some, with commas between, of "+strings.Join(checker.ReduceAuto.Names(), ", "))
	c.limits.add(flags)

	flags.Var(&c.maxGraph, "max-graph-states", "keep the graph, on which liveness is judged, of at most this many states; 0 is as many as half of the memory takes")
	flags.Var(&c.maxDepth, "max-depth", "follow each run for at most this many steps; 0 is no limit")
	flags.StringVar(&c.disk, "disk", "", "when memory is full, continue in files in `DIR`, and keep checkpoints there; files of these names without a checkpoint are removed")
	flags.StringVar(&c.resume, "resume", "", "continue from the checkpoint that an earlier check left in `DIR`")
	flags.Var(&c.checkpoint, "checkpoint-every", "time between checkpoints, like 30s; 0 is five minutes")
	c.engine.add(flags, engines)
	flags.BoolVar(&c.brief, "brief", false, "draw no runs")
	flags.BoolVarP(&c.verbose, "verbose", "v", false, "also say which optional methods the protocol has")
	flags.BoolVar(&c.json, "json", false, "write the report as JSON, which help json describes")
	flags.StringVar(&c.save, "save", "", "save each run as JSON and as text in `DIR`, replacing no file")
	flags.StringVar(&c.junit, "junit", "", "also write the verdicts to `FILE` as JUnit XML, replacing it")
	flags.BoolVar(&c.github, "github", false, "also annotate a job of GitHub Actions, and write its summary")
	c.hunt.add(flags)
	c.look.add(flags)
}

// run explores one subject.
func (c *checkCommand) run(cmd *cobra.Command, name string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	if err := c.hunt.fit(cmd.Flags()); err != nil {
		return err
	}
	if c.hunt.on {
		return c.runHunt(cmd, s)
	}
	if len(c.sweeps) > 0 {
		return c.runSweep(cmd.Context(), cmd.Flags(), s)
	}
	setting, err := settingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	opt, err := c.options(s, setting)
	if err != nil {
		return err
	}
	release, err := c.beginEngine(cmd.Context(), s, setting, &opt)
	if err != nil {
		return err
	}
	defer release()
	if c.explain {
		return c.tellPlan(s, setting, opt)
	}
	if err := canSave(c.save); err != nil {
		return err
	}
	if err := canWrite("junit", c.junit); err != nil {
		return err
	}
	sys, err := s.build(setting)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	p := c.app.progress()
	opt.Progress, opt.ProgressEvery = c.report(c.app, p)
	c.app.searching.Store(true)
	report, err := checker.Check(cmd.Context(), sys, opt)
	p.end()
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	if err := c.undefined(report); err != nil {
		return err
	}
	more, err := c.further(cmd.Context(), sys, opt, report)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	return c.tell(report, s.setting, more)
}

// tellPlan says what a check would do.
func (c *checkCommand) tellPlan(s *subject, in setting.Setting, opt checker.Options) error {
	for _, other := range []struct {
		name  string
		given bool
	}{{"json", c.json}, {"save", c.save != ""}, {"junit", c.junit != ""}, {"github", c.github}} {
		if other.given {
			return fmt.Errorf("flag --%s is about what a search finds, and --explain makes none: leave one of them out", other.name)
		}
	}
	sys, err := s.build(in)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	plan, err := checker.PlanOf(sys, opt)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	_, err = io.WriteString(c.app.out, plan.Text(c.text(c.app).Width))
	return err
}

// options returns the options of a check in a setting.
func (c *checkCommand) options(s *subject, in setting.Setting) (checker.Options, error) {
	opt := checker.Options{
		Algorithm: s.algorithm, Variant: s.variant,
		Order: orders[c.order.value], Workers: int(c.workers.number), Exact: c.exact, Exhaustive: c.exhaustive, Values: c.values, FailFast: c.failFast,
		MaxStates: uint64(c.maxStates), MaxGraphStates: uint64(c.maxGraph), MaxDepth: int(c.maxDepth), MaxBytes: int64(c.maxBytes), MaxTime: time.Duration(c.maxTime),
	}
	if err := c.onDisk(&opt); err != nil {
		return opt, err
	}
	opt.Reduce, opt.ReduceBeyond = c.reduce.Reductions, c.reduce.beyond
	var err error
	opt.Properties, err = s.asked(c.properties, in)
	if err != nil || !c.given() {
		return opt, err
	}
	named, err := s.properties(c.properties)
	if err != nil {
		return opt, err
	}
	return opt, c.into(&opt, s, in, named)
}

// onDisk adds the options of a check on disk.
func (c *checkCommand) onDisk(opt *checker.Options) error {
	opt.Disk = explore.Disk{Dir: cmp.Or(c.resume, c.disk), Resume: c.resume != "", Every: time.Duration(c.checkpoint)}
	switch {
	case c.disk != "" && c.resume != "" && c.disk != c.resume:
		return fmt.Errorf("flags --disk %q and --resume %q: a check goes on in the directory of its checkpoint; --resume alone is enough", c.disk, c.resume)
	case c.given() && (c.resume != "" || c.engine.value != local):
		return fmt.Errorf("expressions (--always, --sometimes, --count) are of this command alone: leave out --resume and --engine")
	case opt.Disk.Dir == "" && c.checkpoint != 0:
		return fmt.Errorf("flag --checkpoint-every needs --disk or --resume, the directory for checkpoints")
	case opt.Disk.Dir != "" && c.order.value == "dfs":
		return fmt.Errorf("flag --order is dfs: a check on disk is breadth first (bfs)")
	case opt.Disk.Dir != "" && c.exact:
		return fmt.Errorf("flag --exact keeps whole states in memory: a check on disk compares fingerprints")
	}
	return nil
}

// tell writes the report, then the runs, and then what can be done with them.
func (c *checkCommand) tell(r *checker.Report, usual setting.Setting, further []furtherRuns) error {
	var saved []string
	var err error
	if c.json {
		saved, err = c.saveAll(r, further)
		more := savedJSON{c.app.runJSON(), saved, text(err), further}
		if err := c.app.writeJSON(r, more); err != nil {
			return err
		}
	} else {
		if err := c.tellText(r); err != nil {
			return err
		}
		if err := c.tellFurther(further); err != nil {
			return err
		}
		// The findings have been told by now, whatever happens to the files.
		saved, err = c.saveAll(r, further)
		if err != nil && c.brief {
			_ = r.WriteTraces(c.app.out, c.text(c.app)) // an error is noted where it is written
		}
		c.tellNext(r, saved, usual)
	}
	if err != nil {
		c.app.complain("cannot save: %s", oneLine(err.Error()))
	}
	if e := c.reportCI(r, saved); e != nil {
		c.app.complain("cannot report: %s", oneLine(e.Error()))
		err = cmp.Or(err, e)
	}
	switch code := statusOf(r); {
	case err != nil && code == statusFine:
		return exit(statusUsage)
	default:
		return exit(code)
	}
}

// savedJSON is what check and messages add to the JSON of a report.
type savedJSON struct {
	Run       runJSON  `json:"run"`
	Saved     []string `json:"saved,omitempty"`      // names of the trace files
	SaveError string   `json:"save_error,omitempty"` // why there are not more
	// Further are the runs that --runs found beside those of the properties.
	Further []furtherRuns `json:"further,omitempty"`
}

// text returns the text of an error, "" for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return oneLine(err.Error())
}

func (c *checkCommand) tellText(r *checker.Report) error {
	if err := r.WriteText(c.app.out, c.text(c.app)); err != nil {
		return err
	}
	if c.verbose {
		if err := r.WriteMethods(c.app.out, c.text(c.app)); err != nil {
			return err
		}
	}
	l := &lister{width: min(c.app.width, 100)}
	l.own(r)
	if _, err := fmt.Fprint(c.app.out, l.b.String()); err != nil {
		return err
	}
	if c.brief {
		return nil
	}
	return r.WriteTraces(c.app.out, c.text(c.app))
}

// statusOf returns the exit status of a report.
func statusOf(r *checker.Report) int {
	switch r.Verdict() {
	case checker.Violated:
		return statusBad
	case checker.Incomplete, checker.Vacuous:
		return statusIncomplete
	}
	return statusFine
}

// tellNext says where runs were saved, or how to save them.
func (c *checkCommand) tellNext(r *checker.Report, saved []string, usual setting.Setting) {
	traces := 0
	for i := range r.Findings {
		if r.Findings[i].Trace != nil {
			traces++
		}
	}
	switch {
	case traces == 0:
	case c.save == "":
		fmt.Fprintf(c.app.out, "\nStep through runs:  %s\n", c.calls("explore", r, usual))
		fmt.Fprintf(c.app.out, "Keep these runs:    %s --save DIR\n", c.again(r, usual))
	default:
		fmt.Fprintln(c.app.out)
		c.app.tellSaved(saved)
	}
}

// tellSaved says which runs were saved, and how to replay them.
func (a *app) tellSaved(names []string) {
	for _, name := range names {
		fmt.Fprintf(a.out, "Saved %s\n", name)
	}
	if len(names) > 0 {
		fmt.Fprintf(a.out, "Replay them:  %s replay %s\n", a.program, quoted(names...))
	}
}

// again returns the command that checks the same once more.
func (c *checkCommand) again(r *checker.Report, usual setting.Setting) string {
	words := []string{c.calls("check", r, usual)}
	for _, name := range c.properties {
		words = append(words, "--property", name)
	}
	for _, flag := range []struct {
		name  string
		given []string
	}{{"--always", c.always}, {"--sometimes", c.sometimes}, {"--count", c.count}} {
		for _, text := range flag.given {
			words = append(words, flag.name, quoted(text))
		}
	}
	if r.Reduction != nil && c.reduce != largeReductions {
		words = append(words, "--reduce", c.reduce.String())
	}
	return strings.Join(words, " ")
}

// calls returns a call of a command for the subject and the setting of a report.
func (c *checkCommand) calls(command string, r *checker.Report, usual setting.Setting) string {
	words := []string{c.app.program, command, r.Subject()}
	if !r.Setting.Equal(usual) {
		words = append(words, "--setting", quoted(r.Setting.String()))
	}
	return strings.Join(words, " ")
}

// quoted returns words as a shell takes them.
func quoted(words ...string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w
		if w == "" || strings.ContainsFunc(w, func(r rune) bool { return !strings.ContainsRune(plainRunes, r) }) {
			out[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(out, " ")
}

// plainRunes mean nothing to a shell.
const plainRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+@"

// canSave checks, before a search that may take long, that files can be made in a
// directory, or the directory itself. It leaves nothing behind.
func canSave(dir string) error { return canMake("save", dir) }

// canMake is canSave for the flag of a name.
func canMake(flag, dir string) error {
	if err := canHold(dir); err != nil {
		return fmt.Errorf("flag --%s is %q: %w", flag, nearest.Clip(dir), err)
	}
	return nil
}

// canHold checks that files can be made in a directory, which may have to be made itself.
func canHold(dir string) error {
	for name := dir; name != ""; {
		info, err := os.Stat(name)
		switch {
		case err == nil && info.IsDir():
			return wholefile.Writable(name)
		case err == nil:
			return fmt.Errorf("%s is not a directory", nearest.Clip(name))
		case errors.Is(err, fs.ErrNotExist):
			if _, err := os.Lstat(name); err == nil {
				return fmt.Errorf("%s is a link that leads nowhere", nearest.Clip(name))
			}
		case !errors.Is(err, syscall.ENOTDIR):
			return errors.Unwrap(err) // without the name, which may be the matter
		}
		parent := filepath.Dir(name)
		if parent == name {
			return nil
		}
		name = parent
	}
	return nil
}

// save saves each run of a report as JSON and as text. It returns the names of
// the JSON files, those before an error too.
func save(r *checker.Report, dir string) (names []string, err error) {
	if dir == "" {
		return nil, nil
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Trace == nil {
			continue
		}
		name, err := f.Trace.Save(dir)
		if err != nil {
			return names, err
		}
		names = append(names, name)
		if err := saveText(f, strings.TrimSuffix(name, ".json")+".txt"); err != nil {
			return names, err
		}
	}
	return names, nil
}

// saveAll saves each run of a report, and the further ones.
func (c *checkCommand) saveAll(r *checker.Report, further []furtherRuns) (names []string, err error) {
	names, err = save(r, c.save)
	for i := range further {
		if err != nil {
			return names, err
		}
		var more []string
		more, err = save(&checker.Report{Findings: further[i].found}, c.save)
		names = append(names, more...)
	}
	return names, err
}

// saveText saves the diagram of a run. It belongs to the trace file of its name:
// one that is there is replaced, if it is another or was cut off.
func saveText(f *checker.Finding, name string) error {
	var b bytes.Buffer
	if err := f.WriteText(&b, render.TextOptions{}); err != nil {
		return err
	}
	if wholefile.Holds(name, b.Bytes()) {
		return nil
	}
	return wholefile.Write(name, b.Bytes())
}

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

// runHunt looks for what breaks the properties of one subject.
func (c *checkCommand) runHunt(cmd *cobra.Command, s *subject) error {
	in, err := walkSettingOf(cmd.Flags(), s.setting)
	if err != nil {
		return err
	}
	opt := simulate.HuntOptions{
		Algorithm: s.algorithm, Variant: s.variant, Seed: uint64(c.hunt.seed), Steps: uint64(c.hunt.steps), MaxSteps: int(c.maxDepth),
		Workers: int(c.workers.number), MaxTime: time.Duration(c.maxTime),
	}
	if opt.Properties, err = s.asked(c.properties, in); err != nil {
		return err
	}
	if err := canSave(c.save); err != nil {
		return err
	}
	if err := canWrite("junit", c.junit); err != nil {
		return err
	}
	r, err := walking(c.app, s, in, "schedules", c.quiet, func(sys *model.System, progress walksFunc) (*simulate.HuntReport, error) {
		opt.Progress = progress
		return simulate.Hunt(cmd.Context(), sys, opt)
	})
	if err != nil {
		return err
	}
	return c.tellHunt(r)
}

// tellHunt writes the report, then the runs, and what can be done with them.
func (c *checkCommand) tellHunt(r *simulate.HuntReport) error {
	checked := r.Checked()
	saved, failed := save(checked, c.save)
	if c.json {
		if err := c.app.writeJSON(r, savedJSON{Run: c.app.runJSON(), Saved: saved, SaveError: text(failed)}); err != nil {
			return err
		}
	} else if err := c.tellHunted(r, saved); err != nil {
		return err
	}
	if failed != nil {
		c.app.complain("cannot save: %s", oneLine(failed.Error()))
	}
	if err := c.reportCI(checked, saved); err != nil {
		c.app.complain("cannot report: %s", oneLine(err.Error()))
	}
	// A search without findings decides nothing, so that there is no status for all is well.
	return exit(statusOf(checked))
}

// tellHunted writes the report for people.
func (c *checkCommand) tellHunted(r *simulate.HuntReport, saved []string) error {
	if err := r.WriteText(c.app.out); err != nil {
		return err
	}
	return c.app.tellRuns(r, c.text(c.app), c.brief, saved)
}
