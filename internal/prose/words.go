package prose

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// List returns "a", "a and b", "a, b and c", and "" of nothing.
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// ListOf is List of what has a text.
func ListOf[T fmt.Stringer](list []T) string {
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = one.String()
	}
	return List(words)
}

// Unprintable reports whether no text that people are shown has r: it is a control
// character, changes the direction of text, or breaks lines.
func Unprintable(r rune) bool {
	return !unicode.IsGraphic(r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}
