package induction

import (
	"fmt"
	"strings"

	"bullyproof/checker/relation"
)

// tla writes a module for TLC: relations are sets of tuples, processes are numbers, and the
// ring is a sequence of them, which a configuration names.
func (e *exporter) tla() string {
	var b strings.Builder
	fmt.Fprintf(&b, "---- MODULE %s ----\n\\* Written by bullyproof. N is the number of processes", e.name)
	constants := []string{"N"}
	if e.Sorts[relation.Process].Ring {
		b.WriteString(", Ring a sequence of them")
		constants = append(constants, "Ring")
	}
	for i, s := range e.Sorts {
		if s.Values > 0 {
			fmt.Fprintf(&b, ", %s how many of %s there are", "Most"+e.set(i), s.Name)
			constants = append(constants, "Most"+e.set(i))
		}
	}
	fmt.Fprintf(&b, ".\nEXTENDS Naturals, FiniteSets, Sequences\nCONSTANTS %s\n\n", strings.Join(constants, ", "))
	for i, s := range e.Sorts {
		switch {
		case i == relation.Process:
			fmt.Fprintf(&b, "%s == 1..N\n", e.set(i))
		case s.QuorumOf >= 0:
			fmt.Fprintf(&b, "%s == {q \\in SUBSET %s : 2 * Cardinality(q) > N}\n", e.set(i), e.set(s.QuorumOf))
		default:
			fmt.Fprintf(&b, "%s == 0..(Most%s - 1)\n", e.set(i), e.set(i))
		}
	}
	if e.Sorts[relation.Process].Ring {
		b.WriteString("At(p) == CHOOSE i \\in 1..N : Ring[i] = p\n" +
			"Way(a, b) == (At(b) + N - At(a)) % N\n" +
			"Next(a, b) == a /= b /\\ Way(a, b) = 1\n" +
			"Btw(a, b, c) == 0 < Way(a, b) /\\ Way(a, b) < Way(a, c)\n")
	}
	var vars []string
	for i, r := range e.Relations {
		if !r.Fixed {
			vars = append(vars, e.rel(i))
		}
	}
	fmt.Fprintf(&b, "\nVARIABLES %[1]s\nvars == <<%[1]s>>\n\nInit ==\n", strings.Join(vars, ", "))
	for i, r := range e.Relations {
		if !r.Fixed {
			fmt.Fprintf(&b, "    /\\ %s \\in %s\n", e.rel(i), e.start(i))
		}
	}
	for i := range e.Init {
		fmt.Fprintf(&b, "    /\\ %s\n", e.always(&e.Init[i]))
	}
	var next []string
	for i := range e.Steps {
		next = append(next, e.tlaStep(&b, &e.Steps[i]))
	}
	fmt.Fprintf(&b, "\nStep ==\n    \\/ %s\nSpec == Init /\\ [][Step]_vars\n", strings.Join(next, "\n    \\/ "))
	for i := range e.Properties {
		fmt.Fprintf(&b, "\n%s == %s\n", property(e.Properties[i].Name), e.always(&e.Properties[i]))
	}
	for i := range e.invariants {
		fmt.Fprintf(&b, "\nInvariant%d == %s\n", i+1, e.always(&e.invariants[i]))
	}
	b.WriteString("====\n")
	return b.String()
}

func property(name string) string { return "Property_" + plain(name) }

// start is the set of what a relation can be in the beginning: empty, where init says so of
// all tuples, which is what TLC can enumerate.
func (e *exporter) start(rel int) string {
	if e.Relations[rel].Ghost || e.emptied(rel) {
		return "{{}}"
	}
	return "SUBSET (" + e.product(rel) + ")"
}

func (e *exporter) product(rel int) string {
	list := make([]string, len(e.Relations[rel].Sorts))
	for i, s := range e.Relations[rel].Sorts {
		list[i] = e.set(s)
	}
	return strings.Join(list, " \\X ")
}

// emptied reports whether an init sentence says "~relation(X, Y)" of all things.
func (e *exporter) emptied(rel int) bool {
	var says func(f *relation.Formula) bool
	says = func(f *relation.Formula) bool {
		switch f.Op {
		case relation.And:
			for _, sub := range f.Sub {
				if says(sub) {
					return true
				}
			}
		case relation.Not:
			sub := f.Sub[0]
			seen := map[int]bool{}
			for _, v := range sub.Args {
				seen[v] = true
			}
			return sub.Op == relation.Atom && sub.Rel == rel && len(seen) == len(sub.Args)
		}
		return false
	}
	for i := range e.Init {
		if says(e.Init[i].Formula) {
			return true
		}
	}
	return false
}

// tlaStep writes a step as an operator, and returns the sentence that some things take it.
func (e *exporter) tlaStep(b *strings.Builder, st *relation.Step) string {
	of := e.names(&st.Scope, "")
	name := "Step_" + plain(st.Name)
	params := terms(st.Free, of)
	fmt.Fprintf(b, "\n%s(%s) ==\n    /\\ %s\n", name, strings.Join(params, ", "), e.formula(&st.Scope, st.Formula, of))
	for rel, r := range e.Relations {
		if !r.Fixed {
			fmt.Fprintf(b, "    /\\ %s\n", e.tlaChange(st, rel, of))
		}
	}
	return e.quantifier(false, &st.Scope, st.Free, of) + name + "(" + strings.Join(params, ", ") + ")"
}

func (e *exporter) tlaChange(st *relation.Step, rel int, of []string) string {
	sets := []string{e.rel(rel)}
	each := func(format, tuple string) {
		for i := range sets {
			sets[i] = fmt.Sprintf(format, sets[i], tuple)
		}
	}
	for i := range st.Updates {
		u := &st.Updates[i]
		if u.Rel != rel {
			continue
		}
		args := terms(u.Args, of)
		tuple := args[0]
		if len(args) > 1 {
			tuple = "<<" + strings.Join(args, ", ") + ">>"
		}
		switch u.Kind {
		case relation.Adds:
			each("(%s \\union {%s})", tuple)
		case relation.Drops:
			each("(%s \\ {%s})", tuple)
		case relation.MaybeDrops:
			for _, s := range sets[:len(sets):len(sets)] {
				sets = append(sets, fmt.Sprintf("(%s \\ {%s})", s, tuple))
			}
		case relation.Sets:
			sets = []string{fmt.Sprintf("{%s \\in %s : %s}", tuple, e.product(rel), e.formula(&st.Scope, u.Formula, of))}
		}
	}
	if len(sets) == 1 {
		return e.rel(rel) + "' = " + sets[0]
	}
	return e.rel(rel) + "' \\in {" + strings.Join(sets, ", ") + "}"
}
