package render

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/trace"
)

// A legendItem explains one sign. Its drawing is 30 pixels wide.
type legendItem struct {
	sign func(x, y int) string
	text string
}

// A legend explains the signs that occur in a diagram.
type legend struct {
	layout
	name  string // which begins the ids of the drawing's elements
	width int    // of the drawing
}

// draw writes the signs and their texts, in lines from a height on. It returns the SVG
// and its height.
func (d *legend) draw(top int) (string, int) {
	var b strings.Builder
	x, y := sheetMargin, top
	for _, it := range d.usedSigns() {
		w := 36 + proseWidthOf(it.text, 13) + 18
		if x > sheetMargin && x+w > d.width-sheetMargin {
			x, y = sheetMargin, y+26
		}
		b.WriteString(it.sign(x+15, y+10))
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", x+36, y+14, escape(it.text))
		x += w
	}
	return b.String(), y - top + 30
}

// usedSigns returns what a legend has to explain.
func (d *legend) usedSigns() []legendItem {
	var list []legendItem
	add := func(used bool, text string, sign func(x, y int) string) {
		if used {
			list = append(list, legendItem{sign, text})
		}
	}
	any := func(is func(c *trace.Cell, id model.ID) bool) bool {
		for i := range d.Rows {
			for k := range d.Columns {
				if is(&d.Rows[i].Cells[k], d.id(k)) {
					return true
				}
			}
		}
		return false
	}
	up := func(c *trace.Cell) bool { return c.Status == model.Up }
	add(any(func(c *trace.Cell, id model.ID) bool { return c.Leads(id) }), "believes itself coordinator", d.swatch("leads", 10, false))
	add(any(func(c *trace.Cell, id model.ID) bool { return up(c) && c.Elected != model.None && c.Elected != id }),
		"follows the process whose number it bears", d.swatch("follows", 7, false))
	add(any(func(c *trace.Cell, _ model.ID) bool {
		return up(c) && c.Elected == model.None && !c.Participant && !c.Client
	}), "knows no coordinator", d.swatch("", 7, false))
	add(any(func(c *trace.Cell, _ model.ID) bool { return up(c) && c.Participant }), "in an election", d.swatch("", 7, true))
	add(any(func(c *trace.Cell, _ model.ID) bool { return c.Paused }), "paused: its messages and timers wait", pausedSign)
	add(any(func(c *trace.Cell, _ model.ID) bool { return c.Status == model.Down }), "down", line("down"))
	add(any(func(c *trace.Cell, _ model.ID) bool { return c.Status == model.Absent || c.Status == model.Unbooted }), "not there yet", line("absent"))
	d.addMarks(add)
	fate := func(f ...trace.Fate) bool {
		return slices.ContainsFunc(d.Arrows, func(a trace.Arrow) bool { return slices.Contains(f, a.Fate) })
	}
	add(fate(trace.Delivered), "message, dotted while it is on its way", arrowSign(`<path class="head" d="M%d %dl-9 -4.5v9z"/>`))
	add(fate(trace.Undeliverable, trace.Lost, trace.Discarded, trace.Refused), "message that never arrives", arrowSign(`<path class="cross" d="M%d %dm-8 -4l8 8m0 -8l-8 8"/>`))
	add(slices.ContainsFunc(d.Rows, func(r trace.Row) bool { return anyCut(&r) }), "links are cut", line("cut"))
	add(slices.ContainsFunc(d.Rows, func(r trace.Row) bool { return r.Fold != nil }), "steps told together", func(x, y int) string {
		return fmt.Sprintf(`<rect class="fold" x="%d" y="%d" width="26" height="20"/>`+"\n", x-13, y-10)
	})
	add(fate(trace.Folded), "ends in steps told together", arrowSign(`<path class="open" d="M%d %dl-9 -5v10z"/>`))
	add(fate(trace.InFlight), "still on its way at the end", arrowSign(`<path class="open" d="M%d %dl-9 -5v10z"/>`))
	return list
}

// addMarks adds the marks that occur.
func (d *legend) addMarks(add func(bool, string, func(x, y int) string)) {
	texts := [...]string{trace.Received: "a message is received", trace.TimedOut: "a timer expires", trace.Suspected: "the failure detector reports a process",
		trace.Started: "is asked to begin an election", trace.CameUp: "comes up", trace.WentDown: "crashes"}
	for mark, text := range texts {
		used := slices.ContainsFunc(d.Rows, func(r trace.Row) bool { return r.At >= 0 && r.Mark == trace.Mark(mark) && r.Misuse == "" })
		add(used && text != "", text, func(x, y int) string { return markSVG(trace.Mark(mark), false, x, y) })
	}
	misuse := slices.ContainsFunc(d.Rows, func(r trace.Row) bool { return r.Misuse != "" })
	add(misuse, "does what no network can carry out", func(x, y int) string { return markSVG(trace.NoMark, true, x, y) })
}

// swatch returns the sign of a band, in the colours of its process.
func (d *legend) swatch(kind string, half int, hatched bool) func(x, y int) string {
	class, number := "band none", ""
	if kind != "" {
		id := d.example(kind == "leads")
		class, number = "band "+kind+" "+hueClass(id), id.Name()
	}
	return func(x, y int) string {
		s := fmt.Sprintf(`<rect class="%s" x="%d" y="%d" width="%d" height="20"/>`, class, x-half, y-10, 2*half)
		if hatched {
			s += fmt.Sprintf(`<rect fill="url(#%s-hatch)" x="%d" y="%d" width="%d" height="20"/>`, escape(d.name), x-half, y-10, 2*half)
		}
		if number != "" {
			s += fmt.Sprintf(`<text class="%s" x="%d" y="%d">%s</text>`, strings.Replace(class, "band", "number", 1), x, y+4, number)
		}
		return s + "\n"
	}
}

// example returns a coordinator that somebody follows, or believes itself to be.
func (d *legend) example(leads bool) model.ID {
	for i := range d.Rows {
		for k := range d.Columns {
			c := &d.Rows[i].Cells[k]
			if c.Status == model.Up && c.Elected != model.None && c.Leads(d.id(k)) == leads {
				return c.Elected
			}
		}
	}
	return model.None
}

// pausedSign returns the sign of a process that is paused.
func pausedSign(x, y int) string {
	return fmt.Sprintf(pausedBand+"\n", x-pausedHalf, y-10, 2*pausedHalf, 20)
}

func line(class string) func(x, y int) string {
	return func(x, y int) string { return fmt.Sprintf(`<path class="%s" d="M%d %dv20"/>`+"\n", class, x, y-10) }
}

// arrowSign returns the sign of a message with a head of its own.
func arrowSign(head string) func(x, y int) string {
	return func(x, y int) string {
		return fmt.Sprintf(`<path class="flight" d="M%d %dv7"/><path class="wire" d="M%d %dq0 6 6 6h12"/>`+head+"\n",
			x-13, y-11, x-13, y-4, x+13, y+2)
	}
}
