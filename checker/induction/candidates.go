package induction

import (
	"iter"
	"maps"
	"math/bits"
	"slices"

	"bullyproof/checker/relation"
)

// A profile is about how many things of each sort a clause speaks, which are all different,
// and in the order of their names where their sort has one; in a ring of three processes also
// which way round they stand.
type profile struct {
	vars []int // the sort of each variable
	way  way
}

// A way is how three processes of a clause stand in the ring.
type way uint8

const (
	anyway  way = iota
	along       // first, second, third
	against     // first, third, second
)

// An atom is a relation of variables of a profile.
type atom struct {
	rel  int
	args []int
}

// A mask is a set of atoms.
type mask [2]uint64

const mostAtoms = 128

func (m *mask) add(i int) { m[i/64] |= 1 << (i % 64) }

func (m mask) has(i int) bool { return m[i/64]>>(i%64)&1 != 0 }

func (m mask) xor(o mask) mask { return mask{m[0] ^ o[0], m[1] ^ o[1]} }

func (m mask) meets(o mask) bool { return m[0]&o[0]|m[1]&o[1] != 0 }

func (m mask) len() int { return bits.OnesCount64(m[0]) + bits.OnesCount64(m[1]) }

// A family has the atoms of a profile, and which of them were true together in the states
// that were seen.
type family struct {
	profile
	atoms   []atom
	samples []mask
}

// Sizes bounds the sentences that are looked for: clauses of at most so many literals about at
// most so many things.
type Sizes struct{ Literals, Things int }

// families returns those of the profiles of up to so many things, those of few first. One of
// more than mostAtoms atoms is left out, and one that no instance has things for.
func families(d *relation.Description, seen []relation.Seen, things int) (list []*family) {
	for _, p := range profiles(d, things) {
		f := &family{profile: p, atoms: atomsOf(d, p.vars)}
		if len(f.atoms) == 0 || len(f.atoms) > mostAtoms {
			continue
		}
		if f.sample(seen); len(f.samples) > 0 {
			list = append(list, f)
		}
	}
	return list
}

// profiles returns the profiles of up to so many things, those of few first.
func profiles(d *relation.Description, most int) (list []profile) {
	var grow func(vars []int, from int)
	grow = func(vars []int, from int) {
		if len(vars) > 0 {
			list = append(list, profile{vars: slices.Clone(vars)})
		}
		if len(vars) == most {
			return
		}
		for s := from; s < len(d.Sorts); s++ {
			grow(append(vars, s), s)
		}
	}
	grow(nil, 0)
	slices.SortStableFunc(list, func(a, b profile) int { return len(a.vars) - len(b.vars) })
	if !d.Sorts[relation.Process].Ring {
		return list
	}
	for _, p := range slices.Clone(list) {
		if three := slices.IndexFunc(p.vars, func(s int) bool { return s != relation.Process }); three == 3 || three < 0 && len(p.vars) == 3 {
			list = append(list, profile{p.vars, along}, profile{p.vars, against})
		}
	}
	return list
}

// atomsOf returns the relations of variables of these sorts.
func atomsOf(d *relation.Description, vars []int) (list []atom) {
	for rel, r := range d.Relations {
		var grow func(args []int)
		grow = func(args []int) {
			if len(args) == len(r.Sorts) {
				list = append(list, atom{rel, slices.Clone(args)})
				return
			}
			for v, sort := range vars {
				if sort == r.Sorts[len(args)] {
					grow(append(args, v))
				}
			}
		}
		grow(nil)
	}
	return list
}

// sample notes which atoms are true together.
func (f *family) sample(seen []relation.Seen) {
	all := map[mask]bool{}
	for _, in := range seen {
		for _, things := range f.things(in.Instance) {
			for _, state := range in.States {
				all[f.trues(in.Instance, state, things)] = true
			}
		}
	}
	f.samples = slices.SortedFunc(maps.Keys(all), func(a, b mask) int { return slices.Compare(a[:], b[:]) })
}

// trues returns the atoms that are true of things.
func (f *family) trues(in *relation.Instance, state []uint64, things []int) (m mask) {
	for i, a := range f.atoms {
		if in.HoldsOf(state, a.rel, a.args, things) {
			m.add(i)
		}
	}
	return m
}

