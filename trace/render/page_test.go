package render_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

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

// A page of a long run is made in good time.
func TestPageOfALongRun(t *testing.T) {
	l := repeated(sample(t, "agreement"), 300)
	start := time.Now()
	page(t, l)
	assert.Less(t, time.Since(start), 30*time.Second)
}
