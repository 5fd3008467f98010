package maker

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/web"
	"bullyproof/ledger"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A run is a run that has a page to walk through it.
type run struct {
	Name, Title, Story string
	Property, Variant  string
	Verdict, Setting   string
	Steps              int
	Lasso              bool
	// Claims are those that it is recorded with.
	Claims []*ledger.Row
	of     *entry
	layout *trace.Layout
	// explored is the page of the explorer about it, and repaired the one of the same
	// steps beside those of a repair; empty where there is none.
	explored, repaired string
	// Trace is the run on record; nil for a normal election.
	trace *trace.Trace
}

// Address is that of the run's page from the root.
func (r *run) Address() string { return "runs/" + r.Name + ".html" }

// replay executes the recorded runs again.
func (m *maker) replay(ctx context.Context) error {
	for _, name := range m.Recorded.Names() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.progress("run " + name)
		r, err := m.again(name, m.Recorded)
		if err != nil {
			return fmt.Errorf("recorded run %s: %w", name, err)
		}
		r.repaired = besideRepair(r.of, r.trace)
		r.of.Runs = append(r.of.Runs, r)
		for i := range r.of.Rows {
			if r.of.Rows[i].Claim.Story == name {
				r.Claims = append(r.Claims, &r.of.Rows[i])
			}
		}
		m.runs = append(m.runs, r)
	}
	return nil
}

// again executes a run of a collection again.
func (m *maker) again(name string, from trace.Collection) (*run, error) {
	t, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	replayed, err := trace.Replay(t, m.lookup)
	if err != nil {
		return nil, err
	}
	layout, err := trace.Lay(t, replayed)
	if err != nil {
		return nil, err
	}
	r := newRun(name, layout)
	r.of, r.trace = m.of(t.Algorithm), t // which Replay has found
	r.explored = web.Follow(t.Algorithm, cmp.Or(t.Variant, r.of.Variants[0].Name), web.Recording{Name: name, Trace: t})
	return r, nil
}

// besideRepair returns the page of the explorer that has a run beside the first repair
// of its algorithm that can be in its setting; empty if there is none.
func besideRepair(of *entry, t *trace.Trace) string {
	variant := cmp.Or(t.Variant, of.Variants[0].Name)
	for i := range of.Variants {
		v := &of.Variants[i]
		if _, err := v.In(t.Setting); v.Repair && v.Name != variant && err == nil {
			return web.Beside(of.Name, variant, t, v.Name)
		}
	}
	return ""
}

// newRun returns the run of a layout, under a name.
func newRun(name string, l *trace.Layout) *run {
	return &run{
		Name: name, Title: l.Title, Story: l.Story, Property: l.Property, Variant: l.Variant,
		Verdict: l.Verdict, Setting: l.Setting.String(), Steps: len(l.Rows) - 1, Lasso: l.Lasso > 0, layout: l,
	}
}

// runPages makes the pages of all runs, of which each knows its neighbours.
func (m *maker) runPages() error {
	places := make(map[*run][]render.Sequence)
	m.findings(places)
	m.placeIncidents(places)
	for i := range m.Entries {
		m.runsOf(&m.Entries[i], places)
	}
	for r, sequences := range places {
		if err := m.runPage(r, sequences); err != nil {
			return err
		}
	}
	return nil
}

// findings notes the places of runs among the findings of the front page. One
// without a run has its neighbours' links lead to the front page.
func (m *maker) findings(places map[*run][]render.Sequence) {
	links := make([]trace.Link, len(m.front.Cards))
	for i, c := range m.front.Cards {
		links[i] = trace.Link{Text: c.Title, File: "../" + frontPage + "#" + c.ID}
		if c.Run != nil {
			links[i].File = "../" + c.Run.Address()
		}
	}
	for i, c := range m.front.Cards {
		if c.Run != nil && len(places[c.Run]) == 0 {
			place := trace.Link{Text: fmt.Sprintf("Finding %d of %d", i+1, len(links)), File: "../" + frontPage + "#" + c.ID}
			places[c.Run] = []render.Sequence{between(place, links, i)}
		}
	}
}

