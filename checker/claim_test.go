package checker_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

const crashed = "n=3 start=settled timing=sync:1 crashes=1"

// claimed returns the catalogue's algorithm with claims.
func claimed(claims ...checker.Claim) *checker.Algorithm {
	a := catalogue()[0]
	a.Claims = claims
	for i := range a.Claims {
		a.Claims[i].Place, a.Claims[i].Text = "nowhere", "Something."
	}
	return a
}

func judge(t *testing.T, a *checker.Algorithm, opt checker.JudgeOptions) []checker.Judgement {
	t.Helper()
	found, err := a.Judge(t.Context(), opt)
	require.NoError(t, err)
	require.Len(t, found, len(a.Claims))
	return found
}

func TestRulings(t *testing.T) {
	never := checker.Sometimes("never", "Nobody is up.", func(v *model.View) bool { return v.Up.Empty() })
	broadcasts := checker.Measure{Unit: checker.Operations}
	down := "n=3 start=coordinator-down detectors=2 timing=sync:1"
	for _, c := range []struct {
		about    string
		evidence checker.Evidence
		ruling   checker.Ruling
		found    string
	}{
		{"what holds", checker.Keeps("agreement", crashed), checker.Confirmed, "holds"},
		{"what breaks", checker.Keeps("uniqueness", crashed), checker.Refuted, "violated in "},
		{"what is to break, and does", checker.Breaks("uniqueness", crashed), checker.Confirmed, "violated in "},
		{"what is to break, and holds", checker.Breaks("agreement", crashed), checker.Refuted, "holds"},
		{"a property of the algorithm's own", checker.Keeps("never", crashed), checker.Refuted, "not found"},
		{"another variant", checker.Keeps("uniqueness", crashed).Of("patient"), checker.Refuted, "violated in "},
		{"a limit", checker.Keeps("agreement", crashed).Within(3), checker.Beyond, "undecided"},
		{"a limit beyond a fault", checker.Keeps("uniqueness", crashed).Within(2000), checker.Refuted, "violated in "},
		{"an exact cost", checker.Takes(checker.BestCase, checker.Measure{}, checker.Exactly, 2, down), checker.Confirmed, "2"},
		{"another cost", checker.Takes(checker.BestCase, checker.Measure{}, checker.Exactly, 3, down), checker.Refuted, "2"},
		{"an upper bound", checker.Takes(checker.WorstCase, broadcasts, checker.AtMost, 1, down), checker.Confirmed, "1"},
		{"an upper bound that is too low", checker.Takes(checker.WorstCase, broadcasts, checker.AtMost, 0, down), checker.Refuted, "1"},
		{"a lower bound", checker.Takes(checker.BestCase, broadcasts, checker.AtLeast, 1, down), checker.Confirmed, "1"},
		{"a lower bound that is too high", checker.Takes(checker.BestCase, broadcasts, checker.AtLeast, 2, down), checker.Refuted, "1"},
		{"costs that are not known", checker.Takes(checker.BestCase, broadcasts, checker.AtLeast, 2, down).Within(2), checker.Beyond, "unknown"},
		{
			"costs from somewhere on", checker.Takes(checker.WorstCase, broadcasts, checker.Exactly, 1, crashed).
				After("from the crash", func(v *model.View) bool { return v.Up.Len() == 2 }),
			checker.Refuted, "2",
		},
		{"a sum", checker.Adds("2+2", 4, 2+2), checker.Confirmed, "4"},
		{"a wrong sum", checker.Adds("2+2", 5, 2+2), checker.Refuted, "4"},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{c.evidence}})
			a.Properties = []*checker.Property{never}
			j := judge(t, a, checker.JudgeOptions{})[0]
			assert.Equal(t, c.ruling, j.Ruling)
			assert.Contains(t, j.Exhibits[0].Found, c.found)
			again := judge(t, a, checker.JudgeOptions{Workers: 1})[0]
			assert.Equal(t, j, again, "however many workers there are")
		})
	}
}

