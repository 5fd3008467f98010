package checker

import (
	"slices"

	"bullyproof/model"
)

const (
	// ReduceAuto decides properties of states that say what they read
	// (Property.Reading) on the reduced system, where the setting allows for one,
	// and the others in a search of their own on the system as it is. So do single
	// reductions, which are parts of it.
	ReduceAuto = model.AllReductions

	// DefaultReduceBeyond is a good number of states for Options.ReduceBeyond: a
	// search of as many takes a few seconds.
	DefaultReduceBeyond = 200_000
)

// A Reduction says which verdicts of a report are those of a reduced system.
type Reduction struct {
	// Refused says why nothing was reduced; empty where something was. Left are the
	// properties that were not decided on a reduced system, by the reason, of those that
	// were open.
	Refused string
	Left    []Unreduced
	// Made are the reductions that were made.
	Made model.Reductions
	// Properties are the names of those decided on the reduced system, and
	// Distinct the number of its states that were visited, all of them if Complete
	// is set.
	Properties []string
	Distinct   uint64
	Complete   bool
	// Beyond is the number of states at which the search of the system as it is was
	// given up for the reduced one (Options.ReduceBeyond); 0 if there was none.
	Beyond uint64
	// Alone says that the report has no other search: its counts, and its
	// coverage, which is not all that can run, are of the reduced system.
	Alone bool
}

// Reading returns the property with a list of the values that it and its occasion
// read of states that are not settled; model.ReadsSettled stands for none. A check
// can then decide it on a reduced system (Options.Reduce), if it is one of states. If
// a property reads more, the value may be wrong there, and nobody finds out.
func (p *Property) Reading(r model.Reads) *Property {
	q := *p
	q.reads = r | model.ReadsSettled
	return &q
}

// Blind returns the property, said not to ask about any process by its id: if all
// change places, and with them whom they name, the answer is the same. A check can
// then visit one of the states of an anonymous ring that differ by a rotation, and
// where ids decide nothing (model.Optional) one of those that differ by a permutation.
func (p *Property) Blind() *Property {
	q := *p
	q.blind = true
	return &q
}

// Reducible reports whether the property can be decided on a reduced system.
func (p *Property) Reducible() bool {
	return p.reads != 0 && p.state != nil && !p.kind.temporal() && len(p.monitors) == 0 && (p.given == nil || p.given.step == nil)
}

// reductionOf returns the reduction that decides some properties, all of which are Reducible.
func reductionOf(props []*Property, only model.Reductions) model.Reduction {
	blind := !slices.ContainsFunc(props, func(p *Property) bool { return !p.blind })
	return model.Reduction{Reads: readsOf(props), Blind: blind, Only: only}
}

// readsOf returns what properties that say so read of states.
func readsOf(props []*Property) model.Reads {
	reads := model.ReadsSettled
	for _, p := range props {
		reads |= p.reads
	}
	return reads
}
