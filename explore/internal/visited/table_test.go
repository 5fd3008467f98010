package visited

import (
	"flag"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"
)

var deep = flag.Bool("deep", false, "draw as many random cases as rapid does by itself")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// A placement is where segments grow: in Go's heap, in place, or first there and
// then here.
var placements = map[string]int{"heap": never, "in place": 1, "in place later": 9}

// fingerprints generates fingerprints: scattered ones, and crowds that share a
// home bucket in tables of all sizes, at the ends of segments too.
func fingerprints() *rapid.Generator[uint64] {
	return rapid.Custom(func(t *rapid.T) uint64 {
		scattered := rapid.Uint64Min(1).Draw(t, "scattered")
		at := rapid.SampledFrom([]uint64{0, 0x3fff << 47, 0x0fffffff << 32, 1<<64 - 1<<20}).Draw(t, "crowd")
		if rapid.Bool().Draw(t, "in a crowd") {
			return at | scattered&0xff | 1
		}
		return scattered
	})
}

// TestTableHoldsWhatIsInserted compares the table with a map, wherever it grows
// and by how much.
func TestTableHoldsWhatIsInserted(t *testing.T) {
	for name, inPlaceFrom := range placements {
		for _, solo := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				tab := new(Table)
				rapid.Check(t, func(t *rapid.T) {
					tab = NewTable(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom)
					insert := tab.Insert
					if tab.Solo = solo; solo {
						insert = tab.InsertSolo
					}
					q, want := new(Quota), map[uint64]uint64{}
					for _, fp := range rapid.SliceOfN(fingerprints(), 1, 400).Draw(t, "fingerprints") {
						meta := Origin(rapid.IntRange(0, 3).Draw(t, "depth"), fp)
						for insert(fp, meta, q) == Full {
							require.True(t, tab.LacksRoom(fp))
							grow(t, tab, fp)
						}
						if old, ok := want[fp]; !ok || meta < old {
							want[fp] = meta
						}
					}
					requireHolds(t, tab, want)
				})
				runtime.KeepAlive(tab)
			})
		}
	}
}

// grow gives the segment of fp more buckets, or all that are nearly full.
func grow(t *rapid.T, tab *Table, fp uint64) {
	n := len(tab.of(fp).buckets)
	if tab.Solo || rapid.Bool().Draw(t, "alone") {
		require.True(t, tab.Grow(fp, rapid.IntRange(n+1, 3*n).Draw(t, "grow to")))
		return
	}
	g := tab.NearlyFull(func(n int) float64 { return float64(n) * rapid.Float64Range(1, 3).Draw(t, "grow to") })
	require.Contains(t, g.segment, int(fp>>(64-segmentBits)))
	require.Equal(t, len(g.segment), tab.GrowTogether(g, 2, func() bool { return true }))
}

// requireHolds checks that the table holds these entries and no others, and that
// the search for each ends where it should.
func requireHolds(t require.TestingT, tab *Table, want map[uint64]uint64) {
	n := 0
	for i := range tab.segment {
		for _, b := range tab.segment[i].buckets {
			for _, e := range b {
				if e.FP != 0 {
					n++
				}
			}
		}
	}
	require.Equal(t, len(want), n)
	for fp, meta := range want {
		require.Equal(t, meta, tab.Find(fp, nil))
		found := 0
		tab.WithPrefix(fp>>PrefixShift, func(f, m uint64) {
			if f == fp && m == meta {
				found++
			}
		})
		require.Equal(t, 1, found)
		require.Equal(t, tab.Find(fp|1<<40, nil), want[fp|1<<40])
	}
}

