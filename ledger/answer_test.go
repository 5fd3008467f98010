package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An answer stands in a line that goes on, so it has no full stop.
func TestAnswerHasNoFullStop(t *testing.T) {
	assert.Equal(t, "stays: violated in 2 steps. It says: It stays up",
		answer(&Exhibit{Asked: "stays", Found: "violated in 2 steps. It says: It stays up."}))
	assert.Equal(t, "messages ≤ 3: found 4", answer(&Exhibit{Asked: "messages ≤ 3", Found: "4"}))
}
