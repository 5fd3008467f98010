package origin

import (
	"slices"
	"testing"

	"bullyproof/model/process"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plainSubsets lists the subsets of s that qualify in ascending order, by
// looking at all.
func plainSubsets(s process.Set, qualifies func(process.Set) bool) []process.Set {
	var out []process.Set
	for t := process.Set(0); ; t = (t - s) & s {
		if qualifies(t) {
			out = append(out, t)
		}
		if t == s {
			return out
		}
	}
}

func TestSubsetsAreThoseOfALookAtAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s process.Set
		for _, id := range rapid.SliceOfN(rapid.IntRange(1, int(process.MaxID)), 0, 10).Draw(t, "ids") {
			s = s.With(process.ID(id))
		}
		size := rapid.IntRange(0, 11).Draw(t, "size")
		require.Equal(t, plainSubsets(s, func(t process.Set) bool { return t.Len() == size }), slices.Collect(subsets(s, size)))
		require.Equal(t, plainSubsets(s, func(t process.Set) bool { return t != 0 }), slices.Collect(someOf(s)))
		for range subsets(s, size) {
			break // who stops is not asked again
		}
	})
}

func TestSubsetsOfManyAreFew(t *testing.T) {
	all := process.Upto(process.MaxID)
	assert.Equal(t, []process.Set{0}, slices.Collect(subsets(all, 0)))
	assert.Len(t, slices.Collect(subsets(all, 1)), 64)
	assert.Len(t, slices.Collect(subsets(all, 63)), 64)
	assert.Equal(t, []process.Set{all}, slices.Collect(subsets(all, 64)))
	assert.Empty(t, slices.Collect(subsets(all, 65)))
}
