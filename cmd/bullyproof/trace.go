package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/trace"
)

func (a *app) traceCommand() *cobra.Command {
	var l look
	format := choice{"text", []string{"text", "steps", "svg", "html", "json"}}
	cmd := &cobra.Command{
		Use:   "trace NAME|FILE",
		Short: "draw a recorded counterexample or a trace file",
		Long: "Trace draws a run as a space-time diagram: a recorded counterexample, by its name (list shows them), or a\n" +
			"file that check --save wrote. The run is executed again; one that is not as recorded is refused.",
		Example:           "  bullyproof trace bully-duplicate-coordinator\n  bullyproof trace found/bully-coulouris-agreement.json --format steps",
		Args:              wantArgs(1, 1, "one NAME of a recorded counterexample or FILE"),
		ValidArgsFunction: completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return a.trace(args[0], format.value, &l) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().Var(&format, "format", "a diagram, a line for each step, or the file as it is")
	l.add(cmd.Flags())
	return cmd
}

func (a *app) trace(name, format string, l *look) error {
	t, err := open(name)
	if err != nil {
		return err
	}
	run, err := trace.Replay(t, algorithms.Lookup)
	if err != nil {
		return fmt.Errorf("%s is not as recorded: %w", name, err)
	}
	if format == "json" {
		data, err := t.Encode()
		if err != nil {
			return err
		}
		_, err = a.out.Write(data)
		return err
	}
	layout, err := trace.Lay(t, run)
	if err != nil {
		return err
	}
	switch format {
	case "steps":
		return layout.WriteSteps(a.out)
	case "html":
		return layout.WritePage(a.out)
	case "svg":
		return layout.WriteSVG(a.out, trace.SVGOptions{})
	}
	return layout.WriteText(a.out, l.text(a))
}

// open returns the trace of a file, or the recorded one of a name. What looks
// like a path, and what is a file, is one.
func open(name string) (*trace.Trace, error) {
	_, err := os.Stat(name)
	if err == nil || strings.ContainsAny(name, `/\`) {
		return load(name)
	}
	t, unknown := counterexamples.Open(name)
	if unknown != nil && strings.HasSuffix(name, ".json") {
		return nil, fmt.Errorf("no file %q, and no recorded counterexample of that name: %w", name, unknown)
	}
	return t, unknown
}

func load(name string) (*trace.Trace, error) {
	t, err := trace.Load(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no file %q: want a trace file, or the name of a recorded counterexample (bullyproof list shows them)", name)
	}
	return t, err
}

// completeTraces offers recorded counterexamples and files to a shell.
func completeTraces(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return counterexamples.Names(), cobra.ShellCompDirectiveDefault
}
