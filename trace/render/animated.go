package render

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/trace"
)

//go:embed assets/animated.css
var animatedStyle string

// Animated draws a run as an SVG that plays: the processes in a circle, the messages
// on their way between them, below it a sentence for each step, and at the end the
// verdict. It begins again after the end. It needs no script, no font and no network,
// so it also plays where a page shows it as an image. Readers who prefer reduced
// motion see the last step. The same layout makes the same bytes.
//
// A step takes two and a half seconds, a tick less, and steps that are told together more.
// A run that would take more than thirty seconds is played faster.
func Animated(w io.Writer, run *trace.Layout) error {
	f := newFilm(layout{run})
	f.draw()
	_, err := io.WriteString(w, f.out.String())
	return err
}

// How long a film shows things, in seconds.
const (
	stepSeconds = 2.5
	tickSeconds = 0.6
	mostSeconds = 30
	endSeconds  = 5
)

// Sizes of a film, in pixels.
const (
	discHalf    = 34
	captionSize = 14
	captionLine = 20
)

// A film is a stage while it is written as an SVG that plays.
type film struct {
	layout
	stage *stage
	out   strings.Builder
	style strings.Builder
	begin []float64 // by row: the second in which it begins; behind the last row, the end
	shown map[[2]int]bool
	tags  []tagPlace // by message: where its label stands
	hides int        // how many labels are hidden at times
	width int
	top   int // of the picture, which has its middle at 0
	foot  int // where captions begin
	lines int // of the longest caption
}

func newFilm(l layout) *film {
	f := &film{layout: l, stage: l.stage(), shown: map[[2]int]bool{}}
	at := 0.0
	for i := range l.Rows {
		f.begin = append(f.begin, at)
		switch {
		case l.isTick(i):
			at += tickSeconds
		case l.Rows[i].Fold != nil:
			at += 2 * stepSeconds
		default:
			at += stepSeconds
		}
	}
	if at > mostSeconds {
		for i := range f.begin {
			f.begin[i] *= mostSeconds / at
		}
		at = mostSeconds
	}
	f.begin = append(f.begin, at+endSeconds)
	top, bottom := 0.0, 0.0
	for k := range l.Columns {
		_, y := f.place(k)
		top, bottom = min(top, y), max(bottom, y)
	}
	f.width = max(480, int(2.7*f.circle().room())+2*discHalf+80)
	f.top, f.foot = int(top)-discHalf-32, int(bottom)+discHalf+44
	if len(l.Chapters) > 0 {
		f.top -= captionLine + 8
	}
	for i := range l.Rows {
		f.lines = max(f.lines, len(f.caption(i)))
	}
	f.lines = max(f.lines, len(f.ending()))
	f.label()
	return f
}

// label places the labels of messages.
func (f *film) label() {
	times := moments(f.layout)
	tags := make([]tag, len(f.stage.Arrows))
	for i := range f.stage.Arrows {
		m := &f.stage.Arrows[i]
		width := float64(glyphWidth * utf8.RuneCountInString(m.Text))
		tags[i] = newTag(width, times, m.Sent, m.End+1, func(time float64) *Point { return f.pointAt(m, time) })
	}
	f.tags = placeTags(tags, times, f.circle().parts())
}

// pointAt returns where a message is in the film when a row is so far, nil if it is not seen.
func (f *film) pointAt(m *movingArrow, time float64) *Point {
	if !whole(m) {
		return nil
	}
	from, to, reach, seen := f.travel(m)
	if time < m.Sent || time >= float64(seen) {
		return nil
	}
	part := 1.0
	if at := f.seconds(time); to > from {
		part = min(1, max(0, (at-from)/(to-from)))
	}
	x, y := f.circle().Way(m.From, m.To, reach*part, m.Beside)
	return &Point{x, y}
}

// seconds returns when a row is so far.
func (f *film) seconds(time float64) float64 {
	row := int(time)
	return f.begin[row] + (time-float64(row))*(f.begin[row+1]-f.begin[row])
}

