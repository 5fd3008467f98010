package scaffold_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/command/internal/scaffold"
)

// Go's own page about all that is declared before any program has these names. (Those of
// types that stand there for others have capitals.)
func TestPredeclaredNames(t *testing.T) {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	require.NoError(t, err)
	page, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(root)), "src", "builtin", "builtin.go"), nil, 0)
	require.NoError(t, err)
	var names []string
	ast.Inspect(page, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name.Name)
			return false
		case *ast.TypeSpec:
			names = append(names, n.Name.Name)
			return false
		case *ast.ValueSpec:
			for _, name := range n.Names {
				names = append(names, name.Name)
			}
			return false
		}
		return true
	})
	assert.ElementsMatch(t, slices.DeleteFunc(names, func(name string) bool { return strings.ToLower(name) != name }), scaffold.Predeclared)
}
