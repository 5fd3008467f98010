package ledger_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// manners is a question that the source of the catalogue's algorithm leaves open: polite
// keeps agreement and not uniqueness after a crash, and patient neither.
func manners() ledger.Question {
	return ledger.Question{
		Name: "manners", Asks: "Whom does a process follow?", Open: "Nothing is said.",
		Answers: []ledger.Answer{
			{Name: "no-lower", Says: "No lower id.", Variants: []string{"polite"}},
			{Name: "anybody", Says: "Anybody, after a while.", Variants: []string{"patient"}},
		},
	}
}

// asked returns the catalogue's algorithm with that question and claims.
func asked(question ledger.Question, claims ...ledger.Claim) *ledger.Algorithm {
	a := claimed(claims...)
	all := ledger.ReadAs("polite", a.Claims())
	a.Written = func() (*ledger.Text, error) {
		return &ledger.Text{Claims: all, Questions: []ledger.Question{question}}, nil
	}
	return a
}

// The outcome of a claim is computed from the evidence in each admissible reading.
func TestOutcomeOfReadings(t *testing.T) {
	const quiet = "n=3 start=settled timing=sync:1" // nothing happens
	holds, breaks := ledger.Keeps("uniqueness", quiet), ledger.Keeps("uniqueness", crashed)
	for about, c := range map[string]struct {
		evidence []ledger.Evidence
		excluded string
		want     ledger.Outcome
	}{
		"it holds in both":           {[]ledger.Evidence{holds, holds.Of("patient")}, "", ledger.Confirmed},
		"it fails in both":           {[]ledger.Evidence{breaks, breaks.Of("patient")}, "", ledger.Refuted},
		"it holds in one":            {[]ledger.Evidence{holds, breaks.Of("patient")}, "", ledger.Depends},
		"it fails in the excluded":   {[]ledger.Evidence{holds, breaks.Of("patient")}, `"Follow no lower id."`, ledger.Confirmed},
		"one is not looked at":       {[]ledger.Evidence{holds}, "", ledger.Undecided},
		"less is asked in one":       {[]ledger.Evidence{ledger.Keeps("agreement", quiet), holds, holds.Of("patient")}, "", ledger.Undecided},
		"a world that is left open":  {[]ledger.Evidence{breaks, breaks.Of("patient"), holds.Given("nobody crashes")}, "", ledger.Depends},
		"a world in which it fails":  {[]ledger.Evidence{holds, holds.Of("patient"), breaks.Given("one crashes")}, "", ledger.Depends},
		"a world that is like it":    {[]ledger.Evidence{holds, holds.Of("patient"), holds.Given("nobody crashes")}, "", ledger.Confirmed},
		"one under a world alone":    {[]ledger.Evidence{holds, holds.Given("nobody crashes"), holds.Of("patient").Given("nobody crashes")}, "", ledger.Undecided},
		"beside, which does nothing": {[]ledger.Evidence{holds, holds.Of("patient"), breaks.Beside("so")}, "", ledger.Confirmed},
	} {
		t.Run(about, func(t *testing.T) {
			q := manners()
			q.Answers[1].Excluded = c.excluded
			a := asked(q, ledger.Claim{Name: "it", Evidence: c.evidence})
			assert.Equal(t, c.want, judge(t, a, ledger.JudgeOptions{})[0].Outcome)
		})
	}
}