// place returns where the process of a column stands.
func (f *film) place(column int) (x, y float64) { return f.circle().Place(column) }

func (f *film) circle() Circle { return Circle{len(f.Columns), 1.35, 1.15} }

// caption says in lines what happens in a row.
func (f *film) caption(row int) []string { return f.wrapped(f.said(row)) }

// said says what happens in a row.
func (f *film) said(row int) string {
	if row == 0 {
		return f.Tell(0)
	}
	if f.Rows[row].Fold != nil {
		return f.Rows[row].Steps() + ". " + f.Tell(row)
	}
	step := f.Rows[row].Step
	text := fmt.Sprintf("%d. %s.", step, prose.Capital(f.Happened(row)))
	if at := f.Rows[row].At; at >= 0 && f.Rows[row].Cells[at].Changed && f.Rows[row].Cells[at].Status == model.Up {
		text = fmt.Sprintf("%d. %s; it %s.", step, prose.Capital(f.Happened(row)), strings.Join(f.BeliefChange(row, at), ", "))
	}
	return text
}

// ending says in lines what the run shows.
func (f *film) ending() []string { return f.wrapped(prose.Capital(f.Verdict) + ".") }

func (f *film) wrapped(text string) []string {
	return wrapWidth(text, f.width-2*sheetMargin, captionSize)
}

// put writes a piece of SVG.
func (f *film) put(format string, args ...any) { fmt.Fprintf(&f.out, format, args...) }

// percent returns which part of the film is over after so many seconds.
func (f *film) percent(seconds float64) string {
	return fmt.Sprintf("%.2f%%", 100*seconds/f.begin[len(f.begin)-1])
}

// during returns the class of what is shown from one row to before another, and writes
// its style. The last row is shown to the end of the film.
func (f *film) during(from, to int) string {
	to = min(to, len(f.Rows))
	class := fmt.Sprintf("r%d-%d", from, to)
	if f.shown[[2]int{from, to}] {
		return class
	}
	f.shown[[2]int{from, to}] = true
	var b strings.Builder
	if from > 0 {
		b.WriteString("0%{visibility:hidden}")
	}
	fmt.Fprintf(&b, "%s{visibility:visible}", f.percent(f.begin[from]))
	last := "visible"
	if to < len(f.Rows) {
		last = "hidden"
		fmt.Fprintf(&b, "%s{visibility:hidden}", f.percent(f.begin[to]))
	}
	fmt.Fprintf(&f.style, "@keyframes %s{%s}.%s{visibility:%s;animation-name:%s}\n", class, b.String(), class, last, class)
	return class
}

// draw writes the whole of it. Styles are known when the picture is, and come before it.
func (f *film) draw() {
	for k := range f.Columns {
		f.drawActor(k)
	}
	for _, c := range f.stage.Cuts {
		ax, ay := f.place(c.One)
		bx, by := f.place(c.Other)
		part := discHalf / math.Hypot(bx-ax, by-ay)
		f.put(`<path class="cut plays %s" d="M%.0f %.0fL%.0f %.0fM%.0f %.0fl14 14m0 -14l-14 14"/>`+"\n", f.during(c.From, c.To),
			ax+(bx-ax)*part, ay+(by-ay)*part, bx-(bx-ax)*part, by-(by-ay)*part, (ax+bx)/2-7, (ay+by)/2-7)
	}
	for i := range f.stage.Arrows {
		f.drawMessage(i, &f.stage.Arrows[i])
	}
	for i := range f.Chapters {
		from, end := f.chapterRows(i)
		f.put(`<g class="plays %s"><text class="caption strong" x="%d" y="%d">%s</text></g>`+"\n",
			f.during(from, end), -f.width/2+sheetMargin, f.top+captionLine+4, escape(f.chapterOf(from)))
	}
	f.drawCaptions()
	picture := f.out.String()
	f.out.Reset()
	height := f.foot + f.lines*captionLine + sheetMargin - f.top
	left := -f.width / 2
	f.put(`<svg xmlns="http://www.w3.org/2000/svg" class="bullyproof film" width="%d" height="%d" viewBox="%d %d %d %d" role="img" aria-labelledby="film-title film-desc">`+"\n",
		f.width, height, left, f.top, f.width, height)
	f.put(`<title id="film-title">%s</title>`+"\n", escape(prose.Capital(f.title())))
	f.put(`<desc id="film-desc">%s</desc>`+"\n", escape(f.description()))
	seconds := f.begin[len(f.begin)-1]
	f.put("<style>\n%s%s.film .plays,.film .moves{animation-duration:%.1fs}\n%s</style>\n", diagramStyle, animatedStyle, seconds, f.style.String())
	f.put(`<rect class="page" x="%d" y="%d" width="%d" height="%d"/>`+"\n", left, f.top, f.width, height)
	f.out.WriteString(picture)
	f.put("</svg>\n")
}

