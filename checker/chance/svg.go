package chance

import (
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// Sizes of a drawn curve, in pixels.
const (
	curveWidth  = 640
	curveHeight = 320
	curveMargin = 48
)

// WriteSVG draws the probability over the bound: between the lines of the worst scheduler and of
// the best. It fails where no bound was asked for.
func (r *Report) WriteSVG(w io.Writer) error {
	if len(r.Curve) == 0 {
		return errors.New("there is no curve: no bound was asked for")
	}
	most := r.Curve[len(r.Curve)-1].At
	x := func(at int) float64 {
		return curveMargin + float64(at)/float64(max(most, 1))*(curveWidth-2*curveMargin)
	}
	y := func(p float64) float64 { return curveHeight - curveMargin - p*(curveHeight-2*curveMargin) }
	line := func(value func(p Point) float64) (steps []string) {
		for i, p := range r.Curve {
			if i > 0 {
				steps = append(steps, fmt.Sprintf("%.1f,%.1f", x(p.At), y(value(r.Curve[i-1]))))
			}
			steps = append(steps, fmt.Sprintf("%.1f,%.1f", x(p.At), y(value(p))))
		}
		return steps
	}
	worst, best := line(func(p Point) float64 { return p.Least }), line(func(p Point) float64 { return p.Most })
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="sans-serif" font-size="12">`+"\n", curveWidth, curveHeight)
	fmt.Fprintf(&b, "<title>%s: probability of %s within so many %s</title>\n", html.EscapeString(r.Subject()), html.EscapeString(r.Goal), html.EscapeString(r.Unit))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", curveWidth, curveHeight)
	for _, p := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ccc"/><text x="%d" y="%.1f" text-anchor="end" fill="#333">%g</text>`+"\n", curveMargin, y(p), curveWidth-curveMargin, curveMargin-6, y(p)+4, p)
	}
	for i := range 5 {
		at := most * i / 4
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#333">%d</text>`+"\n", x(at), curveHeight-curveMargin+18, at)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end" fill="#333">%s</text>`+"\n", curveWidth-curveMargin, curveHeight-10, html.EscapeString(r.Unit))
	back := slices.Clone(worst)
	slices.Reverse(back)
	area := slices.Concat(best, back)
	fmt.Fprintf(&b, `<polygon points="%s" fill="#9cf" fill-opacity="0.5"/>`+"\n", strings.Join(area, " "))
	fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="#06c" stroke-width="2"><title>best scheduler</title></polyline>`+"\n", strings.Join(best, " "))
	fmt.Fprintf(&b, `<polyline points="%s" fill="none" stroke="#c30" stroke-width="2"><title>worst scheduler</title></polyline>`+"\n", strings.Join(worst, " "))
	fmt.Fprintf(&b, `<text x="%d" y="20" fill="#06c">best scheduler</text><text x="%d" y="20" fill="#c30">worst scheduler</text>`+"\n</svg>\n", curveMargin, curveMargin+120)
	_, err := io.WriteString(w, b.String())
	return err
}
