package twophase

import (
	"encoding/binary"

	"bullyproof/explore"
)

// A Packed protocol is the same system written as an explore.System over words
// of bits: what the search can do when the model costs next to nothing.
//
// A state is one word: three flags, and four sets of resource managers, of which
// there are at most 15. The first two sets together tell the state of each.
type Packed int

const (
	tmDone     = 1 << 0 // the transaction manager has decided
	saidCommit = 1 << 1
	saidAbort  = 1 << 2

	prepared  = 4              // bit of the first in the set of those that are prepared or aborted
	committed = prepared + 15  // committed or aborted
	received  = committed + 15 // Prepared messages received
	said      = received + 15  // Prepared messages sent
)

// Initial yields the initial state (explore.System).
func (n Packed) Initial(yield func([]byte) bool) { yield(make([]byte, 8)) }

// NewExpander returns the protocol itself (explore.System).
func (n Packed) NewExpander() explore.Expander { return n }

// Expand appends the successors of a state (explore.Expander).
func (n Packed) Expand(state []byte, out *explore.Successors) {
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

// Committed returns the state in which all resource managers have prepared and the
// transaction manager has decided to commit, at the end of a long way.
func (n Packed) Committed() []byte {
	everybody := uint64(1)<<n - 1
	state := tmDone | saidCommit | everybody<<prepared | everybody<<received | everybody<<said
	return binary.LittleEndian.AppendUint64(nil, state)
}
