package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"bullyproof/trace"
)

func (a *app) replayCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "replay NAME|FILE...",
		Short: "execute recorded counterexamples or trace files again",
		Long: "Replay executes runs again, step by step, and checks that each step does what was recorded and that the\n" +
			"property breaks at the end and not before.\n\n" +
			"Exit status: 0 as recorded, 1 not as recorded, 2 a file that cannot be read.",
		Example:           a.examples("replay RUN", "replay testdata/counterexamples/*.json"),
		Args:              wantArgs(1, -1, "one NAME of a recorded counterexample or FILE, or several"),
		ValidArgsFunction: a.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return a.replay(args) },
	}
}

// replay executes each trace; one that is bad does not keep the others from it.
func (a *app) replay(names []string) error {
	code := statusFine
	for _, name := range names {
		t, err := a.open(name)
		if err != nil {
			a.complain("%s", oneLine(err.Error()))
			code = statusUsage
			continue
		}
		if _, err := trace.Replay(t, a.lookup); err != nil {
			fmt.Fprintf(a.out, "- %s: not as recorded: %s\n", name, oneLine(err.Error()))
			code = max(code, statusBad)
			continue
		}
		fmt.Fprintf(a.out, "+ %s: %s, as recorded\n", name, outcome(t))
	}
	return exit(code)
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
