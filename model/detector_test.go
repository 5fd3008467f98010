package model_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// watching has a coordinator, and processes that are in an election from the
// start or not; none of them does anything.
type watching struct {
	model.Passive[watchState, watchMessage]
	busy bool
}

type watchState struct {
	Elected model.ID
	Busy    bool
}

type watchMessage struct{}

func (watchMessage) Kind() model.Kind { return 0 }
func (watchMessage) String() string   { return "nothing" }

func (watching) Receive(*watchState, *model.Net[watchMessage], model.Port, watchMessage) {}

func (watching) Belief(p *watchState) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Busy}
}
func (watching) Names() model.Names { return model.Names{Kinds: []string{"nothing"}} }

func (watching) Suspect(p *watchState, _ *model.Net[watchMessage], _ model.ID) {
	p.Elected = model.None
}

func (w watching) Settle(p *watchState, _, coordinator model.ID, _ model.Set) {
	p.Elected, p.Busy = coordinator, w.busy
}

// reported returns the reports that come, right or wrong, in the states to which
// some faults lead, one after the other.
func reported(t *testing.T, p watching, text string, faults ...model.ActionKind) []string {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New(p, s)
	require.NoError(t, err)
	states := slices.Collect(sys.Initial)
	for _, fault := range faults {
		var next [][]byte
		for _, state := range states {
			for _, tr := range sys.Transitions(state) {
				if tr.Action.Kind == fault {
					next = append(next, tr.Next)
				}
			}
		}
		states = next
	}
	all := map[string]bool{}
	for _, state := range states {
		var here []string
		for _, tr := range sys.Transitions(state) {
			if a := tr.Action; a.Kind == model.Suspects || a.Kind == model.Misreports {
				here = append(here, fmt.Sprintf("%v of %v to %v", a.Kind, a.Who, a.Process))
			}
		}
		all[strings.Join(here, ", ")] = true
	}
	delete(all, "")
	out := []string{}
	for text := range all {
		out = append(out, text)
	}
	slices.Sort(out)
	return out
}

func TestDetector(t *testing.T) {
	const apart = "suspect of 3 to 1, suspect of 3 to 2" // {3} is cut off; below, with {2} or with {1} too
	for _, tt := range []struct {
		setting string
		busy    bool
		faults  []model.ActionKind
		want    []string
	}{
		{"", false, []model.ActionKind{model.CutsOff}, []string{"suspect of 3 to 1", apart, "suspect of 3 to 2"}},
		{"detector=reach", false, []model.ActionKind{model.CutsOff}, []string{"suspect of 3 to 1", apart, "suspect of 3 to 2"}},
		{"detector=perfect", false, []model.ActionKind{model.CutsOff}, []string{}},
		{"detector=off", false, []model.ActionKind{model.CutsOff}, []string{}},
		{"", false, []model.ActionKind{model.CutsOff, model.Heals}, []string{}},
		{"detectors=2", false, []model.ActionKind{model.CutsOff}, []string{"suspect of 3 to 2"}},
		{"suspicions=1", false, []model.ActionKind{model.CutsOff}, []string{
			"misreport of 3 to 1, suspect of 3 to 2", "suspect of 3 to 1, misreport of 3 to 2", apart,
		}},
		{"", true, []model.ActionKind{model.CutsOff}, []string{}},
		{"reports=always", true, []model.ActionKind{model.CutsOff}, []string{"suspect of 3 to 1", apart, "suspect of 3 to 2"}},
		{"reports=always suspicions=1", true, nil, []string{"misreport of 3 to 1, misreport of 3 to 2"}},
		{"suspicions=1", true, nil, []string{}},
	} {
		t.Run(fmt.Sprintf("%s/busy=%v/%v", tt.setting, tt.busy, tt.faults), func(t *testing.T) {
			assert.Equal(t, tt.want, reported(t, watching{busy: tt.busy}, "n=3 start=settled cuts=1 heals=1 "+tt.setting, tt.faults...))
		})
	}
}

// The default is one that a cut fools; what is said outright stays.
func TestDetectorText(t *testing.T) {
	for _, tt := range []struct{ text, more, want string }{
		{"detector=on", "", ""},
		{"detector=default", "", ""},
		{"detector=reach", "cuts=1", "cuts=1"},
		{"detector=perfect", "cuts=1", "cuts=1 detector=perfect"},
		{"detector=off", "cuts=1", "cuts=1 detector=off"},
		{"reports=idle", "", ""},
		{"reports=always", "", "reports=always"},
	} {
		s, err := setting.Parse("n=3 " + tt.text)
		require.NoError(t, err)
		s, err = s.With(tt.more)
		require.NoError(t, err)
		want, err := setting.Parse("n=3 " + tt.want)
		require.NoError(t, err)
		assert.Equal(t, want.String(), s.String(), tt.text)
	}
	_, err := setting.Parse("n=3 detector=perfekt")
	assert.ErrorContains(t, err, `unknown detector "perfekt": did you mean perfect?`)
}
