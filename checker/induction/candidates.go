package induction

import (
	"fmt"
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

// A clause says of all things of its profile that one of the atoms of yes is true, or one of
// those of no is not.
type clause struct{ yes, no uint64 }

func (c clause) size() int { return bits.OnesCount64(c.yes) + bits.OnesCount64(c.no) }

// in reports whether a clause says at least as much as another one of its profile.
func (c clause) in(other clause) bool { return c.yes&^other.yes == 0 && c.no&^other.no == 0 }

// broken reports whether the atoms that are true break a clause.
func (c clause) broken(trues uint64) bool { return trues&c.yes == 0 && c.no&^trues == 0 }

// A family has the atoms of a profile, and which of them were true together in the states
// that were seen.
type family struct {
	profile
	atoms   []atom
	samples []uint64
	found   []clause
}

// Sizes bounds the candidates: clauses of at most so many literals about at most so many
// things.
type Sizes struct{ Literals, Things int }

// Candidates returns the clauses that are true in all states that were seen, small ones first,
// without those that smaller ones imply by leaving out literals.
func Candidates(d *relation.Description, seen []relation.Seen, s Sizes) []relation.Sentence {
	var list []relation.Sentence
	var families []*family
	for _, p := range profiles(d, s.Things) {
		f := &family{profile: p, atoms: atomsOf(d, p.vars)}
		if len(f.atoms) == 0 || len(f.atoms) > 64 {
			continue
		}
		if f.sample(seen); len(f.samples) == 0 {
			continue
		}
		var smaller []clause // what other families have found, in the atoms of this one
		for _, of := range families {
			smaller = append(smaller, of.within(f)...)
		}
		for literals := 1; literals <= s.Literals; literals++ {
			f.enumerate(literals, smaller)
		}
		for _, c := range f.found {
			list = append(list, f.sentence(d, c, fmt.Sprint("c", len(list)+1)))
		}
		families = append(families, f)
	}
	slices.SortStableFunc(list, func(a, b relation.Sentence) int { return weight(&a) - weight(&b) })
	return list
}

func weight(s *relation.Sentence) int { return len(s.Vars)*16 + size(s.Formula) }

func size(f *relation.Formula) int {
	n := 1
	for _, sub := range f.Sub {
		n += size(sub)
	}
	return n
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
	all := map[uint64]bool{}
	for _, in := range seen {
		for _, things := range f.things(in.Instance) {
			for _, state := range in.States {
				var trues uint64
				for i, a := range f.atoms {
					if in.HoldsOf(state, a.rel, a.args, things) {
						trues |= 1 << i
					}
				}
				all[trues] = true
			}
		}
	}
	f.samples = slices.Sorted(maps.Keys(all))
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

// enumerate finds the clauses of so many literals that no sample breaks, and that none that
// was found before implies.
func (f *family) enumerate(literals int, smaller []clause) {
	known := append(slices.Clone(smaller), f.found...)
	var grow func(c clause, from, left int)
	grow = func(c clause, from, left int) {
		if left == 0 {
			for _, trues := range f.samples {
				if c.broken(trues) {
					return
				}
			}
			for _, k := range known {
				if k.in(c) {
					return
				}
			}
			f.found = append(f.found, c)
			return
		}
		for i := from; i <= len(f.atoms)-left; i++ {
			grow(clause{c.yes, c.no | 1<<i}, i+1, left-1)
			grow(clause{c.yes | 1<<i, c.no}, i+1, left-1)
		}
	}
	grow(clause{}, 0, literals)
}

// within returns the clauses of a family as those of one with more things, or with a way.
func (f *family) within(larger *family) (list []clause) {
	var grow func(as []int)
	grow = func(as []int) {
		k := len(as)
		if k < len(f.vars) {
			for v := range larger.vars {
				if larger.vars[v] == f.vars[k] && !slices.Contains(as, v) && (k == 0 || f.vars[k-1] != f.vars[k] || as[k-1] < v) {
					grow(append(as, v))
				}
			}
			return
		}
		if f.way != anyway && f.way != larger.way {
			return
		}
		var place []int // of each atom in the larger family
		for _, a := range f.atoms {
			args := make([]int, len(a.args))
			for i, v := range a.args {
				args[i] = as[v]
			}
			place = append(place, slices.IndexFunc(larger.atoms, func(b atom) bool { return b.rel == a.rel && slices.Equal(b.args, args) }))
		}
		for _, c := range f.found {
			list = append(list, clause{moved(c.yes, place), moved(c.no, place)})
		}
	}
	grow(nil)
	return list
}

func moved(set uint64, place []int) (out uint64) {
	for i, p := range place {
		out |= set >> i & 1 << p
	}
	return out
}

// sentence writes a clause: "X < Y & btw(X, Y, Z) & a(X) -> b(Y)".
func (f *family) sentence(d *relation.Description, c clause, name string) relation.Sentence {
	s := relation.Sentence{Name: name}
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
		of := &relation.Formula{Op: relation.Atom, Rel: a.rel, Args: a.args}
		if c.no>>i&1 != 0 {
			when = append(when, of)
		}
		if c.yes>>i&1 != 0 {
			then = append(then, of)
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
