package expression

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/file"

	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// functions are those of the language that expressions have. Others are about the time of day, texts
// and maps, or make long lists of short ones.
var functions = []string{
	"all", "any", "none", "one", "count", "filter", "find", "map", "sum", "len", "min", "max", "abs", "uniq",
}

// operators are those of the language that expressions have.
var operators = []string{
	"==", "!=", "<", "<=", ">", ">=", "and", "&&", "or", "||", "not", "!", "in", "not in", "+", "-", "*", "/", "%", "..",
}

const (
	// MostBytes is how long an expression may be.
	MostBytes = 4096
	mostNodes = 1000
	mostLoops = 3  // within each other
	longest   = 64 // elements of a list in the text
)

// A readPart is a part of a record.
type readPart struct {
	of   *record
	name string
}

// A reading is what an expression reads of a state.
type reading struct {
	names map[string]bool
	parts map[readPart]bool
}

// A judge looks at each node of an expression whose types are known, refuses what has no
// sure meaning or no bound, and notes what is read. It makes of an index of a list by process,
// which is an id, one from 0 on.
type judge struct {
	voc     *vocabulary
	indices bool // are still to be made
	reading
	err *file.Error
}

func (j *judge) refuse(n ast.Node, format string, args ...any) {
	if j.err == nil {
		j.err = &file.Error{Location: n.Location(), Message: fmt.Sprintf(format, args...)}
	}
}

// Visit implements ast.Visitor: parts of a node come before it.
func (j *judge) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IdentifierNode:
		j.names[n.Value] = true
	case *ast.MemberNode:
		j.member(n)
	case *ast.BinaryNode:
		j.binary(n)
	case *ast.UnaryNode:
		if !slices.Contains(operators, n.Operator) {
			j.refuse(n, "no operator %s: want one of %q", n.Operator, operators)
		}
	case *ast.BuiltinNode:
		j.call(n, n.Name, n.Arguments)
	case *ast.CallNode:
		j.call(n, n.Callee.String(), n.Arguments)
	case *ast.ConditionalNode:
		if !scalar(n.Exp1) || !scalar(n.Exp2) || n.Exp1.Type().Kind() != n.Exp2.Type().Kind() {
			j.refuse(n, "both outcomes of a condition are to be numbers, texts or truth values")
		}
	case *ast.ArrayNode:
		if len(n.Nodes) > longest {
			j.refuse(n, "a list in an expression has at most %d elements", longest)
		}
		if i := slices.IndexFunc(n.Nodes, func(e ast.Node) bool { return !scalar(e) }); i >= 0 {
			j.refuse(n.Nodes[i], "elements of a list in an expression are to be numbers, texts or truth values")
		}
	case *ast.ChainNode:
		j.refuse(n, "no operator ?.: every name is there in each state")
	case *ast.MapNode, *ast.BytesNode, *ast.NilNode, *ast.SliceNode, *ast.SequenceNode:
		j.refuse(n, "no %s in expressions over states", map[reflect.Type]string{
			reflect.TypeFor[*ast.MapNode](): "maps", reflect.TypeFor[*ast.BytesNode](): "bytes", reflect.TypeFor[*ast.NilNode](): "nil",
			reflect.TypeFor[*ast.SliceNode](): "slices", reflect.TypeFor[*ast.SequenceNode](): "sequences",
		}[reflect.TypeOf(n)])
	}
}

// scalar reports whether a value can be compared: a number, a text or a truth value.
func scalar(n ast.Node) bool {
	switch n.Type().Kind() {
	case reflect.Bool, reflect.Int, reflect.Float64, reflect.String:
		return true
	case reflect.Interface: // of numbers, as member sees to it
		b, ok := n.(*ast.BuiltinNode)
		return ok && (b.Name == "min" || b.Name == "max")
	}
	return false
}

// scalars reports whether a value is a list of what can be compared.
func scalars(n ast.Node) bool {
	if b, ok := n.(*ast.BuiltinNode); ok {
		switch b.Name {
		case "uniq":
			return true
		case "map":
			return len(b.Arguments) == 2 && scalar(body(b.Arguments[1]))
		}
	}
	switch t := n.Type(); t.Kind() {
	case reflect.Slice, reflect.Array:
		switch t.Elem().Kind() {
		case reflect.Bool, reflect.Int, reflect.Float64, reflect.String:
			return true
		}
		if a, ok := n.(*ast.ArrayNode); ok {
			return !slices.ContainsFunc(a.Nodes, func(e ast.Node) bool { return !scalar(e) })
		}
		b, ok := n.(*ast.BinaryNode)
		return ok && b.Operator == ".."
	}
	return false
}

// body returns what a predicate does.
func body(n ast.Node) ast.Node {
	if p, ok := n.(*ast.PredicateNode); ok {
		return p.Node
	}
	return n
}

func (j *judge) binary(n *ast.BinaryNode) {
	left, leftOK := n.Left.(*ast.IntegerNode)
	right, rightOK := n.Right.(*ast.IntegerNode)
	switch n.Operator {
	case "..":
		if !leftOK || !rightOK || right.Value-left.Value >= longest || right.Value < left.Value || left.Value < 0 {
			j.refuse(n, "a range is to be of two numbers in the text, with at most %d in it", longest)
		}
	case "in", "not in":
		if !scalar(n.Left) || !scalars(n.Right) {
			j.refuse(n, "operator %s looks for a number, a text or a truth value in a list of such", n.Operator)
		}
	default:
		if !slices.Contains(operators, n.Operator) {
			j.refuse(n, "no operator %s: want one of %q", n.Operator, operators)
		} else if !scalar(n.Left) || !scalar(n.Right) {
			j.refuse(n, "operator %s is for numbers, texts and truth values: ask for a part of a record, or for the elements of a list (all, any)", n.Operator)
		}
	}
	j.kind(n, n.Left, n.Right)
	j.kind(n, n.Right, n.Left)
}

