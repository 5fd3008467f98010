package clock_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/model/clock"
)

func TestInstants(t *testing.T) {
	right, fast := clock.Ahead(0), clock.Ahead(3)
	lease := right.In(2)
	assert.Equal(t, "now", right.Now().String())
	assert.Equal(t, "in 3", fast.Now().String(), "by the time of the world")
	assert.Equal(t, -2, right.Since(lease))
	assert.Equal(t, 1, fast.Since(lease))
	assert.False(t, right.Passed(lease))
	assert.True(t, fast.Passed(lease))
	assert.True(t, lease.Before(fast.Now()))
	assert.Equal(t, "3 ahead", fast.String())
	assert.Equal(t, "right", right.String())
	assert.Equal(t, "5 ago", right.Now().Plus(-5).String())
	assert.Equal(t, clock.Instant{}, clock.Instant{}.Plus(9), "long ago is long ago")
	assert.True(t, right.Passed(clock.Instant{}))
	assert.True(t, right.Now().Plus(-300).IsZero())
	assert.Panics(t, func() { fast.In(clock.Most) })
	assert.Panics(t, func() { clock.Ahead(61) })
}

func TestInstantsGetOlder(t *testing.T) {
	i := clock.Ahead(0).In(1)
	var texts []string
	for !i.IsZero() {
		texts = append(texts, i.String())
		i = i.Older(2)
	}
	assert.Equal(t, []string{"in 1", "now", "1 ago", "2 ago"}, texts)
	assert.True(t, i.Older(2).IsZero())
}

func TestPlaces(t *testing.T) {
	type inner struct {
		_    clock.Instant
		When clock.Instant
	}
	type state struct {
		N     uint32
		Clock clock.Clock
		List  [2]inner
	}
	p := clock.PlacesOf(reflect.TypeFor[state]())
	assert.Equal(t, clock.Places{Clocks: []uintptr{4}, Instants: []uintptr{6, 8}}, p)
	assert.True(t, p.Any())
}

// A lease holds by the clock of who holds it, and not by one that is ahead.
func Example() {
	holder, other := clock.Ahead(0), clock.Ahead(3)
	until := holder.In(2)
	fmt.Println(holder.Passed(until), other.Passed(until))
	// Output: false true
}
