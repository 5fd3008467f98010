package maker

import (
	"context"
	"fmt"
	"html/template"
	"regexp"
	"slices"

	"bullyproof/internal/prose"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// An incident is a fault of a program that people ran, with all that its page shows.
type incident struct {
	*ledger.Incident
	Record *ledger.IncidentRecord
	Of     *entry
	Run    *run // nil if none shows it
	// Does says what the variant does that breaks.
	Does string
	in   setting.Setting
	// Checks are the pages of the explorer that search again; empty where there is none, or
	// too much to search.
	Checks struct{ Faulty, Fixed string }
}

// Heading is what the incident is called: the fault, and behind it the name.
func (c *incident) Heading() string { return prose.Capital(c.Broke) + " (" + c.Name + ")" }

// Address is that of the page from the root.
func (c *incident) Address() string { return "incidents/" + c.Name + ".html" }

// N is how many processes there are.
func (c *incident) N() int { return c.in.N }

// ofNet matches an address in a text.
var ofNet = regexp.MustCompile(`\b[a-z0-9.-]+\.[a-z]{2,}/[^\s,]+`)

// Reported is where the report is, with its addresses as links.
func (c *incident) Reported() template.HTML {
	text := template.HTMLEscapeString(c.Report)
	return template.HTML(ofNet.ReplaceAllString(text, `<a href="https://$0">$0</a>`))
}

// Reading returns the address from the root of the variant that mends it, or of its
// algorithm if it is none that has a name there.
func (c *incident) Reading() string {
	if _, err := c.Of.Variant(c.Fixed); err != nil {
		return pageOf(c.Algorithm)
	}
	return pageOf(c.Algorithm) + "#reading-" + c.Fixed
}

// incidents executes the runs of the incidents again.
func (m *maker) incidents(ctx context.Context) error {
	records, err := m.Incidents.Records()
	if err != nil {
		return err
	}
	for i := range m.Incidents.List {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.progress("incident " + m.Incidents.List[i].Name)
		c := &incident{Incident: &m.Incidents.List[i], Record: &records[i]}
		if err := m.recall(c); err != nil {
			return fmt.Errorf("incident %s: %w", c.Name, err)
		}
		c.Of.Incidents = append(c.Of.Incidents, c)
		m.cases = append(m.cases, c)
	}
	return nil
}

// mostSearched is how many states a page is asked to search.
const mostSearched = 100_000

// recall finds all that the page of an incident shows.
func (m *maker) recall(c *incident) (err error) {
	c.Of = m.of(c.Algorithm)
	if broken, err := c.Of.Mutant(c.Faulty); err == nil {
		c.Does = broken.Doc
	} else if v, err := c.Of.Variant(c.Faulty); err == nil {
		c.Does = v.Doc
	}
	if c.in, err = setting.Parse(c.Setting); err != nil {
		return err
	}
	if m.Explorer != nil && c.Record.States <= mostSearched {
		c.Checks.Faulty = explored(web.CheckAsking(c.Algorithm, c.Faulty, c.in, c.Property))
	}
	if c.Absent != "" {
		return nil
	}
	if slices.Contains(m.Recorded.Names(), c.Name) {
		return fmt.Errorf("a recorded run has the same name")
	}
	if c.Run, err = m.again(c.Name, m.Incidents.Runs); err != nil {
		return err
	}
	c.Run.layout.Chapters = c.Chapters
	c.Run.repaired = web.Beside(c.Algorithm, c.Faulty, c.Run.trace, c.Fixed)
	if m.Explorer != nil && c.Record.Fixed <= mostSearched {
		c.Checks.Fixed = explored(web.CheckAsking(c.Algorithm, c.Fixed, c.in, c.Property))
	}
	return nil
}

// incidentStories returns the pages of the incidents.
func (m *maker) incidentStories() ([]*story, error) {
	list := make([]*story, len(m.cases))
	for i, c := range m.cases {
		s := &story{
			card: card{ID: c.Name, Title: c.Heading(), Text: c.Text, Of: c.Of, Run: c.Run}, address: c.Address(),
			Incident: c,
		}
		if c.Run != nil {
			var err error
			if s.Drawing, err = c.Run.drawing("drawing"); err != nil {
				return nil, err
			}
		}
		if err := m.walk(s); err != nil {
			return nil, err
		}
		list[i] = s
	}
	return list, nil
}

// An incidentGroup is the incidents of a product in the table.
type incidentGroup struct {
	Product string
	Cases   []*incident
}

// incidentTable is what the table of incidents shows: those of the products with most first,
// each incident once, at the first of its products.
func (m *maker) incidentTable() any {
	var groups []incidentGroup
	var all []facets
	for _, c := range m.cases {
		all = append(all, c.Facets())
	}
	for _, t := range m.tiles(bySystem) {
		g := incidentGroup{Product: t.Text}
		for _, c := range m.cases {
			if c.Products[0] == t.Text {
				g.Cases = append(g.Cases, c)
			}
		}
		if len(g.Cases) > 0 {
			groups = append(groups, g)
		}
	}
	return struct {
		Bar    *filterBar
		Groups []incidentGroup
	}{newBar("list", "incidents", all, m.lists(incidentsPage)...), groups}
}

// placeIncidents notes the places of runs among the incidents. One without a run has its
// neighbours' links lead to its page.
func (m *maker) placeIncidents(places map[*run][]render.Sequence) {
	links := make([]trace.Link, len(m.cases))
	for i, c := range m.cases {
		links[i] = trace.Link{Text: c.Heading(), File: "../" + c.Address()}
		if c.Run != nil {
			links[i].File = "../" + c.Run.Address()
		}
	}
	for i, c := range m.cases {
		if c.Run != nil {
			place := trace.Link{Text: fmt.Sprintf("Incident %d of %d", i+1, len(links)), File: "../" + c.Address()}
			places[c.Run] = []render.Sequence{between(place, links, i)}
		}
	}
}
