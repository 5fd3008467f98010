package point_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms/internal/mutate/point"
)

// A point that is on does what it says, and no other one does.
func TestBoard(t *testing.T) {
	var b point.Board
	b.New(3)
	run := func(on int) []bool {
		b.Set(on, 0)
		return []bool{
			point.Always(&b, 0, true), point.Always(&b, 0, false),
			point.Never(&b, 1, true), point.Never(&b, 1, false),
			point.Keep(&b, 2),
		}
	}
	assert.Equal(t, []bool{true, false, true, false, true}, run(point.None))
	assert.Equal(t, []bool{true, true, true, false, true}, run(0))
	assert.Equal(t, []bool{true, false, false, false, true}, run(1))
	assert.Equal(t, []bool{true, false, true, false, false}, run(2))
	assert.EqualValues(t, 5, b.Asked())
}

// A board notes, of the program as it is, which points it comes by, and where it would go
// on otherwise.
func TestReached(t *testing.T) {
	type noted struct{ reached, differs bool }
	var b point.Board
	b.New(4)
	b.Set(point.None, 0)
	point.Always(&b, 0, true)
	point.Never(&b, 1, true)
	point.Keep(&b, 2)
	var of [4]noted
	for i := range of {
		of[i].reached, of[i].differs = b.Reached(i)
	}
	assert.Equal(t, [4]noted{{true, false}, {true, true}, {true, true}, {false, false}}, of)
	b.Set(point.None, 0)
	reached, _ := b.Reached(1)
	assert.False(t, reached)
}

// A program that comes by too many points ends.
func TestEndless(t *testing.T) {
	var b point.Board
	b.New(1)
	b.Set(0, 5)
	assert.PanicsWithError(t, "the program does not come to an end", func() {
		for point.Keep(&b, 0) || true {
		}
	})
}
