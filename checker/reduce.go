package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

const (
	// ReduceAuto decides properties of states that say what they read
	// (Property.Reading) on the reduced system, where the setting allows for one,
	// and the others in a search of their own on the system as it is. So do single
	// reductions, which are parts of it.
	ReduceAuto = model.AllReductions

	// DefaultReduceBeyond is a good number of states for Options.ReduceBeyond: a
	// search of as many takes a few seconds.
	DefaultReduceBeyond = 200_000
)

// A Reduction says which verdicts of a report are those of a reduced system.
type Reduction struct {
	// Refused says why nothing was reduced; empty where something was.
	Refused string
	// Made are the reductions that were made.
	Made model.Reductions
	// Properties are the names of those decided on the reduced system, and
	// Distinct the number of its states that were visited, all of them if Complete
	// is set.
	Properties []string
	Distinct   uint64
	Complete   bool
	// Beyond is the number of states at which the search of the system as it is was
	// given up for the reduced one (Options.ReduceBeyond); 0 if there was none.
	Beyond uint64
	// Alone says that the report has no other search: its counts, and its
	// coverage, which is not all that can run, are of the reduced system.
	Alone bool
}

// Reading returns the property with what it reads of states that are not settled, its
// occasion included; model.ReadsSettled stands for nothing. A check can then
// decide it on a reduced system (Options.Reduce), if it is one of states. What a
// property reads beyond that may be wrong there: nobody finds out.
func (p *Property) Reading(r model.Reads) *Property {
	q := *p
	q.reads = r | model.ReadsSettled
	return &q
}

// Blind returns the property, said not to ask about any process by its id: if all
// change places, and with them whom they name, the answer is the same. A check can
// then visit one of the states of an anonymous ring that differ by a rotation.
func (p *Property) Blind() *Property {
	q := *p
	q.blind = true
	return &q
}

// Reducible reports whether the property can be decided on a reduced system.
func (p *Property) Reducible() bool {
	return p.reads != 0 && p.state != nil && !p.kind.temporal() && len(p.monitors) == 0 && (p.given == nil || p.given.step == nil)
}

