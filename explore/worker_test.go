package explore

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/visited"
)

// TestAimLeavesOutWhatIsKnown compares what is looked up with a map of the best origin
// that each successor has been looked up with, from a worker's first states on to its
// large cache.
func TestAimLeavesOutWhatIsKnown(t *testing.T) {
	leftOut := 0
	rapid.Check(t, func(t *rapid.T) {
		w, best := newSearch(nil, Options{Workers: 1, MaxDepth: maxDepth}).workers[0], map[uint64]uint64{}
		fp := rapid.SampledFrom([]uint64{1, 2, 3, 1 << 20, 1<<20 + 1, 5 << 30}) // some have a place in common
		for depth := range rapid.IntRange(1, 8).Draw(t, "batches") {
			w.depth = depth / 2
			w.expanded = uint64(depth) * rapid.SampledFrom([]uint64{1, recentLookups}).Draw(t, "expanded")
			w.fps = rapid.SliceOfN(fp, 1, 100).Draw(t, "successors")
			w.sourceFP = rapid.SliceOfN(fp, 3, 3).Draw(t, "sources")
			n := len(w.fps)
			w.last = []int{n / 3, n / 2, n}
			probes := w.lookups()
			for i, fp := range w.fps {
				source := 0
				for i >= w.last[source] {
					source++
				}
				want, known := visited.Probe{FP: fp, Meta: w.origin(source), Index: uint32(i)}, best[fp]
				lookedUp, own := len(probes) > 0 && probes[0] == want, fp == w.sourceFP[source]
				switch {
				case lookedUp || own: // a source has been visited with a better origin
					if best[fp] = want.Meta; known != 0 {
						best[fp] = min(known, want.Meta)
					}
				default:
					leftOut++
					require.NotZero(t, known)
					require.LessOrEqual(t, known, want.Meta)
				}
				if lookedUp {
					require.False(t, own)
					probes = probes[1:]
				}
			}
			require.Empty(t, probes)
		}
	})
	require.NotZero(t, leftOut)
}
