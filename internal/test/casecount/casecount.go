// Package casecount says how many random cases of a property the tests of the
// packages with the most of them draw, and which of many cases a quick test takes.
package casecount

import (
	"flag"
	"iter"
	"os"
	"strconv"
	"testing"

	_ "pgregory.net/rapid" // has the flag

	"bullyproof/internal/test/garbage"
)

// Lower has rapid draw 20 cases of each property, where neither the test is a deep
// one nor the command line says how many: rapid's own default is 100. It
// parses the command line, so a TestMain calls it. Garbage is collected seldom.
func Lower(deep *bool) {
	garbage.Seldom()
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); !*deep && f.Value.String() == f.DefValue {
		if err := f.Value.Set("20"); err != nil {
			panic(err)
		}
	}
}

// Many has rapid draw more cases than elsewhere in a test: a sixth of so many, five
// times as many in a deep test, a third in an attack, and a tenth in a short one.
func Many(t testing.TB, deep bool, cases int) {
	switch {
	case deep:
		cases *= 5
	case testing.Short():
		cases /= 10
	case Attacking():
		cases /= 3
	default:
		cases /= 6
	}
	f := flag.Lookup("rapid.checks")
	old := f.Value.String()
	if n, err := strconv.Atoi(old); err == nil && n >= cases {
		return
	}
	set := func(value string) {
		if err := f.Value.Set(value); err != nil {
			t.Error(err)
		}
	}
	set(strconv.Itoa(cases))
	t.Cleanup(func() { set(old) })
}

// attack names the variable of the environment by which .ci/attack says with which number
// its cases begin.
const attack = "BULLYPROOF_ATTACK"

// Numbers returns the numbers of the random cases of a test that draws each by its
// number: from 0 on, half of so few, and a quarter of so many in a deep test, which has
// to end while somebody waits for it. In an attack they begin elsewhere, and there are ten
// times so few, at least 500 and at most so many.
func Numbers(t testing.TB, deep bool, few, many uint64) iter.Seq[uint64] {
	t.Helper()
	first, count := First(t, 0), few-few/2
	if deep {
		count = max(few, many/4)
	}
	if Attacking() {
		count = min(max(count, 10*few, 500), many)
	}
	return func(yield func(uint64) bool) {
		for n := first; n < first+count; n++ {
			if !yield(n) {
				return
			}
		}
	}
}

// First returns the number of the first random case: as it is given, or in an attack that of
// its series.
func First(t testing.TB, quick uint64) uint64 {
	t.Helper()
	if !Attacking() {
		return quick
	}
	first, err := strconv.ParseUint(os.Getenv(attack), 10, 63)
	if err != nil {
		t.Fatalf("%s=%s: want the number of the first case", attack, os.Getenv(attack))
	}
	return first
}

// Attacking reports whether .ci/attack runs the test.
func Attacking() bool {
	_, ok := os.LookupEnv(attack)
	return ok
}
