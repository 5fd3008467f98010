package ledger

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// VerifyMutants shows in a go test that the properties of an algorithm can fail:
// each mutant is caught by the property that it names, in a setting in which the
// variant that it was made from has that property. It fails where the entry is not
// complete (Validate), where a mutant is not caught, where its original is, and
// where a search is incomplete. Only an original whose protocol bounds its states
// (model.Optional.Beyond) may be undecided.
func VerifyMutants(t *testing.T, a *Algorithm) {
	t.Helper()
	if err := Validate([]*Algorithm{a}); err != nil {
		t.Fatal(err)
	}
	for i := range a.Mutants {
		m := &a.Mutants[i]
		t.Run(m.Name, func(t *testing.T) {
			if err := a.Catches(t.Context(), m); err != nil {
				t.Error(err)
			}
		})
	}
}

// enough is how many states of an original are searched that bounds its states.
const enough = 20_000_000

// Catches returns an error unless the mutant is caught in its setting, and its
// original is not: of an original that bounds its states in its first 20,000,000.
func (a *Algorithm) Catches(ctx context.Context, m *Mutant) error {
	v, err := a.Variant(m.Of)
	if err != nil {
		return err
	}
	p, err := a.Property(m.Caught)
	if err != nil {
		return err
	}
	for _, of := range []struct {
		name string
		in   func(setting.Setting) (*model.System, error)
		want checker.Verdict
	}{{v.Name, v.In, checker.Holds}, {m.Name, m.In, checker.Violated}} {
		sys, err := of.in(m.Setting)
		if err != nil {
			return err
		}
		options := checker.Options{Properties: []*checker.Property{p}}
		if of.want == checker.Holds && bounded(sys) {
			options.MaxStates = enough
		}
		r, err := checker.Check(ctx, sys, options)
		if err != nil {
			return err
		}
		f := r.Finding(p.Name)
		if f.Verdict == of.want || f.Verdict == checker.Incomplete && of.want == checker.Holds && bounded(sys) {
			continue
		}
		return fmt.Errorf("%s of %s is %v in %v, want %v %s", p.Name, of.name, f.Verdict, sys.Setting(), of.want, f.Why)
	}
	return nil
}

// bounded reports whether the protocol of a system bounds its states.
func bounded(sys *model.System) bool {
	return slices.ContainsFunc(sys.Optional(), func(m model.OptionalMethod) bool { return m.Method == "Beyond" && m.Has })
}
