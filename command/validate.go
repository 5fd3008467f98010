//go:build !js

package command

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

// A validateCommand is the command validate with its flags.
type validateCommand struct {
	app *app
	look
	logLines
	setting  string
	hidden   []string
	silent   bool
	maxBytes size
	last     number
	file     string
	json     bool
	quiet    bool
}

func (c *validateCommand) command() *cobra.Command {
	c.last = 15
	cmd := &cobra.Command{
		Use:   "validate ALGO[/VARIANT] LOG...",
		Short: "say whether a run of the model shows the log of a running system",
		Long: "Validate reads the log of a running system, in the form that docs/event-log.md describes, and looks for a\n" +
			"run of the algorithm that shows it. A log may be one file or many, for instance one for each process; - is\n" +
			"the input. Only the order of each process's own lines counts: clocks are ignored. Crashes need no line.\n\n" +
			"If there is no such run, it names the first line that cannot come next, says what can, and draws the last\n" +
			"steps of the run that comes farthest.\n\n" +
			"The setting is asynchronous, with as many processes, crashes, restarts, joins and suspicions as the log\n" +
			"shows; topology, channels and detector are those of the variant. FIFO channels lose messages before later\n" +
			"ones, as connections do that break; losses=0 forbids that. Other losses, cuts and pauses are left out, since\n" +
			"no log can tell them from late messages. Words of --setting replace these. A bound on states (terms, say) is\n" +
			"one of searches: a log may lead beyond it, unless --hidden or --silent have steps searched that no line tells.\n\n" +
			"With --log-format the logs are those of another program, which tell little: any steps may come between their\n" +
			"lines, which happen in the order of their times as far as --slack says.\n\n" +
			"Exit status: 0 there is such a run, 1 there is none, 3 none was found, and not everything was tried, 2 bad\n" +
			"usage or input.",
		Example:           c.app.examples("validate ALGO node1.ndjson node2.ndjson", "validate ALGO cluster.ndjson --setting n=5 -o run.json"),
		Args:              wantArgs(2, -1, "one "+c.app.subjects()+" and LOG, or several"),
		ValidArgsFunction: c.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.run(cmd.Context(), args[0], args[1:])
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&word{kind: "TEXT"}, "setting", "words of the setting in place of those that the log gives: \"n=5 restarts=2\"")
	c.logLines.add(flags)
	flags.StringSliceVar(&c.hidden, "hidden", nil, "`KINDS` of events that may happen without a line: start, receive, expire, suspect, crash, restart")
	flags.BoolVar(&c.silent, "silent", false, "processes without any line may run as well")
	flags.Var(&c.maxBytes, "max-bytes", "memory that the search may take")
	flags.Var(&c.last, "last", "draw this many steps of the run that comes farthest; 0 draws none")
	flags.StringVarP(&c.file, "output", "o", "", "write the run of an accepted log to this `file`, a trace")
	flags.BoolVar(&c.json, "json", false, "write the result as JSON, which help json describes")
	flags.BoolVarP(&c.quiet, "quiet", "q", false, "report no progress")
	c.look.add(flags)
	cmd.PreRun = func(*cobra.Command, []string) { c.setting = flags.Lookup("setting").Value.String() }
	return cmd
}

// complete offers subjects to a shell, and then files.
func (c *validateCommand) complete(cmd *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return c.app.completeSubjects(cmd, args, to)
}

// hiddenKinds are the kinds of actions that --hidden names.
var hiddenKinds = []struct {
	name  string
	kinds []model.ActionKind
}{
	{"start", []model.ActionKind{model.Starts}},
	{"receive", []model.ActionKind{model.Delivers}},
	{"expire", []model.ActionKind{model.Expires}},
	{"suspect", []model.ActionKind{model.Suspects, model.Misreports}},
	{"crash", model.CrashKinds()},
	{"restart", []model.ActionKind{model.Restarts}},
}

