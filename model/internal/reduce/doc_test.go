package reduce_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The overview names each file, with the section of the document that argues for it and
// the conditions that tests do without.
func TestOverviewIsTheMapOfArguments(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.FromSlash(name))
		require.NoError(t, err)
		return string(data)
	}
	overview, document := read("doc.go"), read("../../../docs/reductions.md")
	_, arguments, ok := strings.Cut(overview, "The arguments, by their sections")
	require.True(t, ok)
	arguments, _, ok = strings.Cut(arguments, "And what holds them together")
	require.True(t, ok)
	there, err := filepath.Glob("*.go")
	require.NoError(t, err)
	there = slices.DeleteFunc(there, func(name string) bool { return name == "doc.go" || strings.HasSuffix(name, "_test.go") })
	var named []string
	for _, line := range regexp.MustCompile(`(?m)^//\t(\S+\.go) +(.*)$`).FindAllStringSubmatch(overview, -1) {
		name := line[1]
		named = append(named, name)
		about := regexp.MustCompile(` {3,}`).Split(line[2], 2)
		if strings.Contains(arguments, line[0]) {
			assert.Contains(t, document, "\n## "+about[0]+"\n", "the section of %s", name)
		}
		var flaws []string
		for _, m := range regexp.MustCompile(`\bFlaw([A-Z]\w*)`).FindAllStringSubmatch(read(name), -1) {
			if !slices.Contains(flaws, m[1]) {
				flaws = append(flaws, m[1])
			}
		}
		slices.Sort(flaws)
		if name != "flaws.go" {
			assert.Equal(t, strings.Join(flaws, ", "), strings.Join(about[1:], ""), "the conditions of %s", name)
		}
	}
	slices.Sort(named)
	assert.Equal(t, there, named)
}
