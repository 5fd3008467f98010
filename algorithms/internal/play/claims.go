package play

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// Deep is the flag of the tests of all algorithms that also search what takes
// minutes. (.ci/run finds the packages that have it by their calls of Claims.)
var Deep = flag.Bool("deep", false, "also search what takes minutes")

var update = flag.Bool("update", false, "write the record of the claims")

// Claims verifies the claims of an algorithm, its mutants and its record.
func Claims(t *testing.T, a *ledger.Algorithm) {
	t.Helper()
	ledger.VerifyClaims(t, a, ledger.ClaimOptions{Deep: *Deep, Update: *update})
}

// Protocols checks that each of the readings of an algorithm is a protocol that the
// world can run, in a setting.
func Protocols[P any, M model.Message](t *testing.T, setting string, readings ...model.Protocol[P, M]) {
	t.Helper()
	for _, p := range readings {
		checker.TestProtocol(t, p, setting)
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
