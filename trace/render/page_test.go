package render_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/trace"
	"bullyproof/trace/internal/heraldtest"
	"bullyproof/trace/render"
)

func page(t testing.TB, l *trace.Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Page(&b, l))
	return b.Bytes()
}

// A page is the same every time, and names nothing outside itself.
func TestPageIsSelfContained(t *testing.T) {
	for name, l := range samples(t) {
		got := page(t, l)
		assert.Equal(t, string(got), string(page(t, l)), name)
		assert.NotRegexp(t, `(?:src|href)="?(?:[a-z]+:|/)[^d]`, strings.ReplaceAll(string(got), `href="data:,"`, ""), name)
		assert.Equal(t, 1, strings.Count(string(got), "<script>"), name)
		assert.Equal(t, len(l.Rows), strings.Count(string(got), "<article "), name)
	}
}

func TestPageGolden(t *testing.T) {
	heraldtest.Golden(t, "herald-agreement.html", page(t, sample(t, "agreement")))
}

// A page grows with the steps of the run, and no faster.
func TestPageOfALongRun(t *testing.T) {
	short, long := page(t, repeated(sample(t, "agreement"), 20)), page(t, repeated(sample(t, "agreement"), 100))
	assert.Less(t, len(long), 6*len(short))
}
