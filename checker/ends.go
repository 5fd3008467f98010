package checker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// Properties of whole runs, decided where runs are over.
//
// Where no run goes on without end, each run is over sooner or later, in a state that
// owes nothing, and fairness makes no difference. A reduced system has the same such
// states as the system, and a run without end if the system has one (docs/reductions.md,
// "Runs that are over"). So where its graph has no cycle,
//
//   - p holds from some time on, or again and again, if it does in all states that owe
//     nothing, and not otherwise;
//   - p comes about at some time if it does in all of them;
//   - p leads to q if q holds in all of them, and does not where p holds and q does not.
//     Between the two nothing is said, except for a property that tells by one bit of
//     history whether a process owes (owes).
//
// A state that breaks a property like this does so whether or not there are cycles.

// atEnd says of a state in which a run is over whether it breaks the property, and whether
// it leaves it open; owing tells whether states have the bit that the property is about.
func (p *Property) atEnd(v *model.View, owing bool) (breaks, open bool) {
	for _, id := range p.temporal.ids(int(v.N)) {
		met := p.temporal.goal(v, id)
		switch {
		case p.kind == kindResponse && owing && p.owes != nil:
			breaks = breaks || v.Owes(id)
		case met:
		case p.kind == kindResponse && !p.temporal.trigger(v, id), p.kind == kindGuarantee:
			open = true
		default:
			breaks = true
		}
	}
	return breaks, open
}

// An endings is a search for the states in which runs are over, which decides
// properties of settled states as well.
type endings struct {
	*subject
	props   []*Property
	found   *search
	endless bool // there is a cycle, or it is not known that there is none
	unread  bool // the context ended the search for a cycle
}

// endingsOf returns the search of a stage that decides whole runs. The error is a *model.IrreducibleError if the system
// is not reduced.
func endingsOf(sys *model.System, opt Options, s *Stage) (e *endings, err error) {
	e = &endings{props: s.Runs}
	owing := sys
	if i := slices.IndexFunc(s.Runs, func(p *Property) bool { return p.owes != nil }); i >= 0 {
		if owing, err = sys.Owing(*s.Runs[i].owes); err != nil {
			return nil, err
		}
	}
	e.subject = emptySubject(owing, opt, s)
	e.temporal = nil
	if owing != sys {
		e.origin = sys
	}
	// The places of processes may matter to the outcome of a run, so no symmetries.
	e.watched, err = e.questions().Reduced(s.reduction(opt.Reduce))
	return e, err
}

// questions returns the system with what is asked of states and, behind that, two
// questions for each property of whole runs: whether a state that owes nothing breaks it,
// and whether it leaves it open.
func (e *endings) questions() *model.Watched {
	watches := e.watches()
	for _, p := range e.props {
		owing := e.origin != nil && p.owes == e.owes()
		watches = append(watches,
			model.Watch{State: func(v *model.View) bool {
				if !v.Quiet {
					return false
				}
				breaks, _ := p.atEnd(v, owing)
				return breaks
			}},
			model.Watch{State: func(v *model.View) bool {
				if !v.Quiet {
					return false
				}
				_, open := p.atEnd(v, owing)
				return open
			}})
	}
	return e.sys.Watched(watches...)
}

// owes returns the obligation of which the states that are searched have a bit.
func (e *endings) owes() *model.Obligation {
	for _, p := range e.props {
		if p.owes != nil {
			return p.owes
		}
	}
	return nil
}

// breaking returns the target that is hit where a run is over that breaks a property;
// the one that leaves it open is behind it.
func (e *endings) breaking(p *Property) int {
	return len(e.subject.props) + 1 + 2*slices.Index(e.props, p)
}

// search searches, and finds out whether a run can go on without end.
func (e *endings) search(ctx context.Context) error {
	how := e.opt.explore(e.watched.Targets(), 0)
	how.StopWhenAll, how.Graph, how.GraphOptional = nil, true, true
	if e.stage.Most > 0 {
		how.MaxStates = e.stage.Most
	}
	result, err := explore.Search(ctx, e, how)
	if err != nil {
		return errors.Join(err, e.startErr)
	}
	e.found = &search{subject: e.subject, Result: result}
	e.endless = true
	if g := e.found.Graph; g != nil {
		e.endless, err = liveness.Cyclic(ctx, g)
	}
	if e.unread = err != nil && errors.Is(err, ctx.Err()); e.unread {
		return nil
	}
	return err
}

