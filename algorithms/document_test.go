package algorithms_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/play"
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

// The ledger in docs is what is on record, which the algorithms' tests keep true.
func TestLedgerDocument(t *testing.T) {
	l, err := ledger.Recorded(algorithms.All)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteIndex(&b, func(name string) string { return "ledger/" + name + ".md" }))
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

// The README's table is the ledger's summary.
func TestReadmeSummaryDocument(t *testing.T) {
	const begin, end = "<!-- summary of the ledger -->\n", "<!-- end of the summary -->\n"
	l, err := ledger.Recorded(algorithms.All)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteSummary(&b, func(name string) string { return "docs/ledger/" + name + ".md" }))
	name := filepath.Join("..", "README.md")
	readme, err := os.ReadFile(name)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(readme), begin)
	require.True(t, ok, "the README has no place for the summary")
	_, after, ok := strings.Cut(rest, end)
	require.True(t, ok)
	same(t, name, before+begin+b.String()+end+after)
}
