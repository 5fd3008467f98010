package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/trace"
)

// GIF draws the picture that Animated plays as a GIF, for chats and slides in which an SVG
// does not play. It has the colours of a light page, and letters of one width. The same
// layout makes the same bytes.
func GIF(w io.Writer, run *trace.Layout, pen Pen) error {
	f := newFilm(layout{run})
	return gif.EncodeAll(w, newReel(f, pen).shoot())
}

// A Pen draws on the pictures of a GIF. The module with fonts is behind it, which nobody needs
// for anything else.
type Pen interface {
	// Fill paints the inside of closed lines through points, in pixels.
	Fill(on *image.RGBA, c color.RGBA, outlines ...[]Point)
	// Letters writes a text, each character 8 pixels wide, from a place on its base line.
	Letters(on *image.RGBA, c color.RGBA, bold bool, text string, from image.Point)
}

// A Point is a place in a picture.
type Point struct{ X, Y float64 }

// frameSeconds is how long a GIF shows one picture of messages that move.
const frameSeconds = 0.2

// Sizes of letters in a GIF, in pixels.
const (
	glyphWidth = 8
	glyphLine  = 18
)

// The colours of a GIF are those of a diagram on a light page.
var (
	white   = color.RGBA{0xff, 0xff, 0xff, 0xff}
	black   = color.RGBA{0, 0, 0, 0xff}
	ink     = color.RGBA{0x1c, 0x23, 0x30, 0xff}
	soft    = color.RGBA{0x4d, 0x56, 0x66, 0xff}
	pale    = color.RGBA{0x8d, 0x96, 0xa5, 0xff}
	dot     = color.RGBA{0x2b, 0x34, 0x43, 0xff}
	crimson = color.RGBA{0xa8, 0x12, 0x2a, 0xff}
	golden  = color.RGBA{0xf0, 0xc0, 0x00, 0xff}
)

// A paint has the colours of a process that leads, of its name, and of those that follow it.
type paint struct{ leads, name, follows, edge color.RGBA }

// paints are the colours of the classes c1 to c7: see hueClass.
var paints = [...]paint{
	{color.RGBA{0x00, 0x72, 0xb2, 0xff}, white, color.RGBA{0xd3, 0xe6, 0xf3, 0xff}, color.RGBA{0x00, 0x72, 0xb2, 0xff}},
	{color.RGBA{0xe6, 0x9f, 0x00, 0xff}, black, color.RGBA{0xfb, 0xe9, 0xc6, 0xff}, color.RGBA{0xa8, 0x74, 0x00, 0xff}},
	{color.RGBA{0x00, 0x7f, 0x5c, 0xff}, white, color.RGBA{0xcd, 0xeb, 0xe1, 0xff}, color.RGBA{0x00, 0x7f, 0x5c, 0xff}},
	{color.RGBA{0xcc, 0x79, 0xa7, 0xff}, black, color.RGBA{0xf5, 0xe1, 0xec, 0xff}, color.RGBA{0xa6, 0x4c, 0x7e, 0xff}},
	{color.RGBA{0x56, 0xb4, 0xe9, 0xff}, black, color.RGBA{0xdc, 0xef, 0xfb, 0xff}, color.RGBA{0x23, 0x84, 0xbd, 0xff}},
	{color.RGBA{0xf0, 0xe4, 0x42, 0xff}, black, color.RGBA{0xfb, 0xf8, 0xd0, 0xff}, color.RGBA{0x8a, 0x82, 0x00, 0xff}},
	{color.RGBA{0xd5, 0x5e, 0x00, 0xff}, white, color.RGBA{0xf9, 0xdd, 0xcb, 0xff}, color.RGBA{0xb0, 0x4e, 0x00, 0xff}},
}

// shades is in how many steps a colour fades into the page at its edge.
const shades = 5

// A reel is a film while its pictures are drawn.
type reel struct {
	*film
	palette color.Palette
	index   map[[4]uint8]uint8
	pen     Pen
	on      *image.RGBA
	last    *image.Paletted // the picture before
	height  int
	out     gif.GIF
}

