// Package raster draws lines and letters on pictures: the pen of a GIF.
//
//	err := render.GIF(w, layout, &raster.Pen{})
package raster

import (
	"image"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/inconsolata"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"

	"bullyproof/trace/render"
)

// A Pen is one for render.GIF. Its zero value is ready. It serves one picture at a time.
type Pen struct{ rasterizer vector.Rasterizer }

var _ render.Pen = (*Pen)(nil)

// Fill paints the inside of closed lines through points, with smooth edges.
func (p *Pen) Fill(on *image.RGBA, c color.RGBA, outlines ...[]render.Point) {
	least, most := render.Point{X: math.Inf(1), Y: math.Inf(1)}, render.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, points := range outlines {
		for _, at := range points {
			least = render.Point{X: min(least.X, at.X), Y: min(least.Y, at.Y)}
			most = render.Point{X: max(most.X, at.X), Y: max(most.Y, at.Y)}
		}
	}
	if least.X > most.X {
		return
	}
	shape := image.Rect(int(math.Floor(least.X)), int(math.Floor(least.Y)), int(math.Ceil(most.X))+1, int(math.Ceil(most.Y))+1)
	if shape = shape.Intersect(on.Bounds()); shape.Empty() {
		return
	}
	p.rasterizer.Reset(shape.Dx(), shape.Dy())
	for _, points := range outlines {
		for i, at := range points {
			x, y := float32(at.X-float64(shape.Min.X)), float32(at.Y-float64(shape.Min.Y))
			if i == 0 {
				p.rasterizer.MoveTo(x, y)
			} else {
				p.rasterizer.LineTo(x, y)
			}
		}
		p.rasterizer.ClosePath()
	}
	p.rasterizer.Draw(on, shape, image.NewUniform(c), image.Point{})
}

// Letters writes a text in letters that are 8 pixels wide, from a place on their base line. A
// character that the font lacks is a question mark.
func (p *Pen) Letters(on *image.RGBA, c color.RGBA, bold bool, text string, from image.Point) {
	d := font.Drawer{Dst: on, Src: image.NewUniform(c), Face: inconsolata.Regular8x16, Dot: fixed.P(from.X, from.Y)}
	if bold {
		d.Face = inconsolata.Bold8x16
	}
	d.DrawString(strings.Map(func(c rune) rune {
		if _, known := d.Face.GlyphAdvance(c); !known {
			return '?'
		}
		return c
	}, text))
}
