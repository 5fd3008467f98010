package render

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/trace"
)

// Mermaid writes a run as a sequence diagram in the language of Mermaid.
// A message is an arrow where it arrives, or where it is lost; an open one is
// still in flight at the end. Other events stand in notes, the cycle of a
// lasso in a loop, and the breaking step on a ground of its own.
func Mermaid(w io.Writer, run *trace.Layout) error {
	m := mermaid{layout: layout{run}}
	m.write()
	_, err := io.WriteString(w, m.out.String())
	return err
}

// A mermaid is a layout while it is written as a sequence diagram.
type mermaid struct {
	layout
	out    strings.Builder
	indent int
}

// line writes a line; its texts have been through mermaidText.
func (m *mermaid) line(format string, args ...any) {
	m.out.WriteString(strings.Repeat("    ", m.indent) + fmt.Sprintf(format, args...) + "\n")
}

func (m *mermaid) write() {
	m.line("sequenceDiagram")
	m.indent++
	m.line("title %s", mermaidText(m.heading()))
	m.line("accDescr: %s", mermaidText(strings.TrimSpace(m.Verdict+". "+m.demand())))
	for k, c := range m.Columns {
		m.line("participant p%d as %s", k+1, mermaidText(c.Name()))
	}
	for i := range m.Rows {
		if m.mergedTick(i) {
			continue
		}
		if m.begins(i) {
			m.line("loop %s", mermaidText("without end"))
			m.indent++
		}
		breaking := i == m.Breaks && m.Kind == trace.Violation
		if breaking {
			m.line("rect rgba(200, 20, 50, 0.12)")
			m.indent++
		}
		m.row(i)
		if breaking {
			m.indent--
			m.line("end")
		}
	}
	if m.Lasso > 0 {
		m.indent--
		m.line("end")
	}
	for k := range m.Arrows {
		if a := &m.Arrows[k]; a.Fate == trace.InFlight {
			m.arrow(a, "--)", " (in flight at the end)")
		}
	}
	m.note(-1, m.Verdict+".")
}

// begins reports whether the loop begins with row i.
func (m *mermaid) begins(i int) bool {
	return m.Lasso > 0 && i >= m.Lasso && m.firstTick(i) <= m.Lasso
}

// row writes what happens in a row.
func (m *mermaid) row(i int) {
	r := &m.Rows[i]
	switch {
	case i == 0:
		m.note(-1, m.Tell(0))
		return
	case m.isTick(i):
		m.note(-1, fmt.Sprintf("time %d", r.Time))
		return
	}
	said := false
	if r.Arrow >= 0 {
		if a := &m.Arrows[r.Arrow]; a.End == i {
			said = a.Fate == trace.Delivered
			m.end(a)
		}
	}
	for _, k := range r.Dropped {
		m.end(&m.Arrows[k])
	}
	words := m.mermaidNote(i, said)
	for k := range r.Cells {
		switch {
		case k == r.At && len(words) > 0:
			m.note(k, strings.Join(words, "; "))
		case k != r.At && r.Cells[k].Changed && r.Cells[k].Status == model.Up:
			m.note(k, strings.Join(m.BeliefChange(i, k), ", "))
		}
	}
	if r.At < 0 || r.Mark == trace.NoMark {
		m.note(-1, m.Tell(i))
	}
	for _, k := range r.Sent {
		if a := &m.Arrows[k]; a.Fate == trace.Refused {
			m.end(a)
		}
	}
}

// mermaidNote returns what is to be said of the process of a row beside the
// message that it receives.
func (m *mermaid) mermaidNote(i int, received bool) (words []string) {
	r := &m.Rows[i]
	if r.At < 0 || r.Mark == trace.NoMark || r.Mark == trace.Missed {
		return nil
	}
	if !received {
		what := m.Happened(i)
		if r.Action.Kind == model.Expires {
			what += " (timer " + r.Action.Timer + ")"
		}
		words = append(words, what)
	}
	if rules := m.RuleText(i); rules != "" {
		words = append(words, rules)
	}
	if r.Cells[r.At].Changed {
		words = append(words, m.BeliefChange(i, r.At)...)
	}
	if r.Misuse != "" {
		words = append(words, "goes wrong: "+r.Misuse)
	}
	return words
}

// end writes the end of a message.
func (m *mermaid) end(a *trace.Arrow) {
	switch a.Fate {
	case trace.Delivered:
		m.arrow(a, "->>", "")
	case trace.Undeliverable, trace.Lost:
		m.arrow(a, "-x", " (lost)")
	case trace.Discarded:
		m.arrow(a, "-x", " (discarded)")
	case trace.Refused:
		m.arrow(a, "-x", " (lost at once)")
	}
}

func (m *mermaid) arrow(a *trace.Arrow, arrow, after string) {
	m.line("p%d%sp%d: %s", a.From+1, arrow, a.To+1, mermaidText(a.Text+after))
}

// note writes a note at a process, or across all of them.
func (m *mermaid) note(column int, text string) {
	where, width := fmt.Sprintf("p%d", column+1), 320
	if column < 0 {
		where, width = "p1", max(320, 160*len(m.Columns))
		if n := len(m.Columns); n > 1 {
			where = fmt.Sprintf("p1,p%d", n)
		}
	}
	m.line("Note over %s: %s", where, strings.Join(mapped(wrapWidth(text, width, 13), mermaidText), "<br/>"))
}

func mapped(list []string, f func(string) string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = f(list[i])
	}
	return list
}

// endWord is the word that closes what is open in Mermaid's language.
var endWord = regexp.MustCompile(`(?i)\bend\b`)

// mermaidText writes a text so that Mermaid shows it as it is: all but letters,
// digits and a few signs as the codes of characters, and so the word "end".
func mermaidText(text string) string {
	text = drawable(text)
	ends := map[int]bool{} // where such a word begins
	for _, at := range endWord.FindAllStringIndex(text, -1) {
		ends[at[0]] = true
	}
	var b strings.Builder
	for i, r := range text {
		plain := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune(" ,.()-/'", r)
		if plain && !ends[i] {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "#%d;", r)
		}
	}
	return b.String()
}
