package expression

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/model"
)

// Always returns the property that a condition is true in every reachable state. A state
// in which it has no value violates it: Undefined says so.
func (x *Expression) Always(name string) *checker.Property {
	return x.reading(always, checker.Always(name, "In every state: "+x.doc(), func(v *model.View) bool {
		is, err := x.Is(v)
		return is && err == nil
	}))
}

// Sometimes returns the property that a condition is true in some reachable state. A
// state in which it has no value ends the search for one: Undefined says so.
func (x *Expression) Sometimes(name string) *checker.Property {
	return x.reading(sometimes, checker.Sometimes(name, "In some state: "+x.doc(), func(v *model.View) bool {
		is, err := x.Is(v)
		return is || err != nil
	}))
}

func (x *Expression) doc() string { return strings.Join(strings.Fields(x.text), " ") }

// reading has a property say what it reads, where that is beliefs alone: then reduced systems may
// decide it. They do not keep the rest of a state, so that nothing is said of it.
func (x *Expression) reading(kind string, p *checker.Property) *checker.Property {
	p = p.Explained(x.explanation).Asking(kind + " " + x.doc())
	reads := model.ReadsSettled
	for name := range x.read.names {
		switch name {
		case "leaders":
			reads |= model.ReadsLeaders
		case "n", "settled", "quiet":
		default:
			if _, known := x.voc.place(name); name != "wanted" && !known {
				return p
			}
		}
	}
	for part := range x.read.parts {
		if part.of != x.voc.process {
			return p
		}
		switch part.name {
		case "id", "up", "crashed":
		case "leads":
			reads |= model.ReadsLeaders
		case "follows":
			reads |= model.ReadsElected
		case "participant":
			reads |= model.ReadsParticipants
		default:
			return p
		}
	}
	if p = p.Reading(reads); x.Blind() {
		p = p.Blind()
	}
	return p
}

// Blind reports whether the expression has the same value if all processes change places: it asks
// about none by id, and about no states and no messages.
func (x *Expression) Blind() bool {
	for name := range x.read.names {
		if !slices.Contains([]string{"leaders", "n", "settled", "quiet"}, name) {
			return false
		}
	}
	return len(x.read.parts) == 0
}

// place reports whether a name stands for processes, and for which one; None for several.
func (voc *vocabulary) place(name string) (id model.ID, ok bool) {
	if name == "processes" || name == "live" {
		return model.None, true
	}
	for id := range model.Upto(model.ID(voc.n)).All() {
		if id.Name() == name {
			return id, true
		}
	}
	return model.None, false
}

// mostTerms is how many things an explanation names.
const mostTerms = 4

// explanation says what the value of the expression follows from in a state.
func (x *Expression) explanation(v *model.View) string {
	if _, err := x.Is(v); err != nil {
		return "the expression has no value: " + err.Error()
	}
	var all []string
	for _, term := range x.terms[:min(mostTerms, len(x.terms))] {
		of, err := Of(x.voc.sys, term)
		if err != nil {
			return ""
		}
		if value, err := of.Value(v); err == nil {
			all = append(all, fmt.Sprintf("%s is %v", term, value))
		}
	}
	return strings.Join(all, ", ")
}

// The words before expressions in what traces are about.
const (
	always    = "always"
	sometimes = "sometimes"
)

// Asked returns the property that a trace is about (Property.Asking), of a system; nil if
// the text is that of no expression.
func Asked(sys *model.System, text string) (*checker.Property, error) {
	kind, text, _ := strings.Cut(text, " ")
	if kind != always && kind != sometimes || text == "" {
		return nil, nil
	}
	x, err := Condition(sys, text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("expression %q: %w", text, err)
	case kind == always:
		return x.Always(always), nil
	}
	return x.Sometimes(sometimes), nil
}

// Undefined returns the error of a finding about the expression whose run ends where it has no
// value; nil if it has one there, or there is no run.
func (x *Expression) Undefined(f *checker.Finding) error {
	if f.Run == nil || len(f.Run.States) == 0 {
		return nil
	}
	end := f.Run.States[len(f.Run.States)-1]
	if _, err := x.Is(f.Run.System.View(end)); err != nil {
		return fmt.Errorf("it has no value in a state that %d steps lead to: %w", len(f.Run.States)-1, err)
	}
	return nil
}

// Tally returns what counts the values of the expression in the states of a check.
func (x *Expression) Tally() *checker.Tally {
	return &checker.Tally{Name: x.doc(), Of: func(v *model.View) (any, error) {
		value, err := x.Value(v)
		switch value.(type) {
		case int, bool, string, float64, nil:
			return value, err
		}
		return fmt.Sprint(value), err
	}}
}
