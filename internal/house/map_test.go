package house_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	architecture = "docs/architecture.md"
	contributing = "CONTRIBUTING.md"
)

// imports returns what each package that others can import imports of the others, the
// catalogue and the examples being one package each.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	module := modulePath(t)
	of := make(map[string][]string)
	for _, s := range sources(t) {
		from, ok := room(s.dir)
		if s.test() || !ok {
			continue
		}
		of[from] = append(of[from], []string{}...)
		for _, spec := range s.file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			imported, ours := strings.CutPrefix(name, module+"/")
			if to, ok := room(imported); ours && ok && to != from && !slices.Contains(of[from], to) {
				of[from] = append(of[from], to)
			}
		}
	}
	return of
}

// room returns the package under which the map has one; not ok if it has none.
func room(dir string) (string, bool) {
	first, _, _ := strings.Cut(dir, "/")
	switch {
	case dir == "." || first == "internal" || first == "docs" || strings.Contains("/"+dir+"/", "/internal/"):
		return "", false
	case first == "algorithms" || first == "examples":
		return first, true
	}
	return dir, true
}

// reach returns everything that each package imports, directly or not.
func reach(of map[string][]string) map[string]map[string]bool {
	all := make(map[string]map[string]bool)
	var from func(name string) map[string]bool
	from = func(name string) map[string]bool {
		if all[name] == nil {
			all[name] = make(map[string]bool)
			for _, to := range of[name] {
				all[name][to] = true
				maps.Copy(all[name], from(to))
			}
		}
		return all[name]
	}
	for name := range of {
		from(name)
	}
	return all
}

// drawMap draws the packages as Mermaid does: an arrow to each package that one
// imports, unless another one of its imports leads there.
func drawMap(of map[string][]string) string {
	var b strings.Builder
	leads := reach(of)
	b.WriteString("graph TD\n")
	id := strings.NewReplacer("/", "_")
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if strings.Contains(name, "/") {
			fmt.Fprintf(&b, "  %s[%q]\n", id.Replace(name), name)
		}
	}
	for _, from := range slices.Sorted(maps.Keys(of)) {
		for _, to := range slices.Sorted(slices.Values(of[from])) {
			if !slices.ContainsFunc(of[from], func(by string) bool { return by != to && leads[by][to] }) {
				fmt.Fprintf(&b, "  %s --> %s\n", id.Replace(from), id.Replace(to))
			}
		}
	}
	return b.String()
}

// The drawing of the packages is that of their imports.
func TestMapIsDrawnFromImports(t *testing.T) {
	t.Chdir(root)
	assert.Equal(t, drawMap(imports(t)), blockOf(t, architecture, "mermaid", "graph"))
}

// Where tests are in the package itself it is compiled once more with them, and so is all that
// its tests import and that imports it: up to two seconds for each package, in every go test of
// a clone. The list small does not grow.
func TestTestsHaveNothingCompiledTwice(t *testing.T) {
	t.Chdir(root)
	small := map[string][]string{
		"model":            {"internal/test/anyprotocol", "internal/test/upstart", "model/plain", "model/roles"}, // it is compared with the plain reading
		"model/setting":    {"internal/test/anysetting"},
		"explore/liveness": {"explore/typed"}, // an example
	}
	module := modulePath(t)
	of, tests := make(map[string][]string), make(map[string][]string)
	inside := make(map[string]bool)
	for _, s := range sources(t) {
		inside[s.dir] = inside[s.dir] || s.test() && !strings.HasSuffix(s.file.Name.Name, "_test")
		for _, spec := range s.file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if imported, ours := strings.CutPrefix(name, module+"/"); ours && s.test() {
				tests[s.dir] = append(tests[s.dir], imported)
			} else if ours {
				of[s.dir] = append(of[s.dir], imported)
			}
		}
	}
	leads := reach(of)
	for dir := range inside {
		for _, name := range tests[dir] {
			if inside[dir] && leads[name][dir] && !slices.Contains(small[dir], name) {
				assert.Fail(t, "compiled twice", "%s and what leads from it to %s is compiled once more for tests: have none in package %s, or do without %s", name, dir, dir, name)
			}
		}
	}
}

// A page names files, folders and tests that are there.
func TestPagesNameWhatIsThere(t *testing.T) {
	t.Chdir(root)
	for _, name := range []string{architecture, contributing} {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		files := regexp.MustCompile("`([a-z_]+(?:/[a-z_]+)*(?:/|\\.go|\\.md|\\.json|/[a-z_]+\\.go))`").FindAllStringSubmatch(string(page), -1)
		require.NotEmpty(t, files)
		for _, m := range files {
			_, err := os.Stat(filepath.FromSlash(m[1]))
			assert.NoError(t, err, "%s names it", name)
		}
		tests := regexp.MustCompile("`([a-z/]+)\\.((?:Test|Example|Fuzz)\\w+)`").FindAllStringSubmatch(string(page), -1)
		for _, m := range tests {
			assert.True(t, testIsThere(t, m[1], m[2]), "%s names %s.%s", name, m[1], m[2])
		}
	}
}

