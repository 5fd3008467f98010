// Package house_test keeps the repository as its README describes it: what
// may import what, what has to be documented, how long a function may be, and
// that the README's own code is code that runs.
package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// layers says what the packages of each folder may import of this module, test
// files aside. The longest folder that a package is in counts; "x/..." stands
// for everything in folder x. A package that may import model may also import
// setting, in whose terms it speaks.
var layers = map[string][]string{
	".":                          {}, // the overview
	"internal":                   {"internal/naming", "internal/nearest"},
	"internal/publish":           {"internal/..."},
	"internal/runfile":           {"internal/wholefile"},
	"internal/web":               {"explore", "model", "trace", "trace/render", "checker", "checker/cost", "checker/expression", "ledger", "internal/..."}, // the explorer of command
	"explore":                    {"internal/...", "explore/internal/..."},
	"explore/internal":           {"internal/...", "explore/internal/..."},
	"explore/cluster":            {"explore", "explore/internal/...", "internal/..."}, // the search of several machines
	"explore/liveness":           {"explore"},
	"explore/typed":              {"explore", "explore/liveness", "internal/..."},
	"model/process":              {},
	"model/setting":              {"model/process", "internal/..."},
	"model/protocol":             {"model/setting", "model/process", "internal/...", "model/internal/..."}, // the words of a protocol
	"model":                      {"explore", "model/clock", "model/protocol", "model/setting", "model/process", "internal/...", "model/internal/..."},
	"model/internal":             {"explore", "model/clock", "model/setting", "model/process", "internal/...", "model/internal/..."},
	"model/clock":                {},                                                // types for states
	"model/list":                 {},                                                // and one more
	"model/roles":                {"model", "model/protocol", "model/internal/..."}, // two protocols in one
	"model/plain":                {"explore", "model"},                              // what the world of model means
	"runtime/eventlog":           {"model", "internal/..."},
	"runtime/logformat":          {"model", "runtime/eventlog", "internal/..."},
	"runtime":                    {"model", "runtime/eventlog", "internal/..."},
	"runtime/cluster":            {"model", "ledger", "runtime"},
	"runtime/validate":           {"explore", "model", "trace", "checker", "runtime/eventlog", "internal/..."},
	"trace":                      {"explore", "model", "internal/..."},
	"trace/render":               {"model", "trace", "internal/..."},
	"checker/class":              {"explore/liveness", "model", "internal/..."},                                        // words of fairness
	"checker/internal":           {"explore", "explore/cluster", "explore/liveness", "model", "trace", "internal/..."}, // parts of a check
	"checker/conform":            {"explore", "model", "trace", "internal/..."},                                        // the code of a protocol
	"checker":                    {"checker/class", "checker/conform", "checker/internal/...", "explore", "explore/cluster", "explore/liveness", "explore/typed", "model", "model/plain", "trace", "trace/render", "internal/..."},
	"checker/expression":         {"model", "model/protocol", "checker", "internal/..."}, // questions that are typed
	"checker/relation":           {"model", "trace", "internal/..."},                     // protocols as relations
	"checker/induction":          {"model", "checker/relation", "internal/..."},          // what is true for every N
	"checker/linear":             {"explore", "model", "trace", "trace/render", "runtime/eventlog", "internal/..."},
	"checker/shipped":            {"model", "checker", "internal/...", "checker/shipped/internal/..."},
	"checker/shipped/bubble":     {"model", "checker", "checker/shipped", "checker/shipped/internal/...", "explore"},
	"checker/shipped/internal":   {"internal/..."},
	"checker/simulate":           {"model", "trace", "trace/render", "checker", "internal/..."},
	"checker/chance":             {"explore", "explore/liveness", "model", "trace", "trace/render", "checker", "checker/class", "internal/..."}, // what coins do
	"checker/cost":               {"explore", "explore/liveness", "model", "trace", "trace/render", "checker", "internal/..."},
	"ledger":                     {"explore", "model", "trace", "checker", "checker/chance", "checker/cost", "checker/relation", "ledger/silence", "internal/..."},
	"ledger/foretell":            {"model", "trace", "checker/expression", "ledger"},
	"ledger/silence":             {"explore", "model", "trace", "checker", "checker/cost", "internal/..."},
	"ledger/claimfile":           {"model", "checker/cost", "ledger", "internal/...", "ledger/claimfile/internal/..."},
	"ledger/claimfile/internal":  {"internal/nearest"},
	"algorithms":                 {"model/list", "model", "checker", "checker/cost", "checker/relation", "ledger", "ledger/claimfile", "ledger/silence", "algorithms/..."},
	"algorithms/internal":        {"internal/test/play", "explore", "model", "trace", "checker", "checker/cost", "ledger"}, // what algorithms and their tests share
	"algorithms/internal/mutate": {"algorithms", "algorithms/internal/...", "internal/test/play", "model", "ledger"},       // mutants of all of them
	"counterexamples":            {"trace", "internal/..."},
	"counterexamples/incidents":  {"algorithms/...", "checker", "model/setting", "ledger", "trace", "internal/..."},
	"docs":                       {},
	"examples/cluster":           {"runtime/cluster", "algorithms", "algorithms/raft"},
	"examples":                   {"algorithms/raft", "algorithms/river", "algorithms/zen", "explore", "explore/liveness", "explore/typed", "model", "checker", "checker/class", "ledger", "command", "examples/..."},
	"ledger/compare":             {"explore", "model", "checker/linear", "trace", "trace/render", "checker", "checker/cost", "ledger", "internal/..."},
	"command":                    {"explore", "explore/cluster", "model", "trace", "checker/expression", "checker/induction", "checker/linear", "checker/relation", "trace/render", "checker", "checker/simulate", "checker/chance", "checker/class", "checker/cost", "ledger", "ledger/compare", "ledger/silence", "runtime/eventlog", "runtime/logformat", "runtime/validate", "runtime/cluster", "internal/...", "command/internal/..."},
	"command/internal":           {"trace/render"},
	"site":                       {"command", "site/internal/...", "internal/..."},
	"site/internal":              {"docs", "model", "trace", "trace/render", "checker", "checker/cost", "ledger", "ledger/compare", "ledger/foretell", "internal/..."}, // the pages of site
	"site/cmd":                   {"cmd/catalogue", "site"},
	"cmd":                        {"cmd/catalogue"},
	"cmd/catalogue":              {"algorithms", "command", "counterexamples", "examples/gossip", "counterexamples/incidents", "ledger"},

	// Only tests use these: random protocols and settings, a browser, a network with faults.
	"internal/test":            {"explore", "model", "model/...", "trace", "checker", "checker/cost", "ledger", "internal/..."},
	"internal/test/exporttest": {"internal/..."},

	// The writer of new packages, and a package as it writes it.
	"command/internal/scaffold":         {"internal/..."},
	"command/internal/scaffold/starter": {"model", "model/setting", "checker", "ledger", "ledger/claimfile", "command", "command/internal/scaffold/starter"},
	"command/internal/scaffold/roles":   {"model", "model/roles", "checker"},
}