// whyOpen says why a property that no state breaks need not hold; "" if it does, unless it
// is open at the end of some run.
func (e *endings) whyOpen() string {
	_, misused := e.found.Hit(e.watched.Targets() - 1)
	switch {
	case e.stage.Most > 0 && e.found.Reason == explore.StateLimit:
		return fmt.Sprintf("the graph of the reduced system, which tells whether a run goes on without end, is kept for at most %s (MaxGraphStates, --max-graph-states)",
			quantity.Plural(e.stage.Most, "state"))
	case e.found.whyIncomplete() != "":
		return "on the reduced system " + e.found.whyIncomplete()
	case e.found.Cuts != 0:
		return "runs go on beyond the bound (" + e.found.bound() + "), and where they are over is not known"
	case misused:
		return "a handler does what no world can carry out, and where a run would go on from there cannot be said"
	case e.found.Graph == nil:
		return "the graph of the reduced system, which tells whether a run goes on without end, does not fit in memory"
	case e.unread:
		return "the graph of the reduced system was there, and the time to look through it was not"
	case e.endless:
		return "a run of the reduced system can go on without end, and whether it is fair takes the graph of the system as it is"
	}
	return ""
}

// decide answers the properties of whole runs that the search decides, and returns the
// others.
func (e *endings) decide(ctx context.Context) (found []*Finding, left []Unreduced, err error) {
	why := e.whyOpen()
	for _, p := range e.props {
		f := &Finding{Property: p}
		_, breaks := e.found.Hit(e.breaking(p))
		_, open := e.found.Hit(e.breaking(p) + 1)
		switch {
		case breaks:
			if err := e.found.showEnd(f, e.breaking(p)); err != nil {
				return nil, nil, fmt.Errorf("property %q: %w", p.Name, err)
			}
		case why != "":
			left = without(left, why, p)
			continue
		case open:
			left = without(left, "a run comes to an end at which it depends on the states before, of which a reduction leaves some out", p)
			continue
		default:
			f.Verdict = Holds
			if e.occasions.absent(p) != "" {
				// It may come up nevertheless, in a state that was left out.
				met, err := e.arises(ctx, p)
				if err != nil {
					return nil, nil, err
				}
				if !met {
					left = without(left, "its occasion never comes up in the states that a reduction keeps, and may in the others", p)
					continue
				}
			}
		}
		found = append(found, f)
	}
	return found, left, nil
}

// arises reports whether the occasion of a property comes up: it is looked for on a
// reduced system of its own, with all that properties can read.
func (e *endings) arises(ctx context.Context, p *Property) (bool, error) {
	given := p.occasion(e.sys.Setting().N)
	w, err := e.given().Watched(model.Watch{State: given.when}).Reduced(model.Reduction{Reads: model.ReadsAll, Only: e.opt.Reduce &^ model.Symmetries})
	if err != nil {
		return false, err
	}
	how := e.opt.explore(w.Targets(), 1)
	how.Exhaustive = false
	result, err := explore.Search(ctx, w, how)
	if err != nil {
		return false, err
	}
	_, met := result.Hit(0)
	return met, result.Close()
}

// shorten has findings of runs that are over show shortest ones, as far as a search of
// the system as it is comes to.
func (e *endings) shorten(ctx context.Context, opt Options, r *Report) error {
	depth := 0
	var broken []*Finding
	var targets []int
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Trace != nil && slices.Contains(e.props, f.Property) {
			depth = max(depth, len(f.Trace.Steps))
			broken, targets = append(broken, f), append(targets, e.breaking(f.Property))
		}
	}
	if len(broken) == 0 || opt.Order != explore.BreadthFirst {
		return nil
	}
	opt.Algorithm = e.opt.Algorithm
	sub := &subject{opt: opt, sys: e.sys, origin: e.origin, watched: e.questions()}
	how := opt.forShortest(sub.watched.Targets(), 0, max(depth, 1))
	how.StopWhenAll = targets
	result, err := explore.Search(ctx, sub, how)
	if err != nil {
		return err
	}
	r.Duration += result.Duration
	s := &search{subject: sub, Result: result}
	for i, f := range broken {
		if _, hit := s.Hit(targets[i]); hit {
			if err := s.showEnd(f, targets[i]); err != nil {
				return err
			}
			f.Shortest = true
		}
	}
	return result.Close()
}
