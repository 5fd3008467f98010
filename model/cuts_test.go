package model_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

func TestParseLink(t *testing.T) {
	for _, want := range []setting.CutLink{{From: 1, To: 2, Both: true}, {From: 1, To: 2}, {From: 12, To: 3}, {From: 3, To: 64, Both: true}} {
		l, err := setting.ParseCutLink(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, l)
	}
	for _, text := range []string{"", "1", "1-", "-2", "1>2", "1-1", "2-1", "0-1", "1->0", "1-65", "1->65", "01-2", "1--2", "1->2->3", "1 -> 2", "a-b", "1-99999999999"} {
		_, err := setting.ParseCutLink(text)
		assert.ErrorContains(t, err, "want two processes like 1-2 (both ways) or 2->1", text)
	}
}

// watchers returns a system in which nobody sends anything, and its initial state.
func watchers(t *testing.T, text string) (sys *model.System, initial []byte) {
	t.Helper()
	s, err := setting.Parse("n=3 start=settled " + text)
	require.NoError(t, err)
	require.NoError(t, s.Validate())
	sys, err = model.New(watching{}, s)
	require.NoError(t, err)
	for state := range sys.Initial {
		return sys, state
	}
	panic("no initial state")
}

// after returns the state to which an action of a kind about a link leads.
func after(t *testing.T, sys *model.System, state []byte, kind model.ActionKind, link string) []byte {
	t.Helper()
	for _, tr := range sys.Transitions(state) {
		if tr.Action.Kind == kind && tr.Action.Link.String() == link {
			return tr.Next
		}
	}
	require.Fail(t, "no such action", "%v %s", kind, link)
	return nil
}

func cutsIn(sys *model.System, state []byte) (cuts, heals []string) {
	for _, tr := range sys.Transitions(state) {
		switch tr.Action.Kind {
		case model.CutsOff:
			cuts = append(cuts, tr.Action.Link.String())
		case model.Heals:
			heals = append(heals, tr.Action.Link.String())
		}
	}
	return cuts, heals
}

func severed(sys *model.System, state []byte) (ways []string) {
	v := sys.View(state)
	for from := model.ID(1); from <= v.N; from++ {
		for to := model.ID(1); to <= v.N; to++ {
			if v.Severed(from, to) {
				ways = append(ways, fmt.Sprintf("%v->%v", from, to))
			}
		}
	}
	return ways
}

func TestCutLinks(t *testing.T) {
	sys, state := watchers(t, "cuts=2 cut-by=link heals=1")
	cuts, heals := cutsIn(sys, state)
	assert.Equal(t, []string{"1-2", "1-3", "2-3"}, cuts)
	assert.Empty(t, heals)
	assert.Empty(t, severed(sys, state))

	state = after(t, sys, state, model.CutsOff, "1-3")
	cuts, heals = cutsIn(sys, state)
	assert.Equal(t, []string{"1-2", "2-3"}, cuts)
	assert.Equal(t, []string{"1-3"}, heals)
	assert.Equal(t, []string{"1->3", "3->1"}, severed(sys, state))

	bridge := after(t, sys, state, model.CutsOff, "1-2") // 1 is alone
	cuts, heals = cutsIn(sys, bridge)
	assert.Empty(t, cuts)
	assert.Equal(t, []string{"1-2", "1-3"}, heals)
	assert.Equal(t, []setting.CutLink{{From: 1, To: 2, Both: true}, {From: 1, To: 3, Both: true}}, sys.Snapshot(bridge).Links)
	assert.Zero(t, sys.Snapshot(bridge).Side)

	healed := after(t, sys, bridge, model.Heals, "1-3")
	assert.Equal(t, []string{"1->2", "2->1"}, severed(sys, healed))
	_, heals = cutsIn(sys, healed)
	assert.Empty(t, heals, "the budget is spent")
}

