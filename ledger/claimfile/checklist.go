package claimfile

import (
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/ledger"
)

// checklist reads what answers the items that are asked of each source.
func (r *reader) checklist(l *line) {
	word, rest := l.own().cut()
	if rest.text != "" {
		r.failf(rest.start(), "want \"checklist\" alone in its line, and below it source (unless it is the algorithm's own), and %s",
			strings.Join(ledger.CheckItemNames(), ", "))
	}
	list := ledger.Checklist{At: r.at(word.start())}
	for _, sub := range l.below {
		p := sub.passage()
		key, value := p.cut()
		if key.text != "source" {
			list.Checked = append(list.Checked, r.checked(p))
			continue
		}
		if len(list.Sources) > 0 || value.text == "" {
			r.failf(key.start(), "want one line with the sources of a checklist, set apart by semicolons")
		}
		for _, name := range value.split(";") {
			list.Sources = append(list.Sources, r.publication(name))
		}
	}
	if len(list.Sources) == 0 {
		list.Sources = []string{ledger.Own}
	}
	if len(list.Checked) == 0 {
		r.failf(word.start(), "the checklist is empty: want %s", strings.Join(ledger.CheckItemNames(), ", "))
	}
	r.checklists = append(r.checklists, list)
}

// checked reads a line of a checklist: items, set apart by commas, and what answers them.
func (r *reader) checked(p *passage) (c ledger.Checked) {
	c.At = r.at(p.start())
	for {
		item, rest := p.cut()
		name, more := strings.CutSuffix(item.text, ",")
		if !slices.Contains(ledger.CheckItemNames(), name) {
			r.failf(item.start(), "unknown word %q of a checklist: %s", nearest.Clip(name), nearest.Hint(name, append(ledger.CheckItemNames(), "source")))
			return c
		}
		c.Items = append(c.Items, name)
		if p = rest; !more {
			break
		}
	}
	kind, value := p.cut()
	c.Kind = ledger.CheckKind(kind.text)
	if !slices.Contains(ledger.CheckKinds, c.Kind) || value.text == "" {
		r.failf(p.start(), "want behind %q %s", c.Items[len(c.Items)-1], ledger.ToCheck)
		return c
	}
	switch c.Kind {
	case ledger.CheckedByQuestion, ledger.CheckedByWorld:
		c.Names = r.list(value)
	case ledger.NotToCheck:
		c.Text = r.fill(value, nil)
	case ledger.CheckedBySentence, ledger.CheckedByProgram:
		text := r.fill(value, nil)
		place, said, found := strings.Cut(text, ": ")
		c.Place, c.Text = place, strings.TrimSpace(said)
		if !found || c.Text == "" {
			r.failf(value.start(), "%s", map[ledger.CheckKind]string{
				ledger.CheckedBySentence: `want a place, a colon, and what the source says there: says section 2: "..."`,
				ledger.CheckedByProgram:  `want a function, a colon, and what it does: does backoff: it waits a second`,
			}[c.Kind])
		}
	}
	return c
}
