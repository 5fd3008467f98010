package induction

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker/relation"
)

// Languages are the languages of Export.
var Languages = []string{"ivy", "mypyvy", "tla"}

// Export writes a description, and the sentences of proofs as invariants, in the language of
// another tool: Ivy 1.7, mypyvy, or TLA+ (for TLC, with N processes). It returns an error for
// another language.
func Export(d *relation.Description, name string, proofs []Proof, language string) (string, error) {
	e := &exporter{Description: d, name: strings.ReplaceAll(name, "-", "_")}
	for i := range proofs {
		for _, s := range proofs[i].Sentences {
			text := d.Text(&s)
			if s.Name != proofs[i].Property.Name && !slices.ContainsFunc(e.invariants, func(have relation.Sentence) bool { return d.Text(&have) == text }) {
				e.invariants = append(e.invariants, s)
			}
		}
	}
	switch language {
	case "ivy":
		e.words = words{not: "~", and: " & ", or: " | ", implies: " -> ", iff: " <-> ", unequal: " ~= ", typed: true, less: "%s < %s"}
		return e.ivy(), nil
	case "mypyvy":
		e.words = words{not: "!", and: " & ", or: " | ", implies: " -> ", iff: " <-> ", unequal: " != ", typed: true}
		return e.mypyvy(), nil
	case "tla":
		e.words = words{not: "~", and: " /\\ ", or: " \\/ ", implies: " => ", iff: " <=> ", unequal: " /= ", less: "%s < %s", asSets: true}
		return e.tla(), nil
	}
	return "", fmt.Errorf("language %q; want one of %s", language, strings.Join(Languages, ", "))
}

// words are the signs of a language.
type words struct {
	not, and, or, implies, iff, unequal string
	typed                               bool   // quantified variables have their sort
	less                                string // the order; a relation before_SORT where it is empty
	asSets                              bool   // relations are sets of tuples
}

type exporter struct {
	*relation.Description
	words
	name       string
	invariants []relation.Sentence
	was        map[int]bool // relations that are taken from before the step, in Ivy
}

// plain returns a name as all languages can have it.
func plain(name string) string {
	name = strings.ReplaceAll(name, "-", "_")
	if slices.Contains(reserved, name) {
		name += "_"
	}
	return name
}

// reserved are the words that mean something in Ivy 1.7 or in mypyvy.
var reserved = strings.Fields(`action after alias any apply around as assert assume attribute autoinstance axiom before bool by call
	cast class common concept conjecture constant constructor debug decreases defergoal definition delegate derived destructor
	distinct else ensure ensures entry eventually execute exists explicit export extract false fbii field finite for forall forget
	fresh from function ghost global globally if implement implementation import in include individual init instance instantiate
	int interpret invariant isa isolate let local macro match maximizing method minimizing mixin mixord modifies module mutable
	immutable named new null object of old onestate parameter params private progress proof property prophecy relation rely require
	requires returns safety sat scenario schema set showgoals some sort specification spoil state struct subclass tactic template
	temporal then theorem this thunk trace transition trigger true trusted twostate type unfold unprovable unsat update using var
	variant whenfirst whenlast whennext whenprev while wire with zerostate`)

func (e *exporter) sort(i int) string { return plain(e.Sorts[i].Name) }

func (e *exporter) rel(i int) string { return plain(e.Relations[i].Name) }

// relBefore names what keeps, in Ivy, a relation as it was before a step.
func (e *exporter) relBefore(i int) string { return "was_" + e.rel(i) }

