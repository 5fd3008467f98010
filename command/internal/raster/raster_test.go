package raster_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/command/internal/raster"
	"bullyproof/internal/test/heraldtest"
	"bullyproof/internal/test/thorough"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A GIF is the same every time, a decoder reads it, it lasts as long as a film may, and each
// picture changes something.
func TestGIF(t *testing.T) {
	thorough.Only(t)
	all := map[string]*trace.Layout{"race": race(t)}
	for _, setting := range heraldtest.Settings[:3] {
		run := heraldtest.Walk(heraldtest.System(t, setting), 3, 30)
		all[setting] = heraldtest.Lay(t, run, trace.Header{Kind: trace.Violation, Property: "p", Title: "</text>\x00\u2028é☃"})
	}
	for name, l := range all {
		t.Run(name, func(t *testing.T) {
			got := inGIF(t, l)
			if name == "race" {
				assert.Equal(t, got, inGIF(t, l))
			}
			g, err := gif.DecodeAll(bytes.NewReader(got))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(g.Image), 2)
			assert.Zero(t, g.LoopCount, "it begins again")
			hundredths := 0
			for i, d := range g.Delay {
				assert.Positive(t, d)
				hundredths += d
				assert.True(t, g.Image[i].Bounds().In(g.Image[0].Bounds()))
			}
			assert.LessOrEqual(t, hundredths, 3500)
			assert.GreaterOrEqual(t, hundredths, 500)
		})
	}
}

// The last picture of a violation has the two coordinators in their colours, and a frame.
func TestGIFEndsWithTheVerdict(t *testing.T) {
	g, err := gif.DecodeAll(bytes.NewReader(inGIF(t, race(t))))
	require.NoError(t, err)
	count := func(upTo int) map[color.RGBA]int {
		whole := image.NewRGBA(g.Image[0].Bounds())
		for _, p := range g.Image[:upTo] {
			draw.Draw(whole, p.Bounds(), p, p.Bounds().Min, draw.Src)
		}
		pixels := make(map[color.RGBA]int)
		for y := range whole.Rect.Dy() {
			for x := range whole.Rect.Dx() {
				pixels[whole.RGBAAt(x, y)]++
			}
		}
		return pixels
	}
	disc := int(math.Round(math.Pi * 30 * 30 / 2)) // half of one, beside its name
	leads := []color.RGBA{{0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x7f, 0x5c, 0xff}}
	first, last := count(1), count(len(g.Image))
	crimson := color.RGBA{0xa8, 0x12, 0x2a, 0xff}
	assert.Greater(t, last[crimson], 1000)
	assert.Less(t, first[crimson], 100)
	for _, c := range leads {
		assert.Greater(t, last[c], disc, "%v", c)
	}
}

// The colours of a GIF are those of a diagram on a light page.
func TestGIFHasTheColoursOfTheDiagram(t *testing.T) {
	style, err := os.ReadFile("../../../trace/render/assets/diagram.css")
	require.NoError(t, err)
	g, err := gif.DecodeAll(bytes.NewReader(inGIF(t, race(t))))
	require.NoError(t, err)
	for i := range 7 {
		var leads, follows, edge color.RGBA
		rule := bytes.Index(style, fmt.Appendf(nil, ".bullyproof rect.leads.c%d ", i+1))
		require.Positive(t, rule)
		_, err := fmt.Sscanf(string(style[rule:]), fmt.Sprintf(".bullyproof rect.leads.c%d { fill: #%%02x%%02x%%02x; } .bullyproof rect.follows.c%[1]d { fill: #%%02x%%02x%%02x; stroke: #%%02x%%02x%%02x; }", i+1),
			&leads.R, &leads.G, &leads.B, &follows.R, &follows.G, &follows.B, &edge.R, &edge.G, &edge.B)
		require.NoError(t, err)
		for _, c := range []color.RGBA{leads, follows, edge} {
			c.A = 0xff
			assert.Contains(t, g.Image[0].Palette, color.Color(c))
		}
	}
}

// Where nothing is to be painted nothing is, and letters that the font lacks are question marks.
func TestPen(t *testing.T) {
	pen := &raster.Pen{}
	written := func(text string) []uint8 {
		on := image.NewRGBA(image.Rect(0, 0, 40, 20))
		pen.Letters(on, color.RGBA{A: 0xff}, true, text, image.Pt(2, 14))
		return on.Pix
	}
	assert.Equal(t, written("a?"), written("a\u2603"))
	assert.NotEqual(t, written("a?"), written("ab"))
	on := image.NewRGBA(image.Rect(0, 0, 4, 4))
	pen.Fill(on, color.RGBA{A: 0xff})
	pen.Fill(on, color.RGBA{A: 0xff}, []render.Point{{X: -9, Y: -9}, {X: -5, Y: -9}, {X: -5, Y: -5}})
	pen.Fill(on, color.RGBA{A: 0xff}, []render.Point{{X: 9, Y: 9}, {X: 19, Y: 9}, {X: 19, Y: 19}})
	assert.Equal(t, make([]uint8, 64), on.Pix)
	pen.Fill(on, color.RGBA{A: 0xff}, []render.Point{{X: 1, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: 3}, {X: 1, Y: 3}})
	assert.Equal(t, color.RGBA{A: 0xff}, on.RGBAAt(2, 2))
	assert.Equal(t, color.RGBA{}, on.RGBAAt(3, 3))
	pen.Fill(on, color.RGBA{A: 0xff}, []render.Point{{X: -9, Y: 3}, {X: 9, Y: 3}, {X: 9, Y: 9}, {X: -9, Y: 9}})
	assert.Equal(t, color.RGBA{A: 0xff}, on.RGBAAt(0, 3))
	assert.Equal(t, color.RGBA{}, on.RGBAAt(0, 2))
}

// race is a run with two coordinators.
func race(t *testing.T) *trace.Layout {
	t.Helper()
	recorded, run := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	l, err := trace.Lay(recorded, run)
	require.NoError(t, err)
	return l
}

func inGIF(t *testing.T, l *trace.Layout) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, render.GIF(&b, l, &raster.Pen{}))
	return b.Bytes()
}
