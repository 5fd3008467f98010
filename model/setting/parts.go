package setting

// A part is a part of a setting that has a text of its own.
type part uint8

const (
	ofSetting part = iota // n
	ofNeeds
	ofWorld
)

// String says what the words of a part are about.
func (p part) String() string {
	return [...]string{
		ofSetting: "how many processes there are",
		ofNeeds:   "what an algorithm needs",
		ofWorld:   "what the world does",
	}[p]
}

// String returns the canonical text of the needs, which ParseNeeds reads: the
// words of a setting that are about them.
//
//	topology=ring:repaired channels=fifo timing=patient
func (n Needs) String() string {
	s := Setting{Needs: n}
	return s.words(func(w *settingWord) bool { return w.of == ofNeeds })
}

// ParseNeeds reads the text of an algorithm's needs: words of a setting, what is
// left out at its default. The error names the word and what would be right.
func ParseNeeds(text string) (Needs, error) {
	var s Setting
	if err := s.read(text, ofNeeds); err != nil {
		return Needs{}, err
	}
	return s.Needs, nil
}

// String returns the canonical text of the world, which ParseWorld reads: the
// words of a setting that are about it. It is empty for a world without faults.
//
//	crashes=1 restarts=1
func (w World) String() string {
	s := Setting{World: w}
	return s.words(func(w *settingWord) bool { return w.of == ofWorld })
}

// ParseWorld reads the text of a world: words of a setting, what is left out at
// its default. The error names the word and what would be right. Words that are
// good each by itself may contradict each other, or what an algorithm needs:
// Setting.Validate says so of both together.
func ParseWorld(text string) (World, error) {
	var s Setting
	if err := s.read(text, ofWorld); err != nil {
		return World{}, err
	}
	return s.World, nil
}