// of writes a relation of terms.
func (e *exporter) of(rel int, args []string) string {
	switch {
	case e.asSets && e.Relations[rel].Fixed:
		return fmt.Sprintf("%s \\in %s", args[0], args[1])
	case e.asSets && len(args) == 1:
		return fmt.Sprintf("%s \\in %s", args[0], e.rel(rel))
	case e.asSets:
		return fmt.Sprintf("<<%s>> \\in %s", strings.Join(args, ", "), e.rel(rel))
	}
	name := e.rel(rel)
	if e.was[rel] {
		name = e.relBefore(rel)
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}

// formula writes a formula with a term for each variable, in brackets where it has parts.
func (e *exporter) formula(s *relation.Scope, f *relation.Formula, of []string) string {
	args := terms(f.Args, of)
	join := func(sign string) string {
		list := make([]string, len(f.Sub))
		for i, sub := range f.Sub {
			list[i] = e.formula(s, sub, of)
		}
		return "(" + strings.Join(list, sign) + ")"
	}
	switch f.Op {
	case relation.True, relation.False:
		text := map[relation.Op]string{relation.True: "true", relation.False: "false"}[f.Op]
		if e.asSets {
			return strings.ToUpper(text)
		}
		return text
	case relation.Atom:
		if e.asSets {
			return "(" + e.of(f.Rel, args) + ")"
		}
		return e.of(f.Rel, args)
	case relation.Equal:
		return "(" + args[0] + " = " + args[1] + ")"
	case relation.Less:
		return e.before(s.Vars[f.Args[0]].Sort, args[0], args[1])
	case relation.Between:
		return e.between(args)
	case relation.Next:
		return e.nextTo(args[0], args[1])
	case relation.Succ:
		return e.successor(s.Vars[f.Args[0]].Sort, args[0], args[1])
	case relation.Not:
		if sub := f.Sub[0]; sub.Op == relation.Equal {
			return "(" + strings.Join(terms(sub.Args, of), e.unequal) + ")"
		}
		return e.not + join("")
	case relation.And:
		return join(e.and)
	case relation.Or:
		return join(e.or)
	case relation.Implies:
		return join(e.implies)
	case relation.Iff:
		return join(e.iff)
	}
	of = slices.Clone(of)
	for _, v := range f.Args {
		of[v] = fmt.Sprintf("%s_%d", s.Vars[v].Name, v)
	}
	return "(" + e.quantifier(f.Op == relation.ForAll, s, f.Args, of) + e.formula(s, f.Sub[0], of) + ")"
}

func (e *exporter) before(sort int, a, b string) string {
	if e.less != "" {
		return "(" + fmt.Sprintf(e.less, a, b) + ")"
	}
	return "before_" + e.sort(sort) + "(" + a + ", " + b + ")"
}

func (e *exporter) between(args []string) string {
	if e.asSets {
		return fmt.Sprintf("Btw(%s)", strings.Join(args, ", "))
	}
	return fmt.Sprintf("btw(%s)", strings.Join(args, ", "))
}

func (e *exporter) nextTo(a, b string) string {
	if e.asSets {
		return fmt.Sprintf("Next(%s, %s)", a, b)
	}
	return fmt.Sprintf("next(%s, %s)", a, b)
}

func (e *exporter) successor(sort int, a, b string) string {
	if e.asSets {
		return fmt.Sprintf("(%s = %s + 1)", b, a)
	}
	return fmt.Sprintf("(%s & (forall ZZ:%s. %s(%s & %s)))", e.before(sort, a, b), e.sort(sort), e.not, e.before(sort, a, "ZZ"), e.before(sort, "ZZ", b))
}

// quantifier writes "forall X:process. " or "\A X \in Process : ".
func (e *exporter) quantifier(all bool, s *relation.Scope, vars []int, of []string) string {
	if len(vars) == 0 {
		return ""
	}
	var list []string
	for _, v := range vars {
		switch {
		case e.asSets:
			list = append(list, of[v]+" \\in "+e.set(s.Vars[v].Sort))
		case e.typed:
			list = append(list, of[v]+":"+e.sort(s.Vars[v].Sort))
		}
	}
	word := map[bool]string{true: "forall ", false: "exists "}[all]
	end := ". "
	if e.asSets {
		word, end = map[bool]string{true: "\\A ", false: "\\E "}[all], " : "
	}
	return word + strings.Join(list, ", ") + end
}

func (e *exporter) set(sort int) string {
	name := e.sort(sort)
	return strings.ToUpper(name[:1]) + name[1:]
}

// always writes that a sentence is true of all things.
func (e *exporter) always(s *relation.Sentence) string {
	of := e.names(&s.Scope, "")
	return e.quantifier(true, &s.Scope, s.Free, of) + e.formula(&s.Scope, s.Formula, of)
}

func (e *exporter) names(s *relation.Scope, prefix string) []string {
	of := make([]string, len(s.Vars))
	for i, v := range s.Vars {
		of[i] = prefix + plain(v.Name)
	}
	return of
}

// columns are variables for the places of a relation.
func (e *exporter) columns(rel int) (list []string) {
	for i := range e.Relations[rel].Sorts {
		list = append(list, fmt.Sprint("X", i))
	}
	return list
}

// typedColumns are those with their sorts.
func (e *exporter) typedColumns(rel int) string {
	list := e.columns(rel)
	for i, sort := range e.Relations[rel].Sorts {
		list[i] += ":" + e.sort(sort)
	}
	return strings.Join(list, ", ")
}

// axioms are those of orders, the ring and quorums, in first-order logic.
func (e *exporter) axioms(b *strings.Builder) {
	for i, s := range e.Sorts {
		of := e.sort(i)
		axiom := func(vars, format string) {
			list := strings.Split(vars, "")
			for k := range list {
				list[k] += ":" + of
			}
			fmt.Fprintf(b, "axiom forall %s. %s\n", strings.Join(list, ", "), fmt.Sprintf(format, e.not))
		}
		less := func(a, b string) string { return e.before(i, a, b) }
		if s.Ordered {
			axiom("X", "%s"+less("X", "X"))
			axiom("XYZ", less("X", "Y")+" & "+less("Y", "Z")+" -> "+less("X", "Z")+"%.0s")
			axiom("XY", less("X", "Y")+" | "+less("Y", "X")+" | (X = Y)%.0s")
		}
		if s.Ring {
			axiom("WXYZ", "btw(W, X, Y) & btw(W, Y, Z) -> btw(W, X, Z)%.0s")
			axiom("XYZ", "btw(X, Y, Z) -> btw(Y, Z, X) & %[1]sbtw(X, Z, Y) & %[1]s(X = Y) & %[1]s(X = Z) & %[1]s(Y = Z)")
			axiom("XYZ", "btw(X, Y, Z) | btw(X, Z, Y) | (X = Y) | (X = Z) | (Y = Z)%.0s")
			axiom("XYZ", "next(X, Y) -> %[1]s(X = Y) & ((Z = X) | (Z = Y) | btw(X, Y, Z))")
		}
		if s.QuorumOf >= 0 {
			fmt.Fprintf(b, "axiom forall Q:%[1]s, R:%[1]s. exists X:%[2]s. member(X, Q) & member(X, R)\n", of, e.sort(s.QuorumOf))
		}
	}
}

func (e *exporter) mypyvy() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, for mypyvy: written by bullyproof.\n\n", e.name)
	for i, s := range e.Sorts {
		fmt.Fprintf(&b, "sort %s\n", e.sort(i))
		if s.Ordered {
			fmt.Fprintf(&b, "immutable relation before_%[1]s(%[1]s, %[1]s)\n", e.sort(i))
		}
		if s.Ring {
			fmt.Fprintf(&b, "immutable relation btw(%[1]s, %[1]s, %[1]s)\nimmutable relation next(%[1]s, %[1]s)\n", e.sort(i))
		}
	}
	for i, r := range e.Relations {
		kind := "mutable"
		if r.Fixed {
			kind = "immutable"
		}
		list := make([]string, len(r.Sorts))
		for k, s := range r.Sorts {
			list[k] = e.sort(s)
		}
		fmt.Fprintf(&b, "%s relation %s(%s)\n", kind, e.rel(i), strings.Join(list, ", "))
	}
	b.WriteString("\n")
	e.axioms(&b)
	b.WriteString("\n")
	for i := range e.Init {
		fmt.Fprintf(&b, "init %s\n", e.always(&e.Init[i]))
	}
	for i, r := range e.Relations {
		if r.Ghost {
			fmt.Fprintf(&b, "init forall %s. !%s\n", e.typedColumns(i), e.of(i, e.columns(i)))
		}
	}
	for i := range e.Steps {
		e.mypyvyStep(&b, &e.Steps[i])
	}
	e.conclusions(&b, "safety")
	return b.String()
}

