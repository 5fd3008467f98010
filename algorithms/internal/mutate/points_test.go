package mutate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// branches is an algorithm in one file, with a word of each kind of branch.
const branches = `package some

type P struct{ A, B int }

func (p *P) Receive(net *model.Net[M], m M) {
	if m.A == 1 && (m.B > 2 || !known(p)) {
		net.Rule(1)
		p.A = 3
	}
	switch m.A {
	case 1, 2:
		p.B++
	default:
	}
	switch {
	case m.B < 0:
	default:
		p.send(net)
	}
	for i := 0; i < 3; i++ {
		each(func() bool { return i == m.A })
	}
	for range m.B {
		p.A = 0
	}
}

func (p *P) send(net *model.Net[M]) {}

func known(p *P) bool {
	switch p.A {
	case 1:
		return p.B == 1
	}
	return false
}

func each(f func() bool) {}

func (p *P) String() string {
	if p.A == 1 {
		return "one"
	}
	return "other"
}

func unused(p *P) bool { return p.A == p.B }
`

// Each branch of what runs in a handler is a point.
func TestFind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "some")
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "some.go"), []byte(branches), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mutants.go"), []byte("package some; func (f fault) Start(net *model.Net[M]) { if f.A == 1 { f.B = 1 } }"), 0o600))
	pkg, err := Find(dir, 10)
	require.NoError(t, err)
	var branches, statements []string
	for i, p := range pkg.Points {
		assert.Equal(t, 10+i, p.ID)
		if p.Kind == Statement {
			statements = append(statements, p.Name)
		} else {
			branches = append(branches, p.Name)
		}
	}
	assert.Equal(t, []string{
		"P.Receive never m.A == 1 && (m.B > 2 || !known(p))", "P.Receive always m.A == 1", "P.Receive always (m.B > 2 || !known(p))",
		"P.Receive never m.B > 2", "P.Receive never !known(p)",
		"P.Receive without switch m.A case 1, 2",
		"P.Receive always m.B < 0", "P.Receive never m.B < 0", "P.Receive without switch default",
		"P.Receive never i < 3", "P.Receive always i == m.A", "P.Receive never i == m.A", "P.Receive without for m.B",
		"known always p.B == 1", "known never p.B == 1",
	}, branches)
	assert.Equal(t, []string{
		"P.Receive without p.A = 3", "P.Receive without p.B++", "P.Receive without p.send(net)",
		"P.Receive without each(func() bool { return i == m.A })", "P.Receive without p.A = 0",
	}, statements)
	require.Len(t, pkg.Files, 1)
	code := string(pkg.Files[filepath.Join(dir, "some.go")])
	assert.Equal(t, strings.Count(branchesOf(t, dir), "\n"), strings.Count(code, "\n"), "lines stay where they are")
	assert.Contains(t, code, `if mutationpoint.Never(&board.Of, 10, mutationpoint.Always(&board.Of, 11, m.A == 1) && `+
		`mutationpoint.Always(&board.Of, 12, (mutationpoint.Never(&board.Of, 13, m.B > 2) || mutationpoint.Never(&board.Of, 14, !known(p))))) {`)
}

func branchesOf(t *testing.T, dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "some.go"))
	require.NoError(t, err)
	return string(text)
}
