//go:build browser

package exporttest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"bullyproof/internal/test/browsertest"
)

var (
	messageLine = regexp.MustCompile(`^p\d+-\S+?p\d+: (.*)$`)
	noteLine    = regexp.MustCompile(`^Note over [p\d,]+: (.*)$`)
	titleLine   = regexp.MustCompile(`^title (.*)$`)
	actorLine   = regexp.MustCompile(`^participant p\d+ as (.*)$`)
	loopLine    = regexp.MustCompile(`^loop (.*)$`)
)

// mermaidPackage is the Mermaid that the exports are tried on.
var mermaidPackage = browsertest.Package{
	Name: "mermaid", Version: "12.3.0",
	Integrity: "sha512-4113TdXeLAsMruJ79OpFL5O8+LTFXhQqZ260rF3tgUmiNAtRm4Uume04I+65PRN6yZ69J4f8rVYWW8zRk65UYw==",
}

// A Mermaid draws in a browser.
type Mermaid struct {
	// Browser is where the last drawing is shown.
	Browser *browsertest.Browser
	// Address is that of the page.
	Address string
}

// StartMermaid opens a page with Mermaid. Where it cannot be had the test is
// skipped, or fails if it is required.
func StartMermaid(t testing.TB) *Mermaid {
	t.Helper()
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
	return &Mermaid{b, server.URL}
}

// texts returns what is behind the lines of a kind, as it is to be shown.
func texts(source string, line *regexp.Regexp) []string {
	list := []string{}
	for text := range strings.Lines(source) {
		if m := line.FindStringSubmatch(strings.TrimSpace(text)); m != nil {
			for part := range strings.SplitSeq(m[1], "<br/>") {
				list = append(list, Decode(part))
			}
		}
	}
	return list
}

// Draw draws a sequence diagram. The test fails if Mermaid does not take it, or
// shows other messages, notes, names, loops or another title than its source
// has, or anything that would run.
func (m *Mermaid) Draw(t testing.TB, source string) {
	t.Helper()
	shown := browsertest.Eval[map[string][]string](m.Browser.For(t), fmt.Sprintf(`(async () => {
		document.body.innerHTML = (await mermaid.render("drawn", %q)).svg
		const texts = (...classes) => classes.flatMap(c => [...document.querySelectorAll(c)].map(e => e.textContent))
		return {
			messages: texts(".messageText"), notes: texts(".noteText"), loops: texts(".loopText"),
			names: texts("text.actor"), title: texts("svg > text"), scripts: texts("svg script, body script"),
		}
	})()`, source))
	same := func(what string, want, got []string) {
		t.Helper()
		if !slices.Equal(want, got) {
			t.Errorf("%s: Mermaid shows\n%q, the source has\n%q", what, got, want)
		}
	}
	same("messages", texts(source, messageLine), shown["messages"])
	same("notes", texts(source, noteLine), shown["notes"])
	names := texts(source, actorLine)
	names = append(names, names...) // above and below
	slices.Sort(names)
	slices.Sort(shown["names"])
	same("names", names, shown["names"])
	var loops []string
	for _, text := range texts(source, loopLine) {
		loops = append(loops, "["+text+"]")
	}
	same("loops", loops, shown["loops"])
	same("scripts", nil, shown["scripts"])
	if title := texts(source, titleLine); len(title) != 1 || !strings.Contains(strings.Join(shown["title"], " "), title[0]) {
		t.Errorf("title: Mermaid shows %q, the source has %q", shown["title"], title)
	}
}
