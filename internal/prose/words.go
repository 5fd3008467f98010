package prose

import (
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

// ListOf is List of what has a name: of processes.
func ListOf[T interface{ Name() string }](list []T) string {
	words := make([]string, len(list))
	for i, one := range list {
		words[i] = one.Name()
	}
	return List(words)
}

// Quote returns a text of a source, as a message, in quotation marks: it is shown as
// it is.
func Quote(text string) string { return `"` + text + `"` }

// Unprintable reports whether no text that people are shown has r: it is a control
// character, changes the direction of text, or breaks lines.
func Unprintable(r rune) bool {
	return !unicode.IsGraphic(r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError
}

// Capital returns a text with a capital letter at its head, as in a title. A name of a
// program stays as it is written there, such as runLeaderState.
func Capital(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if first == utf8.RuneError {
		return text
	}
	word := strings.TrimRightFunc(strings.SplitN(text[n:], " ", 2)[0], unicode.IsPunct)
	if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsUpper(r) || r == '_' }) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[n:]
}