// TestSiftLeavesOutWhatChangesNothing compares sift with a look at each probe: of a
// table, and of a set, which looks at no meta.
func TestSiftLeavesOutWhatChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab, set, q := NewTable(12, never), NewFingerprints(12, never), new(Quota)
		drawn := rapid.SliceOfN(fingerprints(), 1, 200).Draw(t, "fingerprints")
		for i, fp := range drawn {
			if i%2 == 0 && insertInSet(set, []uint64{fp}, func(uint64) bool { return false }) != nil {
				tab.Insert(fp, Origin(2, fp), q)
			}
		}
		var probes []Probe
		for i, fp := range drawn {
			probes = append(probes, Probe{FP: fp, Meta: Origin(1+i%3, fp), Index: uint32(i)})
		}
		requireSifted(t, tab.Sift, probes, func(p Probe) bool {
			for _, e := range tab.of(p.FP).buckets[tab.of(p.FP).home(p.FP)] {
				if e.FP == p.FP {
					return e.Meta <= p.Meta
				}
			}
			return false
		})
		requireSifted(t, set.Sift, probes, func(p Probe) bool {
			s := set.of(p.FP)
			return slices.Contains(s.buckets[s.home(p.FP)][:], p.FP)
		})
	})
}

// TestInsertLevelOfBatches compares the insertion of batches, of depths that
// ascend, with a map.
func TestInsertLevelOfBatches(t *testing.T) {
	for name, inPlaceFrom := range placements {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tab, q, want := NewTable(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom), new(Quota), map[uint64]uint64{}
				sift := tab.Sift
				if tab.Solo = rapid.Bool().Draw(t, "solo"); tab.Solo {
					sift = tab.SiftSolo
				}
				for depth := range rapid.IntRange(1, 6).Draw(t, "levels") {
					var probes []Probe
					wantFresh, fresh := []uint32{}, []uint32{}
					for i, fp := range rapid.SliceOfN(fingerprints(), 1, 200).Draw(t, "fingerprints") {
						meta := Origin(depth, rapid.Uint64().Draw(t, "predecessor"))
						probes = append(probes, Probe{FP: fp, Meta: meta, Index: uint32(i)})
						old, ok := want[fp]
						if !ok {
							wantFresh = append(wantFresh, uint32(i))
						}
						if !ok || meta < old {
							want[fp] = meta
						}
					}
					for {
						left, _ := sift(probes)
						probes = probes[:left]
						var n int
						if n, fresh = tab.InsertLevel(probes, q, fresh); n == left {
							break
						}
						probes = probes[n:]
						grow(t, tab, probes[0].FP)
					}
					require.Equal(t, wantFresh, fresh)
				}
				requireHolds(t, tab, want)
			})
		})
	}
}

// requireSifted checks that sift leaves the probes for which known is false, in
// their order.
func requireSifted(t require.TestingT, sift func([]Probe) (int, uint64), probes []Probe, known func(Probe) bool) {
	got := slices.Clone(probes)
	left, _ := sift(got)
	for i := range got {
		got[i].at = 0
	}
	require.Equal(t, slices.DeleteFunc(slices.Clone(probes), known), got[:left])
}

// A table's account is what its segments have, wherever that is.
func TestTableCountsItsBytes(t *testing.T) {
	for name, inPlaceFrom := range placements {
		t.Run(name, func(t *testing.T) {
			tab, q := NewTable(1, inPlaceFrom), new(Quota)
			for i := range uint64(20_000) {
				fp := (i + 1) * 0x9e3779b97f4a7c15
				for tab.Insert(fp, 1<<48, q) == Full {
					buckets := Grown(len(tab.of(fp).buckets), 0)
					before, more := tab.Bytes(), tab.GrowBytes(fp, buckets)
					require.True(t, tab.Grow(fp, buckets))
					require.LessOrEqual(t, tab.Bytes()-before, more, "no more than what was asked for")
				}
			}
			var all, mapped int64
			for i := range tab.segment {
				n := int64(len(tab.segment[i].buckets)) * bucketBytes
				if all += n; tab.segment[i].inPlace {
					mapped += n
				}
			}
			assert.Equal(t, all, tab.Bytes())
			assert.Equal(t, mapped, tab.Mapped())
			assert.Equal(t, inPlaceFrom == never || newSpace().all == nil, mapped == 0)
		})
	}
}

