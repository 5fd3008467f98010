package scaffold

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What Go declares before any program is what its own type checker knows.
func TestPredeclaredNames(t *testing.T) {
	assert.Equal(t, types.Universe.Names(), predeclared)
}
