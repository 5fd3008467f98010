package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
	"bullyproof/model"
)

const crashed = "n=3 start=settled timing=sync:1 crashes=1"

// claimed returns the catalogue's algorithm with claims.
func claimed(claims ...ledger.Claim) *ledger.Algorithm {
	a := catalogue()[0]
	a.Written = ledger.Listed(claims...)
	for i := range a.Claims() {
		a.Claims()[i].Place, a.Claims()[i].Text = "nowhere", "Something."
	}
	return a
}

func judge(t *testing.T, a *ledger.Algorithm, opt ledger.JudgeOptions) []ledger.Judgement {
	t.Helper()
	found, err := ledger.Judgements(t.Context(), a, opt)
	require.NoError(t, err)
	require.Len(t, found, len(a.Claims()))
	return found
}

func TestRulings(t *testing.T) {
	never := checker.Sometimes("never", "Nobody is up.", func(v *model.View) bool { return v.Up.Empty() })
	broadcasts := cost.Measure{Unit: cost.Operations}
	down := "n=3 start=coordinator-down detectors=2 timing=sync:1"
	for _, c := range []struct {
		about    string
		evidence ledger.Evidence
		ruling   ledger.Ruling
		found    string
	}{
		{"what holds", ledger.Keeps("agreement", crashed), ledger.AsClaimed, "holds"},
		{"what breaks", ledger.Keeps("uniqueness", crashed), ledger.NotAsClaimed, "violated in "},
		{"what is to break, and does", ledger.Breaks("uniqueness", crashed), ledger.AsClaimed, "violated in "},
		{"what is to break, and holds", ledger.Breaks("agreement", crashed), ledger.NotAsClaimed, "holds"},
		{"a property of the algorithm's own", ledger.Keeps("never", crashed), ledger.NotAsClaimed, "not found"},
		{"another variant", ledger.Keeps("uniqueness", crashed).Of("patient"), ledger.NotAsClaimed, "violated in "},
		{"a limit", ledger.Keeps("agreement", crashed).Within(3), ledger.Open, "undecided"},
		{"a limit beyond a fault", ledger.Keeps("uniqueness", crashed).Within(2000), ledger.NotAsClaimed, "violated in "},
		{"an exact cost", ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2, down), ledger.AsClaimed, "2"},
		{"another cost", ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 3, down), ledger.NotAsClaimed, "2"},
		{"an upper bound", ledger.Takes(cost.WorstCase, broadcasts, ledger.AtMost, 1, down), ledger.AsClaimed, "1"},
		{"an upper bound that is too low", ledger.Takes(cost.WorstCase, broadcasts, ledger.AtMost, 0, down), ledger.NotAsClaimed, "1"},
		{"a lower bound", ledger.Takes(cost.BestCase, broadcasts, ledger.AtLeast, 1, down), ledger.AsClaimed, "1"},
		{"a lower bound that is too high", ledger.Takes(cost.BestCase, broadcasts, ledger.AtLeast, 2, down), ledger.NotAsClaimed, "1"},
		{"costs that are not known", ledger.Takes(cost.BestCase, broadcasts, ledger.AtLeast, 2, down).Within(2), ledger.Open, "unknown"},
		{
			"costs from somewhere on", ledger.Takes(cost.WorstCase, broadcasts, ledger.Exactly, 1, crashed).
				After("from the crash", func(v *model.View) bool { return v.Up.Len() == 2 }),
			ledger.NotAsClaimed, "2",
		},
		{"a sum", ledger.Adds("2+2", 4, 2+2), ledger.AsClaimed, "4"},
		{"a wrong sum", ledger.Adds("2+2", 5, 2+2), ledger.NotAsClaimed, "4"},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{c.evidence}})
			a.Properties = []*checker.Property{never}
			j := judge(t, a, ledger.JudgeOptions{})[0]
			assert.Equal(t, c.ruling, j.Exhibits[0].Ruling)
			assert.Contains(t, j.Exhibits[0].Found, c.found)
			again := judge(t, a, ledger.JudgeOptions{Workers: 1})[0]
			assert.Equal(t, j, again, "however many workers there are")
		})
	}
}

