package maker

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// Pages, by their addresses from the root.
const (
	frontPage     = "index.html"
	indexPage     = "algorithms.html"
	choosingPage  = "choosing.html"
	claimsPage    = "claims.html"
	clientsPage   = "clients.html"
	comparePage   = "compare.html"
	glossaryPage  = "glossary.html"
	incidentsPage = "incidents.html"
	judgingPage   = "judging.html"
	lecturesPage  = "lectures.html"
	searchPage    = "search.html"
)

//go:embed assets
var assets embed.FS

// A frame is what every page has around what it shows.
type frame struct {
	render.Frame
	Title, Root, Source, Picture string
	Body                         any
}

// A builder makes pages of templates.
type builder struct {
	m         *maker
	templates map[string]*template.Template
	style     string
}

// newBuilder reads the templates.
func newBuilder(m *maker) (*builder, error) {
	b := &builder{m: m, templates: make(map[string]*template.Template)}
	b.style = render.PageStyle() + asset("style.css")
	sources := template.FuncMap{
		"sources": func(text string) template.HTML { return template.HTML(ledger.Linked(text, m.Publications)) },
	}
	for _, name := range []string{"front", "index", "algorithm", "claims", "compare", "document", "glossary", "incidents", "lectures", "lecture", "sheet", "story", "search"} {
		t, err := template.New("frame.html").Funcs(functions).Funcs(sources).Parse(render.FrameHTML + asset("frame.html") + asset(name+".html"))
		if err != nil {
			return nil, err
		}
		b.templates[name] = t
	}
	return b, nil
}

// asset returns a file that pages are made of.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}

// A sheet says of a page where it is, which template it has, what it is called, what it
// is about in a sentence or two, and whether it plays a run.
type sheet struct {
	address, template, title, about string
	plays                           bool
	picture                         string // for previews; may be empty
}

// make makes a page.
func (b *builder) make(s sheet, body any) error {
	root, here := strings.Repeat("../", strings.Count(s.address, "/")), s.address
	switch {
	case s.template == "algorithm":
		here = indexPage
	case strings.HasPrefix(s.address, "findings/"), s.address == judgingPage:
		here = claimsPage
	case s.address == comparePage && b.m.hasGuide():
		here = choosingPage
	case strings.HasPrefix(s.address, "lectures/"):
		here = lecturesPage
	case strings.HasPrefix(s.address, "choosing/"):
		here = choosingPage
	case strings.HasPrefix(s.address, "incidents/"):
		here = incidentsPage
	}
	script, style := "", b.style
	switch {
	case slices.Contains([]string{"algorithm", "claims", "incidents", "index"}, s.template):
		script = asset("filter.js")
	case s.template == "search":
		script = asset("search.js")
	case s.plays:
		script = render.StageScript()
	}
	if s.template == "lecture" {
		script += asset("lecture.js")
	}
	if slices.Contains([]string{"front", "lecture", "story"}, s.template) {
		style += render.StageStyle() + asset("front.css")
	}
	if slices.Contains([]string{"lecture", "sheet", "story"}, s.template) {
		style += asset("story.css")
	}
	if s.template == "lecture" || s.template == "sheet" {
		style += asset("lecture.css")
	}
	framed, err := render.Framed(b.m.frame(root, here), s.title, render.Brief(strings.ReplaceAll(s.about, "`", ""), 200), style, script)
	if err != nil {
		return err
	}
	f := frame{Frame: framed, Title: s.title, Root: root, Source: b.m.Source, Picture: s.picture, Body: body}
	var out bytes.Buffer
	if err := b.templates[s.template].Execute(&out, &f); err != nil {
		return err
	}
	b.m.site.Files[s.address] = out.Bytes()
	return nil
}

// pages makes all pages but those of comparisons.
func (m *maker) pages() error {
	b, err := newBuilder(m)
	if err != nil {
		return err
	}
	if m.front, err = m.makeFront(); err != nil {
		return err
	}
	if err := m.runPages(); err != nil {
		return err
	}
	if err := b.make(sheet{frontPage, "front", m.Title, m.front.about(), m.front.First != nil, ""}, m.front); err != nil {
		return err
	}
	if err := m.listed(b); err != nil {
		return err
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		body, err := m.page(e)
		if err != nil {
			return err
		}
		if err := b.make(sheet{pageOf(e.Name), "algorithm", e.Title, cmp.Or(e.Doc, e.Title), false, ""}, body); err != nil {
			return err
		}
	}
	if err := b.make(sheet{comparePage, "compare", "The algorithms side by side", "Election algorithms for the same network, asked the same questions in the same world.", false, ""}, m.groups); err != nil {
		return err
	}
	words := m.glossary()
	if err := b.make(sheet{glossaryPage, "glossary", "Glossary", "The words of elections, of their properties and of the settings in which they are checked.", false, ""}, words); err != nil {
		return err
	}
	if err := m.guide(b); err != nil {
		return err
	}
	rules, err := judging()
	if err != nil {
		return err
	}
	if err := m.explorer(); err != nil {
		return err
	}
	if err := m.stories(b, words); err != nil {
		return err
	}
	return b.make(sheet{judgingPage, "document", "How claims are judged", "The rules by which the claims of papers on elections are judged.", false, ""}, rules)
}

