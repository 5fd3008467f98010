// Package algorithms is the catalogue: one leader-election algorithm in each
// package below this one, and all of them in one list.
//
// To add an algorithm, write its package (bully and changroberts are models of
// what that looks like) and put its value into All.
package algorithms

import (
	"bullyproof/algorithms/assistant"
	"bullyproof/algorithms/bully"
	"bullyproof/algorithms/changroberts"
	"bullyproof/algorithms/dolevklawerodeh"
	"bullyproof/algorithms/effatparvar"
	"bullyproof/algorithms/effatparvarring"
	"bullyproof/algorithms/electioncommission"
	"bullyproof/algorithms/fceabr"
	"bullyproof/algorithms/franklin"
	"bullyproof/algorithms/garciamolina"
	"bullyproof/algorithms/heaptree"
	"bullyproof/algorithms/hirschbergsinclair"
	"bullyproof/algorithms/invitation"
	"bullyproof/algorithms/itairodeh"
	"bullyproof/algorithms/kabashi"
	"bullyproof/algorithms/kalternatives"
	"bullyproof/algorithms/lelann"
	"bullyproof/algorithms/murshedallen"
	"bullyproof/algorithms/peterson"
	"bullyproof/algorithms/silberschatz"
	"bullyproof/algorithms/sortbully"
	"bullyproof/algorithms/xie"
	"bullyproof/checker"
	"bullyproof/model"
)

// All is every algorithm.
var All = []*checker.Algorithm{
	bully.Algorithm,
	assistant.Algorithm,
	electioncommission.Algorithm,
	kalternatives.Algorithm,
	changroberts.Algorithm,
	garciamolina.Algorithm,
	invitation.Algorithm,
	effatparvarring.Algorithm,
	lelann.Algorithm,
	silberschatz.Algorithm,
	kabashi.Algorithm,
	effatparvar.Algorithm,
	sortbully.Algorithm,
	heaptree.Algorithm,
	murshedallen.Algorithm,
	fceabr.Algorithm,
	xie.Algorithm,
	dolevklawerodeh.Algorithm,
	franklin.Algorithm,
	hirschbergsinclair.Algorithm,
	itairodeh.Algorithm,
	peterson.Algorithm,
}

// Find returns the algorithm of a name. The error suggests the name that was
// probably meant.
func Find(name string) (*checker.Algorithm, error) { return checker.Find(All, name) }

// Lookup returns the system that a variant of an algorithm (or a mutant) is in
// a setting, and the watch that hits where a property breaks, a standard one or
// one of the algorithm's own. The variant "" is the default; the property ""
// gives a watch that hits nothing. Errors suggest the name that was probably meant. It is a trace.Lookup.
func Lookup(algorithm, variant, property string, s model.Setting) (*model.System, model.Watch, error) {
	a, err := Find(algorithm)
	if err != nil {
		return nil, model.Watch{}, err
	}
	var watch model.Watch
	if property != "" {
		p, err := a.Property(property)
		if err != nil {
			return nil, model.Watch{}, err
		}
		watch = p.Watch()
	}
	sys, err := build(a, variant, s)
	return sys, watch, err
}

// build returns the system of a variant or, where no variant has the name, of a
// mutant.
func build(a *checker.Algorithm, name string, s model.Setting) (*model.System, error) {
	if m, err := a.Mutant(name); err == nil {
		return m.In(s)
	}
	v, err := a.Variant(name)
	if err != nil {
		return nil, err
	}
	return v.In(s)
}
