package algorithms_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
	"bullyproof/ledger/silence"
)

// Each event that a process can meet is covered by a sentence of the source, or by a silence of
// it, and not by both.
func TestEachCellIsSaidOrSilent(t *testing.T) {
	opt := silence.Options{MaxStates: 1_500}
	if *play.Deep {
		opt.MaxStates = 20_000
	}
	for _, a := range algorithms.All {
		for _, s := range a.Silent {
			t.Run(a.Name+s.Source, func(t *testing.T) {
				cells, err := a.Cells(t.Context(), s.Source, opt)
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

// drawnLate are claims whose trees take seconds, which only a deep run makes.
var drawnLate = []string{
	"bully/e2", "bully/time-bound", "kabashi/acknowledged", "effatparvar/acknowledged", "effatparvar/remains-elected-crashes", "effatparvar/safety",
	"fceabr/fault-tolerant", "fceabr/fewer-than-ring", "fceabr/least-messages", "kabashi/second-at-once", "murshedallen/highest-wins",
	"paxoslease/ballots-differ", "paxoslease/clocks", "paxoslease/lease-invariant", "paxoslease/no-majority-overwritten",
	"chubby/maintained", "redlock/deadlock-free", "redlock/fault-tolerance", "redlock/min-validity", "redlock/mutual-exclusion",
	"redlock/only-within-validity", "redlock/too-late-is-invalid",
	"viewstamped/certain-view", "viewstamped/operations-survive",
}

// wholly is the largest number of readings that a deep test decides each.
const wholly = 30_000

// Readings that are drawn, each judged by itself, are as the trees of claims have them: a thousand
// and more in a deep test. A quick test looks at some claims, and in trees that end where a claim
// is open.
func TestDrawnReadingsAreAsTheTreesHaveThem(t *testing.T) {
	draws, rows, asked, judged := 2, 0, 0, 0
	if *play.Deep {
		draws = 20
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, a := range algorithms.All {
		if len(a.Silent) == 0 {
			continue
		}
		claims := a.Claims()
		for i := range claims {
			c := &claims[i]
			name := a.Name + "/" + c.Name
			if !casecount.Takes(t, *play.Deep, 10, name) || !*play.Deep && slices.Contains(drawnLate, name) {
				continue
			}
			rows++
			t.Run(name, func(t *testing.T) {
				asked++
				src, err := a.Silences(c.Source)
				if errors.Is(err, ledger.ErrNotSilent) {
					return
				}
				require.NoError(t, err)
				opt := silence.Options{Whole: *play.Deep && src.Count(src.Nothing()) <= wholly, MaxStates: ledger.TreeStates}
				trees, err := a.Trees(t.Context(), c, opt)
				require.NoError(t, err)
				if len(trees) == 0 {
					return
				}
				for k := range draws {
					r := &trees[k%len(trees)]
					reading := r.Tree.Source.Draw(rng.IntN)
					want := r.Tree.Of(reading)
					if want == silence.NotLookedAt || want == silence.Undecided {
						continue
					}
					alone, _, err := r.Tree.Source.Judge(t.Context(), r.Row, reading, opt)
					require.NoError(t, err)
					assert.Equal(t, want, alone, "%s", r.Tree.Source.Text(reading))
					judged++
				}
			})
		}
	}
	t.Logf("%d readings of %d rows", judged, asked)
	if *play.Deep && asked == rows { // -run takes all of them
		assert.GreaterOrEqual(t, judged, 1_000)
	}
}

// Rows of Kabashi et al. turn with one answer, of which nobody had told the tree.
func TestRowsTurnWithAnAnswer(t *testing.T) {
	if !*play.Deep {
		t.Skip("three trees of seconds each: -deep")
	}
	a, err := ledger.Find(algorithms.All, "kabashi")
	require.NoError(t, err)
	for _, c := range []struct {
		claim, silence, holds, fails string
	}{
		{"minimum-stays", "told-electing", "stops", "goes-on"},
		{"one-in-the-end", "told-itself", "announces", "leads"},
		{"live", "no-cid", "notices", "asks-again"},
	} {
		claim, err := a.Claim(c.claim)
		require.NoError(t, err)
		trees, err := a.Trees(t.Context(), claim, silence.Options{})
		require.NoError(t, err)
		require.Len(t, trees, 1)
		r := &trees[0]
		p := r.Tree.Pivot
		require.NotNil(t, p, c.claim)
		s := r.Tree.Source.Silences[p.Silence]
		assert.Equal(t, []string{c.silence, c.holds, c.fails}, []string{s.Name, s.Answers[p.Holds[p.Silence]], s.Answers[p.Fails[p.Silence]]})
	}
}
