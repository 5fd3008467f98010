package hanoi_test

import (
	"context"
	"encoding/binary"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/examples/hanoi"
	"bullyproof/explore"
)

// radius is how many moves the remotest state of n discs is away from a tower on
// one peg: as many as it takes to move so few discs (Frame and Stewart, 1941). Of 15
// discs it is one more, 130.
var radius = []int{0, 1, 3, 5, 9, 13, 17, 25, 33}

func TestStatesAndRadius(t *testing.T) {
	for discs := 1; discs <= 8; discs++ {
		for _, opt := range []explore.Options{
			{},
			{Order: explore.DepthFirst},
			{Disk: explore.Disk{Dir: t.TempDir(), InMemory: 1 << (2*discs - 2)}},
		} {
			r, err := explore.Search(context.Background(), hanoi.Towers(discs), opt)
			require.NoError(t, err)
			assert.True(t, r.Complete())
			assert.Equal(t, uint64(1)<<(2*discs), r.Distinct, "%d discs", discs)
			if opt.Order == explore.BreadthFirst {
				assert.Equal(t, radius[discs], r.Depth, "%d discs", discs)
			}
			require.NoError(t, r.Close())
		}
	}
}

// The plain reference: pegs as lists of discs.
func TestMoves(t *testing.T) {
	const n = 5
	var out explore.Successors
	for state := range 1 << (2 * n) {
		var pegs [hanoi.Pegs][]int
		for disc := n - 1; disc >= 0; disc-- {
			p := state >> (2 * disc) & 3
			pegs[p] = append(pegs[p], disc)
		}
		var want []uint32
		for from, tower := range pegs {
			for to, other := range pegs {
				if from == to || len(tower) == 0 {
					continue
				}
				disc := tower[len(tower)-1]
				if len(other) == 0 || disc < other[len(other)-1] {
					want = append(want, uint32(state&^(3<<(2*disc))|to<<(2*disc)))
				}
			}
		}
		out.Reset()
		hanoi.Towers(n).Expand(encode(uint32(state)), &out)
		var got []uint32
		for i := range out.Len() {
			got = append(got, decode(out.State(i)))
		}
		require.Equal(t, want, got, "state %#x", state)
	}
}

func encode(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
func decode(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

var (
	discs    = flag.Int("discs", 12, "discs of the benchmark")
	maxBytes = flag.Int64("max-bytes", 0, "memory of the benchmark; 0 is no limit")
	disk     = flag.String("disk", "", "directory of the benchmark for what does not fit in memory")
)

func BenchmarkSearch(b *testing.B) {
	for b.Loop() {
		r, err := explore.Search(context.Background(), hanoi.Towers(*discs), explore.Options{
			Workers: 1, MaxBytes: *maxBytes, Disk: explore.Disk{Dir: *disk}, ProgressEvery: time.Minute,
			Progress: func(p explore.Progress) {
				b.Logf("depth %d, %d states, %d MiB of memory, %d MiB on disk", p.Depth, p.Distinct, p.Bytes>>20, p.Disk>>20)
			},
		})
		require.NoError(b, err)
		require.Equal(b, explore.Complete, r.Reason)
		require.Equal(b, uint64(1)<<(2**discs), r.Distinct)
		b.ReportMetric(float64(r.Depth), "moves")
		b.ReportMetric(float64(r.Generated), "transitions")
		b.ReportMetric(float64(r.DiskBytes), "B-written")
		require.NoError(b, r.Close())
	}
}
