package algorithms_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// The outcome of each claim follows from what the JSON has of its admissible readings and of
// its trees, and an open one has a question on which it depends, with answers for it and
// against it.
func TestOutcomesFollowFromReadings(t *testing.T) {
	l, err := onRecord()
	require.NoError(t, err)
	data, err := json.Marshal(l)
	require.NoError(t, err)
	var out struct {
		Algorithms []struct {
			Name   string
			Claims []struct {
				Name, Exceeds string
				Outcome       ledger.Outcome
				Readings      []ledger.Reading
				Questions     []ledger.Dependency
				Between       []string
				Trees         []ledger.TreeRuling
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &out))
	for i, a := range out.Algorithms {
		for _, c := range a.Claims {
			is := func(r ledger.Ruling) bool {
				return slices.ContainsFunc(c.Readings, func(x ledger.Reading) bool { return x.Admissible && x.Ruling == r })
			}
			tree := func(is func(t ledger.TreeRuling) bool) bool { return slices.ContainsFunc(c.Trees, is) }
			turns := tree(func(t ledger.TreeRuling) bool { return t.Turns != "" })
			holds, fails, open := is(ledger.AsClaimed), is(ledger.NotAsClaimed), is(ledger.Open)
			if len(c.Trees) > 0 {
				holds = holds || turns || tree(func(t ledger.TreeRuling) bool { return t.Readings > 0 && t.Holds == t.Readings })
				fails = fails || turns || tree(func(t ledger.TreeRuling) bool { return t.Readings > 0 && t.Fails == t.Readings })
				open = open && !fails ||
					tree(func(t ledger.TreeRuling) bool {
						return t.Turns == "" && max(t.Holds, t.Fails) < t.Readings || t.Readings == 0
					})
			}
			want := []ledger.Outcome{ledger.Undecided}
			switch {
			case len(c.Between) > 0:
				want = []ledger.Outcome{ledger.Contradiction}
			case holds && fails:
				want = []ledger.Outcome{ledger.Depends}
			case holds && !open:
				want = []ledger.Outcome{ledger.Confirmed, ledger.ConfirmedForEveryN, ledger.Follows}
			case fails && !open && c.Exceeds != "":
				want = []ledger.Outcome{ledger.RefutedBeyond}
			case fails && !open:
				want = []ledger.Outcome{ledger.Refuted, ledger.DoesNotFollow}
			}
			algorithm := l.Entries[i].Algorithm
			if algorithm.Reconstruction != "" || slices.ContainsFunc(c.Readings, func(r ledger.Reading) bool {
				v, err := algorithm.Variant(r.Variant)
				return r.Admissible && err == nil && v.Reconstruction != ""
			}) {
				want = append(want, ledger.Undecided)
			}
			assert.Contains(t, want, c.Outcome, "%s/%s", a.Name, c.Name)
			decides := slices.ContainsFunc(c.Questions, func(d ledger.Dependency) bool {
				given := func(of func(r ledger.AnswerRuling) []string) bool {
					return slices.ContainsFunc(d.Answers, func(r ledger.AnswerRuling) bool { return len(of(r)) > 0 })
				}
				return d.Decides && given(func(r ledger.AnswerRuling) []string { return r.Holds }) &&
					given(func(r ledger.AnswerRuling) []string { return r.Fails })
			})
			if len(c.Trees) == 0 {
				assert.Equal(t, c.Outcome == ledger.Depends, decides, "%s/%s", a.Name, c.Name)
				continue
			}
			// Answers about the world may differ, and so may a variant that an exhibit has.
			if c.Outcome == ledger.Depends && len(c.Trees) == 1 {
				assert.True(t, turns || decides, "%s/%s", a.Name, c.Name)
			}
			for _, r := range c.Trees {
				if r.Turns != "" {
					assert.True(t, r.With != "" && r.Without != "" && r.With != r.Without, "%s/%s: %+v", a.Name, c.Name, r)
				}
			}
		}
	}
}
