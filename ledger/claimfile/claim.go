package claimfile

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/naming"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
)

// fieldWords are the words with which the lines of a claim begin.
var fieldWords = []string{
	"source", "place", "says", "kind", "exceeds", "delays", "unsaid", "between", "alike", "formula", "finding", "supposes", "evidence", "proved", "note", "story", "repair",
	"needs", "idle",
}

// claim reads a claim.
func (r *reader) claim(l *line) {
	word, name := l.own().cut()
	if err := naming.Valid(name.text); err != nil {
		r.failf(name.start(), "claim: %v", err)
		return
	}
	c := ledger.Claim{Name: name.text, At: r.at(word.start())}
	for i := range r.claims {
		if old := &r.claims[i]; old.Name == c.Name {
			r.failf(name.start(), "there is a claim %q already: %s", c.Name, old.At)
		}
	}
	seen := make(map[string]bool)
	for _, sub := range l.below {
		key, _ := sub.own().cut()
		if seen[key.text] {
			r.failf(key.start(), "claim %s has %q twice", c.Name, key.text)
		}
		seen[key.text] = true
		r.field(&c, key, sub)
	}
	for _, want := range []string{"place", "says", "kind"} {
		if !seen[want] {
			r.failf(word.start(), "claim %s has no %q: want place, says and kind at least", c.Name, want)
		}
	}
	r.claims = append(r.claims, c)
}

// storyWords are the words with which the lines of a story begin.
var storyWords = []string{"reading", "breaks", "in", "title", "text"}

// story reads what there is to say of a recorded run.
func (r *reader) story(l *line) {
	word, name := l.own().cut()
	s := ledger.Story{Name: name.text, At: r.at(word.start())}
	if err := naming.Valid(name.text); err != nil {
		r.failf(name.start(), "story: %v", err)
	}
	for i := range r.stories {
		if old := &r.stories[i]; old.Name == s.Name {
			r.failf(name.start(), "there is a story %q already: %s", s.Name, old.At)
		}
	}
	fields := map[string]*string{"reading": &s.Variant, "breaks": &s.Property, "in": &s.Setting, "title": &s.Title, "text": &s.Text}
	for _, sub := range l.below {
		key, value := sub.passage().cut()
		switch field, ok := fields[key.text]; {
		case !ok:
			r.failf(key.start(), "unknown word %q of a story: %s", nearest.Clip(key.text), nearest.Hint(key.text, storyWords))
		case *field != "":
			r.failf(key.start(), "story %s has %q twice", s.Name, key.text)
		case value.text == "":
			r.failf(key.start(), "want a text behind %q", key.text)
		default:
			*field = r.fill(value, nil)
		}
	}
	if s.Property == "" || s.Setting == "" || s.Title == "" || s.Text == "" {
		r.failf(word.start(), "story %s has not all of its lines: want breaks, in, title and text at least", s.Name)
	}
	r.stories = append(r.stories, s)
}

// at returns a place as the field At of a claim.
func (r *reader) at(p place) string { return fmt.Sprintf("%s:%d", r.file, p.line) }

// field reads a line of a claim.
func (r *reader) field(c *ledger.Claim, key *passage, l *line) {
	if key.text == "evidence" {
		if l.text != key.text || len(l.below) == 0 {
			r.failf(key.start(), "want \"evidence\" alone in its line, and below it a line for each question")
		}
		states := r.statements(l.below, []state{{}})
		for i := range states {
			c.Evidence = append(c.Evidence, states[i].ev)
		}
		return
	}
	_, value := l.passage().cut()
	if value.text == "" && slices.Contains(fieldWords, key.text) {
		r.failf(key.start(), "want a text behind %q", key.text)
		return
	}
	texts := map[string]*string{
		"place": &c.Place, "says": &c.Text, "exceeds": &c.Exceeds, "delays": &c.Delays, "finding": &c.Finding, "supposes": &c.Supposes,
		"unsaid": &c.Unsaid, "alike": &c.Alike, "formula": &c.Formula, "note": &c.Note, "story": &c.Story, "repair": &c.Repair,
	}
	switch key.text {
	case "source":
		c.Source = r.publication(value)
	case "kind":
		r.kind(c, value)
	case "between":
		c.Between = r.list(value)
	case "proved":
		c.Proved = r.list(value)
	case "needs":
		c.Needs = r.list(value)
	case "idle":
		c.Idle = r.list(value)
	default:
		t, ok := texts[key.text]
		if !ok {
			r.failf(key.start(), "unknown word %q of a claim: %s", nearest.Clip(key.text), nearest.Hint(key.text, fieldWords))
			return
		}
		*t = r.fill(value, nil)
	}
}

// kind reads what a claim is about.
func (r *reader) kind(c *ledger.Claim, value *passage) {
	var all []string
	for k := ledger.SafetyClaim; k <= ledger.FigureClaim; k++ {
		if k.String() == value.text {
			c.Kind = k
			return
		}
		all = append(all, k.String())
	}
	r.failf(value.start(), "kind %q: want one of %s", nearest.Clip(value.text), strings.Join(all, ", "))
}

// list reads words that are set apart by semicolons.
func (r *reader) list(value *passage) (words []string) {
	for _, w := range strings.Split(r.fill(value, nil), ";") {
		if w = strings.TrimSpace(w); w == "" {
			r.failf(value.start(), "between two semicolons is nothing")
		} else {
			words = append(words, w)
		}
	}
	return words
}