// One piece of evidence that refutes decides; what is there for comparison, or
// about another variant, does not.
func TestJudgedByWhatDecides(t *testing.T) {
	a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{
		checker.Keeps("agreement", crashed),
		checker.Keeps("uniqueness", crashed).Beside("for comparison"),
		checker.Keeps("uniqueness", crashed).Of("patient"),
	}}, checker.Claim{Name: "nothing"})
	found := judge(t, a, checker.JudgeOptions{})
	assert.Equal(t, checker.Confirmed, found[0].Ruling)
	assert.Equal(t, []checker.Reading{{Variant: "patient", Ruling: checker.Refuted}}, found[0].Readings)
	assert.Equal(t, checker.Beyond, found[1].Ruling)

	a.Claims[0].Evidence = append(a.Claims[0].Evidence, checker.Keeps("agreement", crashed).Within(3))
	assert.Equal(t, checker.Beyond, judge(t, a, checker.JudgeOptions{})[0].Ruling)
	a.Claims[0].Evidence = append(a.Claims[0].Evidence, checker.Keeps("uniqueness", crashed))
	assert.Equal(t, checker.Refuted, judge(t, a, checker.JudgeOptions{})[0].Ruling)
}

// What is left out comes from the record, and what is not on record stays open.
func TestDeepEvidence(t *testing.T) {
	a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{
		checker.Keeps("agreement", crashed), checker.Keeps("agreement", "n=2 start=settled timing=sync:1 crashes=1").InDeep(),
	}})
	shallow := judge(t, a, checker.JudgeOptions{})
	assert.Equal(t, checker.Beyond, shallow[0].Ruling)
	assert.Equal(t, "not looked at yet", shallow[0].Exhibits[1].Found)

	deep := judge(t, a, checker.JudgeOptions{Deep: true})
	assert.Equal(t, checker.Confirmed, deep[0].Ruling)
	var err error
	a.Record, err = json.Marshal(deep)
	require.NoError(t, err)
	recorded, err := a.Recorded()
	require.NoError(t, err)
	assert.Equal(t, recorded[0].Exhibits[1].States, deep[0].Exhibits[1].States)

	for _, opt := range []checker.JudgeOptions{{}, {Deep: true, MostStates: 1}} {
		again, err := json.Marshal(judge(t, a, opt))
		require.NoError(t, err)
		assert.JSONEq(t, string(a.Record), string(again))
	}
}

// A claim that no longer takes a search has nothing that ran, whatever is on
// record of it.
func TestRecordOfASearchThatIsGone(t *testing.T) {
	a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{checker.Keeps("agreement", crashed)}})
	before := judge(t, a, checker.JudgeOptions{})
	require.NotEmpty(t, before[0].Ran)
	var err error
	a.Record, err = json.Marshal(before)
	require.NoError(t, err)
	a.Claims[0].Evidence = []checker.Evidence{checker.Adds("1 + 1", 2, 1+1), checker.Keeps("agreement", crashed).Beside("for comparison")}
	after := judge(t, a, checker.JudgeOptions{})
	assert.Empty(t, after[0].Ran)
	assert.Empty(t, after[0].Idle)
}

func TestVacuous(t *testing.T) {
	quiet := "n=3 start=settled timing=sync:1" // nothing happens
	for _, c := range []struct {
		about       string
		setting     string
		needs, idle []string
		want        []string
	}{
		{"everything ran but two things", crashed, nil, nil, []string{"timeout never expired", "two participants at once never"}},
		{"what is not meant", crashed, nil, []string{"timeout", "two participants at once"}, nil},
		{"what is needed", crashed, []string{"crash", "suspect", "rule the coordinator is down"}, nil, nil},
		{"what is needed and missing", quiet, []string{"crash", "message CLAIM"}, nil, []string{"crash", "message CLAIM"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := claimed(checker.Claim{Name: "it", Needs: c.needs, Idle: c.idle, Evidence: []checker.Evidence{checker.Keeps("agreement", c.setting)}})
			j := judge(t, a, checker.JudgeOptions{})
			assert.ElementsMatch(t, c.want, a.Claims[0].Vacuous(&j[0]))
		})
	}
}

func TestJudgeIsInterrupted(t *testing.T) {
	a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{checker.Keeps("agreement", crashed)}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Judge(ctx, checker.JudgeOptions{})
	assert.ErrorIs(t, err, context.Canceled)
}

