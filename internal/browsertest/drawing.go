package browsertest

import (
	_ "embed"
	"fmt"

	"github.com/chromedp/chromedp"
)

//go:embed drawing.js
var drawingScript string

// Drawings fails the test if in a drawing on the page (an svg element, or those
// that a CSS selector finds) two texts overlap, a text lies on a sign or on a
// line, or something is outside the drawing.
func (b *Browser) Drawings(selector string) {
	b.t.Helper()
	found, err := Try(b, chromedp.Evaluate[[]string](fmt.Sprintf("(%s)(%q)", drawingScript, selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	for _, line := range found {
		b.t.Error(line)
	}
}
