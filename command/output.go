package command

import (
	"io"
	"strconv"
	"strings"
	"unicode"
)

// An output notes the first error of writing to a stream, and writes no more
// after it: what is not written is no success, whoever wrote it.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(data []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.Writer.Write(data)
	o.err = err
	return n, err
}

// mostTold is the length of a line that says what is wrong, in bytes.
const mostTold = 2000

// oneLine puts a text of several lines into one, in which nothing does anything
// to a terminal.
func oneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
	}
	s = b.String()
	if len(s) > mostTold {
		s = strings.ToValidUTF8(s[:mostTold], "") + "…"
	}
	return s
}
