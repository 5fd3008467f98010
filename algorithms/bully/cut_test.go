package bully_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A coordinator that is cut off is as good as down to the others, who elect
// another one: the best known weakness of the algorithm. It takes a failure
// detector that sees through a cut to hide it.
func TestCutBreaksBully(t *testing.T) {
	const cut = "n=3 start=settled cuts=1"
	_, broken := verdict(t, variant(t, "", cut))
	assert.Equal(t, "uniqueness 5, settled-uniqueness 5, agreement 5, extreme 5", broken)
	states, broken := verdict(t, variant(t, "", cut+" detector=perfect"))
	assert.Empty(t, broken)
	assert.EqualValues(t, 4, states)
}
