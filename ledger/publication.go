package ledger

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A Publication is a work that sources name, and where it is to be had.
type Publication struct {
	// Title is the title, as sources have it in capital letters or not.
	Title string
	// DOI is its digital object identifier: "10.1145/359104.359108". It is empty where it
	// has none that we know.
	DOI string
	// Short is what tables call it: "Kabashi, Zeqiri and Zabeli". It is empty for a work
	// that says nothing in the ledger.
	Short string
	// Also are other words by which sources name it.
	Also []string
}

// Address returns where it is to be had.
func (p *Publication) Address() string { return "https://doi.org/" + p.DOI }

// Linked returns a source as HTML, in which the titles of publications are links.
func Linked(source string, list []Publication) string {
	text := html.EscapeString(source)
	for i := range list {
		if list[i].DOI == "" {
			continue
		}
		title := regexp.MustCompile("(?i)" + regexp.QuoteMeta(html.EscapeString(list[i].Title)))
		text = title.ReplaceAllStringFunc(text, func(found string) string {
			return `<a href="` + html.EscapeString(list[i].Address()) + `">` + found + `</a>`
		})
	}
	return text
}

// Names reports whether a source names the publication.
func (p *Publication) Names(source string) bool {
	return slices.ContainsFunc(append([]string{p.Title}, p.Also...), func(words string) bool {
		return strings.Contains(strings.ToLower(source), strings.ToLower(words))
	})
}

// A SourceTally counts the claims of a source by their outcomes.
type SourceTally struct {
	// Source is what the publication is called in tables, or the source as claims have it
	// where no publication has a name for it.
	Source string
	// Algorithms are those of which it speaks.
	Algorithms []string
	Tally      Tally
}

// BySource counts the claims of the ledger by who makes them, those who make most first. A
// publication of the list stands for the sources that name it; of two the first.
func (l *Ledger) BySource(works []Publication) (list []SourceTally) {
	for i := range l.Entries {
		e := &l.Entries[i]
		for k := range e.Judgements {
			c := &e.Algorithm.Claims()[k]
			name := cmp.Or(c.Source, e.Algorithm.Source)
			if at := slices.IndexFunc(works, func(p Publication) bool { return p.Short != "" && p.Names(name) }); at >= 0 {
				name = works[at].Short
			}
			at := slices.IndexFunc(list, func(s SourceTally) bool { return s.Source == name })
			if at < 0 {
				at, list = len(list), append(list, SourceTally{Source: name})
			}
			s := &list[at]
			if !slices.Contains(s.Algorithms, e.Algorithm.Name) {
				s.Algorithms = append(s.Algorithms, e.Algorithm.Name)
			}
			s.Tally.add(c, e.Judgements[k].Outcome)
		}
	}
	slices.SortStableFunc(list, func(x, y SourceTally) int { return cmp.Compare(y.Tally.Claims, x.Tally.Claims) })
	return list
}

// An Omission is a system that a source describes and a catalogue does not have.
type Omission struct {
	// Name is the system by its author: "Burns".
	Name string
	// Source says who describes it and where, with the number under which it is
	// cited there.
	Source string
	// Quote is what that source says of it.
	Quote string
	// Why says why there is no package of it.
	Why string
}

// WriteOmissions writes, as Markdown, a section on the systems that a catalogue
// does not have. It writes nothing for an empty list.
func WriteOmissions(w io.Writer, list []Omission) error {
	if len(list) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString("\n## Not modelled, and why\n\nThese systems are described in the sources, and the catalogue does not have them.\n\n" +
		"| system | described in | as | why it is not modelled |\n|---|---|---|---|\n")
	for _, o := range list {
		fmt.Fprintf(&b, "| %s | %s | “%s” | %s |\n", escape(o.Name), escape(o.Source), escape(o.Quote), escape(o.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
