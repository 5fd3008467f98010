package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func (a *app) traceCommand() *cobra.Command {
	var l look
	var file string
	format := choice{"text", []string{"text", "steps", "svg", "html", "mermaid", "itf", "shiviz", "json"}}
	cmd := &cobra.Command{
		Use:   "trace NAME|FILE",
		Short: "draw a recorded counterexample or a trace file",
		Long: "Trace draws a run as a space-time diagram: a recorded counterexample, by its name (list --runs shows\n" +
			"them), or a file that check --save wrote. It executes the run again, and refuses one that does not do what\n" +
			"was recorded.\n\n" +
			"Formats: text and svg are the diagram, html is a page on which you step through the run, steps has a line\n" +
			"for each step, json is the trace file itself. For other tools: mermaid is a sequence diagram; itf has the\n" +
			"states for Apalache and Quint; shiviz is a log with vector clocks, whose first line is the regular\n" +
			"expression that parses it.",
		Example: a.examples("trace RUN", "trace testdata/counterexamples/TestElection-uniqueness.json --format steps",
			"trace RUN --format html -o run.html"),
		Args:              wantArgs(1, 1, "one NAME of a recorded counterexample or FILE"),
		ValidArgsFunction: a.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return a.trace(args[0], format.value, file, &l) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(&format, "format", "form of the output")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to this `file`, replacing it")
	l.add(cmd.Flags())
	return cmd
}

func (a *app) trace(name, format, file string, l *look) error {
	t, err := a.open(name)
	if err != nil {
		return err
	}
	if sameFile(name, file) {
		return fmt.Errorf("flag --output is %q, the file that is read: want another", nearest.Path(file))
	}
	run, err := trace.Replay(t, a.lookup)
	if err != nil {
		return a.notReplayed(name, t, err)
	}
	layout, err := trace.Lay(t, run)
	if err != nil {
		return err
	}
	text := l.text(a)
	if file == "" {
		return drawAs(a.out, t, layout, format, text)
	}
	text.Color = l.color.value == "always"
	return wholefile.Fill(file, func(w io.Writer) error { return drawAs(w, t, layout, format, text) })
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
	case "html":
		return render.Page(w, layout)
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

// open returns the trace of a file, or the recorded one of a name. What looks
// like a path, and what is a file, is one.
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
