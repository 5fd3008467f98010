package checker

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bullyproof/checker/conform"
	"bullyproof/checker/internal/outcome"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/trace"
)

// show makes the trace of a hit by executing the system again.
func (s *search) show(f *Finding, target int) error {
	path, err := s.Path(target)
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, s.unsteady(err))
	}
	if path, err = s.watched.Restored(path); err == nil {
		path, err = s.original(path)
	}
	if err != nil {
		return fmt.Errorf("property %q: %w", f.Property.Name, s.unsteady(err))
	}
	if err := s.showSteps(f, path, 0); err != nil {
		return fmt.Errorf("property %q, %w", f.Property.Name, s.unsteady(err))
	}
	return nil
}

// showEnd makes a finding the one of a run that is over where a target is hit. The run
// is judged before anybody sees it.
func (s *search) showEnd(f *Finding, target int) error {
	f.Verdict = Violated
	if err := s.show(f, target); err != nil {
		return err
	}
	if err := f.Property.judge(context.Background(), f.Run.System, f.Run.States, f.Run.Steps, -1); err != nil {
		return s.unsteady(fmt.Errorf("the run that the search found is no violation when it is executed again (%w): the handlers are not deterministic (see TestSystem)", err))
	}
	return nil
}

// showSteps makes the trace of the steps that a search took. From the step of
// number lasso on they repeat without end, unless that is 0.
func (s *subject) showSteps(f *Finding, path []explore.PathStep, lasso int) error {
	run, err := trace.Follow(s.given(), path)
	if err != nil {
		return err
	}
	f.Run = run
	f.Trace = run.Record(trace.Header{
		Algorithm: s.opt.Algorithm, Variant: s.opt.Variant,
		Property: f.Property.Label(), Kind: f.Property.traceKind(),
	})
	f.Trace.Lasso = lasso
	f.Explanation = explain(f)
	return f.Trace.Validate()
}

// explain says what is the matter at the end of a trace.
func explain(f *Finding) string {
	if steps := f.Run.Steps; len(steps) > 0 && steps[len(steps)-1].Misuse != "" {
		last := steps[len(steps)-1]
		return trace.ActionText(last.Action) + ": " + last.Misuse
	}
	text := f.Property.ExplainRun(f.Run, f.Trace.Lasso)
	if left := f.Run.Left(); left != "" && text != "" && f.Property.afterAll() {
		text += "; " + left
	}
	return text
}

// ExplainRun says what is the matter with a run that breaks the property: one
// that is over, or repeats from the step of number lasso on. It is empty where
// the property has no words for it.
func (p *Property) ExplainRun(run *trace.Run, lasso int) string {
	end := len(run.States) - 1
	if p.kind == kindOutcome {
		return outcome.Explain(run)
	}
	if p.tell != nil && p.step != nil && end > 0 {
		said := ""
		w := model.Watch{Step: func(e *model.Event) bool {
			said = p.tell(e)
			return true
		}}
		w.HitsStep(run.System, run.States[end-1], &run.Steps[end-1])
		return said
	}
	if !p.kind.fair() || p.temporal.say == nil {
		return p.Explain(run.System.View(run.States[end]))
	}
	loop := lasso - 1
	if loop < 0 {
		loop = end
	}
	for _, id := range p.temporal.ids(run.System.Setting().N) {
		if p.breaks(run.System, run.States, loop, id) {
			return p.temporal.say(run.System.View(run.States[end]), id)
		}
	}
	return ""
}

// given returns the system that is checked.
func (s *subject) given() *model.System { return cmp.Or(s.origin, s.sys) }

var errElsewhere = errors.New("the system with a bit of history does what the system does not")

// original returns the run of the system that was given for one of the system that has a
// bit of history besides.
func (s *subject) original(path []explore.PathStep) ([]explore.PathStep, error) {
	if s.origin == nil {
		return path, nil
	}
	at, n := -1, 0
	s.sys.Initial(func(state []byte) bool {
		if bytes.Equal(state, path[0].State) {
			at = n
		}
		n++
		return at < 0
	})
	var run []explore.PathStep
	n = 0
	s.origin.Initial(func(state []byte) bool {
		if n == at {
			run = append(run, explore.PathStep{State: bytes.Clone(state)})
		}
		n++
		return n <= at
	})
	if len(run) == 0 {
		return nil, errElsewhere
	}
	for _, step := range path[1:] {
		steps := s.origin.Transitions(run[len(run)-1].State)
		i := slices.IndexFunc(steps, func(t model.Transition) bool { return t.Code == step.Code })
		if i < 0 {
			return nil, errElsewhere
		}
		run = append(run, explore.PathStep{Code: step.Code, State: steps[i].Next})
	}
	return run, nil
}

// unsteady returns what is wrong with the handlers of a system one of whose runs
// was seen and cannot be shown; the error itself where nothing is found that is.
func (s *subject) unsteady(err error) error {
	for range probes {
		if culprit := conform.System(s.sys, conform.Thoroughly().Misused()); culprit != nil {
			return fmt.Errorf("a run was found, and cannot be shown, since the handlers are not deterministic: %w", culprit)
		}
	}
	return err
}

// probes is how often handlers are looked at that are not deterministic: they may happen to do
// the same again.
const probes = 20