// chapterRows returns the first row of a chapter, and the first behind it.
func (f *film) chapterRows(chapter int) (from, end int) {
	end = len(f.Rows)
	if chapter+1 < len(f.Chapters) {
		end = rowOf(f.layout, f.Chapters[chapter+1].First)
	}
	return rowOf(f.layout, f.Chapters[chapter].First), end
}

// chapterOf returns the number and the title of the chapter that has a row, if there are
// chapters.
func (f *film) chapterOf(row int) string {
	for i, c := range f.Chapters {
		if from, end := f.chapterRows(i); from <= row && row < end {
			return fmt.Sprintf("%d. %s", i+1, c.Title)
		}
	}
	return ""
}

// description tells the whole run in sentences, for those who cannot see it.
func (f *film) description() string {
	parts := []string{f.Story}
	for i := range f.Rows {
		parts = append(parts, f.Tell(i))
	}
	return strings.TrimSpace(strings.Join(append(parts, prose.Capital(f.Verdict)+"."), " "))
}

// drawActor draws a process as it looks from row to row.
func (f *film) drawActor(column int) {
	x, y := f.place(column)
	name := f.stage.Names[column]
	for i := 0; i < len(f.Rows); {
		a, j := f.stage.Rows[i][column], i+1
		for j < len(f.Rows) && f.stage.Rows[j][column] == a {
			j++
		}
		leads := strings.HasPrefix(a.Class, "leads")
		f.put(`<g class="plays %s">`, f.during(i, j))
		if a.Takes {
			f.put(`<circle class="electing" cx="%.0f" cy="%.0f" r="%d"/>`, x, y, discHalf+6)
		}
		f.put(`<rect class="actor %s" x="%.0f" y="%.0f" width="%d" height="%d" rx="%d"/>`, a.Class, x-discHalf, y-discHalf, 2*discHalf, 2*discHalf, discHalf)
		nameClass := "name"
		if leads {
			nameClass += " " + a.Class
			f.put(`<path class="crown" d="M%.0f %.0fl-4 -16 9 7 8 -12 8 12 9 -7 -4 16z"/>`, x-13, y-discHalf-4)
		}
		at := y + 5
		if role := f.Columns[column].Role; role != "" {
			at = y - 2
			f.put(`<text class="belief" x="%.0f" y="%.0f">%s</text>`, x, y+14, escape(role))
		}
		f.put(`<text class="%s" x="%.0f" y="%.0f">%s</text>`, nameClass, x, at, escape(name))
		if belief := f.saidBelow(i, column); belief != "" {
			f.put(`<text class="belief" x="%.0f" y="%.0f">%s</text>`, x, y+discHalf+22, escape(belief))
		}
		if a.Clock != "" {
			cx, cy, wx, anchor := f.circle().ClockSide(column)
			f.put(`<circle class="pace" cx="%.0f" cy="%.0f" r="9"/><path class="pace" d="M%.0f %.0fv6l4 3"/><text class="belief %s" x="%.0f" y="%.0f">%s</text>`,
				cx, cy, cx, cy-6, anchor, wx, cy+4, escape(a.Clock))
		}
		f.put("</g>\n")
		i = j
	}
	f.drawTimers(column, x, y)
}

