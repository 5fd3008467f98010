package site

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"bullyproof/checker"
	"bullyproof/compare"
	"bullyproof/ledger"
	"bullyproof/setting"
	"bullyproof/trace"
)

// A group is algorithms that are compared: those for one topology.
type group struct {
	Name, Title string
	Algorithms  []*ledger.Algorithm
	Breaks      int
}

// Address is that of the group's page from the root.
func (g *group) Address() string { return "compare/" + g.Name + ".html" }

var groupTitles = map[setting.Topology]string{
	setting.Complete: "Where everybody can send to everybody",
	setting.Ring:     "On a ring",
	setting.BiRing:   "On a ring in both directions",
}

// groups returns the catalogue by what its algorithms run on, in groups that are
// not too large for a table.
func (m *maker) groups() (list []*group) {
	for _, topology := range []setting.Topology{setting.Complete, setting.Ring, setting.BiRing} {
		var members []*ledger.Algorithm
		for _, a := range m.Algorithms {
			if a.Variants[0].Setting.Topology == topology {
				members = append(members, a)
			}
		}
		for part := 1; len(members) > 0; part++ {
			k := min(len(members), compare.MostSubjects)
			g := &group{Name: topology.String(), Title: groupTitles[topology], Algorithms: members[:k]}
			if part > 1 {
				g.Name, g.Title = fmt.Sprintf("%s-%d", g.Name, part), fmt.Sprintf("%s, part %d", g.Title, part)
			}
			list, members = append(list, g), members[k:]
		}
	}
	return list
}

// comparedStates ends each search of a comparison, and comparedGraph each one
// that needs the graph.
const comparedStates, comparedGraph = 10_000, 10_000

// compare makes the pages that compare.
func (m *maker) compare(ctx context.Context) ([]*group, error) {
	list := m.groups()
	for _, g := range list {
		m.progress("comparison: " + strings.ToLower(g.Title[:1]) + g.Title[1:])
		subjects := make([]compare.Subject, len(g.Algorithms))
		for i, a := range g.Algorithms {
			var err error
			if subjects[i], err = compare.SubjectOf(a, ""); err != nil {
				return nil, err
			}
		}
		c, err := compare.Run(ctx, subjects, compare.Options{
			Check: checker.Options{MaxStates: comparedStates, MaxGraphStates: comparedGraph},
		})
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.Breaks = len(c.Breaks())
		c.Title, c.Links = g.Title, []trace.Link{
			{Text: "All comparisons", File: "../" + comparePage},
			{Text: "The algorithms", File: "../" + indexPage},
			{Text: "What the words mean", File: "../" + glossaryPage},
		}
		c.Of = func(name string) string { return "../" + pageOf(name) }
		var b bytes.Buffer
		if err := c.WritePage(&b); err != nil {
			return nil, err
		}
		m.site.Files[g.Address()] = b.Bytes()
	}
	return list, nil
}
