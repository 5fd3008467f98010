package induction

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/relation"
)

// A writer writes formulas as SMT-LIB.
type writer struct{ *relation.Description }

// sort is the name of a sort, and rel that of a relation: "-" is kept, and no name is one of
// the language's own.
func (w writer) sort(i int) string { return "sort_" + w.Sorts[i].Name }

func (w writer) rel(i int) string { return "is_" + w.Relations[i].Name }

func (w writer) less(sort int) string { return "before_" + w.Sorts[sort].Name }

// apply is a relation of terms.
func apply(name string, terms ...string) string {
	return "(" + name + " " + strings.Join(terms, " ") + ")"
}

// terms returns the terms that stand for variables.
func terms(vars []int, of []string) []string {
	list := make([]string, len(vars))
	for i, v := range vars {
		list[i] = of[v]
	}
	return list
}

// formula writes a formula with a term for each variable of its scope; what quantifiers bind
// gets names of its own. atom writes a relation of terms.
func (w writer) formula(s *relation.Scope, f *relation.Formula, of []string, atom func(rel int, terms []string) string) string {
	args := terms(f.Args, of)
	subs := func(op string) string {
		list := make([]string, len(f.Sub))
		for i, sub := range f.Sub {
			list[i] = w.formula(s, sub, of, atom)
		}
		return apply(op, list...)
	}
	switch f.Op {
	case relation.True:
		return "true"
	case relation.False:
		return "false"
	case relation.Atom:
		return atom(f.Rel, args)
	case relation.Equal:
		return apply("=", args...)
	case relation.Less:
		return apply(w.less(s.Vars[f.Args[0]].Sort), args...)
	case relation.Between:
		return apply("btw", args...)
	case relation.Next:
		return apply("next", args...)
	case relation.Succ:
		sort := s.Vars[f.Args[0]].Sort
		return fmt.Sprintf("(and (%[3]s %[1]s %[2]s) (forall ((z! %[4]s)) (not (and (%[3]s %[1]s z!) (%[3]s z! %[2]s)))))", args[0], args[1], w.less(sort), w.sort(sort))
	case relation.Not:
		return subs("not")
	case relation.And:
		return subs("and")
	case relation.Or:
		return subs("or")
	case relation.Implies:
		return subs("=>")
	case relation.Iff:
		return subs("=")
	}
	word := "forall"
	if f.Op == relation.Exists {
		word = "exists"
	}
	return w.quantified(word, s, f.Args, of, func(of []string) string { return w.formula(s, f.Sub[0], of, atom) })
}

// quantified writes a formula about all values of variables, or about some.
func (w writer) quantified(word string, s *relation.Scope, vars []int, of []string, body func(of []string) string) string {
	if len(vars) == 0 {
		return body(of)
	}
	of = slices.Clone(of)
	list := make([]string, len(vars))
	for i, v := range vars {
		of[v] = fmt.Sprintf("%s!%d", s.Vars[v].Name, v)
		list[i] = "(" + of[v] + " " + w.sort(s.Vars[v].Sort) + ")"
	}
	return "(" + word + " (" + strings.Join(list, " ") + ") " + body(of) + ")"
}

// before writes a relation of terms in the state before a step.
func (w writer) before(rel int, args []string) string { return apply(w.rel(rel), args...) }

// always writes that a sentence is true of all things, in the state before a step.
func (w writer) always(s *relation.Sentence) string {
	return w.quantified("forall", &s.Scope, s.Free, make([]string, len(s.Vars)), func(of []string) string {
		return w.formula(&s.Scope, s.Formula, of, w.before)
	})
}

// suppose says that a sentence is true of all things before a step.
func (w writer) suppose(b *strings.Builder, s *relation.Sentence) {
	fmt.Fprintf(b, "(assert %s)\n", w.always(s))
}

// constants declares a constant for each free variable, and returns the terms of a scope.
func (w writer) constants(b *strings.Builder, s *relation.Scope, prefix string) []string {
	of := make([]string, len(s.Vars))
	for _, v := range s.Free {
		of[v] = prefix + s.Vars[v].Name
		fmt.Fprintf(b, "(declare-const %s %s)\n", of[v], w.sort(s.Vars[v].Sort))
	}
	return of
}

// after returns what writes a relation of terms in the state after a step with these things,
// by what it was in the state before.
func (w writer) after(st *relation.Step, of []string) func(rel int, args []string) string {
	return func(rel int, args []string) string {
		text := w.before(rel, args)
		for i := range st.Updates {
			u := &st.Updates[i]
			if u.Rel != rel {
				continue
			}
			if u.Kind == relation.Sets {
				inner := slices.Clone(of)
				for k, v := range u.Args {
					inner[v] = args[k]
				}
				text = w.formula(&st.Scope, u.Formula, inner, w.before)
				continue
			}
			var same []string
			for k, v := range u.Args {
				same = append(same, apply("=", args[k], of[v]))
			}
			it := apply("and", append(same, "true")...)
			switch u.Kind {
			case relation.Adds:
				text = apply("or", text, it)
			case relation.Drops:
				text = apply("and", text, apply("not", it))
			case relation.MaybeDrops:
				text = apply("and", text, apply("or", kept(i), apply("not", it)))
			}
		}
		return text
	}
}

