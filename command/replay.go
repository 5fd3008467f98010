package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/trace"
)

func (a *app) replayCommand() *cobra.Command {
	var inJSON bool
	cmd := &cobra.Command{
		Use:   "replay NAME|FILE...",
		Short: "execute recorded counterexamples or trace files again",
		Long: "Replay executes runs again, step by step. It checks that each step does what was recorded, and that the\n" +
			"property breaks at the end and not before.\n\n" +
			"Exit status: 0 as recorded, 1 not as recorded, 2 a file that cannot be read, or one of an algorithm, a\n" +
			"variant or a property that is not here.",
		Example:           a.examples("replay RUN", "replay counterexamples/*.json --json"),
		Args:              wantArgs(1, -1, "one NAME of a recorded counterexample or FILE, or several"),
		ValidArgsFunction: a.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return a.replay(args, inJSON) },
	}
	cmd.Flags().BoolVar(&inJSON, "json", false, "write the results as JSON, which help json describes")
	return cmd
}

// What comes of a replay.
const (
	asRecorded    = "as recorded"
	notAsRecorded = "not as recorded"
	unreadable    = "cannot be read"
)

// A replayed trace is one with what came of it.
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

// replay executes each trace; one that is bad does not keep the others from it.
func (a *app) replay(names []string, inJSON bool) error {
	code := statusFine
	out := replayJSON{Schema: jsonSchema, Verdict: asRecorded, Run: a.runJSON()}
	for _, name := range names {
		r, t := a.replayOne(name)
		switch {
		case r.Verdict == unreadable:
			a.complain("%s", r.Why)
			code, out.Verdict = statusUsage, unreadable
		case r.Verdict == notAsRecorded && code != statusUsage:
			code, out.Verdict = statusBad, notAsRecorded
		}
		out.Traces = append(out.Traces, r)
		switch shown := nearest.Path(name); {
		case inJSON || r.Verdict == unreadable:
		case r.Verdict == notAsRecorded:
			fmt.Fprintf(a.out, "- %s: not as recorded: %s\n", shown, r.Why)
		default:
			fmt.Fprintf(a.out, "+ %s: %s, as recorded\n", shown, outcome(t))
		}
	}
	if inJSON {
		if err := a.writeJSON(out, struct{}{}); err != nil {
			return err
		}
	}
	return exit(code)
}

// replayOne executes the trace of a name.
func (a *app) replayOne(name string) (replayed, *trace.Trace) {
	r := replayed{Name: name, Verdict: asRecorded}
	t, err := a.open(name)
	if err != nil {
		r.Verdict, r.Why = unreadable, oneLine(err.Error())
		return r, nil
	}
	r.Algorithm, r.Variant, r.Property = t.Algorithm, t.Variant, t.Property
	r.Setting, r.Kind, r.Steps, r.Lasso = t.Setting.String(), t.Kind.String(), len(t.Steps), t.Lasso
	switch _, err := trace.Replay(t, a.lookup); {
	case isUnknown(err):
		r.Verdict, r.Why = unreadable, oneLine(a.notReplayed(name, t, err).Error())
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
