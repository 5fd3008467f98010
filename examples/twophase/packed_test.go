package twophase_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
)

// A packed protocol is the same system written as an explore.System over words
// of bits: what the search can do when the model costs next to nothing.
//
// A state is one word: three flags, and four sets of resource managers, of which
// there are at most 15. The first two sets together tell the state of each.
type packed int

const (
	tmDone     = 1 << 0 // the transaction manager has decided
	saidCommit = 1 << 1
	saidAbort  = 1 << 2

	prepared  = 4              // bit of the first in the set of those that are prepared or aborted
	committed = prepared + 15  // committed or aborted
	received  = committed + 15 // Prepared messages received
	said      = received + 15  // Prepared messages sent
)

func (n packed) Initial(yield func([]byte) bool) { yield(make([]byte, 8)) }
func (n packed) NewExpander() explore.Expander   { return n }

func (n packed) Expand(state []byte, out *explore.Successors) {
	s, everybody := binary.LittleEndian.Uint64(state), uint64(1)<<n-1
	next := func(s uint64) {
		out.End(binary.LittleEndian.AppendUint64(out.Begin(), s), explore.Code(out.Len()))
	}
	if s&tmDone == 0 {
		if s>>received&everybody == everybody {
			next(s | tmDone | saidCommit)
		}
		next(s | tmDone | saidAbort)
		for left := s >> said & everybody; left != 0; left &= left - 1 {
			next(s | left&-left<<received)
		}
	}
	for left := everybody &^ (s>>prepared | s>>committed); left != 0; left &= left - 1 { // the working
		rm := left & -left
		next(s | rm<<prepared | rm<<said)
		next(s | rm<<prepared | rm<<committed)
	}
	for rm := uint64(1); rm <= everybody && s&saidCommit != 0; rm <<= 1 {
		next(s&^(rm<<prepared) | rm<<committed)
	}
	for rm := uint64(1); rm <= everybody && s&saidAbort != 0; rm <<= 1 {
		next(s | rm<<prepared | rm<<committed)
	}
}

func TestPublishedCountsPacked(t *testing.T) {
	for _, want := range published {
		if want.rms > 7 {
			continue // as in TestPublishedCounts
		}
		for _, opt := range []explore.Options{{Workers: 1}, {Workers: 2}, {Order: explore.DepthFirst}} {
			if opt.Workers == 2 && want.rms > 5 {
				continue // as in TestPublishedCounts
			}
			r, err := explore.Search(context.Background(), packed(want.rms), opt)
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
		return explore.Search(context.Background(), packed(measured.rms), opt)
	})
}
