package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/trace/render"
)

// WriteText writes the comparison for a terminal, and draws the runs that come
// to different coordinators unless brief.
func (c *Comparison) WriteText(w io.Writer, opt render.TextOptions, brief bool) error {
	p := prose.Print(opt.Width, opt.Color)
	width := max(opt.Width, 60)
	if opt.Width <= 0 {
		width = 80
	}
	t := &texter{c, p, width, leastNames}
	for _, property := range c.Properties {
		t.names = max(t.names, min(len(property.Name)+1, mostNames))
	}
	for _, a := range c.Answers {
		t.names = max(t.names, min(len(a.Name)+1, mostNames))
	}
	t.headline()
	t.overviews()
	for _, line := range c.legend() {
		p.Line(2, line, "")
	}
	p.Gap()
	for _, f := range c.Faults {
		t.fault(f)
	}
	t.costs()
	t.also()
	t.needs()
	t.premises()
	if _, err := io.WriteString(w, p.String()); err != nil {
		return err
	}
	return c.writeDifferences(w, opt, brief)
}

// A texter writes a comparison as text.
type texter struct {
	*Comparison
	*prose.Printer
	width int
	names int // how wide the column of names is
}

// paints of the classes of views.
var paints = map[string]string{"good": prose.Green, "bad": prose.Red, "open": prose.Yellow, "none": ""}

// headline says what subjects break of what the first one keeps.
func (t *texter) headline() {
	first := t.Subjects[0].Name()
	if len(t.Subjects) > 1 {
		t.Line(0, yardstickTitle(first), prose.Bold)
		lines := t.summary()
		if len(lines) == 0 {
			t.Line(2, "nothing", prose.Green)
		}
		for _, line := range lines {
			t.Hanging(2, "- ", line, prose.Red)
		}
	}
	if t.Interrupted {
		t.Line(2, "Interrupted: cells that had not begun by then are incomplete.", prose.Yellow)
	}
	t.Gap()
}

// yardstickTitle stands above what the others break of what the first subject keeps.
func yardstickTitle(first string) string {
	return "Properties that " + first + " keeps and others break"
}

// summary has a line for each subject and fault under which it breaks what the
// first one keeps.
func (c *Comparison) summary() (lines []string) {
	type key struct{ subject, fault string }
	var order []key
	broke := make(map[key][]string)
	stars := make(map[key]string)
	seen := make(map[string]bool)
	for _, b := range c.Breaks() {
		k := key{b.Subject, b.Fault.Name}
		if id := b.Subject + "\n" + b.Fault.Name + "\n" + b.Cell.Property; seen[id] {
			continue
		} else {
			seen[id] = true
		}
		if broke[k] == nil {
			order = append(order, k)
		}
		text := strings.TrimPrefix(broken(b.Cell, b.N, len(c.N) > 1), "broken ")
		broke[k] = append(broke[k], b.Cell.Property+" ("+text+")")
		if b.Outside {
			stars[k] = ", which is outside what it assumes"
		}
	}
	for _, k := range order {
		lines = append(lines, fmt.Sprintf("%s, %s%s: %s", k.subject, k.fault, stars[k], strings.Join(broke[k], ", ")))
	}
	return lines
}

// How wide columns are: that of names, and those of subjects.
const (
	leastNames, mostNames = 22, 28
	cellColumn            = 14
)

// groups divides the subjects into as many as fit beside each other.
func (t *texter) groups() (groups [][]Subject) {
	fit := max(1, (t.width-t.names-2)/cellColumn)
	for rest := t.Subjects; len(rest) > 0; rest = rest[min(fit, len(rest)):] {
		groups = append(groups, rest[:min(fit, len(rest))])
	}
	return groups
}

// overviews writes how many properties each keeps.
func (t *texter) overviews() {
	t.Line(0, overviewTitle, prose.Bold)
	for _, group := range t.groups() {
		t.heads(group)
		for _, f := range t.Faults {
			name := []rune(f.Name)
			if len(name) > t.names-1 {
				name = append(name[:t.names-2], '…')
			}
			t.row(string(name), group, func(s *Subject) (string, string) {
				text, class := t.overview(s.Name(), f)
				return text, paints[class]
			})
		}
	}
	t.Gap()
}

