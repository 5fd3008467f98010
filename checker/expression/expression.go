package expression

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"bullyproof/internal/nearest"
	"bullyproof/model"
)

// An Expression is a compiled one, over the states of one system. It is for use by several
// goroutines at once.
type Expression struct {
	text    string
	source  file.Source
	program *vm.Program
	voc     *vocabulary
	read    reading
	terms   []string  // what its value follows from: numbers, texts and truth values
	scenes  sync.Pool // of *running
}

// A running is what one goroutine evaluates with.
type running struct {
	vm.VM
	*scene
}

// Condition compiles an expression that is true or false in each state. The error says what is
// wrong with it, and where (Error).
func Condition(sys *model.System, text string) (*Expression, error) {
	return compile(sys, text, func(n ast.Node) string {
		if n.Type().Kind() == reflect.Bool {
			return ""
		}
		return "it is to be true or false, like leaders <= 1"
	})
}

// Of compiles an expression that has a value in each state: a number, a text, a truth value,
// or a list of those. Errors are as those of Condition.
func Of(sys *model.System, text string) (*Expression, error) {
	return compile(sys, text, func(n ast.Node) string {
		if scalar(n) || scalars(n) {
			return ""
		}
		return "its value is to be a number, a text, a truth value, or a list of those"
	})
}

// Text returns the text of the expression.
func (x *Expression) Text() string { return x.text }

// Is returns whether a condition is true in a state. An error says why it is neither, as that
// an element is asked for that is not there.
func (x *Expression) Is(v *model.View) (bool, error) {
	value, err := x.Value(v)
	is, ok := value.(bool)
	if err == nil && !ok {
		err = fmt.Errorf("%q is no condition", nearest.Clip(x.text))
	}
	return is, err
}

// Value returns the value in a state: an int, float64, string or bool, or a list of those,
// which is good until the next call. An error says why there is none.
func (x *Expression) Value(v *model.View) (value any, err error) {
	r, _ := x.scenes.Get().(*running)
	if r == nil {
		r = &running{scene: x.voc.newScene(&x.read)}
	}
	defer x.scenes.Put(r)
	if err := r.show(v); err != nil {
		return nil, err
	}
	value, err = r.Run(x.program, r.env)
	if err != nil {
		return nil, x.voc.explain(x.text, x.source, err)
	}
	return value, nil
}

// show brings the scene up to date.
func (s *scene) show(v *model.View) (err error) {
	defer func() {
		if r := recover(); r != nil {
			large, ok := r.(tooLarge)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%d is more than an expression can hold", uint64(large))
		}
	}()
	for _, f := range s.fill {
		f(v)
	}
	return nil
}

// compile compiles a text; wrong says what is wrong with its result.
func compile(sys *model.System, text string, wrong func(n ast.Node) string) (x *Expression, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it makes no sense: %v", r)
		}
	}()
	switch {
	case strings.TrimSpace(text) == "":
		return nil, errors.New("it is empty: want an expression like leaders <= 1")
	case len(text) > MostBytes:
		return nil, fmt.Errorf("it has %d bytes: at most %d are right", len(text), MostBytes)
	}
	voc, err := vocabularyOf(sys)
	if err != nil {
		return nil, err
	}
	config := conf.CreateNew()
	for _, option := range []expr.Option{expr.Env(reflect.Zero(voc.top.typ).Interface()), expr.MaxNodes(mostNodes), expr.DisableIfOperator()} {
		option(config)
	}
	tree, err := parser.ParseWithConfig(text, config)
	if err == nil {
		_, err = checker.Check(tree, config)
	}
	if err != nil {
		return nil, voc.explain(text, file.NewSource(text), err)
	}
	x = &Expression{text: text, source: tree.Source, voc: voc}
	x.terms = termsOf(tree.Node)
	if err := x.judge(tree, config, wrong); err != nil {
		return nil, voc.explain(text, tree.Source, err)
	}
	if err := optimizer.Optimize(&tree.Node, config); err != nil {
		return nil, voc.explain(text, tree.Source, err)
	}
	x.program, err = compiler.Compile(tree, config)
	return x, err
}

