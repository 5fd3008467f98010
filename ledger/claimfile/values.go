package claimfile

import (
	"errors"
	"maps"
	"math/big"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/ledger/claimfile/internal/formula"
)

// eval returns the value of a formula.
func (r *reader) eval(p *passage, vars map[string]int) (int, bool) {
	return valueOf(r, p, vars, (*formula.Formula).Eval)
}

// fraction returns the value of a formula that need be no whole number.
func (r *reader) fraction(p *passage, vars map[string]int) (*big.Rat, bool) {
	return valueOf(r, p, vars, (*formula.Formula).Fraction)
}

// valueOf returns what a formula comes to, in one of two ways.
func valueOf[V any](r *reader, p *passage, vars map[string]int, eval func(*formula.Formula, formula.Names) (V, error)) (v V, ok bool) {
	f, err := formula.Parse(p.text)
	if err == nil && !r.valued(p, f, vars) {
		return v, false
	}
	if err == nil {
		if v, err = eval(f, r.names(f, vars)); err == nil {
			return v, true
		}
	}
	var e *formula.Error
	if errors.As(err, &e) {
		r.failf(p.at(e.Offset), "%s", e.Text)
	}
	return v, false
}

// valued reports whether all variables of a formula have values.
func (r *reader) valued(p *passage, f *formula.Formula, vars map[string]int) bool {
	for _, name := range f.Variables() {
		_, bound := vars[name]
		if _, given := r.given[name].(int); !bound && !given && name == strings.ToUpper(name) {
			r.failf(p.start(), "%s has no value here: want \"for %s = ...\" before it is used", name, name)
			return false
		}
	}
	return true
}

// names returns what a formula may name: the variables of its line, and what Go
// gives.
func (r *reader) names(f *formula.Formula, vars map[string]int) formula.Names {
	n := formula.Names{Variables: vars, Functions: r.functions}
	for _, name := range f.Variables() {
		if r.given[name] == nil {
			continue
		}
		r.used[name] = true
		if v, ok := r.given[name].(int); ok {
			if _, bound := vars[name]; !bound {
				n.Variables = maps.Clone(n.Variables)
				if n.Variables == nil {
					n.Variables = make(map[string]int)
				}
				n.Variables[name] = v
			}
		}
	}
	return n
}

// functionsOf returns the functions that Go gives to formulas.
func functionsOf(given Names) map[string]formula.Function {
	all := make(map[string]formula.Function)
	for name, v := range given {
		switch f := v.(type) {
		case func() int:
			all[name] = formula.Function{Args: 0, Value: func([]int) int { return f() }}
		case func(int) int:
			all[name] = formula.Function{Args: 1, Value: func(a []int) int { return f(a[0]) }}
		case func(int, int) int:
			all[name] = formula.Function{Args: 2, Value: func(a []int) int { return f(a[0], a[1]) }}
		case func(int, int, int) int:
			all[name] = formula.Function{Args: 3, Value: func(a []int) int { return f(a[0], a[1], a[2]) }}
		}
	}
	return all
}

// figure returns what is printed or computed: a text in quotation marks, what a
// function of Go returns, or the value of a formula.
func (r *reader) figure(p *passage, vars map[string]int) string {
	if strings.HasPrefix(p.text, `"`) {
		return r.quoted(p, vars)
	}
	if open := strings.IndexByte(p.text, '('); open > 0 && strings.HasSuffix(p.text, ")") {
		switch r.given[p.text[:open]].(type) {
		case func() string, func(int) string, func(int, int) string, func(int, int, int) string:
			return r.callText(p, open, vars)
		}
	}
	v, _ := r.eval(p, vars)
	return strconv.Itoa(v)
}

// callText returns what a function of Go says.
func (r *reader) callText(p *passage, open int, vars map[string]int) string {
	name := p.text[:open]
	r.used[name] = true
	args, ok := r.arguments(p.slice(open+1, len(p.text)-1), vars)
	if !ok {
		return ""
	}
	switch f := r.given[name].(type) {
	case func() string:
		if len(args) == 0 {
			return f()
		}
	case func(int) string:
		if len(args) == 1 {
			return f(args[0])
		}
	case func(int, int) string:
		if len(args) == 2 {
			return f(args[0], args[1])
		}
	case func(int, int, int) string:
		if len(args) == 3 {
			return f(args[0], args[1], args[2])
		}
	}
	r.failf(p.start(), "Go gives %q as a %T: want as many arguments, not %d", name, r.given[name], len(args))
	return ""
}

// arguments returns the values of formulas between commas.
func (r *reader) arguments(p *passage, vars map[string]int) (args []int, ok bool) {
	if p.text == "" {
		return nil, true
	}
	for _, part := range p.split(",") {
		v, ok := r.eval(part, vars)
		if !ok {
			return nil, false
		}
		args = append(args, v)
	}
	return args, true
}

// quoted returns the text between quotation marks.
func (r *reader) quoted(p *passage, vars map[string]int) string {
	if len(p.text) < 3 || p.text[0] != '"' || p.text[len(p.text)-1] != '"' {
		r.failf(p.start(), "want a text in quotation marks")
		return ""
	}
	return strings.ReplaceAll(r.fill(p.slice(1, len(p.text)-1), vars), `\"`, `"`)
}

// fill returns a text in which what stands in braces was replaced: {N-1} by the
// value of the formula, {name} by the text of that name, {1..N} by 1,2,...,N,
// {1-..-N} by 1-2-...-N, and {{ by a brace.
func (r *reader) fill(p *passage, vars map[string]int) string {
	if !strings.Contains(p.text, "{") {
		return p.text
	}
	var b strings.Builder
	for i := 0; i < len(p.text); {
		open := strings.IndexByte(p.text[i:], '{')
		if open < 0 {
			b.WriteString(p.text[i:])
			break
		}
		b.WriteString(p.text[i : i+open])
		i += open + 1
		if strings.HasPrefix(p.text[i:], "{") {
			b.WriteByte('{')
			i++
			continue
		}
		end := strings.IndexByte(p.text[i:], '}')
		if end < 0 {
			r.failf(p.at(i-1), "the brace is not closed: want } (or {{ for a brace)")
			break
		}
		b.WriteString(r.braced(p.slice(i, i+end), vars))
		i += end + 1
	}
	return b.String()
}

// braced returns what stands for what is in braces.
func (r *reader) braced(p *passage, vars map[string]int) string {
	separator, dots := ",", ".."
	if strings.Contains(p.text, "-..-") {
		separator, dots = "-", "-..-"
	}
	if lo, hi, ok := strings.Cut(p.text, dots); ok {
		from, ok1 := r.eval(p.slice(0, len(lo)), vars)
		to, ok2 := r.eval(p.slice(len(p.text)-len(hi), len(p.text)), vars)
		if ok1 && ok2 && (to < from || to-from >= mostValues) {
			r.failf(p.start(), "{%s} is from %d to %d: want it to go up, by %d at most", nearest.Clip(p.text), from, to, mostValues)
			return ""
		}
		var ids []string
		for ; ok1 && ok2 && from <= to; from++ {
			ids = append(ids, strconv.Itoa(from))
		}
		return strings.Join(ids, separator)
	}
	if p.text != "" && p.text[0] >= 'a' && p.text[0] <= 'z' && !strings.Contains(p.text, "(") {
		if text, ok := r.given[p.text].(string); ok {
			r.used[p.text] = true
			return text
		}
		if d := r.find(r.texts, "text", p); d != nil {
			return d.text
		}
		return ""
	}
	return r.figure(p, vars)
}
