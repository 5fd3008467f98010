package main

import (
	"archive/zip"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/gomod"
	"bullyproof/internal/test/thorough"
)

var deep = flag.Bool("deep", false, "also build what takes long")

// golang runs the go command in a directory, with no network: modules come from
// the module cache, and from other file proxies.
func golang(t *testing.T, dir string, env []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "GOSUMDB=off", "GONOSUMDB=*", "GOTOOLCHAIN=local",
		"GOPROXY="+cached(t)+",off")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustGo(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	out, err := golang(t, dir, env, args...)
	require.NoError(t, err, "go %s: %s", strings.Join(args, " "), out)
	return out
}

// cached returns the module cache as a proxy.
func cached(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	return proxy(filepath.Join(strings.TrimSpace(string(out)), "cache", "download"))
}

// proxy returns a directory as a proxy.
func proxy(dir string) string {
	dir = filepath.ToSlash(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = "/" + dir // a drive
	}
	return "file://" + dir
}

func module(t *testing.T) string {
	t.Helper()
	root, err := gomod.Root(".")
	require.NoError(t, err)
	return root
}

func program(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// run runs a program and returns its exit status and what it said.
func run(t *testing.T, dir, name string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// The README's way to use the module from another one, by a replacement and by a
// workspace: a protocol of its own has a test, and a command that opens what the
// test keeps.
func TestFromAnotherModule(t *testing.T) {
	if !*deep {
		t.Skip("with -deep")
	}
	for name, use := range map[string]func(t *testing.T, mine string) (env []string){
		"replace": func(t *testing.T, mine string) []string {
			mustGo(t, mine, nil, "mod", "edit", "-replace", "bullyproof="+module(t))
			// -e: what only tests of other modules need is not in the cache.
			mustGo(t, mine, nil, "mod", "tidy", "-e")
			return nil
		},
		"workspace": func(t *testing.T, mine string) []string {
			work := []string{"GOWORK=" + filepath.Join(mine, "go.work"), "GOFLAGS=-buildvcs=false"}
			mustGo(t, mine, work, "work", "init", ".", module(t))
			return work
		},
	} {
		t.Run(name, func(t *testing.T) {
			mine := t.TempDir()
			require.NoError(t, os.CopyFS(mine, os.DirFS(filepath.Join("testdata", "mine"))))
			mustGo(t, mine, nil, "mod", "init", "example.org/mine")
			env := use(t, mine)
			out, err := golang(t, mine, env, "test", "./loyal")
			require.Error(t, err)
			assert.Contains(t, out, "--- FAIL: TestStrict")
			loyal := filepath.Join(mine, "bin", program("loyal"))
			mustGo(t, mine, env, "build", "-o", loyal, "./cmd/loyal")
			found, err := filepath.Glob(filepath.Join(mine, "loyal", "testdata", "counterexamples", "TestStrict-uniqueness-*.json"))
			require.NoError(t, err)
			require.Len(t, found, 1, out)
			kept := found[0]
			status, said := run(t, mine, loyal, "trace", kept)
			assert.Equal(t, 0, status, said)
			assert.Contains(t, said, "uniqueness breaks in step 7")
			status, said = run(t, mine, loyal, "replay", kept)
			assert.Equal(t, 0, status, said)
			assert.Contains(t, said, "loyal/plain, uniqueness breaks in 7 steps, as recorded")
		})
	}
}

// Under a path of one's own the module is what go install finds.
func TestPublish(t *testing.T) {
	thorough.Only(t)
	const path, version = "example.org/acme/bullyproof", "v1.2.3"
	dir := t.TempDir()
	tree := filepath.Join(dir, "copy")
	require.NoError(t, publish(".", path, tree))
	gomod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(gomod), "module "+path+"\n")
	nested, err := os.ReadFile(filepath.Join(tree, "examples", "etcdraft", "go.mod"))
	require.NoError(t, err)
	assert.Contains(t, string(nested), "module "+path+"/examples/etcdraft\n")
	assert.Contains(t, string(nested), "\t"+path+" v0.0.0\n")
	assert.Contains(t, string(nested), "replace "+path+" => ../..\n")
	readme, err := os.ReadFile(filepath.Join(tree, "README.md"))
	require.NoError(t, err)
	assert.Contains(t, string(readme), `"`+path+`/checker"`)
	assert.NotContains(t, string(readme), `"bullyproof/`)
	assert.NoDirExists(t, filepath.Join(tree, ".git"))
	mustGo(t, tree, nil, "list", "-deps", "./cmd/bullyproof") // every import is there

	if !*deep { // what follows compiles all of it
		return
	}
	served := filepath.Join(dir, "proxy")
	serve(t, tree, filepath.Join(served, filepath.FromSlash(path), "@v"), path, version)
	bin := filepath.Join(dir, "bin")
	mustGo(t, dir, []string{
		"GOBIN=" + bin, "GOFLAGS=-modcacherw", "GOMODCACHE=" + filepath.Join(dir, "modules"),
		"GOPROXY=" + proxy(served) + "," + cached(t) + ",off",
	}, "install", path+"/cmd/bullyproof@"+version)
	status, said := run(t, dir, filepath.Join(bin, program("bullyproof")), "replay", "bully-duplicate-coordinator")
	assert.Equal(t, 0, status, said)
	assert.Contains(t, said, "bully/coulouris, uniqueness breaks in 7 steps, as recorded")
}

// serve writes a version of a module as in a proxy.
func serve(t *testing.T, tree, to, path, version string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(to, 0o777))
	gomod, err := os.ReadFile(filepath.Join(tree, "go.mod"))
	require.NoError(t, err)
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": `{"Version":"` + version + `"}`, version + ".mod": string(gomod),
	} {
		require.NoError(t, os.WriteFile(filepath.Join(to, name), []byte(text), 0o666))
	}
	file, err := os.Create(filepath.Join(to, version+".zip"))
	require.NoError(t, err)
	defer file.Close()
	w := zip.NewWriter(file)
	require.NoError(t, filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != tree {
				return fs.SkipDir // a module of its own
			}
			return nil
		}
		rel, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := w.Create(path + "@" + version + "/" + filepath.ToSlash(rel))
		if err == nil {
			_, err = f.Write(data)
		}
		return err
	}))
	require.NoError(t, w.Close())
	require.NoError(t, file.Close())
}