func TestCutOneWay(t *testing.T) {
	sys, state := watchers(t, "cuts=2 cut-by=one-way heals=owed")
	cuts, _ := cutsIn(sys, state)
	assert.Equal(t, []string{"1->2", "1->3", "2->1", "2->3", "3->1", "3->2"}, cuts)
	state = after(t, sys, state, model.CutsOff, "3->1")
	assert.Equal(t, []string{"3->1"}, severed(sys, state))
	var reports []string
	for _, tr := range sys.Transitions(state) {
		if tr.Action.Kind == model.Suspects {
			reports = append(reports, fmt.Sprintf("%v to %v", tr.Action.Who, tr.Action.Process))
		}
	}
	assert.Equal(t, []string{"3 to 1"}, reports, "an answer of 3 does not reach 1, and neither does a question of 1 with an answer")
}

// Steps see what is cut on both sides of them.
func TestStepsSeeLinks(t *testing.T) {
	sys, _ := watchers(t, "cuts=1 cut-by=one-way heals=1")
	seen := map[string]bool{}
	_, err := explore.Search(t.Context(), sys.Watched(model.Watch{Step: func(e *model.Event) bool {
		seen[fmt.Sprint(e.From.Severed(2, 1), e.To.Severed(2, 1))] = true
		return false
	}}), explore.Options{Targets: 2})
	require.NoError(t, err)
	assert.Contains(t, seen, "false true")
	assert.Contains(t, seen, "true false")
}

// A heal that is owed keeps a state from being settled, and has a class for
// fairness; one that is granted has neither.
func TestHealsOwed(t *testing.T) {
	for _, tt := range []struct {
		setting string
		class   string
	}{
		{"cuts=1 heals=1", ""},
		{"cuts=1 heals=owed", "heal"},
		{"cuts=1 heals=1 cut-by=link", ""},
		{"cuts=1 heals=owed cut-by=link", "heal of link 1-2"},
		{"cuts=1 heals=owed cut-by=one-way", "heal of link 1->2"},
	} {
		t.Run(tt.setting, func(t *testing.T) {
			sys, initial := watchers(t, tt.setting+" detector=off")
			for _, tr := range sys.Transitions(initial) {
				require.Equal(t, model.CutsOff, tr.Action.Kind)
				assert.Equal(t, tt.class == "", sys.View(tr.Next).Settled)
				assert.Equal(t, tt.class == "", sys.Snapshot(tr.Next).Settled)
			}
			heal := sys.Transitions(sys.Transitions(initial)[0].Next)
			require.Len(t, heal, 1)
			assert.Equal(t, tt.class, heal[0].Class)
			assert.Empty(t, severed(sys, heal[0].Next))

			labelled, err := sys.Labelled()
			require.NoError(t, err)
			_, err = explore.Search(t.Context(), labelled, explore.Options{Graph: true})
			require.NoError(t, err)
			mends := 0
			for i := range labelled.Len() {
				l := labelled.Label(uint32(i))
				assert.Equal(t, l.Class != "", l.Owed())
				if l.Mends {
					mends++
				}
			}
			assert.Equal(t, tt.class != "", mends > 0)
		})
	}
}

// A restart that is owed keeps a state from being settled, and has a class for fairness; one
// that is granted has neither. The same process can come back each time.
func TestRestartsOwed(t *testing.T) {
	for words, class := range map[string]string{"restarts=1": "", "restarts=owed": "restart of position 2"} {
		t.Run(words, func(t *testing.T) {
			sys, state := watchers(t, "crashes=2 crashers=2 detector=off "+words)
			next := func(kind model.ActionKind) (tr model.Transition, ok bool) {
				all := sys.Transitions(state)
				i := slices.IndexFunc(all, func(tr model.Transition) bool { return tr.Action.Kind == kind })
				if i < 0 {
					return tr, false
				}
				state = all[i].Next
				return all[i], true
			}
			for round := range 2 {
				_, crashed := next(model.Crashes)
				require.True(t, crashed)
				assert.Equal(t, class == "", sys.View(state).Settled)
				back, comes := next(model.Restarts)
				assert.Equal(t, class != "" || round == 0, comes)
				assert.Equal(t, class, back.Class)
			}
		})
	}
}
