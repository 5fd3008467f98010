package checker

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"bullyproof/explore"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// How a report comes about: of one search, and of several that decided a part each.

func newReport(c *subject, result *explore.Result) *Report {
	return &Report{
		Algorithm: c.opt.Algorithm, Variant: c.opt.Variant, Setting: c.watched.Setting(),
		GaveUp: c.gaveUp, Optional: c.sys.Optional(), Coverage: c.watched.Coverage(),
		Measures: Measures{
			Reason: result.Reason, Order: c.opt.Order, Workers: c.opt.workers(),
			Distinct: result.Distinct, Generated: result.Generated, CompleteDepth: c.completeDepth(result),
			Depth: result.Depth, Levels: result.Levels, OutDegree: result.OutDegree(),
			Duration: c.spent + result.Duration, PeakBytes: max(c.peak, result.PeakBytes),
			Exact: result.Exact, CollisionProbability: result.CollisionProbability(), Collisions: result.Collisions,
		},
		undone: undone{
			periodic: periodic(c.sys), resume: c.opt.place().Resumable(result.Reason), seen: result.CompleteDepth,
			files: c.opt.Disk.Dir == "" && c.opt.Order == explore.BreadthFirst && !c.opt.Exact,
		},
	}
}

// report makes the report of a search.
func (c *subject) report(ctx context.Context, result *explore.Result) (r *Report, err error) {
	why := c.whyIncomplete(result)
	r = newReport(c, result)
	for i, p := range c.props {
		f := c.turn.finding(p)
		if _, hit := result.Hit(i); f == nil || hit {
			if f, err = c.finding(p, i, result, why); err != nil {
				return nil, err
			}
		}
		r.Findings = append(r.Findings, *f)
	}
	for i, p := range c.temporal {
		f := c.turn.finding(p)
		if f == nil {
			if f, err = c.decide(ctx, i, result, why); err != nil {
				return nil, err
			}
		}
		r.share(ctx, f)
		r.Findings = append(r.Findings, *f)
	}
	misuse, err := c.finding(Misuse, c.watched.Targets()-1, result, why)
	if err != nil {
		return nil, err
	}
	if misuse.Verdict == Violated {
		r.Findings = append(r.Findings, *misuse)
	}
	r.Why, r.Bound = why, c.bound(result)
	r.Gaps = c.gaps(r, result)
	c.turn.addTo(r)
	return r, nil
}

// finding answers one property, which is a target of the search.
func (c *subject) finding(p *Property, target int, result *explore.Result, why string) (*Finding, error) {
	f := &Finding{Property: p}
	_, hit := result.Hit(target)
	switch {
	case hit:
		f.Verdict = Violated
		if p.kind.witness() {
			f.Verdict = Found
		}
		// A level that was abandoned half-way cannot hide a shorter trace: one
		// property is hit by states alone or by steps alone.
		f.Shortest = c.opt.Order == explore.BreadthFirst
		return f, c.show(f, target, result)
	case why != "":
		f.Verdict, f.Why, f.known = Incomplete, why, c.completeDepth(result)
	case p.kind.witness():
		f.Verdict = NotFound
	default:
		c.holds(f)
		if p.step != nil && f.Verdict == Holds && result.OutDegree() == 0 {
			f.Verdict, f.Why = Vacuous, "a step"
		}
	}
	return f, nil
}

// completeDepth returns to which depth a search is complete: on a reduced system to
// none, since what it leaves out may come in fewer steps.
func (c *subject) completeDepth(result *explore.Result) int {
	if c.watched.Reductions() != 0 && !result.Complete() {
		return -1
	}
	return result.CompleteDepth
}

// holds makes a finding one of a property that nothing breaks: it holds, unless
// what it is about never came up.
func (c *subject) holds(f *Finding) {
	f.Verdict = Holds
	if f.Why = c.occasions.absent(f.Property); f.Why != "" {
		f.Verdict = Vacuous
	}
}

// share shows a run that the report already has in place of a finding's own, if it is
// as long and violates the property: a reader then has one run less to read.
func (r *Report) share(ctx context.Context, f *Finding) {
	if !f.showsEnd() {
		return
	}
	for i := range r.Findings {
		other := &r.Findings[i]
		if !other.showsEnd() || other.Property.kind.witness() || len(other.Trace.Steps) != len(f.Trace.Steps) {
			continue
		}
		run := other.Run
		if noViolation := f.Property.judge(ctx, run.System, run.States, run.Steps, -1); noViolation != nil {
			continue
		}
		shared := *other.Trace
		shared.Header = f.Trace.Header
		f.Trace, f.Run = &shared, run
		f.Explanation = explain(f)
		return
	}
}

// showsEnd reports whether a finding shows a run that ends.
func (f *Finding) showsEnd() bool { return f.Trace != nil && f.Trace.Lasso == 0 }

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

// noteReduction has a report of a reduced system say so.
func (r *Report) noteReduction(c *subject) {
	r.Reduction = &Reduction{Made: c.watched.Reductions(), Properties: r.answered(), Distinct: r.Distinct, Complete: r.Complete(), Alone: true}
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Shortest = f.Trace != nil && len(f.Trace.Steps) == 0
	}
	// It is unknown what never ran, and known whether a state is settled.
	r.Gaps = slices.DeleteFunc(r.Gaps, func(g Gap) bool { return g.Kind != "state" })
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
