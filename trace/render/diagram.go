package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/model"
	"bullyproof/trace"
)

// A lane is how the line of a process looks at a moment.
type lane uint8

const (
	follows lane = iota
	leads
	elects
	isDown
	isAbsent
	isPaused
)

// laneOf returns how the line of process id looks.
func laneOf(c *trace.Cell, id model.ID) lane {
	switch {
	case c.Status == model.Down:
		return isDown
	case c.Status != model.Up:
		return isAbsent
	case c.Paused:
		return isPaused
	case c.Leads(id):
		return leads
	case c.Participant:
		return elects
	}
	return follows
}

// A charset is the characters of a diagram.
type charset struct {
	lanes [6]rune
	marks [8]rune
	// trunk is a message on its way down the page; flat the one across it.
	trunk, flat, tick rune
	left, right, end  rune // arrowheads
	cross             rune // where a message is lost
	// Corners and branches of a message's way: from the sender down, and from
	// there to a receiver on the left or on the right.
	downLeft, downRight, fork, outLeft, outRight, branchLeft, branchRight rune
}

var unicodeSet = charset{
	lanes: [6]rune{follows: '│', leads: '█', elects: '▒', isDown: '·', isAbsent: ' ', isPaused: '║'},
	marks: [8]rune{trace.NoMark: '│', trace.Received: '●', trace.Missed: '·', trace.TimedOut: '◷', trace.Suspected: '◆', trace.Started: '◇', trace.CameUp: '▲', trace.WentDown: '✗'},
	trunk: '┊', flat: '─', tick: '╌', left: '◄', right: '►', end: '▾', cross: '✗',
	downLeft: '╭', downRight: '╮', fork: '┬', outLeft: '╯', outRight: '╰', branchLeft: '┤', branchRight: '├',
}

var asciiSet = charset{
	lanes: [6]rune{follows: '|', leads: '#', elects: '%', isDown: '.', isAbsent: ' ', isPaused: '"'},
	marks: [8]rune{trace.NoMark: '|', trace.Received: 'o', trace.Missed: '.', trace.TimedOut: 'T', trace.Suspected: '?', trace.Started: '@', trace.CameUp: '^', trace.WentDown: 'X'},
	trunk: ':', flat: '-', tick: '~', left: '<', right: '>', end: 'v', cross: 'x',
	downLeft: '.', downRight: '.', fork: '.', outLeft: '\'', outRight: '\'', branchLeft: '+', branchRight: '+',
}

// minText is the least width of the column of sentences; with less they stand
// below the diagram.
const minText = 25

// A diagram is a layout while it is drawn with characters.
type diagram struct {
	layout
	opt       TextOptions
	set       *charset
	canvas    canvas
	margin    int // the width of the column of step numbers
	spacing   int // from one process to the next
	textWidth int // of the column of sentences; 0 where they stand below
	// wholeLines says that chapters and what is told together stand across the lanes, which
	// they interrupt.
	wholeLines bool
	// top and bottom are the first and the last line of each row.
	top, bottom []int
	kinds       []string
	short       map[string]string // the name of a kind of messages, perhaps with fewer letters
	trunks      []*trunk
	of          []*trunk // by arrow
}

// newDiagram finds a place for everything. Where a label would be cut short, and
// wider gaps give it room and leave enough for the sentences, they are wider.
func newDiagram(l layout, opt TextOptions) *diagram {
	first := placedDiagram(l, opt, 0)
	if opt.narrow && first.wholeLines {
		return fewestLines(first)
	}
	for more := 1; first.textWidth > 0 && first.cuts(); more++ {
		d := placedDiagram(l, opt, more)
		if d.textWidth == 0 {
			break
		}
		if !d.cuts() {
			return d
		}
	}
	return first
}

// leastSpacing is how near to each other lanes may be whose labels are read.
const leastSpacing = 9

// fewestLines returns the diagram of the layout of one that has the fewest lines, with the
// widest gaps of those.
func fewestLines(best *diagram) *diagram {
	for more := -1; best.usualSpacing()+more >= leastSpacing; more-- {
		if d := placedDiagram(best.layout, best.opt, more); d.bottom[len(d.Rows)] < best.bottom[len(d.Rows)] {
			best = d
		}
	}
	return best
}

