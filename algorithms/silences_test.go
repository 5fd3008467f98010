package algorithms_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
)

// Each event that a process can meet is covered by a sentence of the source, or by a silence of
// it, and not by both.
func TestEachCellIsSaidOrSilent(t *testing.T) {
	for _, a := range algorithms.All {
		for _, s := range a.Silent {
			t.Run(a.Name+s.Source, func(t *testing.T) {
				cells, err := a.Cells(t.Context(), s.Source, silence.Options{MaxStates: 20_000})
				require.NoError(t, err)
				require.NotEmpty(t, cells)
				t.Logf("%d cells", len(cells))
				for _, c := range cells {
					assert.True(t, c.Covered(), "nothing is said of %q, and no question is about it", c.String())
					assert.False(t, c.Said && c.Silence != silence.Open, "a sentence is about %q, and a question too", c.String())
				}
			})
		}
	}
}

// Readings that are drawn, each judged by itself, are as the trees of claims have them.
func TestDrawnReadingsAreAsTheTreesHaveThem(t *testing.T) {
	draws := 1
	if *play.Deep {
		draws = 100
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, a := range algorithms.All {
		if len(a.Silent) == 0 {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			opt := silence.Options{Whole: *play.Deep, MaxStates: 2_000_000}
			require.NoError(t, a.Trees(t.Context(), opt, func(r ledger.RowTree) error {
				for range draws {
					reading := r.Tree.Source.Draw(rng.IntN)
					want := r.Tree.Of(reading)
					if want == silence.NotLookedAt {
						continue
					}
					alone, _, err := r.Tree.Source.Judge(t.Context(), r.Row, reading, opt)
					if err != nil {
						return err
					}
					assert.Equal(t, want, alone, "%s: %s", r.Claim.Name, r.Tree.Source.Text(reading))
				}
				return nil
			}))
		})
	}
}
