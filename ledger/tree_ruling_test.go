package ledger_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
	"bullyproof/model"
)

// silent returns the catalogue's algorithm with claims, of which the source does not say what a
// process does that a lower one tells.
func silent(claims ...ledger.Claim) *ledger.Algorithm {
	q := ledger.Question{
		Name: "lower", Asks: "Whom does a process follow that a lower one tells?", Open: "Nothing is said.", Cells: []string{"CLAIM: who<self"},
		Answers: []ledger.Answer{{Name: "ignores", Says: "Whom it followed."}, {Name: "follows", Says: "The lower one."}},
	}
	a := asked(q, claims...)
	follows := func(p *upstart.State, _ *model.Net[upstart.Message], e *silence.Event[upstart.Message]) {
		p.Elected = e.Message.Who
	}
	a.Silent = []ledger.Silent{{New: ledger.SilentIn(&upstart.Protocol{Polite: true}, silence.Sorter[upstart.State]{},
		silence.Does[upstart.State, upstart.Message]{"lower/follows": follows})}}
	a.Recode(files("own.go", ownCode))
	return a
}

// rows are claims of which the tree of that question decides one each way.
func rows() []ledger.Claim {
	const quiet = "n=3 start=settled timing=sync:1"
	return []ledger.Claim{
		{Name: "holds", Evidence: []ledger.Evidence{ledger.Keeps("uniqueness", quiet)}},
		{Name: "fails", Evidence: []ledger.Evidence{ledger.Keeps("uniqueness", crashed)}},
		{Name: "breaks", Evidence: []ledger.Evidence{ledger.Breaks("uniqueness", quiet)}},
		{Name: "turns", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}},
		{Name: "costs", Evidence: []ledger.Evidence{{Setting: "n=3 start=coordinator-down detectors=2 timing=sync:1", Cost: &ledger.CostQuestion{Case: cost.WorstCase, Figure: 2}}}},
		{Name: "figures", Evidence: []ledger.Evidence{ledger.Adds("1+1", 2, 1+1)}},
		{Name: "worlds", Unsaid: "what happens", Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", quiet).Given("nobody crashes"), ledger.Keeps("uniqueness", crashed),
		}},
		{Name: "either", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed), ledger.Breaks("agreement", crashed)}},
	}
}

// Where all readings are alike a claim is confirmed or refuted, and where one answer turns it,
// it is open, though the code as it is holds. A claim that no search decides has no tree.
func TestTreesDecide(t *testing.T) {
	a := silent(rows()...)
	found := judge(t, a, ledger.JudgeOptions{})
	there := found[1].Exhibits[0].Setting
	for i, want := range []struct {
		outcome ledger.Outcome
		trees   []ledger.TreeRuling
	}{
		{ledger.Confirmed, []ledger.TreeRuling{{Readings: 2, Holds: 2}}},
		{ledger.Refuted, []ledger.TreeRuling{{Readings: 2, Fails: 2, Steps: 3, Setting: there}}},
		{ledger.Refuted, []ledger.TreeRuling{{Readings: 2, Fails: 2}}},
		{ledger.Depends, []ledger.TreeRuling{{Readings: 2, Holds: 1, Fails: 1, Steps: 5, Setting: there, Turns: "lower", With: "ignores", Without: "follows",
			Alone: []ledger.Alone{{Question: "lower", Fails: []string{"follows"}}}}}},
		{ledger.Confirmed, []ledger.TreeRuling{{Readings: 2, Holds: 2}}},
		{ledger.Follows, nil},
		{ledger.Depends, []ledger.TreeRuling{{If: "nobody crashes", Readings: 2, Holds: 2}, {Readings: 2, Fails: 2, Steps: 3, Setting: there}}},
		{ledger.Refuted, []ledger.TreeRuling{{Readings: 2, Fails: 2, Steps: 5, Setting: there, Whichever: "lower"}}},
	} {
		for k := range min(len(want.trees), len(found[i].Trees)) {
			print := found[i].Trees[k].Fingerprint
			assert.Regexp(t, "^[0-9a-f]{12}-[0-9a-f]{12}$", print)
			want.trees[k].Fingerprint = print
		}
		assert.Equal(t, want.trees, found[i].Trees, found[i].Claim)
		assert.Equal(t, want.outcome, found[i].Outcome, found[i].Claim)
	}
	var text strings.Builder
	require.NoError(t, (&ledger.Ledger{Entries: []ledger.Entry{{Algorithm: a, Judgements: found}}}).WriteText(&text, ledger.TextOptions{Width: 400, Evidence: true}))
	for _, want := range []string{
		`- lower. Whom does a process follow that a lower one tells? With follows ("The lower one") it fails.`,
		"- No other answer turns it by itself.",
		"in all readings: It holds in all of 2 readings of what the source does not say of events.",
		"meets none of it.",
		"whatever the answer to lower: the runs that show it have at most 5 steps, in n=3",
		"If nobody crashes: It holds in all of 2 readings of what the source does not say of events. Otherwise: It fails in all",
		`it turns on lower. Whom does a process follow that a lower one tells? With ignores ("Whom it followed") it holds, with follows ("The lower one") it fails (a run of 5 steps in n=3`,
	} {
		assert.Contains(t, text.String(), want)
	}
}