// root is that of the module, where the tests run, whose files they read. Each goes there itself: go test
// then sees which files it opens, and runs it again where one has changed.
var root = filepath.Join("..", "..")

// A source is a parsed file of the module.
type source struct {
	dir, name string // slash-separated
	file      *ast.File
	set       *token.FileSet
}

func (s *source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// at returns the place of a node.
func (s *source) at(n ast.Node) string { return s.set.Position(n.Pos()).String() }

// sources returns every Go file of the module, and of the one that makes sites. They are
// parsed once.
func sources(t *testing.T) []*source {
	t.Helper()
	list, err := parsed()
	require.NoError(t, err)
	require.NotEmpty(t, list)
	return list
}

var parsed = sync.OnceValues(func() (list []*source, err error) {
	set := token.NewFileSet()
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return filepath.SkipDir
		case d.IsDir() && name != "." && isModule(name) && name != "site": // which has its own
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		name = filepath.ToSlash(name)
		list = append(list, &source{path.Dir(name), name, file, set})
		return err
	})
	return list, err
})

// isModule reports whether a folder is a module of its own.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// layer returns the folder of layers that a package is in.
func layer(dir string) (string, bool) {
	for at := dir; ; at = path.Dir(at) {
		if _, ok := layers[at]; ok && (at != "." || dir == ".") {
			return at, true
		}
		if at == "." {
			return "", false
		}
	}
}

