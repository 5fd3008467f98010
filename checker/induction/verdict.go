package induction

import (
	"context"
	"fmt"
	"time"

	"bullyproof/checker/relation"
)

// A Verdict is what is known of a property.
type Verdict string

// The verdicts.
const (
	// Proved: it is true for every number of processes, as far as the description goes.
	Proved Verdict = "proved"
	// Holds: it is true in the instances, and not proved.
	Holds Verdict = "holds"
	// Violated: it is not true in a state of an instance.
	Violated Verdict = "violated"
)

// An Answer is what is known of one property.
type Answer struct {
	Property relation.Sentence
	Verdict  Verdict
	Proof    *Proof          // where it is proved
	Open     *Counterexample // where it holds: what a proof does not get past
	State    string          // where it is violated: what is true then
}

// A Report is what is known of the properties of a description.
type Report struct {
	*relation.Judgement
	Answers []Answer
	// Solver is the one that was asked; nil without one.
	Solver *Solver
	// Result says how it went; nil where nothing was tried.
	Result *Result
}

// Options are those of Decide.
type Options struct {
	// Solver is asked; nil stands for none, and nothing is proved.
	Solver *Solver
	// Sizes bounds the sentences that are looked for.
	Sizes Sizes
	// Progress is told from time to time what is being done; nil to tell nobody.
	Progress func(doing string, took time.Duration)
}

// Decide judges a description, and then proves its properties as far as it can. Errors are
// those of Model.Judge and of the solver.
func Decide(ctx context.Context, m *relation.Model, opt Options) (*Report, error) {
	began := time.Now()
	tell := func(format string, args ...any) {
		if opt.Progress != nil {
			opt.Progress(fmt.Sprintf(format, args...), time.Since(began))
		}
	}
	m.Progress = func(setting string, states int) { tell("%s: %d states", setting, states) }
	seen, err := m.Judge(ctx)
	if err != nil {
		return nil, err
	}
	r := &Report{Judgement: seen, Solver: opt.Solver}
	open := 0
	for _, p := range m.Properties {
		a := Answer{Property: p, Verdict: Holds, State: violation(&p, seen.Seen)}
		if a.State != "" {
			a.Verdict = Violated
		} else {
			open++
		}
		r.Answers = append(r.Answers, a)
	}
	if opt.Solver == nil || open == 0 {
		return r, nil
	}
	if len(m.Lemmas) > 0 { // they may be enough
		if r.Result, err = prove(ctx, m.Description, nil, 0, *opt.Solver, tell); err != nil {
			return nil, err
		}
		if r.take(r.Result); len(r.Result.Open) == 0 {
			return r, nil
		}
	}
	list := families(m.Description, seen.Seen, opt.Sizes.Things)
	if r.Result, err = prove(ctx, m.Description, list, opt.Sizes.Literals, *opt.Solver, tell); err != nil {
		return nil, err
	}
	r.take(r.Result)
	for _, a := range r.Answers {
		if a.Open != nil {
			a.Open.reached(seen.Seen)
		}
	}
	return r, nil
}

// violation returns a state that was seen in which a sentence is not true, as text.
func violation(p *relation.Sentence, seen []relation.Seen) string {
	for _, in := range seen {
		for _, state := range in.States {
			if !in.Always(p, state) {
				return fmt.Sprintf("n=%d: %s", len(in.Ring), in.StateText(state))
			}
		}
	}
	return ""
}

// take notes what an attempt came to.
func (r *Report) take(result *Result) {
	for i := range r.Answers {
		a := &r.Answers[i]
		for k := range result.Proofs {
			if p := &result.Proofs[k]; p.Property.Name == a.Property.Name {
				a.Verdict, a.Proof, a.Open = Proved, p, nil
			}
		}
		for k := range result.Open {
			if x := &result.Open[k]; x.Sentence.Name == a.Property.Name && a.Verdict == Holds {
				a.Open = x
			}
		}
	}
}