// A segment that is too large for its part of the space goes on in the heap.
func TestSegmentOutgrowsItsSpace(t *testing.T) {
	tab, q, want := NewTable(1, 4), new(Quota), map[uint64]uint64{}
	if !tab.reserve() {
		t.Skip("there are no spaces on this machine")
	}
	tab.space.each = os.Getpagesize() // far less than it is
	for i := range uint64(5 * os.Getpagesize() / EntryBytes) {
		fp := 1<<63 | (i+1)*0x9e3779b97f4a7c15>>segmentBits
		for tab.Insert(fp, 1<<48, q) == Full {
			require.True(t, tab.Grow(fp, 2*len(tab.of(fp).buckets)))
		}
		want[fp] = 1 << 48
	}
	assert.False(t, tab.of(1<<63).inPlace)
	requireHolds(t, tab, want)
	assert.Greater(t, tab.Bytes(), int64(len(tab.of(1<<63).buckets))*bucketBytes, "what it has left is still there")
}

// insertInSet inserts a batch, and returns which were fresh. Where a segment lacks
// room it calls grow, and ends where that reports false.
func insertInSet(set *Fingerprints, batch []uint64, grow func(fp uint64) bool) (fresh []uint64) {
	var probes []Probe
	for i, fp := range batch {
		probes = append(probes, Probe{FP: fp, Index: uint32(i)})
	}
	for {
		left, _ := set.Sift(probes)
		n, which := set.InsertAll(probes[:left], nil)
		for _, i := range which {
			fresh = append(fresh, batch[i])
		}
		if n == left || !grow(probes[n].FP) {
			return fresh
		}
		probes = probes[n:left]
	}
}

// TestFingerprintsHoldWhatIsInserted compares the set with a map, as the table above.
func TestFingerprintsHoldWhatIsInserted(t *testing.T) {
	for name, inPlaceFrom := range placements {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				set, want := NewFingerprints(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom), map[uint64]bool{}
				all := rapid.SliceOfN(fingerprints(), 1, 400).Draw(t, "fingerprints")
				for batch := range slices.Chunk(all, rapid.IntRange(1, 50).Draw(t, "batch")) {
					var fresh []uint64
					for _, fp := range batch {
						if !want[fp] {
							fresh = append(fresh, fp)
						}
						want[fp] = true
					}
					require.Equal(t, fresh, insertInSet(set, batch, func(fp uint64) bool {
						n := len(set.of(fp).buckets)
						before, to := set.Bytes(), rapid.IntRange(n+1, 3*n).Draw(t, "grow to")
						more := set.GrowBytes(fp, to)
						require.True(t, set.Grow(fp, to))
						require.LessOrEqual(t, set.Bytes()-before, more)
						return true
					}))
				}
				requireSet(t, set, want)
				set.Drop()
				require.False(t, set.Has(1))
				require.Zero(t, set.Bytes())
			})
		})
	}
}

func requireSet(t require.TestingT, set *Fingerprints, want map[uint64]bool) {
	n, taken, bytes := 0, 0, int64(0)
	for i := range set.segment {
		for _, b := range set.segment[i].buckets {
			for _, fp := range b {
				if fp != 0 {
					n++
				}
			}
		}
		taken += set.segment[i].taken
		bytes += int64(len(set.segment[i].buckets)) * bucketBytes
	}
	require.Equal(t, len(want), n)
	require.Equal(t, n, taken)
	require.Equal(t, bytes, set.Bytes())
	for fp := range want {
		require.True(t, set.Has(fp))
		require.Equal(t, want[fp|1<<40], set.Has(fp|1<<40))
	}
}

// TestInsertLevelOfWorkersAtTheSameTime has workers insert the same states, which fill
// the same few buckets: each is there once, with the least origin, and fresh once.
func TestInsertLevelOfWorkersAtTheSameTime(t *testing.T) {
	const workers, states, rounds = 4, 300, 100
	for round := range rounds {
		tab, want, fresh := NewTable(256, never), map[uint64]uint64{}, make([]int, workers)
		var batches [workers][]Probe
		for w := range workers {
			for i := range states {
				fp := uint64(1+i)<<52 | 1 // in a few segments, close to each other
				if i%2 == 0 {
					fp = uint64(1+i) | uint64(round)<<60
				}
				meta := Origin(1, uint64((i*7+w*13)%11)<<PrefixShift)
				if old, ok := want[fp]; !ok || meta < old {
					want[fp] = meta
				}
				batches[w] = append(batches[w], Probe{FP: fp, Meta: meta, Index: uint32(i)})
			}
		}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				left, _ := tab.Sift(batches[w])
				n, list := tab.InsertLevel(batches[w][:left], new(Quota), nil)
				if n == left {
					fresh[w] = len(list)
				}
			})
		}
		wg.Wait()
		requireHolds(t, tab, want)
		require.Equal(t, len(want), fresh[0]+fresh[1]+fresh[2]+fresh[3])
	}
}

