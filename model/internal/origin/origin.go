// Package origin says what a setting leaves open of an initial state, and lists it.
package origin

import (
	"iter"
	"slices"

	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// An Origin is what a setting leaves open of an initial state: the ids by
// position, the initiators and the absent processes, both by id.
type Origin struct {
	IDs                []process.ID
	Initiators, Absent process.Set
	Ahead              []int // by how many ticks clocks are ahead, by id; nil if all are right
}

// Open is a setting with what it leaves open.
type Open struct {
	Setting *setting.Setting
	IDs     []process.ID // by position
	Vary    bool         // these are the first of several
	Clocks  bool         // processes have clocks
}

// All yields every origin that the setting allows, in a fixed order.
func (w *Open) All() iter.Seq[Origin] {
	return func(yield func(Origin) bool) {
		for ids := range w.arrangements() {
			for absent := range w.absences() {
				for initiators := range w.initiators(absent) {
					for ahead := range w.clocks() {
						if !yield(Origin{ids, initiators, absent, ahead}) {
							return
						}
					}
				}
			}
		}
	}
}

// arrangements yields the ids by position: one sequence where they are given,
// otherwise all, up to rotation, with process 1 in front, in lexicographic
// order.
func (w *Open) arrangements() iter.Seq[[]process.ID] {
	return func(yield func([]process.ID) bool) {
		ids := slices.Clone(w.IDs)
		for more := true; more; more = nextPermutation(ids[1:]) {
			if !yield(slices.Clone(ids)) || !w.Vary {
				return
			}
		}
	}
}

// nextPermutation makes ids the lexicographically next permutation of itself.
// It reports whether there is one.
func nextPermutation(ids []process.ID) bool {
	i := len(ids) - 2
	for i >= 0 && ids[i] >= ids[i+1] {
		i--
	}
	if i < 0 {
		return false
	}
	j := len(ids) - 1
	for ids[j] <= ids[i] {
		j--
	}
	ids[i], ids[j] = ids[j], ids[i]
	slices.Reverse(ids[i+1:])
	return true
}

// absences yields the sets of processes that may be absent at the start.
func (w *Open) absences() iter.Seq[process.Set] {
	joiners := w.Setting.Joiners
	if joiners == 0 {
		joiners = process.Upto(process.ID(w.Setting.N))
	}
	return subsets(joiners, w.Setting.Joins)
}

// initiators yields the choices of initiators among the processes that are
// there.
func (w *Open) initiators(absent process.Set) iter.Seq[process.Set] {
	there := process.Upto(process.ID(w.Setting.N)) &^ absent
	one := func(s process.Set) iter.Seq[process.Set] { return func(yield func(process.Set) bool) { yield(s) } }
	if w.Setting.Start > setting.ColdInterleaved {
		return one(0)
	}
	switch i := w.Setting.Initiators; i.Which {
	case setting.EachOne:
		return subsets(there, 1)
	case setting.AnySome:
		return someOf(there)
	case setting.These:
		return one(i.Set & there)
	}
	return one(there)
}

// skew returns by how many ticks clocks differ at the start, 0 where that is given.
func (w *Open) skew() int {
	if !w.Clocks || len(w.Setting.Ahead) > 0 {
		return 0
	}
	return w.Setting.Skew
}

// clocks yields by how many ticks clocks may be ahead: one of them is right.
func (w *Open) clocks() iter.Seq[[]int] {
	skew := w.skew()
	return func(yield func([]int) bool) {
		if skew == 0 {
			yield(w.given())
			return
		}
		ahead := make([]int, w.Setting.N)
		for more := true; more; more = next(ahead, skew) {
			if slices.Min(ahead) == 0 && !yield(slices.Clone(ahead)) {
				return
			}
		}
	}
}

// given returns the clocks that the setting gives, nil if they are all right.
func (w *Open) given() []int {
	if !w.Clocks {
		return nil
	}
	return w.Setting.Ahead
}

// next makes digits from 0 to most the next number, and reports whether there is one.
func next(digits []int, most int) bool {
	for i := range digits {
		if digits[i] < most {
			digits[i]++
			return true
		}
		digits[i] = 0
	}
	return false
}

// subsets yields the subsets of s that have size members, in ascending order,
// in time that grows with their number: those of a large s are few where size
// is small.
func subsets(s process.Set, size int) iter.Seq[process.Set] {
	return func(yield func(process.Set) bool) {
		members := slices.Collect(s.All())
		if size < 0 || size > len(members) {
			return
		}
		chosen := make([]int, size) // ascending indices of members
		for i := range chosen {
			chosen[i] = i
		}
		for {
			var t process.Set
			for _, i := range chosen {
				t = t.With(members[i])
			}
			if !yield(t) || !nextChoice(chosen, len(members)) {
				return
			}
		}
	}
}

// nextChoice makes chosen, ascending numbers below n, the next such choice,
// where the one with the lesser highest number comes first. It reports whether
// there is one.
func nextChoice(chosen []int, n int) bool {
	for i := range chosen {
		above := n
		if i+1 < len(chosen) {
			above = chosen[i+1]
		}
		if chosen[i]+1 < above {
			chosen[i]++
			for j := range i {
				chosen[j] = j
			}
			return true
		}
	}
	return false
}

// someOf yields the subsets of s but the empty one, in ascending order.
func someOf(s process.Set) iter.Seq[process.Set] {
	return func(yield func(process.Set) bool) {
		for t := -s & s; t != 0; t = (t - s) & s {
			if !yield(t) {
				return
			}
		}
	}
}

// Narrowed returns the setting narrowed to an origin.
func (w *Open) Narrowed(o Origin) setting.Setting {
	s := *w.Setting
	if w.Vary {
		s.Arrangement = o.IDs
	}
	if s.Start <= setting.ColdInterleaved && s.Initiators.Which != setting.Everyone {
		s.Initiators.Which, s.Initiators.Set = setting.These, o.Initiators
	}
	if w.skew() > 0 {
		s.Ahead = o.Ahead
	}
	s.Joiners = 0
	if s.Joins > 0 {
		s.Joiners = o.Absent
	}
	return s.Normal()
}

// Draw draws an origin; ask answers a question that has so many answers.
func (w *Open) Draw(ask func(answers uint64) uint64) Origin {
	s := w.Setting
	o := Origin{IDs: slices.Clone(w.IDs)}
	if w.Vary {
		rest := o.IDs[1:]
		for i := len(rest) - 1; i > 0; i-- {
			j := ask(uint64(i + 1))
			rest[i], rest[j] = rest[j], rest[i]
		}
	}
	joiners := s.Joiners
	if joiners == 0 {
		joiners = process.Upto(process.ID(s.N))
	}
	for range s.Joins {
		o.Absent = o.Absent.With(member(ask, joiners&^o.Absent))
	}
	o.Ahead = w.drawClocks(ask)
	there := process.Upto(process.ID(s.N)) &^ o.Absent
	o.Initiators = there
	switch i := s.Initiators; {
	case s.Start > setting.ColdInterleaved:
		o.Initiators = 0
	case i.Which == setting.EachOne:
		o.Initiators = process.SetOf(member(ask, there))
	case i.Which == setting.AnySome:
		which := 1 + ask(1<<there.Len()-1) // none is none of them
		o.Initiators = 0
		for id := range there.All() {
			o.Initiators |= process.SetOf(id) * process.Set(which&1)
			which >>= 1
		}
	case i.Which == setting.These:
		o.Initiators = i.Set & there
	}
	return o
}

// drawClocks draws by how many ticks clocks are ahead: one that may be any is right, and the others
// are as they may be.
func (w *Open) drawClocks(ask func(answers uint64) uint64) []int {
	skew := w.skew()
	if skew == 0 {
		return w.given()
	}
	ahead := make([]int, w.Setting.N)
	right := ask(uint64(len(ahead)))
	for i := range ahead {
		if uint64(i) != right {
			ahead[i] = int(ask(uint64(skew) + 1))
		}
	}
	return ahead
}

// member draws one of a set that is not empty.
func member(ask func(answers uint64) uint64, s process.Set) process.ID {
	for skip := ask(uint64(s.Len())); skip > 0; skip-- {
		s &= s - 1
	}
	return s.Min()
}