// placedDiagram finds a place for everything, with gaps that are wider than
// usual by more.
func placedDiagram(l layout, opt TextOptions, more int) *diagram {
	d := &diagram{layout: l, opt: opt, set: &unicodeSet, margin: l.labelColumn()}
	if opt.ASCII {
		d.set = &asciiSet
	}
	n := len(l.Columns)
	d.spacing = d.usualSpacing() + more
	if rest := opt.Width - d.margin - n*d.spacing; rest >= minText {
		d.textWidth = rest
	}
	d.wholeLines = d.textWidth > 0 && inParts(l)
	for i := range l.Arrows {
		if k := l.Arrows[i].Kind; !slices.Contains(d.kinds, k) {
			d.kinds = append(d.kinds, k)
		}
	}
	d.trunks, d.of = d.ways()
	d.placeRows()
	d.placeTrunks()
	d.shorten()
	return d
}

// usualSpacing is how far one lane is from the next.
func (d *diagram) usualSpacing() int {
	n := len(d.Columns)
	// Lanes this far apart leave labels and sentences their room at 80 columns.
	spacing := map[int]int{1: 16, 2: 18, 3: 14, 4: 11, 5: 9, 6: 8}[n]
	if spacing == 0 {
		spacing = max(4, min(8, (d.opt.Width-d.margin)/max(n, 1)))
	}
	// A wider terminal gives half of what it has more to the lanes.
	if wider := d.opt.Width - 80; wider > 0 && n <= 6 {
		spacing = min(24, spacing+wider/2/n)
	}
	return spacing
}

// labelColumn is the width of the column of step numbers, which has room for the
// bracket of a lasso.
func (l layout) labelColumn() int {
	width := 6
	for i := range l.Rows {
		if n := len(l.stepLabel(i)); l.Lasso > 0 && i >= l.Lasso {
			width = max(width, n+3)
		} else {
			width = max(width, n+1)
		}
	}
	return width
}

// stepLabel is the number of a row, or of the ticks that are drawn with it; empty
// if it is drawn with the next.
func (l layout) stepLabel(i int) string {
	switch {
	case i == 0:
		return "start"
	case l.mergedTick(i):
		return ""
	}
	if first := l.firstTick(i); first < i {
		return fmt.Sprintf("%d-%d", l.Rows[first].Step, l.Rows[i].Step)
	}
	return l.Rows[i].Steps()
}

// firstTick returns the first of the ticks that are drawn with row i.
func (l layout) firstTick(i int) int {
	for i > 1 && l.mergedTick(i-1) {
		i--
	}
	return i
}

// x returns where the line of a column stands.
func (d *diagram) x(column int) int { return d.margin + column*d.spacing }

// hue returns the colour of those who follow a process.
func (d *diagram) hue(id model.ID) style {
	if id == model.None {
		return normal
	}
	return firstHue + style((int(id)-1)%len(hues))
}

// paint adds the colours of a style.
func (d *diagram) paint(s style, text string) string {
	if !d.opt.Color || s == normal || text == "" {
		return text
	}
	return s.ansi() + text + "\x1b[0m"
}

// plain spells a text out in ASCII, if that is what was asked for.
func (d *diagram) plain(text string) string {
	if !d.opt.ASCII {
		return text
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '⊥':
			return '-'
		case r == '→':
			return '>'
		case strings.ContainsRune("│█▒·", r):
			return '|'
		case r > 126:
			return '?'
		}
		return r
	}, text)
}

func (d *diagram) draw() {
	d.drawLanes()
	d.drawTrunks()
	for i := range d.Arrows {
		d.drawArrow(i)
	}
	for i := range d.Rows {
		d.tear(i)
	}
	for i := range d.Rows {
		if d.torn(i) {
			continue
		}
		d.drawMark(i)
		d.drawBeliefs(i)
		d.drawTick(i)
	}
	d.drawMargin()
}

