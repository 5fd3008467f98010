package explore

import (
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
				tab := new(table)
				rapid.Check(t, func(t *rapid.T) {
					tab = newTable(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom)
					insert := tab.insert
					if tab.solo = solo; solo {
						insert = tab.insertSolo
					}
					q, want := new(quota), map[uint64]uint64{}
					for _, fp := range rapid.SliceOfN(fingerprints(), 1, 400).Draw(t, "fingerprints") {
						meta := origin(rapid.IntRange(0, 3).Draw(t, "depth"), fp)
						for insert(fp, meta, q) == full {
							require.True(t, tab.lacksRoom(fp))
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
func grow(t *rapid.T, tab *table, fp uint64) {
	n := len(tab.of(fp).buckets)
	if tab.solo || rapid.Bool().Draw(t, "alone") {
		require.True(t, tab.grow(fp, rapid.IntRange(n+1, 3*n).Draw(t, "grow to")))
		return
	}
	which := tab.nearlyFull()
	require.Contains(t, which, int(fp>>(64-segmentBits)))
	var buckets []int
	for _, i := range which {
		n := len(tab.segment[i].buckets)
		buckets = append(buckets, rapid.IntRange(n+1, 3*n).Draw(t, "grow to"))
	}
	require.Equal(t, len(which), tab.growTogether(which, buckets, 2, func() bool { return true }))
}

// requireHolds checks that the table holds these entries and no others, and that
// the search for each ends where it should.
func requireHolds(t require.TestingT, tab *table, want map[uint64]uint64) {
	n := 0
	for i := range tab.segment {
		for _, b := range tab.segment[i].buckets {
			for _, e := range b {
				if e.fp != 0 {
					n++
				}
			}
		}
	}
	require.Equal(t, len(want), n)
	for fp, meta := range want {
		require.Equal(t, meta, tab.find(fp))
		found := 0
		tab.withPrefix(fp>>prefixShift, func(f, m uint64) {
			if f == fp && m == meta {
				found++
			}
		})
		require.Equal(t, 1, found)
		require.Equal(t, tab.find(fp|1<<40), want[fp|1<<40])
	}
}

// TestSiftLeavesOutWhatChangesNothing compares sift with a look at each probe: of a
// table, and of a set, which looks at no meta.
func TestSiftLeavesOutWhatChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tab, set, q := newTable(12, never), newFPSet(12, never), new(quota)
		drawn := rapid.SliceOfN(fingerprints(), 1, 200).Draw(t, "fingerprints")
		for i, fp := range drawn {
			if i%2 == 0 && insertInSet(set, []uint64{fp}, func(uint64) bool { return false }) != nil {
				tab.insert(fp, origin(2, fp), q)
			}
		}
		var probes []probe
		for i, fp := range drawn {
			probes = append(probes, probe{fp: fp, meta: origin(1+i%3, fp), i: uint32(i)})
		}
		requireSifted(t, tab.sift, probes, func(p probe) bool {
			for _, e := range tab.of(p.fp).buckets[tab.of(p.fp).home(p.fp)] {
				if e.fp == p.fp {
					return e.meta <= p.meta
				}
			}
			return false
		})
		requireSifted(t, set.sift, probes, func(p probe) bool {
			s := set.of(p.fp)
			return slices.Contains(s.buckets[s.home(p.fp)][:], p.fp)
		})
	})
}

// TestInsertLevelOfBatches compares the insertion of batches, of depths that
// ascend, with a map.
func TestInsertLevelOfBatches(t *testing.T) {
	for name, inPlaceFrom := range placements {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				tab, q, want := newTable(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom), new(quota), map[uint64]uint64{}
				sift := tab.sift
				if tab.solo = rapid.Bool().Draw(t, "solo"); tab.solo {
					sift = tab.siftSolo
				}
				for depth := range rapid.IntRange(1, 6).Draw(t, "levels") {
					var probes []probe
					wantFresh, fresh := []uint32{}, []uint32{}
					for i, fp := range rapid.SliceOfN(fingerprints(), 1, 200).Draw(t, "fingerprints") {
						meta := origin(depth, rapid.Uint64().Draw(t, "predecessor"))
						probes = append(probes, probe{fp: fp, meta: meta, i: uint32(i)})
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
						if n, fresh = tab.insertLevel(probes, q, fresh); n == left {
							break
						}
						probes = probes[n:]
						grow(t, tab, probes[0].fp)
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
func requireSifted(t require.TestingT, sift func([]probe) (int, uint64), probes []probe, known func(probe) bool) {
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
			tab, q := newTable(1, inPlaceFrom), new(quota)
			for i := range uint64(20_000) {
				fp := (i + 1) * 0x9e3779b97f4a7c15
				for tab.insert(fp, 1<<48, q) == full {
					buckets := grown(len(tab.of(fp).buckets), 0)
					before, more := tab.bytes.Load(), tab.growBytes(fp, buckets)
					require.True(t, tab.grow(fp, buckets))
					require.LessOrEqual(t, tab.bytes.Load()-before, more, "no more than what was asked for")
				}
			}
			var all, mapped int64
			for i := range tab.segment {
				n := int64(len(tab.segment[i].buckets)) * bucketBytes
				if all += n; tab.segment[i].inPlace {
					mapped += n
				}
			}
			assert.Equal(t, all, tab.bytes.Load())
			assert.Equal(t, mapped, tab.mapped.Load())
			assert.Equal(t, inPlaceFrom == never || newSpace().all == nil, mapped == 0)
		})
	}
}

// A segment that is too large for its part of the space goes on in the heap.
func TestSegmentOutgrowsItsSpace(t *testing.T) {
	tab, q, want := newTable(1, 4), new(quota), map[uint64]uint64{}
	if !tab.reserve() {
		t.Skip("there are no spaces on this machine")
	}
	tab.space.each = os.Getpagesize() // far less than it is
	for i := range uint64(5 * os.Getpagesize() / entryBytes) {
		fp := 1<<63 | (i+1)*0x9e3779b97f4a7c15>>segmentBits
		for tab.insert(fp, 1<<48, q) == full {
			require.True(t, tab.grow(fp, 2*len(tab.of(fp).buckets)))
		}
		want[fp] = 1 << 48
	}
	assert.False(t, tab.of(1<<63).inPlace)
	requireHolds(t, tab, want)
	assert.Greater(t, tab.bytes.Load(), int64(len(tab.of(1<<63).buckets))*bucketBytes, "what it has left is still there")
}

// insertInSet inserts a batch, and returns which were fresh. Where a segment lacks
// room it calls grow, and ends where that reports false.
func insertInSet(set *fpSet, batch []uint64, grow func(fp uint64) bool) (fresh []uint64) {
	var probes []probe
	for i, fp := range batch {
		probes = append(probes, probe{fp: fp, i: uint32(i)})
	}
	for {
		left, _ := set.sift(probes)
		n, which := set.insertAll(probes[:left], nil)
		for _, i := range which {
			fresh = append(fresh, batch[i])
		}
		if n == left || !grow(probes[n].fp) {
			return fresh
		}
		probes = probes[n:left]
	}
}

// TestFPSetHoldsWhatIsInserted compares the set with a map, as the table above.
func TestFPSetHoldsWhatIsInserted(t *testing.T) {
	for name, inPlaceFrom := range placements {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				set, want := newFPSet(rapid.IntRange(1, 12).Draw(t, "buckets"), inPlaceFrom), map[uint64]bool{}
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
						before, to := set.bytes.Load(), rapid.IntRange(n+1, 3*n).Draw(t, "grow to")
						more := set.growBytes(fp, to)
						require.True(t, set.grow(fp, to))
						require.LessOrEqual(t, set.bytes.Load()-before, more)
						return true
					}))
				}
				requireSet(t, set, want)
				set.drop()
				require.False(t, set.has(1))
				require.Zero(t, set.bytes.Load())
			})
		})
	}
}

