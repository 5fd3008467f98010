// Package thorough keeps tests of several seconds out of a first go test.
package thorough

import (
	"flag"
	"testing"
)

// Only skips a test that takes seconds, unless the build has the tag thorough, as
// that of .ci/run has, or the test is a deep one.
func Only(t testing.TB) {
	t.Helper()
	deep := flag.Lookup("deep")
	if !On && (deep == nil || deep.Value.String() != "true") {
		t.Skip("it takes seconds: run with -tags thorough")
	}
}
