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

	"bullyproof/command/internal/raster"
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
	full   bool
}

func (c *traceCommand) command() *cobra.Command {
	c.format = choice{"text", []string{"text", "steps", "svg", "animated", "gif", "html", "mermaid", "itf", "shiviz", "json"}}
	cmd := &cobra.Command{
		Use:   "trace NAME|FILE",
		Short: "draw a recorded run or a trace file",
		Long: "Trace draws a run as a space-time diagram: a recorded counterexample or an incident, by its name (list\n" +
			"--runs shows them), or a file that check --save wrote. It executes the run again, and refuses one that does\n" +
			"not do what was recorded. A run of more than fifty steps is told in chapters, and its routine in a sentence;\n" +
			"--full has each step. Of a run whose algorithm this command does not know, --format steps and json show what is\n" +
			"recorded, without executing it.\n\n" +
			"Formats: text and svg are the diagram, animated is an SVG that plays the run without a script, gif is the\n" +
			"same for a chat, html is a page on which you step through the run, steps has a line for each step, json is\n" +
			"the trace file itself. For other tools: mermaid is a sequence diagram; itf has the states for Apalache and\n" +
			"Quint; shiviz is a log with vector clocks, whose first line is the regular expression that parses it.",
		Example: c.app.examples("trace RUN", "trace testdata/counterexamples/TestElection-uniqueness.json --format steps",
			"trace RUN --format html -o run.html"),
		Args:              wantArgs(1, 1, "one NAME of a recorded counterexample or FILE"),
		ValidArgsFunction: c.app.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args[0]) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(&c.format, "format", "form of the output")
	cmd.Flags().StringVarP(&c.file, "output", "o", "", "write to this `file`, replacing it")
	cmd.Flags().BoolVar(&c.full, "full", false, "show each step of a long run (text, steps, svg, animated, html)")
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
	if of := c.app.incident(name, t); of != nil {
		layout.Chapters = of.Chapters
	}
	text := c.text(c.app)
	text.Full = c.full
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
	told := layout
	if !text.Full && layout != nil {
		told = trace.Told(layout)
	}
	switch format {
	case "steps":
		return render.Steps(w, told)
	case "svg":
		return render.SVG(w, told, render.SVGOptions{})
	case "animated":
		return render.Animated(w, told)
	case "gif":
		return render.GIF(w, told, &raster.Pen{})
	case "html":
		return render.Page(w, told, render.PageOptions{Full: true})
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
	runs := a.runs()
	t, unknown := runs.Open(name)
	if unknown != nil && len(runs.Names()) == 0 {
		return nil, fmt.Errorf("no file %q: want a trace file", nearest.Path(name))
	}
	if unknown != nil && strings.HasSuffix(name, ".json") {
		return nil, fmt.Errorf("no file %q, and no recorded counterexample of that name: %w", name, unknown)
	}
	if unknown != nil {
		return nil, fmt.Errorf("%w (%s list --runs shows all)", unknown, a.name)
	}
	return t, nil
}

func (a *app) load(name string) (*trace.Trace, error) {
	t, err := trace.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file %q: want a trace file, or the name of a recorded counterexample (%s list --runs shows them)", name, a.name)
	}
	return t, err
}

// completeTraces offers recorded counterexamples and files to a shell.
func (a *app) completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return a.runs().Names(), cobra.ShellCompDirectiveDefault
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
		return fmt.Errorf("%s is not as recorded: %w (%s replay says what else differs, and whether the same actions still show it)", nearest.Path(name), err, a.name)
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
