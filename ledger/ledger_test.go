package ledger_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/changroberts"
	"bullyproof/cost"
	"bullyproof/ledger"
)

var update = flag.Bool("update", false, "write the files that the tests compare with")

// same compares a text with a file, or writes it.
func same(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o666))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	if !bytes.Equal(want, got) {
		assert.Equal(t, string(want), string(got), "%s: run the test with -update", file)
	}
}

// The ledger in docs is what is on record, which the algorithms' tests keep true.
func TestDocument(t *testing.T) {
	l, err := ledger.Recorded(algorithms.All)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, l.WriteIndex(&b, func(name string) string { return "ledger/" + name + ".md" }))
	same(t, filepath.Join("..", "docs", "ledger.md"), b.Bytes())
	pages, err := filepath.Glob(filepath.Join("..", "docs", "ledger", "*.md"))
	require.NoError(t, err)
	for i := range l.Entries {
		b.Reset()
		require.NoError(t, l.Entries[i].WriteMarkdown(&b, "../../counterexamples"))
		page := filepath.Join("..", "docs", "ledger", l.Entries[i].Algorithm.Name+".md")
		same(t, page, b.Bytes())
		pages = slices.DeleteFunc(pages, func(p string) bool { return p == page })
	}
	assert.Empty(t, pages, "pages of algorithms that there are not")
}

// The README's table is the ledger's summary.
func TestReadmeSummary(t *testing.T) {
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
	same(t, name, []byte(before+begin+b.String()+end+after))
}

// What a rendering says of an algorithm whose claims have all rulings.
func TestRenderings(t *testing.T) {
	a := *changroberts.Algorithm
	a.Claims = []ledger.Claim{
		{
			Name: "safe", Place: "section 1", Text: "There is | one <coordinator>.", Outcome: ledger.Confirmed,
			Evidence: []ledger.Evidence{
				ledger.Keeps("uniqueness", "n=3 topology=ring initiators=all:lazy timing=patient"),
				ledger.Keeps("uniqueness", "n=3 topology=ring initiators=all:lazy timing=patient").Of("once"),
			},
		},
		{
			Name: "cheap", Place: "table 1", Source: "another paper", Text: "It takes four messages.", Kind: ledger.CountClaim,
			Outcome: ledger.Refuted, Note: "It takes more.",
			Evidence: []ledger.Evidence{
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4, "n=3 topology=ring initiators=all timing=patient"),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 4, "n=2 topology=ring initiators=all timing=patient").
					Beside("two processes"),
			},
		},
		{
			Name: "adds-up", Place: "table 2", Text: "A sum.", Kind: ledger.FigureClaim, Outcome: ledger.Wrong, Note: "It is four.",
			Evidence: []ledger.Evidence{ledger.Adds("2+2", 5, 2+2)},
		},
		{Name: "fast", Place: "section 3", Text: "It is fast.", Kind: ledger.TimeClaim, Note: "It does not say how fast."},
	}
	l, err := ledger.Judge(t.Context(), []*ledger.Algorithm{&a}, ledger.JudgeOptions{})
	require.NoError(t, err)

	var text, markdown bytes.Buffer
	require.NoError(t, l.WriteText(&text, ledger.TextOptions{Evidence: true}))
	require.NoError(t, l.WriteMarkdown(&markdown, "runs"))
	data, err := json.MarshalIndent(l, "", "  ")
	require.NoError(t, err)
	for _, line := range strings.Split(text.String(), "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80)
	}
	same(t, filepath.Join("testdata", "ledger.txt"), text.Bytes())
	same(t, filepath.Join("testdata", "ledger.md"), markdown.Bytes())
	same(t, filepath.Join("testdata", "ledger.json"), append(data, '\n'))
	assert.Equal(t, ledger.Tally{Claims: 4, Confirmed: 1, Refuted: 1, Findings: 2, Wrong: 1, Undecided: 1}, l.Tally())
}

func TestDifferences(t *testing.T) {
	a := *changroberts.Algorithm
	l, err := ledger.Recorded([]*ledger.Algorithm{&a})
	require.NoError(t, err)
	list, err := l.Differences()
	require.NoError(t, err)
	assert.Empty(t, list)

	l.Entries[0].Judgements[0].Outcome = ledger.Undecided
	l.Entries[0].Judgements[1].Exhibits[0].States++
	list, err = l.Differences()
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Contains(t, list[0], "undecided, and on record as")
	assert.Contains(t, list[1], "it is said to be")
	assert.Contains(t, list[2], "and on record")

	a.Record = []byte("[]")
	_, err = ledger.Recorded([]*ledger.Algorithm{&a})
	assert.ErrorContains(t, err, "changroberts: the record does not belong to the claims")
	a.Record = []byte("[")
	_, err = ledger.Recorded([]*ledger.Algorithm{&a})
	assert.ErrorContains(t, err, "cannot be read")
}
