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
	"bullyproof/trace"
	"bullyproof/trace/render"
)

var (
	//go:embed assets/page.html
	pageHTML string
	//go:embed assets/page.css
	pageStyle string

	pageTemplate = template.Must(template.New("compare").Parse(pageHTML))
)

// WritePage writes the comparison as a page of HTML, one file that needs no
// other and no network, and has no script. In a directory (WriteDir) its cells
// link to the pages of their runs.
func (c *Comparison) WritePage(w io.Writer) error {
	style := render.SVGStyle() + pageStyle
	p := page{
		Title:  cmp.Or(c.Title, strings.Join(each(c.Subjects, (*Subject).Name), ", ")),
		Policy: "default-src 'none'; img-src data:; style-src " + render.PolicyHash(style) + "; base-uri 'none'; form-action 'none'",
		// The style is the packages' own; whatever comes from a comparison is escaped.
		Style:       template.HTML("<style>" + style + "</style>"),
		Interrupted: c.Interrupted, Legend: c.legend(), Links: c.Links,
	}
	if len(c.Subjects) > 1 {
		p.Yardstick, p.Breaks = c.Subjects[0].Name(), c.summary()
	}
	p.Tables = append(p.Tables, c.overviewTable())
	for i, f := range c.Faults {
		p.Tables = append(p.Tables, c.faultTable(fmt.Sprintf("fault-%d", i+1), f))
	}
	p.Tables = append(p.Tables, c.costTable())
	if len(c.Answers) > 0 {
		p.Tables = append(p.Tables, c.alsoTable())
	}
	if len(c.Premises) > 0 {
		p.Tables = append(p.Tables, c.premiseTable())
	}
	for i := range p.Tables {
		p.Tables[i].Whole = p.Tables[i].Whole || len(c.Subjects) > mostBeside
	}
	for _, t := range p.Tables {
		p.Contents = append(p.Contents, entry{t.ID, t.Title})
	}
	p.Contents = append(p.Contents, entry{"needs", "What each assumes"})
	for i := range c.Subjects {
		p.Needs = append(p.Needs, c.need(&c.Subjects[i]))
	}
	for i := range c.Differences {
		d, err := c.pair(&c.Differences[i], fmt.Sprintf("pair-%d", i+1))
		if err != nil {
			return err
		}
		p.Differences = append(p.Differences, d)
	}
	if len(p.Differences) > 0 {
		p.Contents = append(p.Contents, entry{"differences", "Different coordinators"})
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, &p); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// mostBeside is how many subjects a table has at most that takes half a page.
const mostBeside = 5

// What the template shows.
type (
	page struct {
		Title, Yardstick, Policy string
		Style                    template.HTML
		Interrupted              bool
		Links                    []trace.Link
		Breaks, Legend           []string
		Contents                 []entry
		Tables                   []table
		Needs                    []need
		Differences              []pair
	}
	entry struct{ ID, Text string }
	table struct {
		ID, Title, Intro string
		Whole            bool // wider than half a page
		Head             []head
		Rows             []row
		Notes            []string
	}
	head struct{ Text, Small, Href string }
	row  struct {
		Name, Doc string
		Cells     []cell
	}
	cell struct {
		Class, Hint string
		Parts       []part
	}
	part struct{ Before, Text, Href string }
	need struct{ Name, Words, Premises, Setting string }
	pair struct {
		Title, Text, Also string
		Runs              []drawn
	}
	drawn struct {
		Name, Href string
		Drawing    template.HTML
	}
)

// heads returns the head of a table with a column for each subject.
func (c *Comparison) heads(first string) []head {
	list := []head{{Text: first}}
	for i := range c.Subjects {
		h := head{Text: c.Subjects[i].Algorithm, Small: "/" + c.Subjects[i].Variant}
		if c.Of != nil {
			h.Href = c.Of(h.Text)
		}
		list = append(list, h)
	}
	return list
}

// one returns a cell with a text and a link, if there is one.
func one(class, hint, text, href string) cell { return cell{class, hint, []part{{"", text, href}}} }

// overviewTable returns the table of what is kept under each fault.
func (c *Comparison) overviewTable() table {
	t := table{ID: "overview", Title: overviewTitle, Head: c.heads("under")}
	for _, f := range c.Faults {
		r := row{Name: f.Name, Doc: f.Words}
		for i := range c.Subjects {
			text, class := c.overview(c.Subjects[i].Name(), f)
			r.Cells = append(r.Cells, one(class, "", text, ""))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// faultTable returns the table of a fault.
func (c *Comparison) faultTable(id string, f Fault) table {
	t := table{ID: id, Title: title(f), Head: c.heads("property"), Notes: c.notes(f)}
	for _, property := range c.asked(f) {
		r := row{Name: property, Doc: c.doc(property)}
		for i := range c.Subjects {
			v := c.view(c.Subjects[i].Name(), f, property)
			hint, href := "", ""
			if v.cell != nil {
				href = c.page(v.cell.Shown)
				if hint = v.cell.Explanation; hint == "" {
					hint = v.cell.Why
				}
			}
			r.Cells = append(r.Cells, one(v.class, hint, v.text, href))
		}
		t.Rows = append(t.Rows, r)
	}
	r := row{Name: "states"}
	for i := range c.Subjects {
		r.Cells = append(r.Cells, one("", "", c.states(c.Subjects[i].Name(), f), ""))
	}
	t.Rows = append(t.Rows, r)
	return t
}

// doc says what a property demands.
func (c *Comparison) doc(property string) string {
	i := slices.IndexFunc(c.Properties, func(p *checker.Property) bool { return p.Name == property })
	if i < 0 {
		return checker.Misuse.Doc
	}
	return c.Properties[i].Doc
}

// costTable returns the table of costs.
func (c *Comparison) costTable() table {
	t := table{ID: "costs", Title: "What an election costs, without faults", Head: c.heads(""), Notes: c.costNotes()}
	for _, n := range c.N {
		at := ""
		if len(c.N) > 1 {
			at = fmt.Sprintf(", n=%d", n)
		}
		messages, times := row{Name: "messages" + at}, row{Name: "time" + at}
		for i := range c.Subjects {
			k := c.costsOf(c.Subjects[i].Name(), n)
			m, s := spreadOf(k.Messages), spreadOf(k.Time)
			messages.Cells = append(messages.Cells, cell{Class: "short", Parts: []part{
				{"", m.best, c.page(k.Best)}, {" to ", m.worst, c.page(k.Worst)}, {", mean ", m.mean, ""},
			}})
			times.Cells = append(times.Cells, one("short", "", s.best+" to "+s.worst+", mean "+s.mean, ""))
		}
		t.Rows = append(t.Rows, messages, times)
	}
	return t
}

// alsoTable returns the table of what else was asked.
func (c *Comparison) alsoTable() table {
	t := table{ID: "also", Title: alsoTitle, Head: c.heads("")}
	for i := range c.Answers {
		a := &c.Answers[i]
		if i == 0 || a.Name != c.Answers[i-1].Name {
			t.Rows = append(t.Rows, row{Name: a.Name, Doc: a.Doc})
		}
		r := &t.Rows[len(t.Rows)-1]
		r.Cells = append(r.Cells, one(a.class(), a.Why, a.Text, c.page(a.Shown)))
	}
	t.Notes = c.alsoNotes()
	return t
}

// premiseTable returns the table of what breaks without an assumption.
func (c *Comparison) premiseTable() table {
	t := table{
		ID: "premises", Title: "Which assumption breaks it", Intro: premisesNote, Whole: true,
		Head: []head{{Text: "algorithm"}, {Text: "instead of what it assumes"}, {Text: "what happens"}},
	}
	last := ""
	for i := range c.Premises {
		w := &c.Premises[i]
		if w.Subject != last {
			last = w.Subject
			if text := before(w.Before); text != "" {
				t.Rows = append(t.Rows, row{w.Subject, w.Before.Setting.String(), []cell{one("", "", "nothing", ""), one("open", "", text, "")}})
			}
		}
		text, class := w.outcome()
		what := one(class, "", text, "")
		if class == "bad" {
			what.Parts = []part{{Text: "breaks "}}
			for j, b := range w.Broken() {
				comma := ""
				if j > 0 {
					comma = ", "
				}
				what.Parts = append(what.Parts, part{comma, brokenBrief(b), c.page(b.Shown)})
			}
		}
		lack := one("", "It assumes "+w.Assumption.Premise.String()+place(w.Assumption.Place), w.Assumption.Premise.Lack(), "")
		t.Rows = append(t.Rows, row{w.Subject, w.Trial.Setting.String(), []cell{lack, what}})
	}
	return t
}

// need says what a subject assumes.
func (c *Comparison) need(s *Subject) need {
	n := need{Name: s.Name(), Words: s.Assumes, Premises: s.premises()}
	if calm, err := s.calm(c.N[0]); err == nil {
		n.Setting = calm.String()
	}
	return n
}

// pair draws the runs of a difference; id tells its drawings from others on the page.
func (c *Comparison) pair(d *Difference, id string) (pair, error) {
	p := pair{Title: d.A + " and " + d.B, Text: d.verdict() + ".", Also: d.also()}
	for i, r := range []struct {
		name  string
		shown *Shown
	}{{d.A, d.RunA}, {d.B, d.RunB}} {
		if r.shown == nil {
			continue
		}
		layout, err := r.shown.lay()
		if err != nil {
			return p, err
		}
		var b strings.Builder
		opt := render.SVGOptions{Bare: true, Unstyled: true, ID: fmt.Sprintf("%s-%d", id, i+1), Selected: -1}
		if err := render.SVG(&b, layout, opt); err != nil {
			return p, err
		}
		p.Runs = append(p.Runs, drawn{r.name, c.page(r.shown), template.HTML(b.String())})
	}
	return p, nil
}