func (c *validateCommand) options() (validate.Options, error) {
	o := validate.Options{Silent: c.silent, MaxBytes: int64(c.maxBytes)}
	if c.reading != nil {
		o.Silent, o.Ordered, o.Slack = true, true, time.Duration(c.slack)
	}
	if c.reading != nil && len(c.hidden) == 0 { // no line tells what runs a handler
		o.Hidden = []model.ActionKind{model.Starts, model.Delivers, model.Expires, model.Suspects, model.Misreports}
		o.Complete = c.format.Complete
		return o, nil
	}
	var names []string
	for _, k := range hiddenKinds {
		names = append(names, k.name)
	}
next:
	for _, name := range c.hidden {
		for _, k := range hiddenKinds {
			if k.name == name {
				o.Hidden = append(o.Hidden, k.kinds...)
				continue next
			}
		}
		return o, nearest.Unknown("kind of event", name, names)
	}
	return o, nil
}

// validated is what validate writes for programs.
type validated struct {
	Schema    int           `json:"schema"`
	Algorithm string        `json:"algorithm"`
	Variant   string        `json:"variant"`
	Setting   string        `json:"setting"`
	Verdict   string        `json:"verdict"`
	Why       string        `json:"why,omitempty"`
	Lines     int           `json:"lines"`
	Told      int           `json:"told"`
	Hidden    int           `json:"hidden"`
	Aside     int           `json:"aside,omitempty"`
	Beyond    string        `json:"beyond,omitempty"`
	Torn      []string      `json:"torn,omitempty"`
	Read      []string      `json:"read,omitempty"`
	FirstTerm uint64        `json:"first_term,omitempty"`
	Refusals  []refusalJSON `json:"refusals,omitempty"`
	Run       runJSON       `json:"run"`
}

type refusalJSON struct {
	Place   string   `json:"place"`
	Text    string   `json:"text"`
	Why     string   `json:"why"`
	Process int      `json:"process"`
	Allowed []string `json:"allowed"`
	Waits   bool     `json:"waits"`
}

// run validates the log of some files.
func (c *validateCommand) run(ctx context.Context, name string, files []string) error {
	s, err := c.app.findSubject(name)
	if err != nil {
		return err
	}
	if err := c.begin(files); err != nil {
		return err
	}
	o, err := c.options()
	if err != nil {
		return fmt.Errorf("flag --hidden: %w", err)
	}
	log, err := c.readLog(files)
	if err != nil {
		return err
	}
	setting, err := log.Setting(s.setting, c.setting)
	if err != nil {
		return err
	}
	sys, err := s.build(setting)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name(), err)
	}
	p := c.app.progress()
	o.Progress = c.report(p)
	c.app.searching.Store(true)
	r, err := validate.Run(ctx, sys, log, o)
	p.end()
	if err != nil {
		return err
	}
	h := trace.Header{Algorithm: s.algorithm, Variant: s.variant, Title: fmt.Sprintf("%d lines of an event log", r.Told)}
	if c.json {
		err = c.tellJSON(s, log, r)
	} else {
		err = c.tellText(s, log, r, h)
	}
	if err != nil {
		return err
	}
	if c.file != "" && r.Verdict == validate.Accepted {
		if err := saveValidated(r, h, c.file); err != nil {
			return err
		}
	}
	switch r.Verdict {
	case validate.Refused:
		return exit(statusBad)
	case validate.Incomplete:
		return exit(statusIncomplete)
	}
	return nil
}

// report returns what tells how far the search is, in lines that come as often as
// those of any.
func (c *validateCommand) report(p *progress) func(validate.Progress) {
	if c.quiet {
		return nil
	}
	due := c.app.pace()
	return func(s validate.Progress) {
		if due(s.Elapsed) {
			p.write(s.Elapsed, func(columns int) string { return validateLine(&s, columns) })
		}
	}
}

// readLog reads the files of a log; "-" is the input.
func (c *validateCommand) readLog(names []string) (*validate.Log, error) {
	log := validate.NewLog()
	log.Partial = c.reading != nil
	for _, name := range names {
		if err := c.readLogFile(log, name); err != nil {
			return nil, err
		}
	}
	if log.Events() == 0 {
		return nil, fmt.Errorf("%s: no event: want a line for each", strings.Join(names, ", "))
	}
	if c.reading != nil {
		log.CountFrom(c.reading.Base())
	}
	return log, nil
}

