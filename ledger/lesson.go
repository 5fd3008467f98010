package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/naming"
	"bullyproof/model/setting"
)

// A Lesson is something that a catalogue shows and that is worth telling to a
// class, in words for people who know no model checker. It is about a claim; the
// run that is recorded with that claim shows it, or the figures that the evidence
// compares.
type Lesson struct {
	// Claim names the algorithm and the claim: "bully/two-announce".
	Claim string
	// Title says it in one line, and Text in a paragraph.
	Title, Text string
	// Asks is the question that it answers; may be empty.
	Asks string
}

// Of returns the algorithm and the claim that a lesson is about, in a catalogue.
// The error suggests the names that were probably meant.
func (l *Lesson) Of(all []*Algorithm) (*Algorithm, *Claim, error) {
	algorithm, name, ok := strings.Cut(l.Claim, "/")
	if !ok {
		return nil, nil, fmt.Errorf("lesson %q: its claim is %q: want one like bully/two-announce", l.Title, l.Claim)
	}
	a, err := Find(all, algorithm)
	if err != nil {
		return nil, nil, fmt.Errorf("lesson %q: %w", l.Title, err)
	}
	c, err := a.Claim(name)
	if err != nil {
		return nil, nil, fmt.Errorf("lesson %q: %w", l.Title, err)
	}
	return a, c, nil
}

// ValidateLessons returns an error unless every lesson is complete and about a
// claim of the catalogue that has something to show: a recorded run or figures.
func ValidateLessons(all []*Algorithm, lessons []Lesson) error {
	var errs []error
	for i := range lessons {
		l := &lessons[i]
		_, c, err := l.Of(all)
		if err == nil && c.Story == "" && len(c.Figures()) == 0 {
			err = fmt.Errorf("lesson %q: the claim %s has neither a recorded run nor figures", l.Title, l.Claim)
		}
		errs = append(errs, err, naming.Filled("Title of a lesson", l.Title), naming.Filled("Text of a lesson", l.Text))
	}
	return errors.Join(errs...)
}

// Figures returns the pieces of evidence that compare a figure of the source with
// another one: those that decide the claim, in the reading in which it is judged.
func (c *Claim) Figures() (indices []int) {
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if (e.Cost != nil || e.What != "") && e.Aside == "" && e.Variant == c.Judged() {
			indices = append(indices, i)
		}
	}
	return indices
}

// A Lecture is a lesson with work for a class: one run and one idea, questions whose
// answers a reader finds by stepping through the run, and something to repair.
type Lecture struct {
	// Its Lesson is about a claim with a recorded run.
	Lesson
	// Idea is what to remember, in a sentence.
	Idea string
	// Tasks are the questions, in the order of the run.
	Tasks []Task
	// Exercise is what to repair.
	Exercise Exercise
}

// A Task is a question about a run.
type Task struct {
	// Ask is the question, and Answer what the run shows in a step.
	Ask, Answer string
	Step        int
}

// An Exercise is to repair what a run shows, in a copy of the algorithm.
type Exercise struct {
	// Text says what is to be written.
	Text string
	// Embeds is the type of the protocol to begin with, and Broken its value, as the package
	// of the algorithm names them: "*Protocol" and "CoulourisNoRetry".
	Embeds, Broken string
	// Setting is where the standard properties decide whether it is repaired, except for
	// those that are Spared.
	Setting setting.Setting
	Spared  []*checker.Property
	// From is the variant that Broken is. Solution is one that keeps the properties, and
	// Solved its value in the package.
	From, Solution, Solved string
}

// Asked returns the properties that decide whether it is repaired.
func (e *Exercise) Asked() []*checker.Property {
	return slices.DeleteFunc(checker.InSetting(checker.Standard(), e.Setting), func(p *checker.Property) bool { return slices.Contains(e.Spared, p) })
}

// Test returns the file of a test, in a copy of the algorithm of that name: the
// beginnings of a repair, and what says whether it is right.
func (e *Exercise) Test(name string) string {
	asking := ""
	if len(e.Spared) > 0 {
		for _, p := range e.Asked() {
			asking += "\n\t\t\tchecker." + identifier(p.Name) + ","
		}
		asking = "\n\t\tchecker.Asking(" + asking + "\n\t\t),"
	}
	return fmt.Sprintf(`// repair_test.go
package %s

import (
	"testing"

	"bullyproof/checker"
)

// Yours is the algorithm as it was. A handler of its own replaces the one that was there.
type yours struct{ %s }

func TestRepair(t *testing.T) {
	checker.Verify(t, yours{%s}, %q,%s
		checker.AllowGaps("*"))
}
`, name, e.Embeds, e.Broken, e.Setting, asking)
}

// identifier returns what package checker calls a property: "re-election" is ReElection.
func identifier(property string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(property, "-") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// ValidateLectures returns an error unless every lecture is complete, about a claim with
// a recorded run, and its exercise is about variants that there are.
func ValidateLectures(all []*Algorithm, lectures []Lecture) error {
	var errs []error
	for i := range lectures {
		l := &lectures[i]
		a, c, err := l.Of(all)
		if err == nil && c.Story == "" {
			err = fmt.Errorf("lecture %q: the claim %s has no recorded run", l.Title, l.Claim)
		}
		for _, variant := range []string{l.Exercise.From, l.Exercise.Solution} {
			if err == nil {
				_, err = a.Variant(variant)
			}
		}
		errs = append(errs, err, naming.Filled("Title of a lecture", l.Title), naming.Filled("Text of a lecture", l.Text),
			naming.Filled("Idea of a lecture", l.Idea), naming.Filled("Text of an exercise", l.Exercise.Text))
		for _, t := range l.Tasks {
			errs = append(errs, naming.Filled("Ask of a task", t.Ask), naming.Filled("Answer of a task", t.Answer))
		}
	}
	return errors.Join(errs...)
}
