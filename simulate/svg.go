package simulate

import (
	"fmt"
	"html"
	"io"
	"strings"

	"bullyproof/internal/quantity"
)

// Sizes of the picture, in pixels.
const (
	svgWidth  = 640
	svgPlot   = 120 // height of the bars
	svgPanel  = 190
	svgMargin = 40
)

// WriteSVG draws the histograms of the elections: messages, operations, steps,
// and ticks where there are any.
func (r *Report) WriteSVG(w io.Writer) error {
	var b strings.Builder
	panels := 0
	for i, s := range r.Elections.measures() {
		if s.Len() > 0 {
			writePanel(&b, sampleNames[i], s, panels*svgPanel+50)
			panels++
		}
	}
	title := fmt.Sprintf("%s in %s", r.Subject(), r.Setting)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">
<title>%s</title>
<style>text{fill:#222}.bar{fill:#4878a8}.axis{stroke:#888}.mark{stroke:#b03030}@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>
<text x="%d" y="20" font-size="13">%s</text>
<text x="%d" y="36">%s; seed %d</text>
%s</svg>
`, svgWidth, max(panels, 1)*svgPanel+60, html.EscapeString(title), svgMargin, html.EscapeString(clipped(title, 90)), svgMargin,
		quantity.Plural(r.Elections.Steps.Len(), "election"), r.Seed, b.String())
	return err
}

// writePanel draws one histogram from a height on.
func writePanel(b *strings.Builder, name string, s *Sample, top int) {
	bins := s.Histogram(40)
	most := 1
	for _, bin := range bins {
		most = max(most, bin.Count)
	}
	width := float64(svgWidth-2*svgMargin) / float64(len(bins))
	foot := float64(top + 20 + svgPlot)
	mean, deviation := s.Mean()
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" font-weight=\"bold\">%s</text>", svgMargin, top+12, name)
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">mean %.2f, deviation %.2f, median %s, 99 %% %s</text>\n",
		svgWidth-svgMargin, top+12, mean, deviation, number(s.Quantile(0.5)), number(s.Quantile(0.99)))
	for i, bin := range bins {
		height := float64(bin.Count) / float64(most) * svgPlot
		fmt.Fprintf(b, "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s: %s</title></rect>\n",
			svgMargin+float64(i)*width, foot-height, max(width-1, 0.5), height, bin.label(), quantity.Count(bin.Count))
	}
	fmt.Fprintf(b, "<line class=\"axis\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", svgMargin, foot, svgWidth-svgMargin, foot)
	span := float64(bins[len(bins)-1].To + 1 - bins[0].From)
	at := svgMargin + (mean+0.5-float64(bins[0].From))/span*(svgWidth-2*svgMargin)
	fmt.Fprintf(b, "<line class=\"mark\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", at, foot-svgPlot, at, foot)
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%.1f\">%d</text><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
		svgMargin, foot+14, s.Min(), svgWidth-svgMargin, foot+14, s.Max())
}

func clipped(s string, most int) string {
	if len(s) > most {
		return s[:most-3] + "..."
	}
	return s
}
