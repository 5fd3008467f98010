package maker

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/compare"
	"bullyproof/model/setting"
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

// groupsOf returns algorithms by what they run on, in groups that are not too
// large for a table.
func groupsOf(algorithms []*ledger.Algorithm) (list []*group) {
	for _, topology := range []setting.Topology{setting.Complete, setting.Ring, setting.BiRing} {
		var members []*ledger.Algorithm
		for _, a := range algorithms {
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
const comparedStates, comparedGraph = 30_000, 30_000

// compare makes the pages that compare.
func (m *maker) compare(ctx context.Context) error {
	for _, g := range m.groups {
		m.progress("comparison: " + strings.ToLower(g.Title[:1]) + g.Title[1:])
		subjects := make([]compare.Subject, len(g.Algorithms))
		for i, a := range g.Algorithms {
			var err error
			if subjects[i], err = compare.SubjectOf(a, ""); err != nil {
				return err
			}
		}
		c, err := compare.Run(ctx, subjects, compare.Options{
			Check: checker.Options{MaxStates: comparedStates, MaxGraphStates: comparedGraph},
		})
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.Breaks = len(c.Breaks())
		c.Title, c.Site = g.Title, m.frame("../", comparePage)
		c.Glossary = "../" + glossaryPage
		c.Of = func(name string) string { return "../" + pageOf(name) }
		var b bytes.Buffer
		if err := c.WritePage(&b); err != nil {
			return err
		}
		m.site.Files[g.Address()] = b.Bytes()
	}
	return nil
}
