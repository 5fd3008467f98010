package frontier

import (
	"encoding/binary"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// numbered returns a level of so many states, in chunks of several sizes: each is its
// number.
func numbered(states int) *Level {
	w := &Writer{Pool: &Pool{Chunk: 1 << 12}}
	for i := range states {
		w.Add(binary.LittleEndian.AppendUint32(nil, uint32(i)))
	}
	l := NewLevel(0)
	l.Take(w)
	return l
}

// statesOf returns the states of a block.
func statesOf(block []byte) (all []int) {
	for len(block) > 0 {
		var state []byte
		state, block = Next(block)
		all = append(all, int(binary.LittleEndian.Uint32(state)))
	}
	return all
}

func TestEachBlockIsClaimedOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		states, workers := rapid.IntRange(0, 5000).Draw(t, "states"), rapid.IntRange(1, 5).Draw(t, "workers")
		l := numbered(states)
		l.Divide(workers)
		at, times := make([]int, workers), make([]int, states)
		// Some workers claim in a random order, and are through when nothing is left.
		for _, w := range rapid.SliceOfN(rapid.IntRange(0, workers-1), 0, 200).Draw(t, "claims") {
			left := l.Left()
			c, block := l.Claim(w, &at[w])
			assert.Equal(t, left == 0, c == nil)
			assert.Equal(t, max(0, left-1), l.Left())
			for _, n := range statesOf(block) {
				times[n]++
			}
		}
		here := 0
		for n := range l.Unclaimed() {
			_, block := l.At(n, &here)
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
	l.Divide(workers)
	claimed := make([][]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			at := 0
			for {
				c, block := l.Claim(w, &at)
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

// A chunk that was read again has the states that were written, and says so if the last
// one is cut off. The pool knows what it takes.
func TestChunkIsReadAgain(t *testing.T) {
	l := numbered(3 * BlockStates)
	records, states := l.chunks[0].Records()
	p := new(Pool)
	c := p.Empty()
	n, err := p.Fill(c, records)
	require.NoError(t, err)
	require.Equal(t, states, n)
	require.Equal(t, c.Bytes(), p.Bytes())
	read := NewLevel(0)
	read.Add(c)
	require.EqualValues(t, states, read.States)
	require.Equal(t, (states+BlockStates-1)/BlockStates, read.Blocks())
	i := 0
	for state := range c.States() {
		require.EqualValues(t, i, binary.LittleEndian.Uint32(state))
		i++
	}
	require.Equal(t, states, i)
	_, err = p.Fill(p.Empty(), records[:len(records)-1])
	require.ErrorIs(t, err, errRecord)
}
