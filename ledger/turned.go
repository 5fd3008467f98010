package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Untouched returns the names of the confirmed claims of an algorithm that none
// of its mutants turns, nor any other variant: for each other claim there is a
// piece of evidence that decides it, and that comes out otherwise of the algorithm
// with a fault, or with a change. A verdict that cannot come out otherwise was not
// put to a test. Evidence that took more states than most according to the record
// is left out, and a search of a mutant ends at ten times as many; the second list
// has the confirmed claims that no evidence is left of.
func Untouched(ctx context.Context, a *Algorithm, most uint64) (left, unseen []string, err error) {
	l, err := Recorded(ctx, []*Algorithm{a})
	if err != nil {
		return nil, nil, err
	}
	recorded := l.Entries[0].Judgements
	trials, open := a.trials(recorded, most)
	for i := range recorded {
		if name := recorded[i].Claim; recorded[i].Outcome.Confirms() && !open[name] {
			unseen = append(unseen, name)
		}
	}
	for _, c := range a.changed() {
		for _, t := range trials {
			if t.drop(open); len(t.questions) == 0 {
				continue
			}
			if err := a.try(ctx, c, t, most*10, open); err != nil {
				return nil, nil, fmt.Errorf("%s in %q: %w", c.name, t.setting, err)
			}
		}
	}
	for _, c := range a.Claims() {
		if open[c.Name] {
			left = append(left, c.Name)
		}
	}
	return left, unseen, nil
}

// A change is an algorithm that differs from its source: a mutant, or another
// variant.
type change struct {
	name string
	of   interface {
		In(s setting.Setting) (*model.System, error)
	}
}

// changed returns the mutants of an algorithm, and its variants.
func (a *Algorithm) changed() (list []change) {
	for i := range a.Mutants {
		list = append(list, change{name: "mutant " + a.Mutants[i].Name, of: &a.Mutants[i]})
	}
	for i := range a.Variants {
		list = append(list, change{name: "variant " + a.Variants[i].Name, of: &a.Variants[i]})
	}
	return list
}

// A trial is what was asked in a setting.
type trial struct {
	setting   string
	states    uint64
	questions []question
}

// A question is a piece of evidence, and the claim that it is on.
type question struct {
	claim    string
	evidence *Evidence
}

// drop takes out the questions on claims that are no longer open.
func (t *trial) drop(open map[string]bool) {
	t.questions = slices.DeleteFunc(t.questions, func(q question) bool { return !open[q.claim] })
}

// trials returns the settings in which confirmed claims were decided, those with
// the fewest states first, and the claims.
func (a *Algorithm) trials(recorded []Judgement, most uint64) ([]*trial, map[string]bool) {
	open := make(map[string]bool)
	in := make(map[string]*trial)
	var list []*trial
	for i := range a.Claims() {
		c := &a.Claims()[i]
		for k := range c.Evidence {
			e, x := &c.Evidence[k], &recorded[i].Exhibits[k]
			if !recorded[i].Outcome.Confirms() || !c.decides(e) || x.States == 0 || x.States > most || x.Ruling != AsClaimed {
				continue
			}
			open[c.Name] = true
			t := in[x.Setting]
			if t == nil {
				t = &trial{setting: x.Setting}
				in[x.Setting], list = t, append(list, t)
			}
			t.states = max(t.states, x.States)
			t.questions = append(t.questions, question{claim: c.Name, evidence: e})
		}
	}
	slices.SortStableFunc(list, func(x, y *trial) int { return cmp.Compare(x.states, y.states) })
	return list, open
}

// try asks of a change what was asked of the algorithm, and takes the claims that
// it turns out of those that are open.
func (a *Algorithm) try(ctx context.Context, c change, t *trial, most uint64, open map[string]bool) error {
	s, err := setting.Parse(t.setting)
	if err != nil {
		return err
	}
	sys, err := c.of.In(s)
	if err != nil {
		return nil // it has no channels to send by there
	}
	var props []*checker.Property
	for _, q := range t.questions {
		if q.evidence.Property == "" {
			turned, err := q.evidence.turns(ctx, sys, most)
			if err != nil {
				return err
			}
			if turned {
				delete(open, q.claim)
			}
			continue
		}
		p, err := a.Property(q.evidence.Property)
		if err != nil {
			return err
		}
		if !slices.Contains(props, p) {
			props = append(props, p)
		}
	}
	if len(props) == 0 {
		return nil
	}
	r, err := checker.Check(ctx, sys, checker.Options{Properties: props, MaxStates: most, Workers: 1})
	if err != nil {
		return err
	}
	for _, q := range t.questions {
		if f := r.Finding(q.evidence.Property); f != nil {
			var x Exhibit
			if x.answer(q.evidence, f); x.Ruling == NotAsClaimed {
				delete(open, q.claim)
			}
		}
	}
	return nil
}

// turns reports whether a number of a system is not what a source says.
func (e *Evidence) turns(ctx context.Context, sys *model.System, most uint64) (bool, error) {
	if e.Chance != nil {
		return turnsChance(ctx, sys, e.Chance, most)
	}
	return turnsCost(ctx, sys, e.Cost, most)
}

// turnsCost reports whether a cost of a system is not what a source says.
func turnsCost(ctx context.Context, sys *model.System, q *CostQuestion, most uint64) (bool, error) {
	r, err := cost.Of(ctx, sys, cost.Options{From: q.From, MaxStates: most, Workers: 1})
	if err != nil || r.Why != "" || r.Cost(q.Measure) == nil { // it may have other kinds of messages
		return false, err
	}
	var x Exhibit
	err = x.price(q, r)
	return x.Ruling == NotAsClaimed, err
}