// kind refuses texts with which the kind of a message is compared and never agrees.
func (j *judge) kind(n *ast.BinaryNode, of, with ast.Node) {
	m, ok := of.(*ast.MemberNode)
	if !ok || j.voc.records[m.Node.Type()] != j.voc.message || !isText(m.Property, "kind") {
		return
	}
	texts := []ast.Node{with}
	if list, ok := with.(*ast.ArrayNode); ok {
		texts = list.Nodes
	}
	kinds := j.voc.sys.Names().Kinds
	for _, t := range texts {
		if text, ok := t.(*ast.StringNode); ok && !slices.Contains(kinds, text.Value) {
			j.refuse(t, "no kind of messages %q%s", nearest.Clip(text.Value), choose(text.Value, kinds))
		}
	}
}

func isText(n ast.Node, text string) bool {
	s, ok := n.(*ast.StringNode)
	return ok && s.Value == text
}

func (j *judge) call(n ast.Node, name string, args []ast.Node) {
	if !slices.Contains(functions, name) {
		j.refuse(n, "no function %s%s", nearest.Clip(name), choose(name, functions))
		return
	}
	switch name {
	case "min", "max", "uniq", "sum":
		for _, a := range args[:min(len(args), 1)] {
			if !scalar(a) && !scalars(a) && (name != "sum" || len(args) < 2) {
				j.refuse(a, "%s is for numbers, or a list of numbers", name)
			}
		}
	case "map":
		if len(args) == 2 && !scalar(body(args[1])) {
			j.refuse(args[1], "map is to make numbers, texts or truth values")
		}
	}
}

// member notes which part of a record is read, and has ids as indices of lists by process.
func (j *judge) member(n *ast.MemberNode) {
	of := n.Node.Type()
	switch {
	case n.Optional:
		j.refuse(n, "no operator ?.: every name is there in each state")
	case of == nil || of.Kind() == reflect.Interface:
		j.refuse(n, "it is unknown of what type %s is", nearest.Clip(n.Node.String()))
	case of.Kind() == reflect.Struct:
		name, ok := n.Property.(*ast.StringNode)
		if !ok {
			j.refuse(n.Property, "the name of a part is to be a text")
			return
		}
		if r := j.voc.records[of]; r != nil {
			j.parts[readPart{r, name.Value}] = true
		}
	case of.Kind() == reflect.Array && j.indices:
		if id, ok := n.Property.(*ast.IntegerNode); ok && (id.Value < 1 || id.Value > j.voc.n) {
			j.refuse(n.Property, "no process %d: a list by process has P1 to %s", id.Value, model.ID(j.voc.n).Name())
			return
		}
		n.Property = j.index(n.Property)
	}
}

// index returns the place in a list by process of an id; that of none is beyond it.
func (j *judge) index(id ast.Node) ast.Node {
	one, beyond := &ast.IntegerNode{Value: 1}, &ast.IntegerNode{Value: 1 << 20}
	place := ast.Node(&ast.BinaryNode{Operator: "-", Left: id, Right: one})
	if _, ok := id.(*ast.IntegerNode); !ok {
		none := &ast.BinaryNode{Operator: "<", Left: id, Right: one}
		place = &ast.ConditionalNode{Ternary: true, Cond: none, Exp1: beyond, Exp2: place}
	}
	ast.Walk(&place, located(id.Location()))
	return place
}

// A located is where nodes are said to be that are not in the text.
type located file.Location

// Visit implements ast.Visitor.
func (l located) Visit(node *ast.Node) { (*node).SetLocation(file.Location(l)) }

// loops returns how many loops are within each other in an expression.
func loops(n ast.Node) int {
	d := &deep{}
	ast.Walk(&n, d)
	return d.of[n]
}

// A deep counts loops within each other.
type deep struct{ of map[ast.Node]int }

// Visit implements ast.Visitor.
func (d *deep) Visit(node *ast.Node) {
	if d.of == nil {
		d.of = make(map[ast.Node]int)
	}
	most := 0
	for _, part := range partsOfNode(*node) {
		most = max(most, d.of[part])
	}
	if b, ok := (*node).(*ast.BuiltinNode); ok && builtin.Index[b.Name] >= 0 && len(b.Arguments) > 1 {
		most++
	}
	d.of[*node] = most
}

// partsOfNode returns the nodes of which one is made.
func partsOfNode(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.MemberNode:
		return []ast.Node{n.Node, n.Property}
	case *ast.BuiltinNode:
		return n.Arguments
	case *ast.PredicateNode:
		return []ast.Node{n.Node}
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.VariableDeclaratorNode:
		return []ast.Node{n.Value, n.Expr}
	case *ast.ArrayNode:
		return n.Nodes
	}
	return nil
}

// termsOf returns the numbers, texts and truth values of a state from which the value of an
// expression follows.
func termsOf(n ast.Node) (terms []string) {
	switch n.(type) {
	case *ast.IdentifierNode, *ast.MemberNode, *ast.BuiltinNode:
		if scalar(n) {
			return []string{n.String()}
		}
		return nil
	case *ast.VariableDeclaratorNode:
		return nil // its names are those of the text
	}
	for _, part := range partsOfNode(n) {
		for _, t := range termsOf(part) {
			if !slices.Contains(terms, t) {
				terms = append(terms, t)
			}
		}
	}
	return terms
}

// choose says which name may be meant, or which there are.
func choose(name string, names []string) string {
	if near := nearest.Name(name, names); near != "" {
		return fmt.Sprintf(": did you mean %s?", near)
	}
	return ": want one of " + listed(names)
}
