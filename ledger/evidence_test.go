package ledger_test

import (
	"bullyproof/ledger"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReadAs(t *testing.T) {
	claims := []ledger.Claim{{Name: "a", Evidence: []ledger.Evidence{ledger.Keeps("e2", "n=2"), ledger.Keeps("e2", "n=3").Of("other")}}}
	read := ledger.ReadAs("literal", claims)
	assert.Equal(t, "literal", read[0].Judged())
	assert.Equal(t, "other", read[0].Evidence[1].Variant)
	first := ledger.JudgedIn("other", read)
	assert.Equal(t, "other", first[0].Judged())
	assert.Equal(t, "n=2", first[0].Evidence[1].Setting)
	assert.Empty(t, claims[0].Judged(), "what it was made from is as it was")
}
