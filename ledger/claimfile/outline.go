package claimfile

import (
	"strings"
	"unicode/utf8"
)

// A place is a line and a column of the file, from 1.
type place struct{ line, column int }

// A line is one of the file, with those that are indented below it.
type line struct {
	at    place // of its first byte that is no space
	text  string
	below []*line
}

// outline returns the lines without indentation, each with what is below it.
// Empty lines and those that begin with # are left out.
func (r *reader) outline(text string) []*line {
	if len(text) > mostText {
		r.failf(place{1, 1}, "the file is larger than %d bytes", mostText)
		return nil
	}
	root := new(line)
	open := []*line{root} // the last line of each indentation
	number := 0
	for raw := range strings.Lines(text) {
		number++
		raw = strings.TrimRight(raw, " \r\n")
		content := strings.TrimLeft(raw, " ")
		column := len(raw) - len(content) + 1
		at := place{number, column}
		switch {
		case content == "" || content[0] == '#':
			continue
		case !utf8.ValidString(content):
			r.failf(at, "the line is not UTF-8")
			continue
		case strings.ContainsAny(content, "\t\r\v\f\x00"):
			r.failf(at, "the line has a tab or another control character: want spaces")
			continue
		}
		for len(open) > 1 && open[len(open)-1].at.column >= column {
			open = open[:len(open)-1]
		}
		parent := open[len(open)-1]
		if parent == root && column > 1 {
			r.failf(at, "the line is indented, and there is nothing above that it could belong to")
			continue
		}
		l := &line{at: at, text: content}
		parent.below = append(parent.below, l)
		open = append(open, l)
	}
	return root.below
}

// A passage is a text that may stand in several lines of the file, which were
// joined by spaces, or a part of it.
type passage struct {
	text  string
	marks []mark
	from  int // where text begins in the whole
}

// A mark says where the text from an offset on stands in the file.
type mark struct {
	offset int
	at     place
}

// passage returns the text of a line and of all below it.
func (l *line) passage() *passage {
	p := new(passage)
	var b strings.Builder
	var add func(l *line)
	add = func(l *line) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		p.marks = append(p.marks, mark{b.Len(), l.at})
		b.WriteString(l.text)
		for _, sub := range l.below {
			add(sub)
		}
	}
	add(l)
	p.text = b.String()
	return p
}

// own returns the text of a line alone.
func (l *line) own() *passage { return &passage{text: l.text, marks: []mark{{0, l.at}}} }

// at returns the place of a byte of the passage.
func (p *passage) at(offset int) place {
	offset += p.from
	m := p.marks[0]
	for _, next := range p.marks[1:] {
		if next.offset <= offset {
			m = next
		}
	}
	return place{m.at.line, m.at.column + offset - m.offset}
}

// start returns the place of the first byte.
func (p *passage) start() place { return p.at(0) }

// slice returns a part of the passage without the spaces around it.
func (p *passage) slice(from, to int) *passage {
	for from < to && p.text[from] == ' ' {
		from++
	}
	for to > from && p.text[to-1] == ' ' {
		to--
	}
	return &passage{p.text[from:to], p.marks, p.from + from}
}

// cut returns the first word and the rest.
func (p *passage) cut() (word, rest *passage) {
	end := strings.IndexByte(p.text, ' ')
	if end < 0 {
		end = len(p.text)
	}
	return p.slice(0, end), p.slice(end, len(p.text))
}

// after returns what follows a prefix, nil where the passage does not begin with
// it.
func (p *passage) after(prefix string) *passage {
	if !strings.HasPrefix(p.text, prefix) {
		return nil
	}
	return p.slice(len(prefix), len(p.text))
}

// scan calls at for each byte that stands in no quotation marks, braces or
// parentheses, until that returns false. It returns where something is left open,
// -1 if nothing is.
func (p *passage) scan(at func(i int) bool) (open int) {
	var closing []byte
	var opened []int
	for i := 0; i < len(p.text); i++ {
		b := p.text[i]
		if n := len(closing); n > 0 {
			switch {
			case b == '\\' && closing[n-1] == '"':
				i++
				continue
			case b == closing[n-1]:
				closing, opened = closing[:n-1], opened[:n-1]
				continue
			case closing[n-1] == '"':
				continue
			}
		} else if !at(i) {
			return -1
		}
		if k := strings.IndexByte(`"{(`, b); k >= 0 {
			closing, opened = append(closing, `"})`[k]), append(opened, i)
		}
	}
	if len(opened) > 0 {
		return opened[len(opened)-1]
	}
	return -1
}

// split returns the parts between commas.
func (p *passage) split(comma string) (parts []*passage) {
	from := 0
	p.scan(func(i int) bool {
		if strings.HasPrefix(p.text[i:], comma) {
			parts = append(parts, p.slice(from, i))
			from = i + len(comma)
		}
		return true
	})
	return append(parts, p.slice(from, len(p.text)))
}
