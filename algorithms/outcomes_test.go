package algorithms_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// The outcome of each claim follows from what the JSON has of its admissible readings, and
// an open one has a question on which it depends, with answers for it and against it.
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
			}
		}
	}
	require.NoError(t, json.Unmarshal(data, &out))
	for i, a := range out.Algorithms {
		for _, c := range a.Claims {
			is := func(r ledger.Ruling) bool {
				return slices.ContainsFunc(c.Readings, func(x ledger.Reading) bool { return x.Admissible && x.Ruling == r })
			}
			want := []ledger.Outcome{ledger.Undecided}
			switch holds, fails, open := is(ledger.AsClaimed), is(ledger.NotAsClaimed), is(ledger.Open); {
			case len(c.Between) > 0:
				want = []ledger.Outcome{ledger.Contradiction}
			case holds && fails:
				want = []ledger.Outcome{ledger.Depends}
			case holds && !open:
				want = []ledger.Outcome{ledger.Confirmed, ledger.Follows}
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
			assert.Equal(t, c.Outcome == ledger.Depends, decides, "%s/%s", a.Name, c.Name)
		}
	}
}
