package relation

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"bullyproof/model"
)

// An Instance is so many things of each sort, on which relations can be true or not.
type Instance struct {
	*Description
	// Ring are the processes in ring order, or by id.
	Ring []model.ID
	// Sizes is how many things there are of each sort.
	Sizes []int

	at      []int       // the position of each process in the ring, by its number from 0
	quorums []model.Set // of the sort of quorums
	offset  []int       // of each relation: its first bit, -1 for a fixed one
	words   int
	real    []uint64 // the bits that states of the protocol have: all but those of ghosts
}

// instance is the one of the processes of a protocol.
func (m *Model) instance(ring []model.ID) *Instance {
	quorums := majorities(len(ring))
	if m.Quorums != nil {
		quorums = m.Quorums(len(ring))
	}
	sizes := make([]int, len(m.Sorts))
	for i, s := range m.Sorts {
		sizes[i] = s.Values
		if s.QuorumOf >= 0 {
			sizes[i] = len(quorums)
		}
	}
	sizes[Process] = len(ring)
	return m.Of(ring, sizes, quorums)
}

// Of returns an instance of so many things of each sort: processes in ring order, and quorums.
func (d *Description) Of(ring []model.ID, sizes []int, quorums []model.Set) *Instance {
	in := &Instance{Description: d, Ring: ring, Sizes: sizes, at: make([]int, len(ring)), quorums: quorums}
	for i, id := range ring {
		in.at[id-1] = i
	}
	next := 0
	for _, r := range d.Relations {
		if r.Fixed {
			in.offset = append(in.offset, -1)
			continue
		}
		in.offset = append(in.offset, next)
		next += in.tuples(r.Sorts)
	}
	in.words = (next + 63) / 64
	in.real = make([]uint64, in.words)
	for i, r := range d.Relations {
		if r.Fixed || r.Ghost {
			continue
		}
		for bit := range in.tuples(r.Sorts) {
			set(in.real, in.offset[i]+bit)
		}
	}
	return in
}

// majorities returns the smallest majorities of processes.
func majorities(n int) (list []model.Set) {
	for s := range model.Set(1) << n {
		if bits.OnesCount64(uint64(s)) == n/2+1 {
			list = append(list, s)
		}
	}
	return list
}

func (in *Instance) tuples(sorts []int) int {
	count := 1
	for _, s := range sorts {
		count *= in.Sizes[s]
	}
	return count
}

// bit returns the bit of a relation of things, which are numbered from 0.
func (in *Instance) bit(rel int, things func(i int) int) int {
	at := 0
	for i, s := range in.Relations[rel].Sorts {
		at = at*in.Sizes[s] + things(i)
	}
	return in.offset[rel] + at
}

// Holds reports whether a relation is true of things, which are numbered from 0.
func (in *Instance) Holds(state []uint64, rel int, things ...int) bool {
	return in.holds(state, rel, func(i int) int { return things[i] })
}

func (in *Instance) holds(state []uint64, rel int, things func(i int) int) bool {
	if in.Relations[rel].Fixed {
		return in.quorums[things(1)]>>things(0)&1 != 0
	}
	return has(state, in.bit(rel, things))
}

// Empty returns the state in which no relation is true of anything.
func (in *Instance) Empty() []uint64 { return make([]uint64, in.words) }

// Set makes a relation that is not fixed true of things, which are numbered from 0.
func (in *Instance) Set(state []uint64, rel int, things ...int) {
	set(state, in.bit(rel, func(i int) int { return things[i] }))
}

func set(state []uint64, bit int)      { state[bit/64] |= 1 << (bit % 64) }
func clearBit(state []uint64, bit int) { state[bit/64] &^= 1 << (bit % 64) }

func has(state []uint64, bit int) bool { return state[bit/64]>>(bit%64)&1 != 0 }

