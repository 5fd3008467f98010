package web

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

// The tree takes as much as it says: the bound of a server is one on memory.
func TestTreeCountsWhatItKeeps(t *testing.T) {
	settings := []string{
		"n=10 start=settled crashes=3 restarts=3 cuts=1 heals=1",
		"n=5 start=settled crashes=2 restarts=2",
		"n=3 crashes=1",
	}
	if *deep {
		settings = append(settings, "n=16 start=settled crashes=3 restarts=3 cuts=2 heals=2")
	}
	for _, setting := range settings {
		root := rootOf(t, "bully", setting)
		tr := newTree(1 << 40)
		before := heap()
		random := rand.New(rand.NewPCG(1, 2))
		for range 10 {
			m, err := tr.root("x", func() (*moment, error) { return newRoot(root.sys, root.state, checker.Standard()), nil })
			require.NoError(t, err)
			var path []model.Action
			for range 20 {
				next := tr.ahead(m)
				m.rule()
				if len(next.actions) == 0 {
					break
				}
				path = append(path, next.actions[random.IntN(len(next.actions))])
				m, err = tr.walk(m.chain()[0], path)
				require.NoError(t, err)
			}
		}
		took := heap() - before
		t.Logf("%s: %d moments, counted %d KiB, took %d KiB: %.2f", setting, tr.used.Len(), tr.bytes>>10, took>>10, float64(took)/float64(tr.bytes))
		require.Less(t, float64(took), 1.5*float64(tr.bytes), setting)
		require.Greater(t, float64(took), float64(tr.bytes)/3, setting)
		runtime.KeepAlive(tr)
	}
}

func heap() int64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}
