package ledger_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
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

// The rendering of an algorithm whose claims have all rulings.
func TestRenderings(t *testing.T) {
	a := claimed()
	a.Written = ledger.Listed([]ledger.Claim{
		{
			Name: "safe", Place: "section 1", Text: "There is | one <coordinator>.",
			Evidence: []ledger.Evidence{
				ledger.Keeps("live-coordinator", crashed), ledger.Keeps("live-coordinator", crashed).Of("patient"),
			},
		},
		{
			Name: "cheap", Place: "table 1", Source: "another paper", Text: "It takes four messages.", Kind: ledger.CountClaim,
			Note: "It takes two.",
			Evidence: []ledger.Evidence{
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4, "n=3 start=coordinator-down detectors=2 timing=sync:1"),
				ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 0, "n=2 start=coordinator-down detectors=1 timing=sync:1").
					Beside("two processes"),
			},
		},
		{
			Name: "adds-up", Place: "table 2", Text: "A sum.", Kind: ledger.FigureClaim, Note: "It is four.",
			Evidence: []ledger.Evidence{ledger.Adds("2+2", 5, 2+2)},
		},
		{Name: "fast", Place: "section 3", Text: "It is fast.", Kind: ledger.TimeClaim, Note: "It does not say how fast."},
	}...)
	l, err := ledger.Judge(t.Context(), []*ledger.Algorithm{a}, ledger.JudgeOptions{})
	require.NoError(t, err)

	var text, markdown bytes.Buffer
	require.NoError(t, l.WriteText(&text, ledger.TextOptions{Evidence: true}))
	lessons := []ledger.Lesson{
		{Claim: a.Name + "/cheap", Title: "Two are enough", Text: "It takes two."},
		{Claim: "another/claim", Title: "Elsewhere", Text: "It is of another ledger."},
	}
	require.NoError(t, l.WriteMarkdown(&markdown, lessons, nil, "runs"))
	data, err := json.MarshalIndent(l, "", "  ")
	require.NoError(t, err)
	for _, line := range strings.Split(text.String(), "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80)
	}
	var brief bytes.Buffer
	require.NoError(t, l.WriteText(&brief, ledger.TextOptions{Brief: true, Width: 60}))
	for _, line := range strings.Split(brief.String(), "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 60)
	}
	same(t, filepath.Join("testdata", "brief.txt"), brief.Bytes())
	same(t, filepath.Join("testdata", "ledger.txt"), text.Bytes())
	same(t, filepath.Join("testdata", "ledger.md"), markdown.Bytes())
	same(t, filepath.Join("testdata", "ledger.json"), append(data, '\n'))
	assert.Equal(t, ledger.Tally{Claims: 4, Confirmed: 1, Refuted: 1, Findings: 2, DoesNotFollow: 1, Undecided: 1}, l.Tally())
}

func TestDifferences(t *testing.T) {
	a := recorded(t)
	l, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	require.NoError(t, err)
	list, err := l.Differences()
	require.NoError(t, err)
	assert.Empty(t, list)

	l.Entries[0].Judgements[0].Outcome = ledger.Undecided
	small, large := -1, -1
	x := l.Entries[0].Judgements[0].Exhibits
	for i := range x {
		if x[i].States > 1_000 {
			large = i
		} else if x[i].States > 0 {
			small = i
		}
	}
	x[small].States++
	x[large].States++
	list, err = l.Differences()
	require.NoError(t, err)
	require.Len(t, list, 2, "of a small search nothing is on record")
	assert.Contains(t, list[0], "undecided, and on record as")
	assert.Contains(t, list[1], "and on record")

	a.Keep(nil)
	list, err = l.Differences()
	require.NoError(t, err)
	assert.Len(t, list, len(a.Claims()))
	assert.Contains(t, list[0], ": nothing is on record")
	_, err = ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	assert.ErrorContains(t, err, "upstart: the record does not belong to the claims")
	a.Keep([]byte("[]"))
	_, err = ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	assert.ErrorContains(t, err, "upstart: the record of its claims cannot be read: line 1: ")
}

// Rows have the claims in their order, each with an answer for each exhibit.
func TestRows(t *testing.T) {
	a := recorded(t)
	l, err := ledger.Recorded(t.Context(), []*ledger.Algorithm{a})
	require.NoError(t, err)
	rows := l.Entries[0].Rows()
	require.Len(t, rows, len(a.Claims()))
	for i, r := range rows {
		assert.Equal(t, a.Claims()[i].Name, r.Claim.Name)
		assert.Len(t, r.Answers, len(r.Judgement.Exhibits))
		assert.NotEmpty(t, r.Reading)
	}
}
