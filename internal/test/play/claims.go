package play

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/garbage"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Deep is the flag of the tests of all algorithms that also search what takes
// minutes, each search for hours if need be. (.ci/run finds the packages that have it by their
// imports.)
var Deep = deepFlag()

func deepFlag() *bool {
	deep := new(bool)
	flag.BoolFunc("deep", "also search what takes minutes", func(string) error {
		*deep = true
		return flag.Set("bullyproof.within", "4h")
	})
	return deep
}

// Searches are most of what tests of algorithms do.
var _ = garbage.Seldom()

// Update is the flag of the tests that write what they would compare with.
var Update = flag.Bool("update", false, "write the records of the claims, and what else tests compare with")

// Protocols checks that each of the readings of an algorithm is a protocol that the
// world can run: in a setting with -deep, otherwise among two processes, who show
// as much of what handlers may not do, unless the setting is of more by its words.
func Protocols[P any, M model.Message](t *testing.T, in string, readings ...model.Protocol[P, M]) {
	t.Helper()
	if two, err := setting.Must(in).With("n=2"); err == nil && two.Validate() == nil && !*Deep {
		in = two.String()
	}
	for _, p := range readings {
		checker.TestProtocol(t, p, in)
	}
}

// In returns the function that returns what a variant of an algorithm is in a setting,
// as System does.
func In(a *ledger.Algorithm) func(t testing.TB, variant, setting string) *model.System {
	return func(t testing.TB, variant, setting string) *model.System {
		t.Helper()
		return System(t, a, variant, setting)
	}
}

// Costs returns what an election costs in a system.
func Costs(t testing.TB, sys *model.System) *cost.Report {
	t.Helper()
	r, err := cost.Of(t.Context(), sys, cost.Options{})
	require.NoError(t, err)
	return r
}

// Check returns the report on properties of a system: on the standard ones where none is
// given.
func Check(t testing.TB, sys *model.System, properties ...*checker.Property) *checker.Report {
	t.Helper()
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: properties})
	require.NoError(t, err)
	return r
}

// Takes returns what an election takes in a system at best and at worst: messages, or
// what else is measured.
func Takes(t testing.TB, sys *model.System, m cost.Measure) [2]int {
	t.Helper()
	c := Costs(t, sys).Cost(m)
	return [2]int{c.Best, c.Worst}
}

// Broken returns the properties that a system violates, of those that are given, or else
// of the standard ones. The search is a whole one.
func Broken(t testing.TB, sys *model.System, properties ...*checker.Property) (broken []*checker.Finding) {
	t.Helper()
	r := Check(t, sys, properties...)
	for i := range r.Findings {
		f := &r.Findings[i]
		require.NotEqual(t, checker.Incomplete, f.Verdict, "%s in %s", f.Property.Name, sys.Setting())
		if f.Verdict == checker.Violated {
			broken = append(broken, f)
		}
	}
	return broken
}

// AllKept checks that a variant of an algorithm keeps the standard properties in
// settings; in the second list are those that take long, which are for -deep.
func AllKept(t *testing.T, a *ledger.Algorithm, variant string, settings, long []string) {
	t.Helper()
	if *Deep {
		settings = append(settings, long...)
	}
	for _, setting := range settings {
		for _, f := range Broken(t, System(t, a, variant, setting)) {
			t.Errorf("%s in %s: %s", f.Property.Name, setting, f.Explanation)
		}
	}
}
