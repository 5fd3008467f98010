package explore

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore/internal/checkpoint"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
)

// A thicket is a random graph of many states: from each, a few transitions to
// any, most of them not much further on.
type thicket struct {
	states, degree, reach uint32
	seed                  uint64
	at                    func(n uint32) // called at each state, where it is set
}

func (g thicket) Initial(yield func([]byte) bool) {
	for n := range uint32(3) {
		yield(binary.BigEndian.AppendUint32(nil, n))
	}
}

func (g thicket) NewExpander() Expander { return g }

func (g thicket) Expand(state []byte, out *Successors) {
	n := binary.BigEndian.Uint32(state)
	if g.at != nil {
		g.at(n)
	}
	r := rand.NewPCG(g.seed, uint64(n))
	for i := range g.degree {
		to := (n + uint32(r.Uint64())%g.reach) % g.states
		if r.Uint64()%8 == 0 {
			to = uint32(r.Uint64()) % (n + 1) // back
		}
		b := binary.BigEndian.AppendUint32(out.Begin(), to)
		out.End(append(b, make([]byte, to%5)...), Code(i))
		if to%1009 == 17 {
			out.HitStep(1, to%3)
		}
	}
	if n == g.states-1 {
		out.Hit(0, 0)
	}
}

func thickets(most uint32) *rapid.Generator[thicket] {
	return rapid.Custom(func(t *rapid.T) thicket {
		return thicket{
			states: rapid.Uint32Range(10, most).Draw(t, "states"),
			degree: rapid.Uint32Range(2, 6).Draw(t, "degree"),
			reach:  rapid.SampledFrom([]uint32{4, 100, 5000, 1 << 30}).Draw(t, "reach"),
			seed:   rapid.Uint64().Draw(t, "seed"),
		}
	})
}

// onDiskOf returns options of a search on a disk in memory, with room for so many
// states.
func onDiskOf(opt Options, files *runfile.Memory, small int) Options {
	opt.Disk = Disk{Dir: "memory", Identity: "test", fs: files, InMemory: small}
	return opt
}

func TestSearchOnDiskAgreesWithPlainSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := graphs().Draw(t, "graph")
		opt := Options{Targets: graphTargets, Exhaustive: rapid.Bool().Draw(t, "exhaustive")}
		opt.MaxDepth = rapid.IntRange(0, 6).Draw(t, "max depth")
		opt.hash = rapid.SampledFrom(hashes(false)).Draw(t, "hash")
		opt.Workers = rapid.IntRange(1, 3).Draw(t, "workers")
		checked, err := opt.check()
		require.NoError(t, err)
		limit := opt.MaxDepth
		if limit == 0 {
			limit = -1
		}
		want := plain(g, limit, checked.needed(g), newSearch(g, checked).fingerprint)
		r := mustSearch(t, g, onDiskOf(opt, new(runfile.Memory), rapid.IntRange(1, 20).Draw(t, "small")))
		require.NoError(t, r.DiskError)
		require.Equal(t, want.depth, depthsOf(r, g))
		require.Equal(t, want.levels, r.Levels)
		require.EqualValues(t, len(want.depth), r.Distinct)
		require.Equal(t, want.generated, r.Generated)
		require.Equal(t, summary(t, mustSearch(t, g, opt)), summary(t, r))
		require.NoError(t, r.Close())
	})
}

// sameSearch checks that a search found on disk what one in memory found: the
// summary, and the origin of each state.
func sameSearch(t require.TestingT, want, got *Result) {
	require.NoError(t, got.DiskError)
	require.Equal(t, summary(t, want), summary(t, got))
	require.Equal(t, want.CompleteDepth, got.CompleteDepth)
	all := depthsOf(want, want.search.sys)
	require.Len(t, all, int(want.Distinct))
	for state := range all {
		fp := want.search.fingerprint([]byte(state))
		require.Equal(t, want.search.meta(fp, nil), got.search.meta(fp, nil))
	}
}

func TestSearchOnDiskAgreesWithMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := uint32(2500)
		if *deep {
			most = 8000
		}
		g := thickets(most).Draw(t, "graph")
		opt := Options{Targets: 2, Exhaustive: rapid.Bool().Draw(t, "exhaustive"), Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		if rapid.Bool().Draw(t, "bounded") {
			opt.MaxDepth = rapid.IntRange(1, 12).Draw(t, "max depth")
		}
		if rapid.Bool().Draw(t, "limited") {
			opt.MaxStates = rapid.Uint64Range(1, 8000).Draw(t, "max states")
		}
		files := new(runfile.Memory)
		got := mustSearch(t, g, onDiskOf(opt, files, rapid.SampledFrom([]int{1, 50, 300, 1000, 5000}).Draw(t, "small")))
		sameSearch(t, mustSearch(t, g, opt), got)
		require.NoError(t, got.Close())
		names, err := files.Names()
		require.NoError(t, err)
		if got.Reason == StateLimit {
			require.Contains(t, names, checkpoint.Name)
		} else {
			require.Empty(t, names)
		}
	})
}

// TestDiskNeedsMemory: with less memory than the process has anyway no disk helps.
func TestDiskNeedsMemory(t *testing.T) {
	_, err := Search(t.Context(), grid{side: 5}, Options{MaxBytes: 1 << 20, Disk: Disk{Dir: t.TempDir()}})
	require.ErrorContains(t, err, "explore: MaxBytes is 1048576, and the process takes ")
}

// A pass over table and runs, in which the accounts stay as they are, has garbage
// collected before it is too much, and what it gathers is on the account.
func TestPassesKeepWithinTheLimit(t *testing.T) {
	m := &small{live: 50 << 20, garbage: 60 << 20, left: math.MaxInt64}
	opt, err := Options{MaxBytes: 100 << 20, Workers: 1, inside: inside{memory: m}}.check()
	require.NoError(t, err)
	s := newSearch(thicket{}, opt)
	s.pool.Account(minMeasured)
	m.freed = 0
	m.garbage = 60 << 20
	d := &disk{s: s}
	var keys visited.KeyList
	for key := range uint64(stepsMeasured - 1) {
		d.leaveOut(&keys, key)
	}
	require.Zero(t, m.freed)
	require.InDelta(t, keys.Bytes(), d.bytes.Load(), visited.PageKeys*8)
	d.leaveOut(&keys, stepsMeasured)
	require.Equal(t, 1, m.freed)
	require.Equal(t, int64(50<<20), m.used())
}
