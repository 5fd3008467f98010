package formula

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"
)

// A parser reads a formula from the left.
type parser struct {
	text  string
	pos   int
	depth int
}

func (p *parser) space() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

// next skips spaces and returns the next byte, 0 at the end.
func (p *parser) next() byte {
	p.space()
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *parser) unexpected(want string) error {
	if p.space(); p.pos == len(p.text) {
		return &Error{p.pos, "the formula ends too early: " + want}
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return &Error{p.pos, fmt.Sprintf("unexpected %q: %s", r, want)}
}

// deeper counts what is within what, so that no formula exhausts the stack.
func (p *parser) deeper() error {
	if p.depth++; p.depth > mostDepth {
		return &Error{p.pos, fmt.Sprintf("there are more than %d parentheses or signs within each other", mostDepth)}
	}
	return nil
}

func (p *parser) sum() (*node, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	left, err := p.product()
	for err == nil {
		sign := p.next()
		if sign != '+' && sign != '-' {
			return left, nil
		}
		left, err = p.infix(left, (*parser).product)
	}
	return nil, err
}

// infix reads a sign and what is to its right.
func (p *parser) infix(left *node, right func(*parser) (*node, error)) (*node, error) {
	n := &node{at: p.pos, kind: p.text[p.pos]}
	p.pos++
	r, err := right(p)
	n.args = []*node{left, r}
	return n, err
}

func (p *parser) product() (*node, error) {
	left, err := p.unary()
	for divided := false; err == nil; {
		sign := p.next()
		switch {
		case sign == '*' || sign == '/':
			divided = sign == '/'
			left, err = p.infix(left, (*parser).unary)
		case p.joined():
			if divided {
				return nil, &Error{p.pos, "after a division it is not clear what is multiplied: want a sign or parentheses"}
			}
			at := p.pos
			var right *node
			right, err = p.power()
			left = &node{at: at, kind: '*', args: []*node{left, right}}
		default:
			return left, nil
		}
	}
	return nil, err
}

// joined reports whether a factor stands directly behind another one.
func (p *parser) joined() bool {
	if p.pos == 0 || p.pos == len(p.text) || p.text[p.pos-1] == ' ' {
		return false
	}
	b := p.text[p.pos]
	return b == '(' || isUpper(b) || b >= 'a' && b <= 'z' // never a digit: "2 3" is no product
}

func (p *parser) unary() (*node, error) {
	if p.next() != '-' {
		return p.power()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	n := &node{at: p.pos, kind: '~'}
	p.pos++
	arg, err := p.unary()
	n.args = []*node{arg}
	return n, err
}

func (p *parser) power() (*node, error) {
	base, err := p.factor()
	if err != nil {
		return nil, err
	}
	for sign, k := range map[string]int64{"²": 2, "³": 3} {
		if strings.HasPrefix(p.text[p.pos:], sign) {
			at := p.pos
			p.pos += len(sign)
			return &node{at: at, kind: '^', args: []*node{base, {at: at, kind: 'n', num: big.NewRat(k, 1)}}}, nil
		}
	}
	if p.next() != '^' {
		return base, nil
	}
	return p.infix(base, (*parser).factor)
}

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isName reports whether a byte belongs to the name of a function.
func isName(b byte) bool { return b >= 'a' && b <= 'z' || isDigit(b) || b == '-' }

// take returns the longest text of bytes of a kind.
func (p *parser) take(of func(byte) bool) string {
	from := p.pos
	for p.pos < len(p.text) && of(p.text[p.pos]) {
		p.pos++
	}
	return p.text[from:p.pos]
}

func (p *parser) factor() (*node, error) {
	b := p.next()
	at := p.pos
	switch {
	case isDigit(b):
		digits := p.take(isDigit)
		if len(digits) > 9 {
			return nil, &Error{at, "a number of more than 9 digits"}
		}
		num, _ := new(big.Rat).SetString(digits)
		return &node{at: at, kind: 'n', num: num}, nil
	case isUpper(b):
		return &node{at: at, kind: 'v', name: p.take(func(b byte) bool { return isUpper(b) || b == '_' })}, nil
	case b == '(':
		p.pos++
		inner, err := p.sum()
		if err != nil {
			return nil, err
		}
		return inner, p.expect(')')
	case b >= 'a' && b <= 'z':
		name := p.take(isName)
		n := &node{at: at, kind: 'f', name: name}
		if p.next() != '(' {
			return nil, &Error{at, fmt.Sprintf("variables are in capitals, and a function has its arguments in parentheses: want %s or %s(...)", strings.ToUpper(name), name)}
		}
		return n, p.arguments(n)
	}
	return nil, p.unexpected("want a number, a variable in capitals, a function or a parenthesis")
}

// arguments reads those of a function.
func (p *parser) arguments(n *node) error {
	if p.pos++; p.next() == ')' {
		return p.expect(')')
	}
	for ; ; p.pos++ {
		arg, err := p.sum()
		if err != nil {
			return err
		}
		if n.args = append(n.args, arg); p.next() != ',' {
			return p.expect(')')
		}
	}
}

func (p *parser) expect(b byte) error {
	if p.next() != b {
		return p.unexpected(fmt.Sprintf("want %q", b))
	}
	p.pos++
	return nil
}
