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
// A state is two words of 8 bytes: two bits for the state of each resource
// manager, and the flags below with two sets of resource managers.
type packed int

const (
	working, prepared, committed, aborted = 0, 1, 2, 3 // of a resource manager

	tmDone     = 1 << 0 // the transaction manager has decided
	saidCommit = 1 << 1
	saidAbort  = 1 << 2
	received   = 8  // bit of the first in the set of Prepared messages received
	said       = 32 // bit of the first in the set of Prepared messages sent
)

func (n packed) Initial(yield func([]byte) bool) { yield(make([]byte, 16)) }
func (n packed) NewExpander() explore.Expander   { return n }

func (n packed) Expand(state []byte, out *explore.Successors) {
	rms, rest := binary.LittleEndian.Uint64(state), binary.LittleEndian.Uint64(state[8:])
	next := func(rms, rest uint64) {
		b := binary.LittleEndian.AppendUint64(out.Begin(), rms)
		out.End(binary.LittleEndian.AppendUint64(b, rest), explore.Code(out.Len()))
	}
	undecided := rest&tmDone == 0
	if everybody := uint64(1)<<n - 1; undecided {
		if rest>>received&everybody == everybody {
			next(rms, rest|tmDone|saidCommit)
		}
		next(rms, rest|tmDone|saidAbort)
	}
	for rm := range int(n) {
		at, without := 2*rm, rms&^(3<<(2*rm))
		if undecided && rest>>(said+rm)&1 == 1 {
			next(rms, rest|1<<(received+rm))
		}
		if rms>>at&3 == working {
			next(without|prepared<<at, rest|1<<(said+rm))
			next(without|aborted<<at, rest)
		}
		if rest&saidCommit != 0 {
			next(without|committed<<at, rest)
		}
		if rest&saidAbort != 0 {
			next(without|aborted<<at, rest)
		}
	}
}

func TestPublishedCountsPacked(t *testing.T) {
	for _, want := range published[:3] {
		for _, opt := range []explore.Options{{Workers: 1}, {Workers: 2}, {Order: explore.DepthFirst}} {
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
