package relation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Sort is a kind of things that relations are about.
type Sort struct {
	Name string
	// Ordered says that its things have a total order, "<"; processes that of their ids.
	Ordered bool
	// Ring says that its things stand in a ring: btw and next.
	Ring bool
	// QuorumOf is the sort of whose things it has sets of which any two meet, by their
	// relation member; -1 as a rule. In instances they are those of Model.Quorums.
	QuorumOf int
	// Values is how many things it has in instances, 0 for that of the processes, of which
	// there are N, and for quorums.
	Values int
}

// A Relation of things, which changes in the course of a run unless it is fixed.
type Relation struct {
	Name  string
	Sorts []int
	// Ghost says that no state of the protocol has it: it remembers what steps add to it,
	// and is empty in the beginning.
	Ghost bool
	// Fixed says that no step changes it: member.
	Fixed bool
}

// An UpdateKind is how a step changes a relation.
type UpdateKind uint8

// The ways to change a relation.
const (
	Adds       UpdateKind = iota // one tuple, Args
	Drops                        // one tuple
	MaybeDrops                   // one tuple, or not: there may have been two messages alike
	Sets                         // each tuple, to what the formula says of Args
)

// An Update is what a step does to a relation.
type Update struct {
	Kind    UpdateKind
	Rel     int
	Args    []int // variables of the step
	Formula *Formula
}

// A Step is what can happen: where the guard is true of things, the relations change.
// The updates are carried out in order, formulas in them speak of the state before.
type Step struct {
	Sentence // the guard
	Updates  []Update
	// May says that the step can happen more often than in the protocol, so that it need
	// not be one of its steps.
	May bool
}

// A Setting is the world of the instances: a text of package setting without a number of
// processes, and for which numbers.
type Setting struct {
	From, To int
	Text     string
}

// String is the setting as a description has it: "n=2..4 topology=ring".
func (s Setting) String() string { return fmt.Sprintf("n=%d..%d %s", s.From, s.To, s.Text) }

// A Description is a protocol as relations and steps. Parse reads one.
type Description struct {
	Sorts     []Sort
	Relations []Relation
	Settings  []Setting
	Init      []Sentence
	Steps     []Step
	// Lemmas are what its author adds to what is found.
	Lemmas []Sentence
	// Properties are what is to be proved.
	Properties []Sentence
}

// Process is the place of the sort of processes, the first.
const Process = 0

func (d *Description) sort(name string) int {
	return slices.IndexFunc(d.Sorts, func(s Sort) bool { return s.Name == name })
}

// Relation returns the place of a relation, or -1.
func (d *Description) Relation(name string) int {
	return slices.IndexFunc(d.Relations, func(r Relation) bool { return r.Name == name })
}

func (d *Description) sortNames() string {
	return listed(d.Sorts, func(s Sort) string { return s.Name })
}

func (d *Description) relationNames() string {
	return listed(d.Relations, func(r Relation) string { return r.Name })
}

func listed[T any](list []T, name func(T) string) string {
	names := make([]string, len(list))
	for i, one := range list {
		names[i] = name(one)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// builtin returns the sorts of the arguments of btw, next and succ.
func (d *Description) builtin(op Op) ([]int, error) {
	if op == Succ {
		for i, s := range d.Sorts {
			if s.Ordered && i != Process {
				return []int{i, i}, nil
			}
		}
		return nil, errors.New("succ needs a sort other than the first with an order: \"sort term order 0..3\"")
	}
	if len(d.Sorts) == 0 || !d.Sorts[Process].Ring {
		return nil, errors.New("btw and next need processes in a ring: \"sort process order ring\"")
	}
	return []int{Process, Process, Process}[:map[Op]int{Next: 2, Between: 3}[op]], nil
}

// A statement is a line of a description, with those that continue it.
type statement struct {
	line int
	text string
}

// Parse reads a description. Each line is a statement, or continues the one before if it is
// indented; an empty one, and what stands behind #, says nothing. Errors begin with the line.
//
//	sort process [order] [ring]      first; its things are the processes
//	sort NAME order A..B             values, in instances from A to B
//	sort NAME of process             quorums, with relation member(process, NAME)
//	relation NAME(SORT, ...)         of states
//	ghost NAME(SORT, ...)            remembered
//	setting n=A..B TEXT              instances
//	init FORMULA                     of every initial state
//	may, or step NAME(VAR, ...)      one that can happen more often than in the protocol; or as often
//	    when FORMULA
//	    add NAME(VAR, ...), drop NAME(VAR, ...), maybe drop NAME(VAR, ...), set NAME(VAR, ...) = FORMULA
//	lemma NAME FORMULA               what the author knows
//	property NAME FORMULA            what is to be proved
func Parse(text string) (*Description, error) {
	d := &Description{}
	var list []statement
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case line[0] != ' ' && line[0] != '\t':
			list = append(list, statement{i + 1, trimmed})
		case len(list) == 0:
			return nil, fmt.Errorf("line %d: it is indented, and continues nothing", i+1)
		default:
			list[len(list)-1].text += "\n" + trimmed
		}
	}
	for _, s := range list {
		if err := d.statement(s.text); err != nil {
			return nil, fmt.Errorf("line %d: %w", s.line, err)
		}
	}
	switch {
	case len(d.Sorts) == 0:
		return nil, errors.New("no sort; want \"sort process\" first")
	case len(d.Settings) == 0:
		return nil, errors.New("no setting; want \"setting n=2..4\" and the rest of a setting")
	case len(d.Steps) == 0:
		return nil, errors.New("no step")
	case len(d.Properties) == 0:
		return nil, errors.New("no property")
	}
	return d, nil
}