// True reports whether a formula is true in a state, of things by their numbers from 0 for
// each variable of the scope. Quantifiers overwrite those of their variables.
func (in *Instance) True(f *Formula, s *Scope, state []uint64, of []int) bool {
	arg := func(i int) int { return of[f.Args[i]] }
	switch f.Op {
	case True, False:
		return f.Op == True
	case Atom:
		return in.holds(state, f.Rel, arg)
	case Equal:
		return arg(0) == arg(1)
	case Less:
		return arg(0) < arg(1)
	case Succ:
		return arg(0)+1 == arg(1)
	case Next:
		return arg(0) != arg(1) && in.way(arg(0), arg(1)) == 1
	case Between:
		b, c := in.way(arg(0), arg(1)), in.way(arg(0), arg(2))
		return 0 < b && b < c
	case Not:
		return !in.True(f.Sub[0], s, state, of)
	case And:
		return !slices.ContainsFunc(f.Sub, func(g *Formula) bool { return !in.True(g, s, state, of) })
	case Or:
		return slices.ContainsFunc(f.Sub, func(g *Formula) bool { return in.True(g, s, state, of) })
	case Implies:
		return !in.True(f.Sub[0], s, state, of) || in.True(f.Sub[1], s, state, of)
	case Iff:
		return in.True(f.Sub[0], s, state, of) == in.True(f.Sub[1], s, state, of)
	}
	found := false // the value that decides
	in.each(s, f.Args, of, func() bool {
		found = in.True(f.Sub[0], s, state, of) == (f.Op == Exists)
		return !found
	})
	return found == (f.Op == Exists)
}

// way is how many hops it is round the ring from one process to another.
func (in *Instance) way(a, b int) int {
	return (in.at[b] - in.at[a] + len(in.at)) % len(in.at)
}

// each gives variables all values, in order, until do returns false.
func (in *Instance) each(s *Scope, vars []int, of []int, do func() bool) bool {
	if len(vars) == 0 {
		return do()
	}
	for i := range in.Sizes[s.Vars[vars[0]].Sort] {
		of[vars[0]] = i
		if !in.each(s, vars[1:], of, do) {
			return false
		}
	}
	return true
}

// Always reports whether a sentence is true of all values of its free variables.
func (in *Instance) Always(s *Sentence, state []uint64) bool {
	of := make([]int, len(s.Vars))
	return in.each(&s.Scope, s.Free, of, func() bool { return in.True(s.Formula, &s.Scope, state, of) })
}

// An outcome is what a step does: the bits as they are after it, except for those which may
// have been dropped and may not.
type outcome struct {
	step    int
	of      []int
	state   []uint64
	perhaps []uint64
}

// outcomes returns what each step does in a state where its guard is true.
func (in *Instance) outcomes(state []uint64) (list []outcome) {
	for i := range in.Steps {
		st := &in.Steps[i]
		of := make([]int, len(st.Vars))
		in.each(&st.Scope, st.Free, of, func() bool {
			if in.True(st.Formula, &st.Scope, state, of) {
				list = append(list, in.after(i, state, of))
			}
			return true
		})
	}
	return list
}

// after carries out the updates of a step.
func (in *Instance) after(i int, state []uint64, of []int) outcome {
	st := &in.Steps[i]
	o := outcome{step: i, of: slices.Clone(of), state: slices.Clone(state), perhaps: make([]uint64, in.words)}
	for _, u := range st.Updates {
		if u.Kind == Sets {
			in.each(&st.Scope, u.Args, of, func() bool {
				bit := in.bit(u.Rel, func(i int) int { return of[u.Args[i]] })
				clearBit(o.perhaps, bit)
				clearBit(o.state, bit)
				if in.True(u.Formula, &st.Scope, state, of) {
					set(o.state, bit)
				}
				return true
			})
			continue
		}
		bit := in.bit(u.Rel, func(i int) int { return of[u.Args[i]] })
		switch u.Kind {
		case Adds:
			set(o.state, bit)
			clearBit(o.perhaps, bit)
		case Drops:
			clearBit(o.state, bit)
			clearBit(o.perhaps, bit)
		case MaybeDrops:
			if has(o.state, bit) {
				set(o.perhaps, bit)
			}
		}
	}
	return o
}

// changes reports whether an outcome can be another state than the one it is of.
func (o *outcome) changes(from []uint64) bool {
	return !slices.Equal(o.state, from) || slices.ContainsFunc(o.perhaps, func(w uint64) bool { return w != 0 })
}

// leadsTo reports whether an outcome can be a state, as far as states of the protocol have it.
func (in *Instance) leadsTo(o *outcome, state []uint64) bool {
	for i := range state {
		if (o.state[i]^state[i])&^o.perhaps[i]&in.real[i] != 0 {
			return false
		}
	}
	return true
}

// same reports whether two states are the same, as far as states of the protocol have it.
func (in *Instance) same(a, b []uint64) bool {
	for i := range a {
		if (a[i]^b[i])&in.real[i] != 0 {
			return false
		}
	}
	return true
}

