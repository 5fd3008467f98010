package house_test

import (
	"cmp"
	"go/ast"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A quick test that takes some of many cases chooses them by their names: by a place in a list,
// one more case would change the choice of the others. A test that takes one in so many uses
// casecount.Takes.
func TestSamplesGoByName(t *testing.T) {
	t.Chdir(root)
	conditions := 0
	for _, s := range sources(t) {
		if !s.test() {
			continue
		}
		keys := placesIn(s.file)
		ast.Inspect(s.file, func(n ast.Node) bool {
			cond, body, otherwise := tierOf(n)
			if cond == nil {
				return true
			}
			conditions++
			what := takesByPlace(cond, keys, false)
			for _, part := range append(body, otherwise) {
				what = cmp.Or(what, takesByPlace(part, keys, true))
			}
			assert.Empty(t, what, "%s: a sample by %s: want casecount.Takes, or names", s.at(n), what)
			return true
		})
	}
	t.Logf("%d conditions on the tier of a test", conditions)
	assert.Greater(t, conditions, 100)
}

// tierOf returns the condition of a statement that asks in which tier a test runs, and what it
// then does, and otherwise; nil for any other.
func tierOf(n ast.Node) (cond ast.Expr, body []ast.Node, otherwise ast.Node) {
	switch n := n.(type) {
	case *ast.IfStmt:
		cond, body = n.Cond, []ast.Node{n.Body}
		if n.Else != nil {
			otherwise = n.Else
		}
	case *ast.CaseClause:
		for _, e := range n.List {
			if asksTier(e) {
				cond = e
			}
		}
	}
	if cond == nil || !asksTier(cond) {
		return nil, nil, nil
	}
	return cond, body, otherwise
}

// asksTier reports whether a condition asks in which tier a test runs.
func asksTier(cond ast.Expr) (found bool) {
	ast.Inspect(cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			found = found || n.Sel.Name == "Deep" || n.Sel.Name == "Short" || ok && x.Name == "thorough" && n.Sel.Name == "On"
		case *ast.StarExpr:
			id, ok := n.X.(*ast.Ident)
			found = found || ok && id.Name == "deep"
		}
		return true
	})
	return found
}

// placesIn returns the names of variables that count through the elements of a list.
func placesIn(file *ast.File) map[string]bool {
	keys := make(map[string]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && r.Value != nil && !isMap(r.X) {
			if id, ok := r.Key.(*ast.Ident); ok && id.Name != "_" {
				keys[id.Name] = true
			}
		}
		return true
	})
	return keys
}

// isMap reports whether an expression is a map that is written out, whose keys are names.
func isMap(e ast.Expr) bool {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return false
	}
	_, ok = lit.Type.(*ast.MapType)
	return ok
}

// takesByPlace says how a part of a test takes some of a list by their places, empty if it
// does not: what a condition compares, and what a body cuts off, or where it ends a loop.
func takesByPlace(part ast.Node, keys map[string]bool, body bool) (what string) {
	if part == nil {
		return ""
	}
	number := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && lit.Kind == token.INT
	}
	ast.Inspect(part, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // what is done with a case is its own
			return false
		case *ast.BranchStmt:
			if body && n.Tok == token.BREAK {
				what = "the end of a loop"
			}
		case *ast.BinaryExpr:
			id, ok := n.X.(*ast.Ident)
			switch {
			case n.Op == token.REM:
				what = "a remainder"
			case !body && ok && keys[id.Name] && number(n.Y):
				what = "place " + id.Name
			}
		case *ast.SliceExpr:
			if body {
				what = "a part of a list"
			}
		case *ast.IndexExpr:
			if body && number(n.Index) {
				what = "a place of a list"
			}
		}
		return true
	})
	return what
}