func newReel(f *film, pen Pen) *reel {
	r := &reel{film: f, pen: pen, index: map[[4]uint8]uint8{}}
	lines := len(r.lettered(prose.Capital(f.Verdict) + "."))
	for i := range f.Rows {
		lines = max(lines, len(r.lettered(f.said(i))))
	}
	r.height = f.foot + lines*glyphLine + sheetMargin - f.top
	r.palette = newPalette()
	r.on = image.NewRGBA(image.Rect(0, 0, f.width, r.height))
	return r
}

// newPalette returns the colours with their shades.
func newPalette() color.Palette {
	base := []color.RGBA{ink, black, soft, pale, dot, crimson, golden}
	for _, h := range paints {
		base = append(base, h.leads, h.follows, h.edge)
	}
	p := color.Palette{white}
	for _, c := range base {
		for i := 1; i <= shades; i++ {
			fade := func(v uint8) uint8 { return uint8(0xff - (0xff-int(v))*i/shades) }
			p = append(p, color.RGBA{fade(c.R), fade(c.G), fade(c.B), 0xff})
		}
	}
	return p
}

// lettered breaks a text into lines of a GIF.
func (r *reel) lettered(text string) []string {
	return wrap(text, (r.width-2*sheetMargin)/glyphWidth)
}

// shoot draws all pictures: one for each row, and more where messages move.
func (r *reel) shoot() *gif.GIF {
	last := len(r.Rows) - 1
	for i := range r.Rows {
		from, to := r.begin[i], r.begin[i+1]
		if i == last {
			to = from + (to-from)/2
		}
		moves := r.moves(i, to)
		for at, end := from, to; at < to; at = end {
			if moves {
				end = min(at+frameSeconds, to)
			}
			r.picture(i, at, r.said(i), ink)
			r.show(at, end)
		}
	}
	to := r.begin[last+1]
	at := (r.begin[last] + to) / 2
	verdict := ink
	if r.Kind == trace.Violation {
		verdict = crimson
	}
	r.picture(last, at, prose.Capital(r.Verdict)+".", verdict)
	if r.Kind == trace.Violation {
		x, y := float64(-r.width/2+3), float64(r.top+3)
		right, foot := x+float64(r.width-6), y+float64(r.foot-r.top-16)
		r.stroke(crimson, 3, Point{x, y}, Point{right, y}, Point{right, foot}, Point{x, foot}, Point{x, y})
	}
	r.show(at, to)
	return &r.out
}

// moves reports whether a message moves during a row, which ends at a time.
func (r *reel) moves(row int, to float64) bool {
	return slices.ContainsFunc(r.stage.Arrows, func(m movingArrow) bool {
		return whole(&m) && m.From != m.To && int(m.Sent) <= row && r.begin[int(m.Sent)] < to && row < int(m.End) && (int(m.End) < len(r.Rows) || row < len(r.Rows)-1)
	})
}

// show adds the picture to the GIF: the part of it that is not as in the picture before.
func (r *reel) show(from, to float64) {
	hundredths := int(math.Round(100*to)) - int(math.Round(100*from))
	if hundredths == 0 {
		return // too short for a GIF
	}
	whole := image.NewPaletted(r.on.Bounds(), r.palette)
	least, most := image.Pt(r.width, r.height), image.Pt(0, 0)
	for i := range whole.Pix {
		whole.Pix[i] = r.nearest([4]uint8(r.on.Pix[4*i:]))
		if r.last == nil || whole.Pix[i] != r.last.Pix[i] {
			x, y := i%r.width, i/r.width
			least.X, least.Y = min(least.X, x), min(least.Y, y)
			most.X, most.Y = max(most.X, x+1), max(most.Y, y+1)
		}
	}
	part := image.Rectangle{Min: least, Max: most}
	if part.Empty() {
		r.out.Delay[len(r.out.Delay)-1] += hundredths
		return
	}
	r.last = whole
	r.out.Image = append(r.out.Image, whole.SubImage(part).(*image.Paletted))
	r.out.Delay = append(r.out.Delay, hundredths)
}

// nearest returns the colour of the palette that is nearest to that of a pixel.
func (r *reel) nearest(pixel [4]uint8) uint8 {
	if pixel == [4]uint8{0xff, 0xff, 0xff, 0xff} {
		return 0
	}
	i, known := r.index[pixel]
	if !known {
		i = uint8(r.palette.Index(color.RGBA{pixel[0], pixel[1], pixel[2], pixel[3]}))
		r.index[pixel] = i
	}
	return i
}