// ghosts returns a state with the ghosts of an outcome.
func (in *Instance) ghosts(state, of []uint64) []uint64 {
	out := slices.Clone(state)
	for i := range out {
		out[i] = out[i]&in.real[i] | of[i]&^in.real[i]
	}
	return out
}

// Thing is the name of a thing of a sort, numbered from 0: P1 for a process, {P1 P2} for a
// quorum, 0 for a value.
func (in *Instance) Thing(sort, i int) string {
	switch {
	case sort == Process:
		return fmt.Sprint("P", i+1)
	case in.Sorts[sort].QuorumOf >= 0:
		return in.quorums[i].String()
	}
	return fmt.Sprint(i)
}

// StateText names what is true in a state: "candidate(P1, P2) participant(P1)".
func (in *Instance) StateText(state []uint64) string {
	var list []string
	for rel, r := range in.Relations {
		if r.Fixed {
			continue
		}
		scope, args := &Scope{}, make([]int, len(r.Sorts))
		for i, s := range r.Sorts {
			args[i] = scope.free("", s)
		}
		of := make([]int, len(args))
		in.each(scope, args, of, func() bool {
			if in.Holds(state, rel, of...) {
				list = append(list, in.tuple(r.Name, r.Sorts, of))
			}
			return true
		})
	}
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, " ")
}

// StepText names a step with a thing for each of its variables: "pass(P3, P1, P2)".
func (in *Instance) StepText(st *Step, things []int) string {
	sorts := make([]int, len(st.Free))
	for i, v := range st.Free {
		sorts[i] = st.Vars[v].Sort
	}
	return in.tuple(st.Name, sorts, things)
}

func (in *Instance) tuple(name string, sorts, of []int) string {
	list := make([]string, len(sorts))
	for i, s := range sorts {
		list[i] = in.Thing(s, of[i])
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// Facts are what is true of a state of a protocol. A fact of things that the description
// has not is an error, which Model.Judge returns.
type Facts struct {
	in   *Instance
	bits []uint64
	err  error
}

// Add says that a relation is true of things: processes by their ids, others by their
// values.
func (f *Facts) Add(relation string, things ...int) {
	rel := f.in.Relation(relation)
	switch {
	case f.err != nil:
	case rel < 0:
		f.err = fmt.Errorf("no relation %q; there are %s", relation, f.in.relationNames())
	case f.in.Relations[rel].Fixed || f.in.Relations[rel].Ghost:
		f.err = fmt.Errorf("relation %s is a ghost, or fixed: no state has it", relation)
	case len(things) != len(f.in.Relations[rel].Sorts):
		f.err = fmt.Errorf("relation %s of %d things; want %d", relation, len(things), len(f.in.Relations[rel].Sorts))
	default:
		for i, s := range f.in.Relations[rel].Sorts {
			if s == Process {
				things[i]--
			}
			if things[i] < 0 || things[i] >= f.in.Sizes[s] {
				f.err = fmt.Errorf("relation %s: %s of sort %s is beyond the instance, which has %d", relation, f.in.Thing(s, things[i]), f.in.Sorts[s].Name, f.in.Sizes[s])
				return
			}
		}
		set(f.bits, f.in.bit(rel, func(i int) int { return things[i] }))
	}
}

// Next returns the neighbour of a process round the ring, or by id, both by their ids.
func (f *Facts) Next(process int) int {
	ring := f.in.Ring
	return int(ring[(f.in.at[process-1]+1)%len(ring)])
}

// HoldsOf is Holds of some of the things: those at the places args.
func (in *Instance) HoldsOf(state []uint64, rel int, args, things []int) bool {
	return in.holds(state, rel, func(i int) int { return things[args[i]] })
}

// RoundTheRing reports whether from process a, b comes before c.
func (in *Instance) RoundTheRing(a, b, c int) bool {
	return in.way(a, b) < in.way(a, c)
}

// Next returns the states that steps lead to from one.
func (in *Instance) Next(state []uint64) (list [][]uint64) {
	for _, o := range in.outcomes(state) {
		perhaps := in.bits(o.perhaps)
		for kept := range 1 << len(perhaps) {
			next := slices.Clone(o.state)
			for i, bit := range perhaps {
				if kept>>i&1 == 0 {
					clearBit(next, bit)
				}
			}
			list = append(list, next)
		}
	}
	return list
}

// bits returns the places of those that are set.
func (in *Instance) bits(state []uint64) (list []int) {
	for i := range 64 * in.words {
		if has(state, i) {
			list = append(list, i)
		}
	}
	return list
}