// One piece of evidence that refutes decides; what is there for comparison, or
// about another variant, does not.
func TestJudgedByWhatDecides(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{
		ledger.Keeps("agreement", crashed),
		ledger.Keeps("uniqueness", crashed).Beside("for comparison"),
		ledger.Keeps("uniqueness", crashed).Of("patient"),
	}}, ledger.Claim{Name: "nothing"})
	found := judge(t, a, ledger.JudgeOptions{})
	assert.Equal(t, ledger.Confirmed, found[0].Outcome)
	assert.Equal(t, []ledger.Reading{
		{Variant: "polite", Ruling: ledger.AsClaimed, Admissible: true}, {Variant: "patient", Ruling: ledger.NotAsClaimed},
	}, found[0].Readings)
	assert.Equal(t, ledger.Undecided, found[1].Outcome)

	a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("agreement", crashed).Within(3))
	assert.Equal(t, ledger.Undecided, judge(t, a, ledger.JudgeOptions{})[0].Outcome)
	a.Claims()[0].Evidence = append(a.Claims()[0].Evidence, ledger.Keeps("uniqueness", crashed))
	assert.Equal(t, ledger.Refuted, judge(t, a, ledger.JudgeOptions{})[0].Outcome)
}

// Evidence that is left out comes from the record, or stays open.
func TestDeepEvidence(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{
		ledger.Keeps("agreement", crashed), ledger.Keeps("agreement", "n=2 start=settled timing=sync:1 crashes=1").InDeep(),
		ledger.Keeps("validity", large).InDeep(),
	}})
	shallow := judge(t, a, ledger.JudgeOptions{})
	assert.Equal(t, ledger.Undecided, shallow[0].Outcome)
	assert.Equal(t, "holds", shallow[0].Exhibits[1].Found, "it takes a moment")
	assert.Equal(t, "not looked at yet", shallow[0].Exhibits[2].Found)

	deep := judge(t, a, ledger.JudgeOptions{Deep: true})
	assert.Equal(t, ledger.Confirmed, deep[0].Outcome)
	a.Recode(files("own.go", ownCode))
	deep = judge(t, a, ledger.JudgeOptions{Deep: true})
	a.Keep(a.Lock(deep))
	recorded, err := a.Searched()
	require.NoError(t, err)
	require.Len(t, recorded, 1)
	assert.Equal(t, deep[0].Exhibits[2].States, recorded[0].States)

	for _, opt := range []ledger.JudgeOptions{{}, {Believe: true}} {
		again := judge(t, a, opt)
		assert.Equal(t, string(a.Record()), string(a.Lock(again)))
		assert.Equal(t, deep[0].Ran, again[0].Ran)
		assert.Equal(t, deep[0].Readings, again[0].Readings)
	}
}

// A claim that no longer takes a search has nothing that ran, whatever is on
// record of it.
func TestRecordOfASearchThatIsGone(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{ledger.Keeps("validity", large)}})
	before := judge(t, a, ledger.JudgeOptions{})
	require.NotEmpty(t, before[0].Ran)
	a.Keep(a.Lock(before))
	a.Claims()[0].Evidence = []ledger.Evidence{ledger.Adds("1 + 1", 2, 1+1), ledger.Keeps("validity", large).Beside("for comparison")}
	after := judge(t, a, ledger.JudgeOptions{})
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
			a := claimed(ledger.Claim{Name: "it", Needs: c.needs, Idle: c.idle, Evidence: []ledger.Evidence{ledger.Keeps("agreement", c.setting)}})
			j := judge(t, a, ledger.JudgeOptions{})
			assert.ElementsMatch(t, c.want, a.Claims()[0].Vacuous(&j[0]))
		})
	}
}

func TestJudgeIsInterrupted(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := ledger.Judgements(ctx, a, ledger.JudgeOptions{})
	assert.ErrorIs(t, err, context.Canceled)
}

// A handler that does what no network can carry out decides nothing.
func TestJudgeRefusesMisuse(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}})
	a.Variants[0].New = newOf(&upstart.Protocol{Wild: true})
	_, err := ledger.Judgements(t.Context(), a, ledger.JudgeOptions{})
	assert.ErrorContains(t, err, "misuse")
}

