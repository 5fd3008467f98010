package algorithms_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/algorithms/internal/mutate"
	"bullyproof/algorithms/internal/mutate/judge"
	"bullyproof/internal/test/play"
)

// The points that the rules of an algorithm call equal are in its code.
func TestEqualPointsAreThere(t *testing.T) {
	points, equal := 0, 0
	for _, a := range algorithms.All {
		pkg, err := mutate.Find(a.Name, points)
		require.NoError(t, err)
		require.NotEmpty(t, pkg.Points, a.Name)
		equals, err := play.Equals(filepath.Join(a.Name, "rules.txt"))
		require.NoError(t, err)
		assert.Empty(t, judge.Misnamed(pkg, equals))
		points, equal = points+len(pkg.Points), equal+len(equals)
	}
	t.Logf("%d points in %d algorithms, %d of them said to be equal", points, len(algorithms.All), equal)
}

// droppedLater are algorithms some of whose points, most of them in faults, turn evidence of
// more states.
var droppedLater = map[string]uint64{"dijkstra": 300_000, "mongodb": 400_000, "raftmembers": 30_000}

// No rule of an algorithm can be dropped, and no guard of one be taken for granted or for
// never true, and nothing that is asked of the algorithm comes out otherwise: the runs of
// its sentences, its claims, and its mutants. A point of which that is not so makes no
// difference, and rules.txt says why.
func TestDroppedRulesAreMissed(t *testing.T) {
	if !*play.Deep {
		t.Skip("a program with every rule dropped is built and searched: -deep")
	}
	var names []string
	for _, a := range algorithms.All {
		names = append(names, a.Name)
	}
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	program, err := mutate.Build(t.Context(), root, t.TempDir(), names)
	require.NoError(t, err)
	for _, pkg := range program.Packages {
		t.Run(pkg.Name, func(t *testing.T) {
			t.Parallel()
			to := judge.Limits{Most: []uint64{3_000, 20_000}, Time: time.Minute, Points: func(p *mutate.Point) bool {
				return p.Kind == mutate.Branch
			}}
			if most := droppedLater[pkg.Name]; most > 0 {
				to.Most = append(to.Most, most)
			}
			s, err := judge.Take(t.Context(), program, pkg, to, t.Output())
			require.NoError(t, err)
			assert.Empty(t, s.Wrong)
			for _, v := range s.Survivors() {
				t.Errorf("%s: %s: %s: nothing that is asked comes out otherwise (%s %s)", pkg.Name, v.Point.Place, v.Point.Name, v.Class, v.By)
			}
			t.Logf("%d points", len(s.Verdicts))
		})
	}
}
