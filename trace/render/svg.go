package render

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// SVGOptions say how SVG draws a diagram.
type SVGOptions struct {
	// Bare leaves out what pages say beside the drawing: the title, the story
	// and the setting, the sentence of each row, the verdict and the rules.
	// Each tick then has a row of its own.
	Bare bool
	// Unstyled leaves out the style sheet: the page that the drawing stands in
	// has SVGStyle.
	Unstyled bool
	// ID begins the ids of elements, which tells several drawings on one page
	// apart. Empty stands for "diagram".
	ID string
	// Href, if there is one, makes each row a link to the address that it
	// returns.
	Href func(row int) string
	// Selected is the row that is shown as chosen, where there are links.
	Selected int
	// Steady, if there is one, is a run that begins with this one: the columns stand where
	// they do in its drawing, and far enough apart for what usually comes.
	Steady *trace.Layout
}

//go:embed assets/diagram.css
var diagramStyle string

// SVGStyle returns the style sheet of the drawings that SVG makes. It is
// about elements of class "bullyproof" and what is in them, and knows light and
// dark.
func SVGStyle() string { return diagramStyle }

// SVG draws the space-time diagram of a layout as SVG: a lane for each
// process, time downward, an arrow for each message. The drawing needs nothing
// beside it, no font and no network; the same layout makes the same bytes.
//
// Each row has an element of class "row" with its number in data-row, and is of
// class "selected" where it is the chosen one.
func SVG(w io.Writer, run *trace.Layout, opt SVGOptions) error {
	l := layout{run}
	d := newDrawing(l, opt)
	d.draw()
	_, err := io.WriteString(w, d.out.String())
	return err
}

// Drawings writes what a page shows of a run: the drawing of SVG without what the page says
// beside it (Bare), and, where that has less than seven tenths of its size on a phone, behind
// it another one for phones, of class "phone", with ids of its own. That has the names of
// processes without their roles, and all words in a column left of the lanes. PageStyle shows
// the one that is right for the window, and the first on paper.
func Drawings(w io.Writer, run *trace.Layout, opt SVGOptions) error {
	opt.Bare = true
	d := newDrawing(layout{run}, opt)
	if fitsPhone(d.plan) {
		return SVG(w, run, opt)
	}
	narrow := &drawing{opt: d.opt, plan: newPhonePlan(layout{run}, opt.Steady)}
	narrow.opt.ID += "-phone"
	d.class, narrow.class = " usual", " phone"
	d.draw()
	narrow.draw()
	_, err := io.WriteString(w, d.out.String()+narrow.out.String())
	return err
}

// A drawing is a plan while it is written as SVG.
type drawing struct {
	*plan
	opt    SVGOptions
	class  string // of one of two
	out    strings.Builder
	height int
	foot   []footLine
}

// A footLine is a line of text below the diagram.
type footLine struct {
	class string
	text  string
}

const footHeight = 19

func newDrawing(l layout, opt SVGOptions) *drawing {
	if opt.ID == "" {
		opt.ID = "diagram"
	}
	d := &drawing{opt: opt}
	f := form{prose: !opt.Bare, every: opt.Bare, steady: opt.Steady}
	d.plan = newPlan(l, f)
	if !opt.Bare {
		if top := d.headHeight(); top > 0 { // the head is as wide as what is below it
			f.top = top
			d.plan = newPlan(l, f)
		}
	}
	return d
}

// inner is the width that texts have.
func (d *drawing) inner() int { return d.width - 2*sheetMargin }

// head returns the lines above the diagram.
func (d *drawing) head() (title, story, verdict, demand []string) {
	return wrapWidth(d.heading(), d.inner(), 19), wrapWidth(d.Story, d.inner(), 13),
		wrapWidth(d.Verdict+".", d.inner(), 15), wrapWidth(d.demand(), d.inner(), 13)
}

func (d *drawing) headHeight() int {
	title, story, verdict, demand := d.head()
	return sheetMargin + len(title)*23 + len(story)*18 + len(verdict)*19 + len(demand)*18 + 12
}

