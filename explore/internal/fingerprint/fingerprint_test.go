package fingerprint

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

func TestHashIsXXH3(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Byte(), 300, 300).Draw(t, "bytes")
		for n := range len(bytes) {
			require.Equal(t, xxh3.Hash(bytes[:n]), hash(bytes[:n]), "of %d bytes", n)
		}
	})
}

// All fingerprints states as Of does, each by itself, up to one that is too long.
func TestAllIsOfEach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 40)).Draw(t, "states")
		longest := rapid.IntRange(0, 40).Draw(t, "longest")
		var buf []byte
		var ends []int
		var want []uint64
		tooLong := false
		for _, state := range states {
			buf = append(buf, state...)
			ends = append(ends, len(buf))
			if tooLong = tooLong || len(state) > longest; !tooLong {
				want = append(want, Of(state))
			}
		}
		fps := make([]uint64, len(states))
		n := All(fps, buf, ends, longest, nil)
		require.Equal(t, want, append([]uint64(nil), fps[:n]...))
	})
}
