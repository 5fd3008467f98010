package explore

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
