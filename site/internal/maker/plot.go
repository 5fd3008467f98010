package maker

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"bullyproof/internal/quantity"
)

// Measures of a plot, in pixels.
const (
	plotWidth, plotHeight = 460, 250
	plotLeft, plotRight   = 48, 120
	plotTop, plotBottom   = 30, 40
	// Of pairs of bars: the height of a label, of a bar, and of what is between two
	// bars and two pairs.
	barWidth, barLabel, barHigh, barBetween, barGap = 400, 17, 13, 3, 12
)

// A series is a line of a plot.
type series struct {
	name, class string
	at          func(p costPoint) int
}

// series returns the lines of a plot.
func (p *costPlot) series() []series {
	found := series{"found", "found", func(p costPoint) int { return p.Found }}
	said := series{"the source", "said", func(p costPoint) int { return p.Said }}
	if !p.Published {
		found.name, said.name, said.class = "at worst", "at best", "least"
	}
	return []series{said, found}
}

// draw draws a plot as SVG: a line for each series over the number of processes.
func (p *costPlot) draw() template.HTML {
	most := 1
	for _, at := range p.Points {
		most = max(most, at.Found, at.Said)
	}
	step := tick(most)
	top := (most + step - 1) / step * step
	first, last := p.Points[0].N, p.Points[len(p.Points)-1].N
	x := func(n int) int {
		return plotLeft + 12 + (n-first)*(plotWidth-plotLeft-plotRight-24)/max(last-first, 1)
	}
	y := func(v int) int { return plotHeight - plotBottom - v*(plotHeight-plotTop-plotBottom)/top }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		plotWidth, plotHeight, plotWidth, plotHeight, template.HTMLEscapeString(p.words()))
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d"/>`, plotWidth, plotHeight)
	fmt.Fprintf(&b, `<text class="tick" x="%d" y="%d">%s</text>`, 4, 14, p.Unit)
	for v := 0; v <= top; v += step {
		fmt.Fprintf(&b, `<line class="grid" x1="%d" y1="%d" x2="%d" y2="%d"/><text class="tick end" x="%d" y="%d">%s</text>`,
			plotLeft, y(v), plotWidth-plotRight, y(v), plotLeft-6, y(v)+4, quantity.Count(v))
	}
	for n := first; n <= last; n++ {
		fmt.Fprintf(&b, `<text class="tick middle" x="%d" y="%d">%d</text>`, x(n), plotHeight-plotBottom+18, n)
	}
	fmt.Fprintf(&b, `<text class="tick middle" x="%d" y="%d">processes</text>`, (plotLeft+plotWidth-plotRight)/2, plotHeight-5)
	lines := p.series()
	labels := make([]int, len(lines))
	for i, s := range lines {
		labels[i] = p.line(&b, s, x, y)
	}
	if gap := labels[1] - labels[0]; gap > -15 && gap < 15 { // names that would overlap
		if labels[0] <= labels[1] {
			labels[0], labels[1] = labels[0]-8, labels[0]+8
		} else {
			labels[0], labels[1] = labels[1]+8, labels[1]-8
		}
	}
	for i, s := range lines {
		fmt.Fprintf(&b, `<text class="name %s" x="%d" y="%d">%s</text>`, s.class, plotWidth-plotRight+8, labels[i]+4, s.name)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// line draws a series, with a sign for each point, and returns how high it ends.
func (p *costPlot) line(b *strings.Builder, s series, x, y func(int) int) (end int) {
	var points []string
	end = y(0)
	for _, at := range p.Points {
		if v := s.at(at); v >= 0 {
			points = append(points, fmt.Sprintf("%d,%d", x(at.N), y(v)))
			end = y(v)
		}
	}
	fmt.Fprintf(b, `<polyline class="line %s" points="%s"/>`, s.class, strings.Join(points, " "))
	for _, at := range p.Points {
		v := s.at(at)
		switch {
		case v < 0:
		case s.class == "found":
			fmt.Fprintf(b, `<circle class="%s" cx="%d" cy="%d" r="4"/>`, s.class, x(at.N), y(v))
		default:
			fmt.Fprintf(b, `<rect class="%s" x="%d" y="%d" width="8" height="8"/>`, s.class, x(at.N)-4, y(v)-4)
		}
	}
	return end
}

// words says what a plot shows.
func (p *costPlot) words() string {
	lines := p.series()
	var list []string
	for _, at := range p.Points {
		list = append(list, fmt.Sprintf("%d processes: %s %s, %s %s", at.N, lines[0].name, amount(at.Said), lines[1].name, amount(at.Found)))
	}
	return p.Title + ". " + strings.Join(list, "; ") + "."
}

// amount is a cost in words.
func amount(v int) string {
	if v < 0 {
		return "no bound"
	}
	return strconv.Itoa(v)
}

// tick returns the distance of the lines of a grid: 1, 2 or 5 and noughts.
func tick(most int) int {
	for unit := 1; ; unit *= 10 {
		for _, f := range []int{1, 2, 5} {
			if most <= 5*f*unit {
				return f * unit
			}
		}
	}
}

// A bar is a figure of a source with what was found in its place.
type bar struct {
	Label       string
	Said, Found float64
}

// drawBars draws figures as pairs of bars, with their numbers.
func drawBars(list []bar) template.HTML {
	most := 1.0
	for _, b := range list {
		most = max(most, b.Said, b.Found)
	}
	const pair = barLabel + 2*barHigh + barBetween + barGap
	high := len(list)*pair + barGap
	var b strings.Builder
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = fmt.Sprintf("%s: the source %s, found %s", x.Label, figure(x.Said), figure(x.Found))
	}
	fmt.Fprintf(&b, `<svg class="plot" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		barWidth, high, barWidth, high, template.HTMLEscapeString(strings.Join(words, "; ")))
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d"/>`, barWidth, high)
	y := barGap
	for _, x := range list {
		fmt.Fprintf(&b, `<text class="tick" x="%d" y="%d">%s</text>`, barGap, y+barLabel-5, template.HTMLEscapeString(x.Label))
		for i, v := range []float64{x.Said, x.Found} {
			class, name := []string{"said", "found"}[i], []string{"the source", "found"}[i]
			width := max(int(v/most*(barWidth-barGap-140)), 2)
			at := y + barLabel + i*(barHigh+barBetween)
			fmt.Fprintf(&b, `<rect class="%s" x="%d" y="%d" width="%d" height="%d"/><text class="name %s" x="%d" y="%d">%s %s</text>`,
				class, barGap, at, width, barHigh, class, barGap+width+6, at+barHigh-2, figure(v), name)
		}
		y += pair
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// figure is a number as people write it.
func figure(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
