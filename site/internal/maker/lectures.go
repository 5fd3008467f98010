package maker

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/ledger/foretell"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A class is what a lecture has beside the run.
type class struct {
	*ledger.Lecture
	// First is the first prediction.
	First *fork
	// Handed are the questions that the part of the run answers which a handout shows.
	Handed []ledger.Task
	// Copied is the test of the exercise, and Solved the same with a repair.
	Copied, Solved string
	// Begun is what the hunt begins with, and Hunted its page of the explorer; empty without
	// one. Kept says which options keep a property.
	Begun, Hunted string
	Kept          []hunted
	// Sheet is the address of the teacher's sheet from the root.
	Sheet string
}

// A fork is a prediction with the run up to it. The next one is behind its answers.
type fork struct {
	*ledger.Prediction
	Number, Of int
	Drawing    template.HTML
	Steps      []told // since the fork before
	Answers    []answer
	Next       *fork
}

// An answer is one to a prediction, and what becomes of it.
type answer struct {
	*ledger.Choice
	Right bool
	Fate  string
}

// A hunted is a property, with the options that keep it and those that do not.
type hunted struct {
	Property   string
	By, Broken []string
}

// teach gives the page of a lecture what it has beside the run.
func (m *maker) teach(s *story, l *ledger.Lecture) (err error) {
	c := &class{
		Lecture: l, Copied: l.Exercise.Test(mine), Solved: l.Exercise.Solved(mine),
		Sheet: strings.TrimSuffix(s.address, ".html") + "-sheet.html",
	}
	if c.First, err = m.forks(s.Run, l.Predictions); err != nil {
		return fmt.Errorf("lecture %q: %w", l.Title, err)
	}
	for _, t := range l.Tasks {
		if c.First != nil && t.Step <= c.First.From {
			c.Handed = append(c.Handed, t)
		}
	}
	if c.Begun, _, err = l.Hunt.At(s.Of.Algorithm, l.Hunt.Given); err != nil {
		return fmt.Errorf("lecture %q: %w", l.Title, err)
	}
	if m.Explorer != nil {
		var asked []string
		for _, k := range l.Hunt.Kept {
			asked = append(asked, k.Property)
		}
		c.Hunted = explored(web.CheckAsking(s.Of.Name, c.Begun, l.Hunt.Setting, strings.Join(asked, ",")))
	}
	options, err := l.Hunt.Options(s.Of.Algorithm)
	if err != nil {
		return fmt.Errorf("lecture %q: %w", l.Title, err)
	}
	for _, k := range l.Hunt.Kept {
		h := hunted{Property: k.Property}
		for _, option := range options {
			of := &h.Broken
			if slices.Contains(k.By, option) {
				of = &h.By
			}
			if option == "" {
				option = "no fault"
			}
			*of = append(*of, option)
		}
		c.Kept = append(c.Kept, h)
	}
	s.Class = c
	return nil
}

// Names lists options of a hunt.
func (h *hunted) Names(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return prose.List(list)
}

// forks returns the predictions about a run, the first one, which leads to the others.
func (m *maker) forks(r *run, list []ledger.Prediction) (first *fork, err error) {
	whole, err := trace.Replay(r.trace, m.lookup)
	if err != nil {
		return nil, err
	}
	shown, last := -1, &first
	for i := range list {
		p := &list[i]
		fates, err := foretell.Of(whole, p)
		if err != nil {
			return nil, err
		}
		l, err := upTo(r.trace, whole, p.From)
		if err != nil {
			return nil, err
		}
		f := &fork{Prediction: p, Number: i + 1, Of: len(list)}
		for _, row := range rowsOf(l) {
			if row.Number > shown {
				f.Steps = append(f.Steps, row)
			}
		}
		shown = p.From
		var b strings.Builder
		if err := render.Drawings(&b, l, render.SVGOptions{Unstyled: true, ID: fmt.Sprintf("fork-%d-drawing", i+1), Selected: -1}); err != nil {
			return nil, err
		}
		f.Drawing = template.HTML(b.String()) // render escapes what comes from a run
		for k := range p.Choices {
			f.Answers = append(f.Answers, answer{&p.Choices[k], fates[k] == foretell.Comes, fateText(fates[k], p)})
		}
		*last, last = f, &f.Next
	}
	return first, nil
}

// upTo lays out a run up to a step, as if nobody knew how it goes on.
func upTo(t *trace.Trace, whole *trace.Run, step int) (*trace.Layout, error) {
	begun, run := *t, *whole
	begun.Kind, begun.Property, begun.Lasso, begun.Steps = trace.Plain, "", 0, t.Steps[:step]
	run.Demand, run.Steps, run.States, run.Snapshots = "", whole.Steps[:step], whole.States[:step+1], whole.Snapshots[:step+1]
	l, err := trace.Lay(&begun, &run)
	if err != nil {
		return nil, err
	}
	return trace.Told(l), nil
}

// fateText says what becomes of an answer.
func fateText(f foretell.Fate, p *ledger.Prediction) string {
	after := fmt.Sprintf("in step %d", p.To)
	if p.To > p.From+1 {
		after = fmt.Sprintf("after step %d", p.To)
	}
	switch f {
	case foretell.Comes:
		return "Right: so it is " + after + "."
	case foretell.Possible:
		return "Not in this run, but another run from here has it " + after + "."
	}
	return "No run from here has it " + after + "."
}

// lectures makes the pages of the lectures: each has one for the class and one for the teacher.
func (m *maker) lectures(b *builder) ([]*story, error) {
	lectures := make([]*story, len(m.Lectures))
	for i := range m.Lectures {
		l := &m.Lectures[i]
		_, _, shown, err := l.About(m.Algorithms, &m.Incidents)
		if err != nil {
			return nil, err
		}
		var c card
		if shown == nil {
			c, err = m.lesson(&l.Lesson, i+1)
		} else {
			of := m.cases[slices.IndexFunc(m.cases, func(c *incident) bool { return c.Name == shown.Name })]
			c = card{ID: shown.Name, Title: l.Title, Text: l.Text, Of: of.Of, Run: of.Run}
			c.Drawing, err = of.Run.drawing("drawing")
		}
		if err != nil {
			return nil, err
		}
		s, err := m.story(c)
		if err != nil {
			return nil, err
		}
		s.address, s.Asks = "lectures/"+c.slug()+".html", l.Idea
		if err := m.teach(s, l); err != nil {
			return nil, err
		}
		lectures[i] = s
	}
	if len(lectures) == 0 {
		return nil, nil
	}
	title := prose.Capital(number(len(lectures))) + " lectures"
	return lectures, b.make(sheet{address: lecturesPage, template: "lectures", title: title, about: "Runs for a class, each with one idea, questions and exercises."}, lectures)
}

// sheets makes the teachers' sheets.
func (b *builder) sheets(lectures []*story) error {
	for _, s := range lectures {
		if err := b.make(sheet{address: s.Class.Sheet, template: "sheet", title: "Teacher's sheet: " + s.Title, about: "Times, answers and usual mistakes."}, s); err != nil {
			return err
		}
	}
	return nil
}
