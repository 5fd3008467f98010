// Package casecount says how many random cases of a property the tests of the
// packages with the most of them draw.
package casecount

import (
	"flag"

	_ "pgregory.net/rapid" // has the flag
)

// Lower has rapid draw 40 cases of each property, where neither the test is a deep
// one nor the command line says how many: rapid's own default is 100. It
// parses the command line, so a TestMain calls it.
func Lower(deep *bool) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); !*deep && f.Value.String() == f.DefValue {
		if err := f.Value.Set("40"); err != nil {
			panic(err)
		}
	}
}