func TestValidateClaims(t *testing.T) {
	good := func() ledger.Claim {
		return ledger.Claim{Name: "it", Place: "here", Text: "Something.", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}}
	}
	for _, c := range []struct {
		about string
		spoil func(c *ledger.Claim)
		want  string
	}{
		{"nothing wrong", func(*ledger.Claim) {}, ""},
		{"no name", func(c *ledger.Claim) { c.Name = "" }, `name ""`},
		{"no place", func(c *ledger.Claim) { c.Place = "" }, "field Place is empty"},
		{"no text", func(c *ledger.Claim) { c.Text = "" }, "field Text is empty"},
		{"an unknown variant", func(c *ledger.Claim) { c.Evidence[0].Variant = "rude" }, `unknown variant of upstart "rude"`},
		{"an unknown property", func(c *ledger.Claim) { c.Evidence[0].Property = "beauty" }, `"beauty"`},
		{"an impossible setting", func(c *ledger.Claim) { c.Evidence[0].Setting = "n=1" }, "n=1"},
		{"a colon in what is asked", func(c *ledger.Claim) {
			c.Evidence[0] = ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 1, crashed).After("in short: late", nil)
		}, "in short: late\": want no colon in that"},
		{"a sum of nothing", func(c *ledger.Claim) { c.Evidence[0] = ledger.Adds("", 1, 1) }, "field What is empty"},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := catalogue()[0]
			claim := good()
			c.spoil(&claim)
			a.Written = func() (*ledger.Text, error) {
				tale := ledger.Story{Name: "tale", Property: "uniqueness", Setting: crashed, Title: "A tale", Text: "Of two."}
				return &ledger.Text{Claims: []ledger.Claim{claim}, Stories: []ledger.Story{tale}}, nil
			}
			err := ledger.Validate([]*ledger.Algorithm{a})
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