// An admissible answer that is left out is noticed: of a question no reading may be missing,
// and of a claim nothing that is asked in the others.
func TestAnswerLeftOut(t *testing.T) {
	row := ledger.Claim{Name: "it", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}}
	for about, c := range map[string]struct {
		spoil func(q *ledger.Question, c *ledger.Claim)
		want  string
	}{
		"of a claim":            {func(*ledger.Question, *ledger.Claim) {}, `nothing is asked in the admissible reading "patient"`},
		"of a claim, with why":  {func(_ *ledger.Question, c *ledger.Claim) { c.Alike = "patient: nobody follows" }, ""},
		"of a claim, alike":     {func(_ *ledger.Question, c *ledger.Claim) { c.Alike = "patient" }, "want readings, a colon, and why they are alike"},
		"of a question":         {func(q *ledger.Question, _ *ledger.Claim) { q.Answers[1].Variants = nil }, `answer "anybody": it is admissible, and no admissible reading gives it`},
		"of a question, with a": {func(q *ledger.Question, _ *ledger.Claim) { q.Answers[1].Excluded = `"No."` }, ""},
		"the first reading":     {func(q *ledger.Question, _ *ledger.Claim) { q.Answers[0].Excluded = `"No."` }, `variant "polite" is where the source is judged first, and gives no admissible answer`},
		"two answers of one":    {func(q *ledger.Question, _ *ledger.Claim) { q.Answers[1].Variants = []string{"patient", "polite"} }, `variant "polite" gives two answers`},
		"an unknown reading":    {func(q *ledger.Question, _ *ledger.Claim) { q.Answers[1].Variants = []string{"rud"} }, `unknown variant of upstart "rud"`},
		"one answer":            {func(q *ledger.Question, _ *ledger.Claim) { q.Answers = q.Answers[:1] }, "it has fewer than two answers"},
		"a world without words": {func(_ *ledger.Question, c *ledger.Claim) {
			c.Evidence = append(c.Evidence, c.Evidence[0].Of("patient"), c.Evidence[0].Given("so"))
		}, `field Unsaid is ""`},
		"a contradiction of one": {func(_ *ledger.Question, c *ledger.Claim) { c.Evidence, c.Between = nil, []string{"it"} }, "want two claims at least"},
	} {
		t.Run(about, func(t *testing.T) {
			q, claim := manners(), row
			c.spoil(&q, &claim)
			err := ledger.Validate([]*ledger.Algorithm{asked(q, claim)})
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

// A question in the reading that is judged first is asked in the others, unless
// something is asked there, or the claim supposes something else.
func TestInReadings(t *testing.T) {
	asks := ledger.Keeps("agreement", crashed).Of("polite")
	q := manners()
	for about, c := range map[string]struct {
		claim ledger.Claim
		want  int
	}{
		"it is":             {ledger.Claim{Evidence: []ledger.Evidence{asks}}, 2},
		"there is some":     {ledger.Claim{Evidence: []ledger.Evidence{asks, ledger.Keeps("e2", crashed).Of("patient")}}, 2},
		"what is deep":      {ledger.Claim{Evidence: []ledger.Evidence{asks, asks.InDeep(), asks.Beside("so")}}, 4},
		"a supposition":     {ledger.Claim{Supposes: "that", Evidence: []ledger.Evidence{asks}}, 1},
		"alike":             {ledger.Claim{Alike: "patient: so", Evidence: []ledger.Evidence{asks}}, 1},
		"of another source": {ledger.Claim{Source: "another", Evidence: []ledger.Evidence{asks}}, 1},
	} {
		list := ledger.InReadings([]ledger.Question{q}, []ledger.Claim{c.claim})
		assert.Len(t, list[0].Evidence, c.want, about)
	}
}

// Two claims that no reading satisfies together are a contradiction.
func TestContradiction(t *testing.T) {
	const quiet = "n=3 start=settled timing=sync:1"
	keeps, breaks := ledger.Keeps("uniqueness", quiet), ledger.Breaks("uniqueness", quiet)
	both := ledger.Claim{Name: "both", Between: []string{"one", "other"}}
	one := ledger.Claim{Name: "one", Evidence: []ledger.Evidence{keeps, keeps.Of("patient")}}
	other := ledger.Claim{Name: "other", Evidence: []ledger.Evidence{breaks, breaks.Of("patient")}}
	found := judge(t, asked(manners(), both, one, other), ledger.JudgeOptions{})
	assert.Equal(t, ledger.Contradiction, found[0].Outcome)
	other.Evidence = one.Evidence
	found = judge(t, asked(manners(), both, one, other), ledger.JudgeOptions{})
	assert.Equal(t, ledger.Undecided, found[0].Outcome, "one reading has both")
}

// The JSON of a ledger has the questions of each claim and its answers, and what they come
// to gives the outcome.
func TestOutcomesFromJSON(t *testing.T) {
	const quiet = "n=3 start=settled timing=sync:1"
	a := asked(manners(), ledger.Claim{Name: "it", Evidence: []ledger.Evidence{
		ledger.Keeps("uniqueness", quiet), ledger.Keeps("uniqueness", crashed).Of("patient"),
	}})
	l, err := ledger.Judge(t.Context(), []*ledger.Algorithm{a}, ledger.JudgeOptions{})
	require.NoError(t, err)
	data, err := json.Marshal(l)
	require.NoError(t, err)
	var got struct {
		Algorithms []struct {
			Claims []struct {
				Outcome   string
				Questions []ledger.Dependency
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &got))
	claim := got.Algorithms[0].Claims[0]
	assert.Equal(t, "open", claim.Outcome)
	assert.Equal(t, []ledger.Dependency{{
		Question: "manners", Asks: "Whom does a process follow?", Decides: true,
		Answers: []ledger.AnswerRuling{{Answer: "no-lower", Holds: []string{"polite"}}, {Answer: "anybody", Fails: []string{"patient"}}},
	}}, claim.Questions)
}

// The text of a dependency has answers if they decide alone, and the question otherwise.
func TestDependencyText(t *testing.T) {
	world := ledger.Dependency{Asks: "how many notice", Answers: []ledger.AnswerRuling{
		{Answer: "one notices", Holds: []string{"polite"}}, {Answer: "otherwise", Fails: []string{"polite"}},
	}}
	assert.Equal(t, "It depends on how many notice: it holds if one notices, and not otherwise", world.String())
	world.Answers[0] = ledger.AnswerRuling{Answer: "one notices", Fails: []string{"polite"}}
	assert.Equal(t, "It depends on how many notice", world.String())
	world.Answers = []ledger.AnswerRuling{
		{Answer: "one notices", Holds: []string{"polite", "patient"}}, {Answer: "otherwise", Holds: []string{"patient"}, Fails: []string{"polite"}},
	}
	assert.Equal(t, "It depends on how many notice: it holds if one notices and otherwise (patient), and not otherwise (polite)", world.String())
}

// An open claim depends on the answer about the world where some reading turns with it, and not
// where readings differ under the same answer and none turns.
func TestDependsOnTheWorld(t *testing.T) {
	const holds, fails, open = ledger.AsClaimed, ledger.NotAsClaimed, ledger.Open
	claim := ledger.Claim{Name: "it", Unsaid: "how many notice", Evidence: []ledger.Evidence{
		ledger.Keeps("agreement", crashed).Given("one notices"), ledger.Keeps("agreement", crashed),
	}}
	a := asked(manners(), claim)
	for about, c := range map[string]struct {
		polite, patient [2]ledger.Ruling // if one notices, and otherwise
		outcome         ledger.Outcome
		trees           []ledger.TreeRuling
		want            bool
	}{
		"one reading alone turns":                {[2]ledger.Ruling{holds, fails}, [2]ledger.Ruling{open, open}, ledger.Depends, nil, true},
		"both readings turn":                     {[2]ledger.Ruling{holds, fails}, [2]ledger.Ruling{holds, fails}, ledger.Depends, nil, true},
		"the readings turn in opposite ways":     {[2]ledger.Ruling{holds, fails}, [2]ledger.Ruling{fails, holds}, ledger.Depends, nil, true},
		"one turns, the other fails":             {[2]ledger.Ruling{holds, fails}, [2]ledger.Ruling{fails, fails}, ledger.Depends, nil, true},
		"one turns, the other holds":             {[2]ledger.Ruling{holds, holds}, [2]ledger.Ruling{holds, fails}, ledger.Depends, nil, true},
		"the readings differ, and none turns":    {[2]ledger.Ruling{holds, holds}, [2]ledger.Ruling{fails, fails}, ledger.Depends, nil, false},
		"they differ, one answer is undecided":   {[2]ledger.Ruling{holds, open}, [2]ledger.Ruling{fails, open}, ledger.Depends, nil, false},
		"they differ, one is undecided in one":   {[2]ledger.Ruling{holds, holds}, [2]ledger.Ruling{fails, open}, ledger.Depends, nil, false},
		"each is decided under another answer":   {[2]ledger.Ruling{holds, open}, [2]ledger.Ruling{open, fails}, ledger.Depends, nil, true},
		"none turns, and there are trees":        {[2]ledger.Ruling{holds, holds}, [2]ledger.Ruling{fails, fails}, ledger.Depends, []ledger.TreeRuling{{}}, true},
		"the claim is not open, though it turns": {[2]ledger.Ruling{holds, fails}, [2]ledger.Ruling{holds, fails}, ledger.Undecided, nil, false},
	} {
		t.Run(about, func(t *testing.T) {
			j := ledger.Judgement{Claim: "it", Outcome: c.outcome, Trees: c.trees}
			for i, world := range []string{"one notices", ""} {
				j.Readings = append(j.Readings,
					ledger.Reading{Variant: "polite", If: world, Ruling: c.polite[i], Admissible: true},
					ledger.Reading{Variant: "patient", If: world, Ruling: c.patient[i], Admissible: true})
			}
			list := a.Dependencies(&claim, &j)
			assert.Equal(t, "how many notice", list[len(list)-1].Asks)
			assert.Equal(t, c.want, list[len(list)-1].Decides)
		})
	}
}

// A reading that is not admissible makes no claim depend on the world.
func TestOtherReadingsDoNotDepend(t *testing.T) {
	claim := ledger.Claim{Name: "it", Unsaid: "how many notice", Evidence: []ledger.Evidence{
		ledger.Keeps("agreement", crashed).Given("one notices"), ledger.Keeps("agreement", crashed),
	}}
	j := ledger.Judgement{Claim: "it", Outcome: ledger.Depends, Readings: []ledger.Reading{
		{Variant: "polite", If: "one notices", Ruling: ledger.AsClaimed, Admissible: true},
		{Variant: "patient", If: "one notices", Ruling: ledger.NotAsClaimed, Admissible: true},
		{Variant: "polite", Ruling: ledger.NotAsClaimed},
	}}
	list := asked(manners(), claim).Dependencies(&claim, &j)
	assert.False(t, list[len(list)-1].Decides)
}
