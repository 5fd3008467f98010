package prose_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/prose"
)

// Each line of a text has its paint for itself, and lines without words have none.
func TestPaint(t *testing.T) {
	p := prose.Print(80, true)
	assert.Equal(t, "\x1b[1mone\x1b[0m\n\n\x1b[1m  two\x1b[0m\n", p.Paint(prose.Bold, "one\n\n  two\n"))
	assert.Equal(t, "one\ntwo", p.Paint("", "one\ntwo"))
	assert.Equal(t, "one\ntwo", prose.Print(80, false).Paint(prose.Bold, "one\ntwo"))
}
