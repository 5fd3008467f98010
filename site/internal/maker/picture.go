package maker

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"bullyproof/model"
	"bullyproof/trace"
)

// The size of a picture for previews, in which whoever is sent an address sees what the
// page is about. Nothing in it is smaller than what a preview shows.
const (
	pictureWidth, pictureHeight = 1200, 630
	margin                      = 60
	radius                      = 62
)

// The colours of a picture: those of diagrams by day.
var (
	paper, ink, dim, alarm = shade(0xf5f7fa), shade(0x1c2330), shade(0x5b6577), shade(0xa31527)
	gold                   = shade(0xf0c000)
	hues                   = []uint32{0x0072b2, 0xe69f00, 0x007f5c, 0xcc79a7, 0x56b4e9, 0xf0e442, 0xd55e00}
	pale                   = []uint32{0xd3e6f3, 0xfbe9c6, 0xcdebe1, 0xf5e1ec, 0xdceffb, 0xfbf8d0, 0xf9ddcb}
)

func shade(rgb uint32) color.RGBA {
	return color.RGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 0xff}
}

// A painter paints a picture.
type painter struct {
	*image.RGBA
	title, text font.Face
}

// faces returns the fonts of pictures.
func faces() (title, text font.Face, err error) {
	for _, f := range []struct {
		data []byte
		size float64
		face *font.Face
	}{{gobold.TTF, 58, &title}, {goregular.TTF, 30, &text}} {
		parsed, err := opentype.Parse(f.data)
		if err != nil {
			return nil, nil, err
		}
		if *f.face, err = opentype.NewFace(parsed, &opentype.FaceOptions{Size: f.size, DPI: 72}); err != nil {
			return nil, nil, err
		}
	}
	return title, text, nil
}

// picture returns a picture of a run, as a PNG: its title, and what the processes believe
// where the property breaks.
func picture(heading, site string, l *trace.Layout) ([]byte, error) {
	title, text, err := faces()
	if err != nil {
		return nil, err
	}
	p := &painter{image.NewRGBA(image.Rect(0, 0, pictureWidth, pictureHeight)), title, text}
	draw.Draw(p, p.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	y := p.write(p.title, ink, margin, margin+50, heading, 2)
	p.write(p.text, alarm, margin, y+8, l.Verdict+".", 2)
	row := &l.Rows[len(l.Rows)-1]
	if l.Breaks >= 0 {
		row = &l.Rows[l.Breaks]
	}
	for k := range l.Columns {
		x := float32(pictureWidth*(2*k+1)) / float32(2*len(l.Columns))
		p.process(x, 440, l.Columns[k].ID, &row.Cells[k])
	}
	p.write(p.text, dim, margin, pictureHeight-24, site, 1)
	var b bytes.Buffer
	err = png.Encode(&b, p)
	return b.Bytes(), err
}

// write writes a text in so many lines at most, and returns where the next line begins.
func (p *painter) write(face font.Face, c color.Color, x, y int, text string, lines int) int {
	d := font.Drawer{Dst: p, Src: image.NewUniform(c), Face: face}
	line := ""
	put := func(s string) {
		d.Dot = fixed.P(x, y)
		d.DrawString(s)
		y += face.Metrics().Height.Ceil()
	}
	for word := range strings.FieldsSeq(text) {
		longer := strings.TrimSpace(line + " " + word)
		if d.MeasureString(longer).Ceil() > pictureWidth-2*margin {
			if lines--; lines == 0 {
				put(line + " …")
				return y
			}
			put(line)
			longer = word
		}
		line = longer
	}
	put(line)
	return y
}

// process draws a process, with a crown if it believes itself coordinator.
func (p *painter) process(x, y float32, id model.ID, c *trace.Cell) {
	hue, says := shade(0xffffff), "knows no coordinator"
	switch {
	case c.Status != model.Up:
		hue, says = paper, "down"
	case c.Elected == id || c.Elected == model.Me:
		hue, says = shade(hues[int(id-1)%len(hues)]), "coordinator"
		p.fill(gold, x-30, y-radius-10, x-38, y-radius-52, x-17, y-radius-34, x, y-radius-62, x+17, y-radius-34, x+38, y-radius-52, x+30, y-radius-10)
	case c.Elected != model.None:
		hue, says = shade(pale[int(c.Elected-1)%len(pale)]), "follows "+c.Elected.Name()
	}
	p.disc(ink, x, y, radius)
	p.disc(hue, x, y, radius-4)
	on := ink
	if c.Status == model.Up && (c.Elected == id || c.Elected == model.Me) && (id == 1 || id == 3) {
		on = shade(0xffffff)
	}
	p.centre(on, x, y+11, id.Name())
	p.centre(ink, x, y+radius+42, says)
}

// centre writes a line around a place.
func (p *painter) centre(c color.Color, x, y float32, text string) {
	d := font.Drawer{Dst: p, Src: image.NewUniform(c), Face: p.text}
	d.Dot = fixed.P(int(x)-d.MeasureString(text).Ceil()/2, int(y))
	d.DrawString(text)
}

// fill fills a polygon.
func (p *painter) fill(c color.Color, points ...float32) {
	z := vector.NewRasterizer(pictureWidth, pictureHeight)
	z.MoveTo(points[0], points[1])
	for i := 2; i < len(points); i += 2 {
		z.LineTo(points[i], points[i+1])
	}
	z.ClosePath()
	z.Draw(p, p.Bounds(), image.NewUniform(c), image.Point{})
}

// disc fills a circle, of four curves.
func (p *painter) disc(c color.Color, x, y, r float32) {
	const k = 0.5523 // of the radius, for a curve that is nearly a quarter of a circle
	z := vector.NewRasterizer(pictureWidth, pictureHeight)
	z.MoveTo(x+r, y)
	z.CubeTo(x+r, y+k*r, x+k*r, y+r, x, y+r)
	z.CubeTo(x-k*r, y+r, x-r, y+k*r, x-r, y)
	z.CubeTo(x-r, y-k*r, x-k*r, y-r, x, y-r)
	z.CubeTo(x+k*r, y-r, x+r, y-k*r, x+r, y)
	z.ClosePath()
	z.Draw(p, p.Bounds(), image.NewUniform(c), image.Point{})
}

// pictureOf makes the picture of a story, if it has a run and the address of the site is
// known, which previews have to have. It returns its address.
func (m *maker) pictureOf(s *story) (string, error) {
	if m.Options.Address == "" || s.Run == nil {
		return "", nil
	}
	data, err := picture(s.Title, m.Title, s.Run.layout)
	if err != nil {
		return "", fmt.Errorf("the picture of %s: %w", s.Run.Name, err)
	}
	name := "pictures/" + s.Run.Name + ".png"
	m.site.Files[name] = data
	return strings.TrimSuffix(m.Options.Address, "/") + "/" + name, nil
}