func allowed(layer, imported string) bool {
	if (imported == "model/setting" || imported == "model/clock") && slices.Contains(layers[layer], "model") {
		return true
	}
	return slices.ContainsFunc(layers[layer], func(pattern string) bool {
		folder, all := strings.CutSuffix(pattern, "/...")
		return imported == folder || all && strings.HasPrefix(imported, folder+"/")
	})
}

// modulePath returns the path of the module.
func modulePath(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	line := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(data)
	require.NotNil(t, line, "go.mod does not say module")
	return string(line[1])
}

func TestImportsGoDownward(t *testing.T) {
	t.Chdir(root)
	module := modulePath(t)
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		folder, ok := layer(s.dir)
		if !assert.True(t, ok, "%s is in no layer: say in layers what it may import", s.name) {
			continue
		}
		for _, spec := range s.file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if imported, ours := strings.CutPrefix(name, module+"/"); ours {
				assert.True(t, allowed(folder, imported), "%s: %s may not import %s", s.at(spec), folder, imported)
			}
		}
	}
}

func TestPackageNamesSaySomething(t *testing.T) {
	t.Chdir(root)
	empty := []string{"util", "utils", "lib", "common", "helper", "helpers", "manager", "misc", "base", "shared", "types"}
	for _, s := range sources(t) {
		assert.NotContains(t, empty, strings.TrimSuffix(s.file.Name.Name, "_test"), s.name)
	}
}

func TestPackagesHaveAnOverview(t *testing.T) {
	t.Chdir(root)
	has := make(map[string]bool)
	for _, s := range sources(t) {
		if !s.test() {
			has[s.dir] = has[s.dir] || s.file.Doc != nil
		}
	}
	for dir, doc := range has {
		assert.True(t, doc, "package %s has no comment that says what it is for", dir)
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	t.Chdir(root)
	for _, s := range sources(t) {
		if s.test() {
			continue
		}
		for _, decl := range s.file.Decls {
			for _, name := range undocumented(decl) {
				assert.Fail(t, "no doc comment", "%s: %s", s.at(name), name.Name)
			}
		}
	}
}

// undocumented returns the exported names that a declaration says nothing of.
// A comment on a group of constants or variables counts for all of it.
func undocumented(decl ast.Decl) (names []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && receiverIsExported(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch sp := spec.(type) {
			case *ast.TypeSpec:
				if d.Doc == nil && sp.Doc == nil && sp.Name.IsExported() {
					names = append(names, sp.Name)
				}
			case *ast.ValueSpec:
				for _, name := range sp.Names {
					if d.Doc == nil && sp.Doc == nil && sp.Comment == nil && name.IsExported() {
						names = append(names, name)
					}
				}
			}
		}
	}
	return names
}

// receiverIsExported reports whether a function is no method, or one of a type
// that others can name.
func receiverIsExported(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	for t := d.Recv.List[0].Type; ; {
		switch of := t.(type) {
		case *ast.StarExpr:
			t = of.X
		case *ast.IndexExpr:
			t = of.X
		case *ast.IndexListExpr:
			t = of.X
		default:
			id, ok := t.(*ast.Ident)
			return ok && id.IsExported()
		}
	}
}

func TestFunctionsFitAScreen(t *testing.T) {
	t.Chdir(root)
	const most = 70 // lines
	for _, s := range sources(t) {
		if s.test() {
			continue // a table of cases may be long
		}
		for _, decl := range s.file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
				lines := s.set.Position(d.End()).Line - s.set.Position(d.Pos()).Line + 1
				assert.LessOrEqual(t, lines, most, "%s: %s", s.at(d), d.Name.Name)
			}
		}
	}
}