// things returns the things in an instance that a clause of the profile speaks of.
func (f *family) things(in *relation.Instance) (list [][]int) {
	var grow func(things []int)
	grow = func(things []int) {
		k := len(things)
		if k == len(f.vars) {
			if f.way == anyway || in.RoundTheRing(things[0], things[1], things[2]) == (f.way == along) {
				list = append(list, slices.Clone(things))
			}
			return
		}
		from := 0
		ordered := in.Sorts[f.vars[k]].Ordered
		if ordered && k > 0 && f.vars[k-1] == f.vars[k] {
			from = things[k-1] + 1
		}
		for i := from; i < in.Sizes[f.vars[k]]; i++ {
			same := false
			for v, other := range things {
				same = same || f.vars[v] == f.vars[k] && other == i
			}
			if !same {
				grow(append(things, i))
			}
		}
	}
	grow(nil)
	return list
}

// barring returns the clauses of at most so many literals that are true in all samples, and
// not where these atoms are true together. Such a clause has, for each of its atoms, the
// literal that is not true there; so each sample differs from trues in one of its atoms, and
// the least sets that meet all differences are the clauses.
func (f *family) barring(trues mask, literals int) (list []mask) {
	differences := make([]mask, len(f.samples))
	for i, s := range f.samples {
		if differences[i] = s.xor(trues); differences[i] == (mask{}) {
			return nil // it was seen
		}
	}
	slices.SortFunc(differences, func(a, b mask) int { return a.len() - b.len() })
	var grow func(have mask, left int)
	grow = func(have mask, left int) {
		at := slices.IndexFunc(differences, func(d mask) bool { return !d.meets(have) })
		if at < 0 {
			list = append(list, have)
			return
		}
		if left == 0 {
			return
		}
		for i := range f.atoms {
			if differences[at].has(i) {
				more := have
				more.add(i)
				grow(more, left-1)
			}
		}
	}
	grow(mask{}, literals)
	return list
}

// sentence writes a clause: "X < Y & btw(X, Y, Z) & a(X) -> b(Y)".
// The clause is of these atoms, and none of its literals is true where trues are.
func (f *family) sentence(d *relation.Description, of, trues mask) relation.Sentence {
	var s relation.Sentence
	letters := "XYZUVW"
	for i, sort := range f.vars {
		s.Vars = append(s.Vars, relation.Var{Name: letters[i : i+1], Sort: sort})
		s.Free = append(s.Free, i)
	}
	var when, then []*relation.Formula
	for i := range f.vars {
		for k := i + 1; k < len(f.vars); k++ {
			switch {
			case f.vars[k] != f.vars[i]:
			case !d.Sorts[f.vars[i]].Ordered:
				when = append(when, &relation.Formula{Op: relation.Not, Sub: []*relation.Formula{{Op: relation.Equal, Args: []int{i, k}}}})
			case k == i+1:
				when = append(when, &relation.Formula{Op: relation.Less, Args: []int{i, k}})
			}
		}
	}
	switch f.way {
	case along:
		when = append(when, &relation.Formula{Op: relation.Between, Args: []int{0, 1, 2}})
	case against:
		when = append(when, &relation.Formula{Op: relation.Between, Args: []int{0, 2, 1}})
	}
	for i, a := range f.atoms {
		literal := &relation.Formula{Op: relation.Atom, Rel: a.rel, Args: a.args}
		switch {
		case !of.has(i):
		case trues.has(i):
			when = append(when, literal)
		default:
			then = append(then, literal)
		}
	}
	right := joined(relation.Or, then, relation.False)
	switch {
	case len(when) == 0:
		s.Formula = right
	case len(then) == 0:
		s.Formula = &relation.Formula{Op: relation.Not, Sub: []*relation.Formula{joined(relation.And, when, relation.True)}}
	default:
		s.Formula = &relation.Formula{Op: relation.Implies, Sub: []*relation.Formula{joined(relation.And, when, relation.True), right}}
	}
	return s
}

func joined(op relation.Op, list []*relation.Formula, none relation.Op) *relation.Formula {
	switch len(list) {
	case 0:
		return &relation.Formula{Op: none}
	case 1:
		return list[0]
	}
	return &relation.Formula{Op: op, Sub: list}
}

// bars yields clauses that bar a state of an instance, and that are true in all states that
// were seen, a list at a time: those of few literals first, and of these those about few things.
func bars(d *relation.Description, list []*family, in *relation.Instance, state []uint64, literals int) iter.Seq[[]relation.Sentence] {
	return func(yield func([]relation.Sentence) bool) {
		for least := 1; least <= literals; least++ {
			for things := 1; len(list) > 0 && things <= len(list[len(list)-1].vars); things++ {
				var found []relation.Sentence
				for _, f := range list {
					if len(f.vars) != things {
						continue
					}
					for _, of := range f.things(in) {
						trues := f.trues(in, state, of)
						for _, atoms := range f.barring(trues, least) {
							found = append(found, f.sentence(d, atoms, trues))
						}
					}
				}
				if len(found) > 0 && !yield(found) {
					return
				}
			}
		}
	}
}
