package maker

import (
	"cmp"
	"html/template"
	"maps"
	"slices"
	"strings"

	"bullyproof/ledger"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A filterBar filters what a page lists: one choice for each facet in which entries differ, and a
// text. The address has the choice, so that it can be linked.
type filterBar struct {
	// Of is the id of the list, and Things what it has, for the count.
	Of, Things string
	Choices    []choice
	// Lists are pages with the same bar, which take over what is chosen.
	Lists []trace.Link
}

// A choice is a facet with the values that some entry has.
type choice struct {
	Key, Label string
	Values     []string
}

// facets are what an entry is found by: the values of each key.
type facets map[string][]string

// Keys of facets, in the order of the bar.
const (
	bySystem  = "system"
	byFault   = "fault"
	byDamage  = "broke"
	byOutcome = "outcome"
	byKind    = "kind"
	byYear    = "year"
)

// labels are what the choices of a bar are called.
var labels = []struct{ key, label string }{
	{bySystem, "System"}, {byFault, "Fault"}, {byDamage, "What broke"}, {byOutcome, "Outcome"}, {byKind, "Kind"}, {byYear, "Year"},
}

// add adds values of a key; empty ones are none.
func (f facets) add(key string, values ...string) {
	for _, v := range values {
		if v != "" && !slices.Contains(f[key], v) {
			f[key] = append(f[key], v)
		}
	}
}

// join adds all that another has.
func (f facets) join(other facets) {
	for key, values := range other {
		f.add(key, values...)
	}
}

// Attributes has the facets for the script of the bar.
func (f facets) Attributes() template.HTMLAttr {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(f)) {
		b.WriteString(` data-` + key + `="` + template.HTMLEscapeString("|"+strings.Join(f[key], "|")+"|") + `"`)
	}
	return template.HTMLAttr(b.String())
}

// newBar returns the bar of a list with these entries. A facet in which all are alike has no choice.
func newBar(of, things string, list []facets, lists ...trace.Link) *filterBar {
	b := &filterBar{Of: of, Things: things, Lists: lists}
	for _, l := range labels {
		count := make(map[string]int)
		for _, f := range list {
			for _, v := range f[l.key] {
				count[v]++
			}
		}
		c := choice{Key: l.key, Label: l.label, Values: slices.Sorted(maps.Keys(count))}
		switch l.key {
		case byYear:
			slices.Reverse(c.Values)
			slices.SortStableFunc(c.Values, func(x, y string) int { return cmp.Compare(len(x), len(y)) }) // "year unknown" is the last
		case bySystem:
			slices.SortStableFunc(c.Values, func(x, y string) int { return strings.Compare(strings.ToLower(x), strings.ToLower(y)) })
		case byDamage, byOutcome, byKind, byFault:
			slices.SortStableFunc(c.Values, func(x, y string) int { return slices.Index(inOrder, x) - slices.Index(inOrder, y) })
		}
		if len(c.Values) > 1 || len(c.Values) == 1 && count[c.Values[0]] < len(list) {
			b.Choices = append(b.Choices, c)
		}
	}
	return b
}

// inOrder has the values that are not sorted by their letters.
var inOrder = ordered()

func ordered() (list []string) {
	for _, d := range ledger.Damages() {
		list = append(list, d.String())
	}
	for _, o := range outcomes {
		list = append(list, o.String())
	}
	for k := ledger.SafetyClaim; k <= ledger.FigureClaim; k++ {
		list = append(list, k.String())
	}
	for _, f := range faultNames {
		list = append(list, f.name)
	}
	return append(list, noFault)
}

// outcomes are those of claims, the most telling first.
var outcomes = []ledger.Outcome{
	ledger.Refuted, ledger.Contradiction, ledger.DoesNotFollow, ledger.Depends, ledger.RefutedBeyond, ledger.Undecided, ledger.Confirmed, ledger.ConfirmedForEveryN, ledger.Follows,
}

