package scaffold

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Go's own type checker knows all that is declared before any program.
func TestPredeclaredNames(t *testing.T) {
	assert.Equal(t, types.Universe.Names(), predeclared)
}