// draw writes the whole of it.
func (d *drawing) draw() {
	signs := legend{d.layout, d.opt.ID, d.width}
	explained, legendHeight := signs.draw(d.bottom + 58)
	y := d.bottom + 58 + legendHeight
	if !d.opt.Bare {
		for _, r := range d.Rules {
			if inParts(d.layout) { // whose sentences name no rules
				break
			}
			d.addFoot("", "rule "+r.Tag+": "+r.Text)
		}
		d.addFoot("soft", "setting: "+d.Setting.String())
	}
	d.height = y + len(d.foot)*footHeight + sheetMargin - 6
	d.begin()
	d.drawHead()
	d.drawRows()
	drawCuts(d)
	d.drawLanes()
	d.drawWays()
	d.drawMarks()
	for _, it := range d.items {
		d.drawItem(it)
	}
	d.drawGutter()
	d.drawEnds()
	d.out.WriteString(explained)
	for i, line := range d.foot {
		d.text(sheetMargin, y+14+i*footHeight, line.class, line.text)
	}
	d.out.WriteString("</g>\n")
	d.drawLinks()
	d.out.WriteString("</svg>\n")
}

func (d *drawing) addFoot(class, text string) {
	for _, line := range wrapWidth(text, d.inner(), 13) {
		d.foot = append(d.foot, footLine{class, line})
	}
}

