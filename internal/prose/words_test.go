package prose_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/prose"
)

func TestList(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		assert.Equal(t, want, prose.List(words))
	}
	assert.Equal(t, "1s and 2m0s", prose.ListOf([]time.Duration{time.Second, 2 * time.Minute}))
}

func TestUnprintable(t *testing.T) {
	for _, r := range "\x00\n\x1b\u2028\u2029\u202e\ufffd" {
		assert.True(t, prose.Unprintable(r), "%U", r)
	}
	for _, r := range "a é→█ 世" {
		assert.False(t, prose.Unprintable(r), "%U", r)
	}
}
