package trace_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/browsertest"
	"bullyproof/trace"
)

// mermaidPackage is the Mermaid that the exports are tried on.
var mermaidPackage = browsertest.Package{
	Name: "mermaid", Version: "12.3.0",
	Integrity: "sha512-4113TdXeLAsMruJ79OpFL5O8+LTFXhQqZ260rF3tgUmiNAtRm4Uume04I+65PRN6yZ69J4f8rVYWW8zRk65UYw==",
}

func mermaid(t testing.TB, l *trace.Layout) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, l.WriteMermaid(&b))
	return b.String()
}

func TestMermaidGolden(t *testing.T) {
	golden(t, "herald-agreement.mermaid", []byte(mermaid(t, samples(t)["agreement"])))
	golden(t, "herald-lasso.mermaid", []byte(mermaid(t, samples(t)["lasso"])))
}

// decoded returns the text that Mermaid makes of a line.
func decoded(line string) string {
	return regexp.MustCompile(`#(\d+);`).ReplaceAllStringFunc(line, func(code string) string {
		var r rune
		_, _ = fmt.Sscanf(code, "#%d;", &r)
		return string(r)
	})
}

// Mermaid itself draws each export, and shows its texts as they are.
func TestMermaidDraws(t *testing.T) {
	script := mermaidPackage.File(t, "dist/mermaid.min.js")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mermaid.js" {
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(script)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><link rel="icon" href="data:,"><script src="/mermaid.js"></script><body>`))
	}))
	t.Cleanup(server.Close)
	b := browsertest.Start(t)
	b.Show(browsertest.View{Width: 1200})
	b.Do(chromedp.Navigate(server.URL))
	b.Eval(`mermaid.initialize({ startOnLoad: false, securityLevel: "strict" })`)
	for name, l := range samples(t) {
		t.Run(name, func(t *testing.T) {
			b := b.For(t)
			source := mermaid(t, l)
			got := browsertest.Eval[map[string][]string](b, fmt.Sprintf(`(async () => {
				document.body.innerHTML = (await mermaid.render("drawn", %q)).svg
				const texts = (...classes) => classes.flatMap(c => [...document.querySelectorAll(c)].map(e => e.textContent))
				return {
					messages: texts(".messageText"), notes: texts(".noteText"), loops: texts(".loopText"),
					names: texts("text.actor"), title: texts("svg > text"), scripts: texts("svg script, body script"),
				}
			})()`, source))
			var messages, notes []string
			for line := range strings.Lines(source) {
				line = strings.TrimSpace(line)
				if m := regexp.MustCompile(`^p\d+-\S+?p\d+: (.*)$`).FindStringSubmatch(line); m != nil {
					messages = append(messages, decoded(m[1]))
				}
				if m := regexp.MustCompile(`^Note over [p\d,]+: (.*)$`).FindStringSubmatch(line); m != nil {
					for part := range strings.SplitSeq(m[1], "<br/>") {
						notes = append(notes, decoded(part))
					}
				}
			}
			assert.Equal(t, messages, got["messages"])
			assert.Equal(t, notes, got["notes"])
			assert.Contains(t, strings.Join(got["title"], " "), decoded(regexp.MustCompile(`title (.*)`).FindStringSubmatch(source)[1]))
			assert.Len(t, got["scripts"], 0)
			assert.Len(t, got["names"], 2*len(l.Columns))
			if l.Lasso > 0 {
				assert.Equal(t, []string{"[for ever]"}, got["loops"])
			}
			b.Screenshot("mermaid-" + name)
		})
	}
	b.Quiet(server.URL)
}
