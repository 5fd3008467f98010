package typed

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/flat"
)

type colour uint8

func (c colour) String() string { return []string{"red", "green", "blue"}[c%3] }

func TestSetIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, other Set[colour]
		plain, others := map[colour]bool{}, map[colour]bool{}
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			e := colour(rapid.IntRange(0, 63).Draw(t, "element"))
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				s.Add(e)
				plain[e] = true
			case 1:
				s.Remove(e)
				delete(plain, e)
			case 2:
				other.Add(e)
				others[e] = true
			}
			require.Equal(t, len(plain), s.Len())
			require.Equal(t, plain[e], s.Has(e))
			require.Equal(t, slices.Sorted(maps.Keys(plain)), slices.Collect(s.All()))
		}
		require.Equal(t, SetOf(slices.Collect(maps.Keys(plain))...), s, "one value for the same elements")
		for e := range colour(64) {
			require.Equal(t, plain[e] || others[e], s.Union(other).Has(e))
			require.Equal(t, plain[e] && others[e], s.Intersection(other).Has(e))
			require.Equal(t, plain[e] && !others[e], s.Difference(other).Has(e))
		}
		require.True(t, s.Contains(s.Intersection(other)))
		require.Equal(t, s.Difference(other).Len() == 0, other.Contains(s))
	})
	assert.Equal(t, "{red blue}", SetOf[colour](2, 0).String())
	assert.Panics(t, func() { SetOf(-1) })
	assert.Panics(t, func() { SetOf(64) })
	assert.False(t, SetOf(3).Has(67), "and no other element by its lower bits")
	assert.False(t, SetOf(3).Has(-1))
}

func TestQueueIsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q Queue[uint16, [5]uint16]
		var plain []uint16
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0, 1:
				x := rapid.Uint16().Draw(t, "element")
				if room := len(plain) < 5; assert.Equal(t, room, q.Push(x)) && room {
					plain = append(plain, x)
				}
			case 2:
				x, ok := q.Pop()
				require.Equal(t, len(plain) > 0, ok)
				if ok {
					require.Equal(t, plain[0], x)
					plain = plain[1:]
				}
			case 3:
				if len(plain) > 0 {
					i := rapid.IntRange(0, len(plain)-1).Draw(t, "index")
					q.RemoveAt(i)
					plain = slices.Delete(slices.Clone(plain), i, i+1)
				}
			}
			require.Equal(t, len(plain), q.Len())
			require.Equal(t, fmt.Sprint(plain), q.String())
			require.True(t, slices.Equal(plain, slices.Collect(q.All())))
			var again Queue[uint16, [5]uint16]
			for i, x := range plain {
				require.True(t, again.Push(x))
				require.Equal(t, x, q.At(i))
			}
			require.Equal(t, again, q, "one value for the same elements")
		}
	})
	var q Queue[uint8, [2]uint8]
	assert.Equal(t, 2, q.Cap())
	assert.Panics(t, func() { q.At(0) })
	assert.Panics(t, func() { q.RemoveAt(-1) })
}

// A letter is what the tests put into bags.
type letter struct {
	To   uint8
	Text colour
}

func (l letter) Compare(m letter) int {
	return cmp.Or(cmp.Compare(l.To, m.To), cmp.Compare(l.Text, m.Text))
}

func TestBagIsACount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b Bag[letter, [6]letter]
		plain, n := map[letter]int{}, 0
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			x := letter{rapid.Uint8Range(0, 2).Draw(t, "to"), colour(rapid.Uint8Range(0, 2).Draw(t, "text"))}
			if rapid.IntRange(0, 2).Draw(t, "what") < 2 {
				if room := n < b.Cap(); assert.Equal(t, room, b.Add(x)) && room {
					plain[x]++
					n++
				}
			} else if there := plain[x] > 0; assert.Equal(t, there, b.Remove(x)) && there {
				plain[x]--
				n--
			}
			require.Equal(t, n, b.Len())
			var all, distinct []letter
			for x, count := range plain {
				require.Equal(t, count, b.Count(x))
				all = append(all, slices.Repeat([]letter{x}, count)...)
				distinct = append(distinct, slices.Repeat([]letter{x}, min(1, count))...)
			}
			var again Bag[letter, [6]letter]
			for _, x := range all { // in any order
				require.True(t, again.Add(x))
			}
			require.Equal(t, again, b, "one value for the same elements")
			slices.SortFunc(all, letter.Compare)
			slices.SortFunc(distinct, letter.Compare)
			require.True(t, slices.Equal(all, slices.Collect(b.All())))
			require.True(t, slices.Equal(distinct, slices.Collect(b.Distinct())))
		}
	})
	var b Bag[letter, [2]letter]
	b.Add(letter{2, 1})
	b.Add(letter{1, 2})
	assert.Equal(t, "⟦{To:1 Text:blue} {To:2 Text:green}⟧", b.String())
}

func TestContainersAreFlat(t *testing.T) {
	type state struct {
		Set   Set[colour]
		Queue Queue[letter, [3]letter]
		Bag   Bag[letter, [64]letter]
	}
	_, err := flat.Of(reflect.TypeFor[state](), nil)
	assert.NoError(t, err)
}
