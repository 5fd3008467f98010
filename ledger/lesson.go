package ledger

import (
	"errors"
	"fmt"
	"strings"

	"bullyproof/internal/naming"
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