func (e *exporter) mypyvyStep(b *strings.Builder, st *relation.Step) {
	of := e.names(&st.Scope, "s_")
	var params, modifies, parts []string
	for _, v := range st.Free {
		params = append(params, of[v]+": "+e.sort(st.Vars[v].Sort))
	}
	parts = append(parts, e.formula(&st.Scope, st.Formula, of))
	for rel := range e.Relations {
		if !slices.ContainsFunc(st.Updates, func(u relation.Update) bool { return u.Rel == rel }) {
			continue
		}
		modifies = append(modifies, e.rel(rel))
		parts = append(parts, e.change(st, rel, of)...)
	}
	fmt.Fprintf(b, "\ntransition %s(%s)\n  modifies %s\n", plain(st.Name), strings.Join(params, ", "), strings.Join(modifies, ", "))
	for _, p := range parts {
		fmt.Fprintf(b, "  & (%s)\n", p)
	}
}

// change says what a relation is after a step. A tuple that may be dropped is between what it
// is with and without.
func (e *exporter) change(st *relation.Step, rel int, of []string) []string {
	columns := e.columns(rel)
	least := e.of(rel, columns)
	most := least
	for i := range st.Updates {
		u := &st.Updates[i]
		if u.Rel != rel {
			continue
		}
		if u.Kind == relation.Sets {
			inner := slices.Clone(of)
			for k, v := range u.Args {
				inner[v] = columns[k]
			}
			least = e.formula(&st.Scope, u.Formula, inner)
			most = least
			continue
		}
		var same []string
		for k, v := range u.Args {
			same = append(same, "("+columns[k]+" = "+of[v]+")")
		}
		it := "(" + strings.Join(same, e.and) + ")"
		switch u.Kind {
		case relation.Adds:
			least, most = "("+least+e.or+it+")", "("+most+e.or+it+")"
		case relation.Drops:
			least, most = "("+least+e.and+e.not+it+")", "("+most+e.and+e.not+it+")"
		case relation.MaybeDrops:
			least = "(" + least + e.and + e.not + it + ")"
		}
	}
	all := "forall " + e.typedColumns(rel) + ". "
	after := "new(" + e.of(rel, columns) + ")"
	if least == most {
		return []string{all + "(" + after + e.iff + least + ")"}
	}
	return []string{all + "(" + least + e.implies + after + ")", all + "(" + after + e.implies + most + ")"}
}

