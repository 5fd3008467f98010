package compare

import (
	"context"
	"errors"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
)

// A Without is what becomes of a subject that is denied one of its assumptions,
// and granted all others, in the world that needs an election: a process
// crashes or, where the algorithm assumes that nobody does, nothing happens.
type Without struct {
	Subject    string
	Assumption ledger.Assumption
	// Trial is what was found. Its cells are those properties that the author
	// asks and that hold, or never came up, as long as everything is granted.
	Trial Trial
	// Before is what was found with everything granted.
	Before *Trial
}

// premises takes from each subject its assumptions, one at a time.
func (r *runner) premises(ctx context.Context) error {
	for i := range r.Subjects {
		s := &r.Subjects[i]
		if len(s.Assumptions) == 0 {
			continue
		}
		before, err := r.granted(ctx, s)
		if err != nil {
			return err
		}
		for _, a := range s.Assumptions {
			w := Without{Subject: s.Name(), Assumption: a, Before: before}
			w.Trial = Trial{Subject: s.Name(), Fault: Fault{Name: a.Premise.Lack()}, N: before.N, Refused: before.Refused}
			if w.Trial.Refused == "" {
				if err := r.deny(ctx, s, &w); err != nil {
					return err
				}
			}
			r.Premises = append(r.Premises, w)
		}
	}
	return nil
}

// granted asks a subject with all its assumptions granted, in the smallest number
// of processes.
func (r *runner) granted(ctx context.Context, s *Subject) (*Trial, error) {
	t := &Trial{Subject: s.Name(), Fault: Fault{Name: "a crash", Words: "crashes=1"}, N: r.N[0]}
	if slices.ContainsFunc(s.Assumptions, func(a ledger.Assumption) bool { return a.Premise == ledger.NoFailures }) {
		t.Fault = Fault{Name: "an election"}
	}
	var err error
	t.Setting, err = s.Under(t.Fault, t.N)
	for _, a := range s.Assumptions {
		t.Setting = a.Premise.GrantedIn(t.Setting)
	}
	if err = errors.Join(err, t.Setting.Validate()); err != nil {
		t.Refused = reason(err)
		return t, nil
	}
	return t, r.ask(ctx, s, t, s.Name()+", as assumed", s.Questions)
}

// deny asks a subject that is denied an assumption what it kept before.
func (r *runner) deny(ctx context.Context, s *Subject, w *Without) error {
	t := &w.Trial
	in, err := w.Assumption.Premise.DeniedIn(w.Before.Setting)
	t.Setting = in
	if err != nil {
		t.Refused = reason(err)
		return nil
	}
	var list []*checker.Property
	for _, p := range s.Questions {
		// A property that takes somebody who is down may come up only now.
		if kept := w.Before.Cell(p.Name); kept == nil || kept.Verdict == checker.Holds || kept.Verdict == checker.Vacuous {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return r.ask(ctx, s, t, s.Name()+", "+w.Assumption.Premise.Lack(), list)
}

// Broken returns the cells of what is violated without the assumption.
func (w *Without) Broken() (list []*Cell) {
	for i := range w.Trial.Cells {
		if c := &w.Trial.Cells[i]; bad(c) {
			list = append(list, c)
		}
	}
	return list
}
