package simulate

import (
	"fmt"
	"html"
	"io"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
)

// Sizes of the picture, in pixels.
const (
	svgWidth  = 640
	svgMargin = 40
	svgTitle  = 76  // characters in a line of the title
	svgText   = 100 // characters in a line below it
	svgBold   = 84  // characters in a line of bold text below it
	svgLine   = 17  // height of a line
	svgPlot   = 120 // height of the highest bar
	svgHead   = 48  // above the bars: the name, the unit and a count
	svgFoot   = 52  // below the bars: the mean, values and the unit
	svgBar    = 56  // width of a bar at most
)

const svgStyle = `.page{fill:#fff}text{fill:#222}.soft{fill:#555}.title{font-size:13px;font-weight:bold}.name{font-weight:bold}.end{text-anchor:end}.middle{text-anchor:middle}.count{font-size:9px}.bar{fill:#4878a8}.axis{stroke:#888}.mark{fill:#b03030}` +
	`@media(prefers-color-scheme:dark){.page{fill:#16181d}text{fill:#ddd}.soft{fill:#aaa}.bar{fill:#6f9fd0}.mark{fill:#e87070}}`

// A picture is histograms one below the other, while they are drawn.
type picture struct {
	b strings.Builder
	y int // where the next thing begins
}

// WriteSVG draws the histograms of the elections: messages, operations, steps,
// and ticks where there are any.
func (r *Report) WriteSVG(w io.Writer) error {
	var p picture
	p.y = 8
	title := r.Subject() + " in " + r.Setting.String()
	p.lines("title", title, svgTitle)
	e := &r.Elections
	p.lines("", fmt.Sprintf("%s to quiescence; seed %d", quantity.Plural(e.Steps.Len(), "election"), r.Seed), svgText)
	if missing := r.missing(); missing != "" {
		p.lines("name", missing, svgBold)
	}
	for i, s := range e.measures() {
		if s.Len() > 0 {
			p.panel(sampleNames[i], s)
		}
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
<title>%s</title>
<style>%s</style>
<rect class="page" width="100%%" height="100%%"/>
%s</svg>
`, svgWidth, p.y+8, html.EscapeString(title), svgStyle, p.b.String())
	return err
}

// text writes a text.
func (p *picture) text(x, y float64, class, text string) {
	fmt.Fprintf(&p.b, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, x, y, html.EscapeString(text))
}

// lines writes a text in lines of at most so many characters.
func (p *picture) lines(class, text string, most int) {
	for _, line := range prose.Wrap(text, most) {
		p.y += svgLine
		p.text(svgMargin, float64(p.y), class, line)
	}
}

// panel draws one histogram: a bar for each bin with its count, and a mark at the
// mean.
func (p *picture) panel(name string, s *Sample) {
	bins := s.Histogram(histogramBins)
	most := 1
	for _, bin := range bins {
		most = max(most, bin.Count)
	}
	width := min(float64(svgWidth-2*svgMargin)/float64(len(bins)), svgBar)
	top := float64(p.y + svgLine)
	foot := top + svgHead + svgPlot
	mean, deviation := s.Mean()
	p.text(svgMargin, top+12, "name", name)
	p.text(svgWidth-svgMargin, top+12, "end", fmt.Sprintf("▲ mean %.2f, deviation %.2f, median %s, 99 %% %s",
		mean, deviation, number(s.Quantile(0.5)), number(s.Quantile(0.99))))
	p.text(svgMargin, top+28, "soft", "elections")
	free := 0.0 // where the values have no label yet
	for i, bin := range bins {
		height := float64(bin.Count) / float64(most) * svgPlot
		left := svgMargin + float64(i)*width
		middle := left + width/2
		fmt.Fprintf(&p.b, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: %s</title></rect>\n",
			left, foot-height, width-1, height, bin.label(), quantity.Count(bin.Count))
		if bin.Count > 0 {
			p.text(middle, foot-height-3, "count middle", quantity.Short(float64(bin.Count)))
		}
		if half := float64(len(bin.label()))*3.5 + 4; middle-half >= free && middle+half <= svgWidth {
			p.text(middle, foot+21, "middle", bin.label())
			free = middle + half
		}
	}
	fmt.Fprintf(&p.b, "<line class=\"axis\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", svgMargin, foot, svgWidth-svgMargin, foot)
	span := float64(bins[0].To + 1 - bins[0].From)
	at := svgMargin + (mean+0.5-float64(bins[0].From))/span*width
	fmt.Fprintf(&p.b, "<path class=\"mark\" d=\"M%.1f %.1fl4 7h-8z\"/>\n", at, foot+1)
	p.text(svgWidth/2, foot+37, "soft middle", name+" in an election")
	p.y = int(foot) + svgFoot
}
