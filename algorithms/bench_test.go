package algorithms_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
)

// A measured system is one that docs/performance.md has figures of.
type measured struct {
	name, algorithm, variant, setting string
	distinct, generated               uint64 // 0: too many to search all
}

var (
	bullyCrash   = measured{"bully", "bully", "coulouris", "n=5 timing=sync:1 crashes=1 restarts=0", 3_363_517, 20_313_540}
	ring         = measured{"changroberts", "changroberts", "once", "n=8 arrangement=8-7-6-5-4-3-2-1 initiators=all", 7_284_070, 43_200_754}
	bullyRestart = measured{"bully", "bully", "coulouris", "n=4 timing=sync:1 crashes=1 restarts=1", 0, 0}
)

func (m measured) system(tb testing.TB) *model.System {
	a, err := algorithms.Find(m.algorithm)
	require.NoError(tb, err)
	v, err := a.Variant(m.variant)
	require.NoError(tb, err)
	s, err := v.Setting.With(m.setting)
	require.NoError(tb, err)
	sys, err := v.New(s)
	require.NoError(tb, err)
	return sys
}

// BenchmarkSearch searches whole systems breadth first, with the properties of an
// election. -benchtime 1x makes one search.
func BenchmarkSearch(b *testing.B) {
	for _, m := range []measured{bullyCrash, ring} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", m.name, workers), func(b *testing.B) {
				var watches []model.Watch
				for _, p := range checker.Election() {
					watches = append(watches, p.Watch())
				}
				sys := m.system(b).Watched(watches...)
				var r *explore.Result
				for b.Loop() {
					runtime.GC()
					var err error
					r, err = explore.Search(context.Background(), sys, explore.Options{Workers: workers, Targets: sys.Targets(), Exhaustive: true})
					require.NoError(b, err)
					require.Equal(b, m.distinct, r.Distinct)
					require.Equal(b, m.generated, r.Generated)
				}
				each := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(float64(r.Distinct)*1e9/each, "states/s")
				b.ReportMetric(each/float64(r.Generated), "ns/transition")
			})
		}
	}
}

// BenchmarkExpand computes the transitions of the first 100,000 states that a
// search meets, without hashing or storing them.
func BenchmarkExpand(b *testing.B) {
	for _, m := range []measured{bullyRestart, ring} {
		b.Run(m.name, func(b *testing.B) {
			sys := m.system(b)
			states, e := firstStates(sys, 100_000), sys.NewExpander()
			var out explore.Successors
			transitions := 0
			for b.Loop() {
				for _, s := range states {
					if out.Len() >= 256 {
						out.Reset()
					}
					before := out.Len()
					e.Expand(s, &out)
					transitions += out.Len() - before
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(transitions), "ns/transition")
		})
	}
}

// firstStates returns the first so many states that a plain search meets.
func firstStates(sys *model.System, count int) (states [][]byte) {
	seen := map[string]bool{}
	meet := func(state []byte) bool {
		if !seen[string(state)] {
			seen[string(state)] = true
			states = append(states, []byte(string(state)))
		}
		return true
	}
	sys.Initial(meet)
	e := sys.NewExpander()
	var out explore.Successors
	for i := 0; i < len(states) && len(states) < count; i++ {
		out.Reset()
		e.Expand(states[i], &out)
		for j := range out.Len() {
			meet(out.State(j))
		}
	}
	return states[:min(count, len(states))]
}
