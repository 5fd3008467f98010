// Package formula reads and evaluates the formulas of papers: "3N-1",
// "(N-P+1)(N-P)+N-1", "N²", "floor(log2(N))+1".
//
// A formula has whole numbers, variables (words in capitals: N, FPN), the signs
// + - * / ^, and parentheses. As in print, a number or a parenthesis may stand
// directly before what it multiplies, and ² and ³ are powers. Functions are min
// and max, floor and ceil, log2, and those that are given. The value is a whole
// number, unless a fraction is asked for: 7/2 is an error, and floor(7/2) is 3.
package formula

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"bullyproof/internal/nearest"
)

// Names are what a formula may name.
type Names struct {
	// Variables have their values.
	Variables map[string]int
	// Functions take whole numbers, each so many as Args says.
	Functions map[string]Function
}

// A Function is one of whole numbers.
type Function struct {
	Args  int
	Value func(args []int) int
}

// An Error says what is wrong in a formula, and where.
type Error struct {
	Offset int // of the text, in bytes, 0 or more
	Text   string
}

// Error returns the text alone.
func (e *Error) Error() string { return e.Text }

// Bounds on what is read and computed.
const (
	mostText  = 1000 // bytes
	mostDepth = 100  // parentheses and signs within each other
	mostPower = 64
	mostBits  = 256
)

// A Formula is one that was read.
type Formula struct{ root *node }

// A node is a part of a formula: a number, a variable, or an operation.
type node struct {
	at   int
	kind byte // 'n' number, 'v' variable, 'f' function; else the sign, '~' for the one of a negative number
	name string
	num  *big.Rat
	args []*node
}

// Parse reads a formula. An error is an *Error.
func Parse(text string) (*Formula, error) {
	if len(text) > mostText {
		return nil, &Error{mostText, fmt.Sprintf("the formula is longer than %d bytes", mostText)}
	}
	p := &parser{text: text}
	root, err := p.sum()
	if err == nil {
		if p.space(); p.pos < len(text) {
			err = p.unexpected("want a sign or the end of the formula")
		}
	}
	if err != nil {
		return nil, err
	}
	return &Formula{root}, nil
}

// Eval returns the value of a formula, a whole number that an int32 can hold. An
// error is an *Error.
func (f *Formula) Eval(names Names) (int, error) {
	v, err := f.root.eval(&names)
	if err != nil {
		return 0, err
	}
	return whole(f.root, v)
}

// Fraction returns the value of a formula, which need be no whole number. An error is an *Error.
func (f *Formula) Fraction(names Names) (*big.Rat, error) { return f.root.eval(&names) }

// Variables returns the names of the variables and functions in a formula, in
// their order.
func (f *Formula) Variables() (list []string) {
	var walk func(n *node)
	walk = func(n *node) {
		if (n.kind == 'v' || n.kind == 'f') && !slices.Contains(list, n.name) {
			list = append(list, n.name)
		}
		for _, a := range n.args {
			walk(a)
		}
	}
	walk(f.root)
	return list
}

// whole returns a value as an int.
func whole(n *node, v *big.Rat) (int, error) {
	if !v.IsInt() {
		return 0, n.errorf("%s is not a whole number: want floor(...) or ceil(...)", v.RatString())
	}
	i := v.Num()
	if i.BitLen() > 31 {
		return 0, n.errorf("%s is too large: want at most %d", nearest.Clip(i.String()), 1<<31-1)
	}
	return int(i.Int64()), nil
}

func (n *node) errorf(format string, args ...any) error {
	return &Error{n.at, fmt.Sprintf(format, args...)}
}