// A handler that does what no network can carry out decides nothing.
func TestJudgeRefusesMisuse(t *testing.T) {
	a := claimed(checker.Claim{Name: "it", Evidence: []checker.Evidence{checker.Keeps("agreement", crashed)}})
	a.Variants[0].New = newOf(&upstart{wild: true})
	_, err := a.Judge(t.Context(), checker.JudgeOptions{})
	assert.ErrorContains(t, err, "misuse")
}

func TestValidateClaims(t *testing.T) {
	good := func() checker.Claim {
		return checker.Claim{Name: "it", Place: "here", Text: "Something.", Evidence: []checker.Evidence{checker.Keeps("agreement", crashed)}, Outcome: checker.Confirmed}
	}
	for _, c := range []struct {
		about string
		spoil func(c *checker.Claim)
		want  string
	}{
		{"nothing wrong", func(*checker.Claim) {}, ""},
		{"no name", func(c *checker.Claim) { c.Name = "" }, `name ""`},
		{"no place", func(c *checker.Claim) { c.Place = "" }, "field Place is empty"},
		{"no text", func(c *checker.Claim) { c.Text = "" }, "field Text is empty"},
		{"confirmed by nothing", func(c *checker.Claim) { c.Evidence = nil }, "it is confirmed without evidence"},
		{"beyond without a word", func(c *checker.Claim) { c.Outcome = checker.Beyond }, "Note does not say why"},
		{"refuted without a repair", func(c *checker.Claim) { c.Outcome, c.Note = checker.Refuted, "Because." }, "field Repair says neither"},
		{"refuted without a trace", func(c *checker.Claim) { c.Outcome, c.Note, c.Repair = checker.Refuted, "Because.", "None." }, "names no recorded counterexample"},
		{
			"another trace", func(c *checker.Claim) {
				c.Outcome, c.Note, c.Repair, c.Story = checker.Refuted, "Because.", "None.", "tale"
			}, `story "tale" is about property uniqueness of variant ""`,
		},
		{
			"a figure that is refuted", func(c *checker.Claim) { c.Kind, c.Outcome, c.Note = checker.CountClaim, checker.Refuted, "Because." }, "",
		},
		{"an unknown variant", func(c *checker.Claim) { c.Evidence[0].Variant = "rude" }, `unknown variant of upstart "rude"`},
		{"an unknown property", func(c *checker.Claim) { c.Evidence[0].Property = "beauty" }, `"beauty"`},
		{"an impossible setting", func(c *checker.Claim) { c.Evidence[0].Setting = "n=1" }, "n=1"},
		{"a sum of nothing", func(c *checker.Claim) { c.Evidence[0] = checker.Adds("", 1, 1) }, "field What is empty"},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := catalogue()[0]
			a.Stories = []checker.Story{{Name: "tale", Property: "uniqueness", Setting: crashed, Title: "A tale", Text: "Of two."}}
			claim := good()
			c.spoil(&claim)
			a.Claims = []checker.Claim{claim}
			err := checker.Validate([]*checker.Algorithm{a})
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestValidateTwins(t *testing.T) {
	a := claimed(checker.Claim{Name: "it"}, checker.Claim{Name: "it"})
	for i := range a.Claims {
		a.Claims[i].Note = "open"
	}
	assert.ErrorContains(t, checker.Validate([]*checker.Algorithm{a}), `claim "it": there are two of that name`)
	a = claimed()
	a.Properties = []*checker.Property{checker.Always("agreement", "Always.", func(*model.View) bool { return true })}
	assert.ErrorContains(t, checker.Validate([]*checker.Algorithm{a}), "a standard property has this name")
}

func TestRulingText(t *testing.T) {
	for _, r := range []checker.Ruling{checker.Beyond, checker.Confirmed, checker.Refuted} {
		text, err := r.MarshalText()
		require.NoError(t, err)
		var back checker.Ruling
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, r, back)
	}
	var r checker.Ruling
	assert.ErrorContains(t, r.UnmarshalText([]byte("perhaps")), `ruling "perhaps": want one of`)
}
