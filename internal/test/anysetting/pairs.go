package anysetting

import (
	"iter"

	"bullyproof/model/setting"
)

// Pairs yields the valid settings that one or two examples of the table of words make of a base
// (setting.Words), each once: whatever a word is about, it is there, also where it needs another
// one.
func Pairs(base string) iter.Seq[setting.Setting] {
	return func(yield func(setting.Setting) bool) {
		var words []string
		for _, w := range setting.Words() {
			for _, e := range w.Examples {
				words = append(words, e.Text)
			}
		}
		from, seen := setting.Must(base), make(map[string]bool)
		for i := range words {
			for _, second := range append([]string{""}, words[:i]...) {
				s, err := from.With(words[i] + " " + second)
				if err != nil || s.Validate() != nil || seen[s.String()] {
					continue
				}
				if seen[s.String()] = true; !yield(s) {
					return
				}
			}
		}
	}
}