// faultNames are what the budgets of a setting are called where one looks for a fault. A
// network that heals and a request are none.
var faultNames = []struct{ key, name string }{
	{"crashes", "a crash"}, {"restarts", "a restart"}, {"joins", "a newcomer"}, {"losses", "a lost message"}, {"duplications", "a doubled message"},
	{"cuts", "a cut"}, {"premature", "late messages"}, {"suspicions", "a wrong report"}, {"pauses", "a pause"},
	{"lost-writes", "a lost write"}, {"lost-disks", "a lost disk"}, {"clock-steps", "clocks apart"},
}

// noFault is what settings without any of them have.
const noFault = "no fault"

// faultsIn returns what may go wrong in a setting.
func faultsIn(s setting.Setting) (list []string) {
	for _, b := range setting.Budgets() {
		at := slices.IndexFunc(faultNames, func(f struct{ key, name string }) bool { return f.key == b.Key })
		if at >= 0 && *b.Of(&s) > 0 {
			list = append(list, faultNames[at].name)
		}
	}
	if s.Timing.Kind == setting.Asynchronous && !slices.Contains(list, "late messages") {
		list = append(list, "late messages")
	}
	if s.Skew > 0 && !slices.Contains(list, "clocks apart") {
		list = append(list, "clocks apart")
	}
	if len(list) == 0 {
		return []string{noFault}
	}
	return list
}

// damageOf says what somebody sees where a standard property breaks. A property that is
// not here may break in several ways.
var damageOf = map[string]ledger.Damage{
	"uniqueness": ledger.TwoLeaders, "settled-uniqueness": ledger.TwoLeaders, "one-leader-per-epoch": ledger.TwoLeaders,
	"agreement": ledger.Disagreement, "live-coordinator": ledger.NoLeader, "re-election": ledger.NoLeader, "leader-again": ledger.NoLeader,
	"stable-leadership": ledger.LeaderChanges, "e2": ledger.LeftOut,
}

// damaged returns what broke where a property did, as a facet has it; empty if that is not known.
func damaged(property string) string {
	if d, ok := damageOf[property]; ok {
		return d.String()
	}
	return ""
}

// Facets returns what an algorithm is found by: its year and the systems that use it, and the
// faults by which something broke in its runs and its incidents.
func (e *entry) Facets() facets {
	f := make(facets)
	f.add(byYear, ledger.YearOf(e.Source))
	for _, r := range e.Runs {
		f.add(byFault, faultsIn(r.layout.Setting)...)
		f.add(byDamage, damaged(r.Property))
	}
	for _, c := range e.Incidents {
		of := c.Facets()
		delete(of, byYear)
		f.join(of)
	}
	return f
}

// Facets returns what an incident is found by.
func (c *incident) Facets() facets {
	f := make(facets)
	f.add(bySystem, c.Products...)
	f.add(byFault, faultsIn(c.in)...)
	f.add(byDamage, c.Damage.String())
	f.add(byYear, c.When())
	return f
}

// FacetsOf returns what a claim of an algorithm is found by: what it came to, the faults among
// which that was asked, and what broke if it is refuted.
func (e *entry) FacetsOf(r *ledger.Row) facets {
	f := make(facets)
	f.add(byOutcome, r.Judgement.Outcome.String())
	f.add(byKind, r.Claim.Kind.String())
	source := r.Claim.Source
	if source == "" {
		source = e.Source
	}
	f.add(byYear, ledger.YearOf(source))
	for _, c := range e.Incidents {
		f.add(bySystem, c.Products...)
	}
	for i := range r.Claim.Evidence {
		x := &r.Claim.Evidence[i]
		if s, err := setting.Parse(x.Setting); err == nil && x.Aside == "" {
			f.add(byFault, faultsIn(s)...)
		}
		if r.Judgement.Outcome.Against() {
			f.add(byDamage, damaged(x.Property))
		}
	}
	return f
}

// lists are the pages with a bar, without the one of an address.
func (m *maker) lists(but string) (list []trace.Link) {
	all := []trace.Link{{Text: "Algorithms", File: indexPage}}
	if len(m.cases) > 0 {
		all = slices.Insert(all, 0, trace.Link{Text: "Incidents", File: incidentsPage})
	}
	if m.tally.Claims > 0 {
		all = append(all, trace.Link{Text: "Claims", File: claimsPage})
	}
	return slices.DeleteFunc(all, func(l trace.Link) bool { return l.File == but })
}
