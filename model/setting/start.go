package setting

import (
	"cmp"
	"fmt"
	"strings"

	"bullyproof/model/process"
)

// Starts returns the keys of the words that say with which of its initial states a setting
// begins. Where one leaves that open, each way is an initial state.
func Starts() (keys []string) {
	for i := range settingWords {
		if settingWords[i].starts() {
			keys = append(keys, settingWords[i].key)
		}
	}
	return keys
}

func (w *settingWord) starts() bool { return w.narrows != nil }

// EqualButStart reports whether s and t allow the same, whatever the words of Starts say.
func (s Setting) EqualButStart(t Setting) bool { return s.butStart() == t.butStart() }

// butStart returns the text of a setting without the words of Starts.
func (s Setting) butStart() string {
	s = s.Normal()
	return s.words(func(w *settingWord) bool { return !w.starts() })
}

// Beginning returns the words of Starts by which s differs from a setting that it narrows, as With
// takes them: "initiators=1 joiners=2".
func (s Setting) Beginning(of Setting) string {
	s, of = s.Normal(), of.Normal()
	var words []string
	for i := range settingWords {
		w := &settingWords[i]
		if value := w.print(&s); w.starts() && value != w.print(&of) {
			words = append(words, w.key+"="+cmp.Or(value, "all"))
		}
	}
	return strings.Join(words, " ")
}

// Narrows returns an error unless s is a setting of with what its words of Starts leave open, or
// a part of it, fixed.
func (s Setting) Narrows(of Setting) error {
	if !s.EqualButStart(of) {
		return fmt.Errorf("it differs from the setting in more than where a run begins, %q", of)
	}
	s, of = s.Normal(), of.Normal()
	for i := range settingWords {
		w := &settingWords[i]
		if w.starts() && w.print(&s) != w.print(&of) && !w.narrows(&s, &of) {
			return fmt.Errorf("it contradicts the %s of the setting, %q", w.key, of)
		}
	}
	return nil
}

func narrowsArrangement(_, of *Setting) bool { return len(of.Arrangement) == 0 }

func narrowsClocks(_, of *Setting) bool { return len(of.Ahead) == 0 }

func narrowsInitiators(s, of *Setting) bool {
	in, open := s.Initiators, of.Initiators
	set := in.Set
	switch {
	case in.Which == Everyone:
		set = process.Upto(process.ID(s.N))
	case in.Which != These:
		return false
	}
	if in.Lazy != open.Lazy && !set.Empty() { // nobody is neither
		return false
	}
	switch open.Which {
	case EachOne:
		return set.Len() == 1
	case AnySome:
		return set.Len() > 0
	case These:
		return set == open.Set&^s.Joiners // who is absent begins nothing
	}
	return false
}

// joinersWord is the word of who may be absent at the start.
func joinersWord() settingWord {
	w := setWord("joiners", ofWorld, func(s *Setting) *process.Set { return &s.Joiners })
	w.narrows = func(s, of *Setting) bool {
		return s.Joiners.Len() == of.Joins && (of.Joiners == 0 || s.Joiners&^of.Joiners == 0)
	}
	return w
}
