// Package mutate drops the rules of algorithms one by one: it finds the branches in
// the code of their handlers, and compiles all of them as points that can be switched
// on, each of which makes another program of the algorithm. Package judge then tells
// which of these no evidence notices.
//
//	go run ./algorithms/internal/mutate/run omega
package mutate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Point is a place of an algorithm's code where a branch is forced, or dropped.
type Point struct {
	// ID is its number in a program.
	ID int `json:"id"`
	// Algorithm is the name of the package.
	Algorithm string `json:"algorithm"`
	// Name says which one it is, whatever the line: the function, what is done, and the
	// text of what it is done to: "Rounds.Receive never m.Number >= p.Round". Where the
	// text stands more than once in the function, a number follows: "#2".
	Name string `json:"name"`
	// Place is where it stands now: "rounds.go:86".
	Place string `json:"place"`
	// Kind says what of.
	Kind Kind `json:"kind"`
}

// InProtocol reports whether it stands in the main file of its algorithm.
func (p *Point) InProtocol() bool {
	file, _, _ := strings.Cut(p.Place, ":")
	return file == p.Algorithm+".go"
}

// A Kind is of points.
type Kind string

// The kinds.
const (
	Branch    Kind = "branch"    // a condition, a part of one, a case or a loop
	Statement Kind = "statement" // a call, or an assignment
	Value     Kind = "value"     // a comparison with one value of several
)

// The changes at a point.
const (
	always  = "always"  // a condition, or a part of one, holds
	never   = "never"   // it does not
	without = "without" // the body of a case or of a loop, or a statement, is not run
	turned  = "turned"  // a comparison with a constant comes out otherwise at another one
)

// spared are files that have no rules of an algorithm: what it is called, what is asked
// of it, other answers than its own, and the faults that it is given on purpose.
var spared = []string{"algorithm.go", "claims.go", "words.go", "mutants.go", "altered.go", "silences.go", "properties.go", "figures.go"}

// quiet are functions that say how a state is to be shown, or searched, or where an
// algorithm begins.
var quiet = []string{
	"String", "Format", "Names", "Words", "Belief", "Kind", "Settle", "Wanted", "Symmetric", "Rename", "Beyond", "Show", "Readings",
}

// A Package is the code of an algorithm with its points.
type Package struct {
	Name   string
	Points []Point
	// Files has the code with the points in it, by the path of what it stands for.
	Files map[string][]byte
}

// Find finds the points of the package of an algorithm in a directory. The first one has
// the number first.
func Find(dir string, first int) (*Package, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f := finder{set: set, first: first, pkg: &Package{Name: filepath.Base(dir), Files: make(map[string][]byte)}, times: make(map[string]int)}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || slices.Contains(spared, filepath.Base(name)) {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	f.siblings = enumerations(files)
	handled := handlers(files)
	for _, file := range files {
		if err := f.file(file, handled); err != nil {
			return nil, err
		}
	}
	return f.pkg, nil
}

// handlers returns the functions that run in handlers: those that have a network, the
// one that keeps what is stable, and whatever these call.
func handlers(files []*ast.File) map[*ast.FuncDecl]bool {
	byName := make(map[string][]*ast.FuncDecl)
	var open []*ast.FuncDecl
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil || slices.Contains(quiet, d.Name.Name) {
				continue
			}
			byName[d.Name.Name] = append(byName[d.Name.Name], d)
			if d.Name.Name == "Stable" || slices.ContainsFunc(d.Type.Params.List, isNet) {
				open = append(open, d)
			}
		}
	}
	handled := make(map[*ast.FuncDecl]bool)
	for len(open) > 0 {
		d := open[0]
		if open = open[1:]; handled[d] {
			continue
		}
		handled[d] = true
		ast.Inspect(d.Body, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				open = append(open, byName[id.Name]...)
			}
			return true
		})
	}
	return handled
}

// isNet reports whether a parameter is a network: *model.Net[M].
func isNet(f *ast.Field) bool {
	star, ok := f.Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := star.X.(*ast.IndexExpr)
	if !ok {
		return false
	}
	sel, ok := of.X.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Net"
}

// An edit is a text that is put into a file.
type edit struct {
	offset, order int
	text          string
}

// A finder finds points, and puts them into the code.
type finder struct {
	set   *token.FileSet
	first int
	pkg   *Package
	times map[string]int // how often a name was given

	siblings map[string][]string // the constants of the type that one is of

	name  string // of the function
	edits []edit
	order int
	fixed bool // whether statements cannot be dropped: those that stand before a condition
}

