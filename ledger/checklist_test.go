package ledger_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// checkedList returns the catalogue's algorithm with a question, a claim that leaves something
// unsaid, a claim of another source, and checklists.
func checkedList(lists ...ledger.Checklist) *ledger.Algorithm {
	a := claimed()
	a.Written = func() (*ledger.Text, error) {
		return &ledger.Text{
			Claims: []ledger.Claim{
				{Name: "it", Place: "page 1", Text: "So.", Unsaid: "how many crash", Evidence: []ledger.Evidence{
					ledger.Keeps("agreement", crashed).Of("polite"), ledger.Keeps("agreement", crashed).Of("patient"),
					ledger.Keeps("agreement", crashed).Of("polite").Given("one crashes"),
				}},
				{Name: "other", Place: "page 2", Text: "So.", Source: "The Book"},
			},
			Questions:  []ledger.Question{manners()},
			Checklists: lists,
		}, nil
	}
	return a
}

// whole answers every item of a source.
func whole(sources ...string) ledger.Checklist {
	return ledger.Checklist{Sources: sources, At: "claims.txt:3", Checked: []ledger.Checked{
		{Items: []string{"counts", "recipients"}, Kind: ledger.NotToCheck, Text: "No claim counts."},
		{Items: []string{"names"}, Kind: ledger.CheckedByQuestion, Names: []string{"manners"}},
		{Items: []string{"durations"}, Kind: ledger.CheckedByProgram, Place: "backoff", Text: "it waits a second"},
		{Items: []string{"durations"}, Kind: ledger.CheckedBySentence, Place: "section 2", Text: `"a while"`},
		{Items: []string{"world"}, Kind: ledger.CheckedByWorld, Names: []string{"it"}},
	}}
}

// Each source of a claim needs a checklist with each item, and an error says what to write.
func TestUnchecked(t *testing.T) {
	assert.Empty(t, checkedList(whole(ledger.Own, "The Book")).Unchecked())
	assert.Empty(t, checkedList(whole(ledger.Own), whole("The Book")).Unchecked())

	errs := errors.Join(checkedList(whole(ledger.Own)).Unchecked()...)
	assert.EqualError(t, errs, `no checklist is of source "The Book": want one with counts, recipients, names, durations, world`)
	errs = errors.Join(checkedList().Unchecked()...)
	assert.ErrorContains(t, errs, "no checklist is of the algorithm's own source")

	for i, item := range ledger.CheckItems {
		l := whole(ledger.Own, "The Book")
		var kept []ledger.Checked
		for _, c := range l.Checked {
			var items []string
			for _, name := range c.Items {
				if name != item.Name {
					items = append(items, name)
				}
			}
			if c.Items = items; len(items) > 0 {
				kept = append(kept, c)
			}
		}
		l.Checked = kept
		errs := checkedList(l).Unchecked()
		require.Len(t, errs, 2, "item %d", i) // of each source
		assert.ErrorContains(t, errs[0], `claims.txt:3: the checklist of the algorithm's own source has no "`+item.Name+`" (`+item.Asks+`): want "`+
			item.Name+`" with says PLACE: "...", does FUNCTION: ..., question NAME, unsaid CLAIM, or none and why it does not arise`)
	}
}

// An answer that names what is not there, or says nothing, is refused.
func TestWrongChecklists(t *testing.T) {
	require.NoError(t, ledger.Validate([]*ledger.Algorithm{checkedList(whole(ledger.Own, "The Book"))}))
	for want, c := range map[string]ledger.Checked{
		`unknown item "count": did you mean counts?`:               {Items: []string{"count"}, Kind: ledger.NotToCheck, Text: "so"},
		`field Text is empty`:                                      {Items: []string{"counts"}, Kind: ledger.NotToCheck},
		`unknown kind "perhaps": want says PLACE`:                  {Items: []string{"counts"}, Kind: "perhaps", Text: "so"},
		`"does" needs a place and a text`:                          {Items: []string{"counts"}, Kind: ledger.CheckedByProgram, Text: "so"},
		`"says" quotes no sentence: want the words of the source`:  {Items: []string{"counts"}, Kind: ledger.CheckedBySentence, Place: "here", Text: "so"},
		`"question" names nothing`:                                 {Items: []string{"counts"}, Kind: ledger.CheckedByQuestion},
		`there is no question "manner"`:                            {Items: []string{"counts"}, Kind: ledger.CheckedByQuestion, Names: []string{"manner"}},
		`claim "other" leaves nothing unsaid`:                      {Items: []string{"counts"}, Kind: ledger.CheckedByWorld, Names: []string{"other"}},
		`question "manners" is of the algorithm's own source, and`: {Items: []string{"counts"}, Kind: ledger.CheckedByQuestion, Names: []string{"manners"}},
		`unsaid "it" is of the algorithm's own source, and`:        {Items: []string{"counts"}, Kind: ledger.CheckedByWorld, Names: []string{"it"}},
	} {
		err := ledger.Validate([]*ledger.Algorithm{checkedList(whole(ledger.Own), ledger.Checklist{Sources: []string{"The Book"}, Checked: []ledger.Checked{c}})})
		assert.ErrorContains(t, err, want)
	}
	err := ledger.Validate([]*ledger.Algorithm{checkedList(whole(ledger.Own), whole(ledger.Own))})
	assert.ErrorContains(t, err, "checklist: there are two of the algorithm's own source")
}

// The test of the claims fails for an algorithm with a claims.txt that lacks an item.
func TestVerifyClaimsAsksForChecklists(t *testing.T) {
	a := recorded(t)
	assert.Empty(t, verify(a, ledger.ClaimOptions{}).errors)
	a.Files = claimsBeside(a.Files)
	assert.Equal(t, []string{
		"upstart: no checklist is of the algorithm's own source: want one with counts, recipients, names, durations, world",
	}, verify(a, ledger.ClaimOptions{}).errors)
}

// The page of an algorithm has the checklists, below the questions.
func TestPageHasChecklists(t *testing.T) {
	var b strings.Builder
	e := ledger.Entry{Algorithm: checkedList(whole(ledger.Own), whole("The Book"))}
	require.NoError(t, e.WriteMarkdown(&b, ""))
	_, page, _ := strings.Cut(b.String(), "<summary><b>What the sources leave open</b>: 1 question, 2 checklists</summary>")
	page, _, _ = strings.Cut(page, "</details>")
	for _, item := range ledger.CheckItems {
		assert.Contains(t, page, "- *"+item.Name+"*: "+item.Asks+"\n")
	}
	_, page, found := strings.Cut(page, "Checklist of The Book:\n\n")
	require.True(t, found)
	assert.Equal(t, `- *counts, recipients*: No claim counts.
- *names*: Open (manners).
- *durations*: backoff: it waits a second
- *durations*: section 2: "a while"
- *world*: Open, and judged under each answer: it.

`, page)
}

// beside are files with one more, claims.txt.
type beside struct{ fs.FS }

func claimsBeside(files fs.FS) fs.FS { return beside{files} }

func (b beside) Open(name string) (fs.File, error) {
	if name == "claims.txt" {
		return fstest.MapFS{name: {}}.Open(name)
	}
	return b.FS.Open(name)
}
