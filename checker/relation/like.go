package relation

import "slices"

// Like returns the number of the first of some states of another instance in which so many
// things stand as all things do in a state of this one: in the same order, the same way round
// the ring, with the same relations, fixed ones among them. It is -1 where there is none. Fits
// says that the other instance has as many things.
func (in *Instance) Like(state []uint64, other Seen) (at int, fits bool) {
	for i, size := range in.Sizes {
		if size > other.Sizes[i] {
			return -1, false
		}
	}
	at = -1
	in.placed(other.Instance, func(things [][]int) {
		wants := in.wanted(state, other.Instance, things)
		if wants == nil {
			return
		}
		until := other.States
		if at >= 0 {
			until = until[:at]
		}
		if k := slices.IndexFunc(until, wants.in); k >= 0 {
			at = k
		}
	})
	return at, true
}

// placed calls do with all ways to place the things of each sort among those of another
// instance.
func (in *Instance) placed(other *Instance, do func(things [][]int)) {
	things := make([][]int, len(in.Sizes))
	var place func(sort int)
	place = func(sort int) {
		if sort == len(things) {
			if in.sameWay(other, things[Process]) {
				do(things)
			}
			return
		}
		of := things[sort]
		if len(of) == in.Sizes[sort] {
			place(sort + 1)
			return
		}
		from := 0
		if in.Sorts[sort].Ordered && len(of) > 0 {
			from = of[len(of)-1] + 1
		}
		for i := from; i < other.Sizes[sort]; i++ {
			if !slices.Contains(of, i) {
				things[sort] = append(of, i)
				place(sort)
			}
		}
		things[sort] = of
	}
	place(0)
}

// sameWay reports whether processes stand round the ring of another instance as here.
func (in *Instance) sameWay(other *Instance, of []int) bool {
	if !in.Sorts[Process].Ring {
		return true
	}
	for a := range of {
		for b := range of {
			for c := range of {
				if a != b && b != c && a != c && in.RoundTheRing(a, b, c) != other.RoundTheRing(of[a], of[b], of[c]) {
					return false
				}
			}
		}
	}
	return true
}

// A wanting says which bits of a state are looked at, and how they have to be.
type wanting struct{ looked, set []uint64 }

func (w *wanting) in(state []uint64) bool {
	for i, bits := range state {
		if bits&w.looked[i] != w.set[i] {
			return false
		}
	}
	return true
}

// wanted returns how the relations of things of another instance have to be; nil where those
// that are fixed are not so.
func (in *Instance) wanted(state []uint64, other *Instance, things [][]int) *wanting {
	w := &wanting{other.Empty(), other.Empty()}
	for rel, r := range in.Relations {
		scope, args := &Scope{}, make([]int, len(r.Sorts))
		for i, s := range r.Sorts {
			args[i] = scope.free("", s)
		}
		of := make([]int, len(args))
		fits := in.each(scope, args, of, func() bool {
			there := func(i int) int { return things[r.Sorts[i]][of[i]] }
			holds := in.Holds(state, rel, of...)
			if r.Fixed {
				return other.holds(nil, rel, there) == holds
			}
			bit := other.bit(rel, there)
			if set(w.looked, bit); holds {
				set(w.set, bit)
			}
			return true
		})
		if !fits {
			return nil
		}
	}
	return w
}