// A link of a page leads to a file that is there, and to a heading of it.
func TestLinksLeadSomewhere(t *testing.T) {
	t.Chdir(root)
	pages := []string{"README.md", contributing, "CHANGELOG.md"}
	for _, pattern := range []string{"docs/*.md", "docs/*/*.md", "examples/*.md", "counterexamples/*.md"} {
		names, err := filepath.Glob(filepath.FromSlash(pattern))
		require.NoError(t, err)
		pages = append(pages, names...)
	}
	link, links := regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`), 0
	of := make(map[string][]string)
	for _, name := range pages {
		for _, m := range link.FindAllStringSubmatch(prose(t, name), -1) {
			if strings.Contains(m[1], "://") || m[1] == "" && m[2] == "" {
				continue
			}
			links++
			to := filepath.Clean(filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1])))
			if m[1] == "" {
				to = name
			}
			if _, err := os.Stat(to); assert.NoError(t, err, "%s leads there", name) && m[2] != "" && strings.HasSuffix(to, ".md") {
				if of[to] == nil {
					of[to] = headings(t, to)
				}
				assert.Contains(t, of[to], m[2], "%s leads to a heading of %s", name, to)
			}
		}
	}
	t.Logf("%d links of %d pages", links, len(pages))
	assert.Greater(t, links, 500)
}

// prose returns a page without its blocks of code.
func prose(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	return regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(string(page), "")
}

// headings returns the addresses of the headings of a page.
func headings(t *testing.T, name string) (list []string) {
	t.Helper()
	text := prose(t, name)
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		title := strings.ToLower(regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1"))
		list = append(list, strings.ReplaceAll(regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(title, ""), " ", "-"))
	}
	for _, m := range regexp.MustCompile(`<a (?:id|name)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// testIsThere reports whether a package has a test.
func testIsThere(t *testing.T, dir, test string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(names, func(name string) bool {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		return strings.Contains(string(data), "\nfunc "+test+"(")
	})
}

// mostNames bounds what somebody sees who asks what package explore has: its types,
// functions, variables and constants, those of a type counted with the type.
const mostNames = 30

func TestExploreFitsAScreen(t *testing.T) {
	t.Chdir(root)
	var names []string
	for _, s := range sources(t) {
		if s.dir != "explore" || s.test() {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names = append(names, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names = append(names, spec.Name.Name)
					case *ast.ValueSpec:
						if spec.Type == nil && len(spec.Values) > 0 {
							names = append(names, spec.Names[0].Name)
						}
					}
				}
			}
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !ast.IsExported(name) })
	require.Contains(t, names, "Search")
	assert.LessOrEqual(t, len(names), mostNames, "%q", slices.Sorted(slices.Values(names)))
}

// largest are the five types with the most fields and methods, those of what they embed
// counted as their own: what a line of a method has at hand. They may only shrink, and no
// other one may become larger than the last of them.
var largest = []struct {
	name string
	size int
}{
	{"model.expander", 149},
	{"explore.disk", 103},
	{"trace/render.drawing", 100},
	{"explore.search", 96},
	{"model/internal/reduce.Reducer", 95},
}

func TestLargestTypes(t *testing.T) {
	t.Chdir(root)
	all := typesOf(t)
	sizes := make(map[string]int)
	for name := range all {
		sizes[name] = len(all.members(name, nil))
	}
	names := slices.SortedFunc(maps.Keys(sizes), func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], strings.Compare(a, b)) })
	var found []string
	for _, name := range names[:5] {
		found = append(found, fmt.Sprintf("{%q, %d}", name, sizes[name]))
	}
	require.Len(t, largest, 5)
	for i, l := range largest {
		assert.Contains(t, sizes, l.name)
		assert.LessOrEqual(t, sizes[l.name], l.size, "%s: give a part of it a name, and methods of its own", l.name)
		assert.GreaterOrEqual(t, sizes[l.name], l.size, "it has shrunk: write down its new size, so that it stays so: %s", found)
		assert.Equal(t, l.name, names[i], "another type is larger now: %s", found)
	}
}

// A shape is a type of this module: the types that it embeds, and the names of its own
// fields and methods.
type shape struct{ embeds, own []string }

// shapes are types by directory and name: "model.expander".
type shapes map[string]*shape

// members returns the names of fields and methods, those of what is embedded included.
func (all shapes) members(name string, seen map[string]bool) map[string]bool {
	found := make(map[string]bool)
	if seen == nil {
		seen = make(map[string]bool)
	}
	if all[name] == nil || seen[name] {
		return found
	}
	seen[name] = true
	for _, own := range all[name].own {
		found[own] = true
	}
	for _, e := range all[name].embeds {
		maps.Copy(found, all.members(e, seen))
	}
	return found
}

// typesOf returns the types that are structs, and those with methods.
func typesOf(t *testing.T) shapes {
	t.Helper()
	all := make(shapes)
	of := func(dir, name string) *shape {
		if all[dir+"."+name] == nil {
			all[dir+"."+name] = new(shape)
		}
		return all[dir+"."+name]
	}
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil {
					method := of(s.dir, typeName(d.Recv.List[0].Type))
					method.own = append(method.own, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					spec, ok := spec.(*ast.TypeSpec)
					if !ok {
						continue
					}
					fields, ok := spec.Type.(*ast.StructType)
					if !ok {
						continue
					}
					whole := of(s.dir, spec.Name.Name)
					for _, f := range fields.Fields.List {
						for _, name := range f.Names {
							whole.own = append(whole.own, name.Name)
						}
						if len(f.Names) == 0 {
							name := typeName(f.Type)
							whole.own = append(whole.own, name)
							whole.embeds = append(whole.embeds, s.dir+"."+name)
						}
					}
				}
			}
		}
	}
	return all
}

// typeName returns the name of a type, without what it points to or is made of.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
