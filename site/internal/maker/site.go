package maker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// Options say what a site is made of.
type Options struct {
	// Title is the name of the site; empty stands for that of this tool.
	Title string
	// Source is where the source text is to be had, the address of a web page; empty
	// where it is not published.
	Source string
	// Address is where the site will be; empty leaves out the pictures for previews, which
	// have to say where they are.
	Address string
	// Algorithms are the catalogue, and Examples what is known by name beside it.
	Algorithms, Examples []*ledger.Algorithm
	// Lessons are what the front page tells; where there are none, that is what the
	// recorded runs show.
	Lessons []ledger.Lesson
	// Lectures have pages for a class.
	Lectures []ledger.Lecture
	// Publications are works to which pages link where a source names them.
	Publications []ledger.Publication
	// Omitted are systems that the catalogue does not have.
	Omitted []ledger.Omission
	// Recorded are the recorded runs.
	Recorded trace.Collection
	// Incidents are faults of programs that people ran; each has a page.
	Incidents ledger.Incidents
	// Explorer is the program that the site's explorer runs; nil leaves it out.
	Explorer *Explorer
	// Progress, where it is not nil, is called with what is made next, and which of
	// how many parts that is.
	Progress func(what string, part, of int)
}

// A Site is the files of a site, by their names in its directory.
type Site struct {
	Files map[string][]byte
	// Algorithms and Examples are how many have a page, and so are Recorded and
	// Elections: runs on record, and normal elections; and so are Incidents.
	Algorithms, Examples, Recorded, Elections, Incidents int
}

// Pages is how many pages there are.
func (s *Site) Pages() (n int) {
	for name := range s.Files {
		if strings.HasSuffix(name, ".html") {
			n++
		}
	}
	return n
}

// Bytes is how much all files hold.
func (s *Site) Bytes() (n int64) {
	for _, data := range s.Files {
		n += int64(len(data))
	}
	return n
}

// A maker makes a site.
type maker struct {
	Options
	site    *Site
	Entries []entry
	runs    []*run
	cases   []*incident
	tally   ledger.Tally         // of the catalogue
	sources []ledger.SourceTally // and of each source
	groups  []*group             // that are compared
	front   *front
	parts   int // made so far
}

// An entry is an algorithm with all that its page shows.
type entry struct {
	*ledger.Algorithm
	Example  bool
	Rows     []ledger.Row
	Tally    ledger.Tally
	Runs     []*run // the recorded ones
	Election *election
	Costs    []costPlot
	// Incidents are those of the catalogue that are about it.
	Incidents []*incident
}