func (d *Description) statement(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	if len(d.Sorts) == 0 && word != "sort" {
		return fmt.Errorf("%q before any sort; want \"sort process\" first", word)
	}
	if word != "step" && word != "may" {
		rest = strings.ReplaceAll(rest, "\n", " ")
	}
	switch word {
	case "sort":
		return d.addSort(strings.Fields(rest))
	case "relation", "ghost":
		return d.addRelation(rest, word == "ghost")
	case "setting":
		return d.addSetting(rest)
	case "init":
		return d.sentence(&d.Init, "", rest)
	case "lemma", "property":
		name, formula, _ := strings.Cut(rest, " ")
		into := &d.Lemmas
		if word == "property" {
			into = &d.Properties
		}
		if slices.ContainsFunc(*into, func(s Sentence) bool { return s.Name == name }) {
			return fmt.Errorf("%s %s a second time", word, name)
		}
		return d.sentence(into, name, formula)
	case "step", "may":
		return d.step(rest, word == "may")
	}
	return fmt.Errorf("%q begins no statement; want sort, relation, ghost, setting, init, step, may, lemma or property", word)
}

func (d *Description) addSort(words []string) error {
	if len(words) == 0 {
		return errors.New("a sort without a name")
	}
	s := Sort{Name: words[0], QuorumOf: -1}
	if d.sort(s.Name) >= 0 {
		return fmt.Errorf("sort %s a second time", s.Name)
	}
	for i := 1; i < len(words); i++ {
		first := len(d.Sorts) == 0
		switch w := words[i]; {
		case w == "order":
			s.Ordered = true
		case w == "ring" && first:
			s.Ring = true
		case w == "of" && i+1 < len(words) && !first && d.sort(words[i+1]) == Process:
			s.QuorumOf = Process
			i++
		default:
			from, to, ok := span(w)
			if !ok || first || from != 0 {
				return fmt.Errorf("sort %s: %q; want order, 0..3, of %s, or for the first sort ring", s.Name, w, listed(d.Sorts[:min(1, len(d.Sorts))], func(s Sort) string { return s.Name }))
			}
			s.Values = to + 1
		}
	}
	d.Sorts = append(d.Sorts, s)
	switch {
	case s.QuorumOf >= 0:
		if d.Relation("member") >= 0 {
			return fmt.Errorf("sort %s: there can be one sort of quorums", s.Name)
		}
		d.Relations = append(d.Relations, Relation{Name: "member", Sorts: []int{s.QuorumOf, len(d.Sorts) - 1}, Fixed: true})
	case len(d.Sorts) > 1 && s.Values == 0:
		return fmt.Errorf("sort %s: how many are there in instances? Want values such as 0..3, or \"of process\" for quorums", s.Name)
	}
	return nil
}

// span reads "A..B", of which each is at most 20.
func span(text string) (from, to int, ok bool) {
	a, b, ok := strings.Cut(text, "..")
	from, err1 := strconv.Atoi(a)
	to, err2 := strconv.Atoi(b)
	return from, to, ok && err1 == nil && err2 == nil && 0 <= from && from <= to && to <= 20
}