// conclusions says what is to be proved, in a word of the language, and the invariants.
func (e *exporter) conclusions(b *strings.Builder, word string) {
	b.WriteString("\n")
	for i := range e.Properties {
		fmt.Fprintf(b, "%s [%s] %s\n", word, plain(e.Properties[i].Name), e.always(&e.Properties[i]))
	}
	for i := range e.invariants {
		fmt.Fprintf(b, "invariant %s\n", e.always(&e.invariants[i]))
	}
}

func (e *exporter) ivy() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#lang ivy1.7\n# %s: written by bullyproof.\n\n", e.name)
	for i, s := range e.Sorts {
		fmt.Fprintf(&b, "type %s\n", e.sort(i))
		if s.Ordered {
			fmt.Fprintf(&b, "relation (X:%[1]s < Y:%[1]s)\n", e.sort(i))
		}
		if s.Ring {
			fmt.Fprintf(&b, "relation btw(X:%[1]s, Y:%[1]s, Z:%[1]s)\nrelation next(X:%[1]s, Y:%[1]s)\n", e.sort(i))
		}
	}
	kept := map[int]bool{}
	for i := range e.Steps {
		for _, rel := range overtaken(&e.Steps[i]) {
			kept[rel] = true
		}
	}
	for i := range e.Relations {
		fmt.Fprintf(&b, "relation %s(%s)\n", e.rel(i), e.typedColumns(i))
		if kept[i] {
			fmt.Fprintf(&b, "relation %s(%s)\n", e.relBefore(i), e.typedColumns(i))
		}
	}
	b.WriteString("\n")
	e.axioms(&b)
	b.WriteString("\nafter init {\n")
	for i := range e.Init {
		fmt.Fprintf(&b, "    assume %s;\n", e.always(&e.Init[i]))
	}
	for i, r := range e.Relations {
		if r.Ghost {
			fmt.Fprintf(&b, "    %s := false;\n", e.of(i, e.columns(i)))
		}
	}
	b.WriteString("}\n")
	for i := range e.Steps {
		e.ivyStep(&b, &e.Steps[i])
	}
	e.conclusions(&b, "invariant")
	return b.String()
}

// ivyStep writes a step. In Ivy one assignment follows the other, and what a later one asks of
// a relation that was changed is kept in another relation.
func (e *exporter) ivyStep(b *strings.Builder, st *relation.Step) {
	of := e.names(&st.Scope, "")
	var params []string
	for _, v := range st.Free {
		of[v] = "s_" + strings.ToLower(of[v])
		params = append(params, of[v]+":"+e.sort(st.Vars[v].Sort))
	}
	name := plain(st.Name)
	fmt.Fprintf(b, "\naction %s(%s) = {\n    assume %s;\n", name, strings.Join(params, ", "), e.formula(&st.Scope, st.Formula, of))
	was := map[int]bool{}
	for _, rel := range overtaken(st) {
		was[rel] = true
		columns := e.columns(rel)
		fmt.Fprintf(b, "    %s(%s) := %s;\n", e.relBefore(rel), strings.Join(columns, ", "), e.of(rel, columns))
	}
	for i := range st.Updates {
		u := &st.Updates[i]
		now := e.of(u.Rel, terms(u.Args, of))
		switch u.Kind {
		case relation.Adds:
			fmt.Fprintf(b, "    %s := true;\n", now)
		case relation.Drops:
			fmt.Fprintf(b, "    %s := false;\n", now)
		case relation.MaybeDrops:
			fmt.Fprintf(b, "    if * { %s := false } else { }\n", now)
		case relation.Sets:
			e.was = was
			fmt.Fprintf(b, "    %s := %s;\n", now, e.formula(&st.Scope, u.Formula, of))
			e.was = nil
		}
	}
	fmt.Fprintf(b, "}\nexport %s\n", name)
}

// overtaken returns the relations that a step changes before it sets another by them.
func overtaken(st *relation.Step) (list []int) {
	for i := range st.Updates {
		for k := range st.Updates[:i] {
			rel := st.Updates[k].Rel
			if u := &st.Updates[i]; u.Kind == relation.Sets && mentions(u.Formula, rel) && !slices.Contains(list, rel) {
				list = append(list, rel)
			}
		}
	}
	return list
}

// mentions reports whether a formula has a relation.
func mentions(f *relation.Formula, rel int) bool {
	return f.Op == relation.Atom && f.Rel == rel || slices.ContainsFunc(f.Sub, func(g *relation.Formula) bool { return mentions(g, rel) })
}
