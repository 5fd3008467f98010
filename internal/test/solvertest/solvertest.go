// Package solvertest is for tests that ask a solver (package checker/induction).
package solvertest

import (
	"os"
	"testing"
)

// Installed returns a list of solvers that are installed. A test without any is skipped; it
// fails where the environment wants one, as .ci/run does: BULLYPROOF_SOLVER=required.
func Installed[S any](t testing.TB, list []S) []S {
	t.Helper()
	if len(list) == 0 {
		if os.Getenv("BULLYPROOF_SOLVER") == "required" {
			t.Fatal("neither z3 nor cvc5 is installed: apt install z3 cvc5")
		}
		t.Skip("neither z3 nor cvc5 is installed")
	}
	return list
}

// Preferred returns the first of a list that Installed returned, alone.
func Preferred[S any](list []S) []S { return list[:1] }
