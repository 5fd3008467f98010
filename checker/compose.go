package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A part is what one stage of a plan found, or several. Each search has a report of its own,
// since its runs are shown while its states are there; compose makes one of them when all
// searches are over.
type part struct {
	report *Report     // nil if nothing was decided
	turned *turn       // what the search turned to; nil if that is nothing
	left   []Unreduced // what searches of reduced systems leave open
	ends   *endings    // how a search of a reduced system found runs that are over; nil if it did not
}

// compose makes the report of a check from what was found on reduced systems, if it began with
// some, and then on the system as it is.
func (pl planner) compose(props []*Property, small part, plain []part) *Report {
	r := together(plain)
	switch {
	case small.report != nil:
		small.report.Reduction.Left = small.left
		if r = small.report.with(r); len(plain) > 0 && r.resume != "" {
			r.resume = pl.place().Resumable(r.Reason)
		}
	case pl.reducesFirst():
		r.Reduction = &Reduction{Left: small.left, Refused: refusal(small.left, len(props))}
	}
	r.sort(props)
	if pl.Reduce != 0 && r.Reduction == nil {
		r.suggest(pl)
	}
	return r
}

// together returns one report of several searches that decided a part each, nil if none did.
func together(found []part) (r *Report) {
	for _, p := range found {
		if p.report != nil {
			p.turned.addTo(p.report)
			r = r.beside(p.report)
		}
	}
	return r
}

// with returns the report of a reduced search with the findings of one that was
// not reduced, nil if there was none; the counts are those of the latter.
func (r *Report) with(plain *Report) *Report {
	if plain == nil {
		return r
	}
	all := plain.and(r)
	all.Reduction = r.Reduction
	all.Reduction.Alone = false
	if !r.Complete() {
		all.less = r
	}
	return all
}

// addTo adds to a report what was decided on reduced systems and what that took. Where
// nothing else is left, its counts are theirs.
func (s *turn) addTo(r *Report) {
	if s == nil {
		return
	}
	if s.report != nil && !s.report.Complete() {
		r.less = s.report
	}
	if s.report == nil || len(s.report.Findings) == 0 {
		if len(s.left) > 0 {
			r.Reduction = &Reduction{Left: s.left, Refused: refusal(s.left, s.open)}
		}
		return
	}
	small := s.report
	r.Reduction = small.Reduction
	r.Reduction.Beyond, r.Reduction.Alone, r.Reduction.Left = s.beyond, s.over, s.left
	r.Reduction.Properties = small.answered()
	r.misusedToo(small)
	r.PeakBytes = max(r.PeakBytes, small.PeakBytes)
	r.Bound = both(r.Bound, small.Bound)
	if !s.over {
		r.ran(small)
		return
	}
	r.seen, r.Reason, r.Why, r.CompleteDepth = small.seen, small.Reason, small.Why, small.CompleteDepth
	r.Growth, r.Values = small.Growth, small.Values
	r.Distinct, r.Generated, r.Depth, r.Levels, r.OutDegree = small.Distinct, small.Generated, small.Depth, small.Levels, small.OutDegree
	r.CollisionProbability, r.Coverage, r.Gaps = small.CollisionProbability, small.Coverage, small.Gaps
}

// beside returns one report for two searches that decided a part each: the counts are those
// of the one with more states.
func (r *Report) beside(next *Report) *Report {
	if r == nil {
		return next
	}
	if next.Distinct > r.Distinct {
		r, next = next, r
	}
	return r.and(next)
}

// and returns the report with what another search found: it decided other properties, and
// what it saw was seen. Counts stay those of the report. Each field has its rule in
// TestReportsOfSeveralSearchesAddUp.
func (r *Report) and(next *Report) *Report {
	if r == nil {
		return next
	}
	for _, f := range next.Findings {
		if f.Property != Misuse {
			r.Findings = append(r.Findings, f)
		}
	}
	r.misusedToo(next)
	switch { // a search without a reason has answered what it was asked
	case next.Why == "":
	case r.Why == "":
		r.Reason, r.CompleteDepth = next.Reason, next.CompleteDepth
	default:
		r.CompleteDepth = min(r.CompleteDepth, next.CompleteDepth)
	}
	r.Why, r.Bound, r.GaveUp = both(r.Why, next.Why), both(r.Bound, next.Bound), both(r.GaveUp, next.GaveUp)
	r.Duration += next.Duration
	r.PeakBytes = max(r.PeakBytes, next.PeakBytes)
	r.CollisionProbability = min(1, r.CollisionProbability+next.CollisionProbability)
	r.Reduction = r.Reduction.and(next.Reduction)
	r.ran(next)
	r.resume, r.reducible = cmp.Or(r.resume, next.resume), cmp.Or(r.reducible, next.reducible)
	if len(r.Growth) == 0 {
		r.Growth = next.Growth
	}
	if len(r.Tallies) == 0 {
		r.Tallies = next.Tallies
	}
	r.files, r.less = r.files || next.files, cmp.Or(r.less, next.less)
	return r
}

// separator stands between the reasons of a text.
const separator = "; "

