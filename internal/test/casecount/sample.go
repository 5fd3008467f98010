package casecount

import (
	"testing"

	"github.com/zeebo/xxh3"
)

// Takes reports whether a test takes a case, of which a deep test takes all and another one
// in so many. That goes by the name of the case, and by nothing else: one more case, or
// another order, changes what is done of no other.
func Takes(t testing.TB, deep bool, oneIn uint64, name string) bool {
	return deep || xxh3.HashString(t.Name()+"/"+name)%oneIn == 0
}
