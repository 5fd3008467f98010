package explore

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// numbered returns a level of so many states, in chunks of several sizes: each is its
// number.
func numbered(states int) *level {
	w := &worker{next: writer{pool: &pool{chunk: 1 << 12}}}
	for i := range states {
		w.next.add(binary.LittleEndian.AppendUint32(nil, uint32(i)))
	}
	return newLevel(0, []*worker{w})
}

// statesOf returns the states of a block.
func statesOf(block []byte) (all []int) {
	for len(block) > 0 {
		var state []byte
		state, block = next(block)
		all = append(all, int(binary.LittleEndian.Uint32(state)))
	}
	return all
}

func TestEachBlockIsClaimedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states, workers := rapid.IntRange(0, 5000).Draw(t, "states"), rapid.IntRange(1, 5).Draw(t, "workers")
		l := numbered(states)
		l.divide(workers)
		at, times := make([]int, workers), make([]int, states)
		// Some workers claim in a random order, and are through when nothing is left.
		for _, w := range rapid.SliceOfN(rapid.IntRange(0, workers-1), 0, 200).Draw(t, "claims") {
			left := l.left()
			c, block := l.claim(w, &at[w])
			assert.Equal(t, left == 0, c == nil)
			assert.Equal(t, max(0, left-1), l.left())
			for _, n := range statesOf(block) {
				times[n]++
			}
		}
		here := 0
		for n := range l.unclaimed() {
			_, block := l.at(n, &here)
			for _, n := range statesOf(block) {
				times[n]++
			}
		}
		for n := range times {
			assert.Equal(t, 1, times[n], "state %d", n)
		}
	})
}

func TestWorkersClaimEachBlockOnceAtTheSameTime(t *testing.T) {
	const states, workers = 50_000, 4
	l := numbered(states)
	l.divide(workers)
	claimed := make([][]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			at := 0
			for {
				c, block := l.claim(w, &at)
				if c == nil {
					return
				}
				claimed[w] = append(claimed[w], statesOf(block)...)
			}
		})
	}
	wg.Wait()
	times := make([]int, states)
	for _, all := range claimed {
		for _, n := range all {
			times[n]++
		}
	}
	for n := range times {
		if times[n] != 1 {
			assert.Equal(t, 1, times[n], "state %d", n)
		}
	}
}
