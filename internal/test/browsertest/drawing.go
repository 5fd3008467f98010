//go:build browser

package browsertest

import (
	_ "embed"
	"fmt"
	"testing"
)

var (
	//go:embed drawing.js
	drawingScript string
	//go:embed contrast.js
	contrastScript string
)

// Drawings fails the test if in a drawing on the page (an svg element, or those
// that a CSS selector finds) two texts overlap, a text lies on a sign, on a
// line or, except for the ends of lanes, on a band, or something is outside the
// drawing.
func (b *Browser) Drawings(selector string) {
	b.t.Helper()
	for _, line := range Eval[[]string](b, fmt.Sprintf("(%s)(%q)", drawingScript, selector)) {
		b.t.Error(line)
	}
}

// Contrast fails the test if a text in what a CSS selector finds, as the page is
// shown now, differs from what is behind it by less than 4.5 to 1.
func (b *Browser) Contrast(selector string) {
	b.t.Helper()
	for _, line := range Eval[[]string](b, fmt.Sprintf("(%s)(%q, 4.5)", contrastScript, selector)) {
		b.t.Error(line)
	}
}

// Whole fails the test if a part of a drawing that a CSS selector finds is beyond the edges
// of the box that it stands in, or if it has less than so much of its size. Drawings that
// are not shown are passed over.
func (b *Browser) Whole(selector string, least float64) {
	b.t.Helper()
	for _, line := range Eval[[]string](b, fmt.Sprintf(`((selector, least) => {
		const found = []
		for (const svg of document.querySelectorAll(selector)) {
			const box = svg.getBoundingClientRect(), around = svg.parentElement, edge = around.getBoundingClientRect()
			if (box.width === 0) continue
			if (box.left < edge.left - 1 || box.right > edge.right + 1 || around.scrollWidth > around.clientWidth)
				found.push("a drawing is " + Math.round(box.width) + " wide in a box of " + around.clientWidth)
			const part = box.width / svg.viewBox.baseVal.width
			if (part < least) found.push("a drawing has " + part.toFixed(2) + " of its size, not " + least)
		}
		return found
	})(%q, %g)`, selector, least)) {
		b.t.Error(line)
	}
}

// Fits fails the test if the page is wider than its window, or a text in what a
// CSS selector finds is wider than the room that it has.
func (b *Browser) Fits(selector string) {
	b.t.Helper()
	for _, line := range Eval[[]string](b, fmt.Sprintf(`(selector => {
		const found = [], root = document.documentElement
		if (root.scrollWidth > innerWidth) found.push("the page is " + root.scrollWidth + " wide in a window of " + innerWidth)
		for (const e of document.querySelectorAll(selector))
			if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && getComputedStyle(e).overflowX === "visible")
				found.push("too wide: " + e.tagName + " " + e.className + " " + JSON.stringify(e.textContent.slice(0, 40)))
		return found
	})(%q)`, selector)) {
		b.t.Error(line)
	}
}

// axe finds what keeps people who cannot see, or use no mouse, from a page.
var axe = Package{
	Name: "axe-core", Version: "4.14.1",
	Integrity: "sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
}

// Audit fails the test for what axe finds on the page, as it is shown now, that it calls
// moderate, serious or critical. With -short it does nothing.
func (b *Browser) Audit() {
	b.t.Helper()
	if testing.Short() {
		return
	}
	b.Eval(string(axe.File(b.t, "axe.min.js")) + "; undefined")
	for _, line := range Eval[[]string](b, `axe.run({ resultTypes: ["violations"] }).then(found => found.violations
		.filter(v => v.impact !== "minor")
		.map(v => v.id + " (" + v.impact + "): " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(" and ")))`) {
		b.t.Error(line)
	}
}