func requireSet(t require.TestingT, set *fpSet, want map[uint64]bool) {
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
	require.Equal(t, bytes, set.bytes.Load())
	for fp := range want {
		require.True(t, set.has(fp))
		require.Equal(t, want[fp|1<<40], set.has(fp|1<<40))
	}
}

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
			probes := w.aim()
			for i, fp := range w.fps {
				source := 0
				for i >= w.last[source] {
					source++
				}
				want, known := probe{fp: fp, meta: w.origin(source), i: uint32(i)}, best[fp]
				lookedUp, own := len(probes) > 0 && probes[0] == want, fp == w.sourceFP[source]
				switch {
				case lookedUp || own: // a source has been visited with a better origin
					if best[fp] = want.meta; known != 0 {
						best[fp] = min(known, want.meta)
					}
				default:
					leftOut++
					require.NotZero(t, known)
					require.LessOrEqual(t, known, want.meta)
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

// TestInsertLevelOfWorkersAtTheSameTime has workers insert the same states, which fill
// the same few buckets: each is there once, with the least origin, and fresh once.
func TestInsertLevelOfWorkersAtTheSameTime(t *testing.T) {
	const workers, states, rounds = 4, 300, 100
	for round := range rounds {
		tab, want, fresh := newTable(256, never), map[uint64]uint64{}, make([]int, workers)
		var batches [workers][]probe
		for w := range workers {
			for i := range states {
				fp := uint64(1+i)<<52 | 1 // in a few segments, close to each other
				if i%2 == 0 {
					fp = uint64(1+i) | uint64(round)<<60
				}
				meta := origin(1, uint64((i*7+w*13)%11)<<prefixShift)
				if old, ok := want[fp]; !ok || meta < old {
					want[fp] = meta
				}
				batches[w] = append(batches[w], probe{fp: fp, meta: meta, i: uint32(i)})
			}
		}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				left, _ := tab.sift(batches[w])
				n, list := tab.insertLevel(batches[w][:left], new(quota), nil)
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