// judge refuses what has no sure meaning, and finds what is read.
func (x *Expression) judge(tree *parser.Tree, config *conf.Config, wrong func(n ast.Node) string) error {
	j := &judge{voc: x.voc, indices: true, reading: reading{make(map[string]bool), make(map[readPart]bool)}}
	ast.Walk(&tree.Node, j)
	if j.err == nil && loops(tree.Node) > mostLoops {
		j.refuse(tree.Node, "it has loops (all, any, map) within each other: at most %d are right", mostLoops)
	}
	result := tree.Node
	for {
		let, ok := result.(*ast.VariableDeclaratorNode)
		if !ok {
			break
		}
		result = let.Expr
	}
	if j.err == nil {
		if why := wrong(result); why != "" {
			j.refuse(result, "%s", why)
		}
	}
	if j.err != nil {
		return j.err
	}
	x.read = j.reading
	_, err := checker.Check(tree, config) // of the indices that are new
	return err
}

// An Error says what is wrong with an expression.
type Error struct {
	// Text is the expression, Line and Column the place in it, from 1 on.
	Text         string
	Line, Column int
	// Message says what is wrong there.
	Message string
}

// Error returns the message and the place.
func (e *Error) Error() string {
	if e.Line > 1 {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

// Caret returns the line of the expression with a mark below the place.
func (e *Error) Caret() string {
	line := strings.Split(e.Text, "\n")[e.Line-1]
	return strings.ReplaceAll(line, "\t", " ") + "\n" + strings.Repeat(" ", e.Column-1) + "^"
}

// The compiler of expressions says this of names that are not there.
var (
	unknownName = regexp.MustCompile(`^unknown name (.*)$`)
	noField     = regexp.MustCompile(`(?s)^type (.*) has no (?:field|method) (\S+)$`)
)

// explain makes an Error of what the compiler says, in terms of the vocabulary.
func (voc *vocabulary) explain(text string, source file.Source, err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return errors.New(voc.plain(err.Error()))
	}
	if at.Line == 0 {
		at = at.Bind(source)
	}
	e := &Error{Text: text, Line: at.Line, Column: at.Column + 1, Message: at.Message}
	if m := unknownName.FindStringSubmatch(e.Message); m != nil {
		e.Message = fmt.Sprintf("unknown name %s%s", nearest.Clip(m[1]), choose(m[1], voc.names()))
	} else if m := noField.FindStringSubmatch(e.Message); m != nil {
		e.Message = voc.noField(m[1], m[2])
	}
	e.Message = voc.plain(e.Message)
	if lines := strings.Count(text, "\n") + 1; e.Line > lines {
		e.Line, e.Column = lines, 1
	}
	return e
}

// noField says which parts a record has.
func (voc *vocabulary) noField(typ, name string) string {
	for t, r := range voc.records {
		if t.String() != typ {
			continue
		}
		var names []string
		for _, p := range r.parts {
			names = append(names, p.name)
		}
		if r == voc.top {
			return fmt.Sprintf("unknown name %s%s", nearest.Clip(name), choose(name, voc.names()))
		}
		return fmt.Sprintf("a %s has no %s%s", r.name, nearest.Clip(name), choose(name, names))
	}
	return fmt.Sprintf("%s has no %s", voc.plain(typ), nearest.Clip(name))
}

// plain returns a text with the names of records for their types.
func (voc *vocabulary) plain(text string) string {
	var types []reflect.Type
	for t := range voc.records {
		types = append(types, t)
	}
	slices.SortFunc(types, func(a, b reflect.Type) int { return len(b.String()) - len(a.String()) })
	for _, t := range types {
		text = strings.ReplaceAll(text, t.String(), voc.records[t].name)
	}
	return text
}

// names returns the names that an expression can begin with.
func (voc *vocabulary) names() (names []string) {
	for _, p := range voc.top.parts {
		names = append(names, p.name)
	}
	return names
}

// listed returns names with commas between them.
func listed(names []string) string { return strings.Join(names, ", ") }
