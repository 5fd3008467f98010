package relation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A token is a word or a sign of a formula, and the column of its beginning, from 1.
type token struct {
	text   string
	column int
}

var signs = []string{"<->", "->", "~=", "!=", "<=", ">=", "<", ">", "=", "(", ")", ",", ".", "~", "&", "|", ":"}

func tokens(text string) (list []token, err error) {
	for at := 0; at < len(text); {
		r := rune(text[at])
		switch {
		case unicode.IsSpace(r):
			at++
		case unicode.IsLetter(r) || r == '_':
			end := at
			for end < len(text) && isWord(text[end]) {
				end++
			}
			list, at = append(list, token{text[at:end], at + 1}), end
		default:
			i := slices.IndexFunc(signs, func(s string) bool { return strings.HasPrefix(text[at:], s) })
			if i < 0 {
				return nil, fmt.Errorf("column %d: %q is no sign of a formula; want a name or one of %s", at+1, r, strings.Join(signs, " "))
			}
			list, at = append(list, token{signs[i], at + 1}), at+len(signs[i])
		}
	}
	return list, nil
}

func isWord(b byte) bool {
	return b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// A reader reads the formula of one sentence or step into its scope.
type reader struct {
	d     *Description
	scope *Scope
	bound []int // variables that quantifiers around bind
	open  bool  // a name that is not known is a free variable
	left  []token
	end   int // the column after the text
}

// errDeep is a formula that is nested too deeply to be meant.
var errDeep = errors.New("more than 100 signs of nesting")

// formula reads a whole text.
func (d *Description) formula(scope *Scope, text string, open bool) (*Formula, error) {
	list, err := tokens(text)
	if err != nil {
		return nil, err
	}
	r := &reader{d: d, scope: scope, open: open, left: list, end: len(text) + 1}
	f, err := r.iff(0)
	if err != nil {
		return nil, err
	}
	if len(r.left) > 0 {
		return nil, fmt.Errorf("column %d: %q is left over; want & or | or -> before it", r.left[0].column, r.left[0].text)
	}
	return f, nil
}

func (r *reader) at() int {
	if len(r.left) > 0 {
		return r.left[0].column
	}
	return r.end
}

func (r *reader) peek() string {
	if len(r.left) > 0 {
		return r.left[0].text
	}
	return ""
}

func (r *reader) take(text string) bool {
	if r.peek() != text {
		return false
	}
	r.left = r.left[1:]
	return true
}

func (r *reader) want(text string) error {
	if !r.take(text) {
		return fmt.Errorf("column %d: want %q, have %q", r.at(), text, r.peek())
	}
	return nil
}

func (r *reader) iff(depth int) (*Formula, error) {
	return r.two("<->", Iff, r.implies, r.implies, depth)
}

func (r *reader) implies(depth int) (*Formula, error) {
	return r.two("->", Implies, r.or, r.implies, depth)
}

// two reads a formula, and where the sign comes next another one.
func (r *reader) two(sign string, op Op, first, second func(int) (*Formula, error), depth int) (*Formula, error) {
	f, err := first(depth)
	if err != nil || !r.take(sign) {
		return f, err
	}
	if depth > 100 {
		return nil, errDeep
	}
	g, err := second(depth + 1)
	return &Formula{Op: op, Sub: []*Formula{f, g}}, err
}

func (r *reader) or(depth int) (*Formula, error) { return r.many("|", Or, r.and, depth) }

func (r *reader) and(depth int) (*Formula, error) { return r.many("&", And, r.unary, depth) }

func (r *reader) many(sign string, op Op, part func(int) (*Formula, error), depth int) (*Formula, error) {
	f, err := part(depth)
	if err != nil || r.peek() != sign {
		return f, err
	}
	list := []*Formula{f}
	for r.take(sign) {
		if f, err = part(depth); err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return &Formula{Op: op, Sub: list}, nil
}

func (r *reader) unary(depth int) (*Formula, error) {
	if depth > 100 {
		return nil, errDeep
	}
	switch {
	case r.take("~"):
		f, err := r.unary(depth + 1)
		return &Formula{Op: Not, Sub: []*Formula{f}}, err
	case r.take("("):
		f, err := r.iff(depth + 1)
		if err != nil {
			return nil, err
		}
		return f, r.want(")")
	case r.take("forall"):
		return r.quantified(ForAll, depth)
	case r.take("exists"):
		return r.quantified(Exists, depth)
	case r.take("true"):
		return &Formula{Op: True}, nil
	case r.take("false"):
		return &Formula{Op: False}, nil
	}
	return r.atom()
}

// quantified reads "X, Y: process. F".
func (r *reader) quantified(op Op, depth int) (*Formula, error) {
	f := &Formula{Op: op}
	for {
		name, column := r.peek(), r.at()
		if !isVariable(name) {
			return nil, fmt.Errorf("column %d: %q is no variable; want a word that begins with a capital letter", column, name)
		}
		r.left = r.left[1:]
		sort := -1
		if r.take(":") {
			if sort = r.d.sort(r.peek()); sort < 0 {
				return nil, fmt.Errorf("column %d: no sort %q; there are %s", r.at(), r.peek(), r.d.sortNames())
			}
			r.left = r.left[1:]
		}
		r.scope.Vars = append(r.scope.Vars, Var{name, sort})
		f.Args = append(f.Args, len(r.scope.Vars)-1)
		if !r.take(",") {
			break
		}
	}
	if err := r.want("."); err != nil {
		return nil, err
	}
	r.bound = append(r.bound, f.Args...)
	sub, err := r.iff(depth + 1)
	r.bound = r.bound[:len(r.bound)-len(f.Args)]
	f.Sub = []*Formula{sub}
	return f, err
}

func isVariable(name string) bool { return name != "" && 'A' <= name[0] && name[0] <= 'Z' }

// variable reads a variable, of a sort if that is known.
func (r *reader) variable(sort int) (int, error) {
	name, column := r.peek(), r.at()
	if !isVariable(name) {
		return 0, fmt.Errorf("column %d: %q is no variable; want a word that begins with a capital letter", column, name)
	}
	r.left = r.left[1:]
	v := -1
	for _, b := range slices.Backward(r.bound) {
		if r.scope.Vars[b].Name == name {
			v = b
			break
		}
	}
	if v < 0 {
		for _, free := range r.scope.Free {
			if r.scope.Vars[free].Name == name {
				v = free
			}
		}
	}
	if v < 0 {
		if !r.open {
			return 0, fmt.Errorf("column %d: no variable %s is known here", column, name)
		}
		v = r.scope.free(name, -1)
	}
	if have := &r.scope.Vars[v].Sort; sort >= 0 {
		if *have >= 0 && *have != sort {
			return 0, fmt.Errorf("column %d: %s is of sort %s; want one of sort %s", column, name, r.d.Sorts[*have].Name, r.d.Sorts[sort].Name)
		}
		*have = sort
	}
	return v, nil
}

// free adds a free variable.
func (s *Scope) free(name string, sort int) int {
	s.Vars = append(s.Vars, Var{name, sort})
	s.Free = append(s.Free, len(s.Vars)-1)
	return len(s.Vars) - 1
}

// args reads "(X, Y)", variables of these sorts.
func (r *reader) args(of string, sorts []int) (list []int, err error) {
	column := r.at()
	if err := r.want("("); err != nil {
		return nil, err
	}
	for i := 0; ; i++ {
		sort := -1
		if i < len(sorts) {
			sort = sorts[i]
		}
		v, err := r.variable(sort)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		if !r.take(",") {
			break
		}
	}
	if err := r.want(")"); err != nil {
		return nil, err
	}
	if len(list) != len(sorts) {
		return nil, fmt.Errorf("column %d: %s has %d arguments; want %d", column, of, len(list), len(sorts))
	}
	return list, nil
}

func (r *reader) atom() (*Formula, error) {
	name, column := r.peek(), r.at()
	if name == "" {
		return nil, fmt.Errorf("column %d: the formula ends; want a relation or a variable", column)
	}
	if isVariable(name) {
		return r.comparison()
	}
	builtin := map[string]Op{"next": Next, "btw": Between, "succ": Succ}
	if op, ok := builtin[name]; ok {
		r.left = r.left[1:]
		sorts, err := r.d.builtin(op)
		if err != nil {
			return nil, fmt.Errorf("column %d: %w", column, err)
		}
		args, err := r.args(name, sorts)
		return &Formula{Op: op, Args: args}, err
	}
	rel := r.d.Relation(name)
	if rel < 0 {
		return nil, fmt.Errorf("column %d: no relation %q; there are %s", column, name, r.d.relationNames())
	}
	r.left = r.left[1:]
	args, err := r.args(name, r.d.Relations[rel].Sorts)
	return &Formula{Op: Atom, Rel: rel, Args: args}, err
}

// comparison reads "X = Y" and the like. Both sides are of one sort.
func (r *reader) comparison() (*Formula, error) {
	a, err := r.variable(-1)
	if err != nil {
		return nil, err
	}
	sign, column := r.peek(), r.at()
	if !slices.Contains([]string{"=", "~=", "!=", "<", "<=", ">", ">="}, sign) {
		return nil, fmt.Errorf("column %d: %q behind variable %s; want = or ~= or < or <=", column, sign, r.scope.Vars[a].Name)
	}
	r.left = r.left[1:]
	b, err := r.variable(r.scope.Vars[a].Sort)
	if err != nil {
		return nil, err
	}
	if r.scope.Vars[a].Sort < 0 {
		r.scope.Vars[a].Sort = r.scope.Vars[b].Sort
	}
	same, less := &Formula{Op: Equal, Args: []int{a, b}}, &Formula{Op: Less, Args: []int{a, b}}
	more := &Formula{Op: Less, Args: []int{b, a}}
	switch sign {
	case "=":
		return same, nil
	case "~=", "!=":
		return &Formula{Op: Not, Sub: []*Formula{same}}, nil
	case "<":
		return less, nil
	case ">":
		return more, nil
	case "<=":
		return &Formula{Op: Not, Sub: []*Formula{more}}, nil
	default:
		return &Formula{Op: Not, Sub: []*Formula{less}}, nil
	}
}
