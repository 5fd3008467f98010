// Package nearest finds the name that somebody who misspelled one meant.
package nearest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// At most this much of what is known is told: so many bytes of all the names,
// else so many names.
const (
	mostBytes = 340
	mostKin   = 4
)

// Unknown returns the error for a name that is none of the known ones: it says
// which one was probably meant, or names them all. Where they are too many for
// that it names some that share a word with it, else the first and the last.
func Unknown(what, got string, known []string) error {
	return fmt.Errorf("unknown %s %q: %s", what, Clip(got), Hint(got, known))
}

// Hint says which of the known names was probably meant, or names them, as
// Unknown does.
func Hint(got string, known []string) string {
	all := either(known)
	if near := kin(got, known); near != nil && len(all) > mostBytes && slip(got, known) == "" {
		return fmt.Sprintf("did you mean %s?", either(near))
	}
	if near := Name(got, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	switch {
	case len(known) == 0:
		return "there is none"
	case len(all) <= mostBytes:
		return "want " + all
	}
	return fmt.Sprintf("there are %d, from %s to %s", len(known), slices.Min(known), slices.Max(known))
}

// either lists names of which one is wanted: "a, b or c".
func either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// kin returns the first of the known names that have a word, of three letters or
// more, in common with got; those with several come first.
func kin(got string, known []string) []string {
	words := wordsOf(got)
	var list [][]string // by how many words they share
	for _, name := range known {
		shared := 0
		for _, word := range wordsOf(name) {
			if len(word) >= 3 && slices.Contains(words, word) {
				shared++
			}
		}
		for len(list) <= shared {
			list = append(list, nil)
		}
		list[shared] = append(list[shared], name)
	}
	var near []string
	for shared := len(list) - 1; shared > 0; shared-- {
		near = append(near, list[shared]...)
	}
	return near[:min(len(near), mostKin)]
}

func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Clip keeps what somebody gave short enough to be told in one line.
func Clip(s string) string {
	const most = 60
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// Path returns the name of a file as it is, if it is one that is told in a line:
// not too long, and of characters that do nothing to a terminal. Otherwise it is
// quoted, and of a long one the middle is left out.
func Path(name string) string {
	const most = 200
	if len(name) > most {
		name = strings.ToValidUTF8(name[:most/2], "") + "…" + strings.ToValidUTF8(name[len(name)-most/2:], "")
	}
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) || name == "" {
		return strconv.Quote(name)
	}
	return name
}

// Name returns the name in known that got is most likely a slip for, or "" when
// none is near. Case does not count; an abbreviation of three letters or more
// is near, and so is a name with one letter, or a third of them, wrong, left
// out, added or swapped with a neighbour. Among equally near ones the first is taken.
func Name(got string, known []string) string {
	if name := slip(got, known); name != "" {
		return name
	}
	for _, name := range known {
		if begins(strings.ToLower(got), strings.ToLower(name)) || begins(strings.ToLower(name), strings.ToLower(got)) {
			return name
		}
	}
	return ""
}

// slip returns the first of the known names of which got has the fewest letters
// wrong, if those are few; "" otherwise.
func slip(got string, known []string) string {
	best, least := "", max(len(got)/3, 1)+1
	for _, name := range known {
		d := distance(strings.ToLower(got), strings.ToLower(name), least)
		if d < least && d < len(name) { // they have a letter in common
			best, least = name, d
		}
	}
	return best
}

func begins(a, b string) bool { return len(a) >= 3 && strings.HasPrefix(b, a) }

// distance counts the letters to change, add, leave out or swap with a
// neighbour to make b of a (optimal string alignment). It may return limit for
// any distance of limit and above.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	// Rows of the table of distances between the first i letters of a and the
	// first j of b: the last but one, the last and the present one.
	var older, old []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		older, old, row = old, row, make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(old[j]+1, row[j-1]+1, old[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
