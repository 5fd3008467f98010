package render_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/internal/exporttest"
	"bullyproof/trace"
	"bullyproof/trace/internal/heraldtest"
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

// Mermaid itself draws each export, and shows its texts as they are.
func TestMermaidDraws(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	m := exporttest.StartMermaid(t)
	for name, l := range shown(t) {
		t.Run(name, func(t *testing.T) {
			m.Draw(t, mermaid(t, l))
			m.Browser.For(t).Keep("mermaid-" + name)
		})
	}
	m.Browser.Quiet(m.Address)
}