// kept names whether what an update may drop stays.
func kept(update int) string { return fmt.Sprint("kept!", update) }

// head declares the sorts and relations, and says what is true of them in every state.
func (w writer) head() string {
	var b strings.Builder
	b.WriteString("(set-option :produce-unsat-cores true)\n(set-option :produce-models true)\n(set-logic UF)\n")
	for i := range w.Sorts {
		fmt.Fprintf(&b, "(declare-sort %s 0)\n", w.sort(i))
	}
	for i, r := range w.Relations {
		list := make([]string, len(r.Sorts))
		for k, s := range r.Sorts {
			list[k] = w.sort(s)
		}
		fmt.Fprintf(&b, "(declare-fun %s (%s) Bool)\n", w.rel(i), strings.Join(list, " "))
	}
	for i, s := range w.Sorts {
		name := w.sort(i)
		if s.Ordered {
			less := w.less(i)
			fmt.Fprintf(&b, "(declare-fun %s (%s %s) Bool)\n", less, name, name)
			fmt.Fprintf(&b, "(assert (forall ((x %s)) (not (%s x x))))\n", name, less)
			fmt.Fprintf(&b, "(assert (forall ((x %[1]s) (y %[1]s) (z %[1]s)) (=> (and (%[2]s x y) (%[2]s y z)) (%[2]s x z))))\n", name, less)
			fmt.Fprintf(&b, "(assert (forall ((x %[1]s) (y %[1]s)) (or (%[2]s x y) (%[2]s y x) (= x y))))\n", name, less)
		}
		if s.Ring {
			fmt.Fprintf(&b, "(declare-fun btw (%[1]s %[1]s %[1]s) Bool)\n", name)
			fmt.Fprintf(&b, "(assert (forall ((w %[1]s) (x %[1]s) (y %[1]s) (z %[1]s)) (=> (and (btw w x y) (btw w y z)) (btw w x z))))\n", name)
			fmt.Fprintf(&b, "(assert (forall ((x %[1]s) (y %[1]s) (z %[1]s)) (=> (btw x y z) (and (btw y z x) (not (btw x z y)) (distinct x y z)))))\n", name)
			fmt.Fprintf(&b, "(assert (forall ((x %[1]s) (y %[1]s) (z %[1]s)) (or (btw x y z) (btw x z y) (= x y) (= x z) (= y z))))\n", name)
			// Nobody is between neighbours. Whether those with nobody between them are neighbours
			// is left open, since it would take a function: a proof covers one case more.
			fmt.Fprintf(&b, "(declare-fun next (%[1]s %[1]s) Bool)\n", name)
			fmt.Fprintf(&b, "(assert (forall ((x %[1]s) (y %[1]s) (z %[1]s)) (=> (next x y) (and (distinct x y) (or (= z x) (= z y) (btw x y z))))))\n", name)
		}
		if s.QuorumOf >= 0 {
			member := w.rel(w.Relation("member"))
			fmt.Fprintf(&b, "(declare-fun meet (%[1]s %[1]s) %[2]s)\n", name, w.sort(s.QuorumOf))
			fmt.Fprintf(&b, "(assert (forall ((q %[1]s) (r %[1]s)) (and (%[2]s (meet q r) q) (%[2]s (meet q r) r))))\n", name, member)
		}
	}
	return b.String()
}

// initial says what is true in an initial state.
func (w writer) initial() string {
	var b strings.Builder
	for i := range w.Init {
		w.suppose(&b, &w.Init[i])
	}
	for i, r := range w.Relations {
		if !r.Ghost {
			continue
		}
		s := relation.Sentence{Formula: &relation.Formula{Op: relation.Atom, Rel: i}}
		for k, sort := range r.Sorts {
			s.Vars = append(s.Vars, relation.Var{Name: fmt.Sprint("X", k), Sort: sort})
			s.Free = append(s.Free, k)
			s.Formula.Args = append(s.Formula.Args, k)
		}
		s.Formula = &relation.Formula{Op: relation.Not, Sub: []*relation.Formula{s.Formula}}
		w.suppose(&b, &s)
	}
	return b.String()
}

// guard says that a step happens, of constants, and returns its terms.
func (w writer) guard(b *strings.Builder, st *relation.Step) []string {
	of := w.constants(b, &st.Scope, "step!")
	for i, u := range st.Updates {
		if u.Kind == relation.MaybeDrops {
			fmt.Fprintf(b, "(declare-const %s Bool)\n", kept(i))
		}
	}
	fmt.Fprintf(b, "(assert %s)\n", w.formula(&st.Scope, st.Formula, of, w.before))
	return of
}

// broken says that a sentence is not true of constants, where atom writes relations, and
// returns the constants.
func (w writer) broken(b *strings.Builder, s *relation.Sentence, atom func(rel int, args []string) string) []string {
	of := w.constants(b, &s.Scope, "goal!")
	fmt.Fprintf(b, "(assert (not %s))\n", w.formula(&s.Scope, s.Formula, of, atom))
	return of
}
