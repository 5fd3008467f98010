package casecount_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/casecount"
)

// About one in so many is taken, another one in another test, and all in a deep one.
func TestTakes(t *testing.T) {
	const cases = 4_000
	take := func(t *testing.T) (taken []bool) {
		for i := range cases {
			name := fmt.Sprintf("case-%d", i)
			assert.True(t, casecount.Takes(t, true, 8, name))
			taken = append(taken, casecount.Takes(t, false, 8, name))
		}
		return taken
	}
	first, both := 0, 0
	here := take(t)
	t.Run("another", func(t *testing.T) {
		for i, taken := range take(t) {
			if here[i] {
				first++
			}
			if here[i] && taken {
				both++
			}
		}
	})
	assert.InDelta(t, cases/8, first, cases/40)
	assert.Less(t, both, first/2)
}