// placeRows decides on which lines each row stands: as many as its sentences
// need, and no fewer than what happens in it.
func (d *diagram) placeRows() {
	y := 1 // below the names of the processes
	for i := range d.Rows {
		y += len(d.headLines(i))
		lines := 1
		if d.sendLine(i, true)+d.sendLine(i, false) > 0 {
			lines = 2
		}
		r := &d.Rows[i]
		if crowded := len(r.Sent) > 0 || r.Arrow >= 0; crowded && slices.ContainsFunc(r.Cells, func(c trace.Cell) bool { return c.Changed }) {
			lines++ // for the labels of what is new
		}
		if d.mergedTick(i) {
			lines = 0
		}
		switch {
		case d.torn(i):
			lines = len(d.tornLines(i))
		case d.textWidth > 0 && d.Rows[i].Action.Kind != model.Ticks:
			lines = max(lines, len(d.besides(i)))
		}
		d.top = append(d.top, y)
		y += lines
		d.bottom = append(d.bottom, y-1)
	}
	d.top = append(d.top, y) // the end
	d.bottom = append(d.bottom, y)
}

// headLines returns the lines of the chapter that begins with a row, across the lanes.
func (d *diagram) headLines(row int) []string {
	if !d.wholeLines {
		return nil
	}
	title := chapterTitle(d.layout, row)
	if text := chapterAt(d.layout, row).Text; text != "" {
		title += ": " + text
	}
	return wrap(d.plain(title), d.opt.Width-headMargin)
}

// headMargin is left of the lines of a chapter, for the bracket of a lasso.
const headMargin = 2

// torn reports whether a row is told across the lanes: several steps, or what happens to the
// network.
func (d *diagram) torn(row int) bool {
	if !d.wholeLines || row <= 0 {
		return false
	}
	r := &d.Rows[row]
	return r.Fold != nil || r.At < 0 && r.Arrow < 0 && r.Action.Kind != model.Ticks && len(r.Dropped) == 0
}

// joins reports whether a row that is told across the lanes is told with the next.
func (d *diagram) joins(row int) bool {
	return d.torn(row) && row+1 < len(d.Rows) && d.torn(row+1) && d.headLines(row+1) == nil && d.Lasso != row+1
}

// tornFrom returns the first of the rows that are told across the lanes with a row.
func (d *diagram) tornFrom(row int) int {
	for d.joins(row - 1) {
		row--
	}
	return row
}

// tornLines returns the lines of a row that is told across the lanes; none if it joins the
// next.
func (d *diagram) tornLines(row int) []string {
	if !d.torn(row) || d.joins(row) {
		return nil
	}
	var told []string
	for i := d.tornFrom(row); i <= row; i++ {
		told = append(told, d.Tell(i))
	}
	return wrap(d.plain(strings.Join(told, " ")), d.opt.Width-d.margin)
}

// besides returns the lines that stand beside a row: its sentence, below the title of a
// chapter that is not told across.
func (d *diagram) besides(row int) []string {
	switch {
	case d.wholeLines && row == 0 && d.Chapters[0].Text != "" && len(d.Rows[0].Sent) == 0:
		return nil // the chapter says what the lanes show
	case d.wholeLines:
		return wrap(d.Tell(row), d.textWidth)
	}
	return append(wrap(chapterHead(d.layout, row), d.textWidth), wrap(d.Tell(row), d.textWidth)...)
}

// sendLine returns on which line of its row a message is sent to one side: the
// second where another comes in from that side on the first.
func (d *diagram) sendLine(row int, right bool) int {
	k := d.Rows[row].Arrow
	if k < 0 || row == 0 {
		return 0
	}
	a := &d.Arrows[k]
	sends := slices.ContainsFunc(d.Rows[row].Sent, func(i int) bool { return d.Arrows[i].To > d.Arrows[i].From == right })
	if a.Fate == trace.Delivered && sends && (a.From > a.To) == right {
		return 1
	}
	return 0
}

