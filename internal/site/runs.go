package site

import (
	"bytes"
	"context"
	"fmt"
	"html/template"
	"strings"

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
}

// Address is that of the run's page from the root.
func (r *run) Address() string { return "runs/" + r.Name + ".html" }

// replay executes the recorded runs again, and makes their pages.
func (m *maker) replay(ctx context.Context) error {
	for _, name := range m.Recorded.Names() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.progress("run " + name)
		t, err := m.Recorded.Open(name)
		if err != nil {
			return fmt.Errorf("recorded run %s: %w", name, err)
		}
		again, err := trace.Replay(t, m.lookup)
		if err != nil {
			return fmt.Errorf("recorded run %s: %w", name, err)
		}
		layout, err := trace.Lay(t, again)
		if err != nil {
			return fmt.Errorf("recorded run %s: %w", name, err)
		}
		r := newRun(name, layout)
		if e := m.of(t.Algorithm); e != nil {
			r.of = e
			e.Runs = append(e.Runs, r)
			for i := range e.Rows {
				if e.Rows[i].Claim.Story == name {
					r.Claims = append(r.Claims, &e.Rows[i])
				}
			}
		}
		m.runs = append(m.runs, r)
		if err := m.runPage(r); err != nil {
			return err
		}
	}
	return nil
}

// newRun returns the run of a layout, under a name.
func newRun(name string, l *trace.Layout) *run {
	return &run{
		Name: name, Title: l.Title, Story: l.Story, Property: l.Property, Variant: l.Variant,
		Verdict: l.Verdict, Setting: l.Setting.String(), Steps: len(l.Rows) - 1, Lasso: l.Lasso > 0, layout: l,
	}
}

// runPage makes the page of a run, with links to the algorithm and to the claims
// that it is about.
func (m *maker) runPage(r *run) error {
	if r.of != nil {
		for _, row := range r.Claims {
			r.layout.Links = append(r.layout.Links, trace.Link{
				Text: fmt.Sprintf("The claim that it is about (%s): %s", row.Judgement.Outcome, brief(row.Claim.Text, 160)),
				File: "../" + claimAddress(r.of.Name, row.Claim.Name),
			})
		}
		r.layout.Links = append(r.layout.Links, trace.Link{Text: "All about the " + r.of.Title, File: "../" + pageOf(r.of.Name)})
	}
	r.layout.Links = append(r.layout.Links,
		trace.Link{Text: "What the words of a setting mean", File: "../" + glossaryPage},
		trace.Link{Text: "Back to the findings", File: "../" + frontPage})
	var b bytes.Buffer
	if err := render.Page(&b, r.layout); err != nil {
		return err
	}
	m.site.Files[r.Address()] = b.Bytes()
	m.site.Runs++
	return nil
}

// drawing draws a run for a page of which it is a part; id tells it from others
// there.
func (r *run) drawing(id string) (template.HTML, error) {
	var b strings.Builder
	err := render.SVG(&b, r.layout, render.SVGOptions{Bare: true, Unstyled: true, ID: id, Selected: -1})
	return template.HTML(b.String()), err // render escapes what comes from a run
}

// brief shortens a text to so many characters, between words.
func brief(text string, most int) string {
	if len([]rune(text)) <= most {
		return text
	}
	cut := string([]rune(text)[:most])
	if i := strings.LastIndexByte(cut, ' '); i > 0 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.") + " …"
}