// eval returns the value of a part.
func (n *node) eval(names *Names) (*big.Rat, error) {
	switch n.kind {
	case 'n':
		return n.num, nil
	case 'v':
		v, ok := names.Variables[n.name]
		if !ok {
			known := slices.Sorted(maps.Keys(names.Variables))
			return nil, n.errorf("%s has no value here: %s", n.name, nearest.Hint(n.name, known))
		}
		return new(big.Rat).SetInt64(int64(v)), nil
	case 'f':
		return n.call(names)
	}
	args := make([]*big.Rat, len(n.args))
	for i, a := range n.args {
		v, err := a.eval(names)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	v, err := n.operate(args)
	if err == nil && (v.Num().BitLen() > mostBits || v.Denom().BitLen() > mostBits) {
		err = n.errorf("a number of more than %d bits comes up", mostBits)
	}
	return v, err
}

// operate applies a sign.
func (n *node) operate(args []*big.Rat) (*big.Rat, error) {
	out := new(big.Rat)
	switch n.kind {
	case '~':
		return out.Neg(args[0]), nil
	case '+':
		return out.Add(args[0], args[1]), nil
	case '-':
		return out.Sub(args[0], args[1]), nil
	case '*':
		return out.Mul(args[0], args[1]), nil
	case '/':
		if args[1].Sign() == 0 {
			return nil, n.errorf("division by 0")
		}
		return out.Quo(args[0], args[1]), nil
	}
	k, err := whole(n.args[1], args[1])
	if err != nil {
		return nil, err
	}
	if k < 0 || k > mostPower {
		return nil, n.args[1].errorf("%d is no exponent: want 0 to %d", k, mostPower)
	}
	out.SetInt64(1)
	for range k {
		if out.Mul(out, args[0]); out.Num().BitLen() > mostBits {
			break // eval reports it
		}
	}
	return out, nil
}

// builtin are the functions that every formula has, and what they take; 0 stands
// for one argument or more.
var builtin = map[string]int{"min": 0, "max": 0, "floor": 1, "ceil": 1, "log2": 1, "mod": 2}

// call applies a function.
func (n *node) call(names *Names) (*big.Rat, error) {
	given, ok := names.Functions[n.name]
	want, known := builtin[n.name]
	if ok {
		want = given.Args
	} else if !known {
		var all []string
		for name := range names.Functions {
			all = append(all, name)
		}
		for name := range builtin {
			all = append(all, name)
		}
		slices.Sort(all)
		return nil, n.errorf("unknown function %q: %s", nearest.Clip(n.name), nearest.Hint(n.name, all))
	}
	if any := !ok && want == 0; len(n.args) != want && !any || any && len(n.args) == 0 {
		return nil, n.errorf("%s has %d arguments: want %d", n.name, len(n.args), max(want, 1))
	}
	if !ok && (n.name == "floor" || n.name == "ceil") && n.args[0].kind == 'f' && n.args[0].name == "log2" {
		return n.args[0].logarithm(names, n.name)
	}
	if !ok && n.name == "log2" {
		return n.logarithm(names, "")
	}
	values := make([]*big.Rat, len(n.args))
	ints := make([]int, len(n.args))
	for i, a := range n.args {
		v, err := a.eval(names)
		if err == nil && ok {
			ints[i], err = whole(a, v)
		}
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	if ok {
		return new(big.Rat).SetInt64(int64(given.Value(ints))), nil
	}
	if n.name == "mod" {
		return n.remainder(values)
	}
	return standard(n.name, values), nil
}

// standard applies min, max, floor or ceil.
func standard(name string, values []*big.Rat) *big.Rat {
	v := values[0]
	switch name {
	case "floor", "ceil":
		down := new(big.Int).Div(v.Num(), v.Denom()) // the denominator is positive
		if name == "ceil" && !v.IsInt() {
			down.Add(down, big.NewInt(1))
		}
		return new(big.Rat).SetInt(down)
	}
	for _, w := range values[1:] {
		if c := w.Cmp(v); name == "min" && c < 0 || name == "max" && c > 0 {
			v = w
		}
	}
	return v
}

// remainder returns that of a division of whole numbers, which is 0 or more.
func (n *node) remainder(values []*big.Rat) (*big.Rat, error) {
	a, b := values[0], values[1]
	if !a.IsInt() || !b.IsInt() || b.Sign() <= 0 {
		return nil, n.errorf("mod(%s, %s): want whole numbers, the second above 0", a.RatString(), b.RatString())
	}
	return new(big.Rat).SetInt(new(big.Int).Mod(a.Num(), b.Num())), nil
}

// logarithm returns that to the base 2, rounded as told.
func (n *node) logarithm(names *Names, round string) (*big.Rat, error) {
	if len(n.args) != 1 {
		return nil, n.errorf("log2 has %d arguments: want 1", len(n.args))
	}
	v, err := n.args[0].eval(names)
	if err != nil {
		return nil, err
	}
	x, err := whole(n.args[0], v)
	switch {
	case err != nil:
		return nil, err
	case x < 1:
		return nil, n.errorf("log2 of %d: want 1 or more", x)
	}
	down := big.NewInt(int64(x)).BitLen() - 1
	if exact := x == 1<<down; !exact {
		switch round {
		case "":
			return nil, n.errorf("log2 of %d is not a whole number: want floor(log2(...)) or ceil(log2(...))", x)
		case "ceil":
			down++
		}
	}
	return new(big.Rat).SetInt64(int64(down)), nil
}
