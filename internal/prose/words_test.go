package prose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/prose"
	"bullyproof/model/process"
)

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		assert.Equal(t, want, prose.List(words))
	}
	assert.Equal(t, "P1 and P3", prose.ListOf([]process.ID{1, 3}))
	assert.Equal(t, `"a "b""`, prose.Quote(`a "b"`))
}

func TestUnprintable(t *testing.T) {
	for _, r := range "\x00\n\x1b\u2028\u2029\u202e\ufffd" {
		assert.True(t, prose.Unprintable(r), "%U", r)
	}
	for _, r := range "a é→█ 世" {
		assert.False(t, prose.Unprintable(r), "%U", r)
	}
}

func TestCapital(t *testing.T) {
	for text, want := range map[string]string{"": "", "a b": "A b", "é": "É", "1 a": "1 a", "A": "A", "runLeaderState: step down": "runLeaderState: step down", "leader_id is": "leader_id is", "P1": "P1"} {
		assert.Equal(t, want, prose.Capital(text))
	}
}