// listed makes the page of all algorithms and that of all claims.
func (m *maker) listed(b *builder) error {
	type rows struct {
		*entry
		Rows []claimed
	}
	var algorithms, claims []facets
	var all []rows
	for i := range m.Entries {
		e := &m.Entries[i]
		algorithms = append(algorithms, e.Facets())
		of := rows{entry: e}
		for k := range e.Rows {
			of.Rows = append(of.Rows, claimed{&e.Rows[k], e.FacetsOf(&e.Rows[k])})
			claims = append(claims, of.Rows[k].Facets)
		}
		if len(of.Rows) > 0 && !e.Example {
			all = append(all, of)
		}
	}
	body := struct {
		*maker
		Bar *filterBar
	}{m, newBar("list", "algorithms", algorithms, m.lists(indexPage)...)}
	if err := b.make(sheet{indexPage, "index", "The algorithms", m.front.Has + ", each with one normal election.", false, ""}, body); err != nil || len(all) == 0 {
		return err
	}
	return b.make(sheet{claimsPage, "claims", "Claims", "What papers claim of their algorithms, each with its verdict.", false, ""}, struct {
		Bar   *filterBar
		Front *front
		All   []rows
	}{newBar("list", "claims", claims, m.lists(claimsPage)...), m.front, all})
}

// A claimed is a row of the table of claims, with what it is found by.
type claimed struct {
	*ledger.Row
	Facets facets
}

// A front is what the front page shows.
type front struct {
	// Title is the heading above the cards, and Has says how many algorithms there
	// are.
	Title, Has string
	Tally      ledger.Tally
	Sources    []ledger.SourceTally
	Cards      []card
	// First is the run that the page plays, and Stage what plays it.
	First *run
	Stage template.HTML
	// Systems are what people run, and Damages what incidents did to them, each with the page
	// that lists its incidents.
	Systems, Damages []tile
	// Incidents are those of the catalogue.
	Incidents []*incident
}

// A tile is a link that says how much is behind it.
type tile struct {
	Text, File string
	Count      int
}

// tiles returns a tile for each value of a facet of the incidents: those with most first, or
// in the order of the bar.
func (m *maker) tiles(key string) (list []tile) {
	for _, c := range m.cases {
		for _, value := range c.Facets()[key] {
			at := slices.IndexFunc(list, func(t tile) bool { return t.Text == value })
			if at < 0 {
				at = len(list)
				list = append(list, tile{Text: value, File: incidentsPage + "?" + url.Values{key: {value}}.Encode()})
			}
			list[at].Count++
		}
	}
	slices.SortStableFunc(list, func(a, b tile) int {
		if key == byDamage {
			return slices.Index(inOrder, a.Text) - slices.Index(inOrder, b.Text)
		}
		return cmp.Or(b.Count-a.Count, strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text)))
	})
	return list
}

// about says what the site is about, for who sees no more of it.
func (f *front) about() string {
	text := "A model checker for leader elections. " + f.Has + ", executed in every order of events"
	if f.Tally.Claims > 0 {
		text += fmt.Sprintf("; %d claims of their papers, judged", f.Tally.Claims)
	}
	return text + "."
}

// A card is something that was found, with its drawing.
type card struct {
	ID, Title, Text string
	Of              *entry
	Row             *ledger.Row
	Run             *run
	Drawing         template.HTML
	Chart           bool
	asks            string
}

// mostShown is how many runs a front page shows that has no lessons.
const mostShown = 10