// A claim that fails in all readings of a tree is open if it holds in a variant that answers
// another question otherwise.
func TestVariantHoldsWhereTreeFails(t *testing.T) {
	const quiet = "n=3 start=settled timing=sync:1"
	holds, fails := ledger.Keeps("uniqueness", quiet), ledger.Keeps("uniqueness", crashed)
	a := silent(ledger.Claim{Name: "varies", Evidence: []ledger.Evidence{fails, holds, holds.Of("patient")}})
	written, err := a.Written()
	require.NoError(t, err)
	written.Questions = append(written.Questions, ledger.Question{
		Name: "patience", Asks: "Does a process wait?", Open: "Nothing is said.",
		Answers: []ledger.Answer{{Name: "no", Says: "No.", Variants: []string{"polite"}}, {Name: "yes", Says: "Yes.", Variants: []string{"patient"}}},
	})
	a.Written = func() (*ledger.Text, error) { return written, nil }
	found := judge(t, a, ledger.JudgeOptions{})
	require.Len(t, found[0].Trees, 1)
	assert.Equal(t, found[0].Trees[0].Readings, found[0].Trees[0].Fails)
	assert.Equal(t, ledger.Depends, found[0].Outcome)
}

// A tree is on record, and is believed while its code, its questions and its row are what they
// were.
func TestTreesOnRecord(t *testing.T) {
	recorded := func() *ledger.Algorithm {
		a := silent(rows()...)
		keep(t, a, judge(t, a, ledger.JudgeOptions{}))
		return a
	}
	a := recorded()
	assert.Contains(t, string(a.Record()), "\ntree turns readings=2 holds=1 fails=1 steps=5 print=")
	assert.Contains(t, string(a.Record()), "\n  turns lower ignores follows\n")
	assert.Contains(t, string(a.Record()), "\n  whichever lower\n")
	assert.Contains(t, string(a.Record()), "\n  alone lower follows\n")
	again, err := ledger.Relock(a.Record())
	require.NoError(t, err)
	assert.Equal(t, string(a.Record()), string(again))
	for about, c := range map[string]struct {
		spoil func(a *ledger.Algorithm)
		want  string
	}{
		"all is well": {func(*ledger.Algorithm) {}, ""},
		"it is another": {func(a *ledger.Algorithm) {
			a.Keep([]byte(strings.Replace(string(a.Record()), "fails=1 steps=5", "fails=1 steps=4", 1)))
		}, ""},
		"it is gone": {func(a *ledger.Algorithm) {
			record := string(a.Record())
			a.Keep([]byte(record[:strings.Index(record, "\ntree turns")]))
		}, "it has no tree (turns, costs, worlds, either)"},
		"other code": {func(a *ledger.Algorithm) { a.Recode(files("own.go", strings.ReplaceAll(ownCode, "1", "2"))) },
			"8 pieces of evidence is out of date: the package's code is not what it was"},
		"another row": {func(a *ledger.Algorithm) {
			a.Claims()[3].Evidence = append(a.Claims()[3].Evidence, ledger.Keeps("e2", crashed).Of("polite"))
		}, "its systems do not do what they did (turns)"},
		"counted from elsewhere": {func(a *ledger.Algorithm) { a.Claims()[4].Evidence[0].Cost.When = "from when it is up" },
			"its systems do not do what they did (costs)"},
		"another question": {func(a *ledger.Algorithm) {
			written, _ := a.Written()
			written.Questions[0].Cells = append(written.Questions[0].Cells, "CLAIM: who=self")
			a.Written = func() (*ledger.Text, error) { return written, nil }
		}, "its systems do not do what they did (holds, fails, breaks, turns, costs, worlds, either)"},
	} {
		t.Run(about, func(t *testing.T) {
			a := recorded()
			c.spoil(a)
			l, err := ledger.Judge(t.Context(), []*ledger.Algorithm{a}, ledger.JudgeOptions{Believe: true})
			require.NoError(t, err)
			stale := strings.Join(l.Stale(), "\n")
			if c.want == "" {
				assert.Empty(t, stale)
			} else {
				assert.Contains(t, stale, c.want)
			}
			again, err := ledger.Judge(t.Context(), []*ledger.Algorithm{a}, ledger.JudgeOptions{})
			require.NoError(t, err)
			differences, err := again.Differences()
			require.NoError(t, err)
			assert.Equal(t, about == "it is another" || about == "it is gone", len(differences) > 0, "%q", differences)
		})
	}
}
