package checker

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A search that was made twice says how long each took: the limit of time is one
// on both.
func TestTook(t *testing.T) {
	assert.Equal(t, "6.1 s", (&check{}).took(6100*time.Millisecond))
	twice := &check{gaveUp: "liveness was given up", spent: 5900 * time.Millisecond}
	assert.Equal(t, "12.0 s (5.9 s with liveness, 6.1 s without)", twice.took(6100*time.Millisecond))
}
