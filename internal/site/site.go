package site

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/setting"
	"bullyproof/trace"
)

// Options say what a site is made of.
type Options struct {
	// Title is the name of the catalogue: that of its program.
	Title string
	// Algorithms are the catalogue, and Examples what is known by name beside it.
	Algorithms, Examples []*ledger.Algorithm
	// Lessons are what the front page tells; where there are none, that is what the
	// recorded runs show.
	Lessons []ledger.Lesson
	// Omitted are systems that the catalogue does not have.
	Omitted []ledger.Omission
	// Recorded are the recorded runs.
	Recorded trace.Collection
	// Progress, where it is not nil, is called with what is made next, and which of
	// how many parts that is.
	Progress func(what string, part, of int)
}

// A Site is the files of a site, by their names in its directory.
type Site struct {
	Files map[string][]byte
	// Algorithms and Runs are how many have a page.
	Algorithms, Runs int
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
	tally   ledger.Tally // of the catalogue
	groups  []*group     // that are compared
	parts   int          // made so far
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
}

// Make makes a site. The error names what is wrong with the catalogue or its
// runs; where ctx ends, it is that of the context.
func Make(ctx context.Context, opt Options) (*Site, error) {
	m := &maker{Options: opt, site: &Site{Files: make(map[string][]byte)}}
	if err := ledger.ValidateLessons(opt.Algorithms, opt.Lessons); err != nil {
		return nil, err
	}
	if err := m.collect(); err != nil {
		return nil, err
	}
	m.groups = groupsOf(m.Algorithms)
	if err := m.replay(ctx); err != nil {
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
	m.site.Algorithms = len(m.Entries)
	return m.site, nil
}

// progress tells which part is made next: one for each run, algorithm and group
// of a comparison, and one for the pages.
func (m *maker) progress(what string) {
	m.parts++
	if m.Progress != nil {
		of := len(m.Recorded.Names()) + len(m.Entries) + len(m.groups) + 1
		m.Progress(what, m.parts, of)
	}
}

// collect makes the entries: the algorithms with what is on record of them.
func (m *maker) collect() error {
	for i, list := range [][]*ledger.Algorithm{m.Algorithms, m.Options.Examples} {
		l, err := ledger.Recorded(list)
		if err != nil {
			return err
		}
		if i == 0 {
			m.tally = l.Tally()
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
