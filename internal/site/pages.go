package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"bullyproof/internal/quantity"
	"bullyproof/ledger"
	"bullyproof/trace/render"
)

// Pages, by their addresses from the root.
const (
	frontPage    = "index.html"
	indexPage    = "algorithms.html"
	comparePage  = "compare.html"
	glossaryPage = "glossary.html"
	judgingPage  = "judging.html"
)

//go:embed assets
var assets embed.FS

// A frame is what every page has around what it shows.
type frame struct {
	Title, Site, Root, Page string
	Policy                  string
	Style, Script           template.HTML
	Links                   []navigation
	Body                    any
}

type navigation struct{ Text, Href, Page string }

// A builder makes pages of templates.
type builder struct {
	m         *maker
	templates map[string]*template.Template
	style     string
	script    string
}

// newBuilder reads the templates.
func newBuilder(m *maker) (*builder, error) {
	b := &builder{m: m, templates: make(map[string]*template.Template)}
	read := func(name string) string {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(data)
	}
	b.style, b.script = render.SVGStyle()+read("style.css"), read("filter.js")
	for _, name := range []string{"front", "index", "algorithm", "compare", "glossary", "judging"} {
		t, err := template.New("frame.html").Funcs(functions).Parse(read("frame.html") + read(name+".html"))
		if err != nil {
			return nil, err
		}
		b.templates[name] = t
	}
	return b, nil
}

// make makes a page of a template at an address.
func (b *builder) make(address, name, title string, body any) error {
	f := frame{
		Title: title, Site: b.m.Title, Page: address, Root: strings.Repeat("../", strings.Count(address, "/")), Body: body,
		Style: template.HTML("<style>" + b.style + "</style>"),
		Links: []navigation{
			{"Findings", frontPage, "front"}, {"Algorithms", indexPage, "index"}, {"Compare", comparePage, "compare"},
			{"Glossary", glossaryPage, "glossary"}, {"How claims are judged", judgingPage, "judging"},
		},
	}
	script := "'none'"
	if name == "algorithm" {
		f.Script, script = template.HTML("<script>"+b.script+"</script>"), render.PolicyHash(b.script)
	}
	f.Policy = "default-src 'none'; img-src data:; style-src " + render.PolicyHash(b.style) + "; script-src " + script + "; base-uri 'none'; form-action 'none'"
	var out bytes.Buffer
	if err := b.templates[name].Execute(&out, &f); err != nil {
		return err
	}
	b.m.site.Files[address] = out.Bytes()
	return nil
}

// pages makes all pages but those of runs and comparisons.
func (m *maker) pages() error {
	b, err := newBuilder(m)
	if err != nil {
		return err
	}
	front, err := m.front()
	if err != nil {
		return err
	}
	if err := b.make(frontPage, "front", front.Title, front); err != nil {
		return err
	}
	if err := b.make(indexPage, "index", "The algorithms", m); err != nil {
		return err
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		body, err := m.page(e)
		if err != nil {
			return err
		}
		if err := b.make(pageOf(e.Name), "algorithm", e.Title, body); err != nil {
			return err
		}
	}
	if err := b.make(comparePage, "compare", "The algorithms side by side", m.groups); err != nil {
		return err
	}
	if err := b.make(glossaryPage, "glossary", "Glossary", m.glossary()); err != nil {
		return err
	}
	rules, err := judging()
	if err != nil {
		return err
	}
	return b.make(judgingPage, "judging", "How claims are judged", rules)
}

// A front is what the front page shows.
type front struct {
	Title      string
	Algorithms int
	Tally      ledger.Tally
	Cards      []card
}

// A card is something that was found, with its drawing.
type card struct {
	ID, Title, Text string
	Of              *entry
	Row             *ledger.Row
	Run             *run
	Drawing         template.HTML
	Chart           bool
}

// mostShown is how many runs a front page shows that has no lessons.
const mostShown = 10

// front returns the front page: the lessons, or else the recorded runs.
func (m *maker) front() (*front, error) {
	f := &front{Title: "What was found", Algorithms: len(m.Algorithms), Tally: m.tally}
	for i := range m.Lessons {
		c, err := m.lesson(&m.Lessons[i], i+1)
		if err != nil {
			return nil, err
		}
		f.Cards = append(f.Cards, c)
	}
	if len(m.Lessons) > 0 {
		f.Title = strings.ToUpper(number(len(m.Lessons))[:1]) + number(len(m.Lessons))[1:] + " findings"
		return f, nil
	}
	for i, r := range m.runs {
		if r.of == nil || len(f.Cards) == mostShown {
			continue
		}
		c := card{ID: fmt.Sprintf("finding-%d", i+1), Title: r.Title, Text: r.Story, Of: r.of, Run: r}
		if c.Title == "" {
			c.Title = r.Verdict
		}
		if len(r.Claims) > 0 {
			c.Row = r.Claims[0]
		}
		var err error
		if c.Drawing, err = r.drawing(c.ID + "-drawing"); err != nil {
			return nil, err
		}
		f.Cards = append(f.Cards, c)
	}
	return f, nil
}

// lesson returns the card of a lesson.
func (m *maker) lesson(l *ledger.Lesson, number int) (card, error) {
	a, claim, err := l.Of(m.Algorithms)
	if err != nil {
		return card{}, err
	}
	e := m.of(a.Name)
	c := card{ID: fmt.Sprintf("finding-%d", number), Title: l.Title, Text: l.Text, Of: e, Row: e.row(claim.Name)}
	if c.Run = e.Run(claim.Story); c.Run != nil {
		c.Drawing, err = c.Run.drawing(c.ID + "-drawing")
		return c, err
	}
	if list := bars(c.Row); len(list) > 0 {
		c.Drawing, c.Chart = drawBars(list), true
	}
	return c, nil
}