// picture draws a row as it is at a time, with a text below.
func (r *reel) picture(row int, at float64, text string, c color.RGBA) {
	draw.Draw(r.on, r.on.Bounds(), image.NewUniform(white), image.Point{}, draw.Src)
	left := float64(-r.width/2 + sheetMargin)
	if chapter := r.chapterOf(row); chapter != "" {
		r.letters(chapter, left, float64(r.top+captionLine+4), ink, true, false)
	}
	for _, cut := range r.stage.Cuts {
		if cut.From <= row && row < cut.To {
			r.cut(cut)
		}
	}
	for k := range r.Columns {
		r.actor(row, k)
	}
	for i := range r.stage.Arrows {
		r.message(i, row, at)
	}
	for i, line := range r.lettered(text) {
		r.letters(line, left, float64(r.foot+i*glyphLine+8), c, c == crimson, false)
	}
}

// cut draws a link that is cut.
func (r *reel) cut(c stageCut) {
	ax, ay := r.place(c.One)
	bx, by := r.place(c.Other)
	reach := math.Hypot(bx-ax, by-ay)
	const dash, gap = 8.0, 4.0
	for along := float64(discHalf); along < reach-discHalf; along += dash + gap {
		end := min(along+dash, reach-discHalf)
		r.stroke(crimson, 1.5, Point{ax + (bx-ax)*along/reach, ay + (by-ay)*along/reach}, Point{ax + (bx-ax)*end/reach, ay + (by-ay)*end/reach})
	}
	r.cross((ax+bx)/2, (ay+by)/2)
}

// cross crosses something out.
func (r *reel) cross(x, y float64) {
	r.stroke(crimson, 2.2, Point{x - 7, y - 7}, Point{x + 7, y + 7})
	r.stroke(crimson, 2.2, Point{x + 7, y - 7}, Point{x - 7, y + 7})
}

// actor draws a process as it looks in a row.
func (r *reel) actor(row, column int) {
	x, y := r.place(column)
	a := r.stage.Rows[row][column]
	fill, edge, name := white, soft, ink
	class := strings.Fields(a.Class)
	if len(class) > 1 {
		h := paints[class[1][1]-'1']
		if fill, edge = h.follows, h.edge; class[0] == "leads" {
			fill, edge, name = h.leads, ink, h.name
		}
	}
	if a.Takes {
		r.ring(soft, x, y, discHalf+6, 2, 24)
	}
	switch {
	case class[0] == "down":
		r.ring(pale, x, y, discHalf, 2, 16)
	case class[len(class)-1] == "paused":
		r.disc(fill, x, y, discHalf)
		r.ring(pale, x, y, discHalf, 2, 0)
	default:
		r.disc(fill, x, y, discHalf)
		r.ring(edge, x, y, discHalf, 2, 0)
	}
	if class[0] == "leads" {
		r.crown(x, y-discHalf-4)
	}
	at := y + 5
	if role := r.Columns[column].Role; role != "" {
		at = y - 2
		r.letters(role, x, y+14, name, false, true)
	}
	r.letters(r.stage.Names[column], x, at, name, true, true)
	r.letters(r.saidBelow(row, column), x, y+discHalf+22, soft, false, true)
	r.timers(row, column)
	if a.Clock != "" {
		r.pace(column, a.Clock)
	}
}

// timers draws what is left of the timers of a process.
func (r *reel) timers(row, column int) {
	if r.stage.Timers == nil {
		return
	}
	x, y := r.place(column)
	for n, left := range r.stage.Timers[row][column] {
		if n < filmTimers && left > 0 {
			from, radius := -0.25, float64(TimerRadius(n))
			to := from + float64(left)/100
			r.fill(soft, append(circle(x, y, radius+1.5, from, to), circle(x, y, radius-1.5, to, from)...))
		}
	}
}

// pace draws the sign of a clock that is not right.
func (r *reel) pace(column int, word string) {
	x, y, at, anchor := r.film.circle().ClockSide(column)
	r.disc(white, x, y, 9)
	r.ring(dot, x, y, 9, 2, 0)
	r.stroke(dot, 2, Point{x, y - 6}, Point{x, y}, Point{x + 4, y + 3})
	if anchor == "end" {
		at -= float64(glyphWidth * utf8.RuneCountInString(word))
	}
	r.letters(word, at, y+4, soft, false, false)
}