func (c *validateCommand) readLogFile(log *validate.Log, name string) error {
	if name == "-" {
		return log.Read(c.source(c.app.stdin, shownLog(name)))
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was read, not written
	return log.Read(c.source(file, name))
}

func saveValidated(r *validate.Result, h trace.Header, file string) error {
	if r.Beyond != "" {
		return fmt.Errorf("flag -o: the run goes beyond the bound of searches, %s, and a trace file holds none that does: want a shorter log", r.Beyond)
	}
	t, _, err := r.Trace(0, h)
	if err != nil {
		return err
	}
	return t.WriteFile(file)
}

func (c *validateCommand) tellJSON(s *subject, log *validate.Log, r *validate.Result) error {
	out := validated{
		Schema: jsonSchema, Algorithm: s.algorithm, Variant: s.variant, Setting: r.System.Setting().String(),
		Verdict: r.Verdict.String(), Why: r.Why, Lines: r.Lines, Told: r.Told, Hidden: r.Hidden,
		Aside: log.Aside, Beyond: r.Beyond, Torn: log.Torn, Read: c.told(), Run: c.app.runJSON(),
	}
	if c.reading != nil {
		out.FirstTerm = c.reading.Base()
	}
	for _, x := range r.Refusals {
		out.Refusals = append(out.Refusals, refusalJSON{x.Place, x.Text, x.Why, int(x.Process), append([]string{}, x.Allowed...), x.Waits})
	}
	return c.app.writeJSON(out, struct{}{})
}

func (c *validateCommand) tellText(s *subject, log *validate.Log, r *validate.Result, h trace.Header) error {
	fmt.Fprintf(c.app.out, "%s, %s\n", s.name(), r.System.Setting())
	switch hidden := hiddenText(r.Hidden); r.Verdict {
	case validate.Accepted:
		fmt.Fprintf(c.app.out, "+ accepted: a run of the model shows all %d events%s\n", r.Lines, hidden)
	case validate.Refused:
		fmt.Fprintf(c.app.out, "- refused: no run of the model shows these events; the one that comes farthest shows %d of %d%s\n", r.Told, r.Lines, hidden)
	default:
		fmt.Fprintf(c.app.out, "? incomplete: %s; the run that comes farthest shows %d of %d events%s\n", r.Why, r.Told, r.Lines, hidden)
	}
	if log.Aside > 0 {
		fmt.Fprintf(c.app.out, "  left aside: %d lines about pauses, cuts, or what others saw\n", log.Aside)
	}
	for _, name := range log.Torn {
		fmt.Fprintf(c.app.out, "  left out: the last line of %s, which has no end\n", name)
	}
	for _, line := range c.told() {
		fmt.Fprintf(c.app.out, "  %s\n", line)
	}
	if c.reading != nil && c.reading.Base() > 0 {
		fmt.Fprintf(c.app.out, "  terms count from %d, which is epoch 0 of the model\n", c.reading.Base())
	}
	if r.Beyond != "" {
		fmt.Fprintf(c.app.out, "  beyond the bound of searches: %s\n", r.Beyond)
	}
	if len(r.Refusals) == 0 {
		return nil
	}
	fmt.Fprintf(c.app.out, "\n%s\n", indented(r.Refusals[0].String()))
	for _, x := range r.Refusals[1:] {
		fmt.Fprintf(c.app.out, "  then %s: %s\n", x.Place, x.Text)
	}
	if c.last == 0 || r.Told == 0 {
		return nil
	}
	t, run, err := r.Trace(int(c.last), h)
	if err != nil {
		return err
	}
	return c.draws(c.app, lastSteps, t, run)
}

func indented(s string) string { return "  " + strings.ReplaceAll(s, "\n", "\n  ") }

func hiddenText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and has 1 step that no line tells"
	}
	return fmt.Sprintf(", and has %d steps that no line tells", n)
}
