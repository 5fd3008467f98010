package compare

import (
	"errors"
	"fmt"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Fault is what the world does to all that are compared.
type Fault struct {
	// Name says it in a few words: "a crash and a restart".
	Name string
	// Words are those of a setting that say it: "crashes=1 restarts=1". Nothing
	// happens where they are empty.
	Words string
}

// Usual returns the faults of a comparison that names none: none, and one of
// each kind.
func Usual() []Fault {
	return []Fault{
		{"an election", ""},
		{"a crash", "crashes=1"},
		{"a crash and a restart", "crashes=1 restarts=1"},
		{"a lost message", "losses=1"},
		{"a cut", "cuts=1"},
		{"a newcomer", "joins=1"},
		{"an early timeout", "timing=async:1"},
	}
}

// ParseFaults reads faults: each text has one, or several with semicolons
// between them, and "none" or nothing is the world without faults. The error
// names the word and what would be right.
func ParseFaults(texts ...string) ([]Fault, error) {
	var list []Fault
	for _, text := range texts {
		for _, words := range strings.Split(text, ";") {
			words = strings.Join(strings.Fields(words), " ")
			if words == "none" {
				words = ""
			}
			if err := validWords(words); err != nil {
				return nil, err
			}
			f := Fault{Name: words, Words: words}
			for _, usual := range Usual() {
				if usual.Words == words {
					f = usual
				}
			}
			for _, g := range list {
				if g.Words == f.Words {
					return nil, fmt.Errorf("faults: %q is there twice", nearest.Clip(f.Name))
				}
			}
			list = append(list, f)
		}
	}
	if len(list) == 0 || len(list) > MostFaults {
		return nil, fmt.Errorf("faults: there are %d: want from 1 to %d", len(list), MostFaults)
	}
	return list, nil
}

// validWords checks that words are ones of a setting, and none of those that are
// not the world's to say.
func validWords(words string) error {
	for _, word := range strings.Fields(words) {
		key, _, _ := strings.Cut(word, "=")
		switch key {
		case "n":
			return errors.New("faults: n is no fault: want -n for the number of processes")
		case "topology", "arrangement", "initiators", "start", "detector", "capacity":
			return fmt.Errorf("faults: %s is what an algorithm needs, and each has its own: want what the world does, like crashes=1 or losses=1", key)
		}
	}
	if _, err := (setting.Must("n=3")).With(words); err != nil {
		return fmt.Errorf("faults: %w", err)
	}
	return nil
}

// calm returns what the subject needs, among n processes, in a world that does
// nothing.
func (s *Subject) calm(n int) (setting.Setting, error) {
	t := s.Setting
	t = t.Under(setting.World{MailDownLost: t.MailDownLost, MailOldLost: t.MailOldLost})
	t.N, t.Arrangement = n, nil
	if t.Start == setting.CoordinatorDown {
		t.Start = setting.SettledStart
	}
	return t.Normal(), errors.Join(t.Validate(), t.Exhaustive())
}

// Under returns the setting of the subject among n processes under a fault. The
// error says why the fault cannot happen to it.
func (s *Subject) Under(f Fault, n int) (setting.Setting, error) {
	t, err := s.calm(n)
	if err != nil {
		return t, err
	}
	if t, err = t.With(f.Words); err != nil {
		return t, err
	}
	if s.Store {
		spare(&t)
	}
	if t.Start == setting.SettledStart && t.Crashes+t.Joins+t.Suspicions+t.Cuts+t.Requests == 0 {
		t.Start = setting.CoordinatorDown
	}
	return t.Normal(), t.Validate()
}

// spare has faults happen to clients, and not to the store, unless the setting says whom they
// happen to.
func spare(t *setting.Setting) {
	clients := model.Set(0)
	for id := model.ID(1); int(id) < t.N; id++ {
		clients = clients.With(id)
	}
	for _, who := range []struct {
		budget int
		set    *model.Set
	}{{t.Crashes, &t.Crashers}, {t.Pauses, &t.Pausers}, {t.Joins, &t.Joiners}} {
		if who.budget > 0 && *who.set == 0 {
			*who.set = clients
		}
	}
}

// reason returns an error in a few words: without what would be right, which is
// nobody's to choose here.
func reason(err error) string {
	text, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "setting: "), " (want ")
	return text
}