func (d *Description) addRelation(text string, ghost bool) error {
	name, rest, ok := strings.Cut(text, "(")
	rest, closed := strings.CutSuffix(rest, ")")
	name = strings.TrimSpace(name)
	if !ok || !closed || !isName(name) {
		return fmt.Errorf("relation %q; want a name and its sorts, such as pending(process, process)", text)
	}
	if d.Relation(name) >= 0 {
		return fmt.Errorf("relation %s a second time", name)
	}
	r := Relation{Name: name, Ghost: ghost}
	for of := range strings.SplitSeq(rest, ",") {
		sort := d.sort(strings.TrimSpace(of))
		if sort < 0 {
			return fmt.Errorf("relation %s: no sort %q; there are %s", name, strings.TrimSpace(of), d.sortNames())
		}
		r.Sorts = append(r.Sorts, sort)
	}
	if len(r.Sorts) > 4 {
		return fmt.Errorf("relation %s of %d things; want at most 4", name, len(r.Sorts))
	}
	d.Relations = append(d.Relations, r)
	return nil
}

// isName reports whether a name is one of a relation: it begins with a small letter, and is no
// word of the language.
func isName(name string) bool {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	for i := range len(name) {
		if !isWord(name[i]) {
			return false
		}
	}
	return !slices.Contains([]string{"forall", "exists", "true", "false", "btw", "next", "succ", "member"}, name)
}

func (d *Description) addSetting(text string) error {
	first, rest, _ := strings.Cut(text, " ")
	numbers, ok := strings.CutPrefix(first, "n=")
	from, to, good := span(numbers)
	if !ok || !good || from < 1 || to > 8 {
		return fmt.Errorf("setting %q; want it to begin with numbers of processes from 1 to 8, such as n=2..4", text)
	}
	d.Settings = append(d.Settings, Setting{from, to, strings.TrimSpace(rest)})
	return nil
}

// sentence adds a formula, whose variables are free where no quantifier binds them.
func (d *Description) sentence(into *[]Sentence, name, text string) error {
	s, err := d.Sentence(name, text)
	if err != nil {
		return err
	}
	*into = append(*into, s)
	return nil
}

// Sentence reads a formula over the relations, with a name.
func (d *Description) Sentence(name, text string) (Sentence, error) {
	s := Sentence{Name: name}
	f, err := d.formula(&s.Scope, text, true)
	if err == nil {
		err = d.settle(&s.Scope, f)
	}
	s.Formula = f
	return s, err
}

// settle gives variables sorts by what they are compared with. With one sort, all are of it.
func (d *Description) settle(s *Scope, list ...*Formula) error {
	for range s.Vars {
		for _, f := range list {
			if err := d.compare(s, f); err != nil {
				return err
			}
		}
	}
	for i := range s.Vars {
		v := &s.Vars[i]
		if v.Sort < 0 && len(d.Sorts) > 1 {
			return fmt.Errorf("variable %s: of which sort? Want it in a relation", v.Name)
		}
		v.Sort = max(v.Sort, 0)
	}
	for _, f := range list {
		if err := d.ordered(s, f); err != nil {
			return err
		}
	}
	return nil
}

func (d *Description) compare(s *Scope, f *Formula) error {
	if f.Op == Equal || f.Op == Less {
		a, b := &s.Vars[f.Args[0]], &s.Vars[f.Args[1]]
		if a.Sort >= 0 && b.Sort >= 0 && a.Sort != b.Sort {
			return fmt.Errorf("%s is of sort %s, and %s of sort %s: they cannot be compared", a.Name, d.Sorts[a.Sort].Name, b.Name, d.Sorts[b.Sort].Name)
		}
		a.Sort, b.Sort = max(a.Sort, b.Sort), max(a.Sort, b.Sort)
	}
	for _, sub := range f.Sub {
		if err := d.compare(s, sub); err != nil {
			return err
		}
	}
	return nil
}

// ordered reports a comparison by an order that a sort does not have.
func (d *Description) ordered(s *Scope, f *Formula) error {
	if f.Op == Less {
		if of := d.Sorts[s.Vars[f.Args[0]].Sort]; !of.Ordered {
			return fmt.Errorf("%s < %s: sort %s has no order; want \"sort %s order\"", s.Vars[f.Args[0]].Name, s.Vars[f.Args[1]].Name, of.Name, of.Name)
		}
	}
	for _, sub := range f.Sub {
		if err := d.ordered(s, sub); err != nil {
			return err
		}
	}
	return nil
}