// TestGrowthIsLeft: where the search has ended, no more segments grow, and those that
// have are whole.
func TestGrowthIsLeft(t *testing.T) {
	tab := NewTable(4, never)
	want := map[uint64]uint64{}
	var q Quota
	var g Growth
	for n := range segments {
		fp := uint64(n)<<(64-segmentBits) | 12345
		want[fp] = uint64(n + 1)
		require.Equal(t, Fresh, tab.Insert(fp, want[fp], &q))
		g.segment, g.buckets = append(g.segment, n), append(g.buckets, 9)
	}
	rounds := 0
	grown := tab.GrowTogether(g, 2, func() bool { rounds++; return rounds < 3 })
	assert.Equal(t, 2*2*growRound, grown)
	for n := range segments {
		assert.Equal(t, n < grown, len(tab.segment[n].buckets) == 9)
	}
	requireHolds(t, tab, want)

}

// Fingerprints near the end of a segment go on at its beginning, and many with the
// same home fill buckets in a row: the order is that of the fingerprints nevertheless.
func TestTableAscending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab := NewTable(rapid.IntRange(1, 40).Draw(t, "buckets"), never)
		q, want := new(Quota), map[uint64]uint64{}
		for i, fp := range rapid.SliceOfN(fingerprints(), 0, 900).Draw(t, "fingerprints") {
			for tab.Insert(fp, uint64(i+2), q) == Full {
				require.True(t, tab.Grow(fp, 2*tab.Buckets(fp)))
			}
			want[fp] = tab.Find(fp, nil)
		}
		for fp := range want {
			if fp%5 == 0 {
				tab.Mark(fp)
				delete(want, fp)
			}
		}
		var keys []uint64
		require.NoError(t, tab.Ascending(func(fp, meta uint64) error {
			require.Equal(t, want[fp], meta)
			keys = append(keys, fp)
			return nil
		}))
		require.Equal(t, slices.Sorted(maps.Keys(want)), keys)
	})
}

func TestTablePredecessorDoesNotDependOnOrder(t *testing.T) {
	type item struct{ fp, meta uint64 }
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) item {
			return item{
				fp:   rapid.SampledFrom([]uint64{1, 2, 1 << 40, math.MaxUint64, math.MaxUint64 - 1, 1<<58 - 1}).Draw(t, "fp"),
				meta: Origin(rapid.IntRange(0, 2).Draw(t, "depth"), rapid.Uint64().Draw(t, "predecessor")),
			}
		}), 1, 30).Draw(t, "items")
		want := map[uint64]uint64{}
		tab, q := NewTable(1, never), new(Quota)
		for _, it := range items {
			old, ok := want[it.fp]
			what := tab.Insert(it.fp, it.meta, q)
			for what == Full {
				tab.Grow(it.fp, 2*len(tab.of(it.fp).buckets))
				what = tab.Insert(it.fp, it.meta, q)
			}
			switch {
			case !ok:
				require.Equal(t, Fresh, what)
			case it.meta>>48 < old>>48:
				require.Equal(t, Lowered, what)
			default:
				require.Equal(t, Seen, what)
			}
			if !ok || it.meta < old {
				want[it.fp] = it.meta
			}
		}
		for fp, meta := range want {
			require.Equal(t, meta, tab.Find(fp, nil))
			found := false
			tab.WithPrefix(fp>>PrefixShift, func(f, m uint64) { found = found || f == fp && m == meta })
			require.True(t, found)
		}
		require.Zero(t, tab.Find(3, nil))
	})
}
