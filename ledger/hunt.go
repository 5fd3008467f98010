package ledger

import (
	"cmp"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A hunt may also switch these, which are no open questions.
const (
	// SwitchVersion is which variant runs, and SwitchFault which mutant of one.
	SwitchVersion, SwitchFault = "version", "fault"
)

// A Hunt is an exercise without code: in a setting, which answers to a question, which versions
// or which faults keep a property.
type Hunt struct {
	// Text says what to look for.
	Text string
	// Switch is an open question of Variant, SwitchVersion, or SwitchFault for the mutants of
	// Variant. Given is where it begins; an empty one is no fault.
	Variant, Switch, Given string
	Setting                setting.Setting
	// Kept are the properties that it is about. The first one breaks where it begins.
	Kept []Kept
}

// Kept says which options of a switch keep a property.
type Kept struct {
	Property string
	By       []string
}

// Options are those of the switch, in its order. A version that cannot be in the setting, as one that
// draws its timeouts in a settled start, is none.
func (h *Hunt) Options(a *Algorithm) (names []string, err error) {
	switch h.Switch {
	case SwitchVersion:
		for i := range a.Variants {
			if _, err := a.system(a.Variants[i].Name, h.Setting); err == nil {
				names = append(names, a.Variants[i].Name)
			}
		}
		return names, nil
	case SwitchFault:
		names = []string{""}
		for i := range a.Mutants {
			if a.Mutants[i].Of == h.Variant {
				names = append(names, a.Mutants[i].Name)
			}
		}
		return names, nil
	}
	w, err := h.question(a)
	if err != nil {
		return nil, err
	}
	return answerNames(w.Answers), nil
}

// question returns the open question that is switched.
func (h *Hunt) question(a *Algorithm) (*Switch, error) {
	known := []string{SwitchVersion, SwitchFault}
	for _, w := range Switches(a, h.Variant, nil) {
		if w.Question.Name == h.Switch {
			return &w, nil
		}
		known = append(known, w.Question.Name)
	}
	return nil, nearest.Unknown("switch of "+a.Name+"/"+h.Variant, h.Switch, known)
}

// At returns the name of what an option makes, as the explorer has it, and its system in the
// setting.
func (h *Hunt) At(a *Algorithm, option string) (name string, sys *model.System, err error) {
	if name, err = h.named(a, option); err != nil {
		return "", nil, err
	}
	base, answer, composed := strings.Cut(name, "+")
	if !composed {
		sys, err = a.system(name, h.Setting)
		return name, sys, err
	}
	question, answer, _ := strings.Cut(answer, "=")
	build, _, err := Composed(a, base, map[string]string{question: answer})
	if err != nil {
		return "", nil, err
	}
	sys, err = build(h.Setting)
	return name, sys, err
}

// named returns the name of what an option makes.
func (h *Hunt) named(a *Algorithm, option string) (string, error) {
	options, err := h.Options(a)
	switch {
	case err != nil:
		return "", err
	case !slices.Contains(options, option):
		return "", nearest.Unknown("option of "+h.Switch, option, options)
	case h.Switch == SwitchFault || h.Switch == SwitchVersion:
		return cmp.Or(option, h.Variant), nil
	}
	w, err := h.question(a)
	switch {
	case err != nil:
		return "", err
	case !w.Silent():
		return Turned(a, h.Variant, w.Question, option)
	case option == options[0]:
		return h.Variant, nil
	}
	return h.Variant + "+" + h.Switch + "=" + option, nil
}
