package maker

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A story is a page about one thing that was found, for whoever is sent its address: a
// finding, a lecture, or an incident.
type story struct {
	card
	address string
	// Asks is what the page answers, and Verdict what the run shows, in a sentence.
	Asks, Verdict string
	Place         render.Sequence
	Stage         template.HTML
	Chapters      []trace.Chapter // of a long run
	Steps         []told          // of the run
	Words         string          // the setting of the run
	Repairs       []repair
	// Incident is what the page tells of; nil for others.
	Incident *incident
	// Class is what a lecture has beside the run; nil for others.
	Class *class
	// Explored, Beside and Map are pages of the explorer.
	Explored, Beside, Map string
}

// A told is a row of a run that is told: its last step, and the sentence.
type told struct {
	Number int
	Text   string
}

// A repair is a variant that mends the algorithm, with the page of the explorer that
// checks it; empty without one.
type repair struct {
	*ledger.Variant
	Checked string
}

// mine is what a class calls its copy of an algorithm.
const mine = "mine"

// slug is the name of the page about a card.
func (c *card) slug() string {
	switch {
	case c.Run != nil:
		return c.Run.Name
	case c.Row != nil:
		return c.Of.Name + "-" + c.Row.Claim.Name
	}
	return c.ID
}

// Address is that of the page about a card, a finding, from the root.
func (c *card) Address() string { return "findings/" + c.slug() + ".html" }

// story returns the page about a card.
func (m *maker) story(c card) (*story, error) {
	s := &story{card: c, address: c.Address()}
	known := func(v *ledger.Variant) bool { return v.Repair }
	if c.Row != nil && c.Row.Claim.Repair != "" { // which begins with its name
		name := c.Row.Claim.Repair
		if end := strings.IndexAny(name, ",:"); end >= 0 {
			name = name[:end]
		}
		known = func(v *ledger.Variant) bool { return v.Name == name }
	}
	for i := range c.Of.Variants {
		if v := &c.Of.Variants[i]; known(v) {
			r := repair{Variant: v}
			if m.Explorer != nil {
				r.Checked = explored(web.Check(c.Of.Name, v.Name, v.Setting))
			}
			s.Repairs = append(s.Repairs, r)
		}
	}
	return s, m.walk(s)
}

// walk gives a page what there is to see of its run, if it has one.
func (m *maker) walk(s *story) error {
	if s.Run == nil {
		return nil
	}
	l := trace.Told(s.Run.layout)
	s.Verdict, s.Words, s.Chapters = s.Run.Verdict, l.Setting.InWords(), l.Chapters
	s.Steps = rowsOf(l)
	var err error
	if s.Stage, err = render.Stage(l); err != nil || m.Explorer == nil {
		return err
	}
	s.Explored, s.Beside = explored(s.Run.explored), s.Run.repaired
	if s.Beside != "" {
		s.Beside = explored(s.Beside)
	}
	if t := s.Run.trace; t != nil {
		s.Map = explored(web.Map(t.Algorithm, cmp.Or(t.Variant, s.Run.of.Variants[0].Name), t))
	}
	return nil
}

// rowsOf returns the rows of a run that is told.
func rowsOf(l *trace.Layout) (list []told) {
	for i := range l.Rows {
		row := told{l.Rows[i].Step, l.Tell(i)}
		if l.Rows[i].Fold != nil {
			row.Text = fmt.Sprintf("Steps %d to %d: %s", l.Rows[i].Fold.First, row.Number, row.Text)
		}
		list = append(list, row)
	}
	return list
}

// Long reports whether a run is too long to be read without scrolling in it.
func (s *story) Long() bool { return len(s.Steps) > 60 }

// stories makes the pages of the findings and the lectures, and the one that finds all.
func (m *maker) stories(b *builder, glossary []section) error {
	findings := make([]*story, len(m.front.Cards))
	for i, c := range m.front.Cards {
		s, err := m.story(c)
		if err != nil {
			return err
		}
		s.Asks = c.asks
		findings[i] = s
	}
	lectures, err := m.lectures(b)
	if err != nil {
		return err
	}
	told, err := m.incidentStories()
	if err != nil {
		return err
	}
	if len(told) > 0 {
		if err := b.make(sheet{address: incidentsPage, template: "incidents", title: "Incidents", about: "Election faults in production systems, each with a shortest run and what fixes it."}, m.incidentTable()); err != nil {
			return err
		}
	}
	list, err := index(m.hits(findings, lectures, told, glossary))
	if err != nil {
		return err
	}
	if err := b.make(sheet{address: searchPage, template: "search", title: "Search", about: "Findings, algorithms, claims, runs and words."}, list); err != nil {
		return err
	}
	if err := b.tell(findings, trace.Link{Text: "Finding", File: "../" + frontPage + "#findings"}); err != nil {
		return err
	}
	if err := b.tell(told, trace.Link{Text: "Incident", File: "../" + incidentsPage}); err != nil {
		return err
	}
	if err := b.sheets(lectures); err != nil {
		return err
	}
	return b.tell(lectures, trace.Link{Text: "Lecture", File: "../" + lecturesPage})
}

// tell makes pages in a row, of which all are listed at a place.
func (b *builder) tell(list []*story, all trace.Link) error {
	links := make([]trace.Link, len(list))
	for i, s := range list {
		links[i] = trace.Link{Text: s.Title, File: "../" + s.address}
	}
	for i, s := range list {
		place := trace.Link{Text: fmt.Sprintf("%s %d of %d", all.Text, i+1, len(list)), File: all.File}
		s.Place = between(place, links, i)
		shown, err := b.m.pictureOf(s)
		if err != nil {
			return err
		}
		template := "story"
		if s.Class != nil {
			template = "lecture"
		}
		if err := b.make(sheet{s.address, template, s.Title, cmp.Or(s.Asks, s.Text), s.Stage != "", shown}, s); err != nil {
			return err
		}
	}
	return nil
}

// Address is that of the page from the root.
func (s *story) Address() string { return s.address }