// Nothing happens but what main or a test asks for.
func TestNothingRunsBeforeMain(t *testing.T) {
	t.Chdir(root)
	for _, s := range sources(t) {
		for _, decl := range s.file.Decls {
			if d, ok := decl.(*ast.FuncDecl); ok && d.Recv == nil {
				assert.NotEqual(t, "init", d.Name.Name, s.at(d))
			}
		}
	}
}

// block returns the text of the README's first code block of a language that
// has a mark in it.
func block(t *testing.T, language, mark string) string {
	t.Helper()
	return blockOf(t, "README.md", language, mark)
}

// blockOf is block of another page.
func blockOf(t *testing.T, name, language, mark string) string {
	t.Helper()
	readme, err := os.ReadFile(name)
	require.NoError(t, err)
	fence := regexp.MustCompile("(?s)\n```" + language + "\n(.*?)```\n")
	for _, m := range fence.FindAllStringSubmatch(string(readme), -1) {
		if strings.Contains(m[1], mark) {
			return m[1]
		}
	}
	require.Fail(t, "no such block", "%s: %s with %q", name, language, mark)
	return ""
}

// The README's code is that of a test which runs.
func TestReadmeCode(t *testing.T) {
	t.Chdir(root)
	code, err := os.ReadFile(filepath.Join("algorithms", "bully", "loyal_test.go"))
	require.NoError(t, err)
	want := strings.Replace(string(code), "package bully_test\n", "package loyal\n", 1)
	assert.Equal(t, want, block(t, "go", "checker.Verify"))
}

// The code of the page for readers of TLA+ is that of a test which runs.
func TestCodeBesideTLA(t *testing.T) {
	t.Chdir(root)
	code, err := os.ReadFile(filepath.Join("checker", "terms_test.go"))
	require.NoError(t, err)
	want := strings.Replace(string(code), "package checker_test\n", "package terms\n", 1)
	assert.Equal(t, want, blockOf(t, filepath.Join("docs", "from-tla-and-raft.md"), "go", "checker.Verify"))
}

// The program of the page about commands is that of a module which a test builds.
func TestProgramOfACatalogue(t *testing.T) {
	t.Chdir(root)
	want, err := os.ReadFile(filepath.Join("internal", "publish", "testdata", "mine", "cmd", "loyal", "main.go"))
	require.NoError(t, err)
	assert.Equal(t, string(want), blockOf(t, filepath.Join("docs", "commands.md"), "go", "example.org/mine/loyal"))
}

// The README's test prints the diagram of a run that replays.
func TestReadmeDiagram(t *testing.T) {
	t.Chdir(root)
	drawn, err := os.ReadFile(filepath.Join("counterexamples", "testdata", "bully-duplicate-coordinator.txt"))
	require.NoError(t, err)
	from, to := strings.Index(string(drawn), "      P1 "), strings.Index(string(drawn), "uniqueness: ")
	require.True(t, 0 < from && from < to)
	lines := func(text string) (list []string) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				list = append(list, line)
			}
		}
		return list
	}
	shown := lines(block(t, "text", "--- FAIL: TestLoyal"))
	assert.Equal(t, lines(string(drawn)[from:to]), shown[2:])
}

// The README's verdict is the one that the command's own test has.
func TestReadmeVerdict(t *testing.T) {
	t.Chdir(root)
	report, err := os.ReadFile(filepath.Join("command", "testdata", "check-bully.txt"))
	require.NoError(t, err)
	verdict, _, ok := strings.Cut(string(report), "\n  Not exercised")
	require.True(t, ok)
	assert.Contains(t, block(t, "text", "check bully"), "$ go run ./cmd/bullyproof check bully\n"+verdict)
}

