package scaffold_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/command/internal/scaffold"
)

var deep = flag.Bool("deep", false, "also begin like each algorithm there is")

// library returns the directory of this module.
func library(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	return root
}

// offline is an environment in which the go command asks no server.
func offline() []string {
	return append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "GOTOOLCHAIN=local", "NO_COLOR=1")
}

// vet has the go command compile and vet all packages of a directory, tests
// included: in the deep test, since it takes its time, and the guide's test has
// compiled a package by then.
func vet(t *testing.T, dir string) {
	t.Helper()
	if !*deep {
		return
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", "./...")
	cmd.Dir, cmd.Env = dir, offline()
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, string(out))
}

func read(t *testing.T, names ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(names...))
	require.NoError(t, err)
	return string(data)
}

func write(t *testing.T, text string, names ...string) {
	t.Helper()
	name := filepath.Join(names...)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
}

// In a directory of no module the package is a module of its own.
func TestOwnModule(t *testing.T) {
	dir := t.TempDir()
	r, err := scaffold.New(scaffold.Options{Name: "mine", Dir: dir, Library: library(t), Module: "example.org/mine"})
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(dir, "mine"), r.Dir)
	assert.Equal(t, "example.org/mine", r.Import)
	assert.Equal(t, []string{"algorithm.go", "claims.lock", "claims.txt", "cmd/mine/main.go", "mine.go", "mine_test.go"}, r.Files)
	for _, name := range r.Files {
		assert.NotContains(t, strings.ToLower(read(t, r.Dir, filepath.FromSlash(name))), "starter", name)
	}
	mod := read(t, r.Dir, "go.mod")
	assert.Contains(t, mod, "module example.org/mine\n")
	assert.Contains(t, mod, "// bullyproof is not on a server: this is where its clone is.\nreplace bullyproof => ")
	vet(t, r.Dir)
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "nothing else is there")
}

// Within a module it is a package of that, which requires the library from then
// on; what its files have stays.
func TestPackageOfModule(t *testing.T) {
	dir := t.TempDir()
	write(t, "module example.org/app\n\ngo 1.26.0\n\n// Kept.\nrequire golang.org/x/term v0.47.0\n", dir, "go.mod")
	write(t, "example.org/none v1.0.0 h1:AAAA\n", dir, "go.sum")
	write(t, "package deep\n", dir, "elections", "doc.go")
	opt := scaffold.Options{Name: "mine", Dir: filepath.Join(dir, "elections"), Library: library(t)}
	r, err := scaffold.New(opt)
	require.NoError(t, err)
	assert.Equal(t, "example.org/app/elections/mine", r.Import)
	assert.Contains(t, read(t, r.Dir, "cmd", "mine", "main.go"), `"example.org/app/elections/mine"`)
	assert.Len(t, r.GoMod, 2)
	assert.Contains(t, read(t, dir, "go.mod"), "// Kept.")
	assert.Contains(t, read(t, dir, "go.sum"), "example.org/none v1.0.0 h1:AAAA\n")
	vet(t, dir)

	before := read(t, dir, "go.mod")
	opt.Name, opt.Library = "other", ""
	r, err = scaffold.New(opt)
	require.NoError(t, err)
	assert.Empty(t, r.GoMod, "the module has the library already")
	assert.Equal(t, before, read(t, dir, "go.mod"))
}

