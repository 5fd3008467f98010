package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model/setting"
)

// Each drawing has a page of its own colour, in light and in dark, and says what
// its scales are.
func TestDrawingsKnowTheDark(t *testing.T) {
	names, err := filepath.Glob("*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		text := string(data)
		assert.Contains(t, text, "prefers-color-scheme:dark", name)
		assert.Contains(t, text, `<rect class="page"`, name)
		assert.NotRegexp(t, `(fill|stroke)="(#|white|black)`, text, name)
		assert.Contains(t, text, "logarithmic", name)
	}
}

// page returns the text of a page.
func page(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

// testsOf returns the tests of a package.
func testsOf(t *testing.T, dir string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*_test.go"))
	require.NoError(t, err)
	require.NotEmpty(t, names, dir)
	var all strings.Builder
	for _, name := range names {
		all.WriteString(page(t, name))
	}
	return all.String()
}

// requireTests checks that the tests that a page names are there.
func requireTests(t *testing.T, name string) {
	t.Helper()
	dirs := map[string]string{"plain": "model/plain", "chance": "checker/chance"}
	named := regexp.MustCompile("`([a-z/]+)\\.((?:Test|Example|Fuzz)\\w+)`").FindAllStringSubmatch(page(t, name), -1)
	require.NotEmpty(t, named)
	for _, m := range named {
		dir := m[1]
		if at, ok := dirs[dir]; ok {
			dir = at
		}
		assert.Contains(t, testsOf(t, dir), "\nfunc "+m[2]+"(", "%s names %s.%s", name, m[1], m[2])
	}
}

// Each rule of the semantics is shown by a test, and each case of that test is a rule
// there.
func TestSemanticsAreTested(t *testing.T) {
	const name = "semantics.md"
	requireTests(t, name)
	rules, table, _ := strings.Cut(page(t, name), "## The models of the literature")
	var named, there []string
	for _, group := range regexp.MustCompile("\\((`[^)]*`)\\)").FindAllStringSubmatch(rules, -1) {
		for _, m := range regexp.MustCompile("`([a-z-]+)`").FindAllStringSubmatch(group[1], -1) {
			named = append(named, m[1])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\t\{"([a-z-]+)", "n=`).FindAllStringSubmatch(testsOf(t, "model/plain"), -1) {
		there = append(there, m[1])
	}
	slices.Sort(named)
	slices.Sort(there)
	assert.Equal(t, there, slices.Compact(named))

	settings := regexp.MustCompile("`(n=[^`]*)`").FindAllStringSubmatch(table, -1)
	require.Greater(t, len(settings), 10)
	for _, m := range settings {
		s, err := setting.Parse(m[1])
		if assert.NoError(t, err, m[1]) {
			assert.NoError(t, s.Validate(), m[1])
		}
	}
}