// overviewTitle stands above the table of what is kept under each fault.
const overviewTitle = "Properties kept, of those that each author asks"

// fault writes the table of a fault.
func (t *texter) fault(f Fault) {
	t.Line(0, title(f), prose.Bold)
	for _, group := range t.groups() {
		t.heads(group)
		for _, property := range t.asked(f) {
			if !slices.ContainsFunc(group, func(s Subject) bool { return t.view(s.Name(), f, property).cell != nil }) {
				continue
			}
			t.row(property, group, func(s *Subject) (string, string) {
				v := t.view(s.Name(), f, property)
				return v.text, paints[v.class]
			})
		}
		t.row("states", group, func(s *Subject) (string, string) { return t.states(s.Name(), f), "" })
	}
	for _, note := range t.notes(f) {
		t.Hanging(2, "", note, "")
	}
	t.Gap()
}

// title returns what stands above the table of a fault.
func title(f Fault) string {
	switch f.Words {
	case f.Name:
		return f.Name
	case "":
		return f.Name + ", and no fault"
	}
	return f.Name + " (" + f.Words + ")"
}

// heads writes the names of subjects above their columns.
func (t *texter) heads(group []Subject) {
	if group[0].Name() != t.Subjects[0].Name() {
		t.Gap()
	}
	t.row("", group, func(s *Subject) (string, string) { return s.Algorithm, prose.Bold })
	t.row("", group, func(s *Subject) (string, string) { return "/" + s.Variant, "" })
}

// row writes a row of a table.
func (t *texter) row(name string, group []Subject, cell func(s *Subject) (text, paint string)) {
	line, pad := fmt.Sprintf("  %-*s", t.names, name), 0
	for i := range group {
		text, paint := cell(&group[i])
		if n := utf8.RuneCountInString(text); n > cellColumn-1 && i+1 < len(group) {
			text = string([]rune(text)[:cellColumn-2]) + "…"
		}
		line += strings.Repeat(" ", pad) + t.Paint(paint, text)
		pad = max(cellColumn-utf8.RuneCountInString(text), 1)
	}
	t.Text(strings.TrimRight(line, " ") + "\n")
}

// costs writes what elections cost.
func (t *texter) costs() {
	t.Line(0, "What an election costs, without faults", prose.Bold)
	for _, group := range t.groups() {
		t.heads(group)
		for _, n := range t.N {
			for _, line := range []struct {
				name string
				of   func(c *Costs) string
			}{
				{"messages, best", func(c *Costs) string { return spreadOf(c.Messages).best }},
				{"messages, worst", func(c *Costs) string { return spreadOf(c.Messages).worst }},
				{"messages, mean", func(c *Costs) string { return spreadOf(c.Messages).mean }},
				{"time, best", func(c *Costs) string { return spreadOf(c.Time).best }},
				{"time, worst", func(c *Costs) string { return spreadOf(c.Time).worst }},
				{"time, mean", func(c *Costs) string { return spreadOf(c.Time).mean }},
			} {
				name := line.name
				if len(t.N) > 1 {
					name += fmt.Sprintf(" n=%d", n)
				}
				t.row(name, group, func(s *Subject) (string, string) { return line.of(t.costsOf(s.Name(), n)), "" })
			}
		}
	}
	for _, note := range t.costNotes() {
		t.Line(2, note, "")
	}
	t.Gap()
}

// costNotes says what the figures of costs mean.
func (c *Comparison) costNotes() []string {
	notes := []string{"Time is in message times: every message takes one. The mean is over runs in which all possible next steps are " +
		"equally likely. An algorithm that begins settled begins with its coordinator just crashed."}
	for i := range c.Costs {
		k := &c.Costs[i]
		at := k.Subject
		if len(c.N) > 1 {
			at += fmt.Sprintf(", n=%d", k.N)
		}
		switch {
		case k.Why != "":
			notes = append(notes, at+": "+k.Why+".")
		case k.UntilNamed:
			notes = append(notes, at+" never settles: its costs are those until every live process names a live one.")
		}
	}
	return notes
}

