package chubby

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/ledger"
)

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}