// reduced decides on a reduced system those properties that can be, and returns
// the report, and the other properties. The report is nil where none can be; why
// says why.
func reduced(ctx context.Context, sys *model.System, opt Options, props []*Property) (r *Report, rest []*Property, why string, err error) {
	b := &batch{}
	for _, p := range props {
		if p.Reducible() {
			b.plain = append(b.plain, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(b.plain) == 0 {
		return nil, props, "no property says what it reads of states", nil
	}
	c := newCheck(sys, opt, b)
	c.watched, err = c.watched.Reduced(reductionOf(b.plain, opt.Reduce))
	var refused *model.IrreducibleError
	switch {
	case errors.As(err, &refused):
		return nil, props, refused.Why, nil
	case err != nil:
		return nil, nil, "", err
	}
	result, err := c.run(ctx, opt.reducedPart(len(rest) > 0))
	if opt.turnsInVain(err) {
		opt.Reduce &^= model.Rotations
		return reduced(ctx, sys, opt, props)
	}
	if err != nil {
		return nil, nil, "", err
	}
	r, err = c.report(ctx, result)
	if err = errors.Join(err, result.Close()); err != nil {
		return nil, nil, "", err
	}
	r.Reduction = &Reduction{Made: c.watched.Reductions(), Distinct: r.Distinct, Complete: r.Complete(), Alone: true}
	for _, p := range b.plain {
		r.Reduction.Properties = append(r.Reduction.Properties, p.Name)
	}
	// What never ran is not known; whether a state is settled is.
	r.Gaps = slices.DeleteFunc(r.Gaps, func(g Gap) bool { return g.Kind != "state" })
	return r, rest, "", shorten(ctx, sys, opt, r)
}

// beyond decides properties on the system as it is or, where that has too many
// states, on the reduced one, if nothing is asked for that this does not have.
func (o Options) beyond(ctx context.Context, sys *model.System, props []*Property) (*Report, error) {
	plain := o
	plain.Reduce = 0
	if !o.reducesLater(sys, props) {
		r, err := plain.check(ctx, sys, props)
		if err == nil && o.Order == explore.BreadthFirst {
			r.suggest(sys, o.Reduce)
		}
		return r, err
	}
	plain.MaxStates = o.ReduceBeyond
	if o.MaxStates > 0 && o.MaxStates <= o.ReduceBeyond {
		plain.MaxStates = o.MaxStates
	}
	first, err := plain.check(ctx, sys, props)
	if err != nil || first.Reason != explore.StateLimit || plain.MaxStates == o.MaxStates {
		return first, err
	}
	spent, pays, err := o.remaining(first.Duration).pays(ctx, sys, props, first)
	if err != nil {
		return nil, err
	}
	next := o.remaining(first.Duration + spent)
	var r *Report
	if pays {
		if r, err = next.reduce(ctx, sys, props); err == nil {
			r.Reduction.Beyond = o.ReduceBeyond
		}
	} else {
		next.Reduce = 0
		if r, err = next.check(ctx, sys, props); err == nil {
			r.suggest(sys, o.Reduce)
		}
	}
	if err != nil {
		return nil, err
	}
	r.Duration += first.Duration + spent
	r.PeakBytes = max(r.PeakBytes, first.PeakBytes)
	return r, nil
}

// payingFactor is how many times fewer states a reduced search has to have for it to
// pay: each takes several times longer.
const payingFactor = 4

// stepsOfATick is how many steps of the system one of whole ticks stands for, at
// least, most of the time.
const stepsOfATick = 3

// pays reports whether the reduced system has so many times fewer states than the
// system as it is, to the depth to which a search of that has come, and how long it
// took to find out.
func (o Options) pays(ctx context.Context, sys *model.System, props []*Property, first *Report) (spent time.Duration, pays bool, err error) {
	all := uint64(0)
	for depth, states := range first.Levels {
		if depth <= first.CompleteDepth {
			all += states
		}
	}
	if all < payingFactor || first.CompleteDepth < 1 {
		return 0, false, nil
	}
	watched, err := sys.Watched().Reduced(reductionOf(props, o.Reduce))
	if err != nil {
		return 0, false, err
	}
	search := o.explore(watched.Targets(), 0)
	search.StopWhenAll, search.Exhaustive = nil, true
	search.MaxDepth, search.MaxStates = first.CompleteDepth, all/payingFactor
	if watched.Reductions()&model.WholeTicks != 0 {
		search.MaxDepth = max(1, first.CompleteDepth/stepsOfATick)
	}
	result, err := explore.Search(ctx, watched, search)
	if o.turnsInVain(err) {
		o.Reduce &^= model.Rotations
		return o.pays(ctx, sys, props, first)
	}
	if err != nil {
		return 0, false, err
	}
	reached := result.Reason == explore.Complete || result.Reason == explore.DepthLimit
	return result.Duration, reached, result.Close()
}

// turnsInVain reports whether a search ended because processes name each other by id,
// and can do without rotations.
func (o Options) turnsInVain(err error) bool {
	var named *model.NamedError
	return errors.As(err, &named) && o.Reduce != model.Rotations
}

// reductionOf returns the reduction for some properties.
func reductionOf(props []*Property, only model.Reductions) model.Reduction {
	blind := !slices.ContainsFunc(props, func(p *Property) bool { return !p.blind })
	return model.Reduction{Reads: readsOf(props), Blind: blind, Only: only}
}

// readsOf returns what properties that say so read of states.
func readsOf(props []*Property) model.Reads {
	reads := model.ReadsSettled
	for _, p := range props {
		reads |= p.reads
	}
	return reads
}

// reducesLater reports whether a check of too many states goes on with the reduced
// system.
func (o *Options) reducesLater(sys *model.System, props []*Property) bool {
	if len(props) == 0 || o.Exhaustive || o.Exact || o.MaxDepth > 0 || o.Disk != "" || o.Order != explore.BreadthFirst {
		return false
	}
	return canReduce(sys, props, o.Reduce)
}

// suggest notes that a reduction may decide what a search that ended early has left
// open.
func (r *Report) suggest(sys *model.System, only model.Reductions) {
	var open []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict == Incomplete && r.Why != "" && canReduce(sys, []*Property{f.Property}, only) {
			open = append(open, f.Property.Name)
		}
	}
	if len(open) > 0 {
		r.reducible = prose.List(open)
	}
}

// canReduce reports whether all of some properties can be decided on the system
// reduced.
func canReduce(sys *model.System, props []*Property, only model.Reductions) bool {
	for _, p := range props {
		if !p.Reducible() {
			return false
		}
	}
	_, err := sys.Watched().Reduced(reductionOf(props, only))
	return err == nil
}

// shorten has the findings of a reduced search show the runs that a search without
// reduction finds, to the depth of those that there are: the shortest. Where
// that search meets a limit, a run stays as it is, perhaps not the shortest.
func shorten(ctx context.Context, sys *model.System, opt Options, r *Report) error {
	b := &batch{}
	misused, depth := false, 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Trace == nil {
			continue
		}
		f.Shortest = len(f.Trace.Steps) == 0
		depth = max(depth, len(f.Trace.Steps))
		if f.Property == Misuse {
			misused = true
		} else {
			b.plain = append(b.plain, f.Property)
		}
	}
	if depth == 0 || opt.Order != explore.BreadthFirst {
		return nil
	}
	opt = opt.remaining(r.Duration)
	c := newCheck(sys, opt, b)
	search := opt.explore(c.watched.Targets(), len(c.props))
	search.MaxDepth, search.Exhaustive = depth, false
	if misused {
		search.StopWhenAll = append(search.StopWhenAll, c.watched.Targets()-1)
	}
	result, err := explore.Search(ctx, c, search)
	if err != nil {
		return err
	}
	r.Duration += result.Duration
	r.PeakBytes = max(r.PeakBytes, result.PeakBytes)
	for i := range r.Findings {
		f := &r.Findings[i]
		target := slices.Index(c.props, f.Property)
		if f.Property == Misuse {
			target = c.watched.Targets() - 1
		}
		if f.Trace == nil || target < 0 {
			continue
		}
		if _, hit := result.Hit(target); !hit {
			continue
		}
		found, err := c.finding(f.Property, target, result, "")
		if err != nil {
			return err
		}
		*f = *found
	}
	return nil
}

// with returns the report of a reduced search with the findings of one that was
// not reduced, nil if there was none; the counts are those of the latter.
func (r *Report) with(plain *Report) *Report {
	if plain == nil {
		return r
	}
	all := plain.and(r)
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Property == Misuse && !slices.ContainsFunc(all.Findings, func(g Finding) bool { return g.Property == Misuse }) {
			all.Findings = append(all.Findings, *f)
		}
	}
	all.Reduction = r.Reduction
	all.Reduction.Alone = false
	return all
}

