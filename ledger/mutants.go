package ledger

import (
	"context"
	"slices"
	"testing"

	"bullyproof/checker"
	"bullyproof/model"
)

// VerifyMutants shows in a go test that the properties of an algorithm can fail:
// each mutant is caught by the property that it names, in a setting in which the
// variant that it was made from is not. It fails where the entry is not complete
// (Validate), where a mutant is not caught, and where its original is. An original
// whose states have no end may be undecided: a search of it has to end by a bound
// of its own.
func VerifyMutants(t *testing.T, a *Algorithm) {
	t.Helper()
	if err := Validate([]*Algorithm{a}); err != nil {
		t.Fatal(err)
	}
	for i := range a.Mutants {
		m := &a.Mutants[i]
		t.Run(m.Name, func(t *testing.T) {
			v, err := a.Variant(m.Of)
			if err != nil {
				t.Fatal(err)
			}
			p, err := a.Property(m.Caught)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, p, v.Name, checker.Holds, checker.Incomplete)(v.In(m.Setting))
			expect(t, p, m.Name, checker.Violated)(m.In(m.Setting))
		})
	}
}

// expect returns what checks a property of a system, and fails unless the verdict
// is one of those that are wanted.
func expect(t *testing.T, p *checker.Property, name string, want ...checker.Verdict) func(*model.System, error) {
	return func(sys *model.System, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		r, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
		if err != nil {
			t.Fatal(err)
		}
		if f := r.Finding(p.Name); !slices.Contains(want, f.Verdict) {
			t.Errorf("%s of %s is %v in %v, want %v %s", p.Name, name, f.Verdict, sys.Setting(), want[0], f.Why)
		}
	}
}
