package house_test

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// testsByFolder returns the names of the tests in each folder.
func testsByFolder(t *testing.T) map[string][]string {
	tests := map[string][]string{}
	for _, src := range sources(t) {
		if !src.test() {
			continue
		}
		for _, decl := range src.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				dir := path.Dir(src.name)
				tests[dir] = append(tests[dir], f.Name.Name)
			}
		}
	}
	return tests
}

// meets reports whether one of the names is as a pattern has it, from end to end.
func meets(t *testing.T, pattern string, names []string) bool {
	re, err := regexp.Compile("^(?:" + pattern + ")$")
	require.NoError(t, err)
	for _, name := range names {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}

// script returns the text of a program of .ci.
func script(t *testing.T, name string) string {
	text, err := os.ReadFile(path.Join(".ci", name))
	require.NoError(t, err)
	return string(text)
}

// testPattern is the name of a test in a script, or a pattern of some.
var testPattern = regexp.MustCompile(`[\^(|](Test(?:\w\?|\w|\.\*)+)`)

// Each test that .ci/run or .ci/attack names is one that there is: a name that nothing has
// would leave out nothing, and attack nothing, and nobody would be told.
func TestScriptsNameTests(t *testing.T) {
	t.Chdir(root)
	var all []string
	for _, names := range testsByFolder(t) {
		all = append(all, names...)
	}
	for _, name := range []string{"run", "attack"} {
		patterns := testPattern.FindAllStringSubmatch(script(t, name), -1)
		require.NotEmpty(t, patterns, name)
		for _, p := range patterns {
			assert.True(t, meets(t, p[1], all), ".ci/%s names %s, and no test is called so", name, p[1])
		}
	}
}

// attackLine is a package, and the tests of it that an attack runs.
var attackLine = regexp.MustCompile(`(?m)^\t"(\S+) \^(\S+)\$"$`)

// Each attack is one on a package that there is, by tests that it has.
func TestAttacksNameTheirPackages(t *testing.T) {
	t.Chdir(root)
	tests := testsByFolder(t)
	lines := attackLine.FindAllStringSubmatch(script(t, "attack"), -1)
	require.NotEmpty(t, lines)
	for _, line := range lines {
		require.Contains(t, tests, line[1], ".ci/attack: no package of that name has tests")
		for _, p := range strings.Split(strings.Trim(line[2], "()"), "|") {
			assert.True(t, meets(t, p, tests[line[1]]), ".ci/attack: package %s has no test %s", line[1], p)
		}
	}
}
