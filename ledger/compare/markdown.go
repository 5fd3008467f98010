package compare

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the comparison as Markdown, with tables as GitHub has
// them. Where it is in a directory (WriteDir), cells link to their runs.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	m := &markdown{Comparison: c}
	m.line("# %s", escape(strings.Join(each(c.Subjects, (*Subject).Name), ", ")))
	m.headline()
	m.overviews()
	for _, f := range c.Faults {
		m.fault(f)
	}
	for _, line := range c.legend() {
		m.item("%s", escape(line))
	}
	m.costs()
	m.also()
	m.needs()
	m.premises()
	m.differences()
	_, err := io.WriteString(w, m.b.String())
	return err
}

// A markdown writes a comparison as Markdown.
type markdown struct {
	*Comparison
	b strings.Builder
}

// line writes a paragraph.
func (m *markdown) line(format string, args ...any) {
	if m.b.Len() > 0 {
		m.b.WriteByte('\n')
	}
	fmt.Fprintf(&m.b, format+"\n", args...)
}

// item writes an item of a list.
func (m *markdown) item(format string, args ...any) { fmt.Fprintf(&m.b, "- "+format+"\n", args...) }

// escape returns a text in which nothing means anything to Markdown.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "[", `\[`, "]", `\]`, "`", "\\`", "\n", " ").Replace(s)
}

// row writes a row of a table.
func (m *markdown) row(cells ...string) { m.b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }

// head writes the head of a table with a column for each subject.
func (m *markdown) head(first string) {
	cells, rule := []string{first}, []string{"---"}
	for i := range m.Subjects {
		cells, rule = append(cells, escape(m.Subjects[i].Name())), append(rule, "---")
	}
	m.b.WriteByte('\n')
	m.row(cells...)
	m.row(rule...)
}

// link returns a text as a link to the page of a run, if that has one.
func (m *markdown) link(text string, s *Shown) string {
	if page := m.page(s); page != "" {
		return "[" + text + "](" + page + ")"
	}
	return text
}

func (m *markdown) headline() {
	if len(m.Subjects) > 1 {
		m.line("## %s\n", escape(yardstickTitle(m.Subjects[0].Name())))
		lines := m.summary()
		if len(lines) == 0 {
			m.item("nothing")
		}
		for _, line := range lines {
			m.item("%s", escape(line))
		}
	}
	if m.Interrupted {
		m.line("Interrupted: cells that had not begun by then are incomplete.")
	}
}

func (m *markdown) overviews() {
	m.line("## %s", overviewTitle)
	m.head("under")
	for _, f := range m.Faults {
		cells := []string{escape(f.Name)}
		for i := range m.Subjects {
			text, class := m.overview(m.Subjects[i].Name(), f)
			if text = escape(text); class == "bad" {
				text = "**" + text + "**"
			}
			cells = append(cells, text)
		}
		m.row(cells...)
	}
}

func (m *markdown) fault(f Fault) {
	m.line("## %s", escape(title(f)))
	m.head("property")
	for _, property := range m.asked(f) {
		cells := []string{escape(property)}
		for i := range m.Subjects {
			v := m.view(m.Subjects[i].Name(), f, property)
			text := escape(v.text)
			if v.class == "bad" {
				text = "**" + text + "**"
			}
			if v.cell != nil {
				text = m.link(text, v.cell.Shown)
			}
			cells = append(cells, text)
		}
		m.row(cells...)
	}
	cells := []string{"states"}
	for i := range m.Subjects {
		cells = append(cells, m.states(m.Subjects[i].Name(), f))
	}
	m.row(cells...)
	m.b.WriteByte('\n')
	for _, note := range m.notes(f) {
		m.item("%s", escape(note))
	}
}

func (m *markdown) costs() {
	m.line("## What an election costs, without faults")
	m.head("")
	for _, n := range m.N {
		for _, what := range []string{"messages", "time"} {
			cells := []string{what}
			if len(m.N) > 1 {
				cells[0] += fmt.Sprintf(", n=%d", n)
			}
			for i := range m.Subjects {
				c := m.costsOf(m.Subjects[i].Name(), n)
				s := spreadOf(c.Messages)
				if what == "time" {
					s = spreadOf(c.Time)
					cells = append(cells, fmt.Sprintf("%s to %s, mean %s", s.best, s.worst, s.mean))
					continue
				}
				cells = append(cells, fmt.Sprintf("%s to %s, mean %s", m.link(s.best, c.Best), m.link(s.worst, c.Worst), s.mean))
			}
			m.row(cells...)
		}
	}
	for _, note := range m.costNotes() {
		m.line("%s", escape(note))
	}
}

func (m *markdown) also() {
	if len(m.Answers) == 0 {
		return
	}
	m.line("## %s", alsoTitle)
	m.head("")
	for i := range m.Answers {
		name := m.Answers[i].Name
		if i > 0 && name == m.Answers[i-1].Name {
			continue
		}
		cells := []string{escape(name)}
		for j := range m.Subjects {
			a := m.answer(name, m.Subjects[j].Name())
			cells = append(cells, m.link(escape(a.Text), a.Shown))
		}
		m.row(cells...)
	}
	m.b.WriteByte('\n')
	for _, note := range m.alsoNotes() {
		m.item("%s", escape(note))
	}
}

func (m *markdown) needs() {
	m.line("## What each assumes\n")
	for i := range m.Subjects {
		s := &m.Subjects[i]
		m.item("**%s**: %s. As premises: %s.", escape(s.Name()), escape(strings.TrimSuffix(s.Assumes, ".")), escape(s.premises()))
	}
}

func (m *markdown) premises() {
	m.line("## Which assumption breaks it")
	m.line("%s", escape(premisesNote))
	last := ""
	for i := range m.Premises {
		w := &m.Premises[i]
		if w.Subject != last {
			last = w.Subject
			m.line("### %s", escape(last))
			m.line("`%s`", w.Before.Setting)
			if text := before(w.Before); text != "" {
				m.line("%s", escape(text))
			}
			m.b.WriteString("\n| instead of what it assumes | what happens |\n| --- | --- |\n")
		}
		text, class := w.outcome()
		if text = escape(text); class == "bad" {
			var parts []string
			for _, c := range w.Broken() {
				parts = append(parts, m.link(escape(brokenBrief(c)), c.Shown))
			}
			text = "breaks " + strings.Join(parts, ", ")
		}
		m.row(escape(w.Assumption.Premise.Lack()), text)
	}
}

func (m *markdown) differences() {
	if len(m.Differences) == 0 {
		return
	}
	m.line("## Different coordinators after the same events\n")
	for i := range m.Differences {
		d := &m.Differences[i]
		text := escape(d.verdict())
		if d.RunA != nil {
			text += ": " + m.link("the run of "+escape(d.A), d.RunA) + ", " + m.link("the run of "+escape(d.B), d.RunB)
		}
		m.item("%s and %s: %s. %s", escape(d.A), escape(d.B), text, escape(d.also()))
	}
}
