package algorithms_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/cost"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A reason is why an item of a checklist does not arise, by its words, and what these say of a row
// that a search decides.
type reason struct {
	words *regexp.Regexp
	// holds returns what is against it in a row, or "".
	holds func(a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string
}

// reasons are those that a program can compare with the rows.
var reasons = []reason{
	{regexp.MustCompile(`(No claim|None of (its|the) claims( of the paper)?|Its claim does not) counts? messages|and no message\b`), noMessages},
	{regexp.MustCompile(`rows are undecided|no search decides it|not about a run of the rules`), undecided},
	{regexp.MustCompile(`[Nn]obody (fails|is dead)|No process fails`), nobodyFails},
	{regexp.MustCompile(`[Nn]o (process|node) waits(:| for a time([.:]|$)|\.|,)`), noTimers},
	{regexp.MustCompile(`(client|member|node) knows whether (it (leads|holds the lock|is active) itself|the singleton runs on it)`), namesItself},
	{regexp.MustCompile(`Processes have no names\.`), anonymous},
	{regexp.MustCompile(`^Its( one)? count is an order`), noMessages},
	{regexp.MustCompile(`Safety alone is asked`), safetyAlone},
	{regexp.MustCompile(`No claim is about a time`), noTicks},
}

// decidingSearches returns the pieces of evidence that decide a row by a search.
func decidingSearches(c *ledger.Claim, j *ledger.Judgement) (list []*ledger.Evidence) {
	if j.Outcome == ledger.Undecided {
		return nil
	}
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Aside == "" && e.Setting != "" {
			list = append(list, e)
		}
	}
	return list
}

func noMessages(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		if e.Cost != nil && (e.Cost.Measure.Unit == cost.Messages || e.Cost.Measure.Unit == cost.Operations) {
			return e.Asks()
		}
		if e.Chance != nil && !slices.Contains([]string{"", "steps", "ticks", "epochs"}, e.Chance.Unit) {
			return e.Asks()
		}
	}
	return ""
}

func noTicks(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		if e.Cost != nil && e.Cost.Measure.Unit == cost.Ticks || e.Chance != nil && (e.Chance.Unit == "ticks" || e.Chance.Bound == "ticks") {
			return e.Asks()
		}
	}
	return ""
}

func undecided(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	if list := decidingSearches(c, j); len(list) > 0 {
		return j.Outcome.String()
	}
	return ""
}

func nobodyFails(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		if s, err := setting.Parse(e.Setting); err != nil || s.Crashes > 0 || s.Start == setting.CoordinatorDown {
			return e.Setting
		}
	}
	return ""
}

func noTimers(a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		if !slices.Contains(a.Admissible(c.Source), e.Variant) && e.Variant != c.Judged() {
			continue
		}
		v, err := a.Variant(e.Variant)
		if err != nil {
			return err.Error()
		}
		sys, err := v.In(v.Setting)
		if err != nil {
			return err.Error()
		}
		if timers := sys.Names().Timers; len(timers) > 0 {
			return fmt.Sprintf("%s has timer %s", v.Name, timers[0].Name)
		}
	}
	return ""
}

// namesItself returns the setting of a row near whose start a process names another one. A store
// is nobody who may lead: it knows of all.
func namesItself(a *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		in, err := setting.Parse(e.Setting)
		if err != nil {
			return err.Error()
		}
		v, err := a.Variant(e.Variant)
		if err != nil {
			return err.Error()
		}
		sys, err := v.In(in)
		if err != nil {
			return err.Error()
		}
		p := checker.Always("itself", "A process names nobody else.", func(v *model.View) bool {
			for id := range v.Up.All() {
				if who := v.Elected(id); who != model.None && who != id && sys.Role(id) == sys.Role(1) {
					return false
				}
			}
			return true
		})
		r, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}, MaxStates: 500})
		if err != nil {
			return err.Error()
		}
		if f := r.Finding(p.Name); f.Verdict == checker.Violated {
			return e.Setting
		}
	}
	return ""
}

func anonymous(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	for _, e := range decidingSearches(c, j) {
		if !strings.Contains(e.Setting, "ring:anonymous") {
			return e.Setting
		}
	}
	return ""
}

func safetyAlone(_ *ledger.Algorithm, c *ledger.Claim, j *ledger.Judgement) string {
	if len(decidingSearches(c, j)) > 0 && c.Kind != ledger.SafetyClaim {
		return c.Kind.String()
	}
	return ""
}

// byHand is the largest number of reasons that nothing compares with the rows. It may only shrink.
// (Four of them are compared by giving the other answer: TestLongerWaitsTurnNoRow and its like.)
const byHand = 50

// An item of a checklist that does not arise, for a reason that can be compared with the rows of the
// source, does not arise in any row.
func TestNoneIsTrue(t *testing.T) {
	l, err := onRecord()
	require.NoError(t, err)
	compared, left := 0, make(map[string]string)
	for _, entry := range l.Entries {
		a := entry.Algorithm
		written, err := a.Written()
		require.NoError(t, err)
		for _, list := range written.Checklists {
			for _, item := range list.Checked {
				if item.Kind != ledger.NotToCheck {
					continue
				}
				known := false
				for _, r := range reasons {
					if !r.words.MatchString(item.Text) {
						continue
					}
					known = true
					compared++
					claims := a.Claims()
					for i := range claims {
						if slices.Contains(list.Sources, claims[i].Source) {
							assert.Empty(t, r.holds(a, &claims[i], &entry.Judgements[i]), "%s/%s, of which %s says %q", a.Name, claims[i].Name, item.At, item.Text)
						}
					}
				}
				if !known {
					left[item.Text] = a.Name
				}
			}
		}
	}
	assert.Positive(t, compared)
	assert.LessOrEqual(t, len(left), byHand, "these are not compared with any row: say why an item does not arise in words of TestNoneIsTrue, or quote a sentence")
	t.Logf("%d reasons compared, %d left", compared, len(left))
	for _, text := range slices.Sorted(maps.Keys(left)) {
		t.Logf("%s: %s", left[text], text)
	}
}
