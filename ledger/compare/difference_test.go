package compare_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger/compare"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// plainOutcomes finds, one transition after another, after how many steps at
// least the runs of a subject come to whom, by what happens in them.
func plainOutcomes(t *testing.T, s *compare.Subject, f compare.Fault, n int) map[string]map[model.ID]int {
	t.Helper()
	in, err := s.Under(f, n)
	require.NoError(t, err)
	sys, err := s.In(in)
	require.NoError(t, err)
	type node struct {
		state, past string
		disturbed   bool
	}
	agreed := func(v *model.View) model.ID {
		var names model.Set
		for id := range v.Up.All() {
			if v.Elected(id) == model.None {
				return model.None
			}
			names = names.With(v.Elected(id))
		}
		if names.Len() == 1 && v.Up.Has(names.Min()) {
			return names.Min()
		}
		return model.None
	}
	seen, level := make(map[node]bool), []node(nil)
	add := func(list []node, x node) []node {
		x.disturbed = x.disturbed || agreed(sys.View([]byte(x.state))) == model.None
		if seen[x] {
			return list
		}
		seen[x] = true
		return append(list, x)
	}
	past := ""
	if in.Start == setting.CoordinatorDown {
		past = fmt.Sprintf("crash %d;", n)
	}
	for state := range sys.Initial {
		level = add(level, node{string(state), past, false})
	}
	found := make(map[string]map[model.ID]int)
	for depth := 0; len(level) > 0; depth++ {
		var next []node
		for _, x := range level {
			v := sys.View([]byte(x.state))
			if id := agreed(v); v.Settled && id != model.None && x.disturbed {
				if found[x.past] == nil {
					found[x.past] = make(map[model.ID]int)
				}
				if _, ok := found[x.past][id]; !ok {
					found[x.past][id] = depth
				}
			}
			for _, tr := range sys.Transitions([]byte(x.state)) {
				y := node{string(tr.Next), x.past, x.disturbed}
				switch tr.Action.Kind {
				case model.Crashes, model.Restarts, model.Joins:
					y.past += fmt.Sprintf("%s %d;", tr.Action.Kind, tr.Action.Process)
				case model.Misreports:
					y.past += fmt.Sprintf("misreport %d of %d;", tr.Action.Process, tr.Action.Who)
				}
				next = add(next, y)
			}
		}
		level = next
	}
	return found
}

// A difference is a shortest pair of all there are.
func TestDifferencesAreShortest(t *testing.T) {
	names := []string{"polite", "any", "modest"}
	list := subjects(t, names...)
	found := 0
	for _, f := range faults(t, "none; crashes=1; losses=1; crashes=1 restarts=1; suspicions=1; joins=1") {
		c, err := compare.Run(t.Context(), list, compare.Options{Faults: []compare.Fault{f}})
		require.NoError(t, err)
		plain := make(map[string]map[string]map[model.ID]int)
		for i := range list {
			plain[list[i].Name()] = plainOutcomes(t, &list[i], f, 3)
		}
		require.Len(t, c.Differences, 3)
		for _, d := range c.Differences {
			least := 0
			for past, to := range plain[d.A] {
				for x, i := range to {
					for y, j := range plain[d.B][past] {
						if x != y && (least == 0 || i+j < least) {
							least = i + j
						}
					}
				}
			}
			about := fmt.Sprintf("%s and %s, %s", d.A, d.B, f.Name)
			if least == 0 {
				assert.Nil(t, d.RunA, about)
				assert.Equal(t, "none in any of these worlds", d.Why, about)
				continue
			}
			found++
			require.NotNil(t, d.RunA, about)
			assert.Equal(t, least, d.Steps, about)
			assert.Equal(t, least, len(d.RunA.Trace.Steps)+len(d.RunB.Trace.Steps), about)
			assert.NotEqual(t, d.RankA, d.RankB, about)
			assert.True(t, d.AlsoA.Has(d.RankA) && d.AlsoB.Has(d.RankB), about)
			assert.NotEmpty(t, strings.TrimSpace(d.Schedule), about)
		}
	}
	assert.Greater(t, found, 3, "there are some")
}