// sendY is the line on which a trunk begins.
func (d *diagram) sendY(t *trunk) int {
	if row := t.sent; d.torn(row) {
		for d.joins(row) {
			row++
		}
		return d.bottom[row] // it comes out of the sentence
	}
	return d.top[t.sent] + d.sendLine(t.sent, t.right)
}

// placeTrunks finds each trunk a way down beside its sender, where no other is
// at the time. The shortest are nearest to their sender.
func (d *diagram) placeTrunks() {
	far := max(2, d.spacing-6)
	var offsets []int
	for _, first := range []int{2, 3} { // two apart first, while there is room
		for o := first; o <= far; o += 2 {
			offsets = append(offsets, o)
		}
	}
	order := slices.Clone(d.trunks)
	slices.SortStableFunc(order, func(a, b *trunk) int { return cmp.Compare(a.last-a.sent, b.last-b.sent) })
	taken := map[int][]bool{} // by column of the page, by line
	for _, t := range order {
		top, bottom := d.sendY(t), d.top[t.last]
		for _, o := range offsets {
			x := d.x(t.from) + step(t.right, o)
			if taken[x] == nil {
				taken[x] = make([]bool, d.bottom[len(d.Rows)]+1)
			}
			if way := taken[x][top : bottom+1]; !slices.Contains(way, true) {
				for y := range way {
					way[y] = true
				}
				t.x = x
				break
			}
		}
	}
}

func (d *diagram) drawLanes() {
	for k, c := range d.Columns {
		name, room := d.plain(c.Name()), d.spacing-1
		if k == len(d.Columns)-1 {
			room = d.opt.Width - d.x(k)
		}
		if utf8.RuneCountInString(name) > room {
			name = c.Short()
		}
		d.canvas.write(d.x(k), 0, name, bold)
		for i := range d.Rows {
			cell := &d.Rows[i].Cells[k]
			kind := laneOf(cell, c.ID)
			style := d.hue(cell.Elected)
			if kind == isDown {
				style = dim
			}
			for y := d.top[i]; y <= d.bottom[i]; y++ {
				d.canvas.set(d.x(k), y, d.set.lanes[kind], style)
			}
		}
	}
}

// drawTrunks draws the ways down.
func (d *diagram) drawTrunks() {
	for _, t := range d.trunks {
		if t.x == 0 {
			continue
		}
		for y := d.sendY(t) + 1; y < d.top[t.last]; y++ {
			d.canvas.set(t.x, y, d.set.trunk, dim)
		}
	}
	for _, t := range d.trunks {
		for x := t.x; t.x > 0 && x != d.x(t.from); {
			if x += step(t.right, -1); x != d.x(t.from) {
				d.across(x, d.sendY(t))
			}
		}
	}
	for _, t := range d.trunks {
		if t.x == 0 {
			continue
		}
		y, corner := d.sendY(t), d.set.downLeft
		if t.right {
			corner = d.set.downRight
		}
		if d.canvas.at(t.x, y).r == d.set.flat { // of one that goes down farther out
			corner = d.set.fork
		}
		d.canvas.set(t.x, y, corner, normal)
	}
}

// step returns n to the right and -n to the left.
func step(right bool, n int) int {
	if right {
		return n
	}
	return -n
}

// across draws a piece of a line across the page, behind the lines of
// processes.
func (d *diagram) across(x, y int) {
	if (x-d.x(0))%d.spacing == 0 && x >= d.x(0) {
		if r := d.canvas.at(x, y).r; r != ' ' && r != d.set.lanes[isDown] {
			return
		}
	}
	d.canvas.set(x, y, d.set.flat, normal)
}

// drawArrow draws the end of a message.
func (d *diagram) drawArrow(i int) {
	a, t := &d.Arrows[i], d.of[i]
	switch a.Fate {
	case trace.Refused:
		x := d.x(a.From) + step(a.To > a.From, 1)
		if y := d.top[a.Sent] + d.sendLine(a.Sent, a.To > a.From); d.canvas.at(x, y) == blank {
			d.canvas.set(x, y, d.set.cross, alarm)
		}
	case trace.InFlight, trace.Folded:
		if t.x > 0 {
			d.canvas.set(t.x, d.top[a.End], d.set.end, normal)
		}
	case trace.Lost, trace.Discarded:
		if t.x > 0 {
			d.canvas.set(t.x, d.top[a.End], d.set.cross, alarm)
		}
	default:
		d.drawArrival(a, t)
	}
}