// step reads "NAME(VAR, ...)" and the lines below it.
func (d *Description) step(text string, may bool) error {
	lines := strings.Split(text, "\n")
	name, rest, _ := strings.Cut(lines[0], "(")
	st := Step{May: may}
	if st.Name = strings.TrimSpace(name); !isName(st.Name) {
		return fmt.Errorf("step %q; want a name that begins with a small letter, and variables: pass(M, P)", st.Name)
	}
	if slices.ContainsFunc(d.Steps, func(s Step) bool { return s.Name == st.Name }) {
		return fmt.Errorf("step %s a second time", st.Name)
	}
	rest, closed := strings.CutSuffix(strings.TrimSpace(rest), ")")
	if !closed {
		return fmt.Errorf("step %s: want its variables in brackets, such as %s(P, Q)", st.Name, st.Name)
	}
	for v := range strings.SplitSeq(rest, ",") {
		if v = strings.TrimSpace(v); !isVariable(v) || strings.ContainsFunc(v, func(r rune) bool { return r > 127 || !isWord(byte(r)) }) {
			return fmt.Errorf("step %s: %q is no variable; want a word that begins with a capital letter", st.Name, v)
		}
		st.free(v, -1)
	}
	var whole []string // lines joined with those that continue them
	for _, line := range lines[1:] {
		word, _, _ := strings.Cut(line, " ")
		if len(whole) > 0 && !slices.Contains([]string{"when", "add", "drop", "maybe", "set"}, word) {
			whole[len(whole)-1] += " " + line
		} else {
			whole = append(whole, line)
		}
	}
	for _, line := range whole {
		if err := d.clause(&st, line); err != nil {
			return fmt.Errorf("step %s: %q: %w", st.Name, line, err)
		}
	}
	if st.Formula == nil {
		st.Formula = &Formula{Op: True}
	}
	all := []*Formula{st.Formula}
	for _, u := range st.Updates {
		if u.Formula != nil {
			all = append(all, u.Formula)
		}
	}
	if err := d.settle(&st.Scope, all...); err != nil {
		return fmt.Errorf("step %s: %w", st.Name, err)
	}
	d.Steps = append(d.Steps, st)
	return nil
}

// clause reads a line of a step.
func (d *Description) clause(st *Step, line string) error {
	word, rest, _ := strings.Cut(line, " ")
	if word == "when" {
		f, err := d.formula(&st.Scope, rest, false)
		if err == nil {
			st.Formula = both(st.Formula, f)
		}
		return err
	}
	u := Update{}
	formula := ""
	switch word {
	case "add":
		u.Kind = Adds
	case "drop":
		u.Kind = Drops
	case "maybe":
		u.Kind = MaybeDrops
		if word, rest, _ = strings.Cut(rest, " "); word != "drop" {
			return errors.New("want \"maybe drop\"")
		}
	case "set":
		u.Kind = Sets
		var ok bool
		if rest, formula, ok = strings.Cut(rest, "="); !ok {
			return errors.New("want a formula behind =")
		}
	default:
		return fmt.Errorf("%q; want when, add, drop, maybe drop or set", word)
	}
	name, args, _ := strings.Cut(rest, "(")
	if u.Rel = d.Relation(strings.TrimSpace(name)); u.Rel < 0 {
		return fmt.Errorf("no relation %q; there are %s", strings.TrimSpace(name), d.relationNames())
	}
	if d.Relations[u.Rel].Fixed {
		return fmt.Errorf("relation %s is fixed", d.Relations[u.Rel].Name)
	}
	list, err := tokens("(" + args)
	if err != nil {
		return err
	}
	r := &reader{d: d, scope: &st.Scope, left: list, end: len(args)}
	if u.Kind == Sets {
		return d.sets(st, u, r, formula)
	}
	if u.Args, err = r.args(d.Relations[u.Rel].Name, d.Relations[u.Rel].Sorts); err == nil {
		st.Updates = append(st.Updates, u)
	}
	return err
}

// sets reads the variables of "set NAME(X, Y) = FORMULA", which are new ones.
func (d *Description) sets(st *Step, u Update, r *reader, formula string) error {
	names := &Scope{}
	args := &reader{d: d, scope: names, left: r.left, end: r.end, open: true}
	if _, err := args.args(d.Relations[u.Rel].Name, d.Relations[u.Rel].Sorts); err != nil {
		return err
	}
	for _, v := range names.Vars {
		st.Vars = append(st.Vars, v)
		u.Args = append(u.Args, len(st.Vars)-1)
	}
	if len(u.Args) != len(d.Relations[u.Rel].Sorts) {
		return errors.New("want a variable of its own for each place")
	}
	list, err := tokens(formula)
	if err != nil {
		return err
	}
	inner := &reader{d: d, scope: &st.Scope, bound: u.Args, left: list, end: len(formula) + 1}
	if u.Formula, err = inner.iff(0); err != nil {
		return err
	}
	if len(inner.left) > 0 {
		return fmt.Errorf("%q is left over", inner.left[0].text)
	}
	st.Updates = append(st.Updates, u)
	return nil
}
