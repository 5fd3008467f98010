package ledger

import (
	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// Lookup returns the system that a variant of an algorithm (or a mutant) is in
// a setting, and the watch that hits where a property breaks, a standard one or
// one of the algorithm's own. The variant "" is the default; the property ""
// gives a watch that hits nothing. Errors suggest the name that was probably
// meant. With a list it is a trace.Lookup.
func Lookup(all []*Algorithm, algorithm, variant, property string, s setting.Setting) (*model.System, model.Watch, error) {
	a, err := Find(all, algorithm)
	if err != nil {
		return nil, model.Watch{}, err
	}
	if property == "" {
		sys, err := a.system(variant, s)
		return sys, model.Watch{}, err
	}
	p, err := a.Property(property)
	if err != nil {
		return nil, model.Watch{}, err
	}
	sys, err := a.system(variant, s)
	if err == nil {
		sys, err = checker.Remembered(sys, p)
	}
	return sys, p.Watch(), err
}

// system returns the system of a variant or, where no variant has the name, of a
// mutant.
func (a *Algorithm) system(name string, s setting.Setting) (*model.System, error) {
	if m, err := a.Mutant(name); err == nil {
		return m.In(s)
	}
	v, err := a.Variant(name)
	if err != nil {
		return nil, err
	}
	return v.In(s)
}
