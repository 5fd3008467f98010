package scaffold

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"bullyproof/internal/nearest"
)

// shelves are the directories of the library that have algorithms.
var shelves = []string{"algorithms", "examples"}

// like returns the files of an algorithm of the library under another name, with
// a test and a command.
func like(opt Options, home *home) ([]file, error) {
	if home.library.dir == "" {
		return nil, fmt.Errorf("to begin like %s takes the library's source: say by --library DIR where its clone is", nearest.Clip(opt.Like))
	}
	from, err := shelved(home.library.dir, opt.Like)
	if err != nil {
		return nil, err
	}
	c := &copier{home: home, from: opt.Like, to: opt.Name, copied: make(map[string]bool)}
	if err := c.copy(from, ""); err != nil {
		return nil, err
	}
	claims := slices.ContainsFunc(c.files, func(f file) bool { return f.name == "claims.lock" })
	for name, text := range map[string]*template.Template{
		opt.Name + "_test.go":          likeTest,
		"cmd/" + opt.Name + "/main.go": likeMain,
	} {
		var b bytes.Buffer
		if err := text.Execute(&b, map[string]any{
			"Claims": claims, "Name": opt.Name, "Title": strings.ToUpper(opt.Name[:1]) + opt.Name[1:], "Import": home.path, "Library": home.library.path,
		}); err != nil {
			return nil, err
		}
		c.files = append(c.files, file{name, b.Bytes()})
	}
	slices.SortFunc(c.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return c.files, nil
}

// shelved returns the directory of an algorithm of the library. The error
// suggests the name that was probably meant.
func shelved(root, name string) (string, error) {
	var names []string
	for _, shelf := range shelves {
		entries, err := os.ReadDir(filepath.Join(root, shelf))
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if _, err := os.Stat(filepath.Join(root, shelf, e.Name(), "algorithm.go")); err != nil {
				continue // no algorithm of a catalogue
			}
			if e.Name() == name {
				return filepath.Join(root, shelf, name), nil
			}
			names = append(names, e.Name())
		}
	}
	return "", nearest.Unknown("algorithm to begin with", name, names)
}

// A copier copies a package of the library, and what it imports that other
// modules must not.
type copier struct {
	home     *home
	from, to string
	copied   map[string]bool // directories, relative to the library
	files    []file
}

// copy adds the files of a package, its tests aside, to a directory.
func (c *copier) copy(dir, into string) error {
	p, err := listed(dir)
	if err != nil {
		return err
	}
	names := slices.Clone(p.GoFiles)
	for _, pattern := range p.EmbedPatterns {
		embedded, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, name := range embedded {
			if filepath.Ext(name) != ".go" {
				names = append(names, filepath.Base(name))
			}
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".go") {
			data = c.adapt(data, into == "")
		}
		if into == "" && strings.TrimSuffix(name, ".go") == c.from {
			name = c.to + ".go"
		}
		c.files = append(c.files, file{path.Join(into, name), data})
	}
	for _, imported := range p.Imports {
		of, ok := strings.CutPrefix(imported, c.home.library.path+"/")
		if !ok || c.copied[of] || !internal(of) {
			continue
		}
		c.copied[of] = true
		if err := c.copy(filepath.Join(c.home.library.dir, filepath.FromSlash(of)), path.Join("internal", path.Base(of))); err != nil {
			return err
		}
	}
	return nil
}

// A listing is what the go command says of a package.
type listing struct{ GoFiles, EmbedPatterns, Imports []string }

// listed asks it for the package in a directory.
func listed(dir string) (p listing, err error) {
	list := exec.Command("go", "list", "-json=GoFiles,EmbedPatterns,Imports", ".")
	list.Dir = dir
	list.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := list.Output()
	if err != nil {
		return p, fmt.Errorf("go list in %s: %w", dir, err)
	}
	return p, json.Unmarshal(out, &p)
}

// internal reports whether other modules must not import a package.
func internal(of string) bool { return slices.Contains(strings.Split(of, "/"), "internal") }

var (
	packageClause = regexp.MustCompile(`(?m)^(package |// Package )(\w+)`)
	entryName     = regexp.MustCompile(`(?m)^(\tName:\s+)"(\w+)",$`)
)

// adapt gives source its new imports, and, in the package itself, its new name.
func (c *copier) adapt(data []byte, itself bool) []byte {
	shared := regexp.MustCompile(`"` + regexp.QuoteMeta(c.home.library.path) + `/(?:\w+/)*internal/(\w+)"`)
	data = shared.ReplaceAll(data, []byte(`"`+c.home.path+`/internal/$1"`))
	if !itself {
		return data
	}
	data = packageClause.ReplaceAll(data, []byte("${1}"+c.to))
	return entryName.ReplaceAllFunc(data, func(found []byte) []byte {
		return bytes.Replace(found, []byte(`"`+c.from+`"`), []byte(`"`+c.to+`"`), 1)
	})
}

var likeMain = template.Must(template.New("main").Parse(`// {{.Title}} is the command of package {{.Name}}:
//
//	go run ./cmd/{{.Name}} check {{.Name}}
//	go run ./cmd/{{.Name}} explore {{.Name}}
package main

import (
	"{{.Library}}/command"
	"{{.Import}}"
)

func main() { command.Main({{.Name}}.Algorithm) }
`))

var likeTest = template.Must(template.New("test").Parse(`package {{.Name}}

import (
	{{- if .Claims}}
	"flag"
	{{- end}}
	"testing"

	"{{.Library}}/checker"
	"{{.Library}}/ledger"
)
{{- if .Claims}}

var (
	deep   = flag.Bool("deep", false, "also judge what takes minutes")
	update = flag.Bool("update", false, "write down what the claims come to")
)
{{- end}}

// The rules of every variant can be explored: they are deterministic, above all.
func TestVariants(t *testing.T) {
	for _, v := range Algorithm.Variants {
		sys, err := v.System()
		if err == nil {
			err = checker.TestSystem(sys)
		}
		if err != nil {
			t.Errorf("variant %s: %v", v.Name, err)
		}
	}
}

{{- if .Claims}}

// The claims of the source come to what is said of them.
func TestClaims(t *testing.T) {
	ledger.VerifyClaims(t, Algorithm, ledger.ClaimOptions{Deep: *deep, Update: *update})
}
{{- end}}

// The mutants are caught.
func TestMutants(t *testing.T) { ledger.VerifyMutants(t, Algorithm) }
`))