// file finds the points of a file.
func (f *finder) file(file *ast.File, handled map[*ast.FuncDecl]bool) error {
	f.edits = nil
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok && handled[d] {
			f.name = funcName(d)
			f.function(d.Type, d.Body)
		}
	}
	if len(f.edits) == 0 {
		return nil
	}
	f.insert(file.Name.End(), `; import ("bullyproof/algorithms/internal/mutate/board"; mutationpoint "bullyproof/algorithms/internal/mutate/point")`)
	name := f.set.Position(file.Pos()).Filename
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	slices.SortStableFunc(f.edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.order, b.order))
	})
	var out bytes.Buffer
	at := 0
	for _, e := range f.edits {
		out.Write(source[at:e.offset])
		out.WriteString(e.text)
		at = e.offset
	}
	out.Write(source[at:])
	f.pkg.Files[name] = out.Bytes()
	return nil
}

// funcName returns the name of a function with the type that it is a method of.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if of, ok := t.(*ast.IndexExpr); ok {
		t = of.X
	}
	return fmt.Sprint(t) + "." + d.Name.Name
}

// insert puts a text where a node begins: of several, that of the outer node first.
func (f *finder) insert(at token.Pos, text string) {
	f.order++
	f.edits = append(f.edits, edit{f.set.Position(at).Offset, f.order, text})
}

// around puts texts round a node: of several, those of the outer node outside.
func (f *finder) around(n ast.Node, before, after string) {
	f.insert(n.Pos(), before)
	f.edits = append(f.edits, edit{f.set.Position(n.End()).Offset, -f.order, after})
}

// point makes a point, and returns its number.
func (f *finder) point(n ast.Node, how, text string) int {
	p := Point{ID: f.first + len(f.pkg.Points), Algorithm: f.pkg.Name, Kind: Branch, Name: f.name + " " + how + " " + text}
	if f.times[p.Name]++; f.times[p.Name] > 1 {
		p.Name = fmt.Sprintf("%s #%d", p.Name, f.times[p.Name])
	}
	at := f.set.Position(n.Pos())
	p.Place = fmt.Sprintf("%s:%d", filepath.Base(at.Filename), at.Line)
	f.pkg.Points = append(f.pkg.Points, p)
	return p.ID
}

// text returns the code of a node on one line.
func (f *finder) text(n ast.Node) string {
	var b bytes.Buffer
	if err := format.Node(&b, f.set, n); err != nil {
		return fmt.Sprintf("%T", n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// enumerations returns, for each constant of a type that files declare and that has three
// or more, the others: what a process can be, as a rule.
func enumerations(files []*ast.File) map[string][]string {
	byType := make(map[string][]string)
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			of := ""
			for _, spec := range d.Specs {
				s := spec.(*ast.ValueSpec)
				if id, ok := s.Type.(*ast.Ident); ok {
					of = id.Name
				} else if s.Type != nil || s.Values != nil {
					of = ""
				}
				for _, name := range s.Names {
					if of != "" && name.Name != "_" {
						byType[of] = append(byType[of], name.Name)
					}
				}
			}
		}
	}
	siblings := make(map[string][]string)
	for of, names := range byType {
		if len(names) < 3 || slices.Contains([]string{"uint8", "int", "string", "bool"}, of) {
			continue
		}
		for i, name := range names {
			siblings[name] = slices.Delete(slices.Clone(names), i, i+1)
		}
	}
	return siblings
}

// turn makes points of a comparison with a constant: it comes out otherwise at each of
// the other ones.
func (f *finder) turn(e *ast.BinaryExpr) {
	constant, ok := e.Y.(*ast.Ident)
	if _, simple := e.X.(*ast.SelectorExpr); !ok || !simple || e.Op != token.EQL && e.Op != token.NEQ {
		return
	}
	for _, other := range f.siblings[constant.Name] {
		id := f.point(e, turned, f.text(e)+" at "+other)
		f.pkg.Points[len(f.pkg.Points)-1].Kind = Value
		f.around(e, fmt.Sprintf("mutationpoint.Turned(&board.Of, %d, ", id), fmt.Sprintf(", %s == %s)", f.text(e.X), other))
	}
}

// force makes a point of an expression that is always, or never, true.
func (f *finder) force(e ast.Expr, how string) {
	call := map[string]string{always: "mutationpoint.Always", never: "mutationpoint.Never"}[how]
	f.around(e, fmt.Sprintf("%s(&board.Of, %d, ", call, f.point(e, how, f.text(e))), ")")
}

// condition makes points of what decides a branch: that it holds, that it does not, and
// each of its parts.
func (f *finder) condition(e ast.Expr) {
	op := operator(e)
	if op != token.LAND { // of a conjunction each part is dropped, which is less
		f.force(e, always)
	}
	if op != token.LOR {
		f.force(e, never)
	}
	f.parts(e)
}

// operator returns && or || of an expression that is one of these.
func operator(e ast.Expr) token.Token {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return operator(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			return e.Op
		}
	}
	return token.ILLEGAL
}