// The log of the page about running is one that the command accepts, in the words of its test.
func TestShownLog(t *testing.T) {
	t.Chdir(root)
	script, err := os.ReadFile(filepath.Join("command", "testdata", "script", "validate.txtar"))
	require.NoError(t, err)
	_, accepted, _ := strings.Cut(string(script), "-- accepted.txt --\n")
	accepted, _, ok := strings.Cut(accepted, "-- ")
	require.True(t, ok)
	assert.Equal(t, "$ go run ./cmd/bullyproof validate bully docs/cluster.ndjson\n"+accepted, blockOf(t, filepath.Join("docs", "running.md"), "text", "validate bully"))
}

// The go.mod says of each module that is required directly what it does here.
func TestModulesHaveAReason(t *testing.T) {
	t.Chdir(root)
	mod, err := os.ReadFile("go.mod")
	require.NoError(t, err)
	for _, of := range []string{"spark", "site"} {
		more, err := os.ReadFile(filepath.Join(of, "go.mod"))
		require.NoError(t, err)
		mod = append(mod, more...)
	}
	modules := regexp.MustCompile(`(?m)^(?:require )?\t?(\S+\.\S+/\S+) v\S+(.*)$`).FindAllStringSubmatch(string(mod), -1)
	require.NotEmpty(t, modules)
	for _, m := range modules {
		if m[1] == "bullyproof" || strings.Contains(m[2], "// indirect") {
			continue
		}
		assert.Regexp(t, `^ // \S+`, m[2], "what does %s do here?", m[1])
	}
}

// The overview of the module names every package that others can import, and no other.
func TestOverviewNamesPackages(t *testing.T) {
	t.Chdir(root)
	overview, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	var named, there []string
	for _, m := range regexp.MustCompile(`(?m)^//   - ([a-z/]+): `).FindAllStringSubmatch(string(overview), -1) {
		named = append(named, m[1])
	}
	for _, s := range sources(t) {
		one := strings.HasPrefix(s.dir, "algorithms/") || strings.HasPrefix(s.dir, "examples/") || s.dir == "."
		if !s.test() && !one && !strings.Contains("/"+s.dir+"/", "/internal/") && !slices.Contains(there, s.dir) {
			there = append(there, s.dir)
		}
	}
	slices.Sort(named)
	slices.Sort(there)
	assert.Equal(t, there, named)
}

// The code in the first screen of these packages runs: each line of it is one of an example.
func TestOverviewsShowCode(t *testing.T) {
	t.Chdir(root)
	for _, dir := range []string{"model", "model/protocol", "checker", "explore"} {
		overview, err := os.ReadFile(filepath.Join(dir, "doc.go"))
		require.NoError(t, err)
		example, err := os.ReadFile(filepath.Join(dir, "example_test.go"))
		require.NoError(t, err)
		screen := strings.Join(strings.SplitAfter(string(overview), "\n")[:min(30, strings.Count(string(overview), "\n"))], "")
		assert.Contains(t, screen, "\n//\t", "%s: code in the first screen", dir)
		for _, m := range regexp.MustCompile(`(?m)^//\t(.*(?::=|[{}(]).*[)},{])$`).FindAllStringSubmatch(string(overview), -1) {
			line := strings.TrimSpace(m[1])
			if strings.HasPrefix(line, "checker.Verify(t") || strings.Contains(line, "([") {
				continue // for go test; a link
			}
			assert.Contains(t, string(example), line, "%s/doc.go", dir)
		}
	}
}

// The front page is read in five minutes.
func TestReadmeIsShort(t *testing.T) {
	t.Chdir(root)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(readme), "\n"), 200)
}

// The page of the examples names each of them.
func TestExamplesAreNamed(t *testing.T) {
	t.Chdir(root)
	page, err := os.ReadFile(filepath.Join("examples", "README.md"))
	require.NoError(t, err)
	folders, err := os.ReadDir("examples")
	require.NoError(t, err)
	for _, f := range folders {
		if f.IsDir() {
			assert.Contains(t, string(page), "`examples/"+f.Name()+"`")
		}
	}
}
