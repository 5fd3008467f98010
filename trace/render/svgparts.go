package render

import (
	"fmt"

	"bullyproof/internal/prose"
	"bullyproof/trace"
)

// drawWays draws the messages: first where each leaves and goes down, then
// where it arrives.
func (d *drawing) drawWays() {
	for _, t := range d.trunks {
		d.drawTrunk(t)
	}
	for i := range d.Arrows {
		if a := &d.Arrows[i]; a.Fate == trace.Delivered || a.Fate == trace.Undeliverable {
			d.drawArrival(a, d.of[i])
		}
	}
}

// wire draws a line that others behind it do not touch.
func (d *drawing) wire(path string) {
	d.put(`<path class="halo" d="%s"/><path class="wire" d="%s"/>`+"\n", path, path)
}

// cross draws where a message is lost.
func (d *drawing) cross(x, y int) {
	d.put(`<path class="cross" d="M%d %dl8 8m0 -8l-8 8"/>`+"\n", x-4, y-4)
}

// drawTrunk draws the way of messages from their sender down.
func (d *drawing) drawTrunk(t *planTrunk) {
	y, bottom := d.y(t.sent, t.line), d.trunkEnd(t)
	from, x := d.lanes[t.from]+step(t.right, laneHalf-2), d.channelX(t)
	d.put(`<path class="wire" d="M%d %dH%dq%d 0 %d 6"/>`+"\n", from, y, x-step(t.right, 6), step(t.right, 6), step(t.right, 6))
	d.put(`<path class="flight" d="M%d %dV%d"/>`+"\n", x, y+6, bottom-6)
}

// trunkEnd returns where the last message of a way turns off it.
func (d *drawing) trunkEnd(t *planTrunk) int {
	end := 0
	for _, i := range t.arrows {
		if a := &d.Arrows[i]; a.Fate == trace.Delivered || a.Fate == trace.Undeliverable {
			end = max(end, d.y(a.End, 0))
		}
	}
	for _, it := range d.looseOf[t] {
		end = max(end, d.y(it.row, it.line))
	}
	return end
}

// drawArrival draws a message from its way down to its receiver, or straight across where it
// has none.
func (d *drawing) drawArrival(a *trace.Arrow, t *planTrunk) {
	y, right := d.y(a.End, 0), a.To > a.From
	path := fmt.Sprintf("M%d %d", d.lanes[a.From]+step(right, laneHalf-2), y)
	if t != nil {
		x := d.channelX(t)
		right = d.lanes[a.To] > x
		path = fmt.Sprintf("M%d %dq0 6 %d 6", x, y-6, step(right, 6))
	}
	to := d.lanes[a.To] - step(right, laneHalf-1)
	path += fmt.Sprintf("H%d", to-step(right, 5))
	d.put(`<g><title>%s</title>`, escape(d.messageTitle(a)))
	d.wire(path)
	if a.Fate == trace.Undeliverable {
		d.cross(to-step(right, 3), y)
	} else {
		d.put(`<path class="head" d="M%d %dl%d -4.5v9z"/>`+"\n", to, y, -step(right, 9))
	}
	d.put("</g>\n")
}

// messageTitle tells all of a message.
func (d *drawing) messageTitle(a *trace.Arrow) string {
	sent := "sent in " + named(&d.Rows[a.Sent])
	if a.Sent == 0 {
		sent = "in flight at the start"
	}
	return fmt.Sprintf("%s from %s to %s: %s, %s in %s", prose.Quote(a.Text), d.Columns[a.From].Short(), d.Columns[a.To].Short(), sent, a.Fate, named(&d.Rows[a.End]))
}