// bars returns the figures of a claim with what was found in their place.
func bars(r *ledger.Row) (list []bar) {
	for _, i := range r.Claim.Figures() {
		if i >= len(r.Judgement.Exhibits) {
			break
		}
		e, x := &r.Claim.Evidence[i], &r.Judgement.Exhibits[i]
		said, label := e.Printed, e.What
		if e.Cost != nil {
			said, label = strconv.Itoa(e.Cost.Figure), circumstances(e.Setting)
		}
		b := bar{Label: label}
		var err, err2 error
		b.Said, err = strconv.ParseFloat(said, 64)
		b.Found, err2 = strconv.ParseFloat(x.Found, 64)
		if err == nil && err2 == nil {
			list = append(list, b)
		}
	}
	return list
}

// circumstances says in brief in which setting a cost was computed.
func circumstances(text string) string {
	var words []string
	for _, w := range strings.Fields(text) {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "n":
			words = append(words, value+" processes")
		case "detectors":
			words = append(words, value+" notices")
		case "initiators":
			words = append(words, value+" begins")
		}
	}
	return strings.Join(words, ", ")
}

// number is a number in words, up to twelve.
func number(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// An algorithmPage is what the page of an algorithm shows.
type algorithmPage struct {
	*entry
	m         *maker
	Readings  []reading
	Rulebooks []rulebook
	Drawings  []template.HTML // of the recorded runs
	Kinds     []string
	Outcomes  []string
}

// A reading is a variant, and how it stands to the sources.
type reading struct {
	*ledger.Variant
	Standing string
}

// page returns the page of an algorithm.
func (m *maker) page(e *entry) (*algorithmPage, error) {
	p := &algorithmPage{entry: e, m: m, Rulebooks: e.rulebooks()}
	for i := range e.Variants {
		p.Readings = append(p.Readings, reading{&e.Variants[i], e.Standing(&e.Variants[i])})
	}
	for i, r := range e.Runs {
		d, err := r.drawing(fmt.Sprintf("run-%d", i+1))
		if err != nil {
			return nil, err
		}
		p.Drawings = append(p.Drawings, d)
	}
	kinds, outcomes := make(map[string]bool), make(map[string]bool)
	for i := range e.Rows {
		kinds[e.Rows[i].Claim.Kind.String()] = true
		outcomes[e.Rows[i].Judgement.Outcome.String()] = true
	}
	for k := ledger.SafetyClaim; k <= ledger.FigureClaim; k++ {
		if kinds[k.String()] {
			p.Kinds = append(p.Kinds, k.String())
		}
	}
	for _, o := range []ledger.Outcome{ledger.Refuted, ledger.Wrong, ledger.RefutedBeyond, ledger.Undecided, ledger.Confirmed, ledger.Right} {
		if outcomes[o.String()] {
			p.Outcomes = append(p.Outcomes, o.String())
		}
	}
	return p, nil
}

// hyphened matches what may be the name of a claim or a reading in a sentence, of
// a claim of another algorithm too: "fceabr/table-2-ring". A name of one word may be
// a word.
var hyphened = regexp.MustCompile(`([a-z0-9]+/)?[a-z0-9]+(-[a-z0-9]+)+`)

// Linked is code of a text, with the names of claims and readings of the algorithm
// linked to them, and those of claims of others.
func (p *algorithmPage) Linked(root, text string) template.HTML {
	return template.HTML(hyphened.ReplaceAllStringFunc(string(code(text)), func(name string) string {
		if other, claim, ok := strings.Cut(name, "/"); ok {
			if e := p.m.of(other); e != nil && e.row(claim) != nil {
				return `<a href="` + root + claimAddress(other, claim) + `">` + name + "</a>"
			}
			return name
		}
		if p.row(name) != nil {
			return `<a href="#claim-` + name + `">` + name + "</a>"
		}
		for i := range p.Variants {
			if p.Variants[i].Name == name {
				return `<a href="#reading-` + name + `">` + name + "</a>"
			}
		}
		return name
	}))
}

// functions are those of the templates.
var functions = template.FuncMap{
	"page":     pageOf,
	"claim":    claimAddress,
	"count":    func(n uint64) string { return quantity.Plural(n, "state") },
	"steps":    func(n int) string { return quantity.Plural(n, "step") },
	"class":    outcomeClass,
	"sentence": sentence,
	"code":     code,
	"setting":  settingLinks,
}

// outcomeClass returns the class of an outcome for the style sheet.
func outcomeClass(o ledger.Outcome) string {
	switch o {
	case ledger.Confirmed, ledger.Right:
		return "good"
	case ledger.Refuted, ledger.Wrong:
		return "bad"
	case ledger.RefutedBeyond:
		return "open"
	}
	return "none"
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// code escapes a text, and sets what stands in backquotes as code.
func code(text string) template.HTML {
	return template.HTML(codeSpan.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>"))
}

// settingLinks sets a setting as code, each word a link to what it means.
func settingLinks(root, text string) template.HTML {
	var b strings.Builder
	b.WriteString(`<code class="setting">`)
	for i, w := range strings.Fields(text) {
		if i > 0 {
			b.WriteByte(' ')
		}
		key, _, _ := strings.Cut(w, "=")
		fmt.Fprintf(&b, `<a href="%s%s#%s">%s</a>`, root, glossaryPage, template.HTMLEscapeString(key), template.HTMLEscapeString(w))
	}
	b.WriteString("</code>")
	return template.HTML(b.String())
}