func TestPublishRefuses(t *testing.T) {
	root := module(t)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "there"), nil, 0o666))
	empty := t.TempDir()
	for _, c := range []struct{ dir, module, to, want string }{
		{".", "", empty, `flag -module is "": want a path with a host`},
		{".", "bullyproof", empty, "want a path with a host"},
		{".", "github.com/a b", empty, "want a path with a host"},
		{".", "github.com/acme/bullyproof", "", "flag -to is missing"},
		{".", "github.com/acme/bullyproof", full, "not empty"},
		{".", "github.com/acme/bullyproof", filepath.Join(root, "copy"), "inside of the module"},
		{".", "github.com/acme/bullyproof", root, "inside of the module"},
		{".", "github.com/acme/bullyproof", filepath.Join(full, "there"), "not a directory"},
		{os.TempDir(), "github.com/acme/bullyproof", empty, "no go.mod here or above"},
	} {
		assert.ErrorContains(t, publish(c.dir, c.module, c.to), c.want)
	}
	entries, err := os.ReadDir(empty)
	require.NoError(t, err)
	assert.Empty(t, entries)
}

// A name in a text is rewritten if it is a package of the module.
func TestRewritten(t *testing.T) {
	c, err := newCopier(module(t), "example.org/a/b", "")
	require.NoError(t, err)
	for in, want := range map[string]string{
		"import \"bullyproof/checker\"":                "import \"example.org/a/b/checker\"",
		"go doc bullyproof/internal/web Server":        "go doc example.org/a/b/internal/web Server",
		"`go run ./cmd/bullyproof check`":              "`go run ./cmd/bullyproof check`",
		"bullyproof/checker, bullyproof/model.":        "example.org/a/b/checker, example.org/a/b/model.",
		"x/bullyproof/checker and bullyproof/checkers": "x/bullyproof/checker and bullyproof/checkers",
		"../bullyproof/checker, my-bullyproof/model":   "../bullyproof/checker, my-bullyproof/model",
		"bullyproof/internal/test/play, bullyproof":    "example.org/a/b/internal/test/play, bullyproof",
	} {
		got, err := c.rewritten("x.md", []byte(in))
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
	}
	_, err = c.rewritten("x.go", []byte("package x\n\nimport _ \"bullyproof/nowhere\"\n"))
	assert.ErrorContains(t, err, "x.go imports bullyproof/nowhere, which is no package of the module")
}