// filmTimers is how many timers of a process a stage shows: as many rings fit into its disc.
const filmTimers = 3

// TimerRadius is that of the ring of timer n of a process on a stage, from 0 on. Those that come
// later are farther inside.
func TimerRadius(n int) int { return discHalf - 6 - 5*n }

// drawTimers draws the timers of a process as rings that run down.
func (f *film) drawTimers(column int, x, y float64) {
	if f.stage.Timers == nil {
		return
	}
	for n := range filmTimers {
		left := func(row int) int {
			if all := f.stage.Timers[row][column]; n < len(all) {
				return all[n]
			}
			return 0
		}
		type point struct {
			at   float64
			left int
		}
		var points []point
		for i := range f.Rows {
			points = append(points, point{f.begin[i], left(i)})
			if last := i+1 == len(f.Rows); last || left(i+1) >= left(i) { // it does not run down in between
				points = append(points, point{f.begin[i+1] - 0.01, left(i)})
			}
		}
		var b strings.Builder
		for i, p := range points {
			if i == 0 || i+1 == len(points) || p.left != points[i-1].left || p.left != points[i+1].left {
				fmt.Fprintf(&b, "%s{stroke-dasharray:%d 100}", f.percent(p.at), p.left)
			}
		}
		if !slices.ContainsFunc(points, func(p point) bool { return p.left > 0 }) {
			continue
		}
		name := fmt.Sprintf("t%d-%d", column, n)
		fmt.Fprintf(&f.style, "@keyframes %s{%s}.%s{stroke-dasharray:%d 100;animation-name:%s}\n", name, b.String(), name, left(len(f.Rows)-1), name)
		f.put(`<circle class="timer moves %s" cx="%.0f" cy="%.0f" r="%d" pathLength="100" transform="rotate(-90 %.0f %.0f)"/>`+"\n", name, x, y, TimerRadius(n), x, y)
	}
}

// saidBelow says in a word or two how a process stands.
func (f *film) saidBelow(row, column int) string {
	switch c := &f.Rows[row].Cells[column]; {
	case c.Status == model.Down:
		return "down"
	case c.Leads(f.id(column)):
		return "coordinator"
	}
	return f.stage.Rows[row][column].Belief
}

// drawMessage draws a message on its way. One that does not arrive stops on its way
// and is crossed out; one that is in flight at the end stops there.
func (f *film) drawMessage(number int, m *movingArrow) {
	if !whole(m) {
		return
	}
	first, last := int(m.Sent), int(m.End)
	from, to, reach, seen := f.travel(m)
	const points = 6
	var b strings.Builder
	fmt.Fprintf(&b, "0%%{transform:%s}", f.way(m, 0))
	for i := range points + 1 {
		part := float64(i) / points
		fmt.Fprintf(&b, "%s{transform:%s}", f.percent(from+(to-from)*part), f.way(m, reach*part))
	}
	fmt.Fprintf(&b, "100%%{transform:%s}", f.way(m, reach))
	fmt.Fprintf(&f.style, "@keyframes m%d{%s}.m%d{transform:%s;animation-name:m%d}\n", number, b.String(), number, f.way(m, reach), number)
	tag := f.tags[number]
	f.put(`<g class="moves m%d"><g class="plays %s"><circle class="dot" r="7"/></g><text class="mono plays %s %s" x="%.0f" y="%.0f">%s</text>`,
		number, f.during(first, seen), tag.Anchor, f.unhidden(first, seen, tag.Hidden), tag.X, tag.Y, escape(m.Text))
	if !m.Arrives {
		f.put(`<path class="cross plays %s" d="M-7 -7l14 14M7 -7l-14 14"/>`, f.during(last, last+1))
	}
	f.put("</g>\n")
}

