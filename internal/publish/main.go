// Publish copies this module under another path, for whoever publishes it:
//
//	go run ./internal/publish -module github.com/acme/bullyproof -to DIR
//
// In the copy the module, all imports, and the import paths that Go files and
// Markdown name have the new path. Nothing else changes. The .git directory is
// left behind, and DIR has to be new or empty.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"bullyproof/internal/gomod"
)

func main() {
	module := flag.String("module", "", "`path` of the module in the copy, like github.com/acme/bullyproof")
	to := flag.String("to", "", "`directory` of the copy, new or empty")
	flag.Parse()
	err := fmt.Errorf("unexpected argument %q", flag.Arg(0))
	if flag.NArg() == 0 {
		err = publish(".", *module, *to)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "publish:", err)
		os.Exit(2)
	}
}

// modulePath matches paths that go install finds: with a host, and a name.
var modulePath = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[A-Za-z0-9_~][A-Za-z0-9._~-]*)+$`)

// publish copies the module that a directory is in.
func publish(dir, module, to string) error {
	switch {
	case !modulePath.MatchString(module):
		return fmt.Errorf("flag -module is %q: want a path with a host, like github.com/acme/bullyproof", module)
	case to == "":
		return errors.New("flag -to is missing: want a directory that is new or empty")
	}
	root, err := gomod.Root(dir)
	if err != nil {
		return err
	}
	if root == "" {
		return errors.New("no go.mod here or above: run it in the module")
	}
	if to, err = fresh(to, root); err != nil {
		return err
	}
	c, err := newCopier(root, module, to)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, c.visit)
}

// fresh returns the directory of the copy in full, which is empty and not inside
// of what is copied.
func fresh(to, root string) (string, error) {
	to, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, to); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("flag -to is %s, inside of the module: want a directory beside it", to)
	}
	entries, err := os.ReadDir(to)
	if len(entries) > 0 {
		return "", fmt.Errorf("flag -to is %s, which is not empty", to)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return to, err
}

// A copier copies a module.
type copier struct {
	root, to    string
	old, module string         // paths
	named       *regexp.Regexp // a package of the module in a text
	packages    map[string]bool
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)$`)

func newCopier(root, module, to string) (*copier, error) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return nil, err
	}
	line := moduleLine.FindSubmatch(data)
	if line == nil {
		return nil, fmt.Errorf("%s: no line says module", filepath.Join(root, "go.mod"))
	}
	c := &copier{root: root, to: to, old: string(line[1]), module: module, packages: make(map[string]bool)}
	c.named = regexp.MustCompile(`(^|[^\w./-])` + regexp.QuoteMeta(c.old) + `/([\w/]*\w)`)
	return c, filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(name) == ".go" {
			rel, _ := filepath.Rel(root, filepath.Dir(name))
			c.packages[filepath.ToSlash(rel)] = true
		}
		return err
	})
}

// visit copies a file or makes a directory (fs.WalkDirFunc).
func (c *copier) visit(name string, d fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(c.root, name)
	if err != nil {
		return err
	}
	to := filepath.Join(c.to, rel)
	switch {
	case d.Name() == ".git":
		if d.IsDir() {
			return filepath.SkipDir
		}
		return nil // of a linked worktree
	case d.IsDir():
		return os.MkdirAll(to, 0o777)
	case !d.Type().IsRegular():
		return fmt.Errorf("%s is no regular file: take it away", rel)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if data, err = c.rewritten(filepath.ToSlash(rel), data); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}

// rewritten returns a file as in the copy.
func (c *copier) rewritten(rel string, data []byte) ([]byte, error) {
	switch {
	case path.Base(rel) == "go.mod": // of the module, or of one in it that builds on it
		named := regexp.MustCompile(`(?m)^(module |require |replace |\s+)` + regexp.QuoteMeta(c.old) + `(/\S+|)(\s|$)`)
		return named.ReplaceAll(data, []byte("${1}"+c.module+"${2}${3}")), nil
	case filepath.Ext(rel) != ".go" && filepath.Ext(rel) != ".md":
		return data, nil
	}
	data = c.named.ReplaceAllFunc(data, func(match []byte) []byte {
		m := c.named.FindSubmatch(match)
		if !c.packages[string(m[2])] {
			return match
		}
		return []byte(string(m[1]) + c.module + "/" + string(m[2]))
	})
	if filepath.Ext(rel) == ".md" {
		return data, nil
	}
	return data, c.renamed(rel, data)
}

// renamed checks that a file imports nothing by the old path.
func (c *copier) renamed(rel string, data []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), rel, data, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", rel, err)
		}
		if name == c.old || strings.HasPrefix(name, c.old+"/") {
			return fmt.Errorf("%s imports %s, which is no package of the module", rel, name)
		}
	}
	return nil
}
