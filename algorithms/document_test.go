package algorithms_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
)

// same compares a text with a file, or writes it.
func same(t *testing.T, file, got string) {
	t.Helper()
	if *play.Update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, string(want), got, "%s: run the test with -run Document -update", file)
}

// onRecord returns the ledger of the catalogue as it is on record.
var onRecord = sync.OnceValues(func() (*ledger.Ledger, error) {
	return ledger.Recorded(context.Background(), algorithms.All)
})

// The ledger in docs is what is on record, which the algorithms' tests keep true.
func TestLedgerDocument(t *testing.T) {
	l, err := onRecord()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteIndex(&b, algorithms.Lessons, algorithms.Publications, func(name string) string { return "ledger/" + name + ".md" }))
	require.NoError(t, ledger.WriteOmissions(&b, algorithms.Omitted))
	same(t, filepath.Join("..", "docs", "ledger.md"), b.String())
	pages, err := filepath.Glob(filepath.Join("..", "docs", "ledger", "*.md"))
	require.NoError(t, err)
	for i := range l.Entries {
		b.Reset()
		require.NoError(t, l.Entries[i].WriteMarkdown(&b, "../../counterexamples"))
		page := filepath.Join("..", "docs", "ledger", l.Entries[i].Algorithm.Name+".md")
		same(t, page, b.String())
		pages = slices.DeleteFunc(pages, func(p string) bool { return p == page })
	}
	assert.Empty(t, pages, "pages of algorithms that there are not")
}

// folded is what a page shows when it is asked for.
var folded = regexp.MustCompile(`(?s)</summary>.*?</details>`)

// A page can be read: no more than 40 kB of it are not folded, and no clause follows each of
// many readings.
func TestLedgerPagesCanBeRead(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("..", "docs", "ledger", "*.md"))
	require.NoError(t, err)
	require.Len(t, pages, len(algorithms.All))
	for _, name := range append(pages, filepath.Join("..", "docs", "ledger.md")) {
		page, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.LessOrEqual(t, len(folded.ReplaceAll(page, nil)), 40_000, name)
		clauses := make(map[string]int)
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "- `") {
				for clause := range strings.SplitSeq(strings.TrimSpace(line), ". ") {
					clauses[clause]++
				}
			}
		}
		for clause, times := range clauses {
			assert.LessOrEqual(t, times, 3, "%s: %s", name, clause)
		}
	}
}

// The table of properties says what the properties say.
func TestPropertiesDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString("| property | demands | asked |\n|---|---|---|\n")
	write := func(asked string, list ...*checker.Property) {
		for _, p := range list {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, p.Doc, asked)
		}
	}
	write("always", checker.Misuse)
	write("by default", checker.Standard()...)
	for _, p := range checker.Heartbeat() {
		if !slices.Contains(checker.Standard(), p) {
			write("in `checker.Heartbeat`", p)
		}
	}
	for _, p := range checker.OnRequest() {
		if !slices.Contains(checker.Heartbeat(), p) {
			write("on request", p)
		}
	}
	sameBetween(t, filepath.Join("..", "docs", "properties.md"), "properties", "end of the properties", b.String())
}

// sameBetween compares a text with the one between two marks of a page, or writes it there.
func sameBetween(t *testing.T, name, begin, end, got string) {
	t.Helper()
	page, err := os.ReadFile(name)
	require.NoError(t, err)
	begin, end = "<!-- "+begin+" -->\n", "<!-- "+end+" -->\n"
	before, rest, ok := strings.Cut(string(page), begin)
	require.True(t, ok, "%s has no %s", name, begin)
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok, "%s has no %s", name, end)
	same(t, name, before+begin+got+end+after)
}