// crown draws the sign of a coordinator, whose foot is at a place.
func (r *reel) crown(x, y float64) {
	points := []Point{{x - 13, y}, {x - 17, y - 16}, {x - 8, y - 9}, {x, y - 21}, {x + 8, y - 9}, {x + 17, y - 16}, {x + 13, y}}
	r.fill(golden, points)
	r.stroke(ink, 1, append(points, points[0])...)
}

// message draws a message where it is at a time of a row: see film.drawMessage.
func (r *reel) message(number, row int, at float64) {
	m := &r.stage.Arrows[number]
	time := float64(row) + (at-r.begin[row])/(r.begin[row+1]-r.begin[row])
	p := r.pointAt(m, time)
	if p == nil {
		return
	}
	r.disc(dot, p.X, p.Y, 7)
	tag := &r.tags[number]
	if !slices.ContainsFunc(tag.Hidden, func(h [2]float64) bool { return h[0] <= time && time < h[1] }) {
		label := tag.at(p, float64(glyphWidth*utf8.RuneCountInString(m.Text)))
		for _, edge := range []Point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-2, 0}, {2, 0}} {
			r.letters(m.Text, label.left+edge.X, p.Y+tag.Y+edge.Y, white, false, false)
		}
		r.letters(m.Text, label.left, p.Y+tag.Y, ink, false, false)
	}
	if float64(row) >= m.End {
		r.cross(p.X, p.Y)
	}
}

// letters writes a line from a place, or with its middle there.
func (r *reel) letters(text string, x, y float64, c color.RGBA, bold, middle bool) {
	if middle {
		x -= float64(glyphWidth*utf8.RuneCountInString(text)) / 2
	}
	r.pen.Letters(r.on, c, bold, text, image.Pt(int(math.Round(x))+r.width/2, int(math.Round(y))-r.top))
}

// fill paints the inside of lines through points of the picture, of which the middle is 0.
func (r *reel) fill(c color.RGBA, outlines ...[]Point) {
	there := make([][]Point, len(outlines))
	for i, points := range outlines {
		for _, p := range points {
			there[i] = append(there[i], Point{p.X + float64(r.width/2), p.Y - float64(r.top)})
		}
	}
	r.pen.Fill(r.on, c, there...)
}

// stroke draws lines from point to point.
func (r *reel) stroke(c color.RGBA, width float64, points ...Point) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		reach := math.Hypot(b.X-a.X, b.Y-a.Y)
		if reach == 0 {
			continue
		}
		dx, dy := (b.Y-a.Y)/reach*width/2, -(b.X-a.X)/reach*width/2
		r.fill(c, []Point{{a.X + dx, a.Y + dy}, {b.X + dx, b.Y + dy}, {b.X - dx, b.Y - dy}, {a.X - dx, a.Y - dy}})
	}
}

// circle returns points on a part of a circle, of 1.
func circle(x, y, radius, from, to float64) []Point {
	const points = 72
	var list []Point
	steps := max(1, int(math.Ceil(points*math.Abs(to-from))))
	for i := range steps + 1 {
		sin, cos := math.Sincos(2 * math.Pi * (from + (to-from)*float64(i)/float64(steps)))
		list = append(list, Point{x + radius*cos, y + radius*sin})
	}
	return list
}

func (r *reel) disc(c color.RGBA, x, y, radius float64) { r.fill(c, circle(x, y, radius, 0, 1)) }

// ring draws a circle, in a number of dashes if that is not 0.
func (r *reel) ring(c color.RGBA, x, y, radius, width float64, dashes int) {
	if dashes == 0 {
		r.fill(c, circle(x, y, radius+width/2, 0, 1), circle(x, y, radius-width/2, 1, 0))
		return
	}
	for i := range dashes {
		from := float64(i) / float64(dashes)
		to := from + 0.6/float64(dashes)
		r.fill(c, append(circle(x, y, radius+width/2, from, to), circle(x, y, radius-width/2, to, from)...))
	}
}
