//go:build !js

package command

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
	"bullyproof/trace"
)

// A replayCommand is the command replay with its flags.
type replayCommand struct {
	app   *app
	json  bool
	again bool
}

func (c *replayCommand) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay NAME|FILE...",
		Short: "execute recorded counterexamples or trace files again",
		Long: "Replay executes runs again, step by step. It checks that each step does what was recorded, and that the\n" +
			"property breaks at the end and not before.\n\n" +
			"Where a program has changed since, replay goes on with the same actions, as long as they are possible, and\n" +
			"lists what differs: names of the program, or what a step does. It says whether the same actions still\n" +
			"break the property. With --again the run is then written into its file in the words of the program. A file\n" +
			"stays as it is if nothing differs, and if its actions do not break the property any more.\n\n" +
			"Exit status: 0 as recorded or recorded again, 1 not as recorded, 2 a file that cannot be read or written, or\n" +
			"one of an algorithm, a variant or a property that is not here.",
		Example:           c.app.examples("replay RUN", "replay counterexamples/*.json --json", "replay testdata/counterexamples/*.json --again"),
		Args:              wantArgs(1, -1, "one NAME of a recorded counterexample or FILE, or several"),
		ValidArgsFunction: c.app.completeTraces,
		RunE:              func(_ *cobra.Command, args []string) error { return c.run(args) },
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().BoolVar(&c.again, "again", false, "record runs again whose actions still break their property, in their files")
	cmd.Flags().BoolVar(&c.json, "json", false, "write the results as JSON, which help json describes")
	return cmd
}

// The outcomes of a replay, from good to bad.
const (
	asRecorded    = "as recorded"
	recordedAgain = "recorded again"
	notAsRecorded = "not as recorded"
	unreadable    = "cannot be read"
)

// A replayed trace is one with its outcome.
type replayed struct {
	Name        string             `json:"name"`
	Verdict     string             `json:"verdict"`
	Why         string             `json:"why,omitempty"`
	Algorithm   string             `json:"algorithm,omitempty"`
	Variant     string             `json:"variant,omitempty"`
	Property    string             `json:"property,omitempty"`
	Setting     string             `json:"setting,omitempty"`
	Kind        string             `json:"kind,omitempty"`
	Steps       int                `json:"steps,omitempty"`
	Lasso       int                `json:"lasso,omitempty"`
	Still       bool               `json:"still,omitempty"`
	Differences []replayDifference `json:"differences,omitempty"`
}

// A replayDifference is where a step is not as recorded.
type replayDifference struct {
	Step     int    `json:"step"`
	Action   string `json:"action"`
	What     string `json:"what"`
	Recorded string `json:"recorded,omitempty"`
	Now      string `json:"now,omitempty"`
	Name     bool   `json:"name,omitempty"`
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
		r, t, redone := c.replayOne(name)
		switch {
		case r.Verdict == unreadable:
			c.app.complain("%s", r.Why)
			code, out.Verdict = statusUsage, unreadable
		case r.Verdict == notAsRecorded && code != statusUsage:
			code, out.Verdict = statusBad, notAsRecorded
		case r.Verdict == recordedAgain && code == statusFine:
			out.Verdict = recordedAgain
		}
		out.Traces = append(out.Traces, r)
		if !c.json && r.Verdict != unreadable {
			c.say(&r, t, redone)
		}
	}
	if c.json {
		if err := c.app.writeJSON(out, struct{}{}); err != nil {
			return err
		}
	}
	return exit(code)
}

// replayOne executes the trace of a name, and records it again if that is asked.
func (c *replayCommand) replayOne(name string) (replayed, *trace.Trace, *trace.Redone) {
	r := replayed{Name: name, Verdict: asRecorded}
	t, err := c.app.open(name)
	if err != nil {
		r.Verdict, r.Why = unreadable, oneLine(err.Error())
		return r, nil, nil
	}
	r.Algorithm, r.Variant, r.Property = t.Algorithm, t.Variant, t.Property
	r.Setting, r.Kind, r.Steps, r.Lasso = t.Setting.String(), t.Kind.String(), len(t.Steps), t.Lasso
	_, err = trace.Replay(t, c.app.lookup)
	switch {
	case isUnknown(err):
		r.Verdict, r.Why = unreadable, oneLine(c.app.notReplayed(name, t, err).Error())
		return r, t, nil
	case err == nil:
		r.Still = true
		return r, t, nil
	}
	r.Verdict, r.Why = notAsRecorded, oneLine(err.Error())
	redone, err := trace.Redo(t, c.app.lookup)
	if err != nil {
		return r, t, nil // the same as that of Replay
	}
	for _, d := range redone.Differences {
		r.Differences = append(r.Differences, replayDifference(d))
	}
	if redone.Why != nil {
		r.Why = oneLine(redone.Why.Error())
		return r, t, redone
	}
	r.Still = true
	if c.again {
		if err := c.rewrite(name, redone.Trace); err != nil {
			r.Verdict, r.Why = unreadable, oneLine(err.Error())
		} else {
			r.Verdict, r.Why, r.Steps = recordedAgain, "", len(redone.Trace.Steps)
		}
	}
	return r, t, redone
}

// rewrite records a run again in its file, which holds the old one until it holds the new one.
func (c *replayCommand) rewrite(name string, t *trace.Trace) error {
	shown := nearest.Path(name)
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s is a recorded counterexample of this program, and no file: --again writes files", shown)
	}
	if _, err := trace.Replay(t, c.app.lookup); err != nil {
		return fmt.Errorf("%s stays as it is: the run that would be recorded is itself not as recorded: %w", shown, err)
	}
	if err := t.WriteFile(name); err != nil {
		return fmt.Errorf("%s stays as it is: %w", shown, err)
	}
	return nil
}

// mostDifferences is how many differences of a run are shown.
const mostDifferences = 12

// say tells the outcome of a replay.
func (c *replayCommand) say(r *replayed, t *trace.Trace, redone *trace.Redone) {
	name := nearest.Path(r.Name)
	switch {
	case r.Verdict == asRecorded:
		fmt.Fprintf(c.app.out, "+ %s: %s, as recorded\n", name, outcome(t))
		return
	case r.Verdict == recordedAgain:
		fmt.Fprintf(c.app.out, "+ %s: %s by the same actions, recorded again (%s)\n", name, outcome(redone.Trace), differing(r))
	case r.Still:
		fmt.Fprintf(c.app.out, "- %s: not as recorded, and by the same actions still %s (%s; replay --again records it again)\n", name, outcome(redone.Trace), differing(r))
	default:
		fmt.Fprintf(c.app.out, "- %s: not as recorded: %s\n", name, r.Why)
	}
	if redone == nil {
		return
	}
	for i, d := range redone.Differences {
		if i == mostDifferences {
			fmt.Fprintf(c.app.out, "    and %d more (--json has all)\n", len(redone.Differences)-i)
			break
		}
		fmt.Fprintf(c.app.out, "    %s\n", oneLine(d.String()))
	}
}

// differing counts what differs.
func differing(r *replayed) string {
	names := 0
	for _, d := range r.Differences {
		if d.Name {
			names++
		}
	}
	steps := len(r.Differences) - names
	switch {
	case len(r.Differences) == 0:
		return "the run is shorter"
	case steps == 0:
		return quantity.Plural(names, "name") + " differ" + map[bool]string{true: "s"}[names == 1]
	}
	return quantity.Plural(steps, "difference") + " of steps, " + quantity.Plural(names, "difference") + " of names"
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
