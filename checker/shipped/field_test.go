package shipped_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker/shipped"
)

func TestField(t *testing.T) {
	p := &process{voter: start(1, 3, &disk{Term: 2})}
	*shipped.Field[int](p, "voter", "disk", "Term") = 5
	assert.Equal(t, 5, p.voter.disk.Term)
	assert.PanicsWithValue(t, `shipped.Field: a shipped_test.voter has no field "nothing"`, func() { shipped.Field[int](p, "voter", "nothing") })
	assert.PanicsWithValue(t, `shipped.Field: field ["voter" "leads"] is a bool, not a int`, func() { shipped.Field[int](p, "voter", "leads") })
}
