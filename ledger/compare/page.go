package compare

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/trace/render"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageStyle string

	pageTemplate = template.Must(template.New("compare").Parse(render.FrameHTML + pageHTML))
)

// WritePage writes the comparison as a page of HTML, one file that needs no
// other and no network, and has no script. It says what is compared and what is
// kept under each fault; the rest is folded. In a directory (WriteDir) its cells
// link to the pages of their runs.
func (c *Comparison) WritePage(w io.Writer) error {
	title := cmp.Or(c.Title, strings.Join(each(c.Subjects, (*Subject).Name), ", "))
	f, err := render.Framed(c.Site, title, c.lead(), render.PageStyle()+pageStyle, "")
	if err != nil {
		return err
	}
	p := page{Frame: f, Title: title, Interrupted: c.Interrupted, Overview: c.overviewTable(), Signs: c.signs()}
	for i, f := range c.Faults {
		p.Parts = append(p.Parts, c.faultPart(fmt.Sprintf("fault-%d", i+1), f))
	}
	p.Parts = append(p.Parts, c.costPart())
	if len(c.Answers) > 0 {
		p.Parts = append(p.Parts, c.alsoPart())
	}
	p.Parts = append(p.Parts, c.assumptionPart())
	if len(c.Subjects) > 1 {
		differences, err := c.differencePart()
		if err != nil {
			return err
		}
		p.Parts = append(p.Parts, c.yardstickPart(), differences)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// The data that the template shows, which escapes all texts of a comparison.
type (
	page struct {
		render.Frame
		Title       string
		Interrupted bool
		Overview    table
		Signs       []sign
		Parts       []part
	}
	// A part is folded: its title and what it comes to are seen.
	part struct {
		ID, Title, Small, Result, Intro string
		Tables                          []table
		Notes                           []string
		Runs                            []drawn
	}
	table struct {
		Label string
		Head  []head
		Rows  []row
	}
	head struct{ Text, Small, Hint, Href string }
	row  struct {
		head
		Cells []cell
	}
	// A cell has lines, each of pieces.
	cell struct {
		Class, Hint string
		Lines       []line
		Small       string
	}
	line struct {
		Class  string
		Pieces []piece
	}
	piece struct{ Text, Href string }
	// A sign is explained where it is used.
	sign  struct{ Sign, Class, Means, Href string }
	drawn struct {
		Name, Href, Text string
		Drawing          template.HTML
	}
)

// one returns a cell with a text and a link, if there is one.
func one(class, hint, text, href string) cell {
	return cell{Class: class, Hint: hint, Lines: []line{{Pieces: []piece{{text, href}}}}}
}

// lead says what is compared.
func (c *Comparison) lead() string {
	var n []string
	for _, k := range c.N {
		n = append(n, fmt.Sprint(k))
	}
	among := strings.Join(n, " and ")
	if len(n) > 2 {
		among = prose.List(n)
	}
	return fmt.Sprintf("%s among %s processes, each in the reading below its name. Each was searched without faults, and with one fault at a time. "+
		"The table counts the properties that each author asks, and how many of them hold.", quantity.Plural(len(c.Subjects), "algorithm"), among)
}

// names returns the head of a row about a subject.
func (c *Comparison) names(s *Subject) head {
	h := head{Text: s.Algorithm, Small: s.Variant, Hint: s.Title}
	if c.Of != nil {
		h.Href = c.Of(s.Algorithm)
	}
	return h
}

// word returns the address at which a word is explained, empty where there is no
// glossary.
func (c *Comparison) word(word string) string {
	if c.Glossary == "" {
		return ""
	}
	return c.Glossary + "#" + word
}

// signs says what stands in the tables.
func (c *Comparison) signs() []sign {
	list := []sign{
		{"holds", "good", "in every run", ""},
		{"7 steps", "bad", "it breaks, and the shortest run to that has 7 steps; with “then a loop” it breaks by going on without end", c.word("shortest-run")},
		{"7 steps", "open", "it breaks under a fault that the algorithm's source excludes: beyond its assumptions", ""},
		{"vacuous", "none", "it never came up", c.word("vacuous")},
		{"incomplete", "none", "a limit ended the search before it was decided", c.word("incomplete")},
		{"–", "none", "it is not asked of the algorithm; in brackets: its author does not ask it", ""},
	}
	if len(c.N) > 1 {
		list = append(list, sign{fmt.Sprintf("n=%d", c.N[len(c.N)-1]), "none", "among so many processes, and not among fewer", ""})
	}
	return list
}

// overviewTable returns the table of how much is kept under each fault.
func (c *Comparison) overviewTable() table {
	t := table{Label: "What holds under each fault", Head: []head{{Text: "algorithm"}}}
	for i, f := range c.Faults {
		t.Head = append(t.Head, head{Text: f.heading(), Small: f.more(), Href: fmt.Sprintf("#in-fault-%d", i+1)})
	}
	for i := range c.Subjects {
		s := &c.Subjects[i]
		r := row{head: c.names(s)}
		for _, f := range c.Faults {
			r.Cells = append(r.Cells, c.score(s.Name(), f).cell())
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// heading is what a fault is called above its answers.
func (f Fault) heading() string {
	if f.Words == "" {
		return "No fault"
	}
	return prose.Capital(f.Name)
}

// more returns the words of a fault where its name is another one.
func (f Fault) more() string {
	if f.Words == f.Name {
		return ""
	}
	return f.Words
}

// cell returns what the overview shows of a score.
func (s score) cell() cell {
	text := func(n int, what string) string { return fmt.Sprintf("%d of %d %s", n, s.asked, what) }
	var c cell
	switch {
	case s.asked == 0:
		return one("none", "", "not applicable", "")
	case s.broke > 0:
		if c = one("bad", "", text(s.broke, "break"), ""); s.outside {
			c.Class, c.Small = "open", "beyond its assumptions"
		}
		return c
	case s.open > 0:
		c = one("none", "", text(s.kept, "hold"), "")
		c.Small = fmt.Sprintf("%d incomplete", s.open)
	case s.kept < s.asked:
		c = one("none", "", text(s.kept, "hold"), "")
		c.Small = fmt.Sprintf("%d vacuous", s.asked-s.kept)
	default:
		c = one("good", "", allHold(s.asked), "")
	}
	if s.outside {
		c.Small = strings.TrimPrefix(c.Small+", even beyond its assumptions", ", ")
	}
	return c
}

// allHold says that all of some properties hold.
func allHold(n int) string {
	if n == 1 {
		return "holds"
	}
	return fmt.Sprintf("all %d hold", n)
}

// faultPart returns the answers under a fault.
func (c *Comparison) faultPart(id string, f Fault) part {
	p := part{ID: id, Title: f.heading(), Small: f.more(), Notes: c.faultNotes(f)}
	t := table{Label: p.Title, Head: []head{{Text: "algorithm"}}}
	var common, own []string
	for _, name := range c.asked(f) {
		if slices.ContainsFunc(append(standard(), checker.Misuse), func(q *checker.Property) bool { return q.Name == name }) {
			common = append(common, name)
			t.Head = append(t.Head, head{Text: name, Hint: c.doc(name), Href: c.word(name)})
		} else {
			own = append(own, name)
		}
	}
	if len(own) > 0 {
		t.Head = append(t.Head, head{Text: "special properties", Hint: "those of single algorithms", Href: c.word("section-own")})
	}
	t.Head = append(t.Head, head{Text: "states"})
	breaks := 0
	for i := range c.Subjects {
		s := &c.Subjects[i]
		sum := c.score(s.Name(), f)
		if sum.broke > 0 {
			breaks++
		}
		r := row{head: c.names(s)}
		answered := false
		for _, name := range common {
			v := c.view(s.Name(), f, name)
			answered = answered || v.cell != nil
			r.Cells = append(r.Cells, c.answered(v))
		}
		if len(own) > 0 {
			special := c.special(s.Name(), f, own)
			answered = answered || special.Class != ""
			r.Cells = append(r.Cells, special)
		}
		if !answered {
			continue // the notes say why
		}
		r.Cells = append(r.Cells, one("", "", c.states(s.Name(), f), ""))
		t.Rows = append(t.Rows, r)
	}
	p.Result = fmt.Sprintf("%d of %d break something", breaks, len(t.Rows))
	if p.Tables = []table{t}; len(t.Rows) == 0 {
		p.Result, p.Tables = "not applicable", nil
	}
	return p
}

// answered returns what a table shows of an answer.
func (c *Comparison) answered(v view) cell {
	if v.cell == nil {
		return one("none", "", "–", "")
	}
	out := cell{Class: v.class, Hint: cmp.Or(v.cell.Explanation, v.cell.Why)}
	text := v.plain
	switch {
	case v.bad():
		text = c.length(v)
		if len(v.trial.Outside) > 0 {
			out.Class = "open"
		}
	case v.class == "open":
		out.Class = "none"
	}
	if v.cell.Foreign {
		text, out.Class = "("+text+")", "none"
	}
	out.Lines = []line{{Pieces: []piece{{text, c.page(v.cell.Shown)}}}}
	return out
}

// length says how soon a property breaks.
func (c *Comparison) length(v view) string {
	text := steps(v.cell)
	if len(c.N) > 1 {
		text += fmt.Sprintf(", n=%d", v.trial.N)
	}
	return text
}

// steps says how long the run is that breaks a property.
func steps(c *Cell) string {
	switch {
	case c.Shown == nil:
		return "breaks"
	case c.Steps == 0 && !c.Endless:
		return "at the start"
	case c.Endless:
		return quantity.Plural(c.Steps, "step") + ", then a loop"
	}
	return quantity.Plural(c.Steps, "step")
}

// special returns what becomes of a subject's own properties; a cell without a class
// where it has none.
func (c *Comparison) special(subject string, f Fault, own []string) cell {
	out := cell{Class: "good"}
	held, asked := 0, 0
	for _, name := range own {
		v := c.view(subject, f, name)
		if v.cell == nil || v.cell.Foreign {
			continue
		}
		asked++
		if v.bad() {
			out.Class = "bad"
			if len(v.trial.Outside) > 0 {
				out.Class = "open"
			}
			out.Lines = append(out.Lines, line{Pieces: []piece{{name + ": ", ""}, {c.length(v), c.page(v.cell.Shown)}}})
		} else if v.class == "good" {
			held++
		}
	}
	switch {
	case asked == 0:
		return one("", "", "–", "")
	case len(out.Lines) == 0 && held == asked:
		return one("good", "", allHold(asked), "")
	case len(out.Lines) == 0:
		return one("none", "", fmt.Sprintf("%d of %d hold", held, asked), "")
	}
	return out
}

// faultNotes says of a fault who was not asked, what was not seen, and what is
// assumed of it.
func (c *Comparison) faultNotes(f Fault) (notes []string) {
	notes = c.unseen(f)
	order, outside := c.outside(f)
	for _, what := range order {
		notes = append(notes, "Excluded by "+prose.List(outside[what])+", assuming "+what+".")
	}
	return notes
}

// doc says what a property demands.
func (c *Comparison) doc(property string) string {
	i := slices.IndexFunc(c.Properties, func(p *checker.Property) bool { return p.Name == property })
	if i < 0 {
		return checker.Misuse.Doc
	}
	return c.Properties[i].Doc
}

// costPart returns the costs.
func (c *Comparison) costPart() part {
	p := part{ID: "costs", Title: "What an election costs", Small: "without faults", Result: "messages and time", Notes: c.costNotes()}
	t := table{Label: p.Title, Head: []head{{Text: "algorithm"}}}
	for _, n := range c.N {
		at := ""
		if len(c.N) > 1 {
			at = fmt.Sprintf(", n=%d", n)
		}
		for _, what := range []string{"messages", "time"} {
			for _, how := range []string{"least", "most", "mean"} {
				t.Head = append(t.Head, head{Text: what + at, Small: how})
			}
		}
	}
	for i := range c.Subjects {
		s := &c.Subjects[i]
		r := row{head: c.names(s)}
		for _, n := range c.N {
			k := c.costsOf(s.Name(), n)
			messages, time := spreadOf(k.Messages), spreadOf(k.Time)
			for _, one := range []piece{{messages.best, c.page(k.Best)}, {messages.worst, c.page(k.Worst)}, {messages.mean, ""}, {time.best, ""}, {time.worst, ""}, {time.mean, ""}} {
				r.Cells = append(r.Cells, cell{Lines: []line{{Pieces: []piece{one}}}})
			}
		}
		t.Rows = append(t.Rows, r)
	}
	p.Tables = []table{t}
	return p
}

// alsoPart returns what else was asked.
func (c *Comparison) alsoPart() part {
	p := part{ID: "also", Title: alsoTitle, Notes: c.alsoNotes()}
	t := table{Label: p.Title, Head: []head{{Text: "algorithm"}}}
	var names []string
	for i := range c.Answers {
		if a := &c.Answers[i]; !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
			t.Head = append(t.Head, head{Text: a.Name, Hint: a.Doc})
		}
	}
	for i := range c.Subjects {
		s := &c.Subjects[i]
		r := row{head: c.names(s)}
		for _, name := range names {
			a := c.answer(name, s.Name())
			r.Cells = append(r.Cells, one(a.class(), a.Why, a.Text, c.page(a.Shown)))
		}
		t.Rows = append(t.Rows, r)
	}
	p.Tables, p.Result = []table{t}, quantity.Plural(len(names), "question")
	return p
}

// assumptionPart returns what each assumes, and what breaks without it.
func (c *Comparison) assumptionPart() part {
	p := part{ID: "assumptions", Title: "What each assumes", Result: "and what breaks without it", Intro: premisesNote}
	t := table{Label: p.Title, Head: []head{{Text: "algorithm"}, {Text: "assumes"}, {Text: "without one of these"}}}
	for i := range c.Subjects {
		s := &c.Subjects[i]
		r := row{head: c.names(s)}
		words := cell{}
		for _, text := range []string{s.Assumes, "As premises: " + s.premises() + "."} {
			if text != "" {
				words.Lines = append(words.Lines, line{Pieces: []piece{{text, ""}}})
			}
		}
		if calm, err := s.calm(c.N[0]); err == nil {
			words.Small = prose.Capital(calm.InWords()) + ": " + calm.String()
		}
		r.Cells = []cell{words, c.without(s.Name())}
		t.Rows = append(t.Rows, r)
	}
	p.Tables = []table{t}
	return p
}

// without returns what becomes of a subject without each of its assumptions.
func (c *Comparison) without(subject string) (out cell) {
	for i := range c.Premises {
		w := &c.Premises[i]
		if w.Subject != subject {
			continue
		}
		if text := before(w.Before); text != "" && len(out.Lines) == 0 {
			out.Lines = append(out.Lines, line{"open", []piece{{prose.Capital(text) + ".", ""}}})
		}
		text, class := w.outcome()
		l := line{class, []piece{{prose.Capital(w.Assumption.Premise.Lack()) + ": " + text, ""}}}
		if class == "bad" {
			l.Pieces[0].Text = prose.Capital(w.Assumption.Premise.Lack()) + ": breaks "
			for j, b := range w.Broken() {
				if j > 0 {
					l.Pieces = append(l.Pieces, piece{", ", ""})
				}
				l.Pieces = append(l.Pieces, piece{brokenBrief(b), c.page(b.Shown)})
			}
		}
		out.Lines = append(out.Lines, l)
	}
	if len(out.Lines) == 0 {
		return one("none", "", "–", "")
	}
	return out
}

// yardstickPart says what others break of what the first subject keeps.
func (c *Comparison) yardstickPart() part {
	lines := c.summary()
	p := part{ID: "yardstick", Title: yardstickTitle(c.Subjects[0].Name()), Result: quantity.Plural(len(lines), "case"), Notes: lines}
	if len(lines) == 0 {
		p.Result = "none"
	}
	return p
}

// mostDrawn is how many pairs of runs to different coordinators a page draws at most.
const mostDrawn = 3

// differencePart returns the pairs of runs that come to different coordinators, and
// draws the shortest.
func (c *Comparison) differencePart() (part, error) {
	var found []*Difference
	p := part{ID: "differences", Title: "Different coordinators after the same events"}
	t := table{Label: p.Title, Head: []head{{Text: "pair"}, {Text: "after"}, {Text: "the first elects"}, {Text: "the second elects"}}}
	unseen := 0
	for i := range c.Differences {
		d := &c.Differences[i]
		if d.RunA == nil {
			if d.Unseen {
				unseen++
			}
			continue
		}
		found = append(found, d)
		elects := func(rank string, s *Shown) cell {
			out := cell{Lines: []line{{Pieces: []piece{{rank, c.page(s)}}}}}
			out.Small = quantity.Plural(len(s.Trace.Steps), "step")
			return out
		}
		t.Rows = append(t.Rows, row{head{Text: d.A, Small: d.B}, []cell{one("", "", d.Schedule, ""), elects(nth(d.RankA), d.RunA), elects(nth(d.RankB), d.RunB)}})
	}
	p.Result = fmt.Sprintf("%d of %s", len(found), quantity.Plural(len(c.Differences), "pair"))
	if len(found) > 0 {
		p.Tables = []table{t}
	}
	if rest := len(c.Differences) - len(found); rest > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("None was found for the other %d; of %d, not all worlds were seen.", rest, unseen))
	}
	slices.SortStableFunc(found, func(a, b *Difference) int { return cmp.Compare(a.Steps, b.Steps) })
	for i, d := range found[:min(len(found), mostDrawn)] {
		for k, s := range []*Shown{d.RunA, d.RunB} {
			r := drawn{Name: d.A, Href: c.page(s), Text: d.verdict() + ". " + d.also()}
			if k > 0 {
				r.Name, r.Text = d.B, ""
			}
			layout, err := s.lay()
			if err != nil {
				return p, err
			}
			var b strings.Builder
			opt := render.SVGOptions{Unstyled: true, ID: fmt.Sprintf("pair-%d-%d", i+1, k+1), Selected: -1}
			if err := render.Drawings(&b, layout, opt); err != nil {
				return p, err
			}
			r.Drawing = template.HTML(b.String())
			p.Runs = append(p.Runs, r)
		}
	}
	return p, nil
}