// unhidden is during for a label that is hidden at some times.
func (f *film) unhidden(from, to int, hidden [][2]float64) string {
	if len(hidden) == 0 {
		return f.during(from, to)
	}
	class := fmt.Sprintf("h%d", f.hides)
	f.hides++
	var b strings.Builder
	set := func(time float64, value string) {
		if time < float64(len(f.Rows)) {
			fmt.Fprintf(&b, "%s{visibility:%s}", f.percent(f.seconds(time)), value)
		}
	}
	if from > 0 {
		set(0, "hidden")
	}
	if hidden[0][0] > float64(from) {
		set(float64(from), "visible")
	}
	for _, h := range hidden {
		set(h[0], "hidden")
		if h[1] < float64(to) {
			set(h[1], "visible")
		}
	}
	set(float64(to), "hidden")
	last := "hidden"
	if to >= len(f.Rows) && hidden[len(hidden)-1][1] < float64(len(f.Rows)) {
		last = "visible"
	}
	fmt.Fprintf(&f.style, "@keyframes %s{%s}.%s{visibility:%s;animation-name:%s}\n", class, b.String(), class, last, class)
	return class
}

// whole reports whether a message is shown: one that is sent or ends within steps that are
// told together is not.
func whole(m *movingArrow) bool {
	return m.Sent == math.Trunc(m.Sent) && m.End == math.Trunc(m.End)
}

// travel returns from when to when a message moves, in seconds, which part of its way it goes,
// and the row from which on it is not seen any more.
func (f *film) travel(m *movingArrow) (from, to, reach float64, seen int) {
	rows, last := len(f.Rows), int(m.End)
	from = f.begin[int(m.Sent)]
	switch {
	case last >= rows:
		return from, f.begin[rows-1] + stepSeconds/2, 0.6, last
	case !m.Arrives:
		return from, f.begin[last], 0.6, last + 1
	}
	return from, f.begin[last], 1, last
}

// way returns where a message is that has gone a part of its way.
func (f *film) way(m *movingArrow, part float64) string {
	x, y := f.circle().Way(m.From, m.To, part, m.Beside)
	return fmt.Sprintf("translate(%.1fpx,%.1fpx)", x, y)
}

// drawCaptions writes what happens below the picture, and in the end what the run shows.
func (f *film) drawCaptions() {
	left, last := -f.width/2+sheetMargin, len(f.Rows)-1
	for i := range f.Rows {
		if i == last {
			break
		}
		f.drawCaption("caption", f.during(i, i+1), left, f.caption(i))
	}
	// The last step has half of the time that is left for itself.
	end := f.begin[last] + (f.begin[last+1]-f.begin[last])/2
	fmt.Fprintf(&f.style, "@keyframes last{0%%{visibility:hidden}%s{visibility:visible}%s{visibility:hidden}}.last{visibility:hidden;animation-name:last}\n",
		f.percent(f.begin[last]), f.percent(end))
	f.drawCaption("caption", "last", left, f.caption(last))
	fmt.Fprintf(&f.style, "@keyframes verdict{0%%{visibility:hidden}%s{visibility:visible}}.verdict{visibility:visible;animation-name:verdict}\n", f.percent(end))
	class := "caption strong"
	if f.Kind == trace.Violation {
		class += " alarm"
		f.put(`<rect class="frame plays verdict" x="%d" y="%d" width="%d" height="%d" rx="8"/>`+"\n", -f.width/2+3, f.top+3, f.width-6, f.foot-f.top-16)
	}
	f.drawCaption(class, "verdict", left, f.ending())
}

func (f *film) drawCaption(class, during string, left int, lines []string) {
	f.put(`<g class="plays %s">`, during)
	for i, line := range lines {
		f.put(`<text class="%s" x="%d" y="%d">%s</text>`, class, left, f.foot+i*captionLine+8, escape(line))
	}
	f.put("</g>\n")
}