// parts makes points of the parts of a conjunction or a disjunction: one that is dropped
// is always true, or never.
func (f *finder) parts(e ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.parts(e.X)
		return
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			f.parts(e.X)
			return
		}
	case *ast.BinaryExpr:
		op := operator(e)
		if op == token.ILLEGAL {
			f.turn(e)
			f.inside(e.X, false)
			f.inside(e.Y, false)
			return
		}
		for _, part := range []ast.Expr{e.X, e.Y} {
			switch {
			case operator(part) == op:
			case op == token.LAND:
				f.force(part, always)
			default:
				f.force(part, never)
			}
			f.parts(part)
		}
		return
	}
	f.inside(e, false)
}

// truth reports whether an expression is true or false by its form.
func truth(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return truth(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR, token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			return true
		}
	}
	return false
}

// function finds the points of a function.
func (f *finder) function(t *ast.FuncType, body *ast.BlockStmt) {
	fixed := f.fixed
	f.fixed = false
	f.inside(body, t.Results != nil)
	f.fixed = fixed
}

// inside finds the points below a node. A function that returns something has to end in
// what the compiler takes for an end.
func (f *finder) inside(n ast.Node, returns bool) {
	ast.Inspect(n, func(below ast.Node) bool {
		switch s := below.(type) {
		case *ast.FuncLit:
			f.function(s.Type, s.Body)
			return false
		case *ast.BinaryExpr:
			if truth(s) {
				f.condition(s) // what is returned, or assigned
				return false
			}
		case *ast.UnaryExpr:
			if truth(s) {
				f.condition(s) // what is returned, or assigned
				return false
			}
		case ast.Stmt:
			return f.statement(s, returns)
		}
		return true
	})
}

// statement finds the points of a statement, and reports whether those below it are yet
// to be found.
func (f *finder) statement(s ast.Stmt, returns bool) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		f.some(s.Init, returns)
		f.condition(s.Cond)
		f.inside(s.Body, returns)
		f.some(s.Else, returns)
		return false
	case *ast.ForStmt:
		f.some(s.Init, returns)
		if s.Cond != nil {
			f.force(s.Cond, never)
			f.parts(s.Cond)
		}
		f.some(s.Post, returns)
		f.inside(s.Body, returns)
		return false
	case *ast.RangeStmt:
		f.drop(s, s.Body.List, "for "+f.text(s.X))
	case *ast.SwitchStmt:
		f.some(s.Init, returns)
		f.cases(s, returns)
		return false
	case *ast.ExprStmt, *ast.IncDecStmt:
		f.act(s)
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			f.act(s)
		}
	}
	return true
}

// some finds the points of a statement that may be missing.
func (f *finder) some(s ast.Stmt, returns bool) {
	if s == nil {
		return
	}
	fixed := f.fixed
	f.fixed = isSimple(s)
	f.inside(s, returns)
	f.fixed = fixed
}

// isSimple reports whether a statement is one that stands before a condition.
func isSimple(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.BlockStmt, *ast.IfStmt:
		return false
	}
	return true
}

// cases finds the points of a switch.
func (f *finder) cases(s *ast.SwitchStmt, returns bool) {
	tag := ""
	if s.Tag != nil {
		tag = f.text(s.Tag) + " "
		f.inside(s.Tag, returns)
	}
	for _, stmt := range s.Body.List {
		c := stmt.(*ast.CaseClause)
		var labels []string
		for _, e := range c.List {
			labels = append(labels, f.text(e))
			if s.Tag == nil {
				f.condition(e)
			} else {
				f.inside(e, returns)
			}
		}
		label := "switch " + tag + "case " + strings.Join(labels, ", ")
		if c.List == nil {
			label = "switch " + tag + "default"
		}
		if (s.Tag != nil || c.List == nil) && !returns {
			f.drop(c, c.Body, label)
		}
		for _, b := range c.Body {
			f.inside(b, returns)
		}
	}
}

// drop makes a point of a body that is not run.
func (f *finder) drop(n ast.Node, body []ast.Stmt, label string) {
	if len(body) > 0 {
		f.insert(body[0].Pos(), fmt.Sprintf("if !mutationpoint.Keep(&board.Of, %d) { break }; ", f.point(n, without, label)))
	}
}

// act makes a point of a statement that is not run.
func (f *finder) act(s ast.Stmt) {
	text := f.text(s)
	if f.fixed || strings.HasPrefix(text, "panic(") || strings.HasPrefix(text, "net.Rule(") {
		return
	}
	f.around(s, fmt.Sprintf("if mutationpoint.Keep(&board.Of, %d) { ", f.point(s, without, text)), " }")
	f.pkg.Points[len(f.pkg.Points)-1].Kind = Statement
}