// drawArrival draws a message from its way down, or from its sender's line,
// to its receiver's line.
func (d *diagram) drawArrival(a *trace.Arrow, t *trunk) {
	y, to := d.top[a.End], d.x(a.To)
	right := t.right != (a.To == a.From) // what a process sends to itself comes back to its line
	step, head := step(right, 1), d.set.left
	if right {
		head = d.set.right
	}
	start := t.x
	switch {
	case start == 0 && a.To == a.From:
		start = to - step
	case start == 0:
		start = d.x(t.from)
	}
	for x := start + step; x != to; x += step {
		d.across(x, y)
	}
	if t.x > 0 {
		corner := d.set.outLeft
		switch more := a.End < t.last; {
		case right && more:
			corner = d.set.branchRight
		case right:
			corner = d.set.outRight
		case more:
			corner = d.set.branchLeft
		}
		d.canvas.set(t.x, y, corner, normal)
	}
	style := normal
	if a.Fate == trace.Undeliverable {
		head, style = d.set.cross, alarm
	}
	d.canvas.set(to-step, y, head, style)
	// The label goes into the gap before the receiver.
	gap := d.gap(a, t)
	label := cut(d.label(a, d.short[a.Kind]), gap)
	n := utf8.RuneCountInString(label)
	x := to + 2 + (gap-n)/2
	switch {
	case a.To == a.From && t.right:
		x = max(t.x, to) + 2
	case a.To == a.From && t.x > 0:
		x = t.x - 1 - n
	case a.To == a.From || t.right:
		x = to - 1 - (gap-n)/2 - n
	}
	d.canvas.write(x, y, d.plain(label), bold)
}

// gap is the room for a label between a receiver's line and what is before it:
// the next line, or the way down where the message comes from.
func (d *diagram) gap(a *trace.Arrow, t *trunk) int {
	gap := d.spacing - 2
	if t.x > 0 && abs(a.From-a.To) <= 1 {
		gap -= abs(t.x - d.x(t.from))
	}
	return gap
}

func abs(n int) int { return max(n, -n) }

// shorten decides how the kinds of messages are named: in full, or with as few
// letters as the narrowest gap asks for, the same everywhere, and enough to tell
// the kinds apart.
func (d *diagram) shorten() {
	d.short = map[string]string{}
	for _, kind := range d.kinds {
		d.short[kind] = d.shortName(kind)
	}
}

// shortName is the longest of a kind's names whose labels fit; if none does, that
// with the fewest labels that do not.
func (d *diagram) shortName(kind string) string {
	names := d.shortNames(kind)
	for _, name := range names {
		if d.tooLong(kind, name, 1) == 0 { // with a piece of line to see
			return name
		}
	}
	return slices.MinFunc(names, func(a, b string) int { return d.tooLong(kind, a, 0) - d.tooLong(kind, b, 0) })
}

// shortNames lists a kind's name, and shorter ones that no other kind has, the
// longest first: "ELEC", or "el'n" where that is not enough.
func (d *diagram) shortNames(kind string) []string {
	names := []string{kind}
	letters := []rune(kind)
	for n := min(5, len(letters)-1); n > 0; n-- {
		short := string(letters[:n])
		if !slices.ContainsFunc(d.kinds, func(k string) bool { return k != kind && strings.HasPrefix(k, short) }) {
			names = append(names, short)
		}
	}
	if len(names) > 1 {
		return names
	}
	for n := min(4, len(letters)-3); n > 0; n-- {
		short := contraction(kind, n)
		if !slices.ContainsFunc(d.kinds, func(k string) bool { return k != kind && contraction(k, n) == short }) {
			names = append(names, short)
		}
	}
	return names
}

// contraction returns the first n letters of a word and the last.
func contraction(word string, n int) string {
	letters := []rune(word)
	if len(letters) < n+2 {
		return word
	}
	return string(letters[:n]) + "'" + string(letters[len(letters)-1:])
}