// Make makes a site. The error names what is wrong with the catalogue or its
// runs; where ctx ends, it is that of the context.
func Make(ctx context.Context, opt Options) (*Site, error) {
	m := &maker{Options: opt, site: &Site{Files: make(map[string][]byte)}}
	m.Title = cmp.Or(m.Title, tool)
	if err := ledger.ValidateLessons(opt.Algorithms, opt.Lessons); err != nil {
		return nil, err
	}
	if err := ledger.ValidateLectures(opt.Algorithms, &opt.Incidents, opt.Lectures); err != nil {
		return nil, err
	}
	if err := opt.Incidents.Validate(opt.Algorithms); err != nil {
		return nil, err
	}
	if err := m.collect(ctx); err != nil {
		return nil, err
	}
	m.groups = groupsOf(m.Algorithms)
	if err := m.replay(ctx); err != nil {
		return nil, err
	}
	if err := m.incidents(ctx); err != nil {
		return nil, err
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		m.progress("elections of " + e.Name)
		if err := m.measure(ctx, e); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	if err := m.compare(ctx); err != nil {
		return nil, err
	}
	m.progress("pages")
	if err := m.pages(); err != nil {
		return nil, err
	}
	m.count()
	return m.site, nil
}

// tool is the name of the tool that makes sites.
const tool = "Bullyproof"

// count counts what has a page.
func (m *maker) count() {
	s := m.site
	s.Algorithms, s.Examples, s.Recorded, s.Incidents = len(m.Algorithms), len(m.Options.Examples), len(m.runs), len(m.cases)
	for i := range m.Entries {
		if m.Entries[i].Election != nil {
			s.Elections++
		}
	}
}

// frame returns what the pages have in common, for one below root that belongs to
// one of the pages that are linked at the head.
func (m *maker) frame(root, here string) *render.Site {
	s := &render.Site{Name: m.Title, Home: root + frontPage, Here: root + here}
	pages := m.lists("")
	if m.hasGuide() {
		pages = append(pages, trace.Link{Text: "Choose", File: choosingPage})
	} else {
		pages = append(pages, trace.Link{Text: "Compare", File: comparePage})
	}
	if len(m.Lectures) > 0 {
		pages = append(pages, trace.Link{Text: "Lectures", File: lecturesPage})
	}
	if m.Explorer != nil {
		pages = append(pages, trace.Link{Text: "Explorer", File: explorerPage})
	}
	pages = append(pages, trace.Link{Text: "Glossary", File: glossaryPage}, trace.Link{Text: "Search", File: searchPage})
	for _, page := range pages {
		s.Links = append(s.Links, trace.Link{Text: page.Text, File: root + page.File})
	}
	if m.Source != "" {
		s.Links = append(s.Links, trace.Link{Text: "Source", File: m.Source})
	}
	return s
}

// progress tells which part is made next: one for each run, incident, algorithm and group
// of a comparison, and one for the pages.
func (m *maker) progress(what string) {
	m.parts++
	if m.Progress != nil {
		of := len(m.Recorded.Names()) + len(m.Incidents.List) + len(m.Entries) + len(m.groups) + 1
		m.Progress(what, m.parts, of)
	}
}

// collect makes the entries: the algorithms with what is on record of them.
func (m *maker) collect(ctx context.Context) error {
	for i, list := range [][]*ledger.Algorithm{m.Algorithms, m.Options.Examples} {
		l, err := ledger.Recorded(ctx, list)
		if err != nil {
			return err
		}
		if i == 0 {
			m.tally, m.sources = l.Tally(), l.BySource(m.Publications)
		}
		for k := range l.Entries {
			e := &l.Entries[k]
			m.Entries = append(m.Entries, entry{Algorithm: e.Algorithm, Example: i == 1, Rows: e.Rows(), Tally: e.Tally()})
		}
	}
	return nil
}

// all is every algorithm that is known by name.
func (m *maker) all() []*ledger.Algorithm { return slices.Concat(m.Algorithms, m.Options.Examples) }

// lookup is the trace.Lookup of the catalogue.
func (m *maker) lookup(algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	return ledger.Lookup(m.all(), algorithm, variant, property, s)
}

// of returns the entry of an algorithm, nil if there is none.
func (m *maker) of(name string) *entry {
	i := slices.IndexFunc(m.Entries, func(e entry) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return &m.Entries[i]
}

// A rule is a rule of an algorithm's source: its number there, if it has one, and
// what it says.
type rule struct{ Tag, Text string }

// A rulebook is the rules of a variant: of the default all, of others those that
// no variant before has.
type rulebook struct {
	Variant string
	Rules   []rule
}

// rulebooks returns the rules of an algorithm by variant.
func (e *entry) rulebooks() (list []rulebook) {
	known := make(map[string]bool)
	for i := range e.Variants {
		v := &e.Variants[i]
		sys, err := v.In(v.Setting)
		if err != nil {
			continue // its own test says so
		}
		book := rulebook{Variant: v.Name}
		for _, name := range sys.Names().Rules {
			if known[name] {
				continue
			}
			known[name] = true
			tag, text, ok := strings.Cut(name, ": ")
			if !ok || len(tag) > 4 {
				tag, text = "", name
			}
			book.Rules = append(book.Rules, rule{tag, text})
		}
		if len(book.Rules) > 0 {
			list = append(list, book)
		}
	}
	return list
}

// row returns the row of a claim, nil if there is none.
func (e *entry) row(claim string) *ledger.Row {
	for i := range e.Rows {
		if e.Rows[i].Claim.Name == claim {
			return &e.Rows[i]
		}
	}
	return nil
}

// pageOf returns the address of an algorithm's page from the root.
func pageOf(algorithm string) string { return "algorithms/" + algorithm + ".html" }

// claimAddress returns the address of a claim's row from the root. A claim of
// another algorithm has that one's name before it: "fceabr/table-2-ring".
func claimAddress(algorithm, claim string) string {
	other, name, ok := strings.Cut(claim, "/")
	if !ok {
		other, name = "", claim
	}
	return pageOf(cmp.Or(other, algorithm)) + "#claim-" + name
}

// Run returns the recorded run of a name, nil if there is none.
func (e *entry) Run(name string) *run {
	for _, r := range e.Runs {
		if r.Name == name {
			return r
		}
	}
	return nil
}