// drawItem draws what stands in a gap.
func (d *drawing) drawItem(it *item) {
	y := d.y(it.row, it.line)
	if d.form.phone {
		d.labels(d.gutter+wordsMargin, y+4, "start", it.class, it.label)
		bare := *it
		it, bare.label = &bare, nil
	}
	switch it.kind {
	case noteItem, beliefItem:
		x := d.proseX - 14 - d.room[len(d.lanes)] + 4 // of the network, right of all lanes
		if it.lane >= 0 {
			x = d.clear(it.lane, it.right, it.row, it.line)
		}
		d.labels(x, y+4, side{0, it.right}.anchor(), it.class, it.label)
	case arrivalItem:
		from, to := d.roomEdges(it.gap)
		a, above := &d.Arrows[it.arrow], y-5-(len(it.label)-1)*labelHeight
		switch right := d.comesFromRight(it.arrow); {
		case a.From != a.To:
			d.labels((from+to)/2, above, "middle", "", it.label)
		case right: // beside the way that the message takes
			d.labels(from+2, above, "start", "", it.label)
		default:
			d.labels(to-2, above, "end", "", it.label)
		}
	case sendItem:
		if it.label != nil {
			from, to := d.roomEdges(it.gap)
			x := map[bool]int{true: from + 4, false: to - 4}[it.trunk.right]
			d.labels(x, y+4, side{0, it.trunk.right}.anchor(), "soft", it.label)
		}
	case stubItem:
		x := d.clear(it.lane, it.right, it.row, it.line) + step(it.right, 10)
		d.wire(fmt.Sprintf("M%d %dH%d", d.lanes[it.lane]+step(it.right, laneHalf-2), y, x))
		d.cross(x, y)
		d.labels(x+step(it.right, 9), y+4, side{0, it.right}.anchor(), "", it.label)
	case looseItem:
		d.drawLoose(it, y)
	}
}

// anchor is how labels beside a lane are aligned.
func (s side) anchor() string {
	if s.right {
		return "start"
	}
	return "end"
}

// labels writes the lines of a label.
func (d *drawing) labels(x, y int, anchor, class string, lines []string) {
	for i, line := range lines {
		d.label(x, y+i*labelHeight, anchor, class, line)
	}
}

// drawLoose draws where a message ends without arriving, or that it is still
// on its way.
func (d *drawing) drawLoose(it *item, y int) {
	t := it.trunk
	from, to := d.roomEdges(it.gap)
	edge := from
	if !t.right {
		edge = to
	}
	x, edge := d.channelX(t), edge+step(t.right, 6)
	d.wire(fmt.Sprintf("M%d %dq0 6 %d 6H%d", x, y-6, step(t.right, 6), edge))
	if it.fate == trace.InFlight || it.fate == trace.Folded {
		d.put(`<path class="open" d="M%d %dl%d -5v10z"/>`+"\n", edge+step(t.right, 9), y, -step(t.right, 9))
	} else {
		d.cross(edge+step(t.right, 4), y)
	}
	d.labels(edge+step(t.right, 13), y+4, side{0, t.right}.anchor(), "", it.label)
}

// drawMarks draws what happens to processes on their lines.
func (d *drawing) drawMarks() {
	for i := range d.Rows {
		r := &d.Rows[i]
		if r.At < 0 || d.rows[i].hidden {
			continue
		}
		mark := r.Mark
		d.out.WriteString(markSVG(mark, r.Misuse != "", d.lanes[r.At], d.rows[i].base))
	}
}

// markSVG returns the sign of a mark.
func markSVG(mark trace.Mark, misuse bool, x, y int) string {
	at := func(format string, args ...any) string { return fmt.Sprintf(format, args...) + "\n" }
	if misuse {
		return at(`<g class="sign"><circle class="disc" cx="%d" cy="%d" r="9"/><path class="cross" d="M%d %dv5m0 4v0.01"/></g>`, x, y, x, y-5)
	}
	switch mark {
	case trace.Received:
		return at(`<circle class="mark sign" cx="%d" cy="%d" r="5.5"/>`, x, y)
	case trace.TimedOut:
		return at(`<g class="sign"><circle class="hollow" cx="%d" cy="%d" r="9"/><path class="hands" d="M%d %dv-6m0 6l4 2.5"/></g>`, x, y, x, y)
	case trace.Suspected:
		return at(`<path class="mark sign" d="M%d %dl9 9l-9 9l-9 -9z"/>`, x, y-9)
	case trace.Started:
		return at(`<path class="hollow sign" d="M%d %dl9 9l-9 9l-9 -9z"/>`, x, y-9)
	case trace.CameUp:
		return at(`<path class="mark sign" d="M%d %dl9 15h-18z"/>`, x, y-9)
	case trace.WentDown:
		return at(`<g class="sign"><circle class="disc" cx="%d" cy="%d" r="9"/><path class="cross" d="M%d %dl8 8m0 -8l-8 8"/></g>`, x, y, x-4, y-4)
	}
	return ""
}