// put writes a piece of SVG.
func (d *drawing) put(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// escape makes a text one that stands for itself, in elements and attributes.
func escape(text string) string { return html.EscapeString(drawable(text)) }

// text writes a line of text.
func (d *drawing) text(x, y int, class, text string) {
	d.put(`<text x="%d" y="%d" class="%s">%s</text>`+"\n", x, y, class, escape(text))
}

// label writes a line of a label, set to the width that was planned for it.
// Anchor says what x is: its "start", "middle" or "end".
func (d *drawing) label(x, y int, anchor, class, text string) {
	if text == "" {
		return
	}
	w := labelWidth(text)
	switch anchor {
	case "middle":
		x -= w / 2
	case "end":
		x -= w
	}
	d.put(`<text x="%d" y="%d" class="%s" textLength="%d">%s</text>`+"\n", x, y, strings.TrimSpace("label "+class), w, escape(text))
}

// begin opens the drawing: who cannot see it gets it told.
func (d *drawing) begin() {
	role := `role="img"`
	if d.opt.Href != nil {
		role = `role="group"`
	}
	d.put(`<svg xmlns="http://www.w3.org/2000/svg" class="bullyproof%s" width="%d" height="%d" viewBox="0 0 %d %d" %s aria-labelledby="%s-title"`,
		d.class, d.width, d.height, d.width, d.height, role, escape(d.opt.ID))
	if d.opt.Bare {
		d.put(`><title id="%s-title">%s</title>`+"\n", escape(d.opt.ID), escape("Space-time diagram of "+d.heading()))
	} else {
		d.put(` aria-describedby="%s-desc"><title id="%s-title">%s</title>`+"\n", escape(d.opt.ID), escape(d.opt.ID), escape(d.heading()))
		d.put(`<desc id="%s-desc">%s</desc>`+"\n", escape(d.opt.ID), escape(d.description()))
	}
	if !d.opt.Unstyled {
		d.put("<style>\n%s</style>\n", diagramStyle)
	}
	d.put(`<defs><pattern id="%s-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">`+
		`<line class="hatching" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>`+"\n", escape(d.opt.ID))
	d.put(`<g id="%s-body" class="bullyproof">`+"\n", escape(d.opt.ID))
	d.put(`<rect class="page" width="%d" height="%d"/>`+"\n", d.width, d.height)
}

// description tells the whole run in sentences.
func (d *drawing) description() string {
	parts := []string{d.Story, d.Verdict + ".", d.demand()}
	for i := range d.Rows {
		if !d.isTick(i) {
			parts = append(parts, d.Rows[i].Steps()+": "+d.Tell(i))
		}
	}
	return strings.TrimSpace(strings.Join(parts, " "))
}

// drawHead writes the title, the story and what it comes to, and names the
// processes.
func (d *drawing) drawHead() {
	if !d.opt.Bare {
		title, story, verdict, demand := d.head()
		y := sheetMargin + 4
		for _, line := range title {
			y += 14
			d.text(sheetMargin, y, "title", line)
			y += 9
		}
		for _, line := range story {
			y += 13
			d.text(sheetMargin, y, "soft", line)
			y += 5
		}
		for _, line := range verdict {
			y += 15
			d.text(sheetMargin, y, "strong"+d.alarming(" alarm"), line)
			y += 4
		}
		for _, line := range demand {
			y += 13
			d.text(sheetMargin, y, "soft", line)
			y += 5
		}
	}
	d.put(`<g id="%s-names" class="bullyproof"><rect class="page" y="%d" width="%d" height="30"/>`+"\n", escape(d.opt.ID), d.form.top, d.width)
	for k, c := range d.Columns {
		name := drawable(c.Name())
		if d.form.phone || k > 0 && proseWidthOf(name, 16)+20 > d.lanes[k]-d.lanes[k-1] {
			name = c.Short()
		}
		w := nameWidth(name)
		d.put(`<rect class="box" x="%d" y="%d" width="%d" height="24" rx="6"/>`+"\n", d.lanes[k]-w/2, d.form.top+2, w)
		d.text(d.lanes[k], d.form.top+19, "name", name)
	}
	d.put("</g>\n")
}

// nameWidth is how wide the box with the name of a process is.
func nameWidth(name string) int { return max(30, proseWidthOf(name, 16)+16) }

// alarming returns class if the run shows that something is wrong.
func (d *drawing) alarming(class string) string {
	if d.Kind == trace.Violation {
		return class
	}
	return ""
}

// drawRows draws what is behind the lanes: the breaking step and the passing
// of time.
func (d *drawing) drawRows() {
	for i := range d.Rows {
		row := &d.rows[i]
		if row.hidden {
			continue
		}
		class := "row"
		if i == d.Breaks {
			class += d.alarming(" breaking")
		}
		if d.opt.Href != nil && i == d.opt.Selected {
			class += " selected"
		}
		d.put(`<rect class="%s" data-row="%d" x="0" y="%d" width="%d" height="%d"/>`+"\n", class, i, row.top, d.width, row.bottom-row.top)
		if d.Rows[i].Fold != nil {
			d.put(`<rect class="fold" x="%d" y="%d" width="%d" height="%d"/>`+"\n", d.gutter+4, row.top+1, d.proseX-18-d.gutter, row.bottom-row.top-2)
		}
		if i > 0 && chapterAt(d.layout, i).Title != "" {
			d.put(`<path class="chapter" d="M%d %dH%d"/>`+"\n", sheetMargin, row.top, d.width-sheetMargin)
		}
		if i == d.Breaks && d.Kind == trace.Violation {
			d.put(`<rect class="breaking-edge" x="0" y="%d" width="4" height="%d"/>`+"\n", row.top, row.bottom-row.top)
		}
		from, to := d.lanes[0]-laneHalf-10, d.proseX-14
		switch a := &d.Rows[i].Action; {
		case i == 0:
		case d.isTick(i):
			// The words "time 3" stand in the line.
			words := d.lanes[len(d.lanes)-1] + laneHalf
			d.put(`<path class="tick" d="M%d %dH%d"/>`+"\n", from, row.base, words)
		case a.Kind == model.CutsOff || a.Kind == model.Heals:
			from, to := across(d, a.Link)
			d.put(`<path class="cut" d="M%d %dH%d"/>`+"\n", from, row.base, to)
		default:
			d.put(`<path class="rule" d="M%d %dH%d"/>`+"\n", d.gutter+4, row.top, max(to, d.width-sheetMargin))
		}
	}
}

// across is from where to where the line of a cut goes: between the ends of a link that is cut
// alone, and otherwise across all lanes.
func across(d *drawing, link setting.CutLink) (from, to int) {
	if link == (setting.CutLink{}) {
		return d.lanes[0] - laneHalf - 10, d.lanes[len(d.lanes)-1] + laneHalf
	}
	from, to = math.MaxInt, 0
	for k := range d.Columns {
		if id := d.Columns[k].ID; id == link.From || id == link.To {
			from, to = min(from, d.lanes[k]), max(to, d.lanes[k])
		}
	}
	return from, to
}

// drawCuts draws beside the numbers of the rows how long links are cut.
func drawCuts(d *drawing) {
	for i := 0; i < len(d.Rows); i++ {
		first := i
		for i < len(d.Rows) && anyCut(&d.Rows[i]) {
			i++
		}
		if i == first {
			continue
		}
		to := d.bottom
		if i < len(d.Rows) {
			to = d.rows[i].base
		}
		d.put(`<path class="cut" d="M%d %dV%d"><title>links are cut</title></path>`+"\n", d.gutter+7, d.rows[first].base, to)
	}
}

// drawLanes draws the line of each process, as long as it stays the same in
// one piece.
func (d *drawing) drawLanes() {
	for k := range d.Columns {
		for i := 0; i < len(d.Rows); {
			c, j := d.Rows[i].Cells[k], i+1
			for j < len(d.Rows) && same(&d.Rows[j].Cells[k], &c) {
				j++
			}
			from, to := d.rows[i].base, d.bottom
			if i == 0 {
				from = d.rows[0].top - 6
			}
			if j < len(d.Rows) {
				to = d.rows[j].base
			}
			d.drawBand(k, &c, from, to)
			d.drawNumbers(k, &c, i, j)
			i = j
		}
	}
}

// same reports whether two moments of a process look the same.
func same(a, b *trace.Cell) bool {
	return a.Status == b.Status && a.Elected == b.Elected && a.Participant == b.Participant && a.Paused == b.Paused
}

// hueClass is the colour of those who follow a process.
func hueClass(id model.ID) string { return fmt.Sprintf("c%d", (int(id)+6)%7+1) }

// A process that is paused has a narrow band with gaps in its edge, and no number.
const (
	pausedHalf = 4
	clientHalf = 3 // the band of a client
	pausedBand = `<rect class="band none" stroke-dasharray="4 4" x="%d" y="%d" width="%d" height="%d"/>`
)

// drawBand draws a piece of the line of a process.
func (d *drawing) drawBand(k int, c *trace.Cell, from, to int) {
	x, h := d.lanes[k], to-from
	switch {
	case c.Status == model.Down:
		d.put(`<path class="down" d="M%d %dV%d"/>`+"\n", x, from, to)
		return
	case c.Status != model.Up:
		d.put(`<path class="absent" d="M%d %dV%d"/>`+"\n", x, from, to)
		return
	}
	half, class := 7, "band none"
	switch {
	case c.Client:
		half = clientHalf
	case c.Paused:
		d.put(pausedBand+"\n", x-pausedHalf, from, 2*pausedHalf, h)
		return
	case c.Leads(d.id(k)):
		half, class = 10, "band leads "+hueClass(c.Elected)
	case c.Elected != model.None:
		class = "band follows " + hueClass(c.Elected)
	}
	d.put(`<rect class="%s" x="%d" y="%d" width="%d" height="%d"/>`+"\n", class, x-half, from, 2*half, h)
	if c.Participant {
		d.put(`<rect fill="url(#%s-hatch)" x="%d" y="%d" width="%d" height="%d"/>`+"\n", escape(d.opt.ID), x-half, from, 2*half, h)
	}
}

// drawNumbers writes into a band whom the process follows: where the band
// begins and, as a reminder, now and then below.
func (d *drawing) drawNumbers(k int, c *trace.Cell, first, end int) {
	if c.Status != model.Up || c.Elected == model.None || c.Paused {
		return
	}
	class := "number follows " + hueClass(c.Elected)
	if c.Leads(d.id(k)) {
		class = "number leads " + hueClass(c.Elected)
	}
	last := 0
	for i := first; i < end; i++ {
		row := &d.rows[i]
		y := row.base + lineHeight + 4
		if row.hidden || row.lines < 2 || i > first && y-last < 110 {
			continue
		}
		d.text(d.lanes[k], y, class, c.Elected.Name())
		last = y
	}
}

// drawGutter writes the numbers of the steps and the sentences.
func (d *drawing) drawGutter() {
	for i := range d.Rows {
		row := &d.rows[i]
		if row.hidden {
			continue
		}
		label, class := d.number(i), "soft"
		if i == d.Breaks {
			class = "strong" + d.alarming(" alarm")
		}
		d.label(d.gutter, row.base+4, "end", class, label)
		for n, line := range row.text {
			class := ""
			if n < len(row.title) {
				class = "strong"
			}
			d.text(d.proseX, row.base+4+n*proseHeight, class, line)
		}
	}
	if d.Lasso > 0 {
		x, from, to := sheetMargin+14, d.rows[d.Lasso].base, d.bottom-4
		d.put(`<path class="lasso" d="M%d %dH%dq-6 0 -6 6V%dq0 6 6 6h8"/>`+"\n", x+8, from, x, to-6)
		d.put(`<path class="head" d="M%d %dl-8 -4.5v9z"/>`+"\n", x+12, from)
		d.label(sheetMargin-4, d.bottom+18, "start", "", "and again")
		d.label(sheetMargin-4, d.bottom+18+labelHeight, "start", "", fmt.Sprintf("from %d on", loopStep(d.layout)))
	}
}

// drawEnds writes below each lane what its process believes in the end.
func (d *drawing) drawEnds() {
	last := len(d.Rows) - 1
	for k := range d.Columns {
		c := &d.Rows[last].Cells[k]
		if c.Client {
			continue
		}
		class := "band none"
		switch {
		case c.Status != model.Up || c.Elected == model.None:
		case c.Leads(d.id(k)):
			class = "band leads " + hueClass(c.Elected)
		default:
			class = "band follows " + hueClass(c.Elected)
		}
		text := footer(d.plan, last, k)
		w := labelWidth(text) + 14
		d.put(`<rect class="%s" x="%d" y="%d" width="%d" height="22" rx="5"/>`+"\n", class, d.lanes[k]-w/2, d.bottom, w)
		d.label(d.lanes[k], d.bottom+15, "middle", strings.TrimPrefix(class, "band ")+" end", text)
	}
	if d.form.prose {
		text, class := d.ending(), "strong"+d.alarming(" alarm")
		for n, line := range wrapWidth(text, proseWidth, 15) {
			d.text(d.proseX, d.bottom+15+n*proseHeight, class, line)
		}
	}
}

// ending says in few words how the run ends.
func (l layout) ending() string {
	switch {
	case l.Lasso > 0:
		return fmt.Sprintf("and again from step %d, without end", loopStep(l))
	case l.Kind == trace.Witness:
		return l.Property + " is met"
	case l.Kind == trace.Plain:
		return ""
	}
	return l.Property + " breaks"
}

// drawLinks makes the rows links. They come last, to lie above all else.
func (d *drawing) drawLinks() {
	if d.opt.Href == nil {
		return
	}
	for i := range d.Rows {
		if row := &d.rows[i]; !row.hidden {
			d.put(`<a class="hit" href="%s" tabindex="-1" aria-label="%s"><rect data-row="%d" x="0" y="%d" width="%d" height="%d"/></a>`+"\n",
				escape(d.opt.Href(i)), named(&d.Rows[i]), i, row.top, d.width, row.bottom-row.top)
		}
	}
}
