package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
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
		_, err = trace.Replay(t, a.lookup)
		if isUnknown(err) {
			a.complain("%s", oneLine(a.notReplayed(name, t, err).Error()))
			code = statusUsage
			continue
		}
		if err != nil {
			fmt.Fprintf(a.out, "- %s: not as recorded: %s\n", nearest.Path(name), oneLine(err.Error()))
			code = max(code, statusBad)
			continue
		}
		fmt.Fprintf(a.out, "+ %s: %s, as recorded\n", nearest.Path(name), outcome(t))
	}
	return exit(code)
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
	if notFound != nil && (t.Algorithm == checker.Unnamed || naming.Valid(t.Algorithm) != nil) {
		return fmt.Errorf("%s cannot be read: it is a run of %s, and no algorithm: have its test say checker.Named(ALGO, VARIANT), "+
			"with names that %s list shows, and keep the run again", nearest.Path(name), t.Algorithm, a.name)
	}
	hint := ""
	if notFound == nil {
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
