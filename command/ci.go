//go:build !js

package command

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"bullyproof/checker"
	"bullyproof/command/internal/github"
	"bullyproof/command/internal/junit"
	"bullyproof/internal/nearest"
	"bullyproof/internal/wholefile"
	"bullyproof/trace/render"
)

// summaryVariable names the file in which GitHub takes the summary of a step.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// mostSummary is how long a step's summary may be, in bytes, with room for what is
// there already: GitHub refuses one of more than 1 MiB.
const mostSummary = 900 << 10

// reportCI writes what servers of continuous integration read of a report. Saved
// are the trace files, to which annotations point.
func (c *checkCommand) reportCI(r *checker.Report, saved []string) error {
	if c.junit != "" {
		data, err := junitOf(c.app.name, r)
		if err == nil {
			err = wholefile.Write(c.junit, data)
		}
		if err != nil {
			return fmt.Errorf("flag --junit is %q: %w", c.junit, err)
		}
	}
	if !c.github {
		return nil
	}
	for _, an := range annotations(r, saved) {
		fmt.Fprintln(c.app.err, an) // not on the output, which may be JSON
	}
	name := os.Getenv(summaryVariable)
	if name == "" {
		return nil
	}
	if err := appendTo(name, summary(r)); err != nil {
		return fmt.Errorf("%s is %q: %w", summaryVariable, name, err)
	}
	return nil
}

// canWrite checks, before a search that may take long, that the file of a flag can be
// made.
func canWrite(flag, name string) error {
	if name == "" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("flag --%s is %q: that is a directory: want the name of a file", flag, name)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil // a device or a pipe has no directory to be written beside
	}
	if err := wholefile.Writable(filepath.Dir(name)); err != nil {
		return fmt.Errorf("flag --%s is %q: %w", flag, nearest.Clip(name), err)
	}
	return nil
}

// junitOf returns a report as JUnit XML: a suite, in which each property is a
// case. An undecided or vacuous property is skipped.
func junitOf(program string, r *checker.Report) ([]byte, error) {
	s := junit.Suite{
		Name: r.Subject(), Took: r.Duration, Output: notes(r),
		Properties: []junit.Property{{Name: "setting", Value: r.Setting.String()}, {Name: "verdict", Value: r.Verdict().String()}},
	}
	class := strings.ReplaceAll(r.Subject(), "/", ".")
	for i := range r.Findings {
		f := &r.Findings[i]
		c := junit.Case{Class: class, Name: f.Property.Label(), Message: f.Line()}
		switch f.Verdict {
		case checker.Violated, checker.NotFound:
			c.Result, c.Text = junit.Failed, pictureOf(f)
		case checker.Incomplete, checker.Vacuous:
			c.Result = junit.Skipped
		}
		s.Cases = append(s.Cases, c)
	}
	if r.Finding(checker.Misuse.Name) == nil {
		c := junit.Case{Class: class, Name: checker.Misuse.Name}
		if !r.Complete() {
			c.Result, c.Message = junit.Skipped, "undecided: "+cmp.Or(r.Why, "the search ended when all else was decided")
		}
		s.Cases = append(s.Cases, c)
	}
	var b bytes.Buffer
	err := junit.Write(&b, program, s)
	return b.Bytes(), err
}

// notes are what a report says beside its verdicts.
func notes(r *checker.Report) string {
	var b strings.Builder
	b.WriteString(r.Headline() + "\n")
	if remedy := r.Remedy(); remedy != "" {
		fmt.Fprintf(&b, "To see more: %s.\n", remedy)
	}
	for _, g := range r.Gaps {
		fmt.Fprintf(&b, "%s\n", g)
	}
	return b.String()
}

// pictureOf returns the diagram of a finding, empty where there is no trace.
func pictureOf(f *checker.Finding) string {
	var b strings.Builder
	if err := f.WriteText(&b, render.TextOptions{}); err != nil {
		return "The trace cannot be drawn: " + err.Error()
	}
	return b.String()
}

// annotations are the workflow commands for a report: an error for each property
// that is violated, a warning for what was not shown, and a notice for each rule or
// message that never came up.
func annotations(r *checker.Report, saved []string) []github.Annotation {
	var all []github.Annotation
	for i := range r.Findings {
		f := &r.Findings[i]
		an := github.Annotation{
			Level: github.Error, Title: r.Subject() + ": " + f.Property.Label(),
			Message: f.Line() + "\n" + f.Property.Doc + "\nsetting: " + r.Setting.String(),
		}
		if f.Trace != nil && len(saved) > 0 {
			an.File, saved = filepath.ToSlash(saved[0]), saved[1:]
		}
		switch f.Verdict {
		case checker.Incomplete, checker.Vacuous:
			an.Level = github.Warning
		case checker.Holds, checker.Found:
			continue
		}
		all = append(all, an)
	}
	if r.Why != "" {
		all = append(all, github.Annotation{Level: github.Warning, Title: r.Subject() + ": incomplete", Message: r.Why + "\n" + r.Remedy()})
	}
	for _, g := range r.Gaps {
		if g.Kind == "rule" || g.Kind == "message" {
			all = append(all, github.Annotation{Level: github.Notice, Title: r.Subject(), Message: g.String() + "\nsetting: " + r.Setting.String()})
		}
	}
	return all
}

// summary returns a report as Markdown: a table, and the runs to unfold below it,
// as many as there is room for.
func summary(r *checker.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n%s\n\n| property | |\n|---|---|\n", github.Cell(r.Subject()), github.Cell(r.Headline()+" Setting: "+r.Setting.String()))
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "| %s | %s |\n", github.Cell(f.Property.Label()), github.Cell(f.Line()))
	}
	b.WriteString("\n")
	if remedy := r.Remedy(); remedy != "" {
		fmt.Fprintf(&b, "To see more: %s.\n\n", github.Cell(remedy))
	}
	for _, g := range r.Gaps {
		fmt.Fprintf(&b, "- %s\n", github.Cell(g.String()))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Trace == nil {
			continue
		}
		run := fmt.Sprintf("\n<details><summary>%s</summary>\n\n%s\n</details>\n", github.Cell(f.Property.Label()), github.Fenced(pictureOf(f)))
		if b.Len()+len(run) > mostSummary {
			fmt.Fprintf(&b, "\nThe run of %s is too long to be shown here.\n", github.Cell(f.Property.Label()))
			continue
		}
		b.WriteString(run)
	}
	return b.String() + "\n"
}

// appendTo adds a text to the end of a file, which it makes if there is none.
func appendTo(name, text string) error {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