// A store and its clients are a package whose test shows a fault and its repair, and nothing of a
// catalogue.
func TestRoles(t *testing.T) {
	r, err := scaffold.New(scaffold.Options{Name: "lock", Dir: t.TempDir(), Roles: true, Library: library(t), Module: "example.org/lock"})
	require.NoError(t, err)
	assert.Equal(t, []string{"client.go", "lock.go", "lock_test.go", "store.go"}, r.Files)
	for _, name := range r.Files {
		text := read(t, r.Dir, name)
		assert.Contains(t, text, "package lock\n")
		assert.NotContains(t, strings.ToLower(text), "starter", name)
	}
	if !*deep { // the package that it is a copy of has the same test
		return
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", ".")
	cmd.Dir, cmd.Env = r.Dir, offline()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	assert.Contains(t, string(out), "--- PASS: TestMended/broken/uniqueness")
	assert.Contains(t, string(out), "violated in 13 steps: P2 and P3 both believe themselves coordinator, as expected")
	assert.Contains(t, string(out), "--- PASS: TestMended/repaired/uniqueness")
	vet(t, r.Dir)
}

// A copy of an algorithm brings along what no other module may import.
func TestLike(t *testing.T) {
	names := []string{"dolevklawerodeh"}
	if *deep {
		names = nil
		for _, shelf := range []string{"algorithms", "examples"} {
			entries, err := filepath.Glob(filepath.Join(library(t), shelf, "*", "algorithm.go"))
			require.NoError(t, err)
			for _, e := range entries {
				names = append(names, filepath.Base(filepath.Dir(e)))
			}
		}
		require.Greater(t, len(names), 22, "algorithms to begin like")
	}
	dir := t.TempDir()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			r, err := scaffold.New(scaffold.Options{Name: "my" + name, Dir: dir, Like: name, Library: library(t)})
			require.NoError(t, err)
			assert.Contains(t, r.Files, "my"+name+".go")
			assert.Contains(t, read(t, r.Dir, "algorithm.go"), `"my`+name+`"`)
			vet(t, r.Dir)
		})
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "there", "file")
	write(t, "nonsense\n", dir, "broken", "go.mod")
	for name, tt := range map[string]struct {
		opt  scaffold.Options
		want string
	}{
		"no name":           {scaffold.Options{}, `name "": want a word of a-z and 0-9`},
		"a path":            {scaffold.Options{Name: "../up"}, `name "../up": want a word`},
		"capitals":          {scaffold.Options{Name: "Mine"}, "want a word"},
		"a long one":        {scaffold.Options{Name: strings.Repeat("a", 500)}, "of at most 40"},
		"a keyword":         {scaffold.Options{Name: "select"}, `name "select" means something to Go`},
		"main":              {scaffold.Options{Name: "main"}, "means something to Go"},
		"init":              {scaffold.Options{Name: "init"}, "means something to Go"},
		"command":           {scaffold.Options{Name: "command"}, "means something to Go"},
		"predeclared":       {scaffold.Options{Name: "string"}, "means something to Go"},
		"a package of Go":   {scaffold.Options{Name: "sort"}, `"sort" is that of a package of Go`},
		"there already":     {scaffold.Options{Name: "there"}, "is there already: want a name that is free"},
		"no such directory": {scaffold.Options{Name: "mine", Dir: filepath.Join(dir, "nowhere")}, "nowhere"},
		"a file":            {scaffold.Options{Name: "mine", Dir: filepath.Join(dir, "there", "file")}, "is not a directory"},
		"a broken module":   {scaffold.Options{Name: "mine", Dir: filepath.Join(dir, "broken")}, "go.mod"},
		"a bad path":        {scaffold.Options{Name: "mine", Module: "a b"}, `module path "a b": want one like example.org/mine`},
		"no library there":  {scaffold.Options{Name: "mine", Library: dir}, "does not have module bullyproof"},
		"roles and like":    {scaffold.Options{Name: "mine", Like: "bully", Roles: true}, "roles, and like bully: want one of the two"},
		"like nothing":      {scaffold.Options{Name: "mine", Like: "buly", Library: library(t)}, "did you mean bully?"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.opt.Dir == "" {
				tt.opt.Dir = dir
			}
			if tt.opt.Library == "" {
				tt.opt.Library = library(t)
			}
			_, err := scaffold.New(tt.opt)
			assert.ErrorContains(t, err, tt.want)
		})
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 2, "nothing is left behind")
}