// runsOf notes the places of an algorithm's runs: its normal election first, and
// then those in which it goes wrong.
func (m *maker) runsOf(e *entry, places map[*run][]render.Sequence) {
	var runs []*run
	if e.Election != nil {
		runs = append(runs, e.Election.run)
	}
	runs = append(runs, e.Runs...)
	links := make([]trace.Link, len(runs))
	for i, r := range runs {
		links[i] = trace.Link{Text: r.Heading(), File: "../" + r.Address()}
	}
	for i, r := range runs {
		place := trace.Link{Text: fmt.Sprintf("%s, run %d of %d", e.Title, i+1, len(runs)), File: "../" + pageOf(e.Name) + "#runs"}
		if r == runs[0] && e.Election != nil {
			place.File = "../" + pageOf(e.Name) + "#election"
		}
		places[r] = append(places[r], between(place, links, i))
	}
}

// between returns the place of the i-th of some pages.
func between(place trace.Link, links []trace.Link, i int) render.Sequence {
	s := render.Sequence{Place: place}
	if i > 0 {
		s.Previous = &links[i-1]
	}
	if i+1 < len(links) {
		s.Next = &links[i+1]
	}
	return s
}

// Heading is what the run is called.
func (r *run) Heading() string { return prose.Capital(cmp.Or(r.Title, r.Verdict)) }

// runPage makes the page of a run, with links to the algorithm and to the claims
// that it is about.
func (m *maker) runPage(r *run, sequences []render.Sequence) error {
	for _, row := range r.Claims {
		r.layout.Links = append(r.layout.Links, trace.Link{
			Text: fmt.Sprintf("Claim (%s): %s", inWords(row.Judgement.Outcome), render.Brief(row.Claim.Text, 160)),
			File: "../" + claimAddress(r.of.Name, row.Claim.Name),
		})
	}
	if m.Explorer != nil {
		r.layout.Links = append(r.layout.Links, trace.Link{Text: "Change this run in the explorer", File: "../" + explored(r.explored)})
		if r.repaired != "" {
			r.layout.Links = append(r.layout.Links, trace.Link{Text: "The same steps beside the repair", File: "../" + explored(r.repaired)})
		}
	}
	r.layout.Links = append(r.layout.Links,
		trace.Link{Text: "More about this algorithm", File: "../" + pageOf(r.of.Name)},
		trace.Link{Text: "Settings explained", File: "../" + glossaryPage + "#section-settings"})
	var b bytes.Buffer
	if err := render.Page(&b, r.layout, render.PageOptions{Site: m.frame("../", m.partOf(r)), Sequences: sequences}); err != nil {
		return err
	}
	m.site.Files[r.Address()] = b.Bytes()
	return nil
}

// partOf returns the page that a run is a part of: that of the incidents, of the findings,
// or of the algorithms.
func (m *maker) partOf(r *run) string {
	switch {
	case slices.ContainsFunc(m.cases, func(c *incident) bool { return c.Run == r }):
		return incidentsPage
	case slices.ContainsFunc(m.front.Cards, func(c card) bool { return c.Run == r }):
		return frontPage
	}
	return indexPage
}

// inWords says what an outcome means, for those who have not read how claims are
// judged.
func inWords(o ledger.Outcome) string {
	if o == ledger.Refuted || o == ledger.RefutedBeyond {
		return o.String() + " the paper's assumptions"
	}
	return o.String()
}

// drawing draws a run for a page of which it is a part; id tells it from others
// there.
func (r *run) drawing(id string) (template.HTML, error) { return r.drawn(id, render.Drawings) }

// small is drawing where a page has many, of which none is to be read: the same one on phones.
func (r *run) small(id string) (template.HTML, error) { return r.drawn(id, render.SVG) }

func (r *run) drawn(id string, draw func(io.Writer, *trace.Layout, render.SVGOptions) error) (template.HTML, error) {
	var b strings.Builder
	err := draw(&b, trace.Told(r.layout), render.SVGOptions{Bare: true, Unstyled: true, ID: id, Selected: -1})
	return template.HTML(b.String()), err // render escapes what comes from a run
}
