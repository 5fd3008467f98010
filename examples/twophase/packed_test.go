package twophase_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/examples/twophase"
	"bullyproof/explore"
)

func TestPublishedCountsPacked(t *testing.T) {
	for _, want := range published {
		if want.rms > 7 {
			continue // as in TestPublishedCounts
		}
		for _, opt := range []explore.Options{{Workers: 1}, {Workers: 2}, {Order: explore.DepthFirst}} {
			if opt.Workers == 2 && want.rms > 5 {
				continue // as in TestPublishedCounts
			}
			r, err := explore.Search(context.Background(), twophase.Packed(want.rms), opt)
			require.NoError(t, err)
			assert.True(t, r.Complete())
			assert.Equal(t, want.distinct, r.Distinct)
			assert.Equal(t, want.generated, r.Generated)
			if opt.Order == explore.BreadthFirst {
				assert.Equal(t, want.depth, r.Depth)
			}
		}
	}
}

func BenchmarkPacked(b *testing.B) {
	benchmarkAll(b, func(opt explore.Options) (*explore.Result, error) {
		return explore.Search(context.Background(), twophase.Packed(measured.rms), opt)
	})
}