// tooLong counts the labels of a kind that do not fit their gaps, with some room
// to spare, if the kind has that name.
func (d *diagram) tooLong(kind, name string, spare int) int {
	n := 0
	for i := range d.Arrows {
		a := &d.Arrows[i]
		if a.Kind == kind && (a.Fate == trace.Delivered || a.Fate == trace.Undeliverable) &&
			utf8.RuneCountInString(d.label(a, name))+spare > d.gap(a, d.of[i]) {
			n++
		}
	}
	return n
}

// cuts reports whether some label does not fit.
func (d *diagram) cuts() bool {
	return slices.ContainsFunc(d.kinds, func(kind string) bool { return d.tooLong(kind, d.short[kind], 0) > 0 })
}

// label returns the text of a message, with another name for its kind.
func (d *diagram) label(a *trace.Arrow, name string) string {
	rest, ok := strings.CutPrefix(a.Text, a.Kind)
	if !ok {
		return a.Text
	}
	return name + rest
}

// cut shortens s to at most n runes, the last an ellipsis.
func cut(s string, n int) string {
	if n < 1 {
		return ""
	}
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// tear clears the lines of a row that are told across the lanes, and writes what is told.
func (d *diagram) tear(row int) {
	head := d.headLines(row)
	bolds := utf8.RuneCountInString(chapterTitle(d.layout, row))
	for k, line := range head {
		y, letters := d.top[row]-len(head)+k, []rune(line)
		d.canvas.clear(y)
		n := min(bolds, len(letters))
		d.canvas.write(headMargin, y, string(letters[:n]), bold)
		d.canvas.write(headMargin+n, y, string(letters[n:]), normal)
		bolds -= n
	}
	for k, line := range d.tornLines(row) {
		d.canvas.clear(d.top[row] + k)
		d.canvas.write(d.margin, d.top[row]+k, line, normal)
	}
}

// drawMark draws what happens to a process on its line.
func (d *diagram) drawMark(i int) {
	r := &d.Rows[i]
	if r.At < 0 || r.Mark == trace.NoMark || r.Mark == trace.Missed {
		return
	}
	style := d.hue(r.Cells[r.At].Elected)
	if r.Mark == trace.WentDown || r.Misuse != "" {
		style = alarm
	}
	mark := d.set.marks[r.Mark]
	if r.Misuse != "" {
		mark = '!'
	}
	d.canvas.set(d.x(r.At), d.top[i], mark, style)
}

// drawBeliefs writes beside each line what is new of what its process
// believes: all of it at the start and at the end.
func (d *diagram) drawBeliefs(i int) {
	all := i == 0
	for k, c := range d.Rows[i].Cells {
		if c.Changed || all {
			d.drawBelief(k, &c, d.top[i], d.bottom[i])
		}
	}
}

// drawBelief writes beside the line of a process what it believes, in the
// longest form that has a place: to the right, perhaps beyond messages on their
// way down, or to the left, where it must not seem to belong to the line there.
func (d *diagram) drawBelief(column int, c *trace.Cell, top, bottom int) {
	if c.Client {
		return
	}
	x := d.x(column)
	for _, text := range beliefLabels(c, d.id(column)) {
		n := utf8.RuneCountInString(text)
		for y := top; y <= bottom; y++ {
			for _, right := range []int{2, 4} {
				if right+n < d.spacing && d.canvas.free(x+right-1, y, n+2) {
					d.canvas.write(x+right, y, d.plain(text), d.hue(c.Elected))
					return
				}
			}
			if left := x - 1 - n; left >= d.margin && d.canvas.free(left-2, y, n+3) {
				d.canvas.write(left, y, d.plain(text), d.hue(c.Elected))
				return
			}
			if n == 1 && y > top && d.canvas.free(x+1, y, 1) {
				d.canvas.write(x+1, y, d.plain(text), d.hue(c.Elected))
				return
			}
		}
	}
}

// beliefLabels returns what a process believes in a few letters, the longest
// form first.
func beliefLabels(c *trace.Cell, id model.ID) []string {
	switch {
	case c.Client:
		return []string{""}
	case c.Status == model.Down:
		return []string{"down"}
	case c.Status == model.Absent:
		return []string{"absent"}
	case c.Status != model.Up:
		return []string{"not up"}
	case c.Leads(id):
		return []string{"coordinator" + c.InEpoch(), "coord." + c.InEpoch(), "leads"}
	case c.Participant && c.Elected != model.None:
		return []string{"election, →" + c.Elected.Name(), "→" + c.Elected.Name()}
	case c.Participant:
		return []string{"election", "elects"}
	case c.Elected == model.None:
		return []string{"no coord.", "none", "-"}
	}
	who := c.Elected.Name()
	return []string{"follows " + who, "→" + who, who}
}

// drawTick draws the passing of time across all that is blank.
func (d *diagram) drawTick(i int) {
	if !d.isTick(i) || d.mergedTick(i) {
		return
	}
	y := d.top[i]
	for x := d.margin; x < d.x(len(d.Columns)-1)+d.spacing-2; x += 2 {
		if d.canvas.at(x, y) == blank {
			d.canvas.set(x, y, d.set.tick, dim)
		}
	}
	if d.textWidth > 0 {
		d.canvas.write(d.textX(), y, fmt.Sprintf("time %d", d.Rows[i].Time), dim)
	}
}

// textX is where the sentences begin.
func (d *diagram) textX() int { return d.opt.Width - d.textWidth }

// drawMargin writes the numbers of the steps, their sentences, and the end.
func (d *diagram) drawMargin() {
	for i := range d.Rows {
		if d.mergedTick(i) || d.joins(i) {
			continue
		}
		label, style := d.stepLabel(i), dim
		if first := d.tornFrom(i); first < i {
			label = fmt.Sprintf("%d-%d", firstStep(&d.Rows[first]), d.Rows[i].Step)
		}
		if i == d.Breaks {
			style = alarm
		}
		d.canvas.write(d.margin-1-len(label), d.top[i], label, style)
		if d.textWidth == 0 || d.isTick(i) || d.torn(i) {
			continue
		}
		title := 0
		if !d.wholeLines {
			title = len(wrap(chapterHead(d.layout, i), d.textWidth))
		}
		for k, line := range d.besides(i) {
			style := normal
			if k < title {
				style = bold
			}
			d.canvas.write(d.textX(), d.top[i]+k, d.plain(line), style)
		}
	}
	d.drawEnd()
}

// drawEnd writes below each line what its process believes in the end.
func (d *diagram) drawEnd() {
	last, y := len(d.Rows)-1, d.top[len(d.Rows)]
	label, style := "end", dim
	if d.Breaks == last {
		style = alarm
	}
	d.canvas.write(d.margin-1-len(label), y, label, style)
	for k, c := range d.Rows[last].Cells {
		d.canvas.set(d.x(k), y, d.set.lanes[laneOf(&c, d.id(k))], d.hue(c.Elected))
	}
	for k, c := range d.Rows[last].Cells {
		d.drawBelief(k, &c, y, y)
	}
	if d.textWidth > 0 {
		text := d.Property + " breaks"
		switch {
		case d.Lasso > 0:
			text = fmt.Sprintf("and again from step %d", loopStep(d.layout))
		case d.Kind == trace.Witness:
			text = d.Property + " is met"
		case d.Kind == trace.Plain:
			text = ""
		}
		d.canvas.write(d.textX(), y, text, style)
	}
	d.drawLasso(y)
}

// drawLasso brackets the cycle at the left edge, down to the line of the end.
func (d *diagram) drawLasso(end int) {
	if d.Lasso == 0 {
		return
	}
	begin := d.top[d.Lasso]
	for y := begin; y <= end; y++ {
		r := d.set.lanes[follows]
		switch y {
		case begin:
			r = d.set.downLeft
		case end:
			r = d.set.outRight
		}
		if d.canvas.at(0, y) == blank {
			d.canvas.set(0, y, r, bold)
		}
	}
}
