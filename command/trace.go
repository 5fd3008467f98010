//go:build !js

package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A traceCommand is the command trace with its flags.
type traceCommand struct {
	app *app
	look
	format choice
	file   string
}

func (c *traceCommand) command() *cobra.Command {
	c.format = choice{"text", []string{"text", "steps", "svg", "animated", "html", "mermaid", "itf", "shiviz", "json"}}
	cmd := &cobra.Command{
		Use:   "trace NAME|FILE",
		Short: "draw a recorded counterexample or a trace file",
		Long: "Trace draws a run as a space-time diagram: a recorded counterexample, by its name (list --runs shows\n" +
			"them), or a file that check --save wrote. It executes the run again, and refuses one that does not do what\n" +
			"was recorded. Of a run whose algorithm this command does not know, --format steps and json show what is\n" +
			"recorded, without executing it.\n\n" +
			"Formats: text and svg are the diagram, animated is an SVG that plays the run without a script, html is a\n" +
			"page on which you step through the run, steps has a line for each step, json is the trace file itself. For\n" +
			"other tools: mermaid is a sequence diagram; itf has the states for Apalache and Quint; shiviz is a log with\n" +
			"vector clocks, whose first line is the regular expression that parses it.",
		Example: c.app.examples("trace RUN", "trace testdata/counterexamples/TestElection-uniqueness.json --format steps",
			"trace RUN --format html -o run.html"),
		Args:              wantArgs(1, 1, "one NAME of a recorded counterexample or FILE"),
		ValidArgsFunction: c.app.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args[0]) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(&c.format, "format", "form of the output")
	cmd.Flags().StringVarP(&c.file, "output", "o", "", "write to this `file`, replacing it")
	c.look.add(cmd.Flags())
	return cmd
}

// run draws a run.
func (c *traceCommand) run(name string) error {
	format := c.format.value
	t, err := c.app.open(name)
	if err != nil {
		return err
	}
	if sameFile(name, c.file) {
		return fmt.Errorf("flag --output is %q, the file that is read: want another", nearest.Path(c.file))
	}
	run, err := trace.Replay(t, c.app.lookup)
	if _, notFound := c.app.find(t.Algorithm); isUnknown(err) && notFound != nil && (format == "steps" || format == "json") {
		c.app.complain("%s is a run of %s, which is not known here: its steps are as recorded, and not executed again", nearest.Path(name), t.Algorithm)
		return c.recite(t)
	}
	if err != nil {
		return c.app.notReplayed(name, t, err)
	}
	layout, err := trace.Lay(t, run)
	if err != nil {
		return err
	}
	text := c.text(c.app)
	if c.file == "" {
		return drawAs(c.app.out, t, layout, format, text)
	}
	text.Color = c.color.value == "always"
	return wholefile.Fill(c.file, func(w io.Writer) error { return drawAs(w, t, layout, format, text) })
}

// recite writes the steps of a run whose protocol is not here.
func (c *traceCommand) recite(t *trace.Trace) error {
	write := func(w io.Writer) error {
		if c.format.value == "json" {
			return drawAs(w, t, nil, "json", render.TextOptions{})
		}
		_, err := io.WriteString(w, t.Listing())
		return err
	}
	if c.file == "" {
		return write(c.app.out)
	}
	return wholefile.Fill(c.file, write)
}

