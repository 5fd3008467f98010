// Package hanoi is the Tower of Hanoi with four pegs: a state space of exactly
// 4ⁿ states for n discs, each of which can be reached from each other one. So it
// shows what a large search takes, and that the search misses nothing: 15 discs
// have 1,073,741,824 states.
package hanoi

import (
	"encoding/binary"
	"math/bits"

	"bullyproof/explore"
)

// Pegs is the number of pegs.
const Pegs = 4

// Towers is the number of discs, from 1 to 16, in a tower on peg 0 at first. It is
// an [explore.System] whose states are 4 bytes: for each disc two bits with its
// peg, the least disc first. The code of a transition is [Move].
type Towers int

// Initial yields the state with all discs on peg 0.
func (n Towers) Initial(yield func(state []byte) bool) { yield(make([]byte, 4)) }

// NewExpander returns n: an expander has no state.
func (n Towers) NewExpander() explore.Expander { return n }

// Expand appends the states after each move of the top disc of a peg to another
// peg whose top disc is larger, or which is empty.
func (n Towers) Expand(state []byte, out *explore.Successors) {
	discs := binary.LittleEndian.Uint32(state)
	var top [Pegs]int
	for peg := range top {
		top[peg] = n.top(discs, peg)
	}
	for from := range top {
		for to := range top {
			if top[from] < top[to] {
				moved := discs ^ uint32(from^to)<<(2*top[from])
				out.End(binary.LittleEndian.AppendUint32(out.Begin(), moved), Move(from, to))
			}
		}
	}
}

// top returns the least disc on a peg, or n if there is none.
func (n Towers) top(discs uint32, peg int) int {
	const low = 0x55555555 // the lower bit of each disc
	other := discs ^ uint32(peg)*low
	return min(int(n), bits.TrailingZeros32(^(other|other>>1)&low)/2)
}

// Move is the code of moving the top disc of one peg to another one.
func Move(from, to int) explore.Code { return explore.Code(from*Pegs + to) }