// makeFront returns the front page: the lessons, or else the recorded runs.
func (m *maker) makeFront() (*front, error) {
	f := &front{Title: "What was found", Has: quantity.Plural(len(m.Algorithms), "algorithm"), Tally: m.tally, Sources: m.sources, Incidents: m.cases, Systems: m.tiles(bySystem), Damages: m.tiles(byDamage)}
	if n := len(m.Options.Examples); n > 0 {
		f.Has += " and " + quantity.Plural(n, "example")
	}
	for i := range m.Lessons {
		c, err := m.lesson(&m.Lessons[i], i+1)
		if err != nil {
			return nil, err
		}
		f.Cards = append(f.Cards, c)
	}
	if len(m.Lessons) > 0 {
		f.Title = prose.Capital(number(len(m.Lessons))) + " findings"
		return f, f.play()
	}
	for i, r := range m.runs {
		if len(f.Cards) == mostShown {
			break
		}
		c := card{ID: fmt.Sprintf("finding-%d", i+1), Title: r.Heading(), Text: r.Story, Of: r.of, Run: r}
		if len(r.Claims) > 0 {
			c.Row = r.Claims[0]
		}
		var err error
		if c.Drawing, err = r.drawing(c.ID + "-drawing"); err != nil {
			return nil, err
		}
		f.Cards = append(f.Cards, c)
	}
	return f, f.play()
}

// play has the page play the run of the first card that has one.
func (f *front) play() (err error) {
	i := slices.IndexFunc(f.Cards, func(c card) bool { return c.Run != nil })
	if i >= 0 {
		f.First = f.Cards[i].Run
		f.Stage, err = render.Stage(f.First.layout)
	}
	return err
}

// lesson returns the card of a lesson.
func (m *maker) lesson(l *ledger.Lesson, number int) (card, error) {
	a, claim, err := l.Of(m.Algorithms)
	if err != nil {
		return card{}, err
	}
	e := m.of(a.Name)
	c := card{ID: fmt.Sprintf("finding-%d", number), Title: l.Title, Text: l.Text, Of: e, Row: e.row(claim.Name), asks: l.Asks}
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
	Explored  string          // its page in the explorer; empty without one
	Drawings  []template.HTML // of the recorded runs
	Bar       *filterBar      // of its claims
}

// A reading is a variant, and how it stands to the sources.
type reading struct {
	*ledger.Variant
	Standing string
}

// page returns the page of an algorithm.
func (m *maker) page(e *entry) (*algorithmPage, error) {
	p := &algorithmPage{entry: e, m: m, Rulebooks: e.rulebooks()}
	if m.Explorer != nil {
		p.Explored = explored(web.Start(e.Name, e.Variants[0].Name, e.Variants[0].Setting))
	}
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
	var claims []facets
	for i := range e.Rows {
		f := e.FacetsOf(&e.Rows[i])
		claims = append(claims, facets{byOutcome: f[byOutcome], byKind: f[byKind], byFault: f[byFault]})
	}
	p.Bar = newBar("table", "claims", claims)
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
	"grouped":  quantity.Count[uint64],
	"steps":    func(n int) string { return quantity.Plural(n, "step") },
	"minutes":  func(n int) string { return quantity.Plural(n, "minute") },
	"class":    outcomeClass,
	"sentence": sentence,
	"code":     code,
	"setting":  settingLinks,
	"worded":   worded,
}

// outcomeClass returns the class of an outcome for the style sheet.
func outcomeClass(o ledger.Outcome) string {
	switch o {
	case ledger.Confirmed, ledger.ConfirmedForEveryN, ledger.Follows:
		return "good"
	case ledger.Refuted, ledger.Contradiction, ledger.DoesNotFollow:
		return "bad"
	case ledger.RefutedBeyond, ledger.Depends:
		return "open"
	}
	return "none"
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// code escapes a text, and sets what stands in backquotes as code.
func code(text string) template.HTML {
	return template.HTML(codeSpan.ReplaceAllString(template.HTMLEscapeString(text), "<code>$1</code>"))
}

// settingLinks says what a setting means, and sets it as code, each word a link to what
// that means.
func settingLinks(root, text string) template.HTML {
	if s, err := setting.Parse(text); err == nil {
		return template.HTML(template.HTMLEscapeString(s.InWords())+". ") + settingCode(root, text)
	}
	return settingCode(root, text)
}

// settingText matches what may be a setting in a text.
var settingText = regexp.MustCompile(`\bn=\d+( [a-z-]+=[^\s();]+)+`)

// worded escapes a text, and has the settings in it in words as well.
func worded(root, text string) template.HTML {
	return template.HTML(settingText.ReplaceAllStringFunc(template.HTMLEscapeString(text), func(found string) string {
		s, err := setting.Parse(found)
		if err != nil {
			return found
		}
		return template.HTMLEscapeString(s.InWords()) + ": " + string(settingCode(root, found))
	}))
}

// settingCode returns the text of a setting as code, with its words linked to what explains
// them.
func settingCode(root, text string) template.HTML {
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