// remaining returns the options of a search after one that took so long.
func (o Options) remaining(spent time.Duration) Options {
	if o.MaxTime > 0 {
		o.MaxTime = max(o.MaxTime-spent, 1)
	}
	return o
}

// reductionText says what was reduced; "" where nothing was asked for.
func (r *Report) reductionText() string {
	d := r.Reduction
	switch {
	case d == nil:
		return ""
	case d.Refused != "":
		return "Not reduced: " + d.Refused + "."
	}
	text := fmt.Sprintf("Reduced (%s)", strings.Join(d.Made.Names(), ", "))
	if d.Beyond > 0 {
		text += ", as there are more than " + quantity.Plural(d.Beyond, "state")
	}
	text += fmt.Sprintf(": %s, decided on %s", prose.List(d.Properties), quantity.Plural(d.Distinct, "state"))
	switch {
	case !d.Complete:
		text += " (not all there are)"
	case !d.Alone && r.Complete():
		text += fmt.Sprintf(" of %s, a factor of %s", quantity.Count(r.Distinct), factor(r.Distinct, d.Distinct))
	}
	if d.Alone {
		return text + ". What never ran in them may run in others." + reduceNone
	}
	return text + "."
}

// reduceNone is how to have no reduction.
const reduceNone = " With --reduce none the search visits all."

// factor says how many times fewer states there are.
func factor(all, fewer uint64) string {
	x := float64(all) / float64(max(fewer, 1))
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return quantity.Count(uint64(x + 0.5))
}

type reductionJSON struct {
	Name       string   `json:"name,omitempty"`
	Refused    string   `json:"refused,omitempty"`
	Properties []string `json:"properties,omitempty"`
	Distinct   uint64   `json:"distinct,omitempty"`
	Beyond     uint64   `json:"beyond,omitempty"`
	Complete   bool     `json:"complete"`
	Alone      bool     `json:"alone"`
}

func (d *Reduction) toJSON() *reductionJSON {
	if d == nil {
		return nil
	}
	out := &reductionJSON{Refused: d.Refused, Properties: d.Properties, Distinct: d.Distinct, Beyond: d.Beyond, Complete: d.Complete, Alone: d.Alone}
	if d.Refused == "" {
		out.Name = strings.Join(d.Made.Names(), ",")
	}
	return out
}
