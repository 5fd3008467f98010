// Package frontier has the states that a search has found and not yet expanded: in a
// [Level] of a breadth-first search, or on the [Stack] of a depth-first one.
//
// The states of a level, each after its length, are in chunks that are recycled: one
// growing slice would be copied over and over, and leave as much garbage. Workers claim
// the states in blocks.
package frontier

import (
	"encoding/binary"
	"errors"
	"iter"
	"math"
	"sync"
	"sync/atomic"

	"bullyproof/internal/machine"
)

const (
	BlockStates   = 64      // states that a worker claims at a time
	minChunkBytes = 1 << 9  // of a worker's first chunk in a level; small searches stay small
	MaxChunkBytes = 1 << 20 // of a chunk with more than one state
)

// A Chunk is a part of a level.
type Chunk struct {
	buf    []byte
	starts []uint32 // offsets of blocks
	states int
	left   atomic.Int32 // blocks not yet expanded
}

// Records returns the states, each after its length, and how many they are.
func (c *Chunk) Records() ([]byte, int) { return c.buf, c.states }

// Bytes returns the memory of the chunk.
func (c *Chunk) Bytes() int64 { return int64(cap(c.buf)) }

// States yields the states.
func (c *Chunk) States() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for left := c.buf; len(left) > 0; {
			var state []byte
			if state, left = Next(left); !yield(state) {
				return
			}
		}
	}
}

// block returns the records of block i.
func (c *Chunk) block(i int) []byte {
	if i+1 < len(c.starts) {
		return c.buf[c.starts[i]:c.starts[i+1]]
	}
	return c.buf[c.starts[i]:]
}

// Next splits the first state off a block of records.
func Next(block []byte) (state, rest []byte) {
	if n := int(block[0]); n < 0x80 {
		return block[1 : 1+n : 1+n], block[1+n:]
	}
	length, prefix := binary.Uvarint(block)
	end := prefix + int(length)
	return block[prefix:end:end], block[end:]
}

// Count returns how many states a block has.
func Count(block []byte) (n int) {
	for ; len(block) > 0; n++ {
		_, block = Next(block)
	}
	return n
}

var errRecord = errors.New("a state is cut off")

// afterRecord returns what is behind the first state of a block that may be damaged.
func afterRecord(block []byte) ([]byte, error) {
	length, prefix := binary.Uvarint(block)
	if prefix <= 0 || length > uint64(len(block)-prefix) {
		return nil, errRecord
	}
	return block[prefix+int(length):], nil
}

// A Pool keeps chunks that have been expanded for those to be filled.
type Pool struct {
	Chunk int // size to which chunks grow
	mu    sync.Mutex
	free  []*Chunk
	bytes atomic.Int64 // of all chunks, in use or free
	idle  atomic.Int64 // of those that are free
}

// get returns an empty chunk with room for at least so many bytes.
func (p *Pool) get(atLeast int) *Chunk {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.free) - 1; i >= 0; i-- {
		if c := p.free[i]; cap(c.buf) >= atLeast {
			p.free[i] = p.free[len(p.free)-1]
			p.free = p.free[:len(p.free)-1]
			p.idle.Add(-int64(cap(c.buf)))
			return c
		}
	}
	p.bytes.Add(int64(atLeast))
	return &Chunk{buf: make([]byte, 0, atLeast)}
}

// Put takes a chunk back that nobody needs any more.
func (p *Pool) Put(c *Chunk) {
	c.buf, c.starts, c.states = c.buf[:0], c.starts[:0], 0
	p.mu.Lock()
	p.free = append(p.free, c)
	p.idle.Add(int64(cap(c.buf)))
	p.mu.Unlock()
}

// Done notes that a block of a chunk has been expanded, and takes the chunk back after
// the last one.
func (p *Pool) Done(c *Chunk) {
	if c.left.Add(-1) == 0 {
		p.Put(c)
	}
}

// Empty returns an empty chunk, to be filled.
func (p *Pool) Empty() *Chunk { return p.get(1) }

// Fill gives an empty chunk states in a buffer, each after its length: that of the chunk
// or another one. It returns how many they are; the error says that one is cut off.
func (p *Pool) Fill(c *Chunk, buf []byte) (states int, err error) {
	p.Account(int64(cap(buf) - cap(c.buf)))
	c.buf = buf
	for left := buf; len(left) > 0; c.states++ {
		if c.states%BlockStates == 0 {
			c.starts = append(c.starts, uint32(len(buf)-len(left)))
		}
		if left, err = afterRecord(left); err != nil {
			return 0, err
		}
	}
	return c.states, nil
}

// Bytes returns the memory of all chunks, in use or free, and what else is accounted for.
func (p *Pool) Bytes() int64 { return p.bytes.Load() }

// Account accounts for so many bytes more that states take elsewhere.
func (p *Pool) Account(bytes int64) { p.bytes.Add(bytes) }

// Used returns the bytes of the chunks in use.
func (p *Pool) Used() int64 { return p.bytes.Load() - p.idle.Load() }

