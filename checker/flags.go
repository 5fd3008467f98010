package checker

import (
	"flag"
	"fmt"
	"math"
	"strconv"
	"testing"
)

// The flags of tests. In a program that is no test they have their zero values.
var (
	// pages is where Verify writes pages.
	pages = testFlag("bullyproof.pages", "write each counterexample that a checker.Verify finds as a page of HTML into this `directory`")
	// scopeFlag is how many settings Verify checks.
	scopeFlag = testFlag("bullyproof.scope", "check so many settings of each checker.Verify with checker.Scopes: small (the first), default (two), large (all) or a `number`; with -short it is small")
)

func testFlag(name, usage string) *string {
	if !testing.Testing() {
		return new(string)
	}
	return flag.String(name, "", usage)
}

// scopes returns how many settings of each test are checked at most.
func scopes() (int, error) {
	switch word := *scopeFlag; word {
	case "":
		if testing.Short() {
			return 1, nil
		}
		return 2, nil
	case "small":
		return 1, nil
	case "default":
		return 2, nil
	case "large":
		return math.MaxInt, nil
	default:
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 {
			return 0, fmt.Errorf("flag -bullyproof.scope is %q: want small, default, large, or a number of settings from 1", word)
		}
		return n, nil
	}
}