// both returns the reasons of two texts, each once.
func both(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	all := strings.Split(a, separator)
	for _, reason := range strings.Split(b, separator) {
		if !slices.Contains(all, reason) {
			all = append(all, reason)
		}
	}
	return strings.Join(all, separator)
}

// ran adds to the coverage of a report what ran in another search of the system, or of a
// reduced one, and takes away the gaps that this closes. Searches of one system see the same:
// the count is that of the one that saw more.
func (r *Report) ran(next *Report) {
	most := func(of, more []model.Count) []model.Count {
		of = slices.Clone(of)
		for _, c := range more {
			if i := slices.IndexFunc(of, func(o model.Count) bool { return o.Name == c.Name }); i >= 0 {
				of[i].Times = max(of[i].Times, c.Times)
			} else {
				of = append(of, c)
			}
		}
		return of
	}
	c, d := &r.Coverage, &next.Coverage
	c.Rules, c.Sent, c.Received, c.Actions = most(c.Rules, d.Rules), most(c.Sent, d.Sent), most(c.Received, d.Received), most(c.Actions, d.Actions)
	c.Remark = cmp.Or(c.Remark, d.Remark)
	left := gapsIn(c)
	var gaps []Gap
	for _, g := range r.Gaps {
		open := true
		switch g.Kind {
		case "state":
			open = slices.Contains(next.Gaps, g)
		case "action":
			open = !slices.ContainsFunc(c.Actions, func(a model.Count) bool { return a.Name == g.Action && a.Times > 0 })
		default:
			i := slices.IndexFunc(left, func(l Gap) bool { return l.Kind == g.Kind && l.Name == g.Name })
			if open = i >= 0; open {
				g = left[i]
			}
		}
		if open {
			gaps = append(gaps, g)
		}
	}
	r.Gaps = gaps
}

// sort puts the findings in the order of asking, with Misuse last.
func (r *Report) sort(props []*Property) {
	at := func(f Finding) int {
		i := slices.Index(props, f.Property)
		if i < 0 {
			i = len(props)
		}
		return i
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return at(a) - at(b) })
	if d := r.Reduction; d != nil {
		slices.SortStableFunc(d.Properties, func(a, b string) int { return slices.IndexFunc(props, called(a)) - slices.IndexFunc(props, called(b)) })
	}
}

// called returns whether a property has a name.
func called(name string) func(*Property) bool {
	return func(p *Property) bool { return p.Name == name }
}

// misusedToo adds to a report that another one has Misuse violated. Of two runs the shorter
// one is shown.
func (r *Report) misusedToo(other *Report) {
	f, have := other.Finding(Misuse.Name), r.Finding(Misuse.Name)
	switch {
	case f == nil:
	case have == nil:
		r.Findings = append(r.Findings, *f)
	case len(f.Trace.Steps) < len(have.Trace.Steps):
		*have = *f
	}
}

// answered returns the names of what was asked, without Misuse.
func (r *Report) answered() (names []string) {
	for i := range r.Findings {
		if p := r.Findings[i].Property; p != Misuse {
			names = append(names, p.Name)
		}
	}
	return names
}

// and returns what two searches, or what they turned to, decided on reduced systems.
func (d *Reduction) and(e *Reduction) *Reduction {
	switch {
	case d == nil:
		return e
	case e == nil:
		return d
	}
	all := *d
	all.Made |= e.Made
	all.Properties = slices.Concat(d.Properties, e.Properties)
	all.Left = slices.Concat(d.Left, e.Left)
	all.Distinct = max(d.Distinct, e.Distinct)
	all.Complete = d.Complete && e.Complete
	switch {
	case d.Refused == "":
		all.Complete = d.Complete && (e.Complete || e.Refused != "")
	case e.Refused == "":
		all.Refused, all.Beyond, all.Complete = "", e.Beyond, e.Complete
	case d.Refused != e.Refused:
		all.Refused += "; " + e.Refused
	}
	return &all
}

// suggest notes why a search turned to no reduced system, where it came to many states or
// ended early, and that one may decide what it has left open.
func (r *Report) suggest(pl planner) {
	early := r.Why != ""
	why := pl.staysPlain()
	switch {
	case r.Distinct < pl.ReduceBeyond && !early || why == "" && !early:
		return
	case why == "":
		why = fmt.Sprintf("the search ended before it turned to a reduced system, at %s; --reduce auto begins with one", quantity.Plural(pl.ReduceBeyond, "state"))
	}
	var all, open []*Property
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Property != Misuse {
			all = append(all, f.Property)
			if f.Verdict == Incomplete && early {
				open = append(open, f.Property)
			}
		}
	}
	r.Reduction = &Reduction{Refused: why, Left: without(nil, why, all...)}
	if pl.Order != explore.BreadthFirst {
		return
	}
	var less []*Property
	stages, _ := pl.reducible(open)
	for _, s := range stages {
		less = append(less, s.properties()...)
	}
	less = slices.DeleteFunc(slices.Clone(all), func(p *Property) bool { return !slices.Contains(less, p) })
	if r.reducible = prose.List(namesOf(less)); len(less) > 1 && len(less) == len(open) {
		r.reducible = "what is open"
	}
}