// A claim is judged in the literal reading of its source, which adds nothing, or
// says what it supposes instead.
func TestValidateReadings(t *testing.T) {
	for _, c := range []struct {
		about string
		spoil func(a *ledger.Algorithm, c *ledger.Claim)
		want  string
	}{
		{"the first variant", func(*ledger.Algorithm, *ledger.Claim) {}, ""},
		{"another variant", func(_ *ledger.Algorithm, c *ledger.Claim) { c.Evidence[0].Variant = "patient" }, `of variant "patient": want "polite"`},
		{"another variant that is the literal reading", func(a *ledger.Algorithm, c *ledger.Claim) {
			a.Variants[1].Literal, c.Evidence[0].Variant = []string{ledger.Own}, "patient"
		}, ""},
		{"not the literal reading", func(a *ledger.Algorithm, _ *ledger.Claim) {
			a.Variants[1].Literal = []string{ledger.Own}
		}, `want "patient", the literal reading of its source`},
		{"the literal reading of another source", func(a *ledger.Algorithm, _ *ledger.Claim) {
			a.Variants[1].Literal = []string{"another paper"}
		}, ""},
		{"a supposition", func(_ *ledger.Algorithm, c *ledger.Claim) {
			c.Evidence[0].Variant, c.Supposes = "patient", "patience"
		}, ""},
		{"a supposition of nothing", func(_ *ledger.Algorithm, c *ledger.Claim) { c.Supposes = "patience" }, `field Supposes is "patience"`},
		{"a literal reading that adds", func(a *ledger.Algorithm, _ *ledger.Claim) { a.Variants[0].Adds = "a timer" }, "adds something or repairs"},
		{"a literal reading that repairs", func(a *ledger.Algorithm, _ *ledger.Claim) { a.Variants[0].Repair = true }, "adds something or repairs"},
		{"two literal readings", func(a *ledger.Algorithm, _ *ledger.Claim) {
			a.Variants[0].Literal, a.Variants[1].Literal = []string{"a paper"}, []string{"a paper"}
		}, `two variants are the literal reading of "a paper"`},
	} {
		t.Run(c.about, func(t *testing.T) {
			a := claimed(ledger.Claim{Name: "it", Evidence: []ledger.Evidence{ledger.Keeps("agreement", crashed)}})
			c.spoil(a, &a.Claims()[0])
			err := ledger.Validate([]*ledger.Algorithm{a})
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

func TestValidateTwins(t *testing.T) {
	a := claimed(ledger.Claim{Name: "it"}, ledger.Claim{Name: "it"})
	for i := range a.Claims() {
		a.Claims()[i].Note = "open"
	}
	assert.ErrorContains(t, ledger.Validate([]*ledger.Algorithm{a}), `claim "it": there are two of that name`)
	a = claimed()
	a.Properties = []*checker.Property{checker.Always("agreement", "Always.", func(*model.View) bool { return true })}
	assert.ErrorContains(t, ledger.Validate([]*ledger.Algorithm{a}), "a standard property has this name")
}

func TestRulingText(t *testing.T) {
	for _, r := range []ledger.Ruling{ledger.Open, ledger.AsClaimed, ledger.NotAsClaimed, ledger.Moot} {
		text, err := r.MarshalText()
		require.NoError(t, err)
		var back ledger.Ruling
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, r, back)
	}
	var r ledger.Ruling
	assert.ErrorContains(t, r.UnmarshalText([]byte("perhaps")), `ruling "perhaps": want one of`)
}

func TestOutcomeText(t *testing.T) {
	for _, o := range []ledger.Outcome{
		ledger.Undecided, ledger.Confirmed, ledger.Refuted, ledger.RefutedBeyond, ledger.Follows, ledger.DoesNotFollow, ledger.Depends, ledger.Contradiction,
	} {
		text, err := o.MarshalText()
		require.NoError(t, err)
		var back ledger.Outcome
		require.NoError(t, back.UnmarshalText(text))
		assert.Equal(t, o, back)
	}
	var o ledger.Outcome
	assert.ErrorContains(t, o.UnmarshalText([]byte("refuted")), `outcome "refuted": want one of`)
	assert.Equal(t, "Outcome(9)", ledger.Outcome(9).String())
}

// The ruling of evidence depends on the subject of the claim.
func TestOutcomes(t *testing.T) {
	holds, breaks := ledger.Keeps("agreement", crashed), ledger.Keeps("uniqueness", crashed)
	for about, c := range map[string]struct {
		claim          ledger.Claim
		reconstruction string
		want           ledger.Outcome
	}{
		"it holds":                   {ledger.Claim{Evidence: []ledger.Evidence{holds}}, "", ledger.Confirmed},
		"it breaks":                  {ledger.Claim{Evidence: []ledger.Evidence{breaks}}, "", ledger.Refuted},
		"a fault that is not in it":  {ledger.Claim{Evidence: []ledger.Evidence{breaks}, Exceeds: "a crash"}, "", ledger.RefutedBeyond},
		"a fault that does no harm":  {ledger.Claim{Evidence: []ledger.Evidence{holds}, Exceeds: "a crash"}, "", ledger.Confirmed},
		"a sum":                      {ledger.Claim{Evidence: []ledger.Evidence{ledger.Adds("2+2", 4, 2+2)}}, "", ledger.Follows},
		"a wrong sum":                {ledger.Claim{Evidence: []ledger.Evidence{ledger.Adds("2+2", 5, 2+2)}}, "", ledger.DoesNotFollow},
		"a sum beside what is found": {ledger.Claim{Evidence: []ledger.Evidence{holds, ledger.Adds("2+2", 4, 2+2)}}, "", ledger.Confirmed},
		"our rules hold":             {ledger.Claim{Evidence: []ledger.Evidence{holds}}, "a summary", ledger.Undecided},
		"our rules break":            {ledger.Claim{Evidence: []ledger.Evidence{breaks}}, "a summary", ledger.Undecided},
		"no evidence":                {ledger.Claim{}, "", ledger.Undecided},
	} {
		t.Run(about, func(t *testing.T) {
			c.claim.Name = "it"
			a := claimed(c.claim)
			a.Reconstruction = c.reconstruction
			assert.Equal(t, c.want, judge(t, a, ledger.JudgeOptions{})[0].Outcome)
		})
	}
}