// sameFile reports whether two names are of one file that is there.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// drawAs writes a run in a format.
func drawAs(w io.Writer, t *trace.Trace, layout *trace.Layout, format string, text render.TextOptions) error {
	switch format {
	case "steps":
		return render.Steps(w, layout)
	case "svg":
		return render.SVG(w, layout, render.SVGOptions{})
	case "animated":
		return render.Animated(w, layout)
	case "html":
		return render.Page(w, layout, render.PageOptions{})
	case "mermaid":
		return render.Mermaid(w, layout)
	case "itf":
		return render.ITF(w, layout)
	case "shiviz":
		return render.ShiViz(w, layout)
	case "json":
		data, err := t.Encode()
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	return render.Text(w, layout, text)
}

// open returns the trace of a file, or the recorded one of a name. A name
// that looks like a path, or that is a file, is one.
func (a *app) open(name string) (*trace.Trace, error) {
	_, err := os.Stat(name)
	if err == nil || strings.ContainsAny(name, `/\`) {
		return a.load(name)
	}
	t, unknown := a.Recorded.Open(name)
	if unknown != nil && len(a.Recorded.Names()) == 0 {
		return nil, fmt.Errorf("no file %q: want a trace file", nearest.Path(name))
	}
	if unknown != nil && strings.HasSuffix(name, ".json") {
		return nil, fmt.Errorf("no file %q, and no recorded counterexample of that name: %w", name, unknown)
	}
	if unknown != nil {
		return nil, fmt.Errorf("%w (%s list shows all)", unknown, a.name)
	}
	return t, nil
}

func (a *app) load(name string) (*trace.Trace, error) {
	t, err := trace.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file %q: want a trace file, or the name of a recorded counterexample (%s list shows them)", name, a.name)
	}
	return t, err
}

// completeTraces offers recorded counterexamples and files to a shell.
func (a *app) completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.Recorded.Names(), cobra.ShellCompDirectiveDefault
}

// A replayCommand is the command replay with its flags.
type replayCommand struct {
	app  *app
	json bool
}

func (c *replayCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay NAME|FILE...",
		Short: "execute recorded counterexamples or trace files again",
		Long: "Replay executes runs again, step by step. It checks that each step does what was recorded, and that the\n" +
			"property breaks at the end and not before.\n\n" +
			"Exit status: 0 as recorded, 1 not as recorded, 2 a file that cannot be read, or one of an algorithm, a\n" +
			"variant or a property that is not here.",
		Example:           c.app.examples("replay RUN", "replay counterexamples/*.json --json"),
		Args:              wantArgs(1, -1, "one NAME of a recorded counterexample or FILE, or several"),
		ValidArgsFunction: c.app.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().BoolVar(&c.json, "json", false, "write the results as JSON, which help json describes")
	return cmd
}

// The outcomes of a replay.
const (
	asRecorded    = "as recorded"
	notAsRecorded = "not as recorded"
	unreadable    = "cannot be read"
)

// A replayed trace is one with its outcome.
type replayed struct {
	Name      string `json:"name"`
	Verdict   string `json:"verdict"`
	Why       string `json:"why,omitempty"`
	Algorithm string `json:"algorithm,omitempty"`
	Variant   string `json:"variant,omitempty"`
	Property  string `json:"property,omitempty"`
	Setting   string `json:"setting,omitempty"`
	Kind      string `json:"kind,omitempty"`
	Steps     int    `json:"steps,omitempty"`
	Lasso     int    `json:"lasso,omitempty"`
}

// replayJSON is what replay writes for programs.
type replayJSON struct {
	Schema  int        `json:"schema"`
	Verdict string     `json:"verdict"`
	Traces  []replayed `json:"traces"`
	Run     runJSON    `json:"run"`
}

// run executes each trace; one that is bad does not keep the others from it.
func (c *replayCommand) run(names []string) error {
	code := statusFine
	out := replayJSON{Schema: jsonSchema, Verdict: asRecorded, Run: c.app.runJSON()}
	for _, name := range names {
		r, t := c.replayOne(name)
		switch {
		case r.Verdict == unreadable:
			c.app.complain("%s", r.Why)
			code, out.Verdict = statusUsage, unreadable
		case r.Verdict == notAsRecorded && code != statusUsage:
			code, out.Verdict = statusBad, notAsRecorded
		}
		out.Traces = append(out.Traces, r)
		switch shown := nearest.Path(name); {
		case c.json || r.Verdict == unreadable:
		case r.Verdict == notAsRecorded:
			fmt.Fprintf(c.app.out, "- %s: not as recorded: %s\n", shown, r.Why)
		default:
			fmt.Fprintf(c.app.out, "+ %s: %s, as recorded\n", shown, outcome(t))
		}
	}
	if c.json {
		if err := c.app.writeJSON(out, struct{}{}); err != nil {
			return err
		}
	}
	return exit(code)
}

// replayOne executes the trace of a name.
func (c *replayCommand) replayOne(name string) (replayed, *trace.Trace) {
	r := replayed{Name: name, Verdict: asRecorded}
	t, err := c.app.open(name)
	if err != nil {
		r.Verdict, r.Why = unreadable, oneLine(err.Error())
		return r, nil
	}
	r.Algorithm, r.Variant, r.Property = t.Algorithm, t.Variant, t.Property
	r.Setting, r.Kind, r.Steps, r.Lasso = t.Setting.String(), t.Kind.String(), len(t.Steps), t.Lasso
	switch _, err := trace.Replay(t, c.app.lookup); {
	case isUnknown(err):
		r.Verdict, r.Why = unreadable, oneLine(c.app.notReplayed(name, t, err).Error())
	case err != nil:
		r.Verdict, r.Why = notAsRecorded, oneLine(err.Error())
	}
	return r, t
}

// isUnknown reports whether an error of a replay is that the trace is of what is
// not in the catalogue: not that its run goes otherwise.
func isUnknown(err error) bool {
	var unknown *trace.UnknownError
	return errors.As(err, &unknown)
}

// notReplayed says whose trace an error of a replay is about, and of what is in
// no catalogue what to do.
func (a *app) notReplayed(name string, t *trace.Trace, err error) error {
	if !isUnknown(err) {
		return fmt.Errorf("%s is not as recorded: %w", nearest.Path(name), err)
	}
	of, notFound := a.find(t.Algorithm)
	if notFound != nil && (t.Algorithm == naming.Unnamed || naming.Valid(t.Algorithm) != nil) {
		return fmt.Errorf("%s cannot be read: it is a run of %s, and no algorithm: have its test say checker.Named(ALGO, VARIANT), "+
			"with names that %s list shows, and keep the run again (trace --format steps shows what it has recorded)", nearest.Path(name), t.Algorithm, a.name)
	}
	hint := fmt.Sprintf(" (%s trace --format steps shows what it has recorded)", a.name)
	if notFound == nil {
		hint = ""
		if _, unknown := of.Property(t.Property); t.Property != "" && unknown != nil {
			hint = fmt.Sprintf(" (a property of your own is to be among the Properties of %s)", of.Name)
		}
	}
	return fmt.Errorf("%s cannot be read: %w%s", nearest.Path(name), err, hint)
}

// outcome says what a trace shows.
func outcome(t *trace.Trace) string {
	name := t.Algorithm
	if t.Variant != "" {
		name += "/" + t.Variant
	}
	steps := fmt.Sprintf("%d steps", len(t.Steps))
	if len(t.Steps) == 1 {
		steps = "1 step"
	}
	switch t.Kind {
	case trace.Violation:
		return fmt.Sprintf("%s, %s breaks in %s", name, t.Property, steps)
	case trace.Witness:
		return fmt.Sprintf("%s, %s is met in %s", name, t.Property, steps)
	}
	return fmt.Sprintf("%s, a run of %s", name, steps)
}
