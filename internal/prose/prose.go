// Package prose writes reports: lines that are broken between words to fit a
// width, in colour where there is any.
package prose

import (
	"strings"
	"unicode/utf8"
)

// Paints of a terminal.
const (
	Bold   = "\x1b[1m"
	Red    = "\x1b[31m"
	Green  = "\x1b[32m"
	Yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

// Print returns a printer for lines of a width, 80 if that is not positive and 60
// at least.
func Print(width int, color bool) *Printer {
	if width <= 0 {
		width = 80
	}
	return &Printer{width: max(width, 60), color: color}
}

// A Printer writes lines that fit a width.
type Printer struct {
	b     strings.Builder
	width int
	color bool
}

// Line writes a text with an indentation, broken between words.
func (p *Printer) Line(indent int, text, paint string) { p.Hanging(indent, "", text, paint) }

// Hanging writes a text behind a mark, and further lines of it below its
// beginning.
func (p *Printer) Hanging(indent int, mark, text, paint string) {
	at := indent + utf8.RuneCountInString(mark)
	for i, line := range Wrap(text, p.width-at) {
		if i == 0 {
			line = strings.Repeat(" ", indent) + p.Paint(paint, mark+line)
		} else {
			line = strings.Repeat(" ", at) + p.Paint(paint, line)
		}
		p.b.WriteString(line + "\n")
	}
}

// Paint returns a text in a paint, where there is colour. Each line of it has its own: a pager
// that shows a part of the lines shows them as they are.
func (p *Printer) Paint(paint, text string) string {
	if !p.color || paint == "" {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) != "" {
			lines[i] = paint + line + plain
		}
	}
	return strings.Join(lines, "\n")
}

// Text writes a text as it is.
func (p *Printer) Text(text string) { p.b.WriteString(text) }

// Table writes lines of cells in columns, the first line in bold. The first column begins at the
// left, and the others do, or end at the right. A column in which nothing stands is left out.
func (p *Printer) Table(lines [][]string, right bool) {
	width := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for i, line := range lines {
		text := ""
		for k, cell := range line {
			room := strings.Repeat(" ", width[k]-utf8.RuneCountInString(cell))
			switch {
			case width[k] == 0:
			case right && k > 0:
				text += "  " + room + cell
			default:
				text += "  " + cell + room
			}
		}
		if text = strings.TrimRight(text, " "); i == 0 {
			text = p.Paint(Bold, text)
		}
		p.Text(text + "\n")
	}
}

// Gap writes an empty line.
func (p *Printer) Gap() { p.b.WriteByte('\n') }

// String returns what was written.
func (p *Printer) String() string { return p.b.String() }

// Wrap breaks a text into lines of at most width runes, between words; a longer
// word has a line of its own.
func Wrap(text string, width int) []string {
	var lines []string
	line, room := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case line == "":
			line, room = word, width-n
		case n+1 <= room:
			line += " " + word
			room -= n + 1
		default:
			lines = append(lines, line)
			line, room = word, width-n
		}
	}
	return append(lines, line)
}
