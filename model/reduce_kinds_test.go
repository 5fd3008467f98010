package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/casecount"
	"bullyproof/model"
)

func TestReductionsAreReadAsTheyAreWritten(t *testing.T) {
	for r := range model.AllReductions + 1 {
		got, err := model.ParseReductions(r.String())
		require.NoError(t, err)
		assert.Equal(t, r, got)
	}
	got, err := model.ParseReductions("dead,persistent")
	require.NoError(t, err)
	assert.Equal(t, "persistent,dead", got.String())
	for text, want := range map[string]string{
		"":          `there is no reduction ""`,
		"ded":       `did you mean dead?`,
		"auto,dead": `there is no reduction "auto"`,
		"all":       `there is no reduction "all"`,
	} {
		_, err := model.ParseReductions(text)
		assert.ErrorContains(t, err, want, "%q", text)
	}
}

func TestReductionsOfASetting(t *testing.T) {
	for setting, want := range map[string]string{
		"n=3 timing=sync:1":               "persistent,least-due,postpone,dead",
		"n=3 timing=sync:1 channels=fifo": "persistent,dead",
		"n=3 timing=lockstep":             "persistent,dead,ticks",
		"n=3 timing=last-resort":          "persistent,dead",
	} {
		w := upstarts(t, setting).Watched()
		assert.Zero(t, w.Reductions())
		reduced, err := w.Reduced(model.Reduction{})
		require.NoError(t, err)
		assert.Equal(t, want, reduced.Reductions().String(), setting)
		reduced, err = w.Reduced(model.Reduction{Only: model.DeadMessages | model.Postponing})
		require.NoError(t, err)
		assert.NotZero(t, reduced.Reductions()&model.DeadMessages, setting)
		assert.Zero(t, reduced.Reductions()&model.PersistentSets, setting)
	}
	_, err := upstarts(t, "n=3 timing=lockstep").Watched().Reduced(model.Reduction{Only: model.Postponing})
	assert.ErrorContains(t, err, "--reduce postpone: that is not made in this setting, but persistent, dead, ticks")
}

// TestEachReductionFindsAll is TestReducedFindsAll for each reduction alone.
func TestEachReductionFindsAll(t *testing.T) {
	for i, name := range model.AllReductions.Names() {
		if model.Symmetries>>i&1 != 0 {
			continue // TestRotationsFindAll draws rings, and TestPermutationsFindAll where ids decide nothing
		}
		t.Run(name, func(t *testing.T) {
			fewer := 0
			for seed := range casecount.Numbers(t, *deep, 40, 2000) {
				x := calmSuspectOf(1_000_000 + seed)
				m := attack(t, x, model.Reduction{Only: 1 << i}, 400)
				require.Empty(t, m.differ, "%v", x)
				if m.reduced < m.plain {
					fewer++
				}
			}
			require.NotZero(t, fewer)
		})
	}
}
