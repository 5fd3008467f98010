package render

import "strings"

// A style is how a piece of text looks where there are colours.
type style uint8

const (
	normal style = iota
	bold
	dim
	alarm
	// firstHue and those after it are the colours of the processes that
	// somebody follows.
	firstHue
)

// hues are distinct on dark and on light backgrounds.
var hues = []string{"34", "33", "35", "36", "32", "94", "95", "96"}

// ansi returns the escape sequence that begins a style.
func (s style) ansi() string {
	switch s {
	case normal:
		return ""
	case bold:
		return "\x1b[1m"
	case dim:
		return "\x1b[2m"
	case alarm:
		return "\x1b[1;31m"
	}
	return "\x1b[" + hues[int(s-firstHue)%len(hues)] + "m"
}

// A canvas is a sheet of characters, which grows as it is written on.
type canvas struct{ lines [][]spot }

type spot struct {
	r     rune
	style style
}

var blank = spot{r: ' '}

// at returns what stands at column x of line y.
func (c *canvas) at(x, y int) spot {
	if y < 0 || y >= len(c.lines) || x < 0 || x >= len(c.lines[y]) {
		return blank
	}
	return c.lines[y][x]
}

// set writes a character.
func (c *canvas) set(x, y int, r rune, s style) {
	for y >= len(c.lines) {
		c.lines = append(c.lines, nil)
	}
	for x >= len(c.lines[y]) {
		c.lines[y] = append(c.lines[y], blank)
	}
	c.lines[y][x] = spot{r, s}
}

// write writes a text from column x on.
func (c *canvas) write(x, y int, text string, s style) {
	for _, r := range text {
		c.set(x, y, r, s)
		x++
	}
}

// clear blanks a line.
func (c *canvas) clear(y int) {
	if y < len(c.lines) {
		c.lines[y] = c.lines[y][:0]
	}
}

// free reports whether columns x to x+n-1 of line y are blank.
func (c *canvas) free(x, y, n int) bool {
	for i := range n {
		if c.at(x+i, y) != blank {
			return false
		}
	}
	return true
}

// print appends the canvas to b, without blanks at the ends of lines.
func (c *canvas) print(b *strings.Builder, d *diagram) {
	for _, line := range c.lines {
		end := len(line)
		for end > 0 && line[end-1].r == ' ' {
			end--
		}
		for i := 0; i < end; {
			j := i
			var run strings.Builder
			for j < end && line[j].style == line[i].style {
				run.WriteRune(line[j].r)
				j++
			}
			b.WriteString(d.paint(line[i].style, run.String()))
			i = j
		}
		b.WriteByte('\n')
	}
}