// alsoTitle stands above what else was asked.
const alsoTitle = "What clients can expect, with a crash and a restart"

// also writes what else was asked.
func (t *texter) also() {
	if len(t.Answers) == 0 {
		return
	}
	t.Line(0, alsoTitle, prose.Bold)
	for _, group := range t.groups() {
		t.heads(group)
		for i := range t.Answers {
			if name := t.Answers[i].Name; i == 0 || name != t.Answers[i-1].Name {
				t.row(name, group, func(s *Subject) (string, string) {
					a := t.answer(name, s.Name())
					return a.Text, paints[a.class()]
				})
			}
		}
	}
	for _, note := range t.alsoNotes() {
		t.Line(2, note, "")
	}
	t.Gap()
}

// needs says what each algorithm needs of the world.
func (t *texter) needs() {
	t.Line(0, "What each assumes", prose.Bold)
	for i := range t.Subjects {
		s := &t.Subjects[i]
		t.Line(2, s.Name(), prose.Bold)
		t.Hanging(4, "", s.Assumes, "")
		t.Hanging(4, "as premises: ", s.premises(), "")
		if calm, err := s.calm(t.N[0]); err == nil {
			t.Hanging(4, "as a setting: ", calm.String(), "")
		}
	}
	t.Gap()
}

// premises names what a subject assumes, and where its source says so.
func (s *Subject) premises() string {
	var list []string
	for _, a := range s.Assumptions {
		list = append(list, a.Premise.String()+place(a.Place))
	}
	if len(list) == 0 {
		return "none are known"
	}
	return strings.Join(list, ", ")
}

// premisesNote says what the table of assumptions shows.
const premisesNote = "We drop one assumption at a time and keep the others. The table " +
	"names what held before and breaks, with the steps of the shortest run."

// premises writes which assumption breaks what.
func (t *texter) premises() {
	t.Line(0, "Which assumption breaks it", prose.Bold)
	t.Line(2, premisesNote, "")
	last := ""
	for i := range t.Premises {
		w := &t.Premises[i]
		if w.Subject != last {
			last = w.Subject
			t.Line(2, last+", "+w.Before.Setting.String(), prose.Bold)
			if text := before(w.Before); text != "" {
				t.Hanging(4, "", text, "")
			}
		}
		text, class := w.outcome()
		t.Hanging(4, w.Assumption.Premise.Lack()+": ", text, paints[class])
	}
	t.Gap()
}

// before says what is wrong although all is granted that a subject assumes.
func before(t *Trial) string {
	var list []string
	for i := range t.Cells {
		if c := &t.Cells[i]; bad(c) {
			list = append(list, brokenBrief(c))
		}
	}
	switch {
	case t.Refused != "":
		return "not applicable: " + t.Refused
	case len(list) > 0:
		return "even with every assumption granted: breaks " + strings.Join(list, ", ")
	case t.Why != "":
		return "even with every assumption granted: incomplete: " + t.Why
	}
	return ""
}

// writeDifferences writes the pairs of runs that come to different coordinators.
func (c *Comparison) writeDifferences(w io.Writer, opt render.TextOptions, brief bool) error {
	if len(c.Differences) == 0 {
		return nil
	}
	p := prose.Print(opt.Width, opt.Color)
	p.Line(0, "Different coordinators after the same events", prose.Bold)
	for i := range c.Differences {
		d := &c.Differences[i]
		p.Hanging(2, "- "+d.A+" and "+d.B+": ", d.verdict(), "")
		if also := d.also(); also != "" {
			p.Line(4, also, "")
		}
		for _, shown := range []*Shown{d.RunA, d.RunB} {
			if shown == nil || brief {
				continue
			}
			p.Gap()
			if err := shown.text(p, opt); err != nil {
				return err
			}
		}
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// text draws the run.
func (s *Shown) text(p *prose.Printer, opt render.TextOptions) error {
	layout, err := s.lay()
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := render.Text(&b, layout, opt); err != nil {
		return err
	}
	p.Text(b.String())
	return nil
}
