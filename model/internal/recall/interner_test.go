package recall_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model/internal/recall"
)

func TestInterner(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := recall.Interner{Size: 2, Most: 300}
		numbers := map[string]int{}
		for range rapid.IntRange(1, 500).Draw(t, "keys") {
			key := string([]byte{rapid.Byte().Draw(t, "first"), rapid.ByteRange(0, 2).Draw(t, "second")})
			n, ok := in.Number([]byte(key))
			want, known := numbers[key]
			switch {
			case known:
				require.True(t, ok)
				require.Equal(t, want, n)
			case len(numbers) == 300:
				require.False(t, ok)
			default:
				require.True(t, ok)
				require.Equal(t, len(numbers), n)
				numbers[key] = n
			}
		}
		require.Equal(t, len(numbers), in.Len())
		in.Reset()
		n, ok := in.Number([]byte{9, 9})
		require.True(t, ok)
		require.Zero(t, n)
	})
}
