package house_test

import (
	"go/ast"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A namedInterfaces has the interfaces of the module by directory and name; those of protocols,
// which package model passes on, also by name alone.
type namedInterfaces map[string]*ast.InterfaceType

func interfacesOf(all []*source) namedInterfaces {
	found := make(namedInterfaces)
	for _, s := range all {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok && !s.test() {
				if i, ok := spec.Type.(*ast.InterfaceType); ok {
					found[s.dir+"."+spec.Name.Name] = i
					if s.dir == protocolDir {
						found["."+spec.Name.Name] = i
					}
				}
			}
			return true
		})
	}
	return found
}

// methods returns the methods of an interface that is written or named in a directory; none of
// another type.
func (all namedInterfaces) methods(dir string, e ast.Expr) (names []string) {
	switch of := e.(type) {
	case *ast.IndexExpr:
		return all.methods(dir, of.X)
	case *ast.IndexListExpr:
		return all.methods(dir, of.X)
	case *ast.SelectorExpr:
		return all.methods("", of.Sel)
	case *ast.Ident:
		for _, name := range []string{dir + "." + of.Name, "." + of.Name} {
			if i := all[name]; i != nil {
				return all.methods(dir, i)
			}
		}
	case *ast.InterfaceType:
		for _, f := range of.Methods.List {
			for _, name := range f.Names {
				names = append(names, name.Name)
			}
			if len(f.Names) == 0 {
				names = append(names, all.methods(dir, f.Type)...)
			}
		}
	}
	return names
}

const protocolDir = "model/protocol"

// protocolDirs are the folders that have protocols in hand.
var protocolDirs = regexp.MustCompile(`^(model|shipped|checker|simulate|linear)(/|$)`)

// ofOthers are methods that something else than a protocol is asked for: a test, or a part of
// a state.
var ofOthers = []string{"Run", "Deadline", "perProcess"}

// asksFor returns the types whose methods a node asks a protocol for.
func (s *source) asksFor(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.IndexExpr: // As[interface{ Stable(p *P) }]
		x, ok := n.X.(*ast.SelectorExpr)
		if i, is := n.X.(*ast.Ident); ok && x.Sel.Name == "As" || is && i.Name == "As" {
			return []ast.Expr{n.Index}
		}
	case *ast.TypeAssertExpr: // p.(interface{ Stable(p *P) })
		if protocolDirs.MatchString(s.dir) && n.Type != nil {
			return []ast.Expr{n.Type}
		}
	case *ast.TypeSpec: // what the search for optional methods fills
		of, ok := n.Type.(*ast.StructType)
		if s.dir != protocolDir || !ok || n.Name.Name != "typed" && n.Name.Name != "Optionals" {
			return nil
		}
		var types []ast.Expr
		for _, f := range of.Fields.List {
			if f.Names[0].Name != "p" { // the protocol itself
				types = append(types, f.Type)
			}
		}
		return types
	}
	return nil
}

// One list, model.Methods, has every method that a protocol may have beyond its own. Wrappers
// of protocols are tested by it (model/roles).
func TestWhatProtocolsAreAskedForIsOnOneList(t *testing.T) {
	t.Chdir(root)
	all := sources(t)
	interfaces := interfacesOf(all)
	list := interfaces.methods(protocolDir, ast.NewIdent("Methods"))
	require.Greater(t, len(list), 10)
	asked, places := make(map[string]bool), 0
	for _, s := range all {
		if s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, of := range s.asksFor(n) {
				for _, name := range interfaces.methods(s.dir, of) {
					if !slices.Contains(ofOthers, name) {
						assert.Contains(t, list, name, "%s asks for method %s", s.set.Position(n.Pos()), name)
						asked[name] = true
						places++
					}
				}
			}
			return true
		})
	}
	for _, name := range list {
		assert.True(t, asked[name], "nothing asks for method %s", name)
	}
	t.Logf("%d methods, asked for in %d places", len(list), places)
}
