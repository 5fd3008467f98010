package shipped_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// alike is what the flat server and the one that ships have in common: everything.
func alike() shipped.Correspondence {
	called := func(a *model.Action) string {
		return strings.TrimSpace(fmt.Sprintf("%s %s %s", a.Process.Name(), a.Kind, a.Message))
	}
	seen := func(s model.Snapshot) string {
		var all []string
		for _, p := range s.Processes {
			all = append(all, fmt.Sprintf("%s %s elected %s epoch %d", p.ID.Name(), p.Status, p.Belief.Elected.Name(), p.Belief.Epoch))
		}
		return strings.Join(all, "; ")
	}
	return shipped.Correspondence{Left: called, Right: called, SeenLeft: seen, SeenRight: seen}
}

const pairs = "n=2 initiators=none timing=async crashes=1 restarts=1"

func TestTogether(t *testing.T) {
	left, right := system(t, flat{}, pairs), system(t, shipped.New(voters{}), pairs)
	b, err := shipped.Together(t.Context(), left, right, alike(), 0)
	require.NoError(t, err)
	assert.Nil(t, b.Difference)
	assert.True(t, b.Whole)
	assert.Empty(t, b.Alone)
	assert.Contains(t, strings.Join(b.Together, "\n"), "P1 deliver Vote(1) (")

	part, err := shipped.Together(t.Context(), left, right, alike(), 2)
	require.NoError(t, err)
	assert.False(t, part.Whole)
	assert.Equal(t, 2, part.Depth)
	assert.Less(t, part.Pairs, b.Pairs)
}

// A difference is one in what is seen, or in what can happen, by a shortest pair of runs.
func TestTogetherFindsDifferences(t *testing.T) {
	left, right := system(t, flat{}, pairs), system(t, shipped.New(voters{Forgets: true}), pairs)
	b, err := shipped.Together(t.Context(), left, right, alike(), 0)
	require.NoError(t, err)
	require.NotNil(t, b.Difference)
	assert.Equal(t, `    both begin
  1 P1 timeout
  2 P1 crash
  3 P1 restart
  4 P2 timeout
  5 P1 deliver Ask(1)
      left:  P1 up elected ⊥ epoch 1; P2 up elected ⊥ epoch 1
      right: P1 up elected ⊥ epoch 1; P2 up elected ⊥ epoch 1
    then "P2 deliver Vote(1)" is enabled on the right, and not on the left
`, b.Difference.String())

	c := alike()
	ask := c.Left
	c.Left = func(a *model.Action) string {
		if a.Kind == model.Restarts {
			return ""
		}
		return ask(a)
	}
	b, err = shipped.Together(t.Context(), left, right, c, 0)
	require.NoError(t, err)
	assert.Equal(t, `    both begin
  1 P1 crash
      left:  P1 down elected ⊥ epoch 0; P2 up elected ⊥ epoch 0
      right: P1 down elected ⊥ epoch 0; P2 up elected ⊥ epoch 0
    then "P1 restart" is enabled on the right, and not on the left
`, b.Difference.String())
	assert.Equal(t, "right", b.Difference.Has)

	c.Only = func(text string) bool { return strings.HasSuffix(text, "restart") }
	b, err = shipped.Together(t.Context(), left, right, c, 0)
	require.NoError(t, err)
	assert.Nil(t, b.Difference, "what would differ comes after a restart")
	assert.Len(t, b.Alone, 2)
}

func TestTogetherFails(t *testing.T) {
	sys := system(t, flat{}, pairs)
	c := alike()
	c.Left = func(*model.Action) string { return "something" }
	_, err := shipped.Together(t.Context(), sys, sys, c, 0)
	assert.ErrorContains(t, err, "something: it has several outcomes, []: want a text for each")

	several := system(t, flat{}, "n=2 initiators=any:lazy timing=async")
	_, err = shipped.Together(t.Context(), sys, several, alike(), 0)
	assert.ErrorContains(t, err, "right: several initial states: want a setting with one")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = shipped.Together(ctx, sys, sys, alike(), 0)
	assert.ErrorIs(t, err, context.Canceled)

	_, err = shipped.Together(t.Context(), sys, system(t, broken{}, pairs), alike(), 0)
	assert.ErrorContains(t, err, "P2 deliver Ask(1): ")
	assert.ErrorContains(t, err, "out of order")
}

type broken struct{ flat }

func (broken) Receive(*ballot, *model.Net[paper], model.Port, paper) { panic("out of order") }

// delayed is the flat server with an action more: it campaigns by a second timer. If it is restless,
// that timer never ends.
type delayed struct {
	flat
	restless bool
}

func (delayed) Names() model.Names {
	return model.Names{Kinds: voting.Kinds, Timers: append(slices.Clone(voting.Timers), model.TimerName{Name: "campaign"})}
}

func (d delayed) Timeout(p *ballot, net *model.Net[paper], t model.Timer) {
	switch {
	case t == 0 && p.Term == 0:
		net.SetTimer(1, 1)
	case d.restless:
		p.Votes ^= 1
		net.SetTimer(1, 1)
	default:
		d.flat.Timeout(p, net, 0)
	}
}

// An action that only one system has happens with the one before it.
func TestTogetherWithSilentActions(t *testing.T) {
	left, right := system(t, delayed{}, pairs), system(t, shipped.New(voters{}), pairs)
	c := alike()
	ask := c.Left
	silent := func(a *model.Action) bool { return a.Timer == "campaign" }
	c.Left = func(a *model.Action) string {
		if silent(a) {
			return ""
		}
		return ask(a)
	}
	b, err := shipped.Together(t.Context(), left, right, c, 0)
	require.NoError(t, err)
	require.NotNil(t, b.Difference, "left out, it never happens")
	assert.Equal(t, "P1 timeout", b.Difference.Run[1].Action)

	c.Silent = silent
	b, err = shipped.Together(t.Context(), left, right, c, 0)
	require.NoError(t, err)
	assert.Nil(t, b.Difference)
	assert.True(t, b.Whole)
	plain, err := shipped.Together(t.Context(), system(t, flat{}, pairs), right, alike(), 0)
	require.NoError(t, err)
	assert.Equal(t, plain.Pairs, b.Pairs)

	_, err = shipped.Together(t.Context(), system(t, delayed{restless: true}, pairs), right, c, 0)
	assert.ErrorContains(t, err, "P1 timeout: 1000 silent actions in a row: want an end of them")
}