// Release leaves the free chunks to the collector.
func (p *Pool) Release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = nil
	p.bytes.Add(-p.idle.Swap(0))
}

// A Writer is the part of the next level that one worker fills.
type Writer struct {
	Pool   *Pool
	Chunks []*Chunk
	size   int // of the latest chunk asked for in this level
}

// Add appends a state.
func (w *Writer) Add(state []byte) {
	const prefix = 3 // bytes of the longest length
	var c *Chunk
	if n := len(w.Chunks); n > 0 {
		c = w.Chunks[n-1]
	}
	if c == nil || len(c.buf)+prefix+len(state) > cap(c.buf) {
		w.size = max(minChunkBytes, min(2*w.size, w.Pool.Chunk))
		c = w.Pool.get(max(w.size, prefix+len(state)))
		w.Chunks = append(w.Chunks, c)
	}
	if c.states%BlockStates == 0 {
		c.starts = append(c.starts, uint32(len(c.buf)))
	}
	c.states++
	c.buf = binary.AppendUvarint(c.buf, uint64(len(state)))
	c.buf = append(c.buf, state...)
}

// Clear forgets the chunks, which belong to somebody else now.
func (w *Writer) Clear() { w.Chunks, w.size = w.Chunks[:0], 0 }

// A Level is a frontier under expansion. Each worker expands a share of its blocks,
// one that lies together: states that are near each other lead to the same states,
// and workers that insert these at the same time would wait for each other's cache
// lines. A worker without blocks takes half of those of another.
type Level struct {
	Depth  int
	States uint64
	chunks []*Chunk
	first  []int   // number of the first block of each chunk, and of all blocks
	shares []share // by worker; nil before the level is expanded
}

// A share is the blocks that a worker has still to expand: the first of them, and in
// the lower half the one behind the last.
type share struct {
	span atomic.Uint64
	_    [machine.CacheLines - 8]byte
}

func span(first, end int) uint64 { return uint64(first)<<32 | uint64(end) }

func (s *share) blocks() (first, end int) {
	v := s.span.Load()
	return int(v >> 32), int(v & math.MaxUint32)
}

// NewLevel returns a level without states.
func NewLevel(depth int) *Level { return &Level{Depth: depth, first: make([]int, 1, 4)} }

// Take appends what a writer has, and empties it.
func (l *Level) Take(w *Writer) {
	for _, c := range w.Chunks {
		l.Add(c)
	}
	w.Clear()
}

// Add appends a chunk.
func (l *Level) Add(c *Chunk) {
	c.left.Store(int32(len(c.starts)))
	l.chunks = append(l.chunks, c)
	l.first = append(l.first, l.first[len(l.first)-1]+len(c.starts))
	l.States += uint64(c.states)
}

// Blocks returns the number of blocks.
func (l *Level) Blocks() int { return l.first[len(l.first)-1] }

// Divide gives so many workers equal shares, unless they have them already.
func (l *Level) Divide(workers int) {
	if l.shares != nil {
		return
	}
	l.shares = make([]share, workers)
	all := l.Blocks()
	for i := range l.shares {
		l.shares[i].span.Store(span(all*i/workers, all*(i+1)/workers))
	}
}

// Left returns how many blocks no worker has had.
func (l *Level) Left() (n int) {
	if l.shares == nil {
		return l.Blocks()
	}
	for i := range l.shares {
		first, end := l.shares[i].blocks()
		n += end - first
	}
	return n
}

// Unclaimed yields the numbers of those.
func (l *Level) Unclaimed() iter.Seq[int] {
	return func(yield func(int) bool) {
		l.Divide(1)
		for i := range l.shares {
			for n, end := l.shares[i].blocks(); n < end; n++ {
				if !yield(n) {
					return
				}
			}
		}
	}
}

// Claim returns a block that no worker has had, with its chunk, for a worker of
// Divide. It passes the chunk of its last one in at.
func (l *Level) Claim(worker int, at *int) (*Chunk, []byte) {
	own := &l.shares[worker]
	for {
		n, end := own.blocks()
		if n == end {
			if !l.take(own) {
				return nil, nil
			}
			continue
		}
		if own.span.CompareAndSwap(span(n, end), span(n+1, end)) {
			return l.At(n, at)
		}
	}
}

// At returns block n and its chunk; it looks for the chunk from the one passed in at.
func (l *Level) At(n int, at *int) (*Chunk, []byte) {
	for n < l.first[*at] {
		*at--
	}
	for n >= l.first[*at+1] {
		*at++
	}
	c := l.chunks[*at]
	return c, c.block(n - l.first[*at])
}

// take moves half of the blocks of the worker that has most to one that has none, and
// reports false where nobody has any.
func (l *Level) take(to *share) bool {
	for {
		from, first, end := to, 0, 0
		for i := range l.shares {
			s := &l.shares[i]
			if f, e := s.blocks(); e-f > end-first {
				from, first, end = s, f, e
			}
		}
		if first == end {
			return false
		}
		middle := first + (end-first)/2
		if from.span.CompareAndSwap(span(first, end), span(first, middle)) {
			to.span.Store(span(middle, end))
			return true
		}
	}
}
