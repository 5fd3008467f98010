package render

import (
	"bullyproof/internal/prose"
	"strings"
)

// drawable returns text as a drawing or a page can hold it: valid UTF-8, with
// blanks for what no trace file would hold.
func drawable(text string) string {
	return strings.Map(func(r rune) rune {
		if prose.Unprintable(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// cells returns how many characters of a typewriter a text is wide.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n++
		if wide(r) {
			n++
		}
	}
	return n
}

// wide reports whether a character takes the room of two, as those of East
// Asia and pictures do.
func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, 0x2e80 <= r && r <= 0xa4cf, 0xac00 <= r && r <= 0xd7a3,
		0xf900 <= r && r <= 0xfaff, 0xfe30 <= r && r <= 0xfe6f, 0xff00 <= r && r <= 0xff60,
		0x1f000 <= r && r <= 0x1faff, 0x20000 <= r && r <= 0x3fffd:
		return true
	}
	return false
}

// labelWidth returns the width of a label in pixels. Labels are set to it,
// whatever font there is.
func labelWidth(text string) int { return (cells(text)*66 + 9) / 10 }

// letters are the widths of the characters from ' ' to '~' in hundredths of the
// size of the font, in a font that is wider than most.
var letters = [...]uint8{
	32, 41, 46, 84, 64, 95, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34, // to '/'
	64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54, // to '?'
	100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79, // to 'O'
	61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50, // to '_'
	50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62, // to 'o'
	64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84, // to '~'
}

// letterWidth returns how wide a character is at most, in hundredths of the size
// of the font.
func letterWidth(r rune) int {
	switch {
	case ' ' <= r && r <= '~':
		return int(letters[r-' '])
	case wide(r):
		return 130
	}
	return 100
}

// proseWidthOf returns how wide a text is at most, in pixels, in a font of a
// size.
func proseWidthOf(text string, size int) int {
	n := 0
	for _, r := range text {
		n += letterWidth(r)
	}
	return (n*size + 99) / 100
}

// fitting returns how many bytes of a word fit into width pixels in a font of a
// size: one character at least.
func fitting(word string, width, size int) int {
	n := 0
	for i, r := range word {
		n += letterWidth(r)
		if i > 0 && (n*size+99)/100 > width {
			return i
		}
	}
	return len(word)
}

// wrapWidth breaks a text into lines of at most width pixels in a font of a
// size, between words where there are any.
func wrapWidth(text string, width, size int) []string {
	return breakLines(drawable(text),
		func(word string) int { return fitting(word, width, size) },
		func(line string) bool { return proseWidthOf(line, size) <= width })
}
