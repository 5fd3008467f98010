package render_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

func mermaid(t testing.TB, l *trace.Layout) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.Mermaid(&b, l))
	return b.String()
}

func TestMermaidGolden(t *testing.T) {
	heraldtest.Golden(t, "herald-agreement.mermaid", []byte(mermaid(t, sample(t, "agreement"))))
	heraldtest.Golden(t, "herald-lasso.mermaid", []byte(mermaid(t, sample(t, "lasso"))))
}
